package runtime

import (
	"loam/rt/sched"
	"loam/rt/symtab"
)

// What tracebacks show of the run-time system where they show its frames: with GOTRACEBACK=system,
// and after a fatal error of the run-time system or a signal. People and tools know gc's functions.
// So a function of Loam's that plays the part of one of gc's has its name, and others are left out.
// Positions are Loam's own. LOAMDEBUG=frames=1 shows what there is. docs/rationale.md says why.

// fromC is the function by which C calls Go.
const fromC = "crosscall2"

// inEngine reports whether a function is the run-time system's, but for package runtime.
func inEngine(name string) bool { return hasPrefix(name, "internal/rt/") || name == "__morestack" }

// roleName returns the name of gc's function whose part a function plays, and whether there is one.
func roleName(name string) (role string, plays bool) {
	if role, plays = roleInPanic(name); plays {
		return role, true
	}
	switch name {
	case "internal/rt/sys.Throw":
		if sched.ProgramFails || sched.AllAsleep {
			return "runtime.fatal", true
		}
		return "runtime.throw", true
	case "internal/rt/sched.reportDeadlock":
		return "runtime.checkdead", true
	case "internal/rt/sched.sleepForP":
		return "runtime.mput", true
	case "internal/rt/sched.goIdle":
		return "runtime.stopm", true
	case "internal/rt/sched.parkG":
		return "runtime.park_m", true
	case "internal/rt/sys.Mcall":
		return "runtime.mcall", true
	case "runtime.unexpectedFault":
		return "runtime.throw", true
	case "internal/rt/stack.overflow":
		return "runtime.newstack", true
	case "__morestack":
		return "runtime.morestack", true
	case "internal/rt/heap.Alloc":
		return "runtime.mallocgc", true
	case "internal/rt/heap.newLarge":
		return "runtime.mallocgcLarge", true
	case "internal/rt/heap.outOfMemory":
		return "runtime.(*mcache).allocLarge", true
	case "runtime.panicplain", "runtime.panicSliceCapOverflow":
		return "", false
	case "internal/rt/sched.findWork":
		return "runtime.findRunnable", true
	case "internal/rt/sched.pickNext":
		return "runtime.schedule", true
	}
	if inEngine(name) {
		return "", false
	}
	if !hasPrefix(name, "runtime.") {
		return name, true
	}
	switch rest := name[len("runtime."):]; rest {
	case "gopanic", "goexit", "main", "sigpanic", "deferreturn", "doInit", "doInit1", "throw", "fatal", "breakpoint",
		"runFinalizers", "runCleanups", "forcegchelper", "updateMaxProcsGoroutine", "systemstack", "corostart", "coroswitch",
		"preprintpanics", "preprintpanics.func1", "chanrecv1", "chansend1", "selectgo", "block", "entersyscall", "exitsyscall",
		"makeslice", "growslice", "newobject", "mallocgc", "makechan", "closechan", "makemap":
		return name, true
	default:
		return name, isUpper(rest, 0) || hasPrefix(rest, "(*") && isUpper(rest, 2) || hasPrefix(rest, "panic")
	}
}

// roleInPanic is roleName for the functions that have found the fault which a panic is about, or
// were called to find it: Callers shows these between gopanic and the program's function.
func roleInPanic(name string) (role string, plays bool) {
	switch name {
	case "internal/rt/channel.(*Chan).sendClosed", "internal/rt/channel.sendWoken":
		return "runtime.chansend", true
	case "runtime.boundsFailed", "runtime.boundsFailedU":
		return "runtime.panicBounds64", true
	case "runtime.makeslicelen":
		return "runtime.panicmakeslicelen", true
	case "runtime.makeslicecap":
		return "runtime.panicmakeslicecap", true
	case "runtime.unsafeslicelen":
		return "runtime.panicunsafeslicelen1", true
	case "runtime.unsafeslicenilptr":
		return "runtime.panicunsafeslicenilptr1", true
	case "runtime.panicmakeslicelen", "runtime.panicmakeslicecap":
		return "runtime.makeslice", true
	case "runtime.panicunhashable":
		return "runtime.nilinterhash", true
	case "runtime.paniclacks":
		return "runtime.getitab", true
	case "runtime.lacksMethod":
		return "runtime.typeAssert", true
	case "runtime.growslice", "runtime.makechan", "runtime.efaceeq", "runtime.ifaceeq", "runtime.chansend1", "runtime.selectgo", "runtime.closechan",
		"runtime.selectnbsend":
		return name, true
	}
	if name == "runtime.panicplain" || name == "runtime.panicSliceCapOverflow" {
		return "", false
	}
	if hasPrefix(name, "runtime.panicIndex") || hasPrefix(name, "runtime.panicSlice") {
		// one function of gc's is called by all checks of bounds, and calls a second one
		return "runtime.panicBounds", true
	}
	return name, isOfType(name) || hasPrefix(name, "runtime.map") || hasPrefix(name, "runtime.panic")
}

