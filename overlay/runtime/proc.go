package runtime

import (
	"internal/goarch"
	"internal/goos"
	"loam/rt/sched"
	"loam/rt/simulation"
	"loam/rt/sys"
	"unsafe"
)

// Compiler is the name of the toolchain in the sense of build constraints and file formats: Loam
// builds what gc builds.
const Compiler = "gc"

// GOARCH and GOOS name the machine and system the program was built for.
const (
	GOARCH string = goarch.GOARCH
	GOOS   string = goos.GOOS
)

// buildVersion is set by the driver to the version of the Go whose standard library is used.
//
//go:linkname buildVersion loam.goversion
var buildVersion string

// Version returns that version.
func Version() string {
	if buildVersion == "" {
		return "go1.26"
	}
	return buildVersion
}

// defaultGOROOT is set by the driver: the installed SDK.
//
//go:linkname defaultGOROOT loam.goroot
var defaultGOROOT string

// GOROOT returns the root of the Go tree: the environment's GOROOT, or the one that the program was
// built with.
func GOROOT() string {
	if s := gogetenv("GOROOT"); s != "" {
		return s
	}
	return defaultGOROOT
}

// newproc is the go statement: fn is a closure of func().
//
//go:noinline
func newproc(fn unsafe.Pointer) {
	pc, fp := pastHop(sys.CallerPC(), callerFP(sys.FramePointer()))
	if tracebackAncestors > 0 {
		newprocFrom(fn, pc, unwindSelf(pc, fp))
		return
	}
	if sys.Simulated {
		newprocNoted(fn, pc, unwindSelf(pc, fp))
		return
	}
	sched.NewProc(fn, pc)
}

// newprocNoted is newproc in a simulated run, whose reports say who has called the function of the
// go statement, at which u is.
func newprocNoted(fn unsafe.Pointer, pc uintptr, u unwinder) {
	var stack [simulation.CallersKept]uintptr
	for i := range stack {
		stack[i] = u.pc
		if !u.next() {
			break
		}
	}
	simulation.Started(sched.NewProc(fn, pc).ID, &stack)
}

// Gosched lets other goroutines run.
func Gosched() { sched.Gosched() }

// NumGoroutine returns the number of goroutines that exist.
func NumGoroutine() int { return sched.NumGoroutine() }

// NumCPU returns the number of CPUs that the process may use, as found at its start.
func NumCPU() int {
	if sys.Simulated {
		return int(simulation.Procs())
	}
	return int(sys.NumCPU)
}

// GOMAXPROCS sets how many goroutines may execute Go code at a time, and returns the previous
// value; n < 1 only asks.
func GOMAXPROCS(n int) int { return int(sched.SetNumP(int32(max(min(n, 1<<31-1), 0)))) }

// SetDefaultGOMAXPROCS sets GOMAXPROCS to what it is by default: the number of CPUs that the
// process may use now. From then on it follows changes of that.
func SetDefaultGOMAXPROCS() { sched.SetDefaultNumP() }

// LockOSThread ties the calling goroutine to its thread, until as many calls of [UnlockOSThread].
func LockOSThread() { sched.LockOSThread() }

// UnlockOSThread undoes a call of [LockOSThread].
func UnlockOSThread() { sched.UnlockOSThread() }

//go:linkname setMaxThreads runtime/debug.setMaxThreads
func setMaxThreads(n int) int { return sched.SetMaxThreads(n) }

//go:linkname setPanicOnFault runtime/debug.setPanicOnFault
func setPanicOnFault(on bool) (old bool) {
	gp := sched.CurrentG()
	old, gp.PanicOnFault = gp.PanicOnFault, on
	return old
}

// procPin and procUnpin keep the goroutine on its P; nothing between them may park. For sync and
// for those who pull them by linkname.
func procPin() int { return sched.Pin() }
func procUnpin()   { sched.Unpin() }

//go:linkname sync_runtime_procPin sync.runtime_procPin
func sync_runtime_procPin() int { return sched.Pin() }

//go:linkname sync_runtime_procUnpin sync.runtime_procUnpin
func sync_runtime_procUnpin() { sched.Unpin() }

//go:linkname atomic_runtime_procPin sync/atomic.runtime_procPin
func atomic_runtime_procPin() int { return sched.Pin() }

//go:linkname atomic_runtime_procUnpin sync/atomic.runtime_procUnpin
func atomic_runtime_procUnpin() { sched.Unpin() }

// nanotime is pushed by rt/timer.
func nanotime() int64
