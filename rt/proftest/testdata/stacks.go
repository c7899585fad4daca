// Checks what profiles and package runtime say about stacks, and prints ok.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"time"
)

func check(ok bool, format string, args ...any) {
	if !ok {
		fmt.Printf(format+"\n", args...)
		os.Exit(1)
	}
}

// fill makes the stack deep, so that some goroutines cross segments below and others do not.
//
//go:noinline
func fill(n int, f func()) byte {
	var pad [600]byte
	pad[n] = 1
	if n > 0 {
		return fill(n-1, f) + pad[0]
	}
	f()
	return pad[0]
}

// sameStacks contends for a lock by goroutines whose stacks are equal but for the segments they are on.
func sameStacks() {
	runtime.SetMutexProfileFraction(1)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			fill(20, func() {
				for range 20 {
					mu.Lock()
					time.Sleep(100 * time.Microsecond)
					mu.Unlock()
				}
			})
		})
	}
	wg.Wait()
	runtime.SetMutexProfileFraction(0)
	records := make([]runtime.BlockProfileRecord, 100)
	n, ok := runtime.MutexProfile(records)
	check(ok && n > 0, "mutex profile has %d records", n)
	seen := map[[32]uintptr]bool{}
	for _, r := range records[:n] {
		check(!seen[r.Stack0], "two records of one stack: %x", r.Stack())
		seen[r.Stack0] = true
	}
}

// frames looks up the address of a function, an address in it, and addresses in none.
func frames() {
	entry := reflect.ValueOf(fill).Pointer()
	for _, c := range []struct {
		pcs  []uintptr
		name string
		pc   uintptr
	}{
		{[]uintptr{entry}, "main.fill", entry},
		{[]uintptr{entry + 1}, "main.fill", entry},
		{[]uintptr{47674, 1 << 46, entry + 5}, "main.fill", entry + 4},
		{[]uintptr{47674, 1 << 46}, "", 0},
	} {
		f, more := runtime.CallersFrames(c.pcs).Next()
		check(f.Function == c.name && f.PC == c.pc && !more, "%x is %+v", c.pcs, f)
	}
}

type pair[A, B any] struct {
	a A
	b B
}

var sink any

//go:noinline
func (*pair[A, B]) fill() { func() { sink = make([]pair[A, B], 100) }() }

// names: a profile tells instances apart.
func names() {
	runtime.MemProfileRate = 1
	new(pair[int, *sync.Mutex]).fill()
	new(pair[string, []int]).fill()
	runtime.GC()
	var zipped bytes.Buffer
	check(pprof.WriteHeapProfile(&zipped) == nil, "no heap profile")
	runtime.MemProfileRate = 0
	r, err := gzip.NewReader(&zipped)
	check(err == nil, "%v", err)
	text, err := io.ReadAll(r)
	check(err == nil, "%v", err)
	for _, want := range []string{"main.(*pair[go.shape.int,go.shape.*uint8]).fill.func1", "main.(*pair[go.shape.string,go.shape.[]int]).fill"} {
		check(bytes.Contains(text, []byte(want)), "%s is not in the heap profile", want)
	}
}

// finalizers: the goroutine that runs them is the program's for as long as it runs a function of the program's.
func finalizers() {
	started, end := make(chan bool), make(chan bool)
	runtime.SetFinalizer(&pair[*int, int]{}, func(*pair[*int, int]) {
		started <- true
		<-end
	})
	for done := false; !done; {
		runtime.GC()
		select {
		case done = <-started:
		case <-time.After(time.Millisecond):
		}
	}
	var text strings.Builder
	pprof.Lookup("goroutine").WriteTo(&text, 1)
	check(strings.Contains(text.String(), "runtime.runFinalizers"), "no runtime.runFinalizers in\n%s", &text)
	close(end)
}

func main() {
	sameStacks()
	frames()
	names()
	finalizers()
	fmt.Println("ok")
}
