package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"loam/conformance/suite"
)

// TestShapes type-checks the shapes, small and large.
func TestShapes(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range shapes {
		if seen[s.name] {
			t.Errorf("two shapes are %q", s.name)
		}
		seen[s.name] = true
		for _, n := range []int{2, s.size, 2 * s.size} {
			t.Run(fmt.Sprint(s.name, " ", n), func(t *testing.T) {
				fset := token.NewFileSet()
				f, err := parser.ParseFile(fset, "shape.go", "package shape\n"+s.text(n), 0)
				if err != nil {
					t.Fatal(err)
				}
				conf := types.Config{Importer: importer.Default()}
				if _, err := conf.Check("shape", fset, []*ast.File{f}, nil); err != nil {
					t.Error(err)
				}
			})
		}
	}
	if len(seen) < 25 {
		t.Errorf("only %d shapes", len(seen))
	}
}

// TestTooFast holds the limits.
func TestTooFast(t *testing.T) {
	for _, c := range []struct {
		costs [3]int64
		want  bool
	}{
		{[3]int64{100, 200, 400}, false},
		{[3]int64{100, 249, 499}, false},
		{[3]int64{100, 260, 400}, true},
		{[3]int64{100, 200, 510}, true},
	} {
		if got := tooFast(c.costs[:], 1); got != c.want {
			t.Errorf("tooFast(%v) = %t", c.costs, got)
		}
	}
}

// TestClangTime reads what -stats prints.
func TestClangTime(t *testing.T) {
	got, err := clangTime("    0.054  0.004   clang          p\n    0.001          wait           (all)  1\n    0.054  0.250   clang          (all)  2\n")
	if err != nil || got != 250_000 {
		t.Error(got, err)
	}
	if got, err := clangTime("elapsed s  tool s  phase\n"); err == nil {
		t.Error(got)
	}
}

// TestRead reads a profile.
func TestRead(t *testing.T) {
	got, err := read(strings.NewReader("mode: atomic\na.go:1.2,3.4 2 10\na.go:5.6,7.8 1 5\na.go:9.1,9.9 3 0\na.go:5.6,7.8 1 1\n"))
	if want := (work{"a.go:1.2,3.4": 20, "a.go:5.6,7.8": 6}); err != nil || !maps.Equal(got, want) {
		t.Error(got, err)
	}
	for _, bad := range []string{"", "mode: atomic\n", "mode: atomic\na.go:1.2,3.4 2\n", "a.go:1.2,3.4 x 3\n", "a.go:1.2,3.4 3 x\n"} {
		if got, err := read(strings.NewReader(bad)); err == nil {
			t.Errorf("%q: %v", bad, got)
		}
	}
}

// TestList holds that the list names only shapes that there are.
func TestList(t *testing.T) {
	known, err := suite.ReadPlaces("failures.txt", "go1.26")
	if err != nil {
		t.Fatal(err)
	}
	for p := range known {
		if !slices.ContainsFunc(shapes, func(s shape) bool { return s.name == p.Row }) || p.Column != "front" && p.Column != "clang" {
			t.Errorf("there is no shape %q", p)
		}
	}
}
