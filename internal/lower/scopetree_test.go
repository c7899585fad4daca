package lower

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestScopeTree finds for each position of a file the scope that go/types finds.
func TestScopeTree(t *testing.T) {
	const src = `package p
var v = func(a int) int { if a > 0 { b := a; return b }; return func() int { c := a; return c }() }
type list[T any] struct { next *list[T] }
func (l *list[T]) each(f func(T) bool) { for l := l; l != nil; l = l.next { _ = f } }
func f(x any, n int) (r int) {
	switch y := x.(type) {
	case int: z := y; r += z
	case string: for i := range y { { i := i; r += i }; r++ }
	default: func() { q := 1; r += q }()
	}
	if a := n; a > 1 { b := a; r = b } else if c := a; c > 2 { d := c; r = d } else { e := c; r = e }
	select { default: g := 1; r = g }
	type local struct { a int }
L:
	for { var l local; r = l.a; break L }
	return
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tops := []*types.Scope{pkg.Scope(), pkg.Scope().Lookup("f").(*types.Func).Scope()}
	for _, top := range tops {
		var tree scopeTree
		for i := -1; i < len(src)+2; i++ {
			pos := file.FileStart + token.Pos(i)
			if got, want := tree.innermost(top, pos), top.Innermost(pos); got != want {
				t.Errorf("at %v: %v, want %v", fset.Position(pos), got, want)
			}
		}
	}
}
