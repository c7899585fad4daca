// What the run-time system may do at any time, a line a choice: TryLock that fails, pools that lose
// what they have, collections, and what they run.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"weak"
)

var sink []byte

func main() {
	// Locks that are free.
	var mu sync.Mutex
	var rw sync.RWMutex
	tries := ""
	for range 16 {
		if mu.TryLock() {
			tries += "l"
			mu.Unlock()
		} else {
			tries += "."
		}
		if rw.TryRLock() {
			tries += "r"
			rw.RUnlock()
		} else {
			tries += "."
		}
		if rw.TryLock() {
			tries += "w"
			rw.Unlock()
		} else {
			tries += "."
		}
	}
	fmt.Println("trylock", tries)

	// What a pool has kept.
	made := 0
	pool := sync.Pool{New: func() any { made++; return new(int) }}
	kept := ""
	for range 24 {
		before := made
		x := pool.Get()
		kept += fmt.Sprint(made - before)
		pool.Put(x)
		runtime.Gosched()
	}
	fmt.Println("pool", kept)

	// When a collection frees an object: it runs its finalizer and its cleanup, and its weak
	// pointer is nil.
	var cleaned sync.Mutex
	var when []string
	note := func(what string) {
		cleaned.Lock()
		when = append(when, what)
		cleaned.Unlock()
	}
	pointers := make([]weak.Pointer[[64]int], 4)
	for i := range pointers {
		p := new([64]int)
		pointers[i] = weak.Make(p)
		runtime.AddCleanup(p, func(i int) { note(fmt.Sprint("c", i)) }, i)
		q := new([64]int)
		runtime.SetFinalizer(q, func(*[64]int) { note(fmt.Sprint("f", i)) })
	}
	gone := make([]int, len(pointers))
	for round := range 64 {
		sink = make([]byte, 9000)
		runtime.Gosched()
		for i, p := range pointers {
			if p.Value() == nil && gone[i] == 0 {
				gone[i] = round + 1
			}
		}
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	fmt.Println("collections", stats.NumGC)
	fmt.Println("weak", gone)
	cleaned.Lock()
	fmt.Println("finalizers", strings.Join(when, " "))
	cleaned.Unlock()
	fmt.Println("process", os.Getpid(), os.Getppid(), runtime.NumCPU())
}
