package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const covered = `
-- go.mod --
module example.com/c

go 1.26
-- c.go --
package c

import (
	"fmt"

	"example.com/c/dep"
)

type shape interface{ area() int }

type square int

func (s square) area() int { return int(s * s) }

// These run functions before the package is initialised otherwise.
var (
	early = dep.Sum(1, 2) + compute(3)
	late  = shape(square(2)).area()
	table = map[string]func(int) int{"double": func(n int) int { return 2 * n }, "inc": inc}
)

func inc(n int) int { return n + 1 }

func compute(n int) int {
	sum := 0
loop:
	for i := 0; i < n; i++ {
		switch {
		case i%2 == 0:
			sum += i
		case i > 100:
			break loop
		default:
			sum -= i
		}
	}
	return sum
}

func Generic[T any](v T) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint(r)
		}
	}()
	if s := fmt.Sprint(v); s == "panic" {
		panic(s)
	}
	return fmt.Sprint(v)
}
-- c_test.go --
package c

import "testing"

func TestC(t *testing.T) {
	if Generic(1)+Generic("panic") != "1panic" || early+late != 8 || table["inc"](1) != 2 {
		t.Error(early, late)
	}
	for range 1000 {
		compute(5)
	}
}
-- dep/dep.go --
package dep

func Sum(a, b int) int {
	if a > 1000 {
		return 1000
	}
	return a + b
}

func Unused() {}
-- main/main.go --
package main

import "example.com/c/dep"

func main() { println(dep.Sum(1000, 2)) }
`

// TestCover holds profiles against those of the go command.
func TestCover(t *testing.T) {
	dir := module(t, covered)
	for _, args := range [][]string{
		{"-covermode=count", "./..."}, {"-coverpkg=./...", "-covermode=atomic", "-v", "./..."},
	} {
		sameAsGo(t, dir, slices.Concat([]string{"test", "-coverprofile=profile"}, args))
		got, err := os.ReadFile(filepath.Join(dir, "profile"))
		if err != nil {
			t.Fatal(err)
		}
		gc := exec.Command("go", slices.Concat([]string{"test", "-coverprofile=profile"}, args)...)
		gc.Dir = dir
		if out, err := gc.CombinedOutput(); err != nil {
			t.Fatalf("%s", out)
		}
		want, err := os.ReadFile(filepath.Join(dir, "profile"))
		if err != nil {
			t.Fatal(err)
		}
		sorted := func(profile []byte) string {
			lines := strings.Split(string(profile), "\n")
			slices.Sort(lines) // the order of packages is not fixed
			return strings.Join(lines, "\n")
		}
		if sorted(got) != sorted(want) {
			t.Errorf("%v:\n%s--- want\n%s", args, got, want)
		}
	}
}

// TestCoverBuild checks that a program built with -cover leaves its counters.
func TestCoverBuild(t *testing.T) {
	dir := module(t, covered)
	counters := filepath.Join(dir, "counters")
	if err := os.Mkdir(counters, 0o777); err != nil {
		t.Fatal(err)
	}
	want(t, run(t, dir, []string{"GOCOVERDIR=" + counters}, "run", "-cover", "./main"), 0, "", "1002\n")
	out, err := exec.Command("go", "tool", "covdata", "percent", "-i", counters).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "example.com/c/dep\t\tcoverage: 66.7% of statements") ||
		!strings.Contains(string(out), "example.com/c/main\t\tcoverage: 100.0%") {
		t.Errorf("%v %s", err, out)
	}
}
