package main

import (
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// settle returns when all other goroutines wait. One in a system call does if its thread sleeps:
// others are about to come back. It has to be there before that is seen and afterwards.
func settle() {
	text := make([]byte, 1<<16)
	for ; ; time.Sleep(time.Millisecond) {
		before := others(text)
		if strings.Contains(before, " [runn") {
			continue
		}
		if !strings.Contains(before, " [syscall") || threadsSleep() && others(text) == before {
			return
		}
	}
}

// others are the stacks of all goroutines but the current one.
func others(text []byte) string {
	_, s, _ := strings.Cut(string(text[:runtime.Stack(text, true)]), "\n\n")
	return s
}

// threadsSleep reports whether all threads but the current one sleep. Package os would do more than
// read: its files begin goroutines.
func threadsSleep() bool {
	dir, err := syscall.Open("/proc/self/task", syscall.O_RDONLY|syscall.O_DIRECTORY, 0)
	if err != nil {
		panic(err)
	}
	defer syscall.Close(dir)
	var names []string
	for b := make([]byte, 4096); ; {
		n, err := syscall.ReadDirent(dir, b)
		if err != nil {
			panic(err)
		}
		if n <= 0 {
			break
		}
		_, _, names = syscall.ParseDirent(b[:n], -1, names)
	}
	for _, name := range names {
		if name != strconv.Itoa(syscall.Gettid()) && !threadSleeps(name) {
			return false
		}
	}
	return true
}

// threadSleeps reports whether a thread does, or has ended.
func threadSleeps(name string) bool {
	fd, err := syscall.Open("/proc/self/task/"+name+"/stat", syscall.O_RDONLY, 0)
	if err != nil {
		return true
	}
	defer syscall.Close(fd)
	var b [512]byte
	n, err := syscall.Read(fd, b[:])
	if err != nil {
		return true
	}
	_, state, _ := strings.Cut(string(b[:max(n, 0)]), ") ")
	return strings.HasPrefix(state, "S")
}
