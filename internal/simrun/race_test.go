package simrun

import "testing"

func TestRaceKind(t *testing.T) {
	const first, second = "  main.f()\n\t/src/a.go:10 +0x8a\n  main.main()\n\t/src/a.go:3 +0x8a\n", "  main.g()\n\t/src/a.go:12\n"
	report := func(one, other string) *Run {
		return &Run{Output: []byte("==================\nWARNING: DATA RACE\nRead of 8 bytes at 0x34afa0 by goroutine 5:\n" + one +
			"\nPrevious write of 8 bytes at 0x34afa0 by goroutine 4:\n" + other +
			"\nGoroutine 5 (running) created by main.main in goroutine 1\n\t/src/a.go:1 +0x9a\n")}
	}
	const want = "DATA RACE: /src/a.go:10 and /src/a.go:12"
	if got := report(first, second).Kind(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := report(second, first).Kind(); got != want {
		t.Errorf("the other way round: %q, want %q", got, want)
	}
	if got := report(second, second).Kind(); got == want {
		t.Errorf("another race is of the same kind")
	}
	if got := (&Run{Output: []byte("panic: DATA RACE\n")}).Kind(); got != "panic: DATA RACE" {
		t.Errorf("no race: %q", got)
	}
}
