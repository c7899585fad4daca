package shape_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"loam/internal/mid"
	"loam/internal/mid/shape"
	"loam/internal/mid/syntax"
)

const source = `package p

func call(int) bool

func straight(n int) { call(n) }

func loop(n int) {
	call(0)
	for i := range n {
		call(i)
		for call(i + 1) {
			call(2)
		}
	}
	call(3)
}

func alone() {
	for {
		call(0)
	}
}

func twoEntries(n int) {
	if call(n) {
		goto middle
	}
top:
	call(1)
middle:
	if call(2) {
		goto top
	}
}

func dead(n int, on bool) {
	if on {
		call(n)
		for call(1) {
		}
	}
	call(2)
}
`

// function makes a function of the source.
func function(t *testing.T, name string) *mid.Func {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := syntax.Check(&types.Config{}, fset, "p", []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return pkg.Func(name)
}

// text describes a shape: a word a block, in the order of After.
func text(f *mid.Func) string {
	s := shape.Of(f)
	blocks := slices.Clone(f.Body())
	slices.SortStableFunc(blocks, func(a, b *mid.Block) int { return s.After(b) - s.After(a) })
	var words []string
	for _, b := range blocks {
		word := fmt.Sprint(b.Index)
		if s.InLoop(b) {
			word += "*"
		}
		if h := s.Head(b); h != nil {
			word += fmt.Sprintf("in%d", h.Index)
		}
		if !s.Runs(b) {
			word += "-"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// TestShape: loops (*) with their heads, and blocks that never run (-), in an order in which none
// leads to one ahead of it, but for those of its loop.
func TestShape(t *testing.T) {
	for name, want := range map[string]string{
		"straight":   "0",
		"loop":       "0 1*in1 2*in2 3*in2 4*in1 5",
		"alone":      "0 1*in1",
		"twoEntries": "0 1* 2* 3",
		"dead":       "0 1- 2*in2- 3",
	} {
		f := function(t, name)
		if name == "dead" {
			branch := f.Body()[0].Instrs[len(f.Body()[0].Instrs)-1].(*mid.If)
			mid.SetOperand(branch, branch.Cond, mid.NewConst(constant.MakeBool(false), types.Typ[types.Bool]))
		}
		if got := text(f); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestOrder: After agrees with what leads where.
func TestOrder(t *testing.T) {
	for _, name := range []string{"loop", "twoEntries", "dead"} {
		f := function(t, name)
		s := shape.Of(f)
		for _, a := range f.Body() {
			for _, b := range f.Body() {
				to, back := shape.Leads(a, b), shape.Leads(b, a)
				if a == b {
					to = slices.ContainsFunc(a.Succs, func(next *mid.Block) bool { return shape.Leads(next, a) })
					back = to
					if s.InLoop(a) != to {
						t.Errorf("%s: block %d: in a loop: %v, want %v", name, a.Index, s.InLoop(a), to)
					}
				}
				if to && !back && s.After(b) >= s.After(a) || to && back && s.After(a) != s.After(b) {
					t.Errorf("%s: blocks %d and %d have numbers %d and %d", name, a.Index, b.Index, s.After(a), s.After(b))
				}
			}
		}
	}
}

// TestDropped: a shape is kept until the body changes.
func TestDropped(t *testing.T) {
	f := function(t, "loop")
	s := shape.Of(f)
	if shape.Of(f) != s {
		t.Error("computed again")
	}
	var branch *mid.If
	for _, b := range f.Body() {
		if i, ok := b.Instrs[len(b.Instrs)-1].(*mid.If); ok {
			branch = i
		}
	}
	mid.SetOperand(branch, branch.Cond, mid.NewConst(nil, types.Typ[types.Bool]))
	if shape.Of(f) == s {
		t.Error("kept while a condition changed")
	}
	s = shape.Of(f)
	f.SetBody(f.Body(), f.Recover())
	if shape.Of(f) == s {
		t.Error("kept for another body")
	}
	f = function(t, "twoEntries")
	s = shape.Of(f)
	var cond mid.Register
	for _, b := range f.Body() {
		if i, ok := b.Instrs[len(b.Instrs)-1].(*mid.If); ok {
			cond = i.Cond.(mid.Register)
		}
	}
	mid.Replace(cond, mid.NewConst(nil, types.Typ[types.Bool]))
	if shape.Of(f) == s {
		t.Error("kept while a condition was replaced")
	}
}

// TestComponents: each component once, those that are led to first, members in the order in which
// they are found.
func TestComponents(t *testing.T) {
	edges := [][]int32{0: {1, 5}, 1: {2}, 2: {3, 1}, 3: {4}, 4: {3}, 5: {5, 1}, 6: nil}
	var got [][]int32
	shape.Components(len(edges), func(v int32) []int32 { return edges[v] }, func(m []int32) { got = append(got, slices.Clone(m)) })
	if want := "[[3 4] [1 2] [5] [0] [6]]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %v", got, want)
	}
	const deep = 1_000_000
	n := 0
	shape.Components(deep, func(v int32) []int32 { return []int32{(v + 1) % deep} }, func(m []int32) { n = len(m) })
	if n != deep {
		t.Errorf("%d of a circle of %d", n, deep)
	}
}
