package channel

import (
	"fmt"
	"math/rand"
	"sort"
	"strings"
	"testing"
	"unsafe"

	"loam/rt/park"
)

// Each test is a small program that rt/park's model runs in every order (up to
// a number of forced switches), with a condition on every outcome.

func newInts(size int) *Chan {
	c, _ := New(8, false, size)
	return c
}

func (c *Chan) sendInt(v int)         { c.send(unsafe.Pointer(&v), true) }
func (c *Chan) trySendInt(v int) bool { return c.send(unsafe.Pointer(&v), false) }

func (c *Chan) recvInt() (v int, ok bool) {
	_, ok = c.recv(unsafe.Pointer(&v), true)
	return v, ok
}

func panics(f func()) (s string) {
	defer func() {
		if p, ok := recover().(park.Plain); ok {
			s = string(p)
		}
	}()
	f()
	return ""
}

func names(gs []*park.G) string {
	var s []string
	for _, g := range gs {
		s = append(s, g.Name+": "+string(g.Reason()))
	}
	sort.Strings(s)
	return strings.Join(s, ", ")
}

func explore(t *testing.T, bound int, setup func(x *park.Model) func(stuck []*park.G) string) {
	t.Helper()
	x := &park.Model{Bound: bound}
	x.Runs = 100000
	if testing.Short() {
		x.Runs = 20000
	}
	if err := x.Explore(setup); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d schedules", x.Schedules)
}

// Every element arrives once, each sender's in order, nobody hangs.
func TestSendRecv(t *testing.T) {
	for size := 0; size <= 2; size++ {
		t.Run(fmt.Sprint("cap", size), func(t *testing.T) {
			explore(t, 1, func(x *park.Model) func([]*park.G) string {
				var c *Chan
				var got []int
				made := func() {
					if c == nil {
						c = newInts(size)
					}
				}
				x.Go("s1", func() {
					made()
					for v := 10; v < 13; v++ {
						c.sendInt(v)
					}
				})
				x.Go("s2", func() { made(); c.sendInt(20); c.sendInt(21) })
				x.Go("r", func() {
					made()
					for i := 0; i < 5; i++ {
						v, ok := c.recvInt()
						if !ok {
							panic("closed")
						}
						got = append(got, v)
					}
				})
				return func(stuck []*park.G) string {
					if len(stuck) > 0 {
						return "stuck: " + names(stuck)
					}
					next := [3]int{1: 10, 2: 20}
					for _, v := range got {
						if v != next[v/10] {
							return "received " + fmt.Sprint(got)
						}
						next[v/10]++
					}
					return ""
				}
			})
		})
	}
}

// Close wakes receivers with the zero value and makes senders panic.
func TestClose(t *testing.T) {
	for size := 0; size <= 1; size++ {
		explore(t, 2, func(x *park.Model) func([]*park.G) string {
			var c *Chan
			var sent, panicked, received, zero int
			made := func() {
				if c == nil {
					c = newInts(size)
				}
			}
			for _, n := range []string{"s1", "s2"} {
				x.Go(n, func() {
					made()
					if panics(func() { c.sendInt(7) }) != "" {
						panicked++
					} else {
						sent++
					}
				})
			}
			x.Go("r", func() {
				made()
				v, ok := c.recvInt()
				if ok && v == 7 {
					received++
				} else if !ok && v == 0 {
					zero++
				} else {
					panic(fmt.Sprint(v, ok))
				}
			})
			x.Go("c", func() { made(); c.close() })
			return func(stuck []*park.G) string {
				if len(stuck) > 0 {
					return "stuck: " + names(stuck)
				}
				if sent+panicked != 2 || received+zero != 1 || received > sent || sent > received+size {
					return fmt.Sprint(sent, " sent, ", panicked, " panicked, ", received, " received, ", zero, " zero")
				}
				return ""
			}
		})
	}
}

// selectInt is a select that sends to the first channels and receives from the others.
func selectInt(sends int, block bool, channels ...*Chan) {
	var v int
	var cases []Case
	for _, c := range channels {
		cases = append(cases, Case{c, unsafe.Pointer(&v)})
	}
	Select(cases, sends, block)
}

