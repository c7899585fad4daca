package runtime

import (
	"internal/runtime/exithook"
	"loam/rt/sched"
	"loam/rt/sema"
	"loam/rt/sys"
	"unsafe"
)

// LOAMTRACE=FILE makes a program write a trace of its whole run to FILE, as if it began with
// trace.Start and deferred trace.Stop; os.Exit ends the trace, too. `loam trace -- program` uses
// it. The variable is not passed on: programs that this one starts would write to the same file.

const traceFileEnv = "LOAMTRACE"

// traceTaken says that a trace is taken that the program has not begun itself.
var traceTaken bool

// trace_taken lets regions and messages into such a trace.
//
//go:linkname trace_taken runtime/trace.taken
func trace_taken() bool { return traceTaken }

// startTraceFile starts the trace if there is to be one. It runs on the first goroutine, before the
// initialisers.
func startTraceFile() {
	name := gogetenv(traceFileEnv)
	if name == "" {
		return
	}
	fd := sys.Open(name+"\x00", sys.O_WRONLY|sys.O_CREAT|sys.O_TRUNC, 0o666)
	if fd < 0 {
		sys.PrintString(traceFileEnv + "=" + name + ": cannot write this file: " + openError(int64(-fd)) + "\n")
		sys.Exit(2)
	}
	traceTaken = true
	if err := StartTrace(); err != nil {
		throw("the trace of " + traceFileEnv + " is not the first")
	}
	var written uint32 // semaphore
	sched.NewSystem(func() {
		for b := ReadTrace(); b != nil; b = ReadTrace() {
			for len(b) > 0 && fd >= 0 {
				n := sys.Write(fd, unsafe.Pointer(unsafe.SliceData(b)), len(b))
				if n < 0 && n != -sys.EINTR {
					sys.PrintString("loam: " + traceFileEnv + ": the trace ends early: errno " + itoa(int64(-n)) + "\n")
					sys.Close(fd)
					fd = -1
				} else if n > 0 {
					b = b[n:]
				}
			}
		}
		if fd >= 0 {
			sys.Close(fd)
		}
		sema.Release(&written, false, 0)
	})
	sched.BeforeDeath(endTraceOnSignal)
	exithook.Add(exithook.Hook{RunOnFailure: true, F: func() {
		StopTrace()
		sema.Acquire(&written, false, sched.WaitSemacquire, 0)
	}})
}

// openError is what is wrong with a file that cannot be opened.
func openError(errno int64) string {
	switch errno {
	case 2:
		return "no such directory"
	case 13:
		return "permission denied"
	case 20:
		return "not a directory"
	case 21:
		return "it is a directory"
	case 30:
		return "read-only file system"
	}
	return "errno " + itoa(errno)
}
