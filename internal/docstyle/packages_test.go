package docstyle

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// leastDoc is the fewest characters that a package's comment may have: a sentence or two.
const leastDoc = 100

// TestPackages: each package says in its comment what it is for. What lies in overlay/ are parts of
// std's packages, whose comments are upstream's.
func TestPackages(t *testing.T) {
	docs := map[string]int{} // by folder
	for _, dir := range commentRoots {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if slices.Contains([]string{"testdata", "node_modules", "overlay"}, d.Name()) {
					return fs.SkipDir
				}
				return nil
			}
			if !strings.HasSuffix(path, ".go") {
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				return err
			}
			folder := filepath.Dir(path)
			docs[folder] = max(docs[folder], len(f.Doc.Text()))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(docs) < 80 {
		t.Errorf("only %d packages", len(docs))
	}
	for folder, n := range docs {
		if n < leastDoc {
			t.Errorf("%s: its package comment has %d characters, which explain little", folder, n)
		}
	}
}
