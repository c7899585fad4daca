package main_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommentEdited: after an edit of a comment nothing is compiled, unless the comment speaks to
// the compiler, or lines have moved.
func TestCommentEdited(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.com/c

go 1.26
-- main.go --
package main

import "example.com/c/p"

func main() { println(p.F(1)) }
-- p/p.go --
`)
	// A number that no cache has seen makes p one that has to be compiled at first.
	number := fmt.Sprint(rand.Uint64() >> 2)
	source := func(above, within string) string {
		return "package p\n\n" + above + "\nfunc F(x int) int { /* " + within + " */ return x + " + number + " }\n"
	}
	text := source("// F adds.", "now")
	compiled := func(text string) bool {
		if err := os.WriteFile(filepath.Join(dir, "p/p.go"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		r := run(t, dir, nil, "build", "-v", "-o", "prog", ".")
		if r.code != 0 {
			t.Fatal(r.stderr)
		}
		return strings.Contains(r.stderr, "example.com/c/p\n")
	}
	if !compiled(text) {
		t.Fatal("p was not compiled at first")
	}
	for _, edit := range []struct {
		old, new string
		compiles bool
	}{
		{"// F adds.", "// F adds numbers.", false},
		{"now", "new", false},
		{"// F adds.", "//go:noinline", true},
		{"// F adds.", "// F adds\n// numbers.", true},
		{"now", "later", true}, // what follows is in another column
		{"return x", "return -x", true},
	} {
		if compiled(strings.Replace(text, edit.old, edit.new, 1)) != edit.compiles {
			t.Errorf("%q instead of %q: compiled %v", edit.new, edit.old, !edit.compiles)
		}
	}
	// What is wrong is said, whatever was compiled before.
	os.WriteFile(filepath.Join(dir, "p/p.go"), []byte(strings.Replace(text, "adds", "\x00", 1)), 0o666)
	if r := run(t, dir, nil, "build", "-o", "prog", "."); !strings.Contains(r.stderr, "NUL") {
		t.Errorf("a comment with a zero: %d %s", r.code, r.stderr)
	}
}