// isOfType recognises the functions that the compiler makes to compare, and to hash, values of a
// type.
func isOfType(name string) bool { return hasPrefix(name, "eq:") || hasPrefix(name, "hash:") }

// waitFrames returns the functions of gc's in which a goroutine waits that has called the function
// named gate, from the inside out. What Loam has there depends on what was inlined, and on whether
// the thread went on with another goroutine at once.
func waitFrames(gate string) []string {
	switch gate {
	case "runtime.Gosched":
		return nil
	case "runtime.chanrecv1", "reflect.chanrecv":
		return receiving[:]
	case "runtime.chansend1", "reflect.chansend0":
		return sending[:]
	case "reflect.rselect":
		return selecting[:]
	case "internal/poll.runtime_pollWait":
		return polling[:]
	case "sync.runtime_notifyListWait", "runtime.forcegchelper", "runtime.updateMaxProcsGoroutine":
		return unlocking[:]
	case "sync.runtime_Semacquire", "sync.runtime_SemacquireWaitGroup", "sync.runtime_SemacquireRWMutexR", "sync.runtime_SemacquireRWMutex",
		"internal/sync.runtime_SemacquireMutex", "internal/poll.runtime_Semacquire":
		return acquiring[:]
	case "runtime.runCleanups":
		return cleaning[:]
	}
	return unlocking[:1]
}

var (
	receiving = [...]string{"runtime.gopark", "runtime.chanrecv"}
	sending   = [...]string{"runtime.gopark", "runtime.chansend"}
	selecting = [...]string{"runtime.gopark", "runtime.selectgo"}
	polling   = [...]string{"runtime.gopark", "runtime.netpollblock"}
	unlocking = [...]string{"runtime.gopark", "runtime.goparkunlock"}
	acquiring = [...]string{"runtime.gopark", "runtime.goparkunlock", "runtime.semacquire1"}
	cleaning  = [...]string{"runtime.gopark", "runtime.goparkunlock", "runtime.(*cleanupQueue).dequeue"}
	callingC  = [...]string{"runtime.cgocall"}
	calledByC = [...]string{"runtime.cgocallbackg1", "runtime.cgocallbackg", "runtime.cgocallbackg", "runtime.cgocallback"}
	aboveC    = [...]string{"runtime.systemstack_switch", "runtime.cgocall"}
)

// castRole makes f what a traceback with the run-time system's frames shows of it, and reports
// whether it shows f. Of the frames of a goroutine that waits it shows those of waitFrames at the
// first one that is not the engine's, at the place of the innermost; one that was made to wait has
// none of its own.
func (w *frameWriter) castRole(f *symtab.Frame, u *unwinder) bool {
	if !w.showRuntime || sched.DebugFrames {
		return true
	}
	if w.waits {
		if inEngine(f.Func) {
			if w.innermost.Func == "" {
				w.innermost = *f
			}
			return false
		}
		w.waits = false
		if w.fresh {
			w.innermost = *f
		}
		if w.innermost.Func != "" {
			w.play(&w.innermost, waitFrames(f.Func))
		}
	}
	if w.inC {
		w.inC = false
		w.play(f, callingC[:])
	}
	if f.Func == fromC {
		w.play(f, calledByC[:])
		w.noteCaller(u)
		w.play(f, aboveC[:])
		return false
	}
	name, plays := roleName(f.Func)
	if f.Linkage == f.Func {
		f.Linkage = name
	}
	f.Func = name
	return plays
}

// play shows functions of gc's, from the inside out, at the place of f.
func (w *frameWriter) play(f *symtab.Frame, names []string) {
	w.innermost = *f
	for _, name := range names {
		w.innermost.Func = name
		w.note(&w.innermost, nil)
	}
}

// isUnknown reports whether a goroutine of the run-time system's is one that gc has no counterpart
// of.
func isUnknown(gp *sched.G) bool {
	if !gp.System || sched.DebugFrames {
		return false
	}
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(gp.StartPC(), &out)
	return n > 0 && inEngine(out[n-1].Func)
}
