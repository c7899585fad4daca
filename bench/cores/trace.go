package main

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// A step is an instruction that a thread has made, with what it did to memory.
type step struct {
	accesses []access
}

// An access is what an instruction does to a word.
type access struct {
	address  uint64
	size     int
	kind     kind // read, write or update
	swaps    bool // an update by an exchange, or a compare-and-swap
	old, new uint64
}

// tracer makes the threads of a program go step by step between begin and end, while all others
// stand still.
type tracer struct {
	pid        int
	begin, end uint64
	saved      map[uint64]byte // of the program, where breakpoints are
	threads    map[int]bool
	late       map[int]syscall.Signal // signals that threads get when they go on
	decoder    decoder
	mayWait    bool // a window may end with the thread asleep
}

// mostSteps ends a window that does not come to its end.
const mostSteps = 400_000

// trace runs the program, whose argument is the name of an operation, and returns the steps of each
// window, in their order.
func trace(program, name string, procs int) (windows [][]step, err error) {
	runtime.LockOSThread() // ptrace is a thread's
	defer runtime.UnlockOSThread()
	t := &tracer{saved: map[uint64]byte{}, threads: map[int]bool{}, late: map[int]syscall.Signal{}}
	t.mayWait = name == idle
	if t.begin, t.end, err = marks(program); err != nil {
		return nil, err
	}
	cmd := exec.Command(program, name)
	cmd.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", procs), "GODEBUG=asyncpreemptoff=1")
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t.pid = cmd.Process.Pid
	defer cmd.Process.Kill()
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(t.pid, &status, 0, nil); err != nil {
		return nil, err
	}
	t.threads[t.pid] = true
	const exitKill = 1 << 20
	if err := syscall.PtraceSetOptions(t.pid, syscall.PTRACE_O_TRACECLONE|exitKill); err != nil {
		return nil, err
	}
	for _, at := range []uint64{t.begin, t.end} {
		if err := t.setBreak(at); err != nil {
			return nil, err
		}
	}
	t.goOn(t.pid, 0)
	for {
		tid, err := syscall.Wait4(-1, &status, wall, nil)
		if err != nil {
			return windows, err
		}
		switch {
		case status.Exited() || status.Signaled():
			delete(t.threads, tid)
			if tid == t.pid {
				if !status.Exited() || status.ExitStatus() != 0 {
					return windows, fmt.Errorf("%s ends with %v", program, status)
				}
				return windows, nil
			}
		case status.Stopped() && status.StopSignal() == syscall.SIGTRAP && status.TrapCause() <= 0:
			window, err := t.broke(tid)
			if err != nil {
				return windows, fmt.Errorf("window %d: %w", len(windows), err)
			}
			if window != nil {
				windows = append(windows, window)
			}
		case status.Stopped():
			t.stopped(tid, status)
			t.goOn(tid, t.late[tid])
		}
	}
}

const wall = 0x40000000 // __WALL

// marks returns the addresses of the program's begin and end.
func marks(program string) (begin, end uint64, err error) {
	file, err := elf.Open(program)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		return 0, 0, err
	}
	for _, s := range symbols {
		switch s.Name {
		case "main.begin":
			begin = s.Value
		case "main.end":
			end = s.Value
		}
	}
	if begin == 0 || end == 0 {
		return 0, 0, fmt.Errorf("%s has no main.begin or main.end", program)
	}
	return begin, end, nil
}

func (t *tracer) setBreak(at uint64) error {
	var b [1]byte
	if _, err := syscall.PtracePeekText(t.pid, uintptr(at), b[:]); err != nil {
		return err
	}
	t.saved[at] = b[0]
	_, err := syscall.PtracePokeText(t.pid, uintptr(at), []byte{0xcc})
	return err
}

// stopped notes a thread's stop: a new thread, or a signal that it is to get.
func (t *tracer) stopped(tid int, status syscall.WaitStatus) {
	t.late[tid] = 0
	if !t.threads[tid] {
		t.threads[tid] = true
		return
	}
	if s := status.StopSignal(); s != syscall.SIGSTOP && s != syscall.SIGTRAP {
		t.late[tid] = s
	}
}

func (t *tracer) goOn(tid int, signal syscall.Signal) {
	delete(t.late, tid)
	syscall.PtraceCont(tid, int(signal))
}

