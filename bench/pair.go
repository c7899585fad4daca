package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"
)

// once runs gc's and Loam's program and returns what they print: one after the other, or if the
// plan says so at the same time. Then each has a processor, and the next round exchanges them.
func (p plan) once(programs [2]string, args []string, round int) (outs [2][]byte, err error) {
	var cpus []int
	if p.paired {
		if cpus, err = processors(); err != nil {
			return outs, err
		}
	}
	var printed [2]bytes.Buffer
	var running []*exec.Cmd
	for i, program := range programs {
		c := exec.Command(program, args...)
		c.Stdout, c.Stderr = &printed[i], os.Stderr
		if len(cpus) < 2 {
			err = c.Run()
		} else if err = startOn(c, cpus[(i+round)%2]); err == nil {
			running = append(running, c)
		}
		if err != nil {
			break
		}
	}
	for _, c := range running {
		err = cmp.Or(err, c.Wait())
	}
	if err != nil {
		return outs, fmt.Errorf("%s %q: %w", programs, args, err)
	}
	return [2][]byte{printed[0].Bytes(), printed[1].Bytes()}, nil
}

// A mask has a bit for each processor of a machine that Linux knows.
type mask [16]uint64

// affinity makes the system call that reads or writes the processors of the calling thread.
func affinity(call uintptr, m *mask) error {
	if _, _, e := syscall.RawSyscall(call, 0, unsafe.Sizeof(*m), uintptr(unsafe.Pointer(m))); e != 0 {
		return fmt.Errorf("affinity of the thread: %w", e)
	}
	return nil
}

// processors are those that this process may use.
func processors() (list []int, err error) {
	var m mask
	if err := affinity(syscall.SYS_SCHED_GETAFFINITY, &m); err != nil {
		return nil, err
	}
	for cpu := range len(m) * 64 {
		if m[cpu/64]>>(cpu%64)&1 != 0 {
			list = append(list, cpu)
		}
	}
	return list, nil
}

// startOn starts c on that processor: a child has the processors of the thread that starts it. The
// thread ends with its goroutine, which it stays locked to.
func startOn(c *exec.Cmd, cpu int) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		var m mask
		m[cpu/64] = 1 << (cpu % 64)
		if err := affinity(syscall.SYS_SCHED_SETAFFINITY, &m); err != nil {
			done <- err
			return
		}
		done <- c.Start()
	}()
	return <-done
}
