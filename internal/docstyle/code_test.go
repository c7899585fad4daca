package docstyle

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// longestCode is how long lines of code may be, without the texts of string literals: those may be
// lines of another program.
const longestCode = 140

// TestCode bounds the lines of Go sources.
func TestCode(t *testing.T) {
	eachSource(t, func(path string, src []byte) {
		for _, line := range longCode(src) {
			t.Errorf("%s:%d: %d characters beside those of strings", path, line.number, line.length)
		}
	})
}

// TestLongCode: what is in a string does not count, what is beside it does.
func TestLongCode(t *testing.T) {
	text := strings.Repeat("x", longestCode)
	for _, c := range []struct {
		src  string
		long []int
	}{
		{"package p\n\nvar s = \"" + text + "\"\n", nil},
		{"package p\n\nvar s = `" + text + "\n" + text + text + "`\n", nil},
		{"package p\n\nvar " + text + " = \"" + text + "\"\n", []int{3}},
		{"package p\n\nvar s = `\n` + " + text + "\n", []int{4}},
	} {
		var found []int
		for _, line := range longCode([]byte(c.src)) {
			found = append(found, line.number)
		}
		if !slices.Equal(found, c.long) {
			t.Errorf("%.40q: lines %v are too long, want %v", c.src, found, c.long)
		}
	}
}

// longCode finds lines that are too long without the strings in them.
func longCode(src []byte) (found []longLine) {
	lines := strings.Split(string(src), "\n")
	length := make([]int, len(lines))
	for i, line := range lines {
		length[i] = utf8.RuneCountInString(line)
	}
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok != token.STRING {
			continue
		}
		first := fset.Position(pos).Line - 1
		for i, part := range strings.Split(text, "\n") {
			length[first+i] -= utf8.RuneCountInString(part)
		}
	}
	for i, n := range length {
		if n > longestCode {
			found = append(found, longLine{i + 1, n})
		}
	}
	return found
}
