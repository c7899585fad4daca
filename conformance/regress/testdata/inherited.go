package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// What a process inherits or has used up: standard descriptors that are closed, signals that are blocked, no descriptor left for
// the file with the line numbers.
func main() {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "closed":
			closed()
		case "blocked":
			blocked()
		}
		return
	}

	name := os.TempDir() + fmt.Sprintf("/inherited.%d", os.Getpid())
	pid, err := syscall.ForkExec(os.Args[0], []string{os.Args[0], "closed", name}, &syscall.ProcAttr{Env: os.Environ()})
	if err != nil {
		fmt.Println(err)
	}
	var status syscall.WaitStatus
	syscall.Wait4(pid, &status, 0, nil)
	text, err := os.ReadFile(name)
	os.Remove(name)
	fmt.Printf("%s%v %d\n", text, err, status.ExitStatus())

	// The mask of the thread that executes the program is what that inherits.
	runtime.LockOSThread()
	all, old := ^uint64(0), uint64(0)
	mask(&all, &old)
	cmd := exec.Command(os.Args[0], "blocked")
	out, err := cmd.CombinedOutput()
	mask(&old, nil)
	fmt.Printf("%s%v\n", out, err)

	limit := syscall.Rlimit{Cur: 20, Max: 20}
	syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	for err = nil; err == nil; {
		_, err = syscall.Open("/dev/null", 0, 0)
	}
	fmt.Println(err)
	_, _, line, ok := runtime.Caller(0)
	fmt.Println(line, ok)
}

func mask(to, old *uint64) {
	const setMask = 2
	syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, setMask, uintptr(unsafe.Pointer(to)), uintptr(unsafe.Pointer(old)), 8, 0, 0)
}

func closed() {
	f, err := os.Create(os.Args[2])
	fmt.Fprintln(f, f.Fd() > 2, err)
	n, err := fmt.Println("goes nowhere")
	fmt.Fprintln(f, n, err)
	n, err = os.Stdin.Read(make([]byte, 10))
	fmt.Fprintln(f, n, err)
}

func blocked() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM, syscall.SIGUSR1)
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGUSR1} {
		syscall.Kill(os.Getpid(), sig)
		select {
		case s := <-c:
			fmt.Println(s)
		case <-time.After(10 * time.Second):
			fmt.Println("not delivered:", sig)
		}
	}
	n := 0
	go func() {
		for {
			n++
		}
	}()
	time.Sleep(20 * time.Millisecond)
	runtime.GC() // needs the loop to stop
	fmt.Println("collected")
	syscall.Kill(os.Getpid(), syscall.SIGINT)
	time.Sleep(10 * time.Second)
}
