package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// messy is a module with something of everything that a build can stumble over.
const messy = `
-- go.mod --
module example.com/m

go 1.26
-- lib/lib.go --
package lib

func F() int { return 1 }
-- a/main.go --
package main

func main() {}
-- b/main.go --
package main

func main() {}
-- none/readme --
-- tests/a_test.go --
package tests
-- other/a_windows.go --
package other
-- two/a.go --
package a
-- two/b.go --
package b
-- missing/m.go --
package missing

import _ "example.com/not/here"
-- gone/m.go --
package gone

import _ "no/such/std"
-- cycle/c.go --
package cycle

import _ "example.com/m/cycle/d"
-- cycle/d/d.go --
package d

import _ "example.com/m/cycle"
-- internal/i/i.go --
package i
-- syntax/s.go --
package syntax

func g() { if }
-- types/t.go --
package types

import "os"

var a int = "a"
var b int = "b"
var c int = "c"
var d int = "d"
var e int = "e"
var f int = "f"
var g int = "g"
var h int = "h"
var i int = "i"
var j int = "j"
var k int = "k"
-- users/u.go --
package users

import _ "example.com/m/types"
-- embeds/e.go --
package embeds

import _ "embed"

//go:embed nothing.txt
var s string
-- cgo/c.go --
package cgo

func F() {}
-- undefined/main.go --
package main
-- dir/.keep --
-- file --
-- text.go --
package text
`

// TestMessages holds what loam says, and its exit code, against the go command's: what is wrong on
// the command line, with patterns, and in packages.
func TestMessages(t *testing.T) {
	dir := module(t, messy)
	compare := func(ours func(string) string, args ...string) {
		t.Helper()
		gc := exec.Command("go", args...)
		gc.Dir = dir
		gc.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=", "CGO_ENABLED=0", "PWD="+dir)
		var out bytes.Buffer
		gc.Stdout, gc.Stderr = &out, &out
		gc.Run()
		cmd := exec.Command(loam, args...)
		cmd.Dir, cmd.Env = gc.Dir, gc.Env
		var text bytes.Buffer
		cmd.Stdout, cmd.Stderr = &text, &text
		cmd.Run()
		got, want := text.String(), ours(out.String())
		if strings.HasPrefix(want, "flag provided") || strings.HasPrefix(want, "invalid") || strings.HasPrefix(want, "flag needs") {
			// The line with the usage differs.
			usage := regexp.MustCompile(`(?m)^usage: .*\n`)
			got, want = usage.ReplaceAllString(got, ""), usage.ReplaceAllString(want, "")
		}
		if got != want || cmd.ProcessState.ExitCode() != gc.ProcessState.ExitCode() {
			t.Errorf("%q: exit code %d\n%s--- want %d\n%s", args, cmd.ProcessState.ExitCode(), got, gc.ProcessState.ExitCode(), want)
		}
	}
	command := regexp.MustCompile(`(?m)^go(:? |: )|Run 'go |'go env`)
	ours := func(text string) string {
		return command.ReplaceAllStringFunc(text, func(s string) string { return strings.Replace(s, "go", "loam", 1) })
	}
	same := func(text string) string { return text }
	for _, line := range []string{
		"help nosuch", "build -nosuch", "build -o", "build ./a -nosuch", "run -nosuch .", "install -nosuch", "clean -nosuch", "env -nosuch",
		"build -v=x .", "build -buildvcs=x .", "build -covermode=x .", "build -o x -C dir", "-C nosuch build", "build -C nosuch",
		"env -w", "env -u", "env -w FOO", "env -json -w A=B", "env -json -u A", "env -u -w A", "env A=B",
		"build -o out ./...", "build -o dir/ ./lib", "build -o dir ./lib", "run", "run -", "run ./lib", "build -o dir/x ./a ./lib",
		"build -p=0 ./a", "build -p=x ./a", "run tests/a_test.go",
	} {
		compare(ours, strings.Fields(line)...)
	}
	for _, line := range []string{
		"-C lib build", "build -C lib", "build ./nosuch", "build nosuch", "build example.com/nosuch",
		"build example.com/m/nosuch", "build ./none", "build ./tests",
		"build ./other", "build ./two", "build ./missing", "build ./gone", "build ./cycle", "build ./syntax", "build ./types", "build ./users",
		"build -gcflags=-e ./types", "build ./embeds", "build nosuch.go", "build file", "build text.go lib/lib.go", "build ./none/...",
		"build ./a ./b", "build ./lib", "build -o lib.a ./lib", "build",
		"vet ./lib", "vet -nosuch", "fmt ./lib", "list ./...", "list -nosuch", "mod tidy -nosuch", "mod", "work nosuch",
		"tool nosuch", "generate ./lib",
		"build -json ./types", "build -json ./lib", "build -json ./nosuch", "env -w NOSUCH=1", "list -f {{.GoFiles}} ./lib",
		"run nosuch.go", "run ./nosuch", "run ./cycle", "test ./nosuch", "test -o x ./a ./lib", "test -fuzz=X ./a ./lib",
		"test -cpuprofile=x ./a ./lib",
		"test -fuzz=X -coverprofile=x ./lib", "test -fuzz=X -cpuprofile=x ./lib", "install ./missing", "install ./lib",
		"doc ./lib", "get -nosuch",
	} {
		compare(same, strings.Fields(line)...)
	}
	for _, name := range []string{"a", "b", "lib", "out", "lib.a", "dir/x"} {
		st, err := os.Stat(filepath.Join(dir, name))
		if err == nil && !st.IsDir() && name != "lib.a" {
			t.Errorf("there is a file %s", name)
		}
	}
}

