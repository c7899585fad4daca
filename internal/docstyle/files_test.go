package docstyle

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	sourceName = regexp.MustCompile(`\b(?:[a-z0-9_]+/)*[a-z0-9_]+\.(?:go|gas)\b`)
	// placed is a place in the sources with a name there: (rt/sched/queue.go, yieldToCrowd).
	placed = regexp.MustCompile(`\b((?:rt|internal|overlay|cmd)/[a-z0-9_/]+(?:\.go|\.gas)?), ([A-Za-z][A-Za-z0-9]+)\b\)`)
)

// elsewhere are names of files that are not the repository's: upstream's, those that a reader is
// to write, and examples of names.
var elsewhere = []string{
	"hello.go", "lost.go", "stock.go", "stock_test.go", "account_test.go", "waitgroup.go", "file.go", "_testmain.go", "_cgo_gotypes.go",
	"badlinkname.go", "compare_native.go", "cpu_x86.go", "cpu_gc_x86.go",
}

var upstreamTest = regexp.MustCompile(`^issue[0-9]+[a-z]?\.go$`)

// TestFiles: the source files that documents and comments name are there, and have the names that
// are said to be in them.
func TestFiles(t *testing.T) {
	there := map[string]bool{} // by base name
	var comments []document
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"node_modules", "out", "bin", "stage"}, d.Name())) {
				return fs.SkipDir
			}
			return nil
		}
		there[d.Name()] = true
		if filepath.Ext(path) == ".go" && !strings.Contains(path, "/testdata/") {
			src, err := os.ReadFile(path)
			if err != nil || generated.Match(src) {
				return err
			}
			comments = append(comments, document{path: strings.TrimPrefix(path, root+"/"), lines: commented(string(src), "//")})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, d := range append(documents(t), comments...) {
		text := strings.Join(strings.Fields(strings.Join(d.lines, " ")), " ")
		for _, path := range sourceName.FindAllString(text, -1) {
			named++
			name := filepath.Base(path)
			if !there[name] && !slices.Contains(elsewhere, name) && !upstreamTest.MatchString(name) {
				t.Errorf("%s: there is no %s", d.path, path)
			}
		}
		for _, m := range placed.FindAllStringSubmatch(text, -1) {
			if !declares(m[1], m[2]) {
				t.Errorf("%s: %s has no %s", d.path, m[1], m[2])
			}
		}
	}
	if named < 300 {
		t.Errorf("only %d files are named", named)
	}
}

// declares reports whether the file, or a file of the folder, has the word.
func declares(path, word string) bool {
	files := []string{filepath.Join(root, path)}
	if !strings.Contains(filepath.Base(path), ".") {
		files, _ = filepath.Glob(filepath.Join(root, path, "*"))
	}
	re := regexp.MustCompile(`\b` + word + `\b`)
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && re.Match(text)
	})
}
