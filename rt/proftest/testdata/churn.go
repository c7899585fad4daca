// Does what makes the run-time system change stacks, registers and lists: signals may come at any of its instructions.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"time"
)

//go:noinline
func down(n int, f func() int) int {
	var frame [500]byte
	frame[n%500] = byte(n)
	if n == 0 {
		return f()
	}
	return down(n-1, f) + int(frame[(n+1)%500])
}

func recovered(n int) (r int) {
	defer func() {
		if recover() != nil {
			r = n
		}
	}()
	return down(30, func() int { panic("up") })
}

func main() {
	if len(os.Args) > 1 {
		fmt.Println("child")
		return
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	c := make(chan int)
	total := 0
	for i := range 300 {
		wg.Go(func() {
			n := down(i%40, func() int { return len(strings.Repeat("ab", i)) })
			n += recovered(i)
			n += int(reflect.ValueOf(recovered).Call([]reflect.Value{reflect.ValueOf(1)})[0].Int())
			for range 20 {
				select {
				case c <- n:
				case <-c:
				case <-time.After(50 * time.Microsecond):
				}
				runtime.Gosched()
			}
			mu.Lock()
			total += n
			mu.Unlock()
			if i%100 == 0 {
				runtime.GC()
				if out, err := exec.Command(os.Args[0], "child").Output(); err != nil || string(out) != "child\n" {
					panic(fmt.Sprint(err, string(out)))
				}
			}
		})
	}
	wg.Wait()
	fmt.Println("total", total)
}
