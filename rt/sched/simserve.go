package sched

import (
	"unsafe"

	"loam/rt/sim"
	"loam/rt/sys"
)

// The beginning and the end of simulated runs: files, reports, and the server that forks a process
// a run.

// simFiles are what a run writes besides what it simulates.
var simFiles struct{ log, trace simFile }

type simFile struct {
	fd  int32
	buf [16 << 10]byte
}

func (f *simFile) open(name string) {
	f.fd = openFile(name, sys.O_WRONLY|sys.O_CREAT|sys.O_TRUNC)
}

// readWhole returns the text of a file, in memory that stays.
func readWhole(name string) string {
	fd := openFile(name, sys.O_RDONLY)
	size := int(sys.Syscall6(sys.SYS_LSEEK, uintptr(fd), 0, 2, 0, 0, 0))
	if size <= 0 {
		return ""
	}
	p := sys.SimOwn(uintptr(size), -1)
	n := 0
	for n < size {
		k := sys.Pread(fd, unsafe.Add(p, n), size-n, int64(n))
		if k <= 0 {
			break
		}
		n += k
	}
	sys.Close(fd)
	return unsafe.String((*byte)(p), n)
}

// loadList gives the oracle its schedule.
func loadList(text string) {
	lines := 1
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			lines++
		}
	}
	size := 2 * lines
	memory := sys.SimOwn(uintptr(size)*unsafe.Sizeof(sim.Deviation{}), -1)
	simulation.oracle.Load(text, unsafe.Slice((*sim.Deviation)(memory), size))
}

// mapCoverage maps the file of a table that runs share.
func mapCoverage(name string) sim.Coverage {
	const size = sim.CoverageEntries * 8
	fd := openFile(name, sys.O_RDWR|sys.O_CREAT)
	if sys.Syscall6(sysFtruncate, uintptr(fd), size, 0, 0, 0, 0) != 0 {
		sys.Throw("LOAMSIM: the file of the coverage cannot be as large as it has to be")
	}
	p := sys.SimOwn(size, fd)
	sys.Close(fd)
	return unsafe.Slice((*uint64)(p), sim.CoverageEntries)
}

// openFile opens a file that LOAMSIM names, or ends the process.
func openFile(name string, flags int32) int32 {
	var path [1024]byte
	if len(name) >= len(path) {
		sys.Throw("LOAMSIM: the name of a file is too long")
	}
	copy(path[:], name)
	fd := sys.Open(unsafe.String(&path[0], len(name)+1), flags, 0o666)
	if fd < 0 {
		sys.BeginLine()
		sys.PrintString("LOAMSIM: cannot open ")
		sys.PrintString(name)
		sys.PrintString(": error ")
		sys.PrintInt(-int64(fd))
		sys.EndLine()
		sys.Exit(2)
	}
	return fd
}

func writeAll(fd int32, b []byte) {
	for len(b) > 0 {
		n := sys.Write(fd, unsafe.Pointer(&b[0]), len(b))
		if n == -sys.EINTR {
			continue
		}
		if n <= 0 {
			return
		}
		b = b[n:]
	}
}

// simEnd is sys.AtExit: it writes what is left of the log, and the report.
func simEnd(code int32) {
	sys.AcquireM() // no points from here on
	sys.AtExit = nil
	o := &simulation.oracle
	o.Log.End()
	o.Trace.End()
	flushTimeline()
	if o.Report >= 0 {
		simReport(code)
	}
	if simulation.together {
		simLeaves()
	}
}

// simReport writes how the run has ended.
func simReport(code int32) {
	o := &simulation.oracle
	reportPlaces(int32(o.Report))
	var r report
	r.add("exit ", uint64(uint32(code)))
	r.add(" decisions ", o.Decisions)
	r.add(" hash ", o.Hash)
	r.add(" now ", uint64(sys.SimTime.Now-1e9))
	if line := o.Diverged(); line != 0 {
		r.add(" diverged ", line)
	}
	if simulation.lonely {
		r.add(" world ", 1)
	}
	r.text("\n")
	writeAll(int32(o.Report), r.buf[:r.n])
}

// report is a line of words and numbers.
type report struct {
	buf [512]byte
	n   int
}

