package main

import (
	"fmt"
	"iter"
	"os"
	"os/exec"
	"runtime"
)

// A goroutine that resumes a coroutine must have locked the thread as its maker had: gc throws where this is not so. The lock may
// not go to the goroutine that comes next.

func count(yield func(int) bool) {
	for i := 0; yield(i); i++ {
	}
}

func elsewhere(f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

var cases = []func(){
	func() { // fine
		runtime.LockOSThread()
		next, stop := iter.Pull(func(yield func(int) bool) {
			runtime.LockOSThread()
			runtime.UnlockOSThread()
			yield(1)
			yield(2)
		})
		fmt.Println(next())
		runtime.LockOSThread()
		runtime.UnlockOSThread()
		fmt.Println(next())
		stop()
		runtime.UnlockOSThread()
		next, stop = iter.Pull(count)
		elsewhere(func() { fmt.Println(next()) })
		stop()
	},
	func() { // made by a thread that is not locked
		next, _ := iter.Pull(count)
		fmt.Println(next())
		runtime.LockOSThread()
		fmt.Println(next())
	},
	func() { // made by one that is
		runtime.LockOSThread()
		next, _ := iter.Pull(count)
		fmt.Println(next())
		runtime.UnlockOSThread()
		fmt.Println(next())
	},
	func() { // locked elsewhere
		runtime.LockOSThread()
		next, _ := iter.Pull(count)
		fmt.Println(next())
		elsewhere(func() {
			runtime.LockOSThread()
			fmt.Println(next())
		})
	},
	func() { // locked once more
		runtime.LockOSThread()
		next, _ := iter.Pull(count)
		fmt.Println(next())
		runtime.LockOSThread()
		fmt.Println(next())
	},
	func() { // the coroutine locks
		next, _ := iter.Pull(func(yield func(int) bool) {
			runtime.LockOSThread()
			yield(1)
		})
		fmt.Println(next())
	},
	func() { // and ends
		next, _ := iter.Pull(func(yield func(int) bool) { runtime.LockOSThread() })
		fmt.Println(next())
	},
	func() { // the coroutine unlocks
		runtime.LockOSThread()
		next, _ := iter.Pull(func(yield func(int) bool) {
			runtime.UnlockOSThread()
			yield(1)
		})
		fmt.Println(next())
	},
	func() { // not begun
		_, stop := iter.Pull(count)
		runtime.LockOSThread()
		stop()
		fmt.Println("stopped")
	},
}

func main() {
	if len(os.Args) > 1 {
		cases[len(os.Args[1])]()
		fmt.Println("end")
		return
	}
	for i := range cases {
		out, err := exec.Command("/proc/self/exe", "123456789"[:i]).Output()
		fmt.Printf("%d: %s%v\n", i, out, err)
	}
}
