package lower

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRare holds that what is to be small is there.
func TestRare(t *testing.T) {
	root := filepath.Join("..", "..")
	for path := range rarePackages {
		if !isRare(path, "x.go") || !IsRuntime(path) {
			t.Errorf("%s is not rare", path)
		}
		if _, err := os.Stat(filepath.Join(root, "rt", strings.TrimPrefix(path, "internal/rt/"))); err != nil {
			t.Error(err)
		}
	}
	for file := range rareFiles {
		path := filepath.Join(root, "overlay", "runtime", file)
		if !isRare("runtime", path) || isRare("internal/rt/heap", path) {
			t.Errorf("%s is not rare", path)
		}
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}
