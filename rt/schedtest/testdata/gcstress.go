package main

import (
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"sync"
	"time"
)

type node struct {
	l, r *node
	v    int
}

func build(d int) *node {
	if d == 0 {
		return &node{v: 1}
	}
	return &node{build(d - 1), build(d - 1), d}
}
func (n *node) sum() int {
	if n == nil {
		return 0
	}
	s := n.v
	if n.l != nil {
		s += n.l.sum() + n.r.sum()
	}
	return s
}
func want(d int) int {
	if d == 0 {
		return 1
	}
	return d + 2*want(d-1)
}
func deepHold(n int, t *node, d int) int {
	var pad [64]int
	pad[n%64] = n
	if n == 0 {
		runtime.Gosched()
		if t.sum() != want(d) {
			fmt.Println("CORRUPT")
			os.Exit(1)
		}
		return 0
	}
	return deepHold(n-1, t, d) + pad[n%64] - n
}
func spin(p *int, n int) {
	for i := 0; i < n; i++ {
		*p += i
	}
}
func main() {
	end := time.Now().Add(2 * time.Second)
	var wg sync.WaitGroup
	for w := 0; w < 8; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewSource(int64(w)))
			m := map[int]*node{}
			for time.Now().Before(end) {
				d := 2 + r.Intn(10)
				t := build(d)
				k := r.Intn(50)
				if o := m[k]; o != nil {
					if o.sum() != want(o.v) && o.v != 1 {
						fmt.Println("CORRUPT map", o.v, o.sum())
						os.Exit(1)
					}
				}
				m[k] = t
				switch r.Intn(6) {
				case 0:
					deepHold(r.Intn(300), t, d)
				case 1:
					x := new(int)
					spin(x, 100000)
				case 2:
					time.Sleep(time.Duration(r.Intn(1000)) * time.Microsecond)
				case 3:
					f, err := os.Open("/proc/self/stat")
					if err == nil {
						b := make([]byte, 100)
						f.Read(b)
						f.Close()
					}
				case 4:
					c := make(chan *node, r.Intn(3))
					go func() { c <- build(d) }()
					if (<-c).sum() != want(d) {
						fmt.Println("CORRUPT chan")
						os.Exit(1)
					}
				case 5:
					if r.Intn(20) == 0 {
						runtime.GC()
					}
				}
			}
		}()
	}
	wg.Wait()
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	fmt.Println("ok", ms.NumGC > 3)
}

// Output:
// ok true
