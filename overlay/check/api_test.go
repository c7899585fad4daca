package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"loam/internal/layout"
	"loam/internal/load"
	"loam/internal/loamtest"
)

// TestAPI holds the exported names of the public packages that the overlay changes, with their
// types, fields and methods, against those of upstream's, in each release. Bodies are not checked.
func TestAPI(t *testing.T) {
	public := []string{"runtime", "runtime/debug", "runtime/metrics", "runtime/pprof", "runtime/trace", "runtime/coverage",
		"math", "net/http", "net/http/pprof", "reflect", "sync", "sync/atomic", "syscall", "time"}
	loamtest.EachRelease(t, func(t *testing.T, release string) {
		sdk, shadow := shadowOf(t)
		ours := declarations(t, &load.Config{SDK: sdk, Shadow: shadow}, public...)
		theirs := declarations(t, &load.Config{SDK: sdk, Shadow: &load.Shadow{Dir: sdk.GOROOT, GOROOT: sdk.GOROOT}}, public...)
		for _, path := range public {
			compareAPI(t, path, exported(ours[path]), exported(theirs[path]))
		}
	})
}

func compareAPI(t *testing.T, path string, ours, theirs map[string]string) {
	t.Helper()
	if len(theirs) < 2 {
		t.Errorf("%s: upstream's has %d names", path, len(theirs))
	}
	for name, want := range theirs {
		switch got, ok := ours[name]; {
		case !ok:
			t.Errorf("%s: missing: %s", path, want)
		case got != want:
			t.Errorf("%s: %s differs:\n have %s\n want %s", path, name, got, want)
		}
	}
	for name, got := range ours {
		if _, ok := theirs[name]; !ok {
			t.Errorf("%s: not in upstream's: %s", path, got)
		}
	}
}

// declarations type-checks packages and what they import, without the functions' bodies.
func declarations(t *testing.T, c *load.Config, paths ...string) map[string]*types.Package {
	t.Helper()
	c.Dir = filepath.Join(c.Shadow.Dir, "src")
	pkgs, err := load.List(c, paths...)
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]*types.Package{"unsafe": types.Unsafe}
	fset := token.NewFileSet()
	for _, p := range pkgs {
		if p.ImportPath == "unsafe" {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		conf := types.Config{
			IgnoreFuncBodies: true,
			Sizes:            new(layout.Sizes),
			GoVersion:        p.GoVersion(),
			Error:            func(error) {}, // imports that only bodies use
			Importer: importFunc(func(path string) (*types.Package, error) {
				if to := p.ImportMap[path]; to != "" {
					path = to
				}
				return checked[path], nil
			}),
		}
		checked[p.ImportPath], _ = conf.Check(p.ImportPath, fset, files, nil)
	}
	return checked
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
