package sema

import (
	"fmt"
	"math/rand"
	"testing"

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

// A notification is lost on nobody: two notifies wake two of three waiters or
// their tickets.
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
			before = l.wait
			l.NotifyAll()
		})
		return func(stuck []*park.G) string {
			for n := uint32(0); n < before; n++ {
				if !woken[n] {
					return fmt.Sprint("ticket ", n, " not woken")
				}
			}
			if len(stuck)+len(woken) != 3 {
				return "waiters lost"
			}
			return ""
		}
	})
}
