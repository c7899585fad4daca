package syntax

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"testing"

	"loam/internal/gcsays"
)

// TestNodes holds what functions of some packages cost against what gc says of them. What these
// packages import is not known there, so some calls cost more.
func TestNodes(t *testing.T) {
	near, agree, all := 0, 0, 0
	for _, path := range []string{"sort", "strconv", "bytes", "text/template/parse", "reflect", "math/big"} {
		gc := gcsays.InlinesOf(t, path)
		for place, n := range nodesOf(t, path, gc.Dir, gc.Files) {
			want, known := gc.Costs[place]
			if !known {
				continue
			}
			all++
			if (want <= maxNodes) == (n <= maxNodes) {
				agree++
			} else {
				t.Logf("%s %s: %d, gc says %d", path, place, n, want)
			}
			if want == n {
				near++
			} else if want <= maxNodes && n <= maxNodes {
				t.Logf("  %s %s: %d, gc says %d", path, place, n, want)
			}
		}
	}
	t.Logf("%d of %d functions are judged as gc does, %d to the node", agree, all, near)
	if all < 1000 || agree*100 < all*96 {
		t.Errorf("%d of %d functions are judged as gc does, %d to the node", agree, all, near)
	}
}

// nodesOf returns by position what the functions of a package's files cost.
func nodesOf(t *testing.T, path, dir string, names []string) map[string]int {
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
	info := NewInfo()
	pkg, err := conf.Check(path, fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	u := NewUniverse(fset, types.SizesFor("gc", "amd64"))
	u.AddImports(pkg)
	source := u.Add(pkg, files, info, true)
	p := &Program{universe: u, nodes: map[*types.Func]int{}, scans: map[*types.Func]*scan{}}
	nodes := map[string]int{}
	for o, d := range source.decls {
		pos := o.Pos()
		if d.syntax.Recv != nil {
			pos = d.syntax.Recv.Opening // where gc's messages say a method is
		}
		at := fset.Position(pos)
		nodes[fmt.Sprintf("%s:%d:%d", filepath.Base(at.Filename), at.Line, at.Column)] = p.nodesOf(o)
	}
	return nodes
}
