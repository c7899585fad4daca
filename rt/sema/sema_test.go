package sema

import (
	"fmt"
	"math/rand"
	"testing"
	"unsafe"

	"loam/rt/park"
)

func explore(t *testing.T, bound int, setup func(x *park.Model) func(stuck []*park.G) string) {
	t.Helper()
	x := &park.Model{Bound: bound, Runs: 100000}
	if err := x.Explore(func(x *park.Model) func([]*park.G) string {
		table = [bucketCount]bucket{}
		return setup(x)
	}); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d schedules", x.Schedules)
}

// As many acquires succeed as there are releases; nobody sleeps beside a free unit.
func TestAcquireRelease(t *testing.T) {
	for _, acquirers := range []int{2, 3} {
		explore(t, 2, func(x *park.Model) func([]*park.G) string {
			sem := new(uint32)
			got := 0
			for i := 0; i < acquirers; i++ {
				x.Go(fmt.Sprint("a", i), func() { Acquire(sem, i == 1, park.Semacquire, 0); got++ })
			}
			for i := 0; i < 2; i++ {
				x.Go(fmt.Sprint("r", i), func() { Release(sem, i == 0, 0) })
			}
			return func(stuck []*park.G) string {
				if got != 2 || len(stuck) != acquirers-2 || *sem != 0 {
					return fmt.Sprint(got, " acquired, ", len(stuck), " stuck, word ", *sem)
				}
				for i := range table {
					if int(table[i].waiting) != 0 && int(table[i].waiting) != len(stuck) {
						return "waiting count"
					}
				}
				return ""
			}
		})
	}
}

// The mutual exclusion of a lock in the style of sync.Mutex's slow path.
func TestMutualExclusion(t *testing.T) {
	explore(t, 2, func(x *park.Model) func([]*park.G) string {
		sem := new(uint32)
		*sem = 1
		in, n := 0, 0
		for i := 0; i < 3; i++ {
			x.Go(fmt.Sprint("g", i), func() {
				Acquire(sem, false, park.MutexLock, 0)
				if in++; in != 1 {
					panic("two inside")
				}
				park.Point()
				in--
				n++
				Release(sem, false, 0)
			})
		}
		return func(stuck []*park.G) string {
			if len(stuck) > 0 || n != 3 || *sem != 1 {
				return fmt.Sprint("stuck ", len(stuck), " n ", n, " word ", *sem)
			}
			return ""
		}
	})
}

// The search tree against a map, with addresses forced into one bucket.
func TestTree(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	words := make([]uint32, 100000)
	var same []*uint32
	for i := range words {
		if b, _ := bucketOf(&words[i]); b == &table[7] {
			same = append(same, &words[i])
		}
	}
	same = same[:min(len(same), 60)]
	var b bucket
	queues := map[*uint32][]*waiter{}
	for step := 0; step < 100000; step++ {
		addr := same[rng.Intn(len(same))]
		_, hash := bucketOf(addr)
		if rng.Intn(2) == 0 {
			w := &waiter{addr: addr, hash: hash}
			if lifo := rng.Intn(4) == 0; lifo {
				b.insert(w, true)
				queues[addr] = append([]*waiter{w}, queues[addr]...)
			} else {
				b.insert(w, false)
				queues[addr] = append(queues[addr], w)
			}
			continue
		}
		link := b.find(addr, hash)
		q := queues[addr]
		if (*link == nil) != (len(q) == 0) {
			t.Fatal("find", step)
		}
		if *link != nil {
			if w := unqueue(link); w != q[0] {
				t.Fatal("wrong waiter", step)
			}
			queues[addr] = q[1:]
		}
	}
}

// lost returns a parked goroutine that is not among the waiters, who is therefore found by nobody,
// or "".
func lost(x *park.Model, each func(visit func(g *park.G))) string {
	queued := map[*park.G]bool{}
	each(func(g *park.G) { queued[g] = true })
	for _, g := range x.Parked() {
		if !queued[g] {
			return g.Name + " is parked, and in no queue"
		}
	}
	return ""
}

// Whenever the world is stopped, who is parked is in a queue: rt/leak relies on it.
func TestFrozenRelease(t *testing.T) {
	for _, handoff := range []bool{false, true} {
		explore(t, 1, func(x *park.Model) func([]*park.G) string {
			sem := new(uint32)
			found := ""
			for i := range 2 {
				x.Go(fmt.Sprint("a", i), func() { Acquire(sem, false, park.Semacquire, 0) })
			}
			x.Go("r", func() { Release(sem, handoff, 0); Release(sem, handoff, 0) })
			x.Frozen("world", func() {
				found = lost(x, func(visit func(g *park.G)) {
					ForEachWaiter(func(w, semaphore uintptr) { visit((*waiter)(unsafe.Pointer(w)).g) })
				})
			})
			return func([]*park.G) string { return found }
		})
	}
}

