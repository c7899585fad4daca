package load

import (
	"bytes"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/mid"
	"loam/internal/mid/syntax"
)

// packages returns a function that makes a package of one file.
func packages(t *testing.T) func(path, text string) *Package {
	dir := t.TempDir()
	return func(path, text string) *Package {
		file := filepath.Join(dir, path+".go")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return &Package{ImportPath: path, Name: path, Dir: dir, Files: Files{GoFiles: []string{file}}, Release: "go1.26"}
	}
}

// TestLimit: of a stub's small bodies, those are left whose names are in the user's text, or in
// bodies that are left, and generic ones.
func TestLimit(t *testing.T) {
	write := packages(t)
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
		ok, err := u.Limit(user, Wants{Unnamed: unnamed}, stubs)
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
	limit(first, map[string]bool{"p.T.Unnamed": true}, p)
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

// TestLimitDeclarations: for one user, declarations are left as well only if something that is left
// names them, and what is left has no errors.
func TestLimitDeclarations(t *testing.T) {
	write := packages(t)
	p := write("p", `package p

type (
	T      struct{ field *inner }
	inner  struct{ other }
	other  interface{ Do(argument) behind }
	behind int
	argument [length]byte

	unused struct{ unused2 }
	Unused int
)

// SetUnused has a name that nobody has.
func (u *unused) SetUnused() unused2 { return 1 }
func (t *T) Method(m ofMethod) {}

type ofMethod struct{}
type unused2 int
type short = T

func (s short) OfAlias() ofAlias { return 0 }

type ofAlias int

const (
	length = iota + 1
	same
)
const alone = 1

var Variable, neighbour = initial(), 2
var nobody = initial()

//go:noinline
func Unnamed() {}

func initial() ofVariable { return 0 }

type ofVariable int

func local() { type l struct{ needed } }

type needed int
type asked int
var shared = 1; var line = 2
type generic[E any] struct{ e E }

func (g generic[E]) method() ofGeneric { return g.uncalled() }
func (g generic[E]) uncalled() ofGeneric { return 0 }

type ofGeneric int

func Make() generic[int] { return generic[int]{} }
`)
	q := write("q", "package q\nimport \"p\"\nfunc Called() { p.Make() }\nfunc Uncalled() { p.Unnamed() }\n")
	user := write("user", "package user\nimport \"p\"\nimport \"q\"\nfunc F(t *p.T) { q.Called(); _ = p.Variable }\n")
	u := NewUniverse()
	if ok, err := u.Limit(user, Wants{Types: []string{"p.asked", "q.absent"}, Only: true}, []*Package{p, q}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for _, stub := range []*Package{p, q} {
		if _, err := u.CheckSource(stub, Stub); err != nil {
			t.Fatal(err)
		}
	}
	scope := u.Get(p).Types.Scope()
	const names = "Make T Variable argument asked behind generic initial inner length line local needed neighbour ofAlias ofGeneric ofMethod " +
		"ofVariable other same shared short"
	if got := strings.Join(scope.Names(), " "); got != names {
		t.Errorf("left are %s\nwant %s", got, names)
	}
	if got := u.Get(q).Types.Scope().Names(); len(got) != 1 {
		t.Errorf("of q, %v are left", got)
	}
	if m := method(u.Get(p), "Method"); m == nil {
		t.Error("a type lacks a method that nobody names")
	}
	if _, err := u.CheckSource(user, Whole); err != nil {
		t.Error(err)
	}
	if ok, err := u.Limit(q, Wants{}, nil); ok || err != nil {
		t.Errorf("%v, %v: another package, which names what was left out, misses nothing", ok, err)
	}
}

// TestLimitMissing: a stub that misses something is read whole.
func TestLimitMissing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.go")
	if err := os.WriteFile(file, []byte("package p\nfunc F() int { return f() }\nfunc f() int { return 1 }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := &Package{ImportPath: "p", Name: "p", Dir: dir, Files: Files{GoFiles: []string{file}}, Release: "go1.26"}
	u := NewUniverse()
	if ok, err := u.Limit(&Package{}, Wants{Unnamed: map[string]bool{"p.F": true}, Only: true}, []*Package{p}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	s := u.wanted.stubs["p"]
	s.kept[0], s.bodies[0], s.kept[1] = true, true, false
	c, err := u.CheckSource(p, Stub)
	if err != nil {
		t.Fatal(err)
	}
	if c.Types.Scope().Lookup("f") == nil {
		t.Error("f is missing")
	}
}

// TestPartsDamaged: no data makes decodeParted fail otherwise than by an error.
func TestPartsDamaged(t *testing.T) {
	text := []byte("package p\ntype T struct{ a, b int }\nfunc (t T) M() int { return t.a }\nvar v = 1\n")
	s, err := partsOf([][]byte{text})
	if err != nil {
		t.Fatal(err)
	}
	data := s.encode(encodeStub(nil, text, nil))
	if again, err := decodeParted(data, 1); err != nil || !bytes.Equal(again.encode(encodeStub(nil, text, nil)), data) {
		t.Fatalf("%v: %v\n%v", err, again, s)
	}
	for i := range data {
		if _, err := decodeParted(data[:i], 1); err == nil {
			t.Errorf("%d of %d bytes are a stub", i, len(data))
		}
		for _, c := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			changed := bytes.Clone(data)
			changed[i] = c
			decodeParted(changed, 1)
		}
	}
}
