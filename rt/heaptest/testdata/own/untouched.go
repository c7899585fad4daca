// Large objects that nobody touches, after others that were touched and are free again. Prints the most memory that the process
// has had, in megabytes.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
)

const mb = 1 << 20

// in makes one object, reads and perhaps writes a word of it, or all.
//
//go:noinline
func in[T any](bytes int, touch bool, value T) int {
	var size = bytes / 8
	s := make([]T, size)
	n := 0
	if touch {
		for i := range s {
			s[i] = value
		}
		n++
	}
	s[size/2] = value
	return n
}

var word = new(int)

func bare(megabytes int, touch bool)     { in(megabytes*mb, touch, uint64(7)) }
func pointers(megabytes int, touch bool) { in(megabytes*mb, touch, word) }

var kept [][]uint64
var keptPointers [][]*int

var orders = map[string]func(){
	"again": func() {
		for range 20 {
			bare(1000, false)
		}
	},
	"afterTouched": func() {
		for range 4 {
			bare(64, true)
			bare(1000, false)
			pointers(48, true)
			pointers(1000, false)
		}
	},
	"collected": func() { // what the collector has looked at
		for range 5 {
			s := make([]*int, 1000*mb/8)
			runtime.GC()
			s[5] = word
			runtime.KeepAlive(s)
			s = nil
			runtime.GC()
		}
	},
	"growing": func() {
		for size := 10; size < 3000; size += size / 2 {
			bare(size, false)
			pointers(size, false)
			bare(20, true)
		}
	},
	"shrinking": func() {
		for size := 3000; size > 10; size -= size / 3 {
			bare(size, false)
			bare(20, true)
			pointers(size, false)
		}
	},
	"kept": func() {
		for range 8 {
			bare(50, true)
			kept = append(kept, make([]uint64, 500*mb/8))
			keptPointers = append(keptPointers, make([]*int, 500*mb/8))
			pointers(50, true)
		}
		kept, keptPointers = nil, nil
		runtime.GC()
		for range 8 {
			kept = append(kept, make([]uint64, 700*mb/8))
			keptPointers = append(keptPointers, make([]*int, 300*mb/8))
		}
	},
	"same": func() {
		for range 10 {
			bare(100, true)
			bare(100, false)
		}
	},
}

func main() {
	orders[os.Args[1]]()
	f, err := os.Open("/proc/self/status")
	if err != nil {
		panic(err)
	}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if peak, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			var kb int
			fmt.Sscan(peak, &kb)
			fmt.Println(kb / 1024)
			return
		}
	}
}
