package simulation

import (
	"unsafe"

	"loam/rt/sim"
	"loam/rt/sys"
)

// The beginning and the end of simulated runs: files and reports.

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

// end is sys.AtExit: it writes what is left of the log, and the report. It returns the status
// with which the process is to end.
func end(code int32) int32 {
	sys.AcquireM() // no points from here on
	sys.AtExit = nil
	if run.ending.after {
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
