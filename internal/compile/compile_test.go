package compile

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"loam/internal/escape"
	"loam/internal/layout"
	"loam/internal/lower"
	"loam/internal/mid"
	"loam/internal/mid/syntax"
)

const source = `package p

func small(p *int) int { return *p }

func f() int {
	x := 1
	return small(&x)
}
`

// input is a package that imports nothing.
func input(t *testing.T) *Input {
	t.Helper()
	fset, sizes := token.NewFileSet(), new(layout.Sizes)
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	files, info := []*ast.File{file}, syntax.NewInfo()
	conf := types.Config{Sizes: sizes}
	pkg, err := conf.Check("p", fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	return &Input{
		Code:    syntax.NewUniverse(fset, sizes).Add(pkg, files, info, true),
		Looks:   func(*types.Package, *types.Func) {},
		Lower:   &lower.Input{Info: info, Files: files, Fset: fset, Sizes: sizes},
		Summary: func(string) *escape.Summary { return nil },
		Begin:   func(string) func() { return func() {} },
	}
}

// TestSteps: the steps run in their order, each when it is wanted, and what one finds reaches the
// next.
func TestSteps(t *testing.T) {
	mid.Checking = true
	for _, c := range []struct {
		name    string
		set     func(*Input)
		steps   string
		inlined int
		escapes bool
	}{
		{"all", func(*Input) {}, "functions inline escape lower", 1, false},
		{"-N", func(in *Input) { in.Lower.Flags.NoOptimize = true }, "functions escape lower", 0, false},
		{"-l", func(in *Input) { in.Lower.Flags.NoInline = true }, "functions escape lower", 0, false},
		{"no escape analysis", func(in *Input) { in.Summary = nil }, "functions inline lower", 1, true},
	} {
		in := input(t)
		c.set(in)
		var began []string
		open := 0
		in.Begin = func(step string) func() {
			began = append(began, step)
			open++
			return func() { open-- }
		}
		out, err := Package(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(began, " "); got != c.steps || open != 0 {
			t.Errorf("%s: steps %q, want %q; %d have not ended", c.name, got, c.steps, open)
		}
		if len(out.Passes.Inlined) != c.inlined {
			t.Errorf("%s: inlined %v", c.name, out.Passes.Inlined)
		}
		if known := out.Escape != nil; known == c.escapes || known != (len(out.Summaries()) > 0) ||
			known != slices.ContainsFunc(out.Functions, func(f *mid.Func) bool { return f.Name() == "f" }) {
			t.Errorf("%s: escape analysis of %v", c.name, out.Functions)
		}
		text := string(out.IR.Text())
		if got := strings.Contains(text, "newobject") || strings.Contains(text, "runtime.alloc"); got != c.escapes {
			t.Errorf("%s: an object on the heap: %v\n%s", c.name, got, text)
		}
	}
}
