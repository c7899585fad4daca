package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// Sandboxes answer system calls that are newer than they are with EPERM. A program that slept in one died, as
// epoll_pwait2 could not be refused that way.
func main() {
	if len(os.Args) > 1 {
		start := time.Now()
		time.Sleep(5 * time.Millisecond)
		fmt.Println("slept", time.Since(start) >= 5*time.Millisecond)
		return
	}
	const (
		noNewPrivs = 38
		setSeccomp = 22
		filterMode = 2

		loadWord, jumpGreater, ret = 0x20, 0x25, 0x06
		refuse, allow              = 0x00050000 | 1, 0x7fff0000
		firstNew                   = 440 // on amd64
	)
	type instruction struct {
		code   uint16
		jt, jf uint8
		k      uint32
	}
	filter := []instruction{
		{loadWord, 0, 0, 0}, // the call's number
		{jumpGreater, 0, 1, firstNew},
		{ret, 0, 0, refuse},
		{ret, 0, 0, allow},
	}
	program := struct {
		n uint16
		f *instruction
	}{uint16(len(filter)), &filter[0]}
	runtime.LockOSThread()
	syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivs, 1, 0, 0, 0, 0)
	syscall.RawSyscall(syscall.SYS_PRCTL, setSeccomp, filterMode, uintptr(unsafe.Pointer(&program)))
	fmt.Println(syscall.Exec("/proc/self/exe", []string{"program", "child"}, os.Environ()))
}