// broke is for a thread that has come to begin or end: it passes the breakpoint, and if it was
// begin, goes step by step from there.
func (t *tracer) broke(tid int) (window []step, err error) {
	var regs syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(tid, &regs); err != nil {
		return nil, err
	}
	at := regs.Rip - 1
	saved, ok := t.saved[at]
	if !ok {
		return nil, fmt.Errorf("thread %d has stopped at %#x", tid, regs.Rip)
	}
	t.freeze(tid)
	regs.Rip = at
	if err := syscall.PtraceSetRegs(tid, &regs); err != nil {
		return nil, err
	}
	if _, err := syscall.PtracePokeText(tid, uintptr(at), []byte{saved}); err != nil {
		return nil, err
	}
	if _, err := t.step(tid); err != nil {
		return nil, err
	}
	if _, err := syscall.PtracePokeText(tid, uintptr(at), []byte{0xcc}); err != nil {
		return nil, err
	}
	if at == t.begin {
		if window, err = t.window(tid); err != nil {
			return nil, err
		}
	}
	for other := range t.threads {
		t.goOn(other, t.late[other])
	}
	return window, nil
}

// freeze stops all other threads.
func (t *tracer) freeze(self int) {
	for tid := range t.threads {
		if tid == self {
			continue
		}
		if _, _, e := syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(t.pid), uintptr(tid), uintptr(syscall.SIGSTOP)); e != 0 {
			continue
		}
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(tid, &status, wall, nil); err != nil || !status.Stopped() {
			delete(t.threads, tid)
			continue
		}
		t.stopped(tid, status)
	}
}

// step lets a thread make one instruction. A signal that wants it to make way for others is for
// later.
func (t *tracer) step(tid int) (status syscall.WaitStatus, err error) {
	signal := 0
	for {
		if _, _, e := syscall.RawSyscall6(syscall.SYS_PTRACE, syscall.PTRACE_SINGLESTEP, uintptr(tid), 0, uintptr(signal), 0, 0); e != 0 {
			return status, e
		}
		if _, err := syscall.Wait4(tid, &status, wall, nil); err != nil {
			return status, err
		}
		if !status.Stopped() {
			return status, fmt.Errorf("thread %d ends in a window", tid)
		}
		switch s := status.StopSignal(); s {
		case syscall.SIGTRAP:
			return status, nil
		case syscall.SIGURG, syscall.SIGSTOP:
			signal = 0
		default:
			signal = int(s)
		}
	}
}

// window goes from begin to end, or to where the thread would wait.
func (t *tracer) window(tid int) (steps []step, err error) {
	var regs syscall.PtraceRegs
	for range mostSteps {
		if err := syscall.PtraceGetRegs(tid, &regs); err != nil {
			return nil, err
		}
		if regs.Rip == t.end {
			if t.mayWait {
				return nil, fmt.Errorf("after %d instructions the thread has not slept", len(steps))
			}
			return steps, nil
		}
		if call, ok := t.waits(tid, &regs); ok {
			if !t.mayWait || call == syscall.SYS_CLOCK_NANOSLEEP {
				return nil, fmt.Errorf("after %d instructions the thread waits for another, or runs a loop", len(steps))
			}
			return steps, nil
		}
		list, err := t.decoder.accesses(tid, &regs)
		if err != nil {
			return nil, err
		}
		for i := range list {
			list[i].old = t.peek(tid, list[i])
		}
		if _, err := t.step(tid); err != nil {
			return nil, err
		}
		for i := range list {
			list[i].new = t.peek(tid, list[i])
		}
		steps = append(steps, step{list})
	}
	return nil, fmt.Errorf("a window has more than %d instructions", mostSteps)
}

// waits reports whether the next instruction is a system call in which the thread waits for others;
// with SYS_CLOCK_NANOSLEEP the loops do, and nobody else.
func (t *tracer) waits(tid int, regs *syscall.PtraceRegs) (call uint64, waits bool) {
	var code [2]byte
	if _, err := syscall.PtracePeekText(tid, uintptr(regs.Rip), code[:]); err != nil || code != [2]byte{0x0f, 0x05} {
		return 0, false
	}
	switch regs.Rax {
	case syscall.SYS_FUTEX:
		waits = regs.Rsi&0x7f&^1 == 0 || regs.Rsi&0x7f == 9 // to wait; 1 wakes
	case syscall.SYS_EPOLL_WAIT, syscall.SYS_EPOLL_PWAIT, syscall.SYS_NANOSLEEP, syscall.SYS_CLOCK_NANOSLEEP, epollPwait2:
		waits = true
	}
	return regs.Rax, waits
}

const epollPwait2 = 441

// peek returns the word that an update is about.
func (t *tracer) peek(tid int, a access) uint64 {
	if a.kind != update {
		return 0
	}
	var b [8]byte
	if _, err := syscall.PtracePeekData(tid, uintptr(a.address), b[:a.size]); err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b[:])
}
