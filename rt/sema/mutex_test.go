package sema

import (
	"fmt"
	"math/rand"
	"testing"

	"loam/rt/park"
)

// What package sync does in line (overlay/sync/mutexfree.go, overlay/internal/sync).

func (m *Mutex) lock() {
	if !park.Cas32(&m.state, 0, held) {
		m.LockSlow()
	}
}

func (m *Mutex) tryLock() bool {
	old := park.Load32(&m.state)
	return old&(held|reserved) == 0 && park.Cas32(&m.state, old, old|held)
}

func (m *Mutex) unlock() {
	if left := park.Add32(&m.state, ^uint32(0)); left != 0 && !m.UnlockSlow(left) {
		panic("not locked")
	}
}

// mutexSchedule is goroutines that each lock a Mutex some times, and one that tries to. Nobody is
// left asleep, one at a time is inside, and the state is 0 in the end.
func mutexSchedule(goroutines, times int) func(x *park.Model) func([]*park.G) string {
	return func(x *park.Model) func([]*park.G) string {
		var m Mutex
		inside, n, tried := 0, 0, 0
		enter := func() {
			if inside++; inside != 1 {
				panic("two inside")
			}
			x.Clock++ // goroutines that wait meanwhile get later
			park.Point()
			inside--
			n++
		}
		for i := range goroutines {
			x.Go(fmt.Sprint("g", i), func() {
				for range times {
					m.lock()
					enter()
					m.unlock()
				}
			})
		}
		x.Go("try", func() {
			if m.tryLock() {
				tried++
				enter()
				m.unlock()
			}
		})
		return func(stuck []*park.G) string {
			if len(stuck) > 0 || n != goroutines*times+tried || m != (Mutex{}) {
				return fmt.Sprintf("%d stuck, %d times inside, state %#x, semaphore %d", len(stuck), n, m.state, m.sema)
			}
			return ""
		}
	}
}

// TestMutexSchedules looks at schedules with two switches, all of two goroutines, and at random
// ones with many, where waiters are never late, always, and late after others have been inside.
func TestMutexSchedules(t *testing.T) {
	defer func(patience int64, spins int) { mutexPatience, modelSpins = patience, spins }(mutexPatience, modelSpins)
	for _, patience := range []int64{1e6, -1, 0, 1} {
		for _, spins := range []int{0, 1} {
			mutexPatience, modelSpins = patience, spins
			t.Run(fmt.Sprintf("%d/%d", patience, spins), func(t *testing.T) {
				explore(t, 2, mutexSchedule(2, 2))
				explore(t, 2, mutexSchedule(3, 1))
				for _, goroutines := range []int{2, 3, 4} {
					x := &park.Model{Bound: 30, Random: rand.New(rand.NewSource(int64(goroutines))), Runs: 5000}
					body := mutexSchedule(goroutines, 3)
					if err := x.Explore(func(x *park.Model) func([]*park.G) string {
						table = [bucketCount]bucket{}
						return body(x)
					}); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	}
}
