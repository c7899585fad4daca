// Functions that call nothing have no frame. It prints ok if the stacks of a goroutine that was
// stopped in one have its caller, and writes a CPU profile of them to the file that its argument
// names.
package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"syscall"
	"time"
	"unsafe"
)

//go:noinline
func index(s []int, i int) int { return s[i] / s[i+1] * s[i+2] / s[i+3] }

// reversed pushes registers.
//
//go:noinline
func reversed(p *[14]int, s []int, i int) int {
	x0 := p[0]
	x1 := p[1]
	x2 := p[2]
	x3 := p[3]
	x4 := p[4]
	x5 := p[5]
	x6 := p[6]
	x7 := p[7]
	x8 := p[8]
	x9 := p[9]
	x10 := p[10]
	x11 := p[11]
	x12 := p[12]
	x13 := p[13]
	p[0] = x13
	p[1] = x12
	p[2] = x11
	p[3] = x10
	p[4] = x9
	p[5] = x8
	p[6] = x7
	p[7] = x6
	p[8] = x5
	p[9] = x4
	p[10] = x3
	p[11] = x2
	p[12] = x1
	p[13] = x0
	return s[i]
}

//go:noinline
func spin(s []int, p *[14]int) (n int) {
	for range 1000 {
		n += index(s, 1) + reversed(p, s, 2)
	}
	return n
}

//go:noinline
func around(stop *bool) {
	s, p := []int{1, 2, 3, 4, 5, 6}, new([14]int)
	for !*stop {
		spin(s, p)
	}
}

// spent is the processor time of the process, of which a profile has samples.
func spent() time.Duration {
	var t syscall.Timespec
	const processClock = 2
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, processClock, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano())
}

func main() {
	runtime.GOMAXPROCS(2)
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		panic(err)
	}
	var stop bool
	go around(&stop)
	leaf := regexp.MustCompile(`(?m)^main\.(index|reversed)\(.*\n.*\n(.*)\n.*\n(.*)`)
	buf := make([]byte, 1<<16)
	seen := map[string]int{}
	for seen["index"] < 5 || seen["reversed"] < 5 || spent() < 3*time.Second {
		text := buf[:runtime.Stack(buf, true)]
		if m := leaf.FindSubmatch(text); m != nil {
			if !bytes.HasPrefix(m[2], []byte("main.spin(")) || !bytes.HasPrefix(m[3], []byte("main.around(")) {
				fmt.Printf("%s\n", text)
				os.Exit(1)
			}
			seen[string(m[1])]++
		}
		time.Sleep(100 * time.Microsecond)
	}
	stop = true
	pprof.StopCPUProfile()
	if err := file.Close(); err != nil {
		panic(err)
	}
	fmt.Println("ok")
}
