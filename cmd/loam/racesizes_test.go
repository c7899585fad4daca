package main_test

import (
	"path/filepath"
	"testing"
)

// sizesModule is a program in which a goroutine accesses memory twice, and then another one
// accesses a byte there without order. It compares the races that are found with those that there
// are, for accesses of all sizes that have functions of their own, and for all places in two cells.
const sizesModule = `
-- go.mod --
module sizes

go 1.26
-- main.go --
package main

import (
	"fmt"
	"runtime"
	"unsafe"
)

type two struct{ a, b uint64 }
type three struct{ a, b, c uint64 }

type access struct {
	at, size int
	writes   bool
}

//go:noinline
func (x access) do(memory *[8]uint64) uint64 {
	p := unsafe.Add(unsafe.Pointer(memory), x.at)
	if x.writes {
		switch x.size {
		case 1:
			*(*uint8)(p) = 1
		case 2:
			*(*uint16)(p) = 1
		case 4:
			*(*uint32)(p) = 1
		case 8:
			*(*uint64)(p) = 1
		case 16:
			*(*two)(p) = two{1, 2}
		case 24:
			*(*three)(p) = three{1, 2, 3}
		}
		return 0
	}
	switch x.size {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	case 8:
		return *(*uint64)(p)
	case 16:
		v := *(*two)(p)
		return v.a + v.b
	}
	v := *(*three)(p)
	return v.a + v.b + v.c
}

func (x access) races(y access) bool {
	return (x.writes || y.writes) && x.at < y.at+y.size && y.at < x.at+x.size
}

// found reports whether there is a race if another goroutine does first and second, and this one
// last, without order.
func found(first, second, last access) bool {
	before := runtime.RaceErrors()
	memory := new([8]uint64)
	done := make(chan bool)
	go func() {
		first.do(memory)
		second.do(memory)
		runtime.RaceDisable()
		done <- true
		runtime.RaceEnable()
	}()
	runtime.RaceDisable()
	<-done
	runtime.RaceEnable()
	last.do(memory)
	return runtime.RaceErrors() > before
}

func main() {
	var all []access
	for _, size := range []int{1, 2, 4, 8, 16, 24} {
		for _, at := range []int{0, 3, 8} {
			all = append(all, access{at, size, false}, access{at, size, true})
		}
	}
	n, races := 0, 0
	for _, first := range all {
		for _, second := range all {
			for i, at := range []int{0, 2, 4, 7, 8, 11, 16, 31} {
				last := access{at, 1, (first.at+second.at+i)%2 == 0}
				want := first.races(last) || second.races(last)
				if got := found(first, second, last); got != want {
					fmt.Println(first, second, last, got)
				}
				n++
				if want {
					races++
				}
			}
		}
	}
	fmt.Println(n, "cases", races > n/4, races < n/4*3)
}
`

// TestRaceSizes: what accesses of frequent sizes leave out because the detector knows it already is
// nothing that another goroutine races with.
func TestRaceSizes(t *testing.T) {
	dir := module(t, sizesModule)
	if r := run(t, dir, nil, "build", "-race", "."); r.code != 0 {
		t.Fatal(r.stderr)
	}
	env := []string{"GORACE=exitcode=0 atexit_sleep_ms=0 suppress_equal_stacks=0 suppress_equal_addresses=0 log_path=" + filepath.Join(t.TempDir(), "log")}
	want(t, runProgram(t, filepath.Join(dir, "sizes"), env), 0, "10368 cases true true\n", "")
}
