package netpoll

import (
	"fmt"
	"testing"

	"loam/rt/park"
	"loam/rt/timer"
)

func explore(t *testing.T, setup func(x *park.Model, d *Desc) func(stuck []*park.G) string) {
	t.Helper()
	x := &park.Model{Bound: 2, Runs: 100000}
	if err := x.Explore(func(x *park.Model) func([]*park.G) string {
		shared.free, shared.waiting = nil, 0
		d := &Desc{}
		for k := range d.dirs {
			d.dirs[k].desc = d
			d.dirs[k].timer.Fire = fireDeadline
		}
		judge := setup(x, d)
		return func(stuck []*park.G) string {
			// Waking makes threads, and threads without P take a Desc's lock.
			if x.WakeHeld {
				return "threads are woken for a timer with the lock held"
			}
			return judge(stuck)
		}
	}); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d schedules", x.Schedules)
}

func ready(d *Desc, k int) {
	d.mu.Lock()
	g := d.event(k)
	d.mu.Unlock()
	ready2(g, nil)
}

// A reader in internal/poll's pattern sees data that arrives at any moment.
func TestEventIsNotLost(t *testing.T) {
	explore(t, func(x *park.Model, d *Desc) func([]*park.G) string {
		data, read := 0, 0
		x.Go("reader", func() {
			for read < 2 {
				if err := d.reset(reading); err != noError {
					panic(err)
				}
				park.Point()
				if data > 0 {
					data--
					read++
					continue
				}
				park.Point()
				if err := d.wait(reading, true); err != noError {
					panic(err)
				}
			}
		})
		x.Go("kernel", func() {
			data++
			ready(d, reading)
			park.Point()
			data++
			ready(d, reading)
		})
		return func(stuck []*park.G) string {
			if len(stuck) > 0 || read != 2 || shared.waiting != 0 {
				return fmt.Sprint("read ", read, " waiting ", shared.waiting)
			}
			return ""
		}
	})
}

// Close ends waits in both directions; a deadline ends one; the order does not matter.
func TestCloseAndDeadline(t *testing.T) {
	explore(t, func(x *park.Model, d *Desc) func([]*park.G) string {
		var res [2]int
		for k := range res {
			res[k] = -1
			x.Go(fmt.Sprint("w", k), func() { res[k] = d.wait(k, true) })
		}
		x.Go("deadline", func() {
			d.setDeadline(5, true, true)
			d.setDeadline(9, true, true)
			x.Clock += 5
			timer.RunAll(x.Clock)
			if res[0] == errTimeout {
				panic("too early")
			}
			d.setDeadline(-1, true, false)
		})
		x.Go("close", func() { d.unblock() })
		return func(stuck []*park.G) string {
			if len(stuck) > 0 || res[0] != errClosing && res[0] != errTimeout || res[1] != errClosing || shared.waiting != 0 {
				return fmt.Sprint(res, " stuck ", len(stuck))
			}
			return ""
		}
	})
}

// A deadline that passes wakes the reader with errTimeout, whenever it is set.
func TestDeadline(t *testing.T) {
	explore(t, func(x *park.Model, d *Desc) func([]*park.G) string {
		res := -1
		x.Go("reader", func() { res = d.wait(reading, true) })
		x.Go("clock", func() {
			d.setDeadline(10, true, false)
			d.setDeadline(20, true, false) // later: the timer stays
			x.Clock = 15
			timer.RunAll(x.Clock)
			if res != -1 {
				panic("deadline that was moved has fired")
			}
			x.Clock = 30
			timer.RunAll(x.Clock)
		})
		return func(stuck []*park.G) string {
			if res != errTimeout || len(stuck) > 0 || len(x.WakeLog) == 0 {
				return fmt.Sprint(res, len(stuck), x.WakeLog)
			}
			return ""
		}
	})
}
