package docstyle

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var (
	generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	// notProse are comments that tools read, and those that quote a link, which cannot be broken.
	notProse = regexp.MustCompile(`^//[a-z]+:\S|^// (want|ERROR) ["\x60]|://\S{40}`)
)

// commentRoots are the folders whose Go comments have lines like documents' prose.
var commentRoots = []string{"bench", "cmd", "conformance", "examples", "internal", "overlay", "release", "rt"}

// TestComments bounds the lines that end in a comment of Go sources. Testdata is what tests make of
// it: line numbers may matter there.
func TestComments(t *testing.T) {
	eachSource(t, func(path string, src []byte) {
		for _, line := range longComments(src) {
			t.Errorf("%s:%d: %d characters", path, line.number, line.length)
		}
	})
}

// eachSource calls check with the Go sources that people write, and their paths.
func eachSource(t *testing.T, check func(path string, src []byte)) {
	t.Helper()
	files := 0
	for _, dir := range commentRoots {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if slices.Contains([]string{"testdata", "node_modules"}, d.Name()) {
					return fs.SkipDir
				}
				return nil
			}
			if !strings.HasSuffix(path, ".go") {
				return nil
			}
			src, err := os.ReadFile(path)
			if err != nil || generated.Match(src) {
				return err
			}
			files++
			check(path, src)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 400 {
		t.Errorf("only %d files", files)
	}
}

type longLine struct{ number, length int }

// longComments finds lines that end in a comment and are longer than lines may be.
func longComments(src []byte) (found []longLine) {
	lines := strings.Split(string(src), "\n")
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return found
		}
		if tok != token.COMMENT || !strings.HasPrefix(text, "//") || notProse.MatchString(text) {
			continue
		}
		number := fset.Position(pos).Line
		if n := utf8.RuneCountInString(lines[number-1]); n > longest {
			found = append(found, longLine{number, n})
		}
	}
}

func TestLongComments(t *testing.T) {
	long := strings.Repeat("x ", 60)
	src := "package p\n\n// " + long + "\nvar a = `" + long + "`\n\nvar b = 1 // " + long + "\n\n//go:linkname " + long + "\n"
	want := []longLine{{3, 123}, {6, 133}}
	if got := longComments([]byte(src)); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
