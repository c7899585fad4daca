package runtime

import (
	"internal/cpu"
	"internal/runtime/exithook"
	"loam/rt/cpuprof"
	"loam/rt/hash"
	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/simulation"
	"loam/rt/stack"
	"loam/rt/sys"
	"unsafe"
)

// The start of a program, after rt/sched has made the first goroutine, and its end.

// An initTask is what initialises a package. The addresses of count functions follow it. The layout
// is gc's.
type initTask struct {
	state, count uint32
}

// States of an initTask.
const (
	initToDo uint32 = iota
	initBegun
	initEnded
)

// functions are the code addresses of the functions that t runs.
func (t *initTask) functions() []uintptr {
	return unsafe.Slice((*uintptr)(unsafe.Add(unsafe.Pointer(t), unsafe.Sizeof(*t))), t.count)
}

// initTasks are the package initialisers in the order in which Go runs them, listed by the driver.
//
//go:linkname initTasks loam.inittasks
var initTasks *initTask

//go:linkname initTaskCount loam.ninittasks
var initTaskCount uintptr

//go:linkname main_main main.main
func main_main()

// programStart is when main began, in nanoseconds.
var programStart int64

// initDone says that main.main has begun.
var initDone bool

// initialised is closed when the packages of a library are.
var initialised chan struct{}

// main is the first goroutine's function.
func main() {
	sys.TracebackHook = sysTraceback
	sched.SigPanic = sigpanicCode
	sched.FatalSignal = fatalSignal
	stack.PrintFunc = printFuncName
	cpu.Initialize(gogetenv("GODEBUG"))
	programStart = nanotime()
	vdsoClockgettimeSym = sys.VDSOClock()
	hash.Seed(rand)
	exithook.Gosched = Gosched
	exithook.Goid = func() uint64 { return sched.CurrentG().ID }
	exithook.Throw = throw
	parseSettings()
	if sched.DebugProfile > 0 {
		cpuprof.Stress(sched.DebugProfile)
	}
	if sched.DebugLeaks > 0 && !sys.Simulated {
		reportLeaks(int64(sched.DebugLeaks))
	}
	if sched.DebugUsage {
		keepUsage()
	}

	if sys.Library {
		initialised = make(chan struct{})
	}
	beginC()
	initStaticMaps()
	defaultGOMAXPROCSUpdateEnable()
	startTraceFile()
	startFlight()

	// Programs that need the main thread lock it in an init function, which makes main.main
	// run there too. Until here this goroutine has been locked since it was made.
	defer func() {
		if !initDone {
			UnlockOSThread() // also if an initialiser panics or exits the goroutine
		}
	}()
	if race.Enabled {
		beginRaces()
	}
	doInit(unsafe.Slice(&initTasks, initTaskCount))
	UnlockOSThread()
	initDone = true
	if sys.Library { // it has a function main, but C's program runs
		close(initialised)
		return
	}
	if sys.Simulated && !simulation.AtTest() {
		beginSimulation()
	}

	main_main()

	if sys.Simulated {
		endSimulation(false)
	}
	awaitPanics()
	if isDying() {
		// Another goroutine is reporting a crash: the report decides.
		for {
			sys.Usleep(1000000)
		}
	}
	exithook.Run(0)
	if race.Enabled {
		endRaces()
	}
	sched.Exiting()
	sys.Exit(0)
}

// defaultGOMAXPROCSUpdateEnable starts the goroutines that the monitor wakes. Tracebacks say so.
//
//go:noinline
func defaultGOMAXPROCSUpdateEnable() { sched.StartBackground() }

// doInit runs package initialisers. Programs look for this function, and for the one that it calls,
// in stacks, to know code that runs while packages are initialised.
//
//go:noinline
func doInit(tasks []*initTask) {
	for _, t := range tasks {
		doInit1(t)
	}
}

//go:noinline
func doInit1(t *initTask) {
	if t.state != initToDo {
		return
	}
	t.state = initBegun
	for _, pc := range t.functions() {
		if traceInit {
			initTraced(pc)
		} else {
			callCode(pc)
		}
	}
	t.state = initEnded
}

// os_beforeExit runs before os.Exit ends the process.
//
//go:linkname os_beforeExit os.runtime_beforeExit
func os_beforeExit(exitCode int) {
	if sys.Simulated && exitCode == 0 {
		endSimulation(true)
	}
	awaitDeath()
	exithook.Run(exitCode)
	if race.Enabled && exitCode == 0 {
		endRaces()
	}
}

//go:linkname syscall_Exit syscall.Exit
func syscall_Exit(code int) { sys.Exit(int32(code)) }

// traceInit is GODEBUG=inittrace=1: a line for each package that is initialised, in gc's form.
var traceInit bool

// initTraced calls a package initialiser and prints when it began, how long it took and what it
// allocated.
func initTraced(pc uintptr) {
	var before, after heap.Stats
	heap.ReadStats(&before)
	start := nanotime()
	callCode(pc)
	end := nanotime()
	heap.ReadStats(&after)
	name := FuncForPC(pc).Name()
	sys.BeginLine()
	sys.PrintString("init ")
	sys.PrintString(name[:max(0, len(name)-len(".init"))])
	sys.PrintString(" @")
	heap.PrintMillis(start - programStart)
	sys.PrintString(" ms, ")
	heap.PrintMillis(end - start)
	sys.PrintString(" ms clock, ")
	sys.PrintUint(after.TotalAlloc - before.TotalAlloc)
	sys.PrintString(" bytes, ")
	sys.PrintUint(after.Mallocs - before.Mallocs)
	sys.PrintString(" allocs")
	sys.EndLine()
}
