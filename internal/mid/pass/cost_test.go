package pass

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"path/filepath"
	"testing"

	"loam/internal/gcsays"
	"loam/internal/mid"
	"loam/internal/mid/syntax"
)

// TestCosts holds which functions of some packages are small enough to inline against what gc says
// of them: nine of ten agree. Costs are not gc's to the node, as the tree has more forms than the
// middle representation.
func TestCosts(t *testing.T) {
	agree, all := 0, 0
	for _, path := range []string{"sort", "strconv", "bytes", "text/template/parse", "reflect", "math/big"} {
		gc := gcsays.InlinesOf(t, path)
		for place, small := range smallFunctions(t, path, gc.Dir, gc.Files) {
			cost, known := gc.Costs[place]
			if !known {
				continue
			}
			all++
			if can := cost != math.MaxInt; can == small {
				agree++
			} else {
				t.Logf("%s %s: gc says %v", path, place, can)
			}
		}
	}
	if all < 300 || agree*10 < all*9 {
		t.Errorf("%d of %d functions are judged as gc does", agree, all)
	}
}

// smallFunctions tells by position which functions of a package's files are inlined.
func smallFunctions(t *testing.T, path, dir string, names []string) map[string]bool {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	conf := &types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, _, err := syntax.Check(conf, fset, path, files)
	if err != nil {
		t.Fatal(err)
	}
	in := &Input{Pkg: pkg,
		Expands: func(f *mid.Func) bool { return f.Pkg != nil && f.Pkg.Pkg.Path() == "math/bits" }}
	Install(in)
	w := inliner{in: in, did: &Report{}, seen: map[*mid.Func]*progress{}}
	small := map[string]bool{}
	for _, f := range pkg.Functions() {
		w.function(f)
		if f.Kind != mid.Declared || !f.Pos().IsValid() {
			continue
		}
		pos := f.Pos()
		if d, ok := f.Syntax().(*ast.FuncDecl); ok && d.Recv != nil {
			pos = d.Recv.Opening // where gc's messages say a method is
		}
		p := fset.Position(pos)
		small[fmt.Sprintf("%s:%d:%d", filepath.Base(p.Filename), p.Line, p.Column)] = w.seen[f].small()
	}
	return small
}
