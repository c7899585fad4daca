package fromssa

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"loam/internal/mid"
)

func build(t *testing.T, text string) *ssa.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	conf := &types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, _, err := ssautil.BuildPackage(conf, fset, types.NewPackage("p", "p"), []*ast.File{file}, Mode)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// TestNames: variables may be called what go/ssa calls its own allocations.
func TestNames(t *testing.T) {
	pkg := Package(build(t, `package p

type T struct{ a, b int }

var sink []any

func f(n int, xs ...any) {
	complit, varargs, makeslice := n, n, n
	for new := range 3 {
		sink = append(sink, &new, &complit, &varargs, &makeslice)
	}
	sink = append(sink, &T{1, 2}, make([]int, 3), new(int), []int{1}, &xs)
}
`))
	made := map[mid.Made]int{}
	names := map[string]bool{}
	for _, b := range pkg.Func("f").Body() {
		for _, in := range b.Instrs {
			if a, ok := in.(*mid.Alloc); ok {
				made[a.Made]++
				names[a.Var] = true
			}
		}
	}
	for _, name := range []string{"complit", "varargs", "makeslice", "new", "xs"} {
		if !names[name] {
			t.Errorf("%s is no variable", name)
		}
	}
	want := map[mid.Made]int{mid.Variable: 5, mid.Literal: 1, mid.SliceMade: 1, mid.New: 1, mid.SliceLiteral: 1, mid.VariadicArgs: 2}
	for m, n := range want {
		if made[m] != n {
			t.Errorf("%d times %v, want %d", made[m], m, n)
		}
	}
}

// TestDominators holds the dominators of all functions that go/parser needs against go/ssa's, and
// the names of registers.
func TestDominators(t *testing.T) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Env: append(os.Environ(), "CGO_ENABLED=0")}, "go/parser")
	if err != nil {
		t.Fatal(err)
	}
	prog, built := ssautil.AllPackages(pkgs, Mode)
	prog.Build()
	count := 0
	view := Package(built[0]).Prog
	for f := range ssautil.AllFunctions(prog) {
		if f.Blocks == nil || f.TypeParams().Len() > 0 && len(f.TypeArgs()) == 0 {
			continue
		}
		object, ok := f.Object().(*types.Func)
		if !ok || f.Synthetic != "" || live(f) != nil {
			continue
		}
		g := view.FuncValue(object)
		blocks := g.Body()
		order := g.DomPreorder()
		for i, b := range f.DomPreorder() {
			count++
			if order[i].Index != b.Index {
				t.Fatalf("%s: block %d of the preorder is b%d, want b%d", f, i, order[i].Index, b.Index)
			}
			idom := blocks[b.Index].Idom()
			if (idom == nil) != (b.Idom() == nil) || idom != nil && idom.Index != b.Idom().Index {
				t.Fatalf("%s: dominator of b%d", f, b.Index)
			}
			values := blocks[b.Index].Instrs
			for j, in := range b.Instrs {
				if v, ok := in.(ssa.Value); ok && v.Name() != values[j].(mid.Value).Name() {
					t.Fatalf("%s: %s is called %s", f, v.Name(), values[j].(mid.Value).Name())
				}
			}
		}
	}
	if count < 10000 {
		t.Errorf("only %d blocks", count)
	}
}

// TestDead: what constants exclude is not in a body, and of what joins there is what comes.
func TestDead(t *testing.T) {
	pkg := Package(build(t, `package p

const off = false

var x bool

func a() int

func b() int

func first() int {
	if off {
		return a()
	}
	return b()
}

func both(n int) (m int) {
	if off && n > 0 {
		m = a()
	} else {
		m = b()
	}
	return m
}

func value(n int) bool {
	return !off && x || off && n > 0
}

func loop(n int) int {
	for !off {
		if n++; n > 9 {
			return n
		}
	}
	return a()
}

func same(n int) int {
	if off {
		n = 1
	} else {
		n = 2
	}
	return n
}

func literals() []func() {
	var list []func()
	if off {
		list = append(list, func() { a() })
	}
	list = append(list, func() { b() })
	defer func() { recover() }()
	return list
}
`))
	blocks := map[string]int{"first": 1, "both": 1, "value": 3, "loop": 3, "same": 1, "literals": 2}
	for name, want := range blocks {
		f := pkg.Func(name)
		if got := len(f.Body()); got != want {
			t.Errorf("%s has %d blocks, want %d:\n%s", name, got, want, f.Text())
		}
		for _, b := range f.Body() {
			for _, in := range b.Instrs {
				if call, ok := in.(*mid.Call); ok {
					if g := call.Call.StaticCallee(); g != nil && g.Name() == "a" {
						t.Errorf("%s calls a", name)
					}
				}
			}
		}
	}
	if n := len(pkg.Func("literals").AnonFuncs); n != 2 {
		t.Errorf("%d literals, want 2", n)
	}
	ret := pkg.Func("same").Body()[0].Instrs[0].(*mid.Return)
	if c, ok := ret.Results[0].(*mid.Const); !ok || c.Value.String() != "2" {
		t.Errorf("same returns %v", ret.Results[0])
	}
}
