package main

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

var std = importer.ForCompiler(token.NewFileSet(), "source", nil)

// modern tells whether the type checker in this test knows modernRelease.
var modern = slices.Contains(build.Default.ReleaseTags, modernRelease)

// TestGenerated type-checks programs: what the generator writes must compile.
func TestGenerated(t *testing.T) {
	for seed := range uint64(12) {
		text := generate(seed, 60, modern && seed%2 == 0)
		if text != generate(seed, 60, modern && seed%2 == 0) {
			t.Fatalf("seed %d: two different programs", seed)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "prog.go", text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		conf := types.Config{Importer: std, Error: func(err error) { t.Errorf("seed %d: %v", seed, err) }}
		conf.Check("main", fset, []*ast.File{f}, nil)
	}
}

// TestSplit divides programs: the packages must compile, each with what it may use of the others.
func TestSplit(t *testing.T) {
	for seed := range uint64(6) {
		p, err := split(generate(seed, 40, modern && seed%2 == 0), 20)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		done := packagesOf{std, map[string]*types.Package{}}
		for _, part := range []struct{ path, text string }{{"fuzz/base", p.base}, {"fuzz/lib", p.lib}, {"main", p.main}} {
			fset, f := parse(part.text)
			if f == nil {
				t.Fatalf("seed %d: %s does not parse:\n%s", seed, part.path, part.text)
			}
			conf := types.Config{Importer: done, Error: func(err error) { t.Errorf("seed %d: %s: %v", seed, part.path, err) }}
			done.made[part.path], _ = conf.Check(part.path, fset, []*ast.File{f}, nil)
			if n := strings.Count(part.text, "\nfunc f") + strings.Count(part.text, "\nfunc Xf"); part.path != "fuzz/base" && n != 20 {
				t.Errorf("seed %d: %s has %d of the functions", seed, part.path, n)
			}
		}
	}
}

// packagesOf imports the packages that have been made, and std.
type packagesOf struct {
	std  types.Importer
	made map[string]*types.Package
}

func (p packagesOf) Import(path string) (*types.Package, error) {
	if made := p.made[path]; made != nil {
		return made, nil
	}
	return p.std.Import(path)
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		want, got string
		status    int
		function  string
	}{
		{"f0 1 ok\nf1 2 ok\n", "f0 1 ok\nf1 2 ok\n", 0, ""},
		{"f0 1 ok\nf1 2 ok\n", "f0 1 ok\nf1 3 ok\n", 0, "f1"},
		{"f0 1 ok\nf1 2 ok\n", "f0 1 ok\n", 2, "f1"},
		{"f0 1 ok\nf1 2 ok\n", "f0 1 ok\nfatal error: x\n", 2, "f1"},
		{"f0 1 ok\n", "f0 1 ok\n", 1, "exit"},
	} {
		got := ""
		if d := compare([]byte(c.want), []byte(c.got), 0, c.status); len(d) > 0 {
			got = d[0].function
		}
		if got != c.function {
			t.Errorf("%q against %q (status %d): %q differs, want %q", c.got, c.want, c.status, got, c.function)
		}
	}
}

// TestReduce applies the reducer's edits with a predicate that needs no compiler: the program
// still holds a certain call.
func TestReduce(t *testing.T) {
	r := &reducer{d: difference{function: "f7"}, importer: std}
	text, err := r.only(generate(3, 20, modern))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, `run("f8"`) || !strings.Contains(text, `run("f7"`) {
		t.Error("only did not keep f7 alone")
	}
	small := text
	for _, edit := range []func(string, int) (string, bool){dropDecl, dropStmts, unwrap, simplify} {
		for i := 0; i < 40; i++ {
			next, more := edit(small, i)
			if !more {
				break
			}
			if fixed, ok := r.compiles(next); ok && strings.Contains(fixed, `run("f7"`) && len(fixed) < len(small) {
				small = fixed
			}
		}
	}
	if len(small) > len(text)*3/4 {
		t.Errorf("from %d to only %d bytes", len(text), len(small))
	}
}
