package lower

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"loam/internal/mid/syntax"
)

// TestStays asks about functions of internal/abi: calls of those that give a function's entry must
// not become their bodies, which know func values only.
func TestStays(t *testing.T) {
	const text = "package abi\n\nfunc FuncPCABI0(f any) uintptr { return 0 }\n\n" +
		"func FuncPCABIInternal(f any) uintptr { return 0 }\n\nfunc other(f any) uintptr { return 0 }\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "abi.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	view, _, err := syntax.Check(&types.Config{}, fset, "internal/abi", []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"FuncPCABI0": true, "FuncPCABIInternal": true, "other": false} {
		if got := Stays(view.Func(name)); got != want {
			t.Errorf("Stays of %s is %v, want %v", name, got, want)
		}
	}
}
