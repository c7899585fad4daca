package simulation

import (
	"unsafe"

	"loam/rt/sched"
	"loam/rt/sim"
	"loam/rt/sys"
)

// The server of simulated runs, LOAMSIM=serve=1: each line of descriptor 3 asks for a run. It has
// the name of the file that gets the run's output, the processor time that the run may take, in
// seconds, and the value of LOAMSIM. Descriptor 4 gets the report of the run, if it has made one,
// and a line with its status as wait4 gives it.
//
// Most runs are made by one child after another, each of which makes many: it rewinds its memory
// behind each run (rt/sys, rewind.go). It reads the lines itself. It ends when a run fails, or when
// one is asked for that it cannot make. Then the server makes that run in a process of its own,
// which is what decides: a run that has damaged its process has damaged nothing else.

// order is a line that a child has been given and has not reported on, which the server sees.
type order struct {
	n    int // its length; 0: there is none
	over bool
	done int // runs of the child
	line [2048]byte

	// what the child's output goes to
	output  [256]byte
	nOutput int
}

func (o *order) text() string { return unsafe.String(&o.line[0], o.n) }

// rewinds is what is known of children that rewind.
var rewinds struct {
	order  *order
	forked int // runs that are made without one, because few runs of the last ones could be rewound
	pause  int
	timer  int32
}

const (
	orderAt    = 0x1df0_0000_0000
	fewRuns    = 8
	longestRun = 1024 // runs without a child that rewinds
)

// serveSimulations returns in the processes that make runs only, once for each of them. Goroutine
// stack.
func serveSimulations() {
	sys.OnSystemStack(func() {
		p := sys.Syscall6(sys.SYS_MMAP, orderAt, unsafe.Sizeof(order{}), sys.PROT_READ|sys.PROT_WRITE, mapSharedAnon, ^uintptr(0), 0)
		if p != orderAt {
			sys.Throw("LOAMSIM: there is no memory for the server")
		}
		o := (*order)(sys.Ptr(p))
		rewinds.order = o
		for {
			if o.n == 0 && !o.read() {
				sys.AtExit = nil
				sys.Exit(0)
			}
			if serve(o) {
				return
			}
		}
	})
}

// serve makes the run that is asked for, and maybe others; true in the process that makes it.
func serve(o *order) bool {
	r := &rewinds
	if r.forked > 0 || !canRewind(o.text()) {
		r.forked = max(r.forked-1, 0)
		return forkRun(o)
	}
	o.done, o.over, o.nOutput = 0, false, 0
	id := fork()
	if id == 0 {
		return beginRewinding()
	}
	waitChild(id)
	if o.over {
		sys.AtExit = nil
		sys.Exit(0)
	}
	if o.done >= fewRuns {
		r.pause = 0
	} else {
		r.pause = min(max(1, 2*r.pause), longestRun)
		r.forked = r.pause
	}
	return o.n != 0 && forkRun(o)
}

// read reads a line of descriptor 3, without its end. Nothing is behind it: the next one is written
// when the run that it asks for has ended.
func (o *order) read() bool {
	for n := 0; n < len(o.line); {
		k := sys.Read(3, unsafe.Pointer(&o.line[n]), len(o.line)-n)
		if k == -sys.EINTR {
			continue
		}
		if k <= 0 {
			return false
		}
		if n += k; o.line[n-1] == '\n' {
			o.n = n - 1
			return true
		}
	}
	return false
}

const (
	mapSharedAnon = 0x1 | sys.MAP_ANON | 0x100000
	sysFork       = 57
	sysFtruncate  = 77
	sysDup2       = 33
	sysWait4      = 61
	sysPrlimit64  = 302
	rlimitCPU     = 0
	sysGetppid    = 110
	sysPrctl      = 157
	prPdeathsig   = 1
)

// fork makes a child, which ends with this process: 0 in the child.
func fork() int {
	parent := sys.PID
	id := int(sys.Syscall6(sysFork, 0, 0, 0, 0, 0, 0))
	if id < 0 {
		sys.Throw("LOAMSIM: fork failed")
	}
	if id == 0 {
		sys.Syscall6(sysPrctl, prPdeathsig, sys.SIGKILL, 0, 0, 0, 0)
		if int32(sys.Syscall6(sysGetppid, 0, 0, 0, 0, 0, 0)) != parent { // it has ended before
			sys.AtExit = nil
			sys.Exit(1)
		}
		(*sched.M)(sys.M()).Thread.Tid = sys.Gettid()
		sys.PID = sys.Getpid()
	}
	return id
}

func waitChild(id int) (status int32) {
	for {
		r := int(sys.Syscall6(sysWait4, uintptr(id), uintptr(unsafe.Pointer(&status)), 0, 0, 0, 0))
		if r != -sys.EINTR {
			return status
		}
	}
}

