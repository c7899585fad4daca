package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"loam/internal/layout"
)

// TestRestrictions: the lines of declarations that gc rejects and go/types does not.
func TestRestrictions(t *testing.T) {
	const src = `package p
type A interface{ M(interface{ A }) } // on a cycle of a literal
type B interface{ M(B) }
type C interface{ M() interface{ N() []C } }
var d chan [1 << 16]byte // too big
var e chan [1<<16 - 1]byte
func f[T any]() { var _ chan [2]T }
type G interface{ M() map[string]func(interface{ G }) } // on a cycle
func h(*[1 << 30][1 << 20]int) {} // too big
func i() { type t [1 << 60]int; type u [1]int; var _ [1]t } // too big
var j *[1<<50 - 1]byte
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Sizes: new(layout.Sizes)}
	if _, err := conf.Check("p", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	e := &Errors{Package: &Package{}}
	e.restrictions(fset, []*ast.File{f}, info, new(layout.Sizes))
	var lines []int
	slices.SortFunc(e.List, func(a, b SourceError) int { return a.Pos.Line - b.Pos.Line })
	for _, se := range e.List {
		lines = append(lines, se.Pos.Line)
	}
	if want := []int{2, 5, 8, 9, 10}; !slices.Equal(lines, want) {
		t.Errorf("lines %v are rejected, want %v: %+v", lines, want, e.List)
	}
}

// TestForeign: a package that cannot be compiled is named where it is imported.
func TestForeign(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package p\nimport (\n\t_ \"fmt\"\n\t_ `simd/archsimd`\n)", 0)
	if err != nil {
		t.Fatal(err)
	}
	e := &Errors{Package: &Package{}}
	e.restrictions(fset, []*ast.File{f}, &types.Info{}, new(layout.Sizes))
	if len(e.List) != 1 || e.List[0].Pos.Line != 4 || !strings.Contains(e.List[0].Msg, "simd/archsimd: Loam has no GOEXPERIMENT=simd") {
		t.Errorf("%+v", e.List)
	}
}

func TestUnusedLabels(t *testing.T) {
	e := &Errors{}
	for _, msg := range []string{"label L defined and not used", "invalid break label L", "label M defined and not used"} {
		e.Add(token.Position{}, msg)
	}
	e.dropUnusedLabels()
	if len(e.List) != 2 || e.List[0].Msg != "invalid break label L" || e.List[1].Msg != "label M defined and not used" {
		t.Errorf("left: %+v", e.List)
	}
}

// TestCannotInfer: the position of the message and the file that it names are gc's.
func TestCannotInfer(t *testing.T) {
	const src = `package p
func F[A, B any](A) (b B) { return }
func g() { F(3); _ = F[string]("a") }
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "/m/p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	e := &Errors{Package: &Package{ImportPath: "p", Dir: "/m"}}
	conf := types.Config{Error: func(err error) {
		fault := err.(types.Error)
		fault.Pos = gcPosition(fault, []*ast.File{f})
		e.addType(fault, []*ast.File{f}, nil)
	}}
	conf.Check("p", fset, []*ast.File{f}, nil)
	for dir, want := range map[string]string{
		"/m": "# p\n./p.go:3:13: in call to F, cannot infer B (declared at ./p.go:2:11)\n" +
			"./p.go:3:31: in call to F[string], cannot infer B (declared at ./p.go:2:11)",
		"/": "# p\nm/p.go:3:13: in call to F, cannot infer B (declared at m/p.go:2:11)\n" +
			"m/p.go:3:31: in call to F[string], cannot infer B (declared at m/p.go:2:11)",
	} {
		if got := e.Format(func(name string) string { return ShortPath(dir, name) }); got != want {
			t.Errorf("in %s:\n%s\nwant:\n%s", dir, got, want)
		}
	}
}

// TestLineDirectives: a //line directive without a column leaves a message none, and the name that
// it gives is shown as it is. What is wrong twice in a line is said once.
func TestLineDirectives(t *testing.T) {
	const src = `package p
func f() {
	var a int
//line p.y:10
	var b int
//line /gen/q.y:20
	var c int
//line r.y:30:4
	var d int
	d.x, d.x, d.y = 1, 2, 3
}
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "/m/p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	e := &Errors{Package: &Package{ImportPath: "p", Dir: "/m"}}
	conf := types.Config{Error: func(err error) { e.addType(err.(types.Error), []*ast.File{f}, nil) }}
	conf.Check("p", fset, []*ast.File{f}, nil)
	const want = "# p\n./r.y:31:4: d.x undefined (type int has no field or method x)\n./r.y:31:14: d.y undefined (type int has no field or method y)\n" +
		"/gen/q.y:20: declared and not used: c\n./p.go:3:6: declared and not used: a\np.y:10: declared and not used: b"
	if got := e.Format(func(name string) string { return ShortPath("/m", name) }); got != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
}
