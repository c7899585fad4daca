package runtime

import (
	"loam/rt/cpuprof"
	"loam/rt/sched"
	"loam/rt/stack"
	"loam/rt/symtab"
	"loam/rt/sys"
	"loam/rt/whereis"
	"sync/atomic"
	"unsafe"
)

// unwinder walks the physical frames of one stack along the frame pointers, from the inside out. It
// reads only memory that belongs to the goroutine's segments or the thread's system stack, so a
// damaged chain ends the walk instead of faulting. It does not allocate.
type unwinder struct {
	pc    uintptr // in the current frame's function
	fp    uintptr // its frame pointer
	sp    uintptr // its stack pointer, 0 if not known
	slot  uintptr // where its return address is if it has no frame record, else 0
	exact bool    // pc is the instruction itself (a fault, an interrupted loop), not a return address
	ctx   *sys.Context

	// What the current frame called, before the first step, has panicked.
	panicked bool
	// It is the stack of a goroutine that waits.
	parked bool
	// The current frame, before the first step, has called C, which failed.
	inC bool
	// The walk ends with the system stack.
	systemOnly bool

	last uintptr // where the outermost frame returns to, if no frame in memory says so, 0 if one does
	lo   uintptr // bounds of the system stack it may be on, 0 if none
	hi   uintptr
}

// lookupPC is what to ask the symbol table for.
func (u *unwinder) lookupPC() uintptr {
	if u.exact {
		return u.pc
	}
	return u.pc - 1
}

// onSystem reports whether the current frame is on the system stack.
func (u *unwinder) onSystem() bool { return u.lo <= u.fp && u.fp < u.hi }

// next goes to the caller's frame; false at the end of the stack.
func (u *unwinder) next() bool {
	return u.step() && (!u.systemOnly || u.onSystem())
}

func (u *unwinder) step() bool {
	if u.last != 0 {
		u.pc, u.last, u.exact = u.last, 0, false
		return true
	}
	if at := u.slot; at != 0 {
		u.slot = 0
		if pc := *(*uintptr)(unsafe.Pointer(at)); sched.InText(pc) && !sys.IsHopReturn(pc) {
			u.pc, u.sp, u.exact = pc, at+8, false
			return true
		}
	}
	for {
		if !u.readable(u.fp) {
			return false
		}
		pc := *(*uintptr)(unsafe.Pointer(u.fp + 8))
		fp := *(*uintptr)(unsafe.Pointer(u.fp))
		if pc == 0 {
			return false
		}
		u.sp = u.fp + 16
		u.pc, u.fp, u.exact = pc, fp, false
		if !sys.IsHopReturn(pc) {
			u.entered()
			return true
		}
	}
}

// entered goes from the frame of __morestack, if a goroutine stopped there to let others run, to
// the function that was entered.
func (u *unwinder) entered() {
	if !u.readable(u.fp) {
		return
	}
	if pc := sys.EnteredAt(u.pc, u.fp); pc != 0 {
		u.atEntry(pc)
	}
}

// atEntry goes to the first instruction of the function in whose prologue pc is. The call of
// __morestack there has no line of its own.
func (u *unwinder) atEntry(pc uintptr) {
	var out [symtab.MaxInline]symtab.Frame
	u.pc, u.exact = pc, false
	if n := whereis.Lookup(pc-1, &out); n > 0 {
		u.pc, u.exact = out[n-1].Entry, true
	}
}

// interrupted says that the innermost function was stopped at its pc, with that stack pointer. It
// may have no frame: the frame pointer is its caller's then.
func (u *unwinder) interrupted(sp uintptr) {
	if above, ok := whereis.ReturnSlot(u.pc); ok && sp+above+8 != u.fp && u.readable(sp+above-8) {
		u.slot = sp + above
		if !u.readable(u.fp) || !cpuprof.IsReturn(*(*uintptr)(unsafe.Pointer(u.fp + 8))) {
			u.fp = *(*uintptr)(unsafe.Pointer(u.slot - 8)) // which it pushed first, to use the register
		}
	}
}

// stackPointer is the current frame's, or of the innermost one's the best that is known.
func (u *unwinder) stackPointer() uintptr {
	if u.sp != 0 {
		return u.sp
	}
	return u.fp
}

func (u *unwinder) readable(fp uintptr) bool {
	if fp&7 != 0 || fp == 0 {
		return false
	}
	if u.lo <= fp && fp+16 <= u.hi {
		return true
	}
	for s := (*stack.Segment)(u.ctx.Segment); s != nil; s = s.Prev {
		// A segment's frames may be walked into the words just above Hi, where hops keep arguments.
		if s.Lo <= fp && fp+16 <= s.Hi {
			return true
		}
	}
	return false
}

