// What the seed decides, a line a choice: the order of goroutines, of a select's arms, of a map, of
// timers that are due together; random numbers; where a goroutine is interrupted.
package main

import (
	crand "crypto/rand"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"time"
)

func main() {
	// Goroutines.
	var mu sync.Mutex
	var wg sync.WaitGroup
	var order []int
	for i := range 6 {
		wg.Go(func() {
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
		})
	}
	wg.Wait()
	fmt.Println("goroutines", order)

	// Arms of a select.
	a, b, c := make(chan int, 8), make(chan int, 8), make(chan int, 8)
	for i := range 8 {
		a <- i
		b <- i
		c <- i
	}
	arms := ""
	for range 12 {
		select {
		case <-a:
			arms += "a"
		case <-b:
			arms += "b"
		case <-c:
			arms += "c"
		}
	}
	fmt.Println("select", arms)

	// Maps.
	m := map[int]bool{}
	for i := range 20 {
		m[i] = true
	}
	fmt.Print("map")
	for k := range m {
		fmt.Print(" ", k)
	}
	fmt.Println()

	// Timers that are due at the same time, and the clock.
	fired := make(chan int, 8)
	for i := range 8 {
		time.AfterFunc(time.Millisecond, func() { fired <- i })
	}
	fmt.Print("timers")
	for range 8 {
		fmt.Print(" ", <-fired)
	}
	fmt.Println()
	start := time.Now()
	time.Sleep(time.Second)
	fmt.Println("clock", time.Since(start))

	// Random numbers.
	var bytes [4]byte
	crand.Read(bytes[:])
	fmt.Println("rand", rand.Int64(), bytes, maphash.String(maphash.MakeSeed(), "x"))

	// Goroutines that wait for a lock get it in an order.
	got := ""
	mu.Lock()
	for i := range 5 {
		wg.Go(func() {
			mu.Lock()
			got += string(rune('a' + i))
			mu.Unlock()
		})
	}
	for range 10 {
		runtime.Gosched()
	}
	mu.Unlock()
	wg.Wait()
	fmt.Println("lock", got)

	// Where a goroutine is interrupted: an update that is not atomic loses some of its changes.
	n := 0
	for range 4 {
		wg.Go(func() {
			for range 20 {
				v := load(&n)
				store(&n, v+1)
			}
		})
	}
	wg.Wait()
	fmt.Println("interrupted", n)

	// Where objects are.
	p, q := new([100]int), new([100]int)
	fmt.Printf("addresses %p %p %d %d\n", p, q, os.Getpid(), runtime.NumCPU())
}

//go:noinline
func load(p *int) int { return *p }

//go:noinline
func store(p *int, v int) { *p = v }
