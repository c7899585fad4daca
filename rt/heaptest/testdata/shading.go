package main

import (
	"fmt"
	"runtime"
	"sync"
)

type item struct {
	id   int
	next *item
}

// A loop without calls exchanges pointers, so that while a collection marks it is nearly always in the write barrier, which is
// where the pauses at both ends of the marking interrupt it.
func main() {
	const n = 1 << 15
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		all := make([]*item, n)
		for i := range all {
			all[i] = &item{id: i, next: &item{id: -i}}
		}
		wg.Go(func() {
			seed := uint64(1)
			for done := false; !done; {
				for range 1 << 16 {
					seed = seed*6364136223846793005 + 1442695040888963407
					i, j := seed>>33%n, seed>>40%n
					all[i], all[j] = all[j], all[i]
					all[i].next, all[j].next = all[j].next, all[i].next
					all[i].id, all[j].id = all[j].id, all[i].id
				}
				select {
				case <-stop:
					done = true
				default:
				}
			}
			ids, nexts := make([]bool, n), make([]bool, n)
			for _, v := range all {
				ids[v.id], nexts[-v.next.id] = true, true
			}
			for i := range ids {
				if !ids[i] || !nexts[i] {
					panic(fmt.Sprint("lost ", i))
				}
			}
		})
	}
	for range 50 {
		runtime.GC()
	}
	close(stop)
	wg.Wait()
	fmt.Println("ok")
}
