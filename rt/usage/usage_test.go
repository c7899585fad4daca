package usage

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

func newTable() *Table {
	memory := make([]uint64, TableBytes/8)
	return (*Table)(unsafe.Pointer(&memory[0]))
}

func set(pairs ...string) unsafe.Pointer {
	s := new(labelSet)
	for i := 0; i < len(pairs); i += 2 {
		s.list = append(s.list, label{pairs[i], pairs[i+1]})
	}
	return unsafe.Pointer(s)
}

func text(g *Group) (s string) {
	g.Labels(func(key, value string) { s += key + "=" + value + ";" })
	return s
}

// Goroutines are of one group if start, creator and the text of their labels are the same.
func TestGroups(t *testing.T) {
	table := newTable()
	long := strings.Repeat("x", 2*mostText)
	sets := []unsafe.Pointer{
		nil, set("a", ""), set("", "a"), set("a", "b"), set("ab", ""), set("a", "b", "c", "d"), set("c", "d", "a", "b"), set(long, long),
	}
	seen := map[*Group]string{}
	for _, start := range []uintptr{1, 2} {
		for _, creator := range []uintptr{1, 2} {
			for i, s := range sets {
				g := table.Group(start, creator, s)
				if what, ok := seen[g]; ok {
					t.Errorf("start %d, creator %d, labels %d: the group of %s", start, creator, i, what)
				}
				seen[g] = fmt.Sprintf("%d %d %d", start, creator, i)
				if g.Start != start || g.Creator != creator {
					t.Errorf("%s: %d %d", seen[g], g.Start, g.Creator)
				}
			}
		}
	}
	if g := table.Group(2, 2, set("a", "b", "c", "d")); text(g) != "a=b;c=d;" || seen[g] == "" {
		t.Errorf("a set with the same text has another group, with %q", text(g))
	}
	if g := table.Group(1, 1, set(long, long+"y")); seen[g] == "" || len(text(g)) != 2*mostText+2 {
		t.Error("what is beyond the bound makes another group")
	}
	n := 0
	table.ForEach(func(g *Group) {
		n++
		if seen[g] == "" {
			t.Error("a group that nobody got")
		}
	})
	if n != len(seen) {
		t.Errorf("%d groups, want %d", n, len(seen))
	}
}

// A group of no labels is that of an empty set.
func TestEmptySet(t *testing.T) {
	table := newTable()
	if table.Group(1, 2, nil) != table.Group(1, 2, set()) {
		t.Error("an empty set has another group")
	}
}

// A table that is full gives the rest to Others, and writes nothing behind its memory.
func TestFull(t *testing.T) {
	memory := make([]uint64, TableBytes/8+8)
	for i := range 8 {
		memory[TableBytes/8+i] = 7
	}
	table := (*Table)(unsafe.Pointer(&memory[0]))
	n := 0
	for ; ; n++ {
		if table.Group(uintptr(n), 1, set("key", strings.Repeat("v", n%300))) == &table.Others {
			break
		}
		if n > TableBytes/64 {
			t.Fatal("it is never full")
		}
	}
	if n < 1000 {
		t.Errorf("full after %d groups", n)
	}
	for i := range n {
		if g := table.Group(uintptr(i), 1, set("key", strings.Repeat("v", i%300))); g == &table.Others || g.Start != uintptr(i) {
			t.Fatalf("group %d is lost", i)
		}
	}
	for i := range 8 {
		if memory[TableBytes/8+i] != 7 {
			t.Fatal("written behind the memory")
		}
	}
}

// Threads that ask for the same groups at the same time get the same ones, and no addition is lost.
func TestTogether(t *testing.T) {
	const threads, groups, times = 8, 50, 200
	table := newTable()
	got := [threads][groups]*Group{}
	var wg sync.WaitGroup
	for i := range threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range times {
				for k := range groups {
					g := table.Group(uintptr(k), 1, set("k", fmt.Sprint(k%7)))
					if got[i][k] != nil && got[i][k] != g {
						t.Errorf("group %d has changed", k)
					}
					got[i][k] = g
					g.Add(&Use{Run: 1, Wait: 2, Calls: 3, Turns: 4, Bytes: 5})
				}
			}
		}()
	}
	wg.Wait()
	want := Use{Run: 1, Wait: 2, Calls: 3, Turns: 4, Bytes: 5}
	for k := range groups {
		for i := range threads {
			if got[i][k] != got[0][k] {
				t.Fatalf("group %d is two", k)
			}
		}
		n := int64(threads * times)
		if u := got[0][k].Use(); u != (Use{n, 2 * n, 3 * n, 4 * uint64(n), 5 * uint64(n)}) {
			t.Errorf("group %d: %+v, want %d times %+v", k, u, n, want)
		}
	}
}
