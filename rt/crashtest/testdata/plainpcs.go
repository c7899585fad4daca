package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"
)

// Program counters of inlined calls are addresses in the code of the function that they belong to:
// what looks them up later, by the program's file or by their distance from the function, finds it.

type counter struct{ n int }

func (c *counter) first()  { c.second(); c.n++ }
func (c *counter) second() { c.third(); c.n++ }
func (c *counter) third()  { look(); c.n++ }

func twice(c *counter) {
	c.third()
	c.third()
}

func generic[T any](v T, f func(T)) { f(v) }

func deep(c *counter)  { deep1(c) }
func deep1(c *counter) { deep2(c) }
func deep2(c *counter) { deep3(c) }
func deep3(c *counter) { deep4(c) }
func deep4(c *counter) { deep5(c) }
func deep5(c *counter) { c.first() }

//go:noinline
func thin() { look() }

func thinner() { thin(); look() }

var symbols []elf.Symbol

// look checks each program counter of its own stack.
//
//go:noinline
func look() {
	pcs := make([]uintptr, 40)
	pcs = pcs[:runtime.Callers(2, pcs)]
	seen := map[uintptr]bool{}
	frames := runtime.CallersFrames(pcs)
	for i := 0; ; i++ {
		frame, more := frames.Next()
		pc := pcs[i]
		f, g := runtime.FuncForPC(pc), runtime.FuncForPC(pc-1)
		alone, _ := runtime.CallersFrames(pcs[i : i+1]).Next()
		fmt.Println(frame.Function, pc>>40, g.Name(), pc > f.Entry() && pc < f.Entry()+1<<20, frame.PC == pc-1,
			alone.Function == frame.Function && alone.Line == frame.Line, seen[pc], inSymbol(pc, frame.Entry))
		seen[pc] = true
		if !more || frame.Function == "main.main" {
			return
		}
	}
}

// inSymbol says whether the program's file has a function at entry that pc is in.
func inSymbol(pc, entry uintptr) bool {
	for _, s := range symbols {
		if uint64(entry) == s.Value && uint64(pc) > s.Value && uint64(pc) <= s.Value+s.Size {
			return true
		}
	}
	return false
}

func wait(c chan int) int    { return <-c }
func waitOutside(c chan int) { wait(c) }

func main() {
	file, err1 := elf.Open("/proc/self/exe")
	var err2 error
	if err1 == nil {
		symbols, err2 = file.Symbols()
	}
	if err := errors.Join(err1, err2); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	c := new(counter)
	c.first()
	twice(c)
	deep(c)
	thin()
	thinner()
	func() { deep3(c) }()
	generic(c, (*counter).first)
	for range 2 {
		defer deep2(c)
	}
	go waitOutside(make(chan int))
	for range 100 {
		time.Sleep(time.Millisecond)
		var text strings.Builder
		pprof.Lookup("goroutine").WriteTo(&text, 1)
		if strings.Contains(text.String(), "main.waitOutside+0x") {
			fmt.Println("too large:", regexp.MustCompile(`0x[0-9a-f]{10,}`).FindAllString(text.String(), -1))
			break
		}
	}
}
