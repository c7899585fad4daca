package runtime

import (
	"loam/rt/park"
	"loam/rt/sched"
	"loam/rt/simulation"
	"loam/rt/symtab"
	"loam/rt/sys"
	"loam/rt/tracer"
	"loam/rt/whereis"
	"sync/atomic"
	"unsafe"
)

// Printing of stacks. Everything here works on a crashing program: it does not allocate, takes no
// lock but the printer's and the symbol table's, and reads stacks through the bounds-checked
// unwinder.

// traceback settings, from GOTRACEBACK and debug.SetTraceback: a level (0 nothing, 1 user frames, 2
// all frames) and two flags.
const (
	traceAll   = 1 << 8 // all goroutines
	traceCrash = 1 << 9 // dump core
)

var traceSetting, traceFromEnv atomic.Uint32

func tracebackLevel() (level int, all, crash bool) {
	s := traceSetting.Load()
	return int(s & 0xFF), s&traceAll != 0, s&traceCrash != 0
}

// parseTraceback understands the values of GOTRACEBACK.
func parseTraceback(s string) uint32 {
	switch s {
	case "none":
		return 0
	case "single", "":
		return 1
	case "all":
		return 1 | traceAll
	case "system":
		return 2 | traceAll
	case "crash":
		return 2 | traceAll | traceCrash
	}
	level, ok := parseInt(s)
	if !ok || level < 0 || level > 255 {
		return traceAll
	}
	return uint32(level) | traceAll
}

// setTraceback is debug.SetTraceback: it can ask for more than the environment did, not for less.
//
//go:linkname setTraceback runtime/debug.SetTraceback
func setTraceback(level string) {
	have, want := traceFromEnv.Load(), parseTraceback(level)
	depth := max(have&0xFF, want&0xFF)
	traceSetting.Store(depth | (have|want)&^0xFF)
}

// At most this many of the innermost and of the outermost frames are printed.
const (
	innerFrames = 50
	outerFrames = 50
)

// frameWriter prints logical frames; it counts those that would be printed, so that the same walk
// serves for counting.
type frameWriter struct {
	showRuntime bool
	wrappers    bool // print the compiler's functions between caller and callee too
	detail      bool // print each frame's addresses too
	from, to    int  // print the frames whose number is in [from, to)
	own         int  // how many frames there are to the outermost one that is not of package testing
	// the frame further in is sigpanic's: the address is to be the instruction's that failed
	trapped bool
	count   int
	// the goroutine waits, and the frames up to the first that is not the run-time system's are to
	// be those of waitFrames; innermost is the first of them
	waits     bool
	fresh     bool // it has not begun
	inC       bool // the first frame's function has called C
	innermost symtab.Frame
}

// walk visits u's frames.
func (w *frameWriter) walk(u unwinder) {
	var out [symtab.MaxInline]symtab.Frame
	w.count, w.own = 0, 0
	w.trapped = false
	w.waits, w.fresh, w.inC, w.innermost.Func = u.parked, u.last != 0, u.inC, ""
	panicked := u.panicked // by the physical frame further in, for its caller
	for {
		n := symbolize(u.lookupPC(), &out)
		if n == 0 {
			n, out[0] = 1, symtab.Frame{}
		}
		if out[n-1].Func == fromC && (!w.showRuntime || sched.DebugFrames) {
			w.noteCaller(&u)
		}
		for i := range out[:n] {
			f := &out[i]
			if (w.shows(f, u.pc) || i == 0 && panicked && isCallWrapper(f.Func)) && w.castRole(f, &u) {
				nameMethod(f)
				w.note(f, &u)
			}
		}
		// A fault's frame is the instruction itself, not a return address.
		fault := isFault(&out[n-1])
		panicked = panicsForCaller(&out[n-1])
		w.trapped = panicked && out[n-1].Func == "runtime.sigpanic"
		if !u.next() {
			return
		}
		u.exact = fault || u.exact // or a function that is being entered, or begins
	}
}

// note counts a frame, and prints it if its number is asked for. u is nil if the frame stands for
// what is there, and has no addresses.
func (w *frameWriter) note(f *symtab.Frame, u *unwinder) {
	if w.from <= w.count && w.count < w.to {
		w.print(f, u)
	}
	w.count++
	if !ofTesting(f) {
		w.own = w.count
	}
}

