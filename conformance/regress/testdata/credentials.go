package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A change of credentials holds for all threads, those that start later, and those that never run Go code but start others. What is
// changed is the capabilities' bounding set, where this is allowed.
func main() {
	runtime.GOMAXPROCS(2)
	runtime.GC()
	const (
		dropBounding = 24
		netRaw       = 13
	)
	_, _, err := syscall.AllThreadsSyscall(syscall.SYS_PRCTL, dropBounding, netRaw, 0)
	if err != 0 && err != syscall.EPERM {
		fmt.Println(err)
	}

	// The monitor starts threads for those that are in system calls.
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() { syscall.Nanosleep(&syscall.Timespec{Nsec: 200e6}, nil) })
	}
	time.Sleep(100 * time.Millisecond)
	sets := map[string]int{}
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, task := range tasks {
		status, _ := os.ReadFile("/proc/self/task/" + task.Name() + "/status")
		if _, set, ok := strings.Cut(string(status), "CapBnd:"); ok {
			set, _, _ = strings.Cut(set, "\n")
			sets[strings.TrimSpace(set)]++
		}
	}
	wg.Wait()
	fmt.Println("kinds of threads:", len(sets))
	if len(sets) > 1 {
		fmt.Println(sets)
	}
}
