package docstyle

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// recipeItem is an item that names a file or a directory and, behind it, what to look for there.
var recipeItem = regexp.MustCompile("^\\* `([^` ]+)`(?: `([^`]+)`:)?")

// TestRecipes: what docs/recipes.md sends its reader to is there.
func TestRecipes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/recipes.md"))
	if err != nil {
		t.Fatal(err)
	}
	trips, items := 0, 0
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "## ") {
			trips++
		}
		if !strings.HasPrefix(line, "* ") {
			continue
		}
		items++
		m := recipeItem.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("docs/recipes.md:%d: the item names no file", i+1)
			continue
		}
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Errorf("docs/recipes.md:%d: %v", i+1, err)
			continue
		}
		if m[2] == "" {
			continue
		}
		source, err := os.ReadFile(filepath.Join(root, m[1]))
		if word := regexp.MustCompile(`\b` + regexp.QuoteMeta(m[2]) + `\b`); err != nil || !word.Match(source) {
			t.Errorf("docs/recipes.md:%d: %s has no %s %v", i+1, m[1], m[2], err)
		}
	}
	if trips != 5 || items < 20 {
		t.Errorf("%d trips with %d items", trips, items)
	}
}
