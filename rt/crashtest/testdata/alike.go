package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
	"unsafe"
)

// Two calls of the run-time system that are alike, at the ends of branches, have the lines of their own in what panics and waits.

// where prints the line in the function f of main that panicked.
func where(f string) {
	e := recover()
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	for {
		fr, more := frames.Next()
		if fr.Function == "main."+f {
			fmt.Println(f, fr.Line, e)
			return
		}
		if !more {
			fmt.Println(f, "not found", e)
			return
		}
	}
}

//go:noinline
func slices(first bool, n int) (s []int) {
	defer where("slices")
	if first {
		s = make([]int, n)
	} else {
		s = make([]int, n)
	}
	return s
}

//go:noinline
func assigns(first bool, m map[string]int, k string) {
	defer where("assigns")
	if first {
		m[k] = 1
	} else {
		m[k] = 1
	}
}

//go:noinline
func keys(first bool, m map[any]int, k any) (n int) {
	defer where("keys")
	if first {
		n = m[k]
	} else {
		n = m[k]
	}
	return n
}

//go:noinline
func asserts(first bool, x any) (s fmt.Stringer) {
	defer where("asserts")
	if first {
		s = x.(fmt.Stringer)
	} else {
		s = x.(fmt.Stringer)
	}
	return s
}

//go:noinline
func equal(first bool, x, y any) (eq bool) {
	defer where("equal")
	if first {
		eq = x == y
	} else {
		eq = x == y
	}
	return eq
}

//go:noinline
func closes(first bool, c chan int) {
	defer where("closes")
	if first {
		close(c)
	} else {
		close(c)
	}
}

//go:noinline
func sends(first bool, c chan int) {
	defer where("sends")
	if first {
		c <- 1
	} else {
		c <- 1
	}
}

//go:noinline
func chans(first bool, n int) (c chan int) {
	defer where("chans")
	if first {
		c = make(chan int, n)
	} else {
		c = make(chan int, n)
	}
	return c
}

//go:noinline
func unsafes(first bool, p *int, n int) (s []int) {
	defer where("unsafes")
	if first {
		s = unsafe.Slice(p, n)
	} else {
		s = unsafe.Slice(p, n)
	}
	return s
}

//go:noinline
func waits(first bool, c chan int) (v int) {
	if first {
		v = <-c
	} else {
		v = <-c
	}
	return v
}

// started prints the lines at which the goroutine that waits in f waits and was started, once it does.
func started(f string) {
	buf := make([]byte, 64<<10)
	for {
		for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if !strings.Contains(stack, "[chan receive") || !strings.Contains(stack, "\nmain."+f+"(") {
				continue
			}
			lines := strings.Split(stack, "\n")
			for i, l := range lines {
				if strings.HasPrefix(l, "main."+f+"(") || strings.HasPrefix(l, "created by main.starts") {
					at := strings.TrimSpace(lines[i+1])
					at = at[strings.LastIndexByte(at, '/')+1:]
					fmt.Println(f, strings.Fields(at)[0])
				}
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
}

//go:noinline
func starts(first bool, f func()) {
	if first {
		go f()
	} else {
		go f()
	}
}

func main() {
	fn := any(func() {})
	for _, first := range []bool{len(os.Args) == 1, len(os.Args) != 1} {
		slices(first, -len(os.Args))
		assigns(first, nil, "k")
		keys(first, map[any]int{1: 1}, fn)
		asserts(first, 1)
		equal(first, fn, fn)
		closes(first, nil)
		c := make(chan int)
		close(c)
		sends(first, c)
		chans(first, -len(os.Args))
		unsafes(first, nil, len(os.Args))
		c = make(chan int)
		done := make(chan bool)
		starts(first, func() { waits(first, c); close(done) })
		started("waits")
		c <- 1
		<-done
	}
}
