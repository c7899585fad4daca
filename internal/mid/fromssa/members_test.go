package fromssa_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa/ssautil"

	"loam/internal/mid/fromssa"
)

// TestMembersByName finds the functions and variables of a package by their names.
func TestMembersByName(t *testing.T) {
	var text strings.Builder
	text.WriteString("package p\n\n")
	for i := range 300 {
		fmt.Fprintf(&text, "var v%d = f%[1]d()\n\nfunc f%[1]d() int { return %[1]d }\n\nfunc init() {}\n\n", i*7%300)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text.String(), 0)
	if err != nil {
		t.Fatal(err)
	}
	built, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", "p"), []*ast.File{f}, fromssa.Mode)
	if err != nil {
		t.Fatal(err)
	}
	pkg := fromssa.Package(built)
	for _, f := range pkg.Funcs {
		if pkg.Func(f.Name()) != f {
			t.Errorf("no function %s", f.Name())
		}
	}
	for _, g := range pkg.Globals {
		if pkg.Global(g.Name()) != g {
			t.Errorf("no variable %s", g.Name())
		}
	}
	if n, m := len(pkg.Funcs), len(pkg.Globals); n != 601 || m < 300 {
		t.Errorf("%d functions, %d variables", n, m)
	}
	for _, name := range []string{"", "a", "f1000", "v1000", "z"} {
		if pkg.Func(name) != nil || pkg.Global(name) != nil {
			t.Errorf("there is %q", name)
		}
	}
}
