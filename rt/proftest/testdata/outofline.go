// Outofline asks which functions the slow paths of write barriers belong to. Then it spends its
// time in them, while collections mark, and writes a profile.
package main

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"syscall"
	"time"
	"unsafe"
)

type node struct{ a, b, c, d *node }

type wide struct{ nodes [40]*node }

var (
	kept  []*node
	where [4]*node
	wides [2]wide
)

//go:noinline
func store(n *node) {
	for range 1000 {
		where[0] = n
		n.a, n.b = n.c, n.d
		where[1], where[2] = n.a, n
	}
}

//go:noinline
func copies() { wides[0] = wides[1] }

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// slowPaths asks for the functions of all code that calls the run-time system's part of barriers.
func slowPaths() (found int, of map[string]bool) {
	f, err := elf.Open(os.Args[0])
	check(err)
	symbols, err := f.Symbols()
	check(err)
	shades := map[uint64]bool{}
	for _, s := range symbols {
		if s.Name == "loam.shade" || s.Name == "loam.shade_range" {
			shades[s.Value] = true
		}
	}
	of = map[string]bool{}
	for _, p := range f.Progs {
		if p.Type != elf.PT_LOAD || p.Flags&elf.PF_X == 0 {
			continue
		}
		code := make([]byte, p.Filesz)
		_, err := p.ReadAt(code, 0)
		check(err)
		const call, size = 0xe8, 5
		for i := 0; i+size <= len(code); i++ {
			at := p.Vaddr + uint64(i)
			if code[i] != call || !shades[at+size+uint64(int32(binary.LittleEndian.Uint32(code[i+1:])))] {
				continue
			}
			found++
			for pc := at; pc <= at+size; pc++ {
				name := nameOf(uintptr(pc))
				if name == "" {
					fmt.Printf("nothing is known of %#x\n", pc)
				}
				of[name] = true
			}
		}
	}
	return found, of
}

func nameOf(pc uintptr) string {
	frame, _ := runtime.CallersFrames([]uintptr{pc + 1}).Next()
	return frame.Function
}

// spent is the processor time of the process, of which a profile has samples.
func spent() time.Duration {
	var t syscall.Timespec
	const processClock = 2
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, processClock, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano())
}

func main() {
	found, of := slowPaths()
	if found < 100 {
		fmt.Println("too few slow paths:", found)
	}
	for _, want := range []string{"main.store", "main.copies", "main.main"} {
		if !of[want] {
			fmt.Println("none is of", want)
		}
	}
	debug.SetGCPercent(5)
	for range 1_000_000 {
		kept = append(kept, &node{c: &node{}})
	}
	f, err := os.Create(os.Args[1])
	check(err)
	check(pprof.StartCPUProfile(f))
	done := make(chan bool)
	go func() {
		for end := spent() + 3*time.Second; spent() < end; {
			runtime.GC()
		}
		close(done)
	}()
	for i := 0; ; i++ {
		store(kept[i%len(kept)])
		copies()
		select {
		case <-done:
			pprof.StopCPUProfile()
			check(f.Close())
			fmt.Println("ok")
			return
		default:
		}
	}
}