// ofTesting reports whether a frame is of what runs tests.
func ofTesting(f *symtab.Frame) bool {
	return hasPrefix(f.Func, "testing.") || f.Func == "main.main" && hasSuffix(f.File, "_testmain.go")
}

func (w *frameWriter) shows(f *symtab.Frame, pc uintptr) bool {
	name := f.Func
	switch kind := classify(f); {
	case name == "runtime.goexit" || !hasDot(name): // of no package: static functions of assembly
		return w.showRuntime
	case kind == frameUser && !hasPrefix(name, "internal/runtime/maps.runtime_"), name == "runtime.gopanic",
		isExportedRuntime(name) && !isGenerated(f):
		return true
	case isWrapperName(name):
		return w.wrappers || w.showRuntime && (isCallWrapper(name) || hasSuffix(name, "-fm"))
	case isGenerated(f):
		// A forwarder, or a wrapper of assembly, named like the function it goes on to. It counts
		// as that function if a fresh goroutine is to begin there.
		return pc == f.Entry
	}
	return w.showRuntime
}

// print prints one logical frame of the physical frame that u is at: function, file and line, and
// unless it was inlined the distance from the function's entry.
func (w *frameWriter) print(f *symtab.Frame, u *unwinder) {
	if f.Func == "" && u != nil {
		printhex(uint64(u.pc))
		emitString("\n\t?:0\n")
		return
	}
	switch {
	case f.Func == "runtime.gopanic":
		emitString("panic")
	case hasPrefix(f.Func, "eq:"): // the comparison of two values of a type
		emitString("type:.eq.")
		emitString(f.Func[len("eq:"):])
	default:
		emitString(f.Func)
	}
	switch {
	case f.Func == "runtime.goexit":
		emitString("({})\n\t")
	case u != nil && !f.Inlined && whereis.Nullary(f.Entry):
		emitString("()\n\t")
	default:
		emitString("(...)\n\t") // what it was called with is not known
	}
	printPosition(f)
	if u != nil && !f.Inlined {
		pc := u.pc
		if w.trapped && !u.exact {
			pc-- // compiled code calls sigpanic's part
		}
		if pc > f.Entry {
			emitString(" +")
			printhex(uint64(pc - f.Entry))
		}
		// In simulated runs the system stack is where the kernel wants it.
		if w.detail && (u.fp != 0 || u.sp != 0) && !sys.Simulated {
			fp := u.fp + 16
			if u.fp == 0 {
				fp = u.sp // the outermost frame
			}
			emitString(" fp=")
			printhex(uint64(fp))
			emitString(" sp=")
			printhex(uint64(u.stackPointer()))
			emitString(" pc=")
			printhex(uint64(pc))
		}
	}
	emitString("\n")
}

func printPosition(f *symtab.Frame) {
	line := f.Line
	switch {
	case f.File != "":
		emitString(f.File)
	case f.Func == "":
		emitString("?")
	default: // as position has it, but without allocating
		dir, name := assemblyFile(f.Func)
		emitString(dir)
		emitString(name)
		line = max(line, f.StartLine, 1)
	}
	emitString(":")
	printint(int64(line))
}

// printStack prints the stack that begins at u.
func printStack(u unwinder, showRuntime, detail bool) {
	w := frameWriter{showRuntime: showRuntime, detail: detail, to: innerFrames}
	w.walk(u)
	if w.count == 0 && !showRuntime {
		// Nothing but run-time frames and wrappers, such as those of a goroutine that has not begun:
		// better these than nothing.
		w.showRuntime, w.wrappers = true, true
		w.walk(u)
	}
	if w.count <= innerFrames {
		return
	}
	w.from, w.to = innerFrames, w.count
	if elided := w.count - innerFrames - outerFrames; elided > 0 {
		emitString("...")
		printint(int64(elided))
		emitString(" frames elided...\n")
		w.from += elided
	}
	w.walk(u)
}

