package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"loam/internal/child"
	"loam/internal/ending"
	"loam/internal/load"
	"loam/internal/scratch"
)

// hasVersion reports whether a word of the command line is path@version.
func hasVersion(word string) bool {
	return strings.Contains(word, "@") && !strings.HasSuffix(word, ".go") && !strings.HasPrefix(word, ".") && !filepath.IsAbs(word)
}

// atVersion serves patterns of the form path@version: it makes a module that requires their module
// at that version and nothing else, changes to its directory, and returns the patterns without the
// version. Other patterns it returns as they are.
func atVersion(f *buildFlags, patterns []string) ([]string, error) {
	if !slices.ContainsFunc(patterns, hasVersion) {
		return patterns, nil
	}
	_, version, _ := strings.Cut(patterns[slices.IndexFunc(patterns, hasVersion)], "@")
	paths := make([]string, len(patterns))
	for i, p := range patterns {
		path, v, _ := strings.Cut(p, "@")
		if v != version {
			return nil, fmt.Errorf("%s: all arguments must refer to packages in the same module at the same version (@%s)", p, version)
		}
		paths[i] = path
	}
	ending.BySignals()
	s, err := findSDK()
	if err != nil {
		return nil, err
	}
	temps, err := scratch.Dir(s.cache)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(temps, "module")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	// go get raises the go line to that of the module, from which the program's GODEBUG defaults
	// follow: below 1.21 they are all the same.
	text := "module loam/" + fmt.Sprint(os.Getpid()) + "\n\ngo 1.20\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666); err != nil {
		return nil, err
	}
	os.Setenv("GOWORK", "off")
	get := exec.Command(s.load.Command, append([]string{"get"}, patterns...)...)
	get.Dir = dir
	get.Env = append(os.Environ(), "GOFLAGS="+withoutMod(goSetting("GOFLAGS")), "PWD="+dir)
	var stderr strings.Builder
	get.Stderr = &stderr
	if err := child.Run(get); err != nil {
		return nil, &load.ListError{Message: strings.TrimRight(stderr.String(), "\n")}
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.HasPrefix(line, "go: downloading ") {
			os.Stderr.WriteString(line)
		}
	}
	if err := os.Chdir(dir); err != nil {
		return nil, err
	}
	os.Unsetenv("PWD")
	f.list = append(slices.DeleteFunc(f.list, func(word string) bool { return strings.HasPrefix(word, "-mod=") }), "-mod=mod")
	return paths, nil
}

// withoutMod is GOFLAGS without -mod: the module that atVersion makes has neither a vendor
// directory nor all of go.sum.
func withoutMod(flags string) string {
	words := slices.DeleteFunc(strings.Fields(flags), func(word string) bool { name, _ := splitFlag(word); return name == "mod" })
	return strings.Join(words, " ")
}
