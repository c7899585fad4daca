package main

import (
	"arena"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"unsafe"
)

// Values in arenas: what they point to lives, pieces do not overlap, are zeroed and aligned; clones outlive the arena.

type node struct {
	next  *node
	value *int
	pad   [5]byte
	n     int64
}

type odd struct {
	a byte
	b [2]byte
}

// list builds a list of n nodes in the arena, whose values are in the heap, and returns the sum of what it holds.
func list(a *arena.Arena, n int) *node {
	var head *node
	for i := range n {
		x := arena.New[node](a)
		if x.next != nil || x.value != nil || x.n != 0 || uintptr(unsafe.Pointer(x))%8 != 0 {
			panic(fmt.Sprintf("node %d is not fresh: %+v", i, x))
		}
		x.next, x.value, x.n = head, new(int), int64(i)
		*x.value = i
		head = x
		o := arena.New[odd](a)
		if *o != (odd{}) {
			panic("odd is not fresh")
		}
		*o = odd{1, [2]byte{2, 3}}
		if i%100 == 0 {
			s := arena.MakeSlice[int32](a, i/10, i)
			for j := range s {
				if s[j] != 0 {
					panic("slice is not fresh")
				}
				s[j] = -1
			}
		}
	}
	return head
}

func sum(x *node) (values, numbers int) {
	for ; x != nil; x = x.next {
		values += *x.value
		numbers += int(x.n)
	}
	return
}

func garbage() {
	for range 200 {
		_ = append([]*int(nil), make([]*int, 50)...)
	}
}

func clones() (*node, []*int, string) {
	a := arena.NewArena()
	x := arena.New[node](a)
	x.value, x.n = new(int), 7
	*x.value = 8
	s := arena.MakeSlice[*int](a, 3, 10)
	for i := range s {
		s[i] = new(int)
		*s[i] = i + 1
	}
	b := arena.MakeSlice[byte](a, 5, 5)
	copy(b, "bytes")
	str := unsafe.String(&b[0], len(b))
	cx, cs, cstr := arena.Clone(x), arena.Clone(s), arena.Clone(str)
	fmt.Println(cx != x, &cs[0] != &s[0], unsafe.StringData(cstr) != &b[0], len(cs), cap(cs), cstr)
	own, ownS, ownStr := new(node), make([]int, 3), fmt.Sprint("own", 1)
	fmt.Println(arena.Clone(own) == own, &arena.Clone(ownS)[0] == &ownS[0],
		unsafe.StringData(arena.Clone(ownStr)) == unsafe.StringData(ownStr), arena.Clone("") == "", arena.Clone([]int(nil)) == nil, arena.Clone((*int)(nil)) == nil)
	a.Free()
	return cx, cs, cstr
}

func try(what string, f func()) {
	defer func() { fmt.Println(what, recover()) }()
	f()
}

func main() {
	var wg sync.WaitGroup
	sums := make([]int, 8)
	for g := range sums {
		wg.Go(func() {
			for round := range 5 {
				a := arena.NewArena()
				head := list(a, 3000)
				garbage()
				v, n := sum(head)
				if v != n {
					panic("values and numbers differ")
				}
				sums[g] += v
				if round%2 == 0 {
					a.Free()
				}
				runtime.KeepAlive(a)
			}
		})
	}
	wg.Wait()
	fmt.Println(sums)
	x, s, str := clones()
	garbage()
	runtime.GC()
	fmt.Println(*x.value, x.n, *s[0], *s[1], *s[2], str)

	a := arena.NewArena()
	big := arena.New[[1 << 20]byte](a)
	big[1<<19] = 1
	fmt.Println(len(big), len(arena.MakeSlice[struct{}](a, 4, 9)), *arena.New[struct{}](a), cap(arena.MakeSlice[int](a, 0, 1<<18)))
	p := reflect.ArenaNew(a, reflect.TypeFor[[]string]()).Interface().(*[]string)
	*p = append(*p, "x")
	fmt.Println(*p)
	try("negative", func() { arena.MakeSlice[int](a, 0, -1+len(*p)-1) })
	try("long", func() { arena.MakeSlice[int](a, 2, 1) })
	try("kind", func() { arena.Clone(3) })
	a.Free()
	try("freed", func() { arena.New[int](a) })
	try("freed twice", func() { a.Free() })
}
