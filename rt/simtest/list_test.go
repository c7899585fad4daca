package simtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What the list in doc.go names is there: tests, and lines that programs print and TestDecisions
// compares.
func TestListIsTrue(t *testing.T) {
	text := read(t, "doc.go")
	test := regexp.MustCompile(`^Test\w+$`)
	line := regexp.MustCompile(`^(\w+)/(\w+)$`)
	compared := read(t, "sim_test.go")
	entries := 0
	for row := range strings.Lines(text) {
		what, named, _ := strings.Cut(strings.TrimPrefix(row, "//\t"), "  ")
		if !strings.HasPrefix(row, "//\t") || named == "" {
			continue
		}
		entries++
		for part := range strings.SplitSeq(strings.TrimSpace(named), ";") {
			part, dir, elsewhere := strings.Cut(part, " of ")
			if !elsewhere {
				dir = "rt/simtest"
			}
			part, _, _ = strings.Cut(part, "(")
			for name := range strings.FieldsFuncSeq(part, func(r rune) bool { return r == ' ' || r == ',' }) {
				switch {
				case test.MatchString(name):
					if !strings.Contains(readTests(t, dir), "\nfunc "+name+"(t *testing.T) {") {
						t.Errorf("%s: %s has no %s", what, dir, name)
					}
				case line.MatchString(name):
					at := line.FindStringSubmatch(name)
					if !strings.Contains(read(t, filepath.Join("testdata", at[1]+".go")), `"`+at[2]) {
						t.Errorf("%s: %s.go does not print %s", what, at[1], at[2])
					}
					if !strings.Contains(compared, `"`+at[2]+`": `) {
						t.Errorf("%s: TestDecisions does not compare %s", what, name)
					}
				default:
					if read(t, filepath.Join("testdata", name+".go")) == "" {
						t.Errorf("%s: %s is no program", what, name)
					}
				}
			}
		}
	}
	if entries < 30 {
		t.Errorf("the list has %d entries", entries)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// readTests returns all tests of a package of the repository.
func readTests(t *testing.T, dir string) (text string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("../..", strings.TrimSpace(dir), "*_test.go"))
	if err != nil || names == nil {
		t.Fatalf("%s: %v, %v", dir, names, err)
	}
	for _, name := range names {
		text += read(t, name)
	}
	return text
}
