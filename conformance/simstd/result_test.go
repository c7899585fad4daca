package main

import (
	"fmt"
	"strings"
	"testing"
)

const said = `--- PASS: TestGood (20 runs, 18 of them different, about 41 steps each, 0.07s)
    2 runs were repeated, and were the same
    at 36 of 40 places where something is decided, all that can happen has been tried (90 %)
--- FAIL: TestBad (seed 3, of 5 runs): bad_test.go:9: ok  	is what it said
    it fails in the usual order, too
    again: loam test -run '^TestBad$' sync -sim.seed=3
--- FAIL: TestOther
    two runs with seed 7 differ: status 0x0 and 0x0, hash 0x1 and 0x2
    Something that the simulation does not know decides what the program does
--- PASS: TestLast (20 runs, 18 of them different, about 41 steps each, 0.07s)
FAIL	sync	1.5s
FAIL
`

// Results have what was said of them, and count as failures unless they are listed; a difference
// always does.
func TestResults(t *testing.T) {
	results, problem := parseOutput(said)
	if problem != "" || len(results) != 4 {
		t.Fatalf("%q, %+v", problem, results)
	}
	known, err := parseList("# comment\nsync TestBad assumes what nobody has promised\nsync TestOther bug\twhich is not the test's\n", "go1.26")
	if err != nil {
		t.Fatal(err)
	}
	var tally tally
	for i, want := range []result{
		{test: "TestGood", runs: 20, again: 2}, {test: "TestBad", failed: true, runs: 5},
		{test: "TestOther", failed: true, differs: true}, {test: "TestLast", runs: 20},
	} {
		r := results[i]
		if !strings.HasPrefix(r.text, "--- ") || strings.Count(r.text, "\n--- ") > 0 {
			t.Errorf("%s: %q", r.test, r.text)
		}
		tally.add(r, known[key{"sync", r.test}])
		line := verdict("sync", r, known)
		if (line != "") != want.differs {
			t.Errorf("%s: %q", r.test, line)
		}
		if r.text = ""; r != want {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
	if got := tally.String(); got != "4 tests, 45 runs, 2 of them twice, 1 failed, 1 failed that are listed" {
		t.Error(got)
	}
	if line := verdict("net", results[1], known); !strings.HasPrefix(line, "net TestBad fails:\n--- FAIL: TestBad") {
		t.Error(line)
	}
	if line := verdict("sync", result{test: "TestBad"}, known); line != "sync TestBad passes, listed as assumes\n" {
		t.Error(line)
	}
}

// What is not whole is a problem.
func TestProblems(t *testing.T) {
	for _, text := range []string{"", "a.go:1: no\nFAIL\tsync [build failed]\n", "--- PASS: TestGood (20 runs, 18 of them\n"} {
		if _, problem := parseOutput(text); problem == "" {
			t.Errorf("none with %q", text)
		}
	}
}

func TestList(t *testing.T) {
	for _, text := range []string{"sync TestA bug\n", "sync TestA none it is\n", "sync TestA bug one\nsync TestA bug two\n"} {
		if _, err := parseList(text, "go1.26"); err == nil {
			t.Errorf("no error with %q", text)
		}
	}
	l, err := parseList("go1.27 sync TestA bug it is\nsync TestB long it is\nsync TestC bug it is\nnet TestD bug it is", "go1.26")
	if err != nil || len(l) != 3 {
		t.Fatalf("%v, %v", l, err)
	}
	for want, o := range map[string]options{"^(TestB|TestC)$": {}, "^(TestB)$": {listed: true}, "": {listed: true, only: "TestB"}} {
		if got := l.skipped("sync", &o); got != want {
			t.Errorf("%+v: %q", o, got)
		}
	}
	if l, err = parseList("sync TestA leaks it waits for ever\nsync TestB bug it is\nsync TestS stalls it sleeps\n", "go1.26"); err != nil {
		t.Fatal(err)
	}
	for only, want := range map[string]string{"": "[[-skip=^(TestA|TestB|TestS)$] [-sim.leaks=false -run=^(TestA)$] [-sim.stall=2ms -run=^(TestS)$]]", "TestC": "[[-skip=^(TestA|TestB|TestS)$ -run=TestC]]"} {
		var flags [][]string
		for _, p := range (&options{only: only}).passes("sync", l) {
			flags = append(flags, p.flags)
		}
		if got := fmt.Sprint(flags); got != want {
			t.Errorf("-only=%s: %s", only, got)
		}
	}
}
