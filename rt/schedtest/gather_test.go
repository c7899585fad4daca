package schedtest

import (
	"fmt"
	"testing"
	"time"

	"loam/internal/loamtest"
)

// TestGathered wants a program with very many timers to be woken for some of them at a time: every
// half a millisecond (gatherTimers in rt/sched), and here twice as often at most. Where a thread is
// woken for each it sleeps four times as often, whatever that costs.
func TestGathered(t *testing.T) {
	exe := loamtest.Build(t, loamtest.Command(t), "testdata/gathered/main.go")
	for _, procs := range []string{"GOMAXPROCS=1", "GOMAXPROCS=2", "GOMAXPROCS=5"} {
		out, state := loamtest.Run(t, time.Minute, []string{procs}, exe)
		var micros, sleeps int64
		if n, err := fmt.Sscan(out, &micros, &sleeps); n != 2 || !state.Success() {
			t.Fatalf("%s: %v, %v\n%s", procs, err, state, loamtest.Clip(out))
		}
		if most := micros / 250; sleeps > most {
			t.Errorf("%s: threads slept %d times in %d ms, more than %d times", procs, sleeps, micros/1000, most)
		}
	}
}
