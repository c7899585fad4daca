package load

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

// TestDirectives has faults in directives with the messages of gc; `go tool compile` says the same.
func TestDirectives(t *testing.T) {
	for _, test := range []struct {
		src  string
		want []string
	}{
		{"//go:build linux\n\npackage p\n", nil},
		{"//go:noinline\npackage p\n", []string{"1:3: misplaced compiler directive"}},
		{"package p\n//go:build linux\nfunc f() {}\n", []string{"2:3: misplaced compiler directive"}},
		{"package p\n//go:noinline\n\n// comment\nfunc f() {}\n\n//go:nosplit\n//go:norace\nfunc g() {} //go:noinline\n",
			[]string{"9:15: misplaced compiler directive"}},
		{"package p\nvar s = `\n`; /* c */ //go:noinline\n/* c */ //go:generate x\nvar x int //go:generate x\n",
			[]string{"3:14: misplaced compiler directive", "5:13: misplaced compiler directive"}},
		{"package p\ntype (\n\t//go:noinline\n\tT int\n)\n//go:noinline\ntype ()\n//go:noinline\n",
			[]string{"6:3: misplaced compiler directive", "8:3: misplaced compiler directive"}},
		{"package p\ntype (\n\t//go:noinline\n\tT int\n)\n//go:noinline\nvar x int\nfunc f() {\n//go:noinline\nvar _ = 1\n//go:nosuch\nx = 2\n}\n",
			[]string{"3:4: misplaced compiler directive", "6:3: misplaced compiler directive", "9:3: misplaced compiler directive"}},
		{"package p\n//go:noescape\nfunc f() {}\n//go:noescape\nfunc (T) g() {}\ntype T int\n",
			[]string{"3:6: can only use //go:noescape with external func implementations",
				"5:6: can only use //go:noescape with external func implementations"}},
		{"package p\n//go:cgo_ldflag\n//go:nowritebarrier\n//go:uintptrkeepalive\nfunc f() {}\n//go:linkname\n//go:linkname a b c\n//go:embed\nvar x string\n//go:embed x\nfunc g() {\n//go:embed x\n}\n",
			[]string{"2:3: //go:cgo_ldflag only allowed in cgo-generated code", `2:3: usage: //go:cgo_ldflag "arg"`,
				"3:3: //go:nowritebarrier only allowed in runtime",
				"4:3: //go:uintptrkeepalive is only allowed in the standard library", "7:3: usage: //go:linkname localname [linkname]",
				"8:3: usage: //go:embed pattern...", "12:3: misplaced go:embed directive"}},
		{"package p\n//go:cgo_ldflag \"x\"\n//go:cgo_export_static a b c\n//go:cgo_import_static x\n//go:cgo_import_dynamic a b c\n" +
			"//go:cgo_import_dynamic a b \"c\"\n//go:cgo_dynamic_linker x\n//go:cgo_none\nfunc f() {}\n",
			[]string{`2:3: //go:cgo_ldflag "x" only allowed in cgo-generated code`,
				"3:3: //go:cgo_export_static a b c only allowed in cgo-generated code",
				"3:3: usage: //go:cgo_export_static local [remote]", "4:3: //go:cgo_import_static x only allowed in cgo-generated code",
				`5:3: usage: //go:cgo_import_dynamic local [remote ["library"]]`, "7:3: //go:cgo_dynamic_linker x only allowed in cgo-generated code",
				`7:3: usage: //go:cgo_dynamic_linker "path"`, "8:3: //go:cgo_none only allowed in cgo-generated code"}},
		{"package p\n//go:linkname x y\nvar x int\n", []string{`2:3: //go:linkname only allowed in Go files that import "unsafe"`}},
		{"package p\nimport _ \"unsafe\"\n//go:linkname x y\n//go:linkname x\n//go:linkname t\n//go:linkname z a[b]\n//go:linkname f\nfunc f() {}\nvar x, z int\ntype t int\n",
			[]string{"4:3: duplicate //go:linkname for x", "5:3: //go:linkname must refer to declared function or variable",
				"6:3: //go:linkname reference of an instantiation is not allowed"}},
		{"package p\n//go:embed a\n\n//go:embed b \"c d\"\nvar s string\n",
			[]string{`2:3: go:embed requires import "embed" (or import _ "embed", if package is not used)`}},
		{"package p\nimport _ `unsafe`\n//go:linkname x y\nvar x int\n", nil},
		{"package p\nimport _ \"\\x65mbed\"\n//go:embed a\nvar e string\n", nil},
		{"package p\nimport _ \"unsafe\"\n//go:embed a\nfunc f() {}\n", []string{"3:3: misplaced go:embed directive"}},
	} {
		conf := types.Config{Importer: emptyPackages{}}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "p.go", test.src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		e := &Errors{Package: &Package{}, Lang: "go1.26"}
		list := directives(f, []byte(test.src), func(pos token.Pos, msg string) { e.Add(fset.Position(pos), msg) })
		if len(e.List) == 0 {
			pkg, err := conf.Check("p", fset, []*ast.File{f}, nil)
			if err != nil {
				t.Fatal(err)
			}
			e.directives(fset, []*ast.File{f}, [][]directive{list}, pkg)
		}
		var got []string
		for _, se := range e.List {
			got = append(got, fmt.Sprintf("%d:%d: %s", se.Pos.Line, se.Pos.Column, se.Msg))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s\ngot  %q\nwant %q", test.src, got, test.want)
		}
		for spec, texts := range embeds([][]directive{list}) {
			if patterns := embedPatterns(texts); spec.Names[0].Name == "s" && !slices.Equal(patterns, []string{"a", "b", "c d"}) {
				t.Errorf("patterns of s: %q", patterns)
			}
		}
	}
}

// emptyPackages has a package without declarations for each path.
type emptyPackages struct{}

func (emptyPackages) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	p := types.NewPackage(path, path)
	p.MarkComplete()
	return p, nil
}
