package main

import (
	"fmt"
	"iter"
	"runtime"
	"sync"
	"time"
)

func tree(d int, yield func([]int) bool) bool {
	if d == 0 {
		return yield(make([]int, 10))
	}
	return tree(d-1, yield) && tree(d-1, yield)
}
func main() {
	var wg sync.WaitGroup
	for w := 0; w < 8; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if w%2 == 0 {
				runtime.LockOSThread()
			}
			for i := 0; i < 30; i++ {
				next, stop := iter.Pull(iter.Seq[[]int](func(y func([]int) bool) { tree(9, y) }))
				n := 0
				for {
					v, ok := next()
					if !ok {
						break
					}
					n += len(v)
					if n == 3000 && i%3 == 0 {
						stop()
					}
					if n%1000 == 0 {
						runtime.Gosched()
					}
				}
				if i%10 == 5 {
					runtime.GC()
					time.Sleep(time.Millisecond)
				}
			}
		}()
	}
	wg.Wait()
	fmt.Println("ok")
}

// Output:
// ok
