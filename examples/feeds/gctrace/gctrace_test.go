package gctrace

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	const text = `gc 1 @0.005s 3%: 0.010+0.50+0.002 ms clock, 0.020+0.30/0.40/0+0.004 ms cpu, 3->4->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P
something else
gc 2 @0.010s 3%: 0.008+1+0 ms clock, 0.020+0.30/0.40/0+0.004 ms cpu, 3->4->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)
`
	total, rest := Parse(text)
	if total.Collections != 2 || total.Clock != 1520*time.Microsecond || total.Mean() != 760*time.Microsecond {
		t.Errorf("got %+v, mean %v", total, total.Mean())
	}
	if rest != "something else\n" {
		t.Errorf("rest %q", rest)
	}
	if v := Field("feeds a=1 bc=2", "bc"); v != "2" {
		t.Errorf("field %q", v)
	}
}