func (r *report) text(s string) { r.n += copy(r.buf[r.n:], s) }

func (r *report) add(name string, v uint64) {
	r.text(name)
	r.n += sim.Decimal(r.buf[r.n:], v)
}

// serveSimulations is LOAMSIM=serve=1: each line of descriptor 3 is the value of LOAMSIM for a run,
// preceded by the name of the file that gets its output and by the processor time that it may take,
// in seconds. A child of this process makes the run, and descriptor 4 gets a line when it has
// ended: its status as wait4 gives it, behind the run's report if it has made one. It returns in
// the children only. Goroutine stack.
func serveSimulations() {
	sys.OnSystemStack(func() {
		for {
			var line [2048]byte
			n := readLine(line[:])
			if n == 0 {
				sys.AtExit = nil
				sys.Exit(0)
			}
			if forkRun(unsafe.String(&line[0], n)) {
				return
			}
		}
	})
}

// readLine reads a line of descriptor 3, without its end. Nothing is behind it: the next one is
// written when the run that it asks for has ended.
func readLine(to []byte) int {
	for n := 0; n < len(to); {
		k := sys.Read(3, unsafe.Pointer(&to[n]), len(to)-n)
		if k == -sys.EINTR {
			continue
		}
		if k <= 0 {
			return 0
		}
		if n += k; to[n-1] == '\n' {
			return n - 1
		}
	}
	return 0
}

const (
	sysFork      = 57
	sysFtruncate = 77
	sysDup2      = 33
	sysWait4     = 61
	sysPrlimit64 = 302
	rlimitCPU    = 0
	sysGetppid   = 110
	sysPrctl     = 157
	prPdeathsig  = 1
)

// forkRun makes one run in a child, and reports its end; true in the child.
func forkRun(line string) (child bool) {
	child, id := false, int(sys.Syscall6(sysFork, 0, 0, 0, 0, 0, 0))
	if id == 0 {
		beginChild(line)
		return true
	}
	var status int32
	if id < 0 {
		sys.Throw("LOAMSIM: fork failed")
	}
	for {
		r := int(sys.Syscall6(sysWait4, uintptr(id), uintptr(unsafe.Pointer(&status)), 0, 0, 0, 0))
		if r != -sys.EINTR {
			break
		}
	}
	var r report
	r.add("status ", uint64(uint32(status)))
	r.text("\n")
	writeAll(4, r.buf[:r.n])
	return false
}

// beginChild prepares a run: the output, the limit of its time, and what it is.
func beginChild(line string) {
	sys.Syscall6(sysPrctl, prPdeathsig, sys.SIGKILL, 0, 0, 0, 0)
	if int32(sys.Syscall6(sysGetppid, 0, 0, 0, 0, 0, 0)) != pid { // the server has ended before
		sys.AtExit = nil
		sys.Exit(1)
	}
	m := curM()
	m.Thread.Tid = sys.Gettid()
	pid = sys.Getpid()
	output, rest := cut(line, ' ')
	seconds, rest := cut(rest, ' ')
	if limit, ok := parseUint(seconds); ok && limit > 0 {
		both := [2]uint64{limit, limit}
		sys.Syscall6(sysPrlimit64, 0, rlimitCPU, uintptr(unsafe.Pointer(&both)), 0, 0, 0)
	}
	if output != "-" {
		fd := openFile(output, sys.O_WRONLY|sys.O_CREAT|sys.O_TRUNC)
		sys.Syscall6(sysDup2, uintptr(fd), 1, 0, 0, 0, 0)
		sys.Syscall6(sysDup2, uintptr(fd), 2, 0, 0, 0, 0)
		sys.Close(fd)
	}
	text := (*[2048]byte)(sys.SimOwn(2048, -1)) // settings keep parts of it
	n := copy(text[:], rest)
	var bad string
	if simulation.asked, bad = sim.Parse(unsafe.String(&text[0], n)); bad != "" {
		sys.Throw("LOAMSIM: a run that the server was asked for has a wrong setting")
	}
	simulation.asked.Report = 4
}

// cut splits s at the first c.
func cut(s string, c byte) (before, after string) {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