// Whenever the world is stopped, who is parked is in the queue of a channel: rt/leak relies on it.
func TestFrozen(t *testing.T) {
	defer func(n int) { dismissMost = n }(dismissMost)
	dismissMost = 2
	cases := map[string]func(a, b *Chan){
		"close":  func(a, b *Chan) { a.close() },
		"send":   func(a, b *Chan) { a.trySendInt(1); b.trySendInt(2) },
		"peek":   func(a, b *Chan) { selectInt(2, false, a, b); selectInt(2, false, a, b) },
		"select": func(a, b *Chan) { selectInt(2, true, a, b) },
	}
	for name, wake := range cases {
		t.Run(name, func(t *testing.T) {
			explore(t, 1, func(x *park.Model) func([]*park.G) string {
				a, b := newInts(0), newInts(0)
				found := ""
				x.Go("r1", func() { a.recvInt() })
				x.Go("r2", func() { selectInt(0, true, a, b) })
				x.Go("r3", func() { a.recvInt() })
				x.Go("w", func() { wake(a, b) })
				x.Frozen("world", func() {
					queued := map[*park.G]bool{}
					for _, q := range []*queue{&a.receivers, &a.senders, &b.receivers, &b.senders} {
						for w := q.first; w != nil; w = w.next {
							queued[w.g] = true
						}
					}
					for _, g := range x.Parked() {
						if !queued[g] {
							found = g.Name + " is parked, and in no queue"
						}
					}
				})
				return func([]*park.G) string { return found }
			})
		})
	}
}

// A non-blocking send must not give up when at every moment either a receiver waits
// or the channel is closed (then it panics).
func TestNonBlockingSendAgainstClose(t *testing.T) {
	explore(t, 3, func(x *park.Model) func([]*park.G) string {
		var c *Chan
		waiting := false
		result := ""
		x.Go("r", func() {
			c = newInts(0)
			v, ok := c.recvInt()
			_, _ = v, ok
		})
		x.Go("c", func() {
			if c != nil && c.receivers.first != nil {
				waiting = true
				c.close()
			}
		})
		x.Go("s", func() {
			if c == nil || !waiting && c.receivers.first == nil {
				return
			}
			result = "sent"
			if s := panics(func() {
				if !c.trySendInt(1) {
					result = "gave up"
				}
			}); s != "" {
				result = "panicked"
			}
		})
		return func(stuck []*park.G) string {
			if result == "gave up" {
				return result
			}
			return ""
		}
	})
}

// A select that can send or receive on two channels against single partners.
func TestSelect(t *testing.T) {
	for _, same := range []bool{false, true} {
		explore(t, 2, func(x *park.Model) func([]*park.G) string {
			var a, b *Chan
			made := func() {
				if a == nil {
					a = newInts(0)
					b = newInts(0)
					if same {
						b = a
					}
				}
			}
			var index, v, out int = -1, 0, 5
			var ok bool
			got := 0
			x.Go("select", func() {
				made()
				cases := []Case{{a, unsafe.Pointer(&out)}, {nil, nil}, {b, unsafe.Pointer(&v)}}
				index, ok = Select(cases, 1, true)
			})
			x.Go("ra", func() {
				made()
				a.recv(unsafe.Pointer(&got), false)
			})
			x.Go("sb", func() { made(); b.sendInt(9) })
			return func(stuck []*park.G) string {
				s := names(stuck)
				switch {
				case index == 0 && !ok && got == 5 && s == "sb: chan send":
					return ""
				case index == 2 && ok && v == 9 && s == "":
					return ""
				case same && index == -1 && got == 9 && s == "select: select":
					return "" // sb's element went to ra
				}
				return fmt.Sprint("index ", index, " ok ", ok, " v ", v, " got ", got, " stuck ", s)
			}
		})
	}
}

// Two selects in opposite directions over the same two channels must meet, and
// must not deadlock on the locks.
func TestSelectMeetsSelect(t *testing.T) {
	explore(t, 1, func(x *park.Model) func([]*park.G) string {
		var a, b *Chan
		made := func() {
			if a == nil {
				a, b = newInts(0), newInts(0)
			}
		}
		i1, i2 := -1, -1
		v1, v2 := 1, 2
		r1, r2 := 0, 0
		x.Go("x", func() {
			made()
			i1, _ = Select([]Case{{a, unsafe.Pointer(&v1)}, {b, unsafe.Pointer(&r1)}}, 1, true)
		})
		x.Go("y", func() {
			made()
			i2, _ = Select([]Case{{b, unsafe.Pointer(&v2)}, {a, unsafe.Pointer(&r2)}}, 1, true)
		})
		return func(stuck []*park.G) string {
			if len(stuck) > 0 {
				return "stuck: " + names(stuck)
			}
			if i1 == 0 && i2 == 1 && r2 == 1 || i1 == 1 && i2 == 0 && r1 == 2 {
				return ""
			}
			return fmt.Sprint(i1, i2, r1, r2)
		}
	})
}

