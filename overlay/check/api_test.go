package check

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// TestRuntimeAPI holds the exported names of our package runtime, with their types, fields and methods, against those of
// upstream's. Bodies are not checked.
func TestRuntimeAPI(t *testing.T) {
	upstream, err := importer.ForCompiler(token.NewFileSet(), "source", nil).Import("runtime")
	if err != nil {
		t.Fatal(err)
	}
	ours := exported(checkOverlay(t, "../runtime"))
	theirs := exported(upstream)
	for name, want := range theirs {
		switch got, ok := ours[name]; {
		case !ok:
			t.Errorf("missing: %s", want)
		case got != want:
			t.Errorf("%s differs:\n have %s\n want %s", name, got, want)
		}
	}
	for name, got := range ours {
		if _, ok := theirs[name]; !ok {
			t.Errorf("not in upstream's: %s", got)
		}
	}
}

// checkOverlay type-checks the declarations of an overlay package. Imports of rt packages are empty, so only the
// exported names, which do not depend on them, mean something.
func checkOverlay(t *testing.T, dir string) *types.Package {
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	std := importer.ForCompiler(fset, "source", nil)
	conf := types.Config{
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Error:            func(error) {},
		Importer: importFunc(func(path string) (*types.Package, error) {
			if strings.HasPrefix(path, "loam/") {
				p := types.NewPackage(path, filepath.Base(path))
				p.MarkComplete()
				return p, nil
			}
			return std.Import(path)
		}),
	}
	p, _ := conf.Check("runtime", fset, files, nil)
	return p
}

type importFunc func(string) (*types.Package, error)

func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }

// exported describes each exported object of p in words that are the same for both packages.
func exported(p *types.Package) map[string]string {
	all := map[string]string{}
	qualify := func(q *types.Package) string { return q.Name() }
	for _, name := range p.Scope().Names() {
		obj := p.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		if c, ok := obj.(*types.Const); ok {
			all[name] = types.ObjectString(obj, qualify) + " = " + c.Val().ExactString()
			continue
		}
		tn, ok := obj.(*types.TypeName)
		if !ok {
			all[name] = types.ObjectString(obj, qualify)
			continue
		}
		all[name] = "type " + name
		typ := tn.Type()
		set := types.NewMethodSet(types.NewPointer(typ))
		if types.IsInterface(typ) {
			set = types.NewMethodSet(typ)
		}
		for i := range set.Len() {
			if m := set.At(i).Obj(); m.Exported() {
				all[name+"."+m.Name()] = types.ObjectString(m, qualify)
			}
		}
		if s, ok := typ.Underlying().(*types.Struct); ok {
			var fields []string
			for i := range s.NumFields() {
				if f := s.Field(i); f.Exported() {
					fields = append(fields, f.Name()+" "+types.TypeString(f.Type(), qualify))
				}
			}
			sort.Strings(fields)
			all[name] += " struct { " + strings.Join(fields, "; ") + " }"
		}
	}
	return all
}
