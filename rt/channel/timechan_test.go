package channel

import (
	"fmt"
	"testing"
	"unsafe"

	"loam/rt/park"
	"loam/rt/timer"
)

// sendLate plays the part of time.sendTime: it sends the time at which the timer was due.
var modelNow func() int64

func sendLate(arg any, seq uintptr, late int64) {
	c := (*[2]*Chan)(unsafe.Pointer(&arg))[1]
	v := int(modelNow() - late)
	c.send(unsafe.Pointer(&v), false)
}

// After Stop returns, nothing is received; if it returned false, the value was.
func TestTimerStopAgainstRecv(t *testing.T) {
	explore(t, 2, func(x *park.Model) func([]*park.G) string {
		modelNow = func() int64 { return x.Clock }
		var c *Chan
		var tt *TimeTimer
		made := func() {
			if tt == nil {
				c = newInts(1)
				tt = NewTimer(10, 0, sendLate, c, c)
			}
		}
		got, stopped, ended := 0, false, false
		x.Go("recv", func() {
			made()
			got, _ = c.recvInt()
			if ended && stopped {
				panic("received after Stop")
			}
		})
		x.Go("clock", func() {
			made()
			x.Clock = 12
			timer.RunAll(x.Clock)
		})
		x.Go("stop", func() { made(); stopped = tt.Stop(); ended = true })
		return func(stuck []*park.G) string {
			if stopped && len(stuck) == 1 && got == 0 && timer.NextAll() == timer.Never {
				return ""
			}
			if !stopped && got == 10 && len(stuck) == 0 {
				return ""
			}
			return fmt.Sprint("stopped ", stopped, " got ", got, " stuck ", names(stuck))
		}
	})
}

// Two selects wait on a ticker and another channel: ticks are delivered once, and
// when nobody waits the timer is in no heap.
func TestTickerSelect(t *testing.T) {
	explore(t, 1, func(x *park.Model) func([]*park.G) string {
		modelNow = func() int64 { return x.Clock }
		var c, other *Chan
		var tt *TimeTimer
		made := func() {
			if tt == nil {
				c, other = newInts(1), newInts(0)
				tt = NewTimer(10, 10, sendLate, c, c)
			}
		}
		var got []int
		wait := func() {
			made()
			v := 0
			switch i, _ := Select([]Case{{c, unsafe.Pointer(&v)}, {other, nil}}, 0, true); i {
			case 0:
				got = append(got, v)
			case 1:
				got = append(got, 0)
			}
		}
		x.Go("a", wait)
		x.Go("b", wait)
		x.Go("clock", func() {
			made()
			x.Clock = 25
			timer.RunAll(x.Clock)
			other.close()
			timer.RunAll(x.Clock)
		})
		return func(stuck []*park.G) string {
			if len(stuck) > 0 || len(got) != 2 || got[0]+got[1] > 10 || timer.NextAll() != timer.Never {
				return fmt.Sprint(got, " stuck ", names(stuck), timer.NextAll())
			}
			return ""
		}
	})
}
