// Goroutines that try to hide live objects from a collector that marks while they run: they
// take the only reference to an object out of the heap, hold it on the stack for a moment, and
// put it where marking may have been already, by every kind of store that the language
// and the library have. Each object knows what it should contain; with gcpoison=1 an object that
// was lost does not.
package main

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"weak"
)

type node struct {
	id    int
	sum   int
	next  *node
	name  string
	bytes []byte
	any   any
	fn    func() int
}

func (n *node) check(where string) {
	if n.sum != n.id*7+1 || n.name != label(n.id) || len(n.bytes) != 8 || n.bytes[3] != byte(n.id) || n.any.(*int) == nil || *n.any.(*int) != n.id || n.fn() != n.id {
		fmt.Printf("%s: object %d is broken: %+v\n", where, n.id, *n)
		os.Exit(1)
	}
}

func label(id int) string { return "node-" + strings.Repeat("x", id%5) }

func newNode(id int) *node {
	n := &node{id: id, sum: id*7 + 1, name: strings.Clone(label(id))}
	n.bytes = slices.Repeat([]byte{byte(id)}, 8)
	v := new(int)
	*v = id
	n.any = v
	n.fn = func() int { return *v }
	return n
}

const places = 64

// A box is a large set of places for references, which stays alive for the whole run.
type box struct {
	mu    sync.Mutex
	plain [places]*node
	atoms [places]atomic.Pointer[node]
	vals  [places]atomic.Value
	table map[int]*node
	anys  []any
	list  *node
	ch    chan *node
	big   [places]struct {
		pad  [5]int
		n    *node
		more [3]*node
	}
}

func rng(s *uint64) int {
	*s ^= *s << 13
	*s ^= *s >> 7
	*s ^= *s << 17
	return int(*s >> 33)
}

var global [places]*node
var globalMu sync.Mutex

// mover moves nodes around for a number of rounds. Every node that it makes is somewhere
// until it is dropped on purpose.
func mover(b *box, seed uint64, rounds int) {
	s := seed*0x9e3779b97f4a7c15 + 1
	made := 0
	hold := newNode(int(seed))
	for range rounds {
		i, j := rng(&s)%places, rng(&s)%places
		switch rng(&s) % 14 {
		case 0: // plain, under the lock
			b.mu.Lock()
			p := b.plain[i]
			b.plain[i] = nil
			if p == nil {
				p = newNode(made)
				made++
			}
			b.plain[j], p = p, b.plain[j]
			b.mu.Unlock()
			if p != nil {
				p.check("plain")
				hold = p
			}
		case 1: // atomic.Pointer
			p := b.atoms[i].Swap(nil)
			if p == nil {
				p = hold
				hold = newNode(made)
				made++
			}
			p.check("atomic")
			old := b.atoms[j].Load()
			if b.atoms[j].CompareAndSwap(old, p) && old != nil {
				hold = old
			}
		case 2: // channel
			select {
			case p := <-b.ch:
				p.check("channel")
				hold = p
			case b.ch <- hold:
				hold = newNode(made)
				made++
			default:
			}
		case 3: // map
			b.mu.Lock()
			p := b.table[i]
			delete(b.table, i)
			if p == nil {
				p = hold
			}
			b.table[j] = p
			b.mu.Unlock()
			p.check("map")
		case 4: // list
			b.mu.Lock()
			if p := b.list; p != nil && rng(&s)%2 == 0 {
				b.list, p.next = p.next, nil
				b.mu.Unlock()
				p.check("list")
				hold = p
				continue
			}
			p := newNode(made)
			made++
			p.next = b.list
			b.list = p
			b.mu.Unlock()
		case 5: // global
			globalMu.Lock()
			global[j], hold = hold, global[i]
			global[i] = nil
			globalMu.Unlock()
			if hold == nil {
				hold = newNode(made)
				made++
			}
			hold.check("global")
		case 6: // append, copy, delete in a slice of interfaces
			b.mu.Lock()
			b.anys = append(b.anys, hold)
			if len(b.anys) > 200 {
				copy(b.anys, b.anys[100:])
				clear(b.anys[len(b.anys)-100:])
				b.anys = b.anys[:len(b.anys)-100]
			}
			p := b.anys[rng(&s)%len(b.anys)].(*node)
			b.mu.Unlock()
			p.check("slice")
			hold = newNode(made)
			made++
		case 7: // big values
			b.mu.Lock()
			b.big[i].n = hold
			b.big[i].more[1] = hold
			x := b.big[i]
			b.big[i].n, b.big[i].more[1] = nil, nil
			b.big[j] = x
			b.mu.Unlock()
			x.more[1].check("big")
		case 8: // closure
			p := hold
			f := func() *node { return p }
			hold = nil
			runtime.Gosched()
			hold = f()
			hold.check("closure")
		case 9: // a new goroutine, with and without arguments
			done := make(chan *node)
			p := hold
			hold = nil
			if rng(&s)%2 == 0 {
				go func() { done <- p }()
			} else {
				go func(p *node) { done <- p }(p)
				p = nil
			}
			hold = <-done
			hold.check("goroutine")
		case 10: // reflect
			b.mu.Lock()
			v := reflect.ValueOf(&b.plain).Elem()
			x := v.Index(i).Interface().(*node)
			v.Index(i).Set(reflect.ValueOf(hold))
			b.mu.Unlock()
			if x != nil {
				x.check("reflect")
				hold = x
			} else {
				hold = newNode(made)
				made++
			}
		case 11: // atomic.Value and iterators
			old, _ := b.vals[i].Swap(hold).(*node)
			if old != nil {
				old.check("value")
				hold = old
			}
			next, stop := iter.Pull(func(yield func(*node) bool) {
				for p := range maps.Values(map[int]*node{1: hold}) {
					hold = nil
					if !yield(p) {
						return
					}
				}
			})
			hold, _ = next()
			stop()
			hold.check("iterator")
		case 12: // weak and back
			w := weak.Make(hold)
			p := w.Value()
			hold = nil
			p.check("weak")
			hold = p
		case 13: // defer
			func() {
				p := hold
				hold = nil
				for range 3 {
					defer func(p *node) { hold = p }(p)
				}
				p = nil
				runtime.Gosched()
			}()
			hold.check("defer")
		}
	}
}

func main() {
	b := &box{table: map[int]*node{}, ch: make(chan *node, 10)}
	stop := make(chan bool)
	var collectors sync.WaitGroup
	collectors.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
				time.Sleep(time.Millisecond)
			}
		}
	})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() { mover(b, uint64(i+1), 4000) })
	}
	wg.Wait()
	close(stop)
	collectors.Wait()
	n := 0
	for i := range places {
		if p := b.plain[i]; p != nil {
			p.check("end")
			n++
		}
		if p := b.atoms[i].Load(); p != nil {
			p.check("end")
			n++
		}
	}
	fmt.Println(n > 0)
}
