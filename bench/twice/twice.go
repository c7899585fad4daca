// Package twice is what the programs that compare gc and Loam have in common: each builds a program
// with both and runs the two in turn.
package twice

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Build builds a package of this module, or one that is a module of its own, in dir, with gc and
// with the command loam. Both get the flags.
func Build(dir, loam, pkg string, flags ...string) (programs [2]string, err error) {
	return build(dir, loam, pkg, [2]string{"0", "0"}, flags)
}

// BuildC is Build for a program with C.
func BuildC(dir, loam, pkg string, flags ...string) (programs [2]string, err error) {
	return build(dir, loam, pkg, [2]string{"1", "1"}, flags)
}

// BuildRaced is Build with -race. Gc's needs a C compiler for that.
func BuildRaced(dir, loam, pkg string, flags ...string) (programs [2]string, err error) {
	return build(dir, loam, pkg, [2]string{"1", "0"}, append([]string{"-race"}, flags...))
}

// build builds with and without C, as CGO_ENABLED says for each compiler.
func build(dir, loam, pkg string, hasC [2]string, flags []string) (programs [2]string, err error) {
	place := ""
	if _, err := os.Stat(filepath.Join(pkg, "go.mod")); err == nil {
		place, pkg = pkg, "."
	}
	if strings.Contains(loam, "/") {
		if loam, err = filepath.Abs(loam); err != nil {
			return programs, err
		}
	}
	for i, command := range []string{"go", loam} {
		programs[i] = filepath.Join(dir, []string{"gc", "loam"}[i])
		build := exec.Command(command, slices.Concat([]string{"build", "-o", programs[i]}, flags, []string{pkg})...)
		build.Dir = place
		build.Env = append(os.Environ(), "CGO_ENABLED="+hasC[i])
		if out, err := build.CombinedOutput(); err != nil {
			return programs, fmt.Errorf("%s: %v\n%s", build, err, out)
		}
	}
	return programs, nil
}

// Feeds builds examples/feeds in dir and has it write n documents to search.
func Feeds(dir, loam string, n int) (programs [2]string, documents string, err error) {
	if programs, err = Build(dir, loam, "./examples/feeds"); err != nil {
		return programs, "", err
	}
	documents = filepath.Join(dir, "documents")
	generate := exec.Command(programs[0], "-generate", "-dir", documents, "-n", strconv.Itoa(n))
	if out, err := generate.CombinedOutput(); err != nil {
		return programs, "", fmt.Errorf("%s: %v\n%s", generate, err, out)
	}
	return programs, documents, nil
}

// Median sorts v and returns its median, 0 if there are no values.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}