// printSystemStack prints the frames of the system stack that u is on, and leaves u at the first of
// the goroutine's own. They are few.
func printSystemStack(u *unwinder) {
	w := frameWriter{showRuntime: true, detail: true, to: innerFrames}
	part := *u
	part.systemOnly = true
	w.walk(part)
	for u.onSystem() && u.next() {
	}
	// A function that has not been entered yet is at the call of __morestack.
	var out [symtab.MaxInline]symtab.Frame
	if n := symbolize(u.lookupPC(), &out); n > 0 && out[n-1].Func == "__morestack" && w.castRole(&out[n-1], u) {
		w.note(&out[n-1], u)
		u.atEntry(*(*uintptr)(ptr(u.fp - 16)))
	}
}

// printHeader prints the line that introduces a goroutine; detail adds the addresses of its G and
// its thread.
func printHeader(gp *sched.G, status string, detail bool) {
	emitString("goroutine ")
	printuint(gp.ID)
	if detail {
		emitString(" gp=")
		printhex(uint64(uintptr(unsafe.Pointer(gp))))
		if m := gp.M; m == nil {
			emitString(" m=nil")
		} else {
			emitString(" m=")
			printint(m.ID)
			emitString(" mp=")
			printhex(uint64(uintptr(unsafe.Pointer(m))))
		}
	}
	emitString(" [")
	emitString(status)
	if gp.Leaked() {
		emitString(" (leaked)")
	}
	bubble, durable := park.BubbleOf(gp)
	if durable && gp.Status == sched.Waiting && !hasSuffix(status, durableSuffix) {
		emitString(durableSuffix)
	}
	if gp.Status == sched.Waiting && gp.WaitSince() != 0 {
		if minutes := (sys.Nanotime() - gp.WaitSince()) / 60e9; minutes >= 1 {
			emitString(", ")
			printint(minutes)
			emitString(" minutes")
		}
	}
	if gp.BoundM != nil {
		emitString(", locked to thread")
	}
	if bubble != 0 {
		emitString(", synctest bubble ")
		printuint(uint64(bubble))
	}
	endHeader(gp)
}

// durableSuffix ends the status of a goroutine that waits for its own synctest bubble.
const durableSuffix = " (durable)"

// printCreator prints where the goroutine was started, if that is not in the run-time system or the
// frames of that are shown, too, and what is kept of its ancestors.
func printCreator(gp *sched.G, showRuntime bool) {
	if gp.CreatorPC == 0 || gp.ID == 1 || gp.System && !showRuntime {
		return
	}
	printStart(gp.CreatorPC, gp.CreatorID)
	printStarter(gp.ID)
	printAncestors(gp)
}

// printStarter prints, in a simulated run, who has called the function in which the goroutine was
// started, if that is one that does nothing else: the first that is neither of the library nor
// named like (*errgroup.Group).Go.
func printStarter(goroutine uint64) {
	var out [symtab.MaxInline]symtab.Frame
	starts := false
	for _, pc := range simulation.Callers(goroutine) {
		if pc == 0 {
			return
		}
		n := symbolize(uintptr(pc)-1, &out)
		for i := range out[:n] {
			f := &out[i]
			switch {
			case classify(f) == frameHidden:
			case isStarter(f):
				starts = true
			case !starts || hasPrefix(f.Func, "main.main") && hasSuffix(f.File, "_testmain.go"):
				return
			default:
				emitString("called by ")
				emitString(f.Func)
				emitString("\n\t")
				printPosition(f)
				emitString("\n")
				return
			}
		}
	}
}

// isStarter reports whether a go statement in the function says nothing of why it is made.
func isStarter(f *symtab.Frame) bool {
	ofLibrary := defaultGOROOT != "" && hasPrefix(f.File, defaultGOROOT) && hasPrefix(f.File[len(defaultGOROOT):], "/src/")
	return ofLibrary || hasSuffix(f.Func, ".Go") || hasSuffix(f.Func, ".TryGo")
}

// printStart prints the go statement that returns to pc, and the goroutine that it is in unless
// that is 0.
func printStart(pc uintptr, goroutine uint64) {
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(pc-1, &out)
	i := 0
	for i < n && classify(&out[i]) == frameHidden {
		i++
	}
	if i >= n {
		return
	}
	f := &out[i]
	emitString("created by ")
	emitString(f.Func)
	if goroutine != 0 {
		emitString(" in goroutine ")
		printuint(goroutine)
	}
	emitString("\n\t")
	printPosition(f)
	if pc > f.Entry {
		emitString(" +")
		printhex(uint64(pc - f.Entry))
	}
	emitString("\n")
}

