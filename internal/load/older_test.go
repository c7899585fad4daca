package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestOlderSDK: with an SDK of Go 1.26 the messages are those of its compiler, and what it does not
// take is refused.
func TestOlderSDK(t *testing.T) {
	const src = `package p
type E struct{ x int }
type O struct{ E; y int }
func id[T any](x T) T { return x }
var o = O{x: 1}
var l = []func(int) int{id, id[int]}
var f func(int) int = id
func most[S ~[]E, E any](s S) (e E) { return }
var _ = []any{most[[]int], id[int], most[[]int, int]}
func g(c chan func(int) int) {
	c <- id
	_ = (func(int) int)(id)
	_ = map[string]func(int) int{"a": id}
}
func (E) m[P any](x P) {}
`
	for release, want := range map[string][]string{
		"go1.26": {"15:11 syntax error: method must have no type parameters", "5:11 unknown field x in struct literal of type O",
			"6:25 cannot use generic function id without instantiation", "11:7 cannot use generic function id without instantiation",
			"12:22 cannot use generic function id without instantiation", "13:36 cannot use generic function id without instantiation"},
		"go1.27": {"5:11 use of promoted field E.x in struct literal of type O requires go1.27 or later (-lang was set to go1.26; check go.mod)",
			"15:12 generic method requires go1.27 or later (-lang was set to go1.26; check go.mod)"},
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "/m/p.go", src, 0)
		if err != nil {
			t.Skip("this Go has no generic methods: ", err)
		}
		e := &Errors{Package: &Package{ImportPath: "p", Dir: "/m", Release: release}, Lang: "go1.26"}
		e.genericMethods(fset, file)
		conf := types.Config{GoVersion: "go1.26", Error: func(err error) {
			if types := err.(types.Error); release == "go1.27" || types.Fset.Position(types.Pos).Line != 15 {
				e.addType(types, nil, func(*token.FileSet, token.Pos) string { return "" })
			}
		}}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
			Instances: map[*ast.Ident]types.Instance{}}
		conf.Check("p", fset, []*ast.File{file}, info)
		e.uninstantiated(fset, file, info)
		got := map[string]bool{}
		for _, se := range e.List {
			got[se.Pos.String()[len("/m/p.go:"):]+" "+se.Msg] = true
		}
		for _, line := range want {
			if !got[line] {
				t.Errorf("%s: not said: %s", release, line)
			}
			delete(got, line)
		}
		for line := range got {
			t.Errorf("%s: said: %s", release, line)
		}
	}
}
