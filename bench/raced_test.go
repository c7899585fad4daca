package main

import "testing"

func TestWithRaces(t *testing.T) {
	plain := "sorting\ttime\t\t100.0\tns\nsorting\tmemory\t\t4.00\tMB\n"
	raced := "sorting\ttime\t\t250.0\tns\nsorting\tmemory\t\t20.00\tMB\n"
	got, err := withRaces([]byte(plain), []byte(raced))
	want := "sorting\ttime\t\t250.0\tns\nsorting\tslowdown\t\t2.5\ttimes\nsorting\tmemory\t\t20.00\tMB\nsorting\tmore memory\t\t5\ttimes\n"
	if err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for _, bad := range [][2]string{{"sorting 5\n", raced}, {"", raced}, {plain, "sorting\ttime\t\tmuch\tns\n"}, {"sorting\ttime\t\t0\tns\n", raced}} {
		if got, err := withRaces([]byte(bad[0]), []byte(bad[1])); err == nil {
			t.Errorf("%q is made of %q", got, bad)
		}
	}
}
