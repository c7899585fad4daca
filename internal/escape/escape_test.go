package escape

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"loam/internal/mid"
	"loam/internal/mid/syntax"
)

var amd64 = types.SizesFor("gc", "amd64")

// analyzeFile builds and analyses one file of testdata.
func analyzeFile(t *testing.T, name string) (*Facts, []*mid.Func, *ast.File, *token.FileSet) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	conf := &types.Config{Importer: importer.ForCompiler(fset, "source", nil), Sizes: amd64, GoVersion: "go1.26"}
	pkg, _, err := syntax.Check(conf, fset, "p", []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	fns := pkg.Functions()
	return Analyze(pkg, fns, nil, amd64), fns, file, fset
}

var want = regexp.MustCompile(`// (stack|heap|flow .*)$`)

// TestTable checks testdata/*.go: a line with "// stack" makes at least one object and all
// on the stack; "// heap": at least one goes to the heap; "// flow S" on the line of a
// function's declaration: its summary is S.
func TestTable(t *testing.T) {
	names, _ := filepath.Glob("testdata/*.go")
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			facts, fns, _, fset := analyzeFile(t, name)
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			onStack, onHeap := map[int]int{}, map[int]string{}
			for v := range facts.objects {
				line := fset.Position(Position(v)).Line
				if a, ok := v.(*mid.Alloc); ok && !a.Heap {
					continue
				}
				if facts.OnStack(v) {
					onStack[line]++
				} else {
					onHeap[line] += fmt.Sprintf("%T %s %s; ", v, v, facts.Explain(v))
				}
			}
			flows := map[int]string{}
			for _, fn := range fns {
				if s := facts.Summary(fn); s != nil {
					flows[fset.Position(fn.Pos()).Line] = s.String()
				}
			}
			for i, line := range strings.Split(string(text), "\n") {
				m := want.FindStringSubmatch(line)
				if m == nil {
					continue
				}
				n := i + 1
				switch m[1] {
				case "stack":
					if onHeap[n] != "" {
						t.Errorf("%s:%d: on the heap: %s", name, n, onHeap[n])
					} else if onStack[n] == 0 {
						t.Errorf("%s:%d: no object found", name, n)
					}
				case "heap":
					if onHeap[n] == "" {
						t.Errorf("%s:%d: no object on the heap (%d on the stack)", name, n, onStack[n])
					}
				default:
					if got := flows[n]; got != strings.TrimPrefix(m[1], "flow ") {
						t.Errorf("%s:%d: flow %s, want %s", name, n, got, m[1])
					}
				}
			}
		})
	}
}

func TestSummaryEncoding(t *testing.T) {
	s := newSummary(3, 2)
	s.lower(0, 0, 1)
	s.lower(2, 2, 3)
	s.made = &made{size: 40, linked: true, into: []int8{none, 1, 0}, flow: newSummary(3, 2).flow,
		address: []bool{true, false}, only: []bool{true, true}}
	s.dynamic, s.frames = []string{"", "*p.T"}, true
	s.hidden = []int8{none, 2, none}
	var d Summary
	if err := d.Decode(s.Encode()); err != nil || d.String() != s.String() || !d.frames {
		t.Errorf("decoded %v, %v; want %v", &d, err, s)
	}
	m, err := DecodeSummaries(EncodeSummaries(map[string]*Summary{"p.f": s, "p.g": newSummary(0, 0)}))
	if err != nil || len(m) != 2 || m["p.f"].String() != s.String() {
		t.Errorf("decoded %v, %v", m, err)
	}
	b := s.Encode()
	for n := range b {
		if err := d.Decode(b[:n]); err == nil {
			t.Errorf("accepted a prefix of %d bytes", n)
		}
	}
}
