package race

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// crowd lets n actors run at once, each on a goroutine of the test's, with fewer slots than actors.
func crowd(t *testing.T, n, slots int, each func(d *Detector, a *Actor, i int)) *Detector {
	var kept [][]uint64
	var mu sync.Mutex
	grow := func(bytes uintptr) unsafe.Pointer {
		words := make([]uint64, (bytes+7)/8)
		mu.Lock()
		kept = append(kept, words)
		mu.Unlock()
		return unsafe.Pointer(&words[0])
	}
	Wait = runtime.Gosched
	defer func() { Wait = nil }()
	d := &Detector{Slots: slots}
	timer := uintptr(0)
	d.Current = func() *Actor { return nil }
	d.Timer = func() *uintptr { return &timer }
	d.Begin(grow)
	d.Stack = func(*Actor) uint32 { return d.Number([]uintptr{1, 2, 3}) }
	actors := make([]*Actor, n)
	for i := range actors {
		actors[i] = d.Spawn(Born{Number: uint64(i + 1)})
	}
	var wg sync.WaitGroup
	for i, a := range actors {
		wg.Go(func() {
			a.Begins()
			each(d, a, i)
			a.Leaves()
			d.End(a)
		})
	}
	wg.Wait()
	runtime.KeepAlive(kept)
	return d
}

// TestOrdered: what a lock orders is no race, also if slots are lost meanwhile.
func TestOrdered(t *testing.T) {
	for _, slots := range []int{3, 64} {
		var mu sync.Mutex
		var atomics atomic.Int64
		crowd(t, 16, slots, func(d *Detector, a *Actor, i int) {
			for k := range 2000 {
				mu.Lock()
				d.Acquire(a, y)
				if d.Access(a, x, 24, Write) {
					t.Errorf("a race under the lock: %+v", a.Race)
				}
				d.ReleaseMerge(a, y)
				mu.Unlock()
				if d.Access(a, x+0x1000+uintptr(i)*8, 8, Write) {
					t.Errorf("a race with itself: %+v", a.Race)
				}
				d.BeginAtomic(y + 8)
				atomics.Add(1)
				d.EndAtomic(a, y+8, true, true)
				if k%8 == 0 {
					a.Leaves()
					runtime.Gosched()
					a.Begins()
				}
			}
		})
		if n := atomics.Load(); n != 16*2000 {
			t.Errorf("%d operations", n)
		}
	}
}

// TestPublished: who sees what an atomic store has published knows what was done before it.
func TestPublished(t *testing.T) {
	for range 10 {
		var ready atomic.Bool
		crowd(t, 2, 4, func(d *Detector, a *Actor, i int) {
			if i == 0 {
				d.Access(a, x, 8, Write)
				d.BeginAtomic(y)
				ready.Store(true)
				d.EndAtomic(a, y, false, true)
				return
			}
			for seen := false; !seen; {
				d.BeginAtomic(y)
				seen = ready.Load()
				d.EndAtomic(a, y, true, false)
			}
			if d.Access(a, x, 8, 0) {
				t.Error("a race with what was published")
			}
		})
	}
}

// TestFound: of two that access the same memory without order one finds the race, also if they do
// it at the same moment.
func TestFound(t *testing.T) {
	for range 20 {
		var found atomic.Int64
		start := make(chan bool)
		go close(start)
		crowd(t, 2, 4, func(d *Detector, a *Actor, i int) {
			<-start
			if d.Access(a, x, 8, Write) {
				found.Add(1)
				if a.Race.Who.Number != uint64(2-i) {
					t.Errorf("%+v", a.Race)
				}
			}
		})
		if found.Load() != 1 {
			t.Fatalf("%d races were found", found.Load())
		}
	}
}
