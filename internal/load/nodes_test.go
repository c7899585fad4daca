package load

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestNodePlaces: messages have gc's places of calls, types of functions and other expressions, and
// those that an older SDK words in another way its words. Comments say what `go tool compile` says.
func TestNodePlaces(t *testing.T) {
	for _, test := range []struct{ release, src, want string }{
		{"go1.27", "switch n { case int(0): case int(0): }",
			"4:30: duplicate case int(0) (constant 0 of type int) in expression switch\n4:20: \tprevious case"},
		{"go1.27", "switch n { case 1+2: case 3: }", "4:27: duplicate case 3 (constant of type int) in expression switch\n4:18: \tprevious case"},
		{"go1.27", "switch any(n).(type) { case func(): case func(): }", "4:46: duplicate case func() in type switch\n4:33: \tprevious case"},
		{"go1.27", "var _ map[func()]int", "4:15: invalid map key type func()"},
		{"go1.27", "_ = func(int) + 1", "4:9: func(int) (type) is not an expression"},
		{"go1.27", "var _ int = func() {}", "4:13: cannot use func() {} (value of type func()) as int value in variable declaration"},
		{"go1.27", "select { case two(): }", "4:18: select case must be send or receive (possibly with assignment)"},
		{"go1.27", "_ = many(two()...)", "4:5: cannot use ... with 2-valued two()"},
		{"go1.27", "var s string; n, s = two()",
			"4:22: cannot use 2nd function result (value of type int) as string value in multiple assignment"},
		{"go1.26", "var s string; n, s = two()", "4:22: cannot use two() (value of type int) as string value in assignment"},
		{"go1.26", "var s string; n, s = 1, 2", "4:25: cannot use 2 (untyped int constant) as string value in assignment"},
		{"go1.26", "_, n = nil, 2", "4:8: use of untyped nil in assignment to _ identifier"},
		{"go1.27", "_, n = nil, 2", "4:8: use of untyped nil in multiple assignment"},
	} {
		fset := token.NewFileSet()
		src := "package p\nfunc two() (int, int)\nfunc f(n int, many func(...int) int) {\n" + test.src + "\n}"
		f, err := parser.ParseFile(fset, "p.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		errs := &Errors{Package: &Package{Release: test.release}}
		var got []string
		conf := types.Config{IgnoreFuncBodies: false, Error: func(err error) {
			fault := err.(types.Error)
			files := []*ast.File{f}
			place := gcPosition(fault, files)
			fault.Msg = gcWords(fault, files)
			p := fset.Position(place)
			if errs.olderThan("go1.27") {
				fault.Msg = olderOperand(fault, files)
			}
			if !isUnused(fault.Msg) {
				got = append(got, fmt.Sprintf("%d:%d: %s", p.Line, p.Column, fault.Msg))
			}
		}}
		conf.Check("p", fset, []*ast.File{f}, nil)
		if have := strings.Join(got, "\n"); !strings.HasPrefix(have, test.want) {
			t.Errorf("%s: %s\nhave %s\nwant %s", test.release, test.src, have, test.want)
		}
	}
}

// TestChannelPlaces: a channel whose elements are too large is complained of where what has its
// type is declared or assigned.
func TestChannelPlaces(t *testing.T) {
	const src = `package p
var a, b chan [1 << 16]byte
var c = make(chan [1 << 17]byte)
func f() {
	d := make(chan struct{ x [1 << 16]byte })
	var e chan [1 << 18]byte
	_, _ = d, e
}
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}
	if _, err := new(types.Config).Check("p", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	errs := &Errors{Package: &Package{}}
	errs.restrictions(fset, []*ast.File{f}, info, types.SizesFor("gc", "amd64"))
	var got []string
	for _, se := range errs.List {
		got = append(got, fmt.Sprintf("%d:%d", se.Pos.Line, se.Pos.Column))
	}
	if have := strings.Join(got, " "); have != "2:5 3:5 5:2 6:6" {
		t.Errorf("faults at %s", have)
	}
}
