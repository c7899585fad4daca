//heaptest:calm

// Finalizers, cleanups and weak pointers: what runs, in which order, and what stays.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unique"
	"weak"
)

type T struct {
	id   int
	next *T
	buf  [100]byte
}

var finalized, cleaned atomic.Int64

//go:noinline
func drop(n int) {
	for i := range n {
		t := &T{id: i}
		runtime.SetFinalizer(t, func(t *T) { finalized.Add(1) })
		u := &T{id: i}
		runtime.AddCleanup(u, func(int) { cleaned.Add(1) }, i)
		s := runtime.AddCleanup(&T{id: i}, func(int) { cleaned.Add(1e6) }, i)
		s.Stop()
	}
}

// elsewhere runs f on a stack of its own. What it leaves in registers and unused words of
// frames is then gone when it returns, so that a conservative scan cannot find it.
func elsewhere(f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

func waitFor(what string, done func() bool) {
	ok := false
	for range 200 {
		runtime.GC()
		time.Sleep(time.Millisecond)
		elsewhere(func() { ok = done() })
		if ok {
			break
		}
	}
	fmt.Println(what, ok)
}

var order []int

//go:noinline
func chain() {
	b := &T{id: 2}
	a := &T{id: 1, next: b}
	note := func(t *T) { order = append(order, t.id) }
	runtime.SetFinalizer(a, note)
	runtime.SetFinalizer(b, note)
}

//go:noinline
func weaks(kept *T) (w, k weak.Pointer[T]) {
	t := &T{id: 7}
	return weak.Make(t), weak.Make(kept)
}

var saved *T

//go:noinline
func resurrect() weak.Pointer[T] {
	t := &T{id: 9}
	runtime.SetFinalizer(t, func(t *T) { saved = t })
	return weak.Make(t)
}

func main() {
	elsewhere(func() { drop(1000) })
	// A word of the stack may keep a few: scanning is conservative.
	waitFor("finalizers", func() bool { return finalized.Load() >= 990 })
	waitFor("cleanups", func() bool { return cleaned.Load() >= 990 && cleaned.Load() <= 1000 })

	elsewhere(chain)
	waitFor("chain", func() bool { return len(order) == 2 })
	fmt.Println(order)

	kept := &T{id: 8}
	var w, k weak.Pointer[T]
	elsewhere(func() { w, k = weaks(kept) })
	waitFor("weak", func() bool { return w.Value() == nil })
	fmt.Println(k.Value() == kept, weak.Make(kept) == k, weak.Make(&kept.buf) == weak.Make(&kept.buf))
	runtime.KeepAlive(kept)

	var r weak.Pointer[T]
	elsewhere(func() { r = resurrect() })
	waitFor("resurrected", func() bool { return saved != nil && saved.id == 9 })
	fmt.Println("weak pointer cleared with the finalizer", r.Value() == nil)

	h := unique.Make(strings.Repeat("loam", 5))
	runtime.GC()
	fmt.Println(h == unique.Make("loamloamloamloamloam"), h.Value())
}
