package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"loam/internal/child"
	"loam/internal/ending"
	"loam/internal/scratch"
)

var dlvVerb = &verb{
	name: "dlv", usage: "[arguments of dlv]",
	short: "debug with Delve what loam builds",
	long: `Dlv runs Delve (dlv), which builds what it debugs with loam: loam dlv debug, loam dlv test, loam dlv trace,
and loam dlv dap for editors, whose sessions may then launch packages. Delve is the one on PATH or in GOBIN:

	go install github.com/go-delve/delve/cmd/dlv@latest

What loam has built already, dlv debugs without this: dlv exec, dlv attach, dlv core.`,
}

func init() { dlvVerb.run = runDlv }

// runDlv runs dlv. The go command that it finds first builds with loam, at once unless LOAMOPT says
// otherwise: what dlv builds is not to be optimised.
func runDlv(args []string) error {
	s, err := findSDK()
	if err != nil {
		return err
	}
	dlv, err := findDlv(s.load.Go)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := scratch.Dir(s.cache)
	if err != nil {
		return err
	}
	const script = "#!/bin/sh\ncase $1 in\nbuild | test | run | install) LOAMOPT=${LOAMOPT-instant} LOAM_GO=%[2]s exec %[1]s \"$@\" ;;\n*) exec %[2]s \"$@\" ;;\nesac\n"
	text := fmt.Sprintf(script, inQuotes(self), inQuotes(s.load.Go))
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(text), 0o777); err != nil {
		return err
	}
	cmd := exec.Command(dlv, args...)
	cmd.Env = append(os.Environ(), "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return ending.As(cmd, ending.PassOn)
}

// findDlv is dlv's file: the one on PATH, or where go install puts it.
func findDlv(goCommand string) (string, error) {
	if name, err := exec.LookPath("dlv"); err == nil {
		return name, nil
	}
	out, err := child.Output(exec.Command(goCommand, "env", "GOBIN", "GOPATH"))
	if err != nil {
		return "", err
	}
	bin, paths, _ := strings.Cut(strings.TrimRight(string(out), "\n"), "\n")
	dirs := []string{bin}
	if bin == "" {
		dirs = filepath.SplitList(paths)
		for i := range dirs {
			dirs[i] = filepath.Join(dirs[i], "bin")
		}
	}
	for _, dir := range dirs {
		if name, err := exec.LookPath(filepath.Join(dir, "dlv")); err == nil {
			return name, nil
		}
	}
	return "", errors.New("dlv: not found on PATH or in GOBIN: go install github.com/go-delve/delve/cmd/dlv@latest")
}

// inQuotes is a word as a shell reads it whole.
func inQuotes(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
