package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/sums.txt")

// TestSums holds what each program computes against what gc's code computed: a program that
// measures wrong results measures nothing.
func TestSums(t *testing.T) {
	var sums strings.Builder
	for _, b := range benchmarks {
		sink, sinkF = 0, 0
		b.f()
		fmt.Fprintln(&sums, b.name, sink, sinkF)
	}
	const golden = "testdata/sums.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(sums.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	wanted := strings.Split(string(want), "\n")
	for i, line := range strings.Split(sums.String(), "\n") {
		if i >= len(wanted) || line != wanted[i] {
			t.Errorf("line %d is %q, want %q", i+1, line, wanted[min(i, len(wanted)-1)])
		}
	}
}
