package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
)

// A SIGSEGV that somebody sends is a signal like others; it could not be had from os/signal, and not be ignored. A SIGTRAP that the
// program causes is not: a program that asked for SIGTRAP went on after its breakpoint.

// kill sends s to the thread that runs, which has it when kill returns; what is sent to the process comes when it comes.
func kill(s syscall.Signal) { syscall.Tgkill(syscall.Getpid(), syscall.Gettid(), s) }

func try(name string, f func()) {
	defer func() { fmt.Println(name, recover()) }()
	f()
}

func main() {
	runtime.LockOSThread()
	c := make(chan os.Signal, 1)
	if len(os.Args) > 1 {
		if os.Args[1] == "ignore" {
			signal.Ignore(syscall.SIGTRAP)
			kill(syscall.SIGTRAP)
			fmt.Println("ignored")
		} else {
			signal.Notify(c, syscall.SIGTRAP)
			kill(syscall.SIGTRAP)
			fmt.Println(<-c)
		}
		runtime.Breakpoint()
		fmt.Println("not here")
	}
	faults := []os.Signal{syscall.SIGSEGV, syscall.SIGFPE, syscall.SIGBUS}
	others := []os.Signal{syscall.SIGILL, syscall.SIGTRAP, syscall.SIGSYS, syscall.SIGSTKFLT}
	signal.Notify(c, faults...)
	signal.Notify(c, others...)
	for _, s := range append(faults, others...) {
		kill(s.(syscall.Signal))
		fmt.Println(<-c)
	}
	var p *int
	zero := 0
	try("fault", func() { *p = 1 })
	try("division", func() { zero = 1 / zero })
	signal.Ignore(faults...)
	for _, s := range faults {
		kill(s.(syscall.Signal))
		fmt.Println(s, "ignored", signal.Ignored(s))
	}
	try("fault", func() { *p = 1 })
	signal.Reset()
	all := make(chan os.Signal, 1000) // SIGURG comes by itself
	signal.Notify(all)
	kill(syscall.SIGSEGV)
	for s := range all {
		if s == syscall.SIGSEGV {
			fmt.Println(s)
			break
		}
	}
	for _, arg := range []string{"ignore", "notify"} {
		out, err := exec.Command("/proc/self/exe", arg).Output()
		fmt.Printf("%s%v\n", out, err)
	}
}
