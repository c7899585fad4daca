// Package usage says what goroutines used: how long they ran, waited for a P and were in system
// calls, how often they began to run, and how much they allocated. Package sched adds it up, a
// Record for each goroutine that lives; when the goroutine ends, or changes its profiler labels,
// its record is added to a Group: goroutines of the same function, go statement and labels.
//
// # Rules
//
// A record is written by the thread that has the goroutine. A group is written by many threads, by
// atomic additions. Groups are never freed, and their table, which lies in memory that its user
// maps, does not grow: where it is full all other goroutines share the group Others. Nothing here
// waits, or allocates on the heap.
package usage

import (
	"sync/atomic"
	"unsafe"
)

// Use is what a goroutine, or all of a group, used. Times are in nanoseconds.
type Use struct {
	Run   int64  // on a P, system calls left out
	Wait  int64  // runnable
	Calls int64  // in system calls
	Turns uint64 // times that it began to run
	Bytes uint64 // allocated: runs of slots are counted for the goroutine that takes them
}

// Record is a goroutine's: a cache line.
type Record struct {
	Use
	ReadyAt int64  // when it became runnable; 0: it is not, or that is not known
	Group   *Group // to which all will be added
	Next    *Record
}

const _ = 64 - unsafe.Sizeof(Record{})

// Group is what goroutines with the same start, creator and labels used that ended, or have other
// labels now.
type Group struct {
	Start, Creator uintptr // code addresses: of the goroutine's function, and behind the go statement
	use            Use     // atomic
	next           *Group
	hash           uint64
	labels         int // how many follow, each a key and a value
}

// Add adds u to the group, by any thread.
func (g *Group) Add(u *Use) {
	atomic.AddInt64(&g.use.Run, u.Run)
	atomic.AddInt64(&g.use.Wait, u.Wait)
	atomic.AddInt64(&g.use.Calls, u.Calls)
	atomic.AddUint64(&g.use.Turns, u.Turns)
	atomic.AddUint64(&g.use.Bytes, u.Bytes)
}

// Use returns what was added.
func (g *Group) Use() Use {
	return Use{
		Run: atomic.LoadInt64(&g.use.Run), Wait: atomic.LoadInt64(&g.use.Wait), Calls: atomic.LoadInt64(&g.use.Calls),
		Turns: atomic.LoadUint64(&g.use.Turns), Bytes: atomic.LoadUint64(&g.use.Bytes),
	}
}

// Plus returns the sum of u and v.
func (u Use) Plus(v Use) Use {
	return Use{u.Run + v.Run, u.Wait + v.Wait, u.Calls + v.Calls, u.Turns + v.Turns, u.Bytes + v.Bytes}
}

// Labels visits the group's labels. The strings are never freed.
func (g *Group) Labels(visit func(key, value string)) {
	at := unsafe.Add(unsafe.Pointer(g), unsafe.Sizeof(*g))
	for range g.labels {
		l := (*label)(at)
		visit(l.key, l.value)
		at = unsafe.Add(at, unsafe.Sizeof(*l))
	}
}

// labelSet and label are internal/runtime/pprof/label's Set and Label.
type labelSet struct{ list []label }

type label struct{ key, value string }

const (
	chains = 1 << 10
	// mostLabels and mostText bound what of a set of labels makes a group: further ones, and the
	// rest of their text, are left out.
	mostLabels = 16
	mostText   = 512
)

// TableBytes is how much memory a table lies in. Only what groups fill is touched.
const TableBytes = 1 << 20

// Table has the groups. It begins as zeros.
type Table struct {
	chains [chains]unsafe.Pointer // *Group, atomic
	used   uintptr                // atomic: bytes behind the table
	Others Group                  // of goroutines for which there was no room
}

