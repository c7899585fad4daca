package load

import (
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"loam/internal/mid"
	"loam/internal/mid/syntax"
)

// TestForget: what is compiled is dropped but for what other packages need, and they can still have
// that.
func TestForget(t *testing.T) {
	dir := t.TempDir()
	u := NewUniverse()
	check := func(path, text string) *Checked {
		t.Helper()
		file := filepath.Join(dir, path+".go")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		c, err := u.CheckSource(&Package{ImportPath: path, Name: path, Dir: dir, Files: Files{GoFiles: []string{file}}, Release: "go1.26"}, Whole)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a := check("a", `package a

type T struct{ list []int }

func (t *T) Big(n int) int {
	sum := 0
	for i := range n {
		f := func() int { t.list = append(t.list, i, i, i); return sum }
		for j := range i {
			for k := range j {
				sum += f() + k*k*k + t.list[k] + t.list[k+1] + t.list[k+2] + t.list[k+3]
				sum -= f() - k*k*k - t.list[k] - t.list[k-1] - t.list[k-2] - t.list[k-3]
				sum ^= f() ^ k*k*k ^ t.list[k] ^ t.list[k*1] ^ t.list[k*2] ^ t.list[k*3]
			}
		}
	}
	return sum
}

func Small(n int) int { return n + 1 }

func Local() any { type local int; return local(1) }

var table = []func(){func() { Local() }}

type Set[E comparable] struct{ m map[E]bool }

func (s *Set[E]) Each(f func(E)) {
	for e := range s.m {
		switch any(e).(type) {
		case int:
			defer func() { f(e) }()
		default:
			f(e)
		}
	}
}
`)
	u.Forget(a)
	if a.Info != nil || a.Files != nil {
		t.Error("syntax and types of expressions are still there")
	}
	method := a.Types.Scope().Lookup("T").Type().(*types.Named).Method(0)
	view := syntax.NewPackage(a.Code, syntax.Settings{})
	if f := view.Prog.FuncValue(method); f.HasBody() || f.Syntax().(*ast.FuncDecl).Body != nil {
		t.Error("the body of a big method is still there")
	}
	if view.Init.HasBody() {
		t.Error("the initialisers are still there")
	}
	for _, name := range []string{"Small", "Local"} {
		if f := view.Func(name); !f.HasBody() || len(f.Body()) == 0 {
			t.Errorf("the body of %s is gone", name)
		}
	}
	b := check("b", "package b\n\nimport \"a\"\n\nfunc F(s *a.Set[int], t *a.T) int {\n\ts.Each(func(int) {})\n\treturn t.Big(a.Small(1))\n}\n")
	instances := 0
	for _, f := range syntax.NewPackage(b.Code, syntax.Settings{}).Functions() {
		if f.Kind == mid.Instance && f.Name() == "Each" && len(f.Body()) > 3 && len(f.AnonFuncs()) == 1 {
			instances++
		}
	}
	if instances != 1 {
		t.Errorf("%d instances of Each have a body", instances)
	}
	u.Forget(b)
	u.Forget(b)
}
