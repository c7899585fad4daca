// Mainthread fails if its initialisers or main.main are not on the initial thread.
package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
)

var atInit = syscall.Gettid() == os.Getpid()

func init() { runtime.LockOSThread() }

func main() {
	if !atInit || syscall.Gettid() != os.Getpid() {
		fmt.Println("initialisers on the main thread:", atInit)
		os.Exit(1)
	}
}
