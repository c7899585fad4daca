package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMidText: a function is shown after each pass, as text, again from the cache, and as a page.
func TestMidText(t *testing.T) {
	dir := module(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- m.go --\npackage main\n\ntype s struct{ n int }\n\n"+
		"func (x *s) next() int { x.n++; return x.n }\n\nfunc both(x *s) (int, int) { return x.n, x.next() }\n\nfunc main() { println(both(&s{})) }\n")
	for range 2 {
		r := run(t, dir, nil, "build", "-gcflags=-d=mid=both", "-o", "prog", ".")
		if r.code != 0 || !strings.Contains(r.stderr, "after returned:\nfunc main.both(") {
			t.Errorf("code %d: %s", r.code, r.stderr)
		}
	}
	for range 2 {
		r := run(t, dir, []string{"LOAMMID=(*s).next"}, "build", "-o", "prog", ".")
		page, err := os.ReadFile(filepath.Join(dir, "mid.html"))
		if r.code != 0 || err != nil || !strings.Contains(string(page), "x.n++; return x.n") ||
			!strings.Contains(string(page), "after returned") {
			t.Errorf("code %d: %s %v %s", r.code, r.stderr, err, page)
		}
		os.Remove(filepath.Join(dir, "mid.html"))
	}
}
