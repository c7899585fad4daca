package sys

import (
	"sync/atomic"
	"unsafe"
)

// The Print functions write to file descriptor 2, from any stack including signal handlers: at
// once, or as one piece what is printed between BeginLine and EndLine.

// PrintString writes s.
func PrintString(s string) { PrintBytes(unsafe.Pointer(unsafe.StringData(s)), len(s)) }

// PrintBytes writes n bytes.
func PrintBytes(p unsafe.Pointer, n int) {
	if !ownsLine() {
		WriteErr(p, n)
		return
	}
	if line.n+n > len(line.buf) {
		flushLine()
	}
	if n > len(line.buf) {
		WriteErr(p, n)
		return
	}
	Move(unsafe.Pointer(&line.buf[line.n]), p, uintptr(n))
	line.n += n
}

// WriteErr writes n bytes to standard error.
func WriteErr(p unsafe.Pointer, n int) {
	if Folded != nil {
		// It keeps nothing of what it is given: buffers of those who print stay on their stacks, as
		// printing is not to change the heap.
		done := Folded(Ptr(uintptr(p)), n)
		p, n = unsafe.Add(p, done), n-done
	}
	WriteAll(2, p, n)
}

// patience is how long, in nanoseconds, WriteAll waits for a descriptor that is set not to block
// and has no room.
const patience = 2000000000

// pipeSize is how many bytes must be written after a wait in vain before WriteAll waits again: more
// than fit into the rest of a pipe that nobody reads.
const pipeSize = 1 << 16

// unread is, for standard error and for the crash file, what is missing to that; 0: there was no
// wait in vain. Atomic.
var unread [2]int32

// WriteAll writes n bytes to a descriptor for messages, and goes on after short writes. Errors are
// dropped, because there is nowhere to report them. So is what finds no room for as long as
// patience: a program with a full pipe that nobody reads must be able to print, and to die. From
// then on nothing waits, until pipeSize bytes show that somebody reads again. Any stack, signal
// handlers included.
func WriteAll(fd uintptr, p unsafe.Pointer, n int) {
	missing := &unread[0]
	if fd != 2 {
		missing = &unread[1]
	}
	end := int64(0) // of the wait for room
	for n > 0 {
		w := 0
		if FakeTime && fd == 2 {
			w = WriteFrame(2, p, n)
		} else {
			w = Write(int32(fd), p, n)
		}
		if w == -EAGAIN && end == 0 {
			end = Nanotime() + patience
		}
		switch {
		case w > 0:
			end = 0
			p = unsafe.Add(p, w)
			n -= w
			if m := atomic.LoadInt32(missing); m > 0 {
				atomic.StoreInt32(missing, max(0, m-int32(w)))
			}
		case w == -EINTR:
		case w == -EAGAIN && atomic.LoadInt32(missing) == 0 && waitWritable(int32(fd), end):
		default:
			if w == -EAGAIN {
				atomic.StoreInt32(missing, pipeSize)
			}
			return
		}
	}
}

// waitWritable waits until fd has room, and says whether it has before end.
func waitWritable(fd int32, end int64) bool {
	const pollOut = 4
	arg := struct {
		fd              int32
		events, revents int16
	}{fd: fd, events: pollOut}
	for {
		left := (end - Nanotime()) / 1000000 // poll's unit
		if left <= 0 {
			return false
		}
		if n := int(Syscall6(SYS_POLL, uintptr(unsafe.Pointer(&arg)), 1, uintptr(left), 0, 0, 0)); n != -EINTR {
			return n > 0
		}
	}
}

// PrintNL ends the line.
func PrintNL() { PrintString("\n") }

// PrintInt writes v in decimal.
func PrintInt(v int64) {
	if v < 0 {
		PrintString("-")
		PrintUint(-uint64(v))
		return
	}
	PrintUint(uint64(v))
}

// PrintUint writes v in decimal.
func PrintUint(v uint64) { printBase(v, 10) }

// PrintHex writes v in hexadecimal with 0x in front.
func PrintHex(v uint64) {
	PrintString("0x")
	printBase(v, 16)
}

func printBase(v, base uint64) {
	var buf [20]byte
	i := len(buf)
	for {
		i--
		buf[i] = "0123456789abcdef"[v%base]
		v /= base
		if v == 0 {
			break
		}
	}
	PrintBytes(unsafe.Pointer(&buf[i]), len(buf)-i)
}

// TracebackHook prints the stack of the goroutine that failed and, depending on
// GOTRACEBACK, the others. Set by overlay/runtime. Called on the stack of the
// failure, at most once.
var TracebackHook func()

var (
	reporter unsafe.Pointer // *Thread, atomic
	throwing uint32         // failures, the reporter's
)

// BeginReport makes the calling thread the one that reports a failure. Another one that fails
// meanwhile waits here for the end: both would print between each other's lines, and the first to
// be through would end the process. A Throw follows; a thread that prints more than its message
// calls it before.
func BeginReport() {
	t := Self()
	t.Locks++
	if Folded != nil {
		Dying = true
	}
	if ownsLine() { // it fails in the midst of a line
		flushLine()
		atomic.StorePointer(&line.owner, nil)
	}
	if !atomic.CompareAndSwapPointer(&reporter, nil, unsafe.Pointer(t)) && atomic.LoadPointer(&reporter) != unsafe.Pointer(t) {
		for {
			Usleep(1000000)
		}
	}
}

// Throw reports a broken invariant of the run-time system and ends the process
// with status 2. It may be called anywhere. A failure while reporting one ends
// the process with status 4 without more words.
func Throw(msg string) {
	BeginReport()
	throwing++
	if throwing > 2 {
		Exit(4)
	}
	PrintString("fatal error: ")
	PrintString(msg)
	PrintNL()
	Traceback()
	Exit(2)
}

// Traceback runs the hook once, if there is one.
func Traceback() {
	if h := TracebackHook; h != nil {
		TracebackHook = nil
		h()
	}
}
