package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"loam/conformance/suite"
)

// TestPlaces holds that names of places are the places' own, that the list names only places that
// there are, and that what is generated is Go.
func TestPlaces(t *testing.T) {
	seen := map[suite.Place]bool{}
	list := tests()
	for _, test := range list {
		if p := test.place(); seen[p] {
			t.Errorf("two places are %q", p)
		}
		seen[test.place()] = true
	}
	if len(seen) < 5000 {
		t.Errorf("only %d places", len(seen))
	}
	for _, release := range []string{"go1.26", "go1.27"} {
		known, err := suite.ReadPlaces("failures.txt", release)
		if err != nil {
			t.Fatal(err)
		}
		for p := range known {
			if !seen[p] {
				t.Errorf("failures.txt: there is no place %q", p)
			}
		}
	}
	for name, text := range program(list, "go1.26") {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
			t.Error(err)
		}
	}
}

// TestAnswer reads tracebacks.
func TestAnswer(t *testing.T) {
	text := `panic: own

goroutine 1 [running]:
table/support.one.func2()
	/tmp/table/support/support.go:130 +0x1
panic({0x1, 0x2})
	/usr/local/go/src/runtime/panic.go:1 +0x2
table/p0.(*m3).get(...)
	/tmp/table/p0/p.go:12
table/p0.c3({0x1?, 0x2})
	/tmp/table/p0/p.go:20 +0x3
table/support.one({0x1, 0x2})
	/tmp/table/support/support.go:140 +0x4
main.main()
	/tmp/table/main.go:8 +0x5
`
	want := "panic: own\n\t\tp0.(*m3).get p0/p.go:12\n\t\tp0.c3 p0/p.go:20"
	if got := answer(text); got != want {
		t.Errorf("got %s", got)
	}
}