// forkRun makes one run in a process of its own, and reports its end; true in that process.
func forkRun(o *order) bool {
	id := fork()
	if id == 0 {
		output, rest := sys.Cut(o.text(), ' ')
		seconds, settings := sys.Cut(rest, ' ')
		if limit, ok := sys.ParseUint(seconds); ok && limit > 0 {
			both := [2]uint64{limit, limit}
			sys.Syscall6(sysPrlimit64, 0, rlimitCPU, uintptr(unsafe.Pointer(&both)), 0, 0, 0)
		}
		beginOutput(output)
		beginServed(settings)
		return true
	}
	status := waitChild(id)
	o.n = 0
	var r report
	r.add("status ", uint64(uint32(status)))
	r.text("\n")
	writeAll(4, r.buf[:r.n])
	return false
}

// beginOutput lets the file get what the run prints; "-": what it prints goes where it did.
func beginOutput(name string) {
	if name == "-" {
		return
	}
	fd := openFile(name, sys.O_WRONLY|sys.O_CREAT|sys.O_TRUNC)
	sys.Syscall6(sysDup2, uintptr(fd), 1, 0, 0, 0, 0)
	sys.Syscall6(sysDup2, uintptr(fd), 2, 0, 0, 0, 0)
	sys.Close(fd)
}

// beginServed takes the settings of the run over. They keep parts of the order, which stays as it
// is until the run has ended.
func beginServed(settings string) {
	var bad string
	atTest := run.asked.AtTest
	if run.asked, bad = sim.Parse(settings); bad != "" {
		sys.Throw("LOAMSIM: a run that the server was asked for has a wrong setting")
	}
	run.asked.Report, run.asked.AtTest = 4, atTest
}

// canRewind reports whether a run can be one of many in a process: it has no part in a world, and
// needs no process of its own.
func canRewind(line string) bool {
	_, rest := sys.Cut(line, ' ')
	_, settings := sys.Cut(rest, ' ')
	for settings != "" {
		var setting string
		setting, settings = sys.Cut(settings, ',')
		name, _ := sys.Cut(setting, '=')
		switch name {
		case "world", "machine", "disk", "crashed", "alone":
			return false
		}
	}
	return true
}

// beginRewinding lets the process make runs, the first of which is asked for already. It returns
// true for each of them.
func beginRewinding() bool {
	if !limitByTimer() || !sys.RewindFrom(nextRun) {
		sys.AtExit = nil
		sys.Exit(1)
	}
	_, rest := sys.Cut(rewinds.order.text(), ' ')
	_, settings := sys.Cut(rest, ' ')
	beginServed(settings)
	return true
}

// nextRun begins the run that is asked for. On the stack that is not rewound, as what follows.
func nextRun() {
	o := rewinds.order
	output, rest := sys.Cut(o.text(), ' ')
	seconds, _ := sys.Cut(rest, ' ')
	limit, _ := sys.ParseUint(seconds)
	setTimer(limit)
	if output == unsafe.String(&o.output[0], o.nOutput) {
		sys.Syscall6(sysFtruncate, 1, 0, 0, 0, 0, 0)
		sys.Syscall6(sys.SYS_LSEEK, 1, 0, 0, 0, 0, 0)
	} else {
		beginOutput(output)
		o.nOutput = copy(o.output[:], output)
	}
	sys.Rewind()
}

// rewound is called at the end of a run, which has been reported. What asks for the next one is
// waited for.
func rewound() {
	o := rewinds.order
	o.n = 0
	o.done++
	if sys.Spoiled() {
		exitChild()
	}
	if !o.read() {
		o.over = true
		exitChild()
	}
	if !canRewind(o.text()) {
		exitChild()
	}
	nextRun()
}

func exitChild() {
	for {
		sys.Syscall6(sys.SYS_EXIT_GROUP, 0, 0, 0, 0, 0, 0)
	}
}

// limitByTimer makes a timer that ends the process when a run takes too long. A limit of the
// process would have to be raised for each run.
func limitByTimer() bool {
	const processorTime = 2
	var event [8]uint64 // struct sigevent: value, signal and how it is notified
	event[1] = sys.SIGKILL
	return int64(sys.Syscall6(sys.SYS_TIMER_CREATE, processorTime, uintptr(unsafe.Pointer(&event)),
		uintptr(unsafe.Pointer(&rewinds.timer)), 0, 0, 0)) == 0
}

// setTimer lets the process run for so many seconds of processor time more; 0: for ever.
func setTimer(seconds uint64) {
	spec := [4]uint64{2: seconds}
	sys.Syscall6(sys.SYS_TIMER_SETTIME, uintptr(rewinds.timer), 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
}
