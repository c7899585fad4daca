package syntax

import (
	"flag"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loam/internal/mid"
)

func TestMain(m *testing.M) {
	mid.Checking = true
	os.Exit(m.Run())
}

var update = flag.Bool("update", false, "write the expected texts")

// TestGolden holds what the functions in testdata/*.go become against the text beside them.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.go")
	if err != nil || len(names) == 0 {
		t.Fatal("no tests: ", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".go"), func(t *testing.T) {
			got := text(t, name)
			golden := strings.TrimSuffix(name, ".go") + ".txt"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s is not what is made (-update writes it):\n%s", golden, got)
			}
		})
	}
}

// text is what the functions of a file become.
func text(t *testing.T, name string) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	conf := &types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, _, err := Check(conf, fset, "p", []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	var w strings.Builder
	for _, f := range pkg.Functions() {
		w.WriteString(f.Text() + "\n")
	}
	return w.String()
}