// unwindSelf starts at the function whose frame pointer is fp and in which pc is an address.
func unwindSelf(pc, fp uintptr) unwinder {
	pc, fp = pastHop(pc, fp)
	u := unwinder{pc: pc, fp: fp}
	t := sys.Self()
	if sys.OnSystem() {
		u.lo, u.hi = t.SysLo, t.SysHi
		if gp := sched.CurrentG(); gp != nil {
			u.ctx = &gp.Context
		} else {
			u.ctx = &(*sched.G)(t.G0).Context
		}
		return u
	}
	u.ctx = curg()
	return u
}

// pastHop returns the caller's position for a function whose return address and caller's frame
// pointer are pc and fp: if the function runs on a fresh stack segment, its immediate caller is
// __morestack.
func pastHop(pc, fp uintptr) (uintptr, uintptr) {
	if sys.IsHopReturn(pc) {
		return *(*uintptr)(ptr(fp + 8)), *(*uintptr)(ptr(fp))
	}
	return pc, fp
}

// unwindParked starts at the innermost frame of a goroutine that does not run.
func unwindParked(gp *sched.G) unwinder {
	pc, fp, exact := gp.SavedFrame()
	u := unwinder{pc: pc, fp: fp, exact: exact, ctx: &gp.Context, parked: gp.Status == sched.Waiting}
	u.entered()
	if sp := gp.InterruptedSP(); sp != 0 {
		u.interrupted(sp)
	}
	if gp.Fresh() {
		// It has not begun: show what it will run.
		u.pc, u.fp, u.exact, u.last = gp.StartPC(), 0, true, sched.StartReturnPC()
	}
	return u
}

// frameKind says how a function appears in stack traces.
type frameKind uint8

const (
	frameUser    frameKind = iota
	frameRuntime           // of this package and visible to Callers: gopanic, main, ...
	frameHidden            // the engine's and this package's internals, wrappers
)

// isOwn reports whether a function is one that Loam adds: loam.shade, but not
// loam.example/server.F, which is in somebody's package, and what Loam has cut off a function of
// the library.
func isOwn(name string) bool {
	if name == "sync.(*Pool).make" {
		return true // a part of Get
	}
	if !hasPrefix(name, "loam.") {
		return false
	}
	for i := range len(name) {
		if name[i] == '/' {
			return false
		}
	}
	return true
}

// classify sorts a function by name. What upstream's runtime has under the same name keeps being
// visible to Callers, so that programs which count or search frames see what they expect.
func classify(f *symtab.Frame) frameKind {
	name := f.Func
	// LLVM calls the third so, and C the fourth when it calls Go.
	if hasPrefix(name, "internal/rt/") || isOwn(name) || name == "__morestack" || name == fromC {
		return frameHidden
	}
	if !hasPrefix(name, "runtime.") {
		// An inlined user function in a wrapper's code is not the wrapper.
		if isGenerated(f) {
			return frameHidden
		}
		return frameUser
	}
	switch rest := name[len("runtime."):]; {
	case rest == "", rest == "gopanic", rest == "goexit", rest == "main", rest == "sigpanic", rest == "deferreturn",
		rest == "runFinalizers", rest == "runCleanups", rest == "preprintpanics",
		rest == "doInit", rest == "doInit1", rest == "defaultGOMAXPROCSUpdateEnable", rest == "createfing", rest == "(*cleanupQueue).createGs":
		return frameRuntime
	case isUpper(rest, 0), hasPrefix(rest, "(*") && isUpper(rest, 2), hasPrefix(rest, "panic"):
		return frameRuntime
	}
	return frameHidden
}

// isExportedRuntime reports whether name is API of this package, a function or a method, or calls
// the program's finalizers or cleanups: shown in tracebacks like user code.
func isExportedRuntime(name string) bool {
	const prefix = "runtime."
	switch name {
	case "runtime.panic", "runtime.runFinalizers", "runtime.runCleanups":
		return true
	}
	if !hasPrefix(name, prefix) {
		return false
	}
	name = name[len(prefix):]
	last := 0 // where the name of a function literal begins, or of a method
	for i := range len(name) {
		if name[i] == '.' {
			last = i + 1
		}
	}
	if hasPrefix(name, "(*") {
		return isUpper(name, 2) && isUpper(name, last)
	}
	return isUpper(name, 0) && isUpper(name, last)
}

func isUpper(s string, i int) bool { return i < len(s) && 'A' <= s[i] && s[i] <= 'Z' }

// isGenerated recognises functions that are in no source file.
func isGenerated(f *symtab.Frame) bool {
	return hasSuffix(f.File, "<autogenerated>") || isWrapperName(f.Func) || !f.Inlined && inWrapSection(f.Entry)
}

