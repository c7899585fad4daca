package docstyle

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLayers: the packages of rt import only what is above them in docs/architecture.md's table, or
// beside them.
func TestLayers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	layer := map[string]int{}
	names := regexp.MustCompile(`\brt/\w+`)
	for i, line := range strings.Split(string(text), "\n") {
		if cells := strings.Split(line, "|"); len(cells) > 3 && strings.HasPrefix(cells[1], " rt/") {
			for _, name := range names.FindAllString(cells[1], -1) {
				layer[name] = i
			}
		}
	}
	if len(layer) < 30 {
		t.Fatalf("only %d packages are in the table", len(layer))
	}
	for name, at := range layer {
		files, err := filepath.Glob(filepath.Join(root, name, "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: no files, %v", name, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, imported := range parsed.Imports {
				other, ok := strings.CutPrefix(strings.Trim(imported.Path.Value, `"`), "loam/")
				if !ok || !strings.HasPrefix(other, "rt/") {
					continue
				}
				if below, ok := layer[other]; !ok {
					t.Errorf("%s imports %s, which is not in the table", file, other)
				} else if below > at {
					t.Errorf("%s imports %s, which is below it in the table", file, other)
				}
			}
		}
	}
}
