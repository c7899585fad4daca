package docstyle

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// numbered are the names of programs with their versions, which a message has at its place %s.
var numbered = regexp.MustCompile(`(clang|ld\.lld)-[0-9]+`)

// TestMessages: what docs/guide.md explains are messages that the sources have.
func TestMessages(t *testing.T) {
	var sources strings.Builder
	for _, dir := range []string{"cmd", "internal", "overlay", "rt"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			sources.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "docs/guide.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| message | means |\n")
	if !found {
		t.Fatal("docs/guide.md has no table of messages")
	}
	explained := 0
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		for _, span := range inlineCode.FindAllString(first, -1) {
			message := numbered.ReplaceAllString(strings.Trim(span, "`"), "%s")
			if explained++; !strings.Contains(sources.String(), message) {
				t.Errorf("docs/guide.md explains %s, which nothing prints", span)
			}
		}
	}
	if explained < 8 {
		t.Errorf("only %d messages are explained", explained)
	}
}
