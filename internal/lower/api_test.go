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
	for path, files := range rareFiles {
		dir := filepath.Join(root, "rt", strings.TrimPrefix(path, "internal/rt/"))
		if path == "runtime" {
			dir = filepath.Join(root, "overlay", path)
		}
		for _, name := range files {
			file := filepath.Join(dir, name)
			if !isRare(path, file) || isRare("internal/rt/channel", file) || isRare(path, "x.go") {
				t.Errorf("%s is not rare", file)
			}
			if _, err := os.Stat(file); err != nil {
				t.Error(err)
			}
		}
	}
}
