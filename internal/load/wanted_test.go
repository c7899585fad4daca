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

// TestLimit: of a stub's small bodies, those are left whose names are in the user's text, or in
// bodies that are left, and generic ones.
func TestLimit(t *testing.T) {
	dir := t.TempDir()
	write := func(path, text string) *Package {
		file := filepath.Join(dir, path+".go")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return &Package{ImportPath: path, Name: path, Dir: dir, Files: Files{GoFiles: []string{file}}, Release: "go1.26"}
	}
	p := write("p", `package p
type T struct{ n int }
func (t *T) Called() int { return t.deeper() }
func (t *T) deeper() int { return t.n }
func (t *T) Unnamed() int { return t.n }
func Later() int { return latest() }
func latest() int { return 7 }
func Generic[N any](n N) N { ofGeneric(); return n }
func ofGeneric() {}
func big() { type local int }
`)
	first := write("first", "package first\nimport \"p\"\nfunc F(t *p.T) int { return t.Called() }\n")
	same := write("same", "package same\nimport \"p\"\nfunc F(t *p.T) int { return p.Generic(t.Called()) }\n")
	later := write("later", "package later\nimport \"p\"\nfunc F() int { return p.Later() }\n")

	u := NewUniverse()
	limit := func(user *Package, unnamed map[string]bool, stubs ...*Package) bool {
		t.Helper()
		ok, err := u.Limit(user, unnamed, stubs)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if u.Limited() || !limit(first, nil, p) || !u.Limited() {
		t.Fatal("the first package misses something")
	}
	c, err := u.CheckSource(p, Stub)
	if err != nil {
		t.Fatal(err)
	}
	view := viewOf(c)
	for _, name := range []string{"Later", "latest"} {
		f := view.Func(name)
		if f.HasBody() || f.Object() == nil {
			t.Errorf("%s, which nobody names, has a body", name)
		}
	}
	for _, name := range []string{"Generic", "ofGeneric", "big"} {
		if view.Func(name).Syntax().(*ast.FuncDecl).Body == nil {
			t.Errorf("%s has no body", name)
		}
	}
	for name, withheld := range map[string]bool{"Called": false, "deeper": false, "Unnamed": true} {
		m := method(c, name)
		if !view.Prog.FuncValue(m).HasBody() != withheld || u.Withheld(m) != withheld {
			t.Errorf("%s: withheld is not %v", name, withheld)
		}
	}
	if !limit(same, nil) {
		t.Error("a package misses something that names nothing more")
	}
	if limit(later, nil) {
		t.Error("a package misses nothing of what was dropped")
	}

	u = NewUniverse()
	limit(first, map[string]bool{"Unnamed": true}, p)
	if c, err = u.CheckSource(p, Stub); err != nil {
		t.Fatal(err)
	}
	view = viewOf(c)
	if m := method(c, "Unnamed"); !view.Prog.FuncValue(m).HasBody() || u.Withheld(m) {
		t.Error("a name that was asked for is not wanted")
	}
}

// viewOf is c as its compilation sees it.
func viewOf(c *Checked) *mid.Package {
	return syntax.NewPackage(c.Code, syntax.Settings{})
}

// method is that method of c's type T.
func method(c *Checked, name string) *types.Func {
	object, _, _ := types.LookupFieldOrMethod(types.NewPointer(c.Types.Scope().Lookup("T").Type()), false, c.Types, name)
	return object.(*types.Func)
}