// isWrapperName recognises the functions that the compiler and reflect put between a caller and the
// function it means, by the names that the compiler gives them. Their code lies in section
// loam_wrap, but when one is inlined into another only the name is left.
func isWrapperName(name string) bool {
	if hasSuffix(name, "-wrap") || hasSuffix(name, "-fm") || hasSuffix(name, "-lit") {
		return true
	}
	if isThunkName(name) {
		return true
	}
	switch name {
	case "reflect.makeFuncEntry", "reflect.methodValueEntry", "reflect.callReflect", "reflect.callMethod", "reflect.callFrame":
		return true
	}
	return false
}

func hasDot(name string) bool {
	for i := range len(name) {
		if name[i] == '.' {
			return true
		}
	}
	return false
}

func hasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}

func hasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

// displayName gives functions of the engine which play the part of one of upstream's its name. It
// allocates nothing: who looks at stacks does not change the heap.
func displayName(name string) string {
	switch name {
	case "internal/rt/sys.GoStart":
		return "runtime.goexit"
	case "internal/rt/sched.collectLate":
		return "runtime.forcegchelper"
	case "internal/rt/sched.updateProcs":
		return "runtime.updateMaxProcsGoroutine"
	case "internal/rt/sched.beginCoro":
		return "runtime.corostart"
	case "internal/rt/sys.OnSystemStack":
		return "runtime.systemstack"
	case "runtime.faultPanic":
		return "runtime.gopanic"
	case "runtime.panicnil":
		return "runtime.sigpanic"
	case "runtime.nilDeferred":
		return "runtime.deferreturn"
	case "sync.(*Mutex).lockInner":
		return "internal/sync.(*Mutex).Lock"
	case "sync.(*Mutex).unlockInner":
		return "internal/sync.(*Mutex).Unlock"
	case "internal/rt/channel.chanrecv1":
		return "runtime.chanrecv1"
	case "internal/rt/channel.chansend1":
		return "runtime.chansend1"
	case "internal/rt/channel.selectgo":
		return "runtime.selectgo"
	}
	return name
}

// symbolize is whereis.Lookup with names as Go programs know them.
func symbolize(pc uintptr, out *[symtab.MaxInline]symtab.Frame) int {
	n := dropForwarders(out, whereis.Lookup(pc, out))
	for i := range out[:n] {
		f := &out[i]
		name := displayName(f.Func)
		if f.Linkage == f.Func {
			f.Linkage = name
		}
		f.Func = name
		if name == "runtime.goexit" && hasSuffix(f.File, ".gas") {
			f.File, f.Line, f.StartLine = "", 0, 0 // programs look for gc's place (assemblyFile)
		}
	}
	return n
}

// dropForwarders makes forwarders of function values, whose names end in -v, what they stand for:
// nothing where they are inlined into a caller, otherwise the function itself. It returns how many
// of the n frames are left.
func dropForwarders(out *[symtab.MaxInline]symtab.Frame, n int) int {
	kept := 0
	for i := range out[:n] {
		f := &out[i]
		if hasSuffix(f.Func, "-v") {
			if f.Inlined {
				continue
			}
			name := f.Func[:len(f.Func)-len("-v")]
			if f.Linkage == f.Func {
				f.Linkage = name
			}
			f.Func = name
		}
		if kept != i {
			out[kept] = *f
		}
		kept++
	}
	return kept
}

// isFault reports whether a frame is that of the handler of a fault, which seems to be called by
// the very instruction that failed.
func isFault(f *symtab.Frame) bool { return f.Entry == funcPC(sigpanicCode) }

// printFuncName prints the name of the function at pc, for LOAMDEBUG=stack=1.
func printFuncName(pc uintptr) {
	var out [symtab.MaxInline]symtab.Frame
	if n := symbolize(pc, &out); n > 0 {
		sys.PrintString(out[n-1].Func)
		return
	}
	sys.PrintHex(uint64(pc))
}

// The shape of a physical frame (how many logical ones, and which are hidden) is asked for on every
// Callers, so the last answers are kept: one word holds the address in the image (32 bits), the
// count, and a bit for each hidden frame. Words are read and written whole, so no lock is needed.
var shapeCache [1024]uint64

// shape is such a word: the address, 5 bits of the count, three flags, and the hidden frames.
type shape uint64

const (
	_ = uint(24 - symtab.MaxInline) // there are as many bits for hidden frames
	// the frame is sigpanic's, whose caller's pc is the faulting instruction
	shapeFault   shape = 1 << 37
	shapePanics  shape = 1 << 38 // it is a function's that panics for its caller
	shapeWrapper shape = 1 << 39 // the innermost logical frame is a wrapper's, hidden unless it panics
)

func (s shape) frames() int { return int(s >> 32 & 0x1F) }

// hides reports whether Callers leaves out frame i; called is the shape of the physical frame
// further in.
func (s shape) hides(i int, called shape) bool {
	return s>>(40+i)&1 != 0 && !(i == 0 && s&shapeWrapper != 0 && called&shapePanics != 0)
}

