package tracertest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
)

// TestNumbers compares the numbers of events with the installed Go's, which count up from 0.
func TestNumbers(t *testing.T) {
	upstream := map[string]int{}
	for _, d := range constants(t, filepath.Join(runtime.GOROOT(), "src/internal/trace/tracev2/events.go")) {
		if len(d) > 0 && d[0].Names[0].Name == "EvNone" {
			for i, s := range d {
				upstream[s.Names[0].Name] = i
			}
		}
	}
	if len(upstream) < 50 {
		t.Fatalf("found %d events in the installed Go's list", len(upstream))
	}
	n := 0
	for _, d := range constants(t, "../tracer/format.go") {
		for _, s := range d {
			name := s.Names[0].Name
			if len(name) < 2 || name[:2] != "Ev" {
				continue
			}
			n++
			have, err := strconv.Atoi(s.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			if want, ok := upstream[name]; !ok || have != want {
				t.Errorf("%s is %d, want %d", name, have, want)
			}
		}
	}
	if n < 40 {
		t.Errorf("compared %d events", n)
	}
}

// constants returns the const declarations of a file.
func constants(t *testing.T, file string) (all [][]*ast.ValueSpec) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
			var specs []*ast.ValueSpec
			for _, s := range g.Specs {
				specs = append(specs, s.(*ast.ValueSpec))
			}
			all = append(all, specs)
		}
	}
	return all
}
