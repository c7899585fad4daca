package cpuprof

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// Samples of many writers arrive once each, whole, in the order of each writer; what does not fit
// is counted.
func TestRing(t *testing.T) {
	const writers, samples = 8, 4000
	var r Ring
	r.Init(make([]uint64, 1000)) // 512 are used: it wraps around all the time
	var running atomic.Int32
	var wg sync.WaitGroup
	for w := range writers {
		running.Add(1)
		wg.Go(func() {
			defer running.Add(-1)
			stack := make([]uintptr, 40)
			for i := range samples {
				n := 1 + (i*7+w)%len(stack)
				for k := range stack[:n] {
					stack[k] = uintptr(w<<40 | i<<8 | k)
				}
				for i%32 != 0 && r.Used() > 200 {
					runtime.Gosched() // most samples shall fit
				}
				r.Put(1, uintptr(w*samples+i), stack[:n])
			}
		})
	}
	var last [writers]int
	got, lost := 0, uint64(0)
	for done := false; !done; {
		done = running.Load() == 0
		for {
			count, tag, stack, ok := r.Peek()
			if !ok {
				break
			}
			w, i := int(tag)/samples, int(tag)%samples
			if count != 1 || len(stack) != 1+(i*7+w)%40 {
				t.Fatalf("sample %d of writer %d: count %d, %d addresses", i, w, count, len(stack))
			}
			for k, pc := range stack {
				if pc != uint64(w<<40|i<<8|k) {
					t.Fatalf("sample %d of writer %d: address %d is %#x", i, w, k, pc)
				}
			}
			if i < last[w] {
				t.Fatalf("writer %d: sample %d after %d", w, i, last[w]-1)
			}
			last[w] = i + 1
			got++
			r.Pop()
		}
		lost += r.TakeLost()
	}
	wg.Wait()
	if lost += r.TakeLost(); got+int(lost) != writers*samples || !r.Empty() || got == 0 {
		t.Errorf("%d samples and %d lost of %d; empty: %v", got, lost, writers*samples, r.Empty())
	}
	t.Logf("%d samples, %d lost", got, lost)
}

// Pending shows exactly the tags of samples that were not taken, around the end too, and not their
// stacks; and does not miss tags behind a sample that is being written.
func TestPending(t *testing.T) {
	var r Ring
	r.Init(make([]uint64, 64))
	for round := range 100 {
		n := 0
		for k := range round % 4 {
			r.Put(1, uintptr(1000+k), []uintptr{1, 1005, 1006, 7, 1007})
			n++
		}
		tags := 0
		r.Pending(func(words []uint64) {
			for _, w := range words {
				if w >= 1000 && w < 1010 {
					tags++
				}
			}
		})
		if tags != n {
			t.Fatalf("round %d: %d tags of %d", round, tags, n)
		}
		for range n {
			if _, _, _, ok := r.Peek(); !ok {
				t.Fatal("sample missing")
			}
			r.Pop()
		}
	}

	for before := range 8 {
		r = Ring{}
		r.Init(make([]uint64, 64))
		for range before {
			r.Put(1, 1, make([]uintptr, 5))
			r.Pop()
		}
		r.Put(1, 1001, make([]uintptr, 5))
		r.head += 8 // reserved, not written
		r.Put(1, 1002, make([]uintptr, 5))
		tags := uint64(0)
		r.Pending(func(words []uint64) {
			for _, w := range words {
				tags += w
			}
		})
		if rest := tags - 1001 - 1002; rest != 8+1 { // the second one's length and count
			t.Fatalf("after %d samples: the words visited make %d", before, tags)
		}
	}
}
