package timer

import (
	"fmt"
	"math/rand"
	"testing"
	"unsafe"

	"loam/rt/park"
)

type probe struct {
	t     Timer
	fired []int64
}

func fireProbe(t *Timer, now, late int64) {
	p := (*probe)(unsafe.Pointer(t))
	p.fired = append(p.fired, now-late)
}

// The heap against a plain list, one goroutine.
func TestHeapAgainstList(t *testing.T) {
	x := &park.Model{}
	err := x.Explore(func(x *park.Model) func([]*park.G) string {
		bad := ""
		x.Go("t", func() {
			rng := rand.New(rand.NewSource(1))
			var timers [200]probe
			due := map[int]int64{}
			for i := range timers {
				timers[i].t.Fire = fireProbe
			}
			for step := 0; step < 20000 && bad == ""; step++ {
				i := rng.Intn(len(timers))
				_, running := due[i]
				switch rng.Intn(5) {
				case 0, 1, 2:
					when := x.Clock + int64(rng.Intn(1000))
					if timers[i].t.Start(when, 0) != running {
						bad = "Start"
					}
					due[i] = when
				case 3:
					if timers[i].t.Stop() != running {
						bad = "Stop"
					}
					delete(due, i)
				case 4:
					x.Clock += int64(rng.Intn(30))
					next := Run(0, x.Clock)
					want := int64(Never)
					for i, when := range due {
						if when <= x.Clock {
							if f := timers[i].fired; len(f) != 1 || f[0] != when {
								bad = fmt.Sprint("timer fired ", f, " want ", when)
							}
							timers[i].fired = nil
							delete(due, i)
						} else {
							want = min(want, when)
						}
					}
					if next != want || NextAll() != want {
						bad = "next"
					}
					for i := range timers {
						if len(timers[i].fired) != 0 {
							bad = "fired without being due"
						}
					}
				}
			}
		})
		return func(stuck []*park.G) string { return bad }
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Stop and Start from two Ps against two runners: the number of times the
// timer fires is what the results of Start and Stop say.
func TestStopStartRun(t *testing.T) {
	x := &park.Model{Bound: 2, Runs: 100000}
	err := x.Explore(func(x *park.Model) func([]*park.G) string {
		p := &probe{}
		p.t.Fire = fireProbe
		x.Clock = 10
		starts, cancelled := 0, 0
		start := func(when int64) {
			if p.t.Start(when, 0) {
				cancelled++
			}
			starts++
		}
		x.Go("a", func() { start(5); start(7) })
		x.Go("b", func() {
			start(6)
			if p.t.Stop() {
				cancelled++
			}
		})
		x.Go("run", func() { RunAll(10); RunAll(10) })
		return func(stuck []*park.G) string {
			left := 0
			if p.t.pos != 0 {
				left = 1
			}
			if len(stuck) > 0 || starts != cancelled+left+len(p.fired) {
				return fmt.Sprint(starts, " starts, ", cancelled, " cancelled, ", left, " left, fired ", p.fired)
			}
			if left == 1 && NextAll() == Never || left == 0 && NextAll() != Never {
				return "NextAll"
			}
			return ""
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(x.Schedules, "schedules")
}

// A sleeper wakes once, also if the timer runs at the moment it parks.
func TestSleep(t *testing.T) {
	x := &park.Model{Bound: 3, Runs: 100000}
	err := x.Explore(func(x *park.Model) func([]*park.G) string {
		woke := 0
		x.Go("sleeper", func() { SleepFor(5); woke++ })
		x.Go("clock", func() {
			for i := 0; i < 3; i++ {
				x.Clock += 4
				RunAll(x.Clock)
			}
		})
		return func(stuck []*park.G) string {
			if woke == 0 {
				// The clock goroutine was through before the sleeper started its timer.
				if NextAll() == Never {
					return "sleeper lost"
				}
			} else if len(stuck) > 0 {
				return "stuck"
			}
			return ""
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(x.Schedules, "schedules")
}

// Timers of Ps that are gone go on in heap 0.
func TestShrink(t *testing.T) {
	x := &park.Model{Runs: 1}
	err := x.Explore(func(x *park.Model) func([]*park.G) string {
		var ps [40]probe
		for i := 0; i < 4; i++ {
			x.Go(fmt.Sprint("g", i), func() {
				for k := i; k < len(ps); k += 4 {
					ps[k].t.Fire = fireProbe
					ps[k].t.Start(int64(100-k), 0)
				}
			})
		}
		x.Go("shrink", func() {
			if Shrink(1) != 61 || heaps[1].n != 0 || heaps[1].first != Never {
				panic("not moved")
			}
			ps[39].t.Stop()
			if ps[38].t.Start(5, 0) != true || Run(0, 100) != Never {
				panic("run")
			}
		})
		return func(stuck []*park.G) string {
			for k := range ps {
				if n := len(ps[k].fired); n != 1 && k != 39 || k == 39 && n != 0 {
					return fmt.Sprint("timer ", k, " fired ", n)
				}
			}
			return ""
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Nobody sleeps past a timer because its heap is left out of the looks: one P starts and stops
// timers, another stops them, too, and empties the heap, which takes it out of filled, and a third,
// which says until when it sleeps, looks. As in the scheduler (pollIdle, WakeForTimer), either the
// one that sleeps sees the timer, or who starts it sees that somebody sleeps.
func TestFilled(t *testing.T) {
	for _, rests := range []bool{false, true} {
		x := &park.Model{Bound: 3, Runs: 200000}
		err := x.Explore(func(x *park.Model) func([]*park.G) string {
			a, b := &probe{}, &probe{}
			a.t.Fire, b.t.Fire = fireProbe, fireProbe
			until, next := int64(0), int64(0)
			told := int64(Never)
			start := func(p *probe, when int64) {
				p.t.Start(when, 0)
				if u := park.Load64(&until); u != 0 && when < u {
					told = min(told, when)
				}
			}
			x.Go("starts", func() {
				start(a, 50)
				a.t.Stop()
				start(b, 40)
			})
			x.Go("stops", func() {
				if rests {
					Rest(0)
				}
				a.t.Stop()
				Rest(0)
			})
			x.Go("sleeps", func() {
				park.Store64(&until, Never)
				next = NextAll()
			})
			return func(stuck []*park.G) string {
				if n := NextAll(); n != 40 {
					return fmt.Sprint("the earliest time is ", n)
				}
				if min(next, told) > 40 {
					return fmt.Sprint("a thread sleeps until ", next, " and is told of ", told)
				}
				for i := range heaps {
					if h := &heaps[i]; h.listed != filled.Has(int32(i)) || h.n > 0 && !h.listed {
						return fmt.Sprint("heap ", i, " has ", h.n, ", listed: ", h.listed)
					}
				}
				return ""
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(x.Schedules, "schedules")
	}
}