// Group returns the group of goroutines with this start, creator and set of labels, nil or a
// *label.Set. Any thread.
func (t *Table) Group(start, creator uintptr, labels unsafe.Pointer) *Group {
	var list []label
	if labels != nil {
		list = (*labelSet)(labels).list
		list = list[:min(len(list), mostLabels)]
	}
	h := hash(start, creator, list)
	head := &t.chains[h%chains]
	first := atomic.LoadPointer(head)
	if g := find((*Group)(first), nil, h, start, creator, list); g != nil {
		return g
	}
	g := t.make(list)
	if g == nil {
		return &t.Others
	}
	g.Start, g.Creator, g.hash = start, creator, h
	for {
		g.next = (*Group)(first)
		if atomic.CompareAndSwapPointer(head, first, unsafe.Pointer(g)) {
			return g
		}
		// Another thread has put groups before those that were looked at, maybe this very one: then
		// the memory of g is lost.
		now := atomic.LoadPointer(head)
		if other := find((*Group)(now), (*Group)(first), h, start, creator, list); other != nil {
			return other
		}
		first = now
	}
}

// ForEach visits the groups, but not Others.
func (t *Table) ForEach(visit func(g *Group)) {
	for i := range t.chains {
		for g := (*Group)(atomic.LoadPointer(&t.chains[i])); g != nil; g = g.next {
			visit(g)
		}
	}
}

// find looks for a group in a chain from one group to another.
func find(from, to *Group, h uint64, start, creator uintptr, list []label) *Group {
	for g := from; g != to; g = g.next {
		if g.hash == h && g.Start == start && g.Creator == creator && g.has(list) {
			return g
		}
	}
	return nil
}

func (g *Group) has(list []label) bool {
	if g.labels != len(list) {
		return false
	}
	i, same := 0, true
	g.Labels(func(key, value string) {
		same = same && key == cut(list[i].key) && value == cut(list[i].value)
		i++
	})
	return same
}

// make takes memory for a group with a copy of the labels; nil: there is none.
func (t *Table) make(list []label) *Group {
	size := unsafe.Sizeof(Group{}) + uintptr(len(list))*unsafe.Sizeof(label{})
	text := size
	for i := range list {
		size += uintptr(len(cut(list[i].key)) + len(cut(list[i].value)))
	}
	size = (size + 15) &^ 15
	const room = TableBytes - unsafe.Sizeof(Table{}) - 64
	if atomic.LoadUintptr(&t.used)+size > room {
		return nil
	}
	end := atomic.AddUintptr(&t.used, size)
	if end > room {
		return nil // used stays beyond, and nobody gets anything any more
	}
	first := unsafe.Add(unsafe.Pointer(t), (unsafe.Sizeof(*t)+63)&^63)
	at := unsafe.Add(first, end-size)
	g := (*Group)(at)
	g.labels = len(list)
	to := unsafe.Slice((*byte)(at), size)
	for i := range list {
		l := (*label)(unsafe.Add(at, unsafe.Sizeof(Group{})+uintptr(i)*unsafe.Sizeof(label{})))
		l.key, text = put(to, text, cut(list[i].key))
		l.value, text = put(to, text, cut(list[i].value))
	}
	return g
}

// put copies s to a place, and returns the copy and what is behind it.
func put(to []byte, at uintptr, s string) (string, uintptr) {
	if len(s) == 0 {
		return "", at
	}
	n := copy(to[at:], s)
	return unsafe.String(&to[at], n), at + uintptr(n)
}

func cut(s string) string { return s[:min(len(s), mostText)] }

func hash(start, creator uintptr, list []label) uint64 {
	const prime = 0x100000001b3
	h := (uint64(start)*prime ^ uint64(creator)) * 0x9e3779b97f4a7c15
	for i := range list {
		for _, s := range [...]string{list[i].key, list[i].value} {
			s = cut(s)
			for k := range len(s) {
				h = (h ^ uint64(s[k])) * prime
			}
			h = (h ^ 0xff) * prime
		}
	}
	return h ^ h>>32
}
