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

// ofThePast are words of code's comments that tell what the code did before, or how a fault was
// found, instead of what holds.
var ofThePast = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\bissues? #?[0-9]+\b`),
	regexp.MustCompile(`(?i)\b(yesterday|closing notes?|(first|second|third|last) session)\b`),
	regexp.MustCompile(`(?i)\b(commit|since|at|before|of|with) [0-9a-f]{7,40}\b`),
	regexp.MustCompile(`\bLoam(?:'s)? (had|made|let|took|did|gave|kept|was|crashed|hung|lost|used|once)\b`),
	regexp.MustCompile(`(?i)\bthis (used to|was changed|was added|was moved|was renamed)\b`),
	regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`),
	regexp.MustCompile(`(?i)\b(in|from) an earlier (version|form)\b`),
}

// noSubject is a sentence whose subject is a relative clause: "Who stops the world waits" for "The
// thread that stops the world waits".
var noSubject = regexp.MustCompile(`(?:^|[.;:(] )Who [a-z][^?]*?[.:;]|(?i)\bwhoever\b|` +
	`\b(?:by|of|to|from|for|with|only|lets|wakes) who [a-z]+`)

// commented finds the comments of a source: of Go, assembly, C, TypeScript, or, with #, of make and
// shell. Each is a group of lines that follow each other.
func commented(text, mark string) (groups []string) {
	var group []string
	end := func() {
		if group != nil {
			groups = append(groups, strings.Join(group, " "))
		}
		group = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		at := strings.Index(line, mark)
		if at < 0 {
			end()
			continue
		}
		before, comment := line[:at], strings.TrimSpace(line[at+len(mark):])
		if strings.TrimSpace(before) != "" {
			end()
			if strings.ContainsAny(before, "\"`'") || strings.HasSuffix(before, ":") { // perhaps no comment
				continue
			}
		}
		group = append(group, comment)
	}
	end()
	return groups
}

func TestCommented(t *testing.T) {
	text := "// One\n// two.\nx := 1 // three\ny := \"// no\"\nu := https://no\n\n\t// four\n"
	want := []string{"One two.", "three", "four"}
	if got := commented(text, "//"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPast: comments say what holds, in sentences that have a subject.
func TestPast(t *testing.T) {
	marks := map[string]string{".go": "//", ".gas": "//", ".h": "//", ".ts": "//", ".mts": "//", ".mjs": "//",
		".vue": "//", ".sh": "#", ".mk": "#"}
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".vitepress" ||
				slices.Contains([]string{"node_modules", "out", "bin", "stage", "assets", "docstyle"}, d.Name())) {
				return fs.SkipDir
			}
			return nil
		}
		mark := marks[filepath.Ext(path)]
		if d.Name() == "Makefile" {
			mark = "#"
		}
		if mark == "" {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil || generated.Match(src) {
			return err
		}
		files++
		for _, comment := range commented(string(src), mark) {
			for _, re := range ofThePast {
				if said := re.FindString(comment); said != "" {
					t.Errorf("%s: %q tells of the work, not of what holds", path, said)
				}
			}
			if said := noSubject.FindString(comment); said != "" {
				t.Errorf("%s: %q has no subject", path, said)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 1000 {
		t.Errorf("only %d files", files)
	}
}

// TestSubjects is the same for documents.
func TestSubjects(t *testing.T) {
	for _, d := range documents(t) {
		var paragraph []string
		for i, line := range append(slices.Clone(d.lines), "") {
			if line != "" && d.kinds[min(i, len(d.kinds)-1)] == prose {
				paragraph = append(paragraph, strings.TrimSpace(line))
				continue
			}
			if said := noSubject.FindString(strings.Join(paragraph, " ")); said != "" {
				t.Errorf("%s: %q has no subject", d.path, said)
			}
			paragraph = nil
		}
	}
}

func TestNoSubject(t *testing.T) {
	for text, want := range map[string]bool{
		"Who stops the world waits.":             true,
		"It ends. Who waits is woken from here:": true,
		"Whoever wakes it owns it.":              true,
		"The word is read by who marks.":         true,
		"Who marks? Each P does.":                false,
		"The thread, who waits, is woken.":       false,
	} {
		if got := noSubject.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
