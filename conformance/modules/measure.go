package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// measureFlag makes this program the one that test is given to execute test programs with.
const measureFlag = "-measure"

// usage is what test programs took, with the programs that they started: the processor time of all
// of them, and the most memory that one of them had.
type usage struct {
	cpu  time.Duration
	peak int64 // bytes
}

func (r *runner) measured() string { return filepath.Join(r.dir, "usage.txt") }

// readUsage adds up what measure has written.
func readUsage(file string) (u usage) {
	f, err := os.Open(file)
	if err != nil {
		return u
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var cpu time.Duration
		var peak int64
		if n, _ := fmt.Sscan(s.Text(), &cpu, &peak); n == 2 {
			u.cpu += cpu
			u.peak = max(u.peak, peak)
		}
	}
	return u
}

// measure runs a test program, writes what it took to a file, and returns its exit status.
func measure(file string, args []string) int {
	runtime.LockOSThread() // the network below is this thread's, and the program dies with it
	loopback()
	syscall.Syscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
	c := exec.Command(args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGINT)
	if err := c.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		return 1
	}
	go func() {
		for s := range signals {
			c.Process.Signal(s)
		}
	}()
	err := c.Wait()
	endOrphans()
	if used, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		line := fmt.Sprintf("%d %d\n", c.ProcessState.UserTime()+c.ProcessState.SystemTime(), used.Maxrss<<10)
		if f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666); err == nil {
			f.WriteString(line)
			f.Close()
		}
	}
	if status := c.ProcessState.ExitCode(); status >= 0 {
		return status
	}
	fmt.Fprintln(os.Stderr, strings.TrimPrefix(err.Error(), "exit status "))
	return 1
}

const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER

// endOrphans ends the processes that the test program has left running, servers for example. They
// are this process's children by then. They would go on for ever, and with them what they have
// inherited: descriptors, locks, ports.
func endOrphans() {
	for {
		for _, pid := range children() {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		if _, err := syscall.Wait4(-1, nil, 0, nil); err != nil && err != syscall.EINTR {
			return
		}
	}
}

// children returns the processes whose parent this one is.
func children() (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, _ := os.ReadFile(name)
		// The command's name, in parentheses, may have anything in it.
		_, rest, _ := strings.Cut(string(data[strings.LastIndexByte(string(data), ')')+1:]), " ")
		var state string
		var parent, pid int
		fmt.Sscan(rest, &state, &parent)
		if fmt.Sscanf(name, "/proc/%d/", &pid); parent == os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

// loopback gives the thread, and what it starts, a network with nothing but a loopback device,
// where that is allowed: tests cannot reach machines outside, and ports that others use are free.
func loopback() {
	if syscall.Unshare(syscall.CLONE_NEWNET) != nil {
		return
	}
	s, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer syscall.Close(s)
	var request struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], "lo")
	request.flags = syscall.IFF_UP | syscall.IFF_RUNNING
	syscall.Syscall(syscall.SYS_IOCTL, uintptr(s), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request)))
}
