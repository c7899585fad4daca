// Works as the first argument says, with as much live data as a memory limit of 200 MB leaves room
// for, and prints the most memory that the process has had, in megabytes.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

const (
	mb    = 1 << 20
	limit = 200 * mb
)

type node struct {
	next *node
	pad  [6]int
}

var (
	sink      *node
	sinkBytes []byte
)

// nodes makes a list of so many bytes.
func nodes(bytes int) (list []*node) {
	list = make([]*node, bytes/72)
	for i := range list {
		list[i] = &node{pad: [6]int{i}}
	}
	return list
}

// churn allocates so many bytes, some of which take the places of older ones.
func churn(live []*node, bytes int) {
	for i := range bytes / 64 {
		n := &node{pad: [6]int{i}}
		sink = n
		if len(live) > 0 && i%8 == 0 {
			live[(i*7919)%len(live)] = n
		}
	}
}

//go:noinline
func deep(n int, f func()) int {
	var a [100]int
	a[n%100] = n
	if n == 0 {
		f()
		return 1
	}
	return deep(n-1, f) + a[(n+1)%100]
}

const frame = 850 // about what a call of deep takes

var shapes = map[string]func(){
	"small": func() {
		live := nodes(110 * mb)
		churn(live, 600*mb)
		runtime.KeepAlive(live)
	},
	"slow": func() { // the heap is filled slowly, and then changed fast
		live := make([]*node, 0, 110*mb/72)
		for len(live) < cap(live) {
			for range min(20000, cap(live)-len(live)) {
				live = append(live, &node{})
			}
			time.Sleep(time.Millisecond)
		}
		churn(live, 600*mb)
		runtime.KeepAlive(live)
	},
	"mixed": func() {
		live := nodes(90 * mb)
		for range 30 {
			churn(live, 20*mb)
			sinkBytes = make([]byte, 20*mb)
			for range 1000 {
				sinkBytes = make([]byte, 4000)
			}
		}
		runtime.KeepAlive(live)
	},
	"big": func() {
		var live [10][]byte
		for i := range 400 {
			b := make([]byte, mb+i%8*mb)
			for j := 0; j < len(b); j += 4096 {
				b[j] = 1
			}
			live[i%len(live)] = b
		}
		runtime.KeepAlive(live)
	},
	"stacks": func() { // bursts of goroutines
		live := nodes(60 * mb)
		for range 4 {
			var up, end sync.WaitGroup
			stop := make(chan bool)
			for range 1500 {
				up.Add(1)
				end.Go(func() {
					deep(20000/frame, func() { up.Done(); <-stop })
				})
			}
			up.Wait()
			churn(live, 100*mb)
			close(stop)
			end.Wait()
			churn(live, 100*mb)
		}
		runtime.KeepAlive(live)
	},
	"deep": func() { // one goroutine
		live := nodes(50 * mb)
		for range 3 {
			deep(60*mb/frame, func() { churn(live, 150*mb) })
			churn(live, 150*mb)
		}
		runtime.KeepAlive(live)
	},
	"phases": func() { // objects of ever other sizes
		live := nodes(100 * mb)
		churn(live, 100*mb)
		live = nil
		for size := 64; size <= 64<<10; size *= 4 {
			list := make([][]byte, 100*mb/size)
			for i := range 3 * len(list) {
				b := make([]byte, size)
				for j := 0; j < size; j += 4096 {
					b[j] = 1
				}
				list[i%len(list)] = b
			}
		}
	},
	"late": func() { // the limit comes while the program runs
		live := nodes(70 * mb)
		debug.SetMemoryLimit(limit)
		churn(live, 600*mb)
		debug.SetGCPercent(-1)
		churn(live, 600*mb)
		runtime.KeepAlive(live)
	},
	"off": func() { // only the limit makes collections
		debug.SetGCPercent(-1)
		live := nodes(90 * mb)
		churn(live, 800*mb)
		runtime.KeepAlive(live)
	},
}

func main() {
	if os.Args[1] != "late" {
		debug.SetMemoryLimit(limit)
	}
	shapes[os.Args[1]]()
	status, _ := os.ReadFile("/proc/self/status")
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	kb := 0
	fmt.Sscan(peak, &kb)
	fmt.Println(kb / 1024)
}
