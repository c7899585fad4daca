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
	if len(seen) < 60000 {
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
	for name, text := range program(suite.Sample(list, 1000, (*test).String), "go1.26") {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
			t.Error(err)
		}
	}
}

// TestAnswers holds that each test has one answer, in one line.
func TestAnswers(t *testing.T) {
	got, err := split([]byte("\n#0  1 called\n\n#1 2\n panic: own\n"), 2)
	if err != nil || got[0] != "1 called" || got[1] != "2 panic: own" {
		t.Error(got, err)
	}
	for _, out := range []string{"\n#0 1\n", "\n#1 1\n\n#0 1\n", "\n#0 1\n\n#1 1\n\n#2 1\n", ""} {
		if got, err := split([]byte(out), 2); err == nil {
			t.Errorf("%q has answers %q", out, got)
		}
	}
}
