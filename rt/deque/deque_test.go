package deque

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

func TestFIFO(t *testing.T) {
	var q Queue
	items := make([]int, Size+1)
	for round := 0; round < 5; round++ {
		for i := 0; i < Size; i++ {
			if !q.Push(unsafe.Pointer(&items[i])) {
				t.Fatalf("push %d refused", i)
			}
		}
		if q.Push(unsafe.Pointer(&items[Size])) {
			t.Fatal("push into a full queue")
		}
		if q.Len() != Size {
			t.Fatalf("len %d", q.Len())
		}
		for i := 0; i < Size; i++ {
			if p := q.Pop(); p != unsafe.Pointer(&items[i]) {
				t.Fatalf("pop %d out of order", i)
			}
		}
		if q.Pop() != nil {
			t.Fatal("pop from an empty queue")
		}
	}
}

func TestStealAndHalf(t *testing.T) {
	for n := 0; n <= Size; n++ {
		var a, b Queue
		items := make([]int, n+1)
		a.head, a.tail = ^uint32(0)-3, ^uint32(0)-3 // counters wrap on the way
		for i := 0; i < n; i++ {
			a.Push(unsafe.Pointer(&items[i]))
		}
		got := map[unsafe.Pointer]bool{}
		if p := b.Steal(&a); p != nil {
			if p != unsafe.Pointer(&items[0]) || b.Len() != uint32(n+1)/2-1 {
				t.Fatalf("n=%d: the thief has not the oldest, or %d behind it", n, b.Len())
			}
			got[p] = true
			for i := range b.Len() {
				if b.Ahead(i) != unsafe.Pointer(&items[1+i]) {
					t.Fatalf("n=%d: stolen out of order", n)
				}
			}
		}
		if want := uint32(n / 2); a.Len() != want {
			t.Fatalf("n=%d: victim keeps %d, want %d", n, a.Len(), want)
		}
		var batch [Size / 8]unsafe.Pointer
		left := a.Len()
		k := a.PopSome(batch[:])
		if k != min(left, Size/8) {
			t.Fatalf("n=%d: %d of %d popped", n, k, left)
		}
		for _, p := range batch[:k] {
			got[p] = true
		}
		for _, q := range []*Queue{&a, &b} {
			for p := q.Pop(); p != nil; p = q.Pop() {
				got[p] = true
			}
		}
		if len(got) != n {
			t.Fatalf("n=%d: %d distinct elements came out", n, len(got))
		}
	}
}

func TestPopSome(t *testing.T) {
	items := make([]int, Size)
	for n := range Size + 1 {
		var q Queue
		q.head, q.tail = ^uint32(0)-3, ^uint32(0)-3 // counters wrap on the way
		for i := range n {
			q.Push(unsafe.Pointer(&items[i]))
		}
		var all [Size]unsafe.Pointer
		if k := q.PopSome(all[:]); k != uint32(n) || !q.Empty() {
			t.Fatalf("%d of %d came out", k, n)
		}
		for i := range n {
			if all[i] != unsafe.Pointer(&items[i]) {
				t.Fatalf("%d of %d out of order", i, n)
			}
		}
	}
}

// What was seen at a glance and is still there is told from what was taken and replaced.
func TestLook(t *testing.T) {
	for n := uint32(1); n <= Size; n++ {
		var q Queue
		item := new(int)
		q.head, q.tail = ^uint32(0)-3, ^uint32(0)-3 // counters wrap on the way
		for range n {
			q.Push(unsafe.Pointer(item))
		}
		at, seen := q.Look()
		if seen != n {
			t.Fatalf("saw %d of %d", seen, n)
		}
		for i := range n {
			if q.Taken(at) != i {
				t.Fatalf("%d taken, want %d", q.Taken(at), i)
			}
			q.Pop()
			q.Push(unsafe.Pointer(item))
		}
		if q.Taken(at) != n || q.Len() != n {
			t.Fatalf("%d taken of %d, %d there", q.Taken(at), n, q.Len())
		}
	}
}

// TestHammer checks under contention that every element comes out exactly once.
func TestHammer(t *testing.T) {
	const thieves = 3
	end := time.Now().Add(200 * time.Millisecond)
	if testing.Short() {
		end = time.Now().Add(20 * time.Millisecond)
	}
	for time.Now().Before(end) {
		const n = 20000
		items := make([]int32, n)
		var q Queue
		var out int64
		take := func(p unsafe.Pointer) {
			if atomic.AddInt32((*int32)(p), 1) != 1 {
				t.Error("element seen twice")
			}
			atomic.AddInt64(&out, 1)
		}
		var done atomic.Bool
		var wg sync.WaitGroup
		for i := 0; i < thieves; i++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				var mine Queue
				for {
					last := done.Load()
					p := mine.Steal(&q)
					if p != nil {
						take(p)
						for p := mine.Pop(); p != nil; p = mine.Pop() {
							take(p)
						}
					} else if last {
						return
					}
				}
			}()
		}
		var batch [Size / 2]unsafe.Pointer
		var all [Size]unsafe.Pointer
		for i := range items {
			if i%1000 == 0 {
				for _, p := range all[:q.PopSome(all[:])] {
					q.Push(p)
				}
			}
			for !q.Push(unsafe.Pointer(&items[i])) {
				k := q.PopSome(batch[:])
				for _, p := range batch[:k] {
					take(p)
				}
			}
			if i%3 == 0 {
				if p := q.Pop(); p != nil {
					take(p)
				}
			}
		}
		for p := q.Pop(); p != nil; p = q.Pop() {
			take(p)
		}
		done.Store(true)
		wg.Wait()
		if out != n {
			t.Fatalf("%d of %d elements came out", out, n)
		}
	}
}
