package plan

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/mid"
	"loam/internal/mid/pass"
	"loam/internal/mid/syntax"
)

var update = flag.Bool("update", false, "write the expected plans anew")

// functions makes the functions of a source.
func functions(t *testing.T, source string) *mid.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := syntax.Check(&types.Config{}, fset, "p", []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	pass.Install(&pass.Input{Pkg: pkg})
	return pkg
}

// usual are the options of optimised code.
func usual() Options {
	sizes := types.SizesFor("gc", "amd64")
	return Options{
		Big: func(t types.Type) bool { return sizes.Sizeof(t) > 32 },
		Pointers: func(t types.Type) bool {
			_, basic := t.Underlying().(*types.Basic)
			return !basic
		},
		InFrame: func(mid.Value) bool { return true }, Hidden: func(mid.Value) bool { return false },
		Expands: func(*mid.Func) bool { return false },
		Copied:  func(types.Type) bool { return true },
	}
}

// facts are what is known of the package's functions: collect calls a collector, park and lock
// wait, lock only briefly.
func facts(pkg *mid.Package) *Package {
	named := func(name string) func(*mid.Func) bool { return func(f *mid.Func) bool { return f.Name() == name } }
	return NewPackage(Facts{
		Pkg: pkg, User: true, Shared: func(*mid.Func) bool { return false },
		Declared: func(visit func(*mid.Func)) {
			for _, f := range pkg.Funcs {
				visit(f)
			}
		},
		Collects: named("collect"), Parks: named("park"), ParksBriefly: named("lock"),
	})
}

// planOf plans f with its frame.
func planOf(f *mid.Func, calls *Package) *Func {
	how := usual()
	how.Frame = FrameOf(f, calls, &how)
	return New(f, how)
}

// TestPlans: testdata has sources and, in comments behind each function, its plan.
func TestPlans(t *testing.T) {
	names, err := filepath.Glob("testdata/*.go")
	if err != nil || len(names) == 0 {
		t.Fatal("no files: ", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(data), "\n// Plan of ")
		source := parts[0]
		pkg := functions(t, source)
		calls := facts(pkg)
		got := strings.TrimRight(source, "\n") + "\n"
		for _, f := range pkg.Functions() {
			if text := planOf(f, calls).Text(); text != "" {
				got += "\n// Plan of " + f.Name() + ":\n//\n//\t" + strings.ReplaceAll(text, "\n", "\n//\t") + "\n"
			}
		}
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got != string(data) {
			t.Errorf("%s has other plans than are made (go test ./internal/plan -update writes them anew):\n%s", name,
				strings.TrimPrefix(got, source))
		}
	}
}

// chain is a function with n comparisons.
func chain(n int) string {
	var b strings.Builder
	b.WriteString("package p\nfunc f(x int) int {\n\tswitch x {\n")
	for i := range n {
		fmt.Fprintf(&b, "\tcase %d: return %d\n", 3*i, i)
	}
	b.WriteString("\t}\n\treturn -1\n}\n")
	return b.String()
}

// TestOptions: what the plan of a function does not have with other options.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		source, want string
		set          func(*Options)
	}{
		{chain(longChain), "chain: b0 to b126, 64 tests", func(*Options) {}},
		{chain(longChain - 1), "", func(*Options) {}},
		{chain(longChain), "frame: exact", func(o *Options) { o.Frame = &Frame{Collects: true} }},
		{late, "defers: in line at the line of the return, b0.0, late", func(*Options) {}},
		{late, "defers: in line, b0.0, placed", func(o *Options) { o.NoOptimize = true }},
		{late, "defers: in line at the line of the return, b0.0, placed", func(o *Options) { o.Watched = true }},
		{late, "frame: exact\ndefers: by the run-time system at the line of the return", func(o *Options) { o.Frame = &Frame{Collects: true} }},
	} {
		how := usual()
		c.set(&how)
		if got := New(functions(t, c.source).Func("f"), how).Text(); got != c.want {
			t.Errorf("%s\n%q, want %q", c.source, got, c.want)
		}
	}
}

const late = `package p

func done(n int)

func f(s []*int) *int {
	defer done(1)
	return s[1]
}
`

// TestHuge: a function is huge by its size, or by the depth of its loops.
func TestHuge(t *testing.T) {
	long := "package p\nfunc f(s []int) {\n" + strings.Repeat("s[0] = s[1]\n", HugeInstrs/4+1) + "}\n"
	deep := func(n int) string {
		return "package p\nfunc f(s []int) {\n" + strings.Repeat("for i := range s {\n s[i] += s[len(s)-i]\n s[0]++\n", n) +
			strings.Repeat("}", n) + "}\n"
	}
	for _, c := range []struct {
		source string
		huge   bool
	}{{long, true}, {deep(deepLoops), false}, {deep(deepLoops + 1), true}} {
		if p := New(functions(t, c.source).Func("f"), usual()); p.Huge != c.huge || strings.Contains(p.Text(), "huge") != c.huge {
			t.Errorf("huge: %v, want %v, of\n%.200s", p.Huge, c.huge, c.source)
		}
	}
}

// TestPure: a plan is the same when it is made again.
func TestPure(t *testing.T) {
	names, _ := filepath.Glob("testdata/*.go")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pkg := functions(t, string(data))
		calls := facts(pkg)
		for _, f := range pkg.Functions() {
			body := f.Text()
			first := planOf(f, calls).Text()
			if again := planOf(f, calls).Text(); again != first || f.Text() != body {
				t.Errorf("%s: %s: %q, and then %q", name, f, first, again)
			}
		}
	}
}

// TestHooked: what collects only for tests of its package has no exact frame.
func TestHooked(t *testing.T) {
	exact := func() bool {
		pkg := functions(t, "package p\nfunc collect()\nfunc f() { collect() }\n")
		return planOf(pkg.Func("f"), facts(pkg)).Frame != nil
	}
	if !exact() {
		t.Error("a function that collects has no exact frame")
	}
	hooked["p"] = true
	defer delete(hooked, "p")
	if exact() {
		t.Error("a function that collects for tests has an exact frame")
	}
}
