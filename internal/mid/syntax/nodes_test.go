package syntax

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestNodes holds what functions of some packages cost against what gc says of them. What these
// packages import is not known there, so some calls cost more.
func TestNodes(t *testing.T) {
	said := regexp.MustCompile(`^\S*?([^/\s]+\.go:\d+:\d+): (can|cannot) inline (?:.*with cost (\d+) as)?`)
	near, agree, all := 0, 0, 0
	for _, path := range []string{"sort", "strconv", "bytes", "text/template/parse", "reflect", "math/big"} {
		list := exec.Command("go", "list", "-f", "{{.Dir}} {{range .GoFiles}}{{.}} {{end}}", path)
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(string(out))
		text, err := exec.Command("go", "build", "-gcflags=-m=2", path).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		gc := map[string]int{}
		for line := range strings.Lines(string(text)) {
			if m := said.FindStringSubmatch(line); m != nil {
				gc[m[1]] = never
				if m[2] == "can" {
					gc[m[1]], _ = strconv.Atoi(m[3])
				}
			}
		}
		for place, n := range nodesOf(t, path, words[0], words[1:]) {
			want, known := gc[place]
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
	p := &Program{universe: u, uses: func(*types.Package, *types.Func) {}, nodes: map[*types.Func]int{}, scans: map[*types.Func]*scan{}}
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
