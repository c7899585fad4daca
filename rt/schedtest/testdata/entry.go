// A goroutine that was preempted at the first instruction of a function is in that function: what
// lies before belongs to another one, or to none.
package main

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

type page struct{ words [512]int }

// first gets the address of its argument, which is too large for registers, and begins with the
// access to it.
//
//go:noinline
func first(p page) int { return p.words[1] }

// call calls first with pages that nobody has touched. Most of its time is the kernel's, which
// makes a page for that first instruction, and a signal that comes meanwhile is handled there.
func call(pages []page) {
	valued := first
	first := *(*func(*page) int)(unsafe.Pointer(&valued)) // the same for the machine, without a copy
	for sum := 0; sum == 0; {
		for i := range pages {
			sum += first(&pages[i])
		}
		syscall.RawSyscall(syscall.SYS_MADVISE, uintptr(unsafe.Pointer(&pages[0])),
			uintptr(len(pages))*unsafe.Sizeof(pages[0]), syscall.MADV_DONTNEED)
	}
}

func main() {
	const n = 256
	memory, err := syscall.Mmap(-1, 0, n*4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		panic(err)
	}
	go call(unsafe.Slice((*page)(unsafe.Pointer(&memory[0])), n))
	atEntry, text := false, make([]byte, 1<<16)
	for last := time.Now().Add(time.Hour); !atEntry && time.Now().Before(last); {
		time.Sleep(time.Microsecond) // the other goroutine runs
		stacks := string(text[:runtime.Stack(text, true)])
		_, frame, found := strings.Cut(stacks, "\nmain.first(...)\n")
		line, _, _ := strings.Cut(frame, "\n")
		atEntry = found && !strings.Contains(line, " +0x")
	}
	fmt.Println("at the entry:", atEntry)
}

// Output:
// at the entry: true