func TestFrozenNotify(t *testing.T) {
	for _, notify := range []func(*NotifyList){(*NotifyList).NotifyOne, (*NotifyList).NotifyAll} {
		explore(t, 1, func(x *park.Model) func([]*park.G) string {
			l := new(NotifyList)
			found := ""
			for i := range 3 {
				x.Go(fmt.Sprint("w", i), func() { l.Wait(l.Add()) })
			}
			x.Go("n", func() { notify(l); notify(l) })
			x.Frozen("world", func() {
				found = lost(x, func(visit func(g *park.G)) {
					l.each(func(s *condSleeper) { visit(s.g) })
				})
			})
			return func([]*park.G) string { return found }
		})
	}
}

// each visits those in the ring, then those in the heap.
func (l *NotifyList) each(visit func(*condSleeper)) {
	for s := l.last; s != nil; {
		s = s.next
		visit(s)
		if s == l.last {
			break
		}
	}
	var heap func(s *condSleeper)
	heap = func(s *condSleeper) {
		if s != nil {
			visit(s)
			heap(s.left)
			heap(s.right)
		}
	}
	heap(l.late)
}

// Whichever sleepers come when, and whichever may go: exactly those are taken, also where numbers
// wrap around.
func TestNotifyTake(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for range 3000 {
		l := new(NotifyList)
		start := ^uint32(0) - uint32(rng.Intn(20))
		asleep := map[uint32]bool{}
		drawn, due := start, start
		var coming []uint32
		for range 60 {
			switch rng.Intn(5) {
			case 0, 1:
				coming = append(coming, drawn)
				drawn++
			case 2, 3:
				if len(coming) == 0 {
					continue
				}
				i := rng.Intn(min(len(coming), 1+rng.Intn(8)))
				number := coming[i]
				coming = append(coming[:i], coming[i+1:]...)
				if !below(number, due) {
					l.queue(&condSleeper{number: number})
					asleep[number] = true
				}
			case 4:
				due += uint32(rng.Intn(int(drawn-due) + 1))
				for s := l.take(due); s != nil; s = s.next {
					if !below(s.number, due) || !asleep[s.number] {
						t.Fatalf("number %d is taken, %d may go", s.number-start, due-start)
					}
					delete(asleep, s.number)
				}
				for number := range asleep {
					if below(number, due) {
						t.Fatalf("number %d still sleeps, %d may go", number-start, due-start)
					}
				}
				n := 0
				l.each(func(s *condSleeper) {
					if !asleep[s.number] {
						t.Fatalf("number %d is left", s.number-start)
					}
					n++
				})
				if n != len(asleep) {
					t.Fatalf("%d are left of %d", n, len(asleep))
				}
			}
		}
	}
}

// Numbers go in the order in which they were drawn: of three waiters the first two are those that
// two notifiers wake.
func TestNotifyOrder(t *testing.T) {
	explore(t, 2, func(x *park.Model) func([]*park.G) string {
		l := new(NotifyList)
		woken := map[uint32]bool{}
		early := uint32(0)
		for i := 0; i < 3; i++ {
			x.Go(fmt.Sprint("w", i), func() {
				n := l.Add()
				l.Wait(n)
				woken[n] = true
			})
		}
		for i := 0; i < 2; i++ {
			x.Go(fmt.Sprint("n", i), func() {
				if l.drawn == l.due {
					early++ // nobody is there to be notified
				}
				l.NotifyOne()
			})
		}
		return func(stuck []*park.G) string {
			for n := range woken {
				if n >= l.due {
					return fmt.Sprint("number ", n, " was woken, ", l.due, " may go")
				}
			}
			if len(woken) != int(l.due) || len(stuck) != 3-len(woken) || l.due+early < 2 || l.due > 2 {
				return fmt.Sprint(len(woken), " woken, ", len(stuck), " stuck, ", l.due, " may go")
			}
			return ""
		}
	})
}

// A notification is lost on nobody: two notifies wake two of three waiters or
// their numbers.
func TestNotifyList(t *testing.T) {
	explore(t, 2, func(x *park.Model) func([]*park.G) string {
		l := new(NotifyList)
		woken := map[uint32]bool{}
		before := uint32(0)
		for i := 0; i < 3; i++ {
			x.Go(fmt.Sprint("w", i), func() {
				n := l.Add()
				l.Wait(n)
				woken[n] = true
			})
		}
		x.Go("n", func() {
			l.NotifyOne()
			before = l.drawn
			l.NotifyAll()
		})
		return func(stuck []*park.G) string {
			for n := uint32(0); n < before; n++ {
				if !woken[n] {
					return fmt.Sprint("number ", n, " not woken")
				}
			}
			if len(stuck)+len(woken) != 3 {
				return "waiters lost"
			}
			return ""
		}
	})
}