// A waiting select against two partners and a close of one channel: exactly one
// case is served.
func TestSelectRace(t *testing.T) {
	explore(t, 2, func(x *park.Model) func([]*park.G) string {
		var a, b *Chan
		made := func() {
			if a == nil {
				a, b = newInts(0), newInts(1)
			}
		}
		v, index, ok := 0, -1, false
		sent := 0
		x.Go("select", func() {
			made()
			index, ok = Select([]Case{{a, unsafe.Pointer(&v)}, {b, unsafe.Pointer(&v)}}, 0, true)
		})
		x.Go("a", func() {
			made()
			if a.trySendInt(1) {
				sent++
			}
		})
		x.Go("b", func() { made(); b.sendInt(2); b.close() })
		return func(stuck []*park.G) string {
			if len(stuck) > 0 {
				return "stuck: " + names(stuck)
			}
			if index == 0 && ok && v == 1 && sent == 1 && b.Len == 1 || index == 1 && ok && v == 2 && sent == 0 && b.Len == 0 {
				return ""
			}
			return fmt.Sprint("index ", index, " ok ", ok, " v ", v, " sent ", sent, " left ", b.Len)
		}
	})
}

// With a default, a select over two channels of which one is always ready must not
// take the default.
func TestSelectDefault(t *testing.T) {
	explore(t, 2, func(x *park.Model) func([]*park.G) string {
		a, b := (*Chan)(nil), (*Chan)(nil)
		index, v := -2, 0
		x.Go("mover", func() {
			a, b = newInts(1), newInts(1)
			b.sendInt(1)
			a.sendInt(2)
			b.recv(nil, false)
		})
		x.Go("select", func() {
			if b == nil || b.Len == 0 && a.Len == 0 {
				return
			}
			index, _ = Select([]Case{{a, unsafe.Pointer(&v)}, {b, unsafe.Pointer(&v)}}, 0, false)
		})
		return func(stuck []*park.G) string {
			if index == -1 || len(stuck) > 0 {
				return "default taken, " + names(stuck)
			}
			return ""
		}
	})
}

// Larger programs at random: several selecting senders and receivers; the
// elements that arrive are those that were sent.
func TestRandomPrograms(t *testing.T) {
	for seed := int64(0); seed < 20; seed++ {
		rng := rand.New(rand.NewSource(seed))
		x := &park.Model{Bound: 1000, Random: rng, Runs: 300}
		size := int(seed % 3)
		err := x.Explore(func(x *park.Model) func([]*park.G) string {
			var cs [3]*Chan
			made := func() {
				if cs[0] == nil {
					for i := range cs {
						cs[i] = newInts(size)
					}
				}
			}
			const per, workers = 3, 3
			sum, want := 0, 0
			for w := 0; w < workers; w++ {
				x.Go(fmt.Sprint("s", w), func() {
					made()
					for i := 0; i < per; i++ {
						v := 1 << (4 * w) * 1
						want += v
						Select([]Case{{cs[0], unsafe.Pointer(&v)}, {cs[1], unsafe.Pointer(&v)}, {cs[2], unsafe.Pointer(&v)},
							{cs[w], unsafe.Pointer(&v)}, {nil, nil}}, 5, true)
					}
				})
				x.Go(fmt.Sprint("r", w), func() {
					made()
					for i := 0; i < per; i++ {
						v := 0
						_, ok := Select([]Case{{cs[2], unsafe.Pointer(&v)}, {cs[1], unsafe.Pointer(&v)}, {cs[0], unsafe.Pointer(&v)}}, 0, true)
						if !ok {
							panic("closed?")
						}
						sum += v
					}
				})
			}
			return func(stuck []*park.G) string {
				if len(stuck) > 0 || sum != want {
					return fmt.Sprint(names(stuck), " sum ", sum, " want ", want)
				}
				return ""
			}
		})
		if err != nil {
			t.Fatal("seed ", seed, ": ", err)
		}
	}
}

func TestSortLocks(t *testing.T) {
	for n := 1; n < 100; n++ {
		p := plan{cases: make([]Case, n), poll: make([]uint16, n), locks: make([]*park.ProcMutex, n)}
		mem := make([]Chan, n)
		want := map[*park.ProcMutex]bool{}
		for i := range p.cases {
			c := &mem[rand.Intn(n)]
			p.cases[i].c, p.poll[i] = c, uint16(i)
			want[&c.mu] = true
		}
		p.sortLocks()
		for i, l := range p.locks {
			if !want[l] {
				t.Fatal("wrong lock", n)
			}
			if i > 0 && address(p.locks[i-1]) >= address(l) {
				t.Fatal("not sorted", n)
			}
		}
		if len(p.locks) != len(want) {
			t.Fatal(len(p.locks), "locks of", len(want))
		}
	}
}