// tracebackCurrent prints the running goroutine's stack, which begins at u.
func tracebackCurrent(u unwinder, showRuntime, detail bool) {
	gp := sched.CurrentG()
	if gp == nil {
		emitString("runtime: no goroutine\n")
	} else {
		printHeader(gp, "running", detail)
	}
	printStack(u, showRuntime, detail)
	if gp != nil {
		printCreator(gp, showRuntime)
	}
}

// tracebackOthers prints the stacks of all other goroutines, or if bubble is not nil of those in
// it, in the order of their numbers unless there are too many to sort in place. Those that run at
// the moment are only named.
func tracebackOthers(level int, bubble unsafe.Pointer) {
	const sortable = 2000
	me := sched.CurrentG()
	n := 0
	shown := func(gp *sched.G) bool {
		status := gp.Status
		return gp != me && status != sched.Dead && status != sched.Idle && !sched.IsSpare(gp) &&
			(!gp.System || gp.Finalizer || level >= 2 && !isUnknown(gp)) &&
			(bubble == nil || gp.Bubble == bubble)
	}
	sched.ForEachG(func(gp *sched.G) {
		if shown(gp) {
			n++
		}
	})
	if n > sortable {
		sched.ForEachG(func(gp *sched.G) {
			if shown(gp) {
				tracebackOther(gp, level)
			}
		})
		return
	}
	for last := uint64(0); ; {
		var next *sched.G
		sched.ForEachG(func(gp *sched.G) {
			if shown(gp) && gp.ID > last && (next == nil || gp.ID < next.ID) {
				next = gp
			}
		})
		if next == nil {
			return
		}
		last = next.ID
		tracebackOther(next, level)
	}
}

func tracebackOther(gp *sched.G, level int) {
	emitString("\n")
	status := gp.Status
	printHeader(gp, statusName(gp, status), level >= 2)
	if status == sched.Running {
		emitString("\tgoroutine running on other thread; stack unavailable\n")
	} else {
		printStack(unwindParked(gp), level >= 2, level >= 2)
	}
	printCreator(gp, level >= 2)
}

func statusName(gp *sched.G, status uint32) string {
	switch status {
	case sched.Runnable:
		return "runnable"
	case sched.Running:
		return "running"
	case sched.Syscall:
		return "syscall"
	case sched.Waiting:
		if s := gp.WaitReason.String(); s != "" {
			return s
		}
		return "waiting"
	}
	return "???"
}

// Stack formats the stack of the goroutine that calls it into buf, followed by those of all others
// if all is set, and returns the number of bytes written. The world is stopped for the latter.
//
//go:noinline
func Stack(buf []byte, all bool) int {
	if len(buf) == 0 {
		return 0
	}
	pc, fp := sys.CallerPC(), callerFP(sys.FramePointer())
	if all {
		sched.StopWorldFor(tracer.WorldAllStacks)
	}
	printlock()
	saved := printer.sink
	printer.sink = buf[:0:len(buf)]
	printer.sinkOn++
	tracebackCurrent(unwindSelf(pc, fp), false, false)
	if all {
		tracebackOthers(1, nil)
	}
	printer.sinkOn--
	n := len(printer.sink)
	printer.sink = saved
	printunlock()
	if all {
		sched.StartWorld()
	}
	return n
}

// sysTraceback is what sys.Throw calls after its message.
func sysTraceback() {
	sys.AcquireM()
	if dying.CompareAndSwap(0, uintptr(unsafe.Pointer(sys.Self()))) && !sched.AllAsleep {
		sched.FreezeForReport()
	}
	// A deadlock is the program's own; there is no goroutine to begin with.
	r := report{throw: !sched.ProgramFails && (sched.CurrentG() != nil || !sched.AllAsleep)}
	r.goroutines(sys.CallerPC(), callerFP(sys.FramePointer()))
	if _, _, crash := tracebackLevel(); crash {
		dumpCore()
	}
}
