package simulation

import (
	"unsafe"

	"loam/rt/sim"
	"loam/rt/sys"
)

// The beginning and the end of simulated runs: files and reports.

// files are what a run writes besides what it simulates.
var files struct{ log, trace file }

type file struct {
	fd  int32
	buf [16 << 10]byte
}

func (f *file) open(name string) {
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
	run.oracle.Load(text, unsafe.Slice((*sim.Deviation)(memory), size))
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

// end is sys.AtExit: it writes what is left of the log, and the report. It returns the status
// with which the process is to end.
func end(code int32) int32 {
	sys.AcquireM() // no points from here on
	sys.AtExit = nil
	if run.after {
		Show()
		code = 0
	}
	o := &run.oracle
	o.Log.End()
	o.Trace.End()
	flushTimeline()
	if sys.Rewinding() && (code != 0 || sys.Self().InSig != 0) {
		return code // a process of its own makes the run, and reports it
	}
	if o.Report >= 0 {
		writeReport(code)
	}
	if run.together {
		leaves()
	}
	if sys.Rewinding() {
		sys.OnRewindStack(rewound)
	}
	return code
}

// writeReport writes how the run has ended.
func writeReport(code int32) {
	o := &run.oracle
	reportPlaces(int32(o.Report))
	var r report
	r.add("exit ", uint64(uint32(code)))
	r.add(" decisions ", o.Decisions)
	r.add(" hash ", o.Hash)
	r.add(" now ", uint64(sys.SimTime.Now-1e9))
	if line := o.Diverged(); line != 0 {
		r.add(" diverged ", line)
	}
	if run.lonely {
		r.add(" world ", 1)
	}
	if sys.Rewinding() {
		r.text(" rewound 1\nstatus 0")
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