// frameShape returns the shape of the frame at lookup address pc.
func frameShape(pc uintptr) shape {
	place := pc - sys.TextBias()
	entry := &shapeCache[(place*0x9E3779B97F4A7C15)>>54]
	w := shape(atomic.LoadUint64(entry))
	if uintptr(uint32(w)) != place || w == 0 {
		w = shape(uint32(place)) | computeShape(pc)
		if place>>32 == 0 {
			atomic.StoreUint64(entry, uint64(w))
		}
	}
	return w
}

// computeShape makes the shape but for the address.
//
//go:noinline
func computeShape(pc uintptr) shape {
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(pc, &out)
	if n == 0 {
		return 1 << 32 // unknown code is shown as an address
	}
	s := shape(n) << 32
	for i := range out[:n] {
		if classify(&out[i]) == frameHidden {
			s |= 1 << (40 + i)
		}
	}
	if isFault(&out[n-1]) {
		s |= shapeFault
	}
	if panicsForCaller(&out[n-1]) {
		s |= shapePanics
	}
	if isMethodWrapper(out[0].Func) {
		s |= shapeWrapper
	}
	return s
}

// panicsForCaller recognises the functions whose caller has panicked: a wrapper that calls one is
// worth showing.
func panicsForCaller(f *symtab.Frame) bool {
	return f.Func == "runtime.sigpanic" || f.Func == "runtime.panicwrap" || f.Func == "runtime.gopanic"
}

// isMethodWrapper recognises what the compiler makes to call a method by a pointer, by an
// interface, or through embedded fields.
func isMethodWrapper(name string) bool { return hasSuffix(name, "-wrap") }

// isCallWrapper recognises these and what a go or defer statement with arguments calls, of which gc
// has one, too.
func isCallWrapper(name string) bool {
	return isMethodWrapper(name) || isThunkName(name) && !hasPrefix(name, "loam.")
}

// isThunkName recognises what a go or defer statement calls that prepares arguments.
func isThunkName(name string) bool {
	for i := range len(name) {
		if name[i] == '.' && (hasPrefix(name[i:], ".deferwrap") || hasPrefix(name[i:], ".gowrap")) {
			return true
		}
	}
	return false
}

// nameMethod makes the frame of a method wrapper that is to be shown look like gc's: it has the
// method's name, and is in no file.
func nameMethod(f *symtab.Frame) {
	switch {
	case isMethodWrapper(f.Func):
		f.Func = f.Func[:len(f.Func)-len("-wrap")]
	case !hasSuffix(f.Func, "-fm"):
		return
	}
	f.File, f.Line, f.StartLine = "<autogenerated>", 1, 1
}

// collectPCs stores the program counters of the logical frames that Callers shows, after
// skipping skip of them, and returns their number.
func collectPCs(u *unwinder, skip int, pcs []uintptr) int {
	count := 0
	called := shape(0)
	inPanic := false // between gopanic and the function that it was called for
	for count < len(pcs) {
		s := frameShape(u.lookupPC())
		if inPanic {
			s, inPanic = castInPanic(u.lookupPC(), s)
		}
		for i := 0; i < s.frames() && count < len(pcs); i++ {
			if s.hides(i, called) {
				continue
			}
			if skip > 0 {
				skip--
				continue
			}
			pc := u.pc
			if u.exact {
				pc++ // users subtract one
			}
			pcs[count] = logicalPC(pc, i)
			count++
		}
		if findsC() {
			var c cCallers
			for _, pc := range c[:c.called(u)] {
				if skip > 0 {
					skip--
				} else if count < len(pcs) {
					pcs[count] = pc
					count++
				}
			}
		}
		if !u.next() {
			break
		}
		u.exact = s&shapeFault != 0 || u.exact
		inPanic = inPanic || s&(shapePanics|shapeFault) == shapePanics
		called = s
	}
	return count
}

// castInPanic makes s, the shape of the frame at lookup address pc, that of a frame behind
// gopanic's, and says whether the next one is, too.
//
//go:noinline
func castInPanic(pc uintptr, s shape) (cast shape, more bool) {
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(pc, &out)
	if n == 0 {
		return s, false
	}
	for i := range out[:n] {
		name, hidden := out[i].Func, shape(1)<<(40+i)
		if !hasPrefix(name, "runtime.") && !inEngine(name) {
			continue
		}
		if _, plays := roleInPanic(name); plays {
			s &^= hidden
		} else if classify(&out[i]) == frameHidden || hasPrefix(name, "runtime.panic") {
			s |= hidden
		}
	}
	last := out[n-1].Func
	return s, inEngine(last) || isOfType(last) || hasPrefix(last, "runtime.") && !isExportedRuntime(last) || hasPrefix(last, "internal/runtime/maps.")
}
