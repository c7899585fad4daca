package interval

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"loam/internal/mid"
	"loam/internal/mid/syntax"
)

// TestArithmetic holds each operation on all intervals of a few numbers against the operation on
// the numbers.
func TestArithmetic(t *testing.T) {
	const least, most = -5, 5
	operations := []struct {
		name string
		of   func(x, y Interval) (Interval, bool)
		num  func(x, y int64) (int64, bool)
	}{
		{"add", Interval.add, func(x, y int64) (int64, bool) { return x + y, true }},
		{"mul", Interval.mul, func(x, y int64) (int64, bool) { return x * y, true }},
		{"quo", Interval.quo, func(x, y int64) (int64, bool) { return x / or1(y), y != 0 }},
		{"rem", Interval.rem, func(x, y int64) (int64, bool) { return x % or1(y), y != 0 }},
		{"and", Interval.and, func(x, y int64) (int64, bool) { return x & y, true }},
		{"or", Interval.or, func(x, y int64) (int64, bool) { return x | y, true }},
		{"xor", Interval.or, func(x, y int64) (int64, bool) { return x ^ y, true }},
		{"andNot", func(x, y Interval) (Interval, bool) { return x.andNot() }, func(x, y int64) (int64, bool) { return x &^ y, true }},
		{"shl", Interval.shl, func(x, y int64) (int64, bool) { return x << max(y, 0), y >= 0 }},
		{"shr", Interval.shr, func(x, y int64) (int64, bool) { return x >> max(y, 0), y >= 0 }},
		{"neg", func(x, y Interval) (Interval, bool) { return x.neg() }, func(x, y int64) (int64, bool) { return -x, true }},
	}
	for _, op := range operations {
		known := 0
		eachInterval(least, most, func(x Interval) {
			eachInterval(least, most, func(y Interval) {
				r, ok := op.of(x, y)
				if !ok {
					return
				}
				known++
				for a := x.Lo; a <= x.Hi; a++ {
					for b := y.Lo; b <= y.Hi; b++ {
						if n, ok := op.num(a, b); ok && (n < r.Lo || n > r.Hi) {
							t.Fatalf("%s of %d, which is in %v, and %d in %v is %d, not in %v", op.name, a, x, b, y, n, r)
						}
					}
				}
			})
		})
		if known == 0 {
			t.Errorf("%s knows nothing", op.name)
		}
	}
}

func or1(y int64) int64 {
	if y == 0 {
		return 1
	}
	return y
}

func eachInterval(least, most int64, do func(Interval)) {
	for lo := least; lo <= most; lo++ {
		for hi := lo; hi <= most; hi++ {
			do(Interval{lo, hi})
		}
	}
}

// TestEnds: what is no int64 is not known.
func TestEnds(t *testing.T) {
	least, most := Interval{-1 << 63, -1 << 63}, Interval{1<<63 - 1, 1<<63 - 1}
	one, two := Interval{1, 1}, Interval{2, 2}
	minus := Interval{-1, -1}
	for i, r := range []func() (Interval, bool){
		func() (Interval, bool) { return most.add(one) },
		func() (Interval, bool) { return least.add(minus) },
		func() (Interval, bool) { return least.neg() },
		func() (Interval, bool) { return least.mul(minus) },
		func() (Interval, bool) { return minus.mul(least) },
		func() (Interval, bool) { return most.mul(two) },
		func() (Interval, bool) { return most.shl(one) },
		func() (Interval, bool) { return one.shl(Interval{0, 63}) },
		func() (Interval, bool) { return one.rem(Interval{0, 0}) },
		func() (Interval, bool) { return one.quo(Interval{-1, 1}) },
	} {
		if got, ok := r(); ok {
			t.Errorf("%d is %v", i, got)
		}
	}
	if got, ok := least.mul(one); !ok || got != least {
		t.Error(got, ok)
	}
	if got := most.compared(token.LSS, least); got != most {
		t.Error(got)
	}
}

// TestValues asks for the arguments of see, whose comments say what they can be.
func TestValues(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "testdata/values.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	conf := &types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, _, err := syntax.Check(conf, fset, "p", []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	said := map[int]string{} // by line
	for _, group := range file.Comments {
		for _, c := range group.List {
			said[fset.Position(c.Pos()).Line] = strings.TrimSpace(strings.TrimPrefix(c.Text, "//"))
		}
	}
	asked := 0
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Name.Name == "see" {
			continue
		}
		var a Analysis
		for _, b := range pkg.Func(d.Name.Name).Body() {
			for _, in := range b.Instrs {
				call, ok := in.(*mid.Call)
				if !ok {
					continue
				}
				if f := call.Call.StaticCallee(); f == nil || f.Origin() == nil && f.Name() != "see" {
					continue
				}
				asked++
				got := "all"
				if i, ok := a.At(call.Call.Args[0], b); ok {
					if full, ok := all(call.Call.Args[0].Type()); !ok || i != full {
						got = fmt.Sprintf("%d %d", i.Lo, i.Hi)
					}
				}
				if line := fset.Position(call.Pos()).Line; got != said[line] {
					t.Errorf("line %d, %s: %s, not %s", line, d.Name.Name, got, said[line])
				}
			}
		}
	}
	if asked < 30 {
		t.Errorf("%d questions", asked)
	}
}