// TestOutputDirectory: several programs are written into a directory, a single one into its own.
func TestOutputDirectory(t *testing.T) {
	dir := module(t, messy)
	want(t, run(t, dir, nil, "build", "-o", "bin/", "./a", "./b", "./lib"), 0, "", "")
	want(t, run(t, dir, nil, "build", "-o", "dir", "./a"), 0, "", "")
	for _, name := range []string{"bin/a", "bin/b", "dir/a"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

var (
	flagOfGo   = regexp.MustCompile(`(?m)^\t-([a-zA-Z][a-zA-Z0-9]*)`)
	flagOfLoam = regexp.MustCompile(`(?m)^  -([a-zA-Z][-a-zA-Z0-9]*)`)
	verbOfHelp = regexp.MustCompile(`(?m)^\t([a-z]+) {2,}\S`)
)

// TestHelp: loam help names each verb and each flag that the go command has and loam, too, and all
// that it names exist.
func TestHelp(t *testing.T) {
	dir := t.TempDir()
	goHelp := func(topics ...string) (text string) {
		for _, topic := range topics {
			out, err := exec.Command("go", "help", topic).Output()
			if err != nil {
				t.Fatal(err)
			}
			text += string(out)
		}
		return text
	}
	names := func(re *regexp.Regexp, text string) (list []string) {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			list = append(list, m[1])
		}
		return list
	}
	// Flags that are build's only, and one that is no flag.
	without := map[string][]string{"run": {"json"}, "clean": {"cover", "covermode", "coverpkg", "json"}, "test": {"args"}}
	overview := run(t, dir, nil, "help")
	out, _ := exec.Command("go", "help").Output()
	verbs := names(verbOfHelp, overview.stdout)
	for _, verb := range names(verbOfHelp, strings.Split(string(out), "Additional help topics")[0]) {
		if !slices.Contains(verbs, verb) {
			t.Errorf("loam help does not name %s", verb)
		}
	}
	for _, verb := range verbs {
		text := run(t, dir, nil, "help", verb)
		if text.code != 0 || text.stdout == "" || text.stderr != "" {
			t.Errorf("loam help %s: exit code %d, %s", verb, text.code, text.stderr)
		}
		if verb == "trace" || verb == "version" || !strings.Contains(text.stdout, "\nFlags:\n") {
			continue
		}
		flags := names(flagOfLoam, text.stdout)
		topics := map[string][]string{"build": {"build"}, "install": {"build"}, "run": {"build"}, "clean": {"build"},
			"test": {"build", "test", "testflag"}}[verb]
		for _, name := range names(flagOfGo, goHelp(topics...)) {
			if !slices.Contains(flags, name) && !slices.Contains(without[verb], name) {
				t.Errorf("loam help %s does not name -%s", verb, name)
			}
		}
		for _, name := range flags {
			r := run(t, dir, nil, verb, "-"+name+"=§")
			if strings.Contains(r.stderr, "not defined") {
				t.Errorf("loam %s has no flag -%s: %s", verb, name, r.stderr)
			}
		}
	}
}

// TestOddArguments: what go says, or does not say, of arguments that mean nothing, and of flags for
// packages that a build does not have.
func TestOddArguments(t *testing.T) {
	dir := module(t, `
-- go.mod --
module odd

go 1.26
-- main.go --
package main

func main() { println("ran") }
-- a/a.go --
package a
-- a/a_test.go --
package a
`)
	for _, c := range []struct{ env, args string }{
		{"", "build ...nosuch"},
		{"", "build nosuch..."},
		{"", "vet ...nosuch"},
		{"", "build ./a/a_test.go"},
		{"", "install ./a/a_test.go"},
		{"", "run -exec nosuch-program ."},
		{"", "build -gcflags=x=-y ."},
		{"", "build -gcflags=odd/a=-y ."},
		{"", "build -asmflags=x=-y ."},
		{"", "build -gcflags=./a=-y -asmflags=none/...=-y ./a/..."},
		{"GOFLAGS=nosuch", "build ."},
		{"GOFLAGS=-v nosuch", "run ."},
		{"GOFLAGS=--", "build ."},
		{"GOFLAGS=-nosuch", "build ."},
	} {
		cmd := exec.Command("go", strings.Fields(c.args)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", c.env, "GOBIN="+t.TempDir())
		var text bytes.Buffer
		cmd.Stderr = &text
		cmd.Run()
		r := run(t, dir, []string{"GOFLAGS=", c.env, "GOBIN=" + t.TempDir()}, strings.Fields(c.args)...)
		said, want := r.stderr, text.String()
		if strings.Contains(want, "=-y") || strings.Contains(want, "flag provided") {
			// Each lists its own flags.
			said, _, _ = strings.Cut(said, "\n")
			want, _, _ = strings.Cut(want, "\n")
		}
		if said != want || r.code != cmd.ProcessState.ExitCode() {
			t.Errorf("%s loam %s: %d\n%sgo: %d\n%s", c.env, c.args, r.code, said, cmd.ProcessState.ExitCode(), want)
		}
	}
}
