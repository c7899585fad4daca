package main

import (
	"regexp"
	"testing"
)

// TestOnce: a pair has a processor each, and the next round exchanges them.
func TestOnce(t *testing.T) {
	cpus, err := processors()
	if err != nil {
		t.Fatal(err)
	}
	if len(cpus) < 2 {
		t.Skip("one processor")
	}
	allowed := regexp.MustCompile(`Cpus_allowed_list:\s*(\d+)\n`)
	var seen [2][2]string
	for round := range seen {
		outs, err := plan{paired: true}.once([2]string{"/bin/cat", "/bin/cat"}, []string{"/proc/self/status"}, round)
		if err != nil {
			t.Fatal(err)
		}
		for i, out := range outs {
			m := allowed.FindSubmatch(out)
			if m == nil {
				t.Fatalf("program %d of round %d has more than a processor:\n%s", i, round, out)
			}
			seen[round][i] = string(m[1])
		}
	}
	if seen[0][0] == seen[0][1] || seen[0] != [2]string{seen[1][1], seen[1][0]} {
		t.Errorf("processors by round and program: %v", seen)
	}
	if after, err := processors(); err != nil || len(after) != len(cpus) {
		t.Errorf("afterwards the bench has %v of %v: %v", after, cpus, err)
	}
	if _, err := (plan{paired: true}).once([2]string{"/bin/cat", "/bin/false"}, nil, 0); err == nil {
		t.Error("a program fails, and once does not")
	}
}
