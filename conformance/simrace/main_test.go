package main

import (
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	got := parse(`--- PASS: TestNoRaceA (30 runs, 2 of them different, about 9 steps each, 0.06s)
--- FAIL: TestRaceB (seed 1, of 1 run): it says so
    ==================
    WARNING: DATA RACE
    Read of 8 bytes
--- FAIL: TestNoRaceC (seed 1, of 1 run): it says so
    panic: WARNING: DATA RACE
--- PASS: TestOther (30 runs, 2 of them different, about 9 steps each, 0.06s)
--- FAIL: TestRaceD (seed 1, of 1 run): it says so
FAIL	racetest
`)
	want := []result{{"TestNoRaceA", "none"}, {"TestRaceB", "race"}, {"TestNoRaceC", "panic: WARNING: DATA RACE"}, {"TestRaceD", "fails"}}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for i, agrees := range []bool{true, true, false, false} {
		if want[i].agrees() != agrees {
			t.Errorf("%v agrees: %v", want[i], !agrees)
		}
	}
}

func TestParseList(t *testing.T) {
	known, err := parseList("# comment\nTestRaceA precise because\ngo1.99 TestRaceB bug because\n", "go1.26")
	if err != nil || len(known) != 1 || known["TestRaceA"] != "precise because" {
		t.Errorf("%q, %v", known, err)
	}
	for _, bad := range []string{"TestRaceA\n", "TestRaceA bug\n", "TestRaceA lazy because\n", "TestRaceA bug x\nTestRaceA bug x\n"} {
		if _, err := parseList(bad, "go1.26"); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
