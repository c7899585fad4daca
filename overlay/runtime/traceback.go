package runtime

import (
	"loam/rt/sched"
	"loam/rt/symtab"
	"loam/rt/sys"
	"sync/atomic"
	"unsafe"
)

// Printing of stacks. Everything here works on a crashing program: it does not allocate, takes no lock but the
// printer's and the symbol table's, and reads stacks through the bounds-checked unwinder.

// traceback settings, from GOTRACEBACK and debug.SetTraceback: a level (0 nothing, 1 user frames, 2 all
// frames) and two flags.
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

// frameWriter prints logical frames; it counts those that would be printed, so that the same walk serves
// for counting.
type frameWriter struct {
	showRuntime bool
	from, to    int // print the frames whose number is in [from, to)
	count       int
}

// walk visits u's frames.
func (w *frameWriter) walk(u unwinder) {
	var out [symtab.MaxInline]symtab.Frame
	w.count = 0
	for {
		n := symbolize(u.lookupPC(), &out)
		if n == 0 {
			n, out[0] = 1, symtab.Frame{}
		}
		for i := range out[:n] {
			f := &out[i]
			if w.shows(f, u.pc) {
				if w.from <= w.count && w.count < w.to {
					printFrame(f, u.pc)
				}
				w.count++
			}
		}
		// A fault's frame is the instruction itself, not a return address.
		fault := out[n-1].Func == "runtime.sigpanic"
		if !u.next() {
			return
		}
		u.exact = fault
	}
}

func (w *frameWriter) shows(f *symtab.Frame, pc uintptr) bool {
	name := f.Func
	switch kind := classify(f); {
	case name == "runtime.goexit" || name == "":
		return w.showRuntime
	case kind == frameUser && !hasPrefix(name, "internal/runtime/maps.runtime_"), name == "runtime.gopanic", isExportedRuntime(name):
		return true
	case isGenerated(f):
		return false
	}
	return w.showRuntime
}

// printFrame prints one logical frame: function, file and line, and the distance from the function's
// entry unless it was inlined.
func printFrame(f *symtab.Frame, pc uintptr) {
	if f.Func == "" {
		printhex(uint64(pc))
		emitString("\n\t?:0\n")
		return
	}
	if f.Func == "runtime.gopanic" {
		emitString("panic")
	} else {
		emitString(f.Func)
	}
	if takesNothing(f.Func) {
		emitString("()\n\t")
	} else {
		emitString("(...)\n\t")
	}
	printPosition(f)
	if !f.Inlined && pc > f.Entry {
		emitString(" +")
		printhex(uint64(pc - f.Entry))
	}
	emitString("\n")
}

// takesNothing recognises functions that have no parameters for certain. What others were called with is not known: the debug
// information has no variables.
func takesNothing(name string) bool {
	if name == "main.main" {
		return true
	}
	// pkg.init and pkg.init.0
	end := len(name)
	for end > 0 && '0' <= name[end-1] && name[end-1] <= '9' {
		end--
	}
	if end < len(name) && end > 0 && name[end-1] == '.' {
		end--
	}
	return hasSuffix(name[:end], ".init")
}

func printPosition(f *symtab.Frame) {
	if f.File == "" {
		emitString("?")
	} else {
		emitString(f.File)
	}
	emitString(":")
	printint(int64(f.Line))
}

// printStack prints the stack that begins at u.
func printStack(u unwinder, showRuntime bool) {
	w := frameWriter{showRuntime: showRuntime, to: innerFrames}
	w.walk(u)
	if w.count == 0 && !showRuntime {
		// Nothing but run-time frames: better those than nothing.
		w.showRuntime = true
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

// printHeader prints the line that introduces a goroutine.
func printHeader(gp *sched.G, status string) {
	emitString("goroutine ")
	printuint(gp.ID)
	emitString(" [")
	emitString(status)
	if gp.Status&^sched.Scanning == sched.Waiting && gp.WaitSince != 0 {
		if minutes := (sys.Nanotime() - gp.WaitSince) / 60e9; minutes >= 1 {
			emitString(", ")
			printint(minutes)
			emitString(" minutes")
		}
	}
	if gp.LockedM != nil {
		emitString(", locked to thread")
	}
	emitString("]:\n")
}

// printCreator prints where the goroutine was started.
func printCreator(gp *sched.G) {
	if gp.CreatorPC == 0 || gp.ID == 1 {
		return
	}
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(gp.CreatorPC-1, &out)
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
	if gp.CreatorID != 0 {
		emitString(" in goroutine ")
		printuint(gp.CreatorID)
	}
	emitString("\n\t")
	printPosition(f)
	if gp.CreatorPC > f.Entry {
		emitString(" +")
		printhex(uint64(gp.CreatorPC - f.Entry))
	}
	emitString("\n")
}

// tracebackCurrent prints the running goroutine's stack, from the frame pointer fp and an address pc in that
// frame's function on.
func tracebackCurrent(pc, fp uintptr, showRuntime bool) {
	gp := sched.CurrentG()
	if gp == nil {
		emitString("runtime: no goroutine\n")
	} else {
		printHeader(gp, "running")
	}
	printStack(unwindSelf(pc, fp), showRuntime)
	if gp != nil {
		printCreator(gp)
	}
}

// tracebackOthers prints the stacks of all other goroutines, in the order of their numbers unless there are too
// many to sort in place. Those that run at the moment are only named.
func tracebackOthers(level int) {
	const sortable = 2000
	me := sched.CurrentG()
	n := 0
	shown := func(gp *sched.G) bool {
		status := gp.Status &^ sched.Scanning
		return gp != me && status != sched.Dead && status != sched.Idle && (!gp.System || gp.Finalizer || level >= 2)
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
	status := gp.Status &^ sched.Scanning
	printHeader(gp, statusName(gp, status))
	if status == sched.Running {
		emitString("\tgoroutine running on other thread; stack unavailable\n")
	} else {
		printStack(unwindParked(gp), level >= 2)
	}
	printCreator(gp)
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

// Stack formats the stack of the goroutine that calls it into buf, followed by those of all others if all is
// set, and returns the number of bytes written. The world is stopped for the latter.
//
//go:noinline
func Stack(buf []byte, all bool) int {
	if len(buf) == 0 {
		return 0
	}
	pc, fp := sys.CallerPC(), callerFP(sys.FramePointer())
	if all {
		sched.StopWorld()
	}
	printlock()
	saved := printer.sink
	printer.sink = buf[:0:len(buf)]
	printer.sinkOn++
	tracebackCurrent(pc, fp, false)
	if all {
		tracebackOthers(1)
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

// overflowing says that the failure is a goroutine's stack overflow, an error of the program and not of ours.
var overflowing bool

func stackOverflows(sp uintptr) { overflowing = true }

// sysTraceback is what sys.Throw calls after its message.
func sysTraceback() {
	sys.AcquireM()
	dying.CompareAndSwap(0, uintptr(unsafe.Pointer(sys.Self())))
	reportGoroutines(sys.CallerPC(), callerFP(sys.FramePointer()), true, !overflowing)
	if _, _, crash := tracebackLevel(); crash {
		abort()
	}
}
