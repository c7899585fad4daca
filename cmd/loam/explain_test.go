package main_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExplainInlining holds the calls that -gcflags=-m says are inlined against gc's: the same
// lines and columns for calls that both inline, none for one that neither does.
func TestExplainInlining(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/v

go 1.25
-- main.go --
package main

import "strings"

type point struct{ x, y int }

func (p *point) sum() int { return p.x + p.y }

func (p point) twice() point { return point{2 * p.x, 2 * p.y} }

func add(a, b int) int { return a + b }

func both(a int) int { return add(a, add(a, 1)) }

func unused(a int) int { return a }

func same[T any](x T) T { return x }

//go:noinline
func outside(a int) int { return a + 1 }

func main() {
	p := &point{1, 2}
	q := p.twice()
	print(add(1, outside(2)), p.sum(), q.sum(), same(4))
	f := func(x int) int { return x * x }
	print(f(outside(4)), both(outside(5)))
	var b strings.Builder
	println(b.Len())
}
`)
	out := filepath.Join(t.TempDir(), "out")
	about := func(text string) (list []string) {
		for line := range strings.Lines(text) {
			line = strings.TrimPrefix(strings.TrimSpace(line), "./")
			// gc names shapes
			if strings.HasPrefix(line, "main.go:") && strings.Contains(line, "inlin") && !strings.Contains(line, "[") {
				list = append(list, line)
			}
		}
		return list
	}
	cmd := exec.Command("go", "build", "-gcflags=-m", "-o", out, ".")
	cmd.Dir = dir
	gc, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, gc)
	}
	r := run(t, dir, nil, "build", "-gcflags=-m", "-o", out, ".")
	if r.code != 0 {
		t.Fatal(r.stderr)
	}
	got := about(r.stderr)
	wanted := map[string]bool{}
	for _, line := range about(string(gc)) {
		wanted[line] = true
	}
	for _, line := range got {
		if !wanted[line] {
			t.Errorf("gc does not say %q", line)
		}
		delete(wanted, line)
	}
	for line := range wanted {
		t.Errorf("missing: %s", line)
	}
}
