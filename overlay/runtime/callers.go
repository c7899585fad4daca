package runtime

import (
	"loam/rt/cpuprof"
	"loam/rt/symtab"
	"loam/rt/sys"
	"sync/atomic"
	"unsafe"
)

// Caller reports file and line of a call on the stack of the goroutine that calls it: with skip 0
// the call of Caller, with 1 the call of the function that did that, and so on. The returned pc is
// a return address. ok is false if there is no such frame.
//
//go:noinline
func Caller(skip int) (pc uintptr, file string, line int, ok bool) {
	var pcs [1]uintptr
	u := unwindSelf(sys.CallerPC(), callerFP(sys.FramePointer()))
	if skip < 0 || collectPCs(&u, skip, pcs[:]) == 0 {
		return 0, "", 0, false
	}
	if c := framesOfC(pcs[0]); c != nil {
		return c[0].PC, c[0].File, c[0].Line, true
	}
	f := frameAt(pcs[0])
	return pcs[0], f.File, f.Line, f.Entry != 0
}

// Callers fills pc with the return program counters of the calls on the stack of the goroutine that
// calls it, and returns how many it stored. With skip 0 the first is Callers itself, with 1 its
// caller. Use [CallersFrames] to turn them into functions and lines: inlined calls are included.
//
//go:noinline
func Callers(skip int, pc []uintptr) int {
	if len(pc) == 0 {
		return 0
	}
	if skip < 0 {
		skip = 0
	}
	count := 0
	if skip == 0 {
		// The frame of Callers. Its address is any within it.
		pc[0] = funcPC(Callers) + 1
		count, pc = 1, pc[1:]
	} else {
		skip--
	}
	u := unwindSelf(sys.CallerPC(), callerFP(sys.FramePointer()))
	return count + collectPCs(&u, skip, pc)
}

// callerFP returns the frame pointer of the caller of the function whose frame pointer is fp.
func callerFP(fp uintptr) uintptr { return *(*uintptr)(ptr(fp)) }

// Frame is one logical call of a stack, as [Frames] returns it. PC is 0 in the frame that stands
// for none.
type Frame struct {
	// PC is a program counter within the calling instruction.
	PC uintptr

	// Func describes the function; nil for code that is not Go's and for inlined calls.
	Func *Func

	// Function is the function's name with its import path, "" if unknown.
	Function string

	// File and Line locate the call. "" and 0 if unknown.
	File string
	Line int

	startLine int    // line of the func keyword
	linkage   string // Function, with type arguments

	// Entry is the address at which the function (for an inlined one, the one it is inlined into)
	// begins; 0 if unknown.
	Entry uintptr
}

// Frames turns a slice of program counters from [Callers] into Frames.
type Frames struct {
	callers []uintptr
	pending uintptr // to come before callers, 0 if none
	next    Frame
	ready   bool
	ofC     []Frame // to come before all others
}

// CallersFrames returns the frames of callers, which must not be changed until they have all been
// taken.
func CallersFrames(callers []uintptr) *Frames { return &Frames{callers: callers} }

// Next returns the next frame, outermost last, and whether there are more after it. When there
// was none left, the frame is zero.
func (ci *Frames) Next() (frame Frame, more bool) {
	if !ci.ready {
		ci.advance()
	}
	if !ci.ready {
		return Frame{}, false
	}
	frame, ci.ready = ci.next, false
	ci.advance()
	return frame, ci.ready
}

// advance fills ci.next from the next program counter that is in a function.
func (ci *Frames) advance() {
	for (ci.pending != 0 || len(ci.callers) > 0 || len(ci.ofC) > 0) && !ci.ready {
		if len(ci.ofC) > 0 {
			ci.next, ci.ofC, ci.ready = ci.ofC[0], ci.ofC[1:], true
			break
		}
		pc := ci.pending
		if pc == 0 {
			pc, ci.callers = ci.callers[0], ci.callers[1:]
		}
		ci.pending = 0
		if pc == 0 {
			continue
		}
		if ci.ofC = framesOfC(pc); ci.ofC != nil {
			continue
		}
		ci.next = frameAt(pc)
		ci.ready = ci.next.Entry != 0
		if ci.ready && ci.next.Func == nil {
			ci.pending = ci.unlisted(pc)
		}
	}
}

// unlisted returns the program counter of the function into which the inlined one at pc was, 0 if
// it is the next of the callers, as it is in what Callers returns. In addresses from a printed
// stack trace, one stands for all.
func (ci *Frames) unlisted(pc uintptr) uintptr {
	if len(ci.callers) == 0 {
		return 0 // what a caller of Callers had no room for
	}
	if around := pcAround(pc); around != ci.callers[0] {
		return around
	}
	return 0
}

// pcAround returns the program counter of the next visible frame around the one that pc stands
// for, in the same function; 0 if there is none.
func pcAround(pc uintptr) uintptr {
	addr, tag := resolvePC(pc)
	s := frameShape(addr - 1)
	for i := taggedFrame(s.frames(), tag) + 1; i < s.frames(); i++ {
		if !s.hides(i, 0) {
			return logicalPC(addr, i)
		}
	}
	return 0
}

// Programs ask for the same few call sites again and again (a logger's), so the last answers are
// kept, each in the entry that its program counter hashes to. Entries are never changed.
var frameCache [256]atomic.Pointer[cachedFrame]

type cachedFrame struct {
	pc    uintptr
	frame Frame
}

// frameAt describes the logical frame of a return address as Callers returns it.
func frameAt(pc uintptr) Frame {
	entry := &frameCache[(pc*0x9E3779B97F4A7C15)>>56]
	if c := entry.Load(); c != nil && c.pc == pc {
		return c.frame
	}
	c := &cachedFrame{pc: pc, frame: readFrame(pc)}
	entry.Store(c)
	return c.frame
}

func readFrame(pc uintptr) Frame {
	var out [symtab.MaxInline]symtab.Frame
	addr, tag := resolvePC(pc)
	if tag == 0 && !cpuprof.IsReturn(addr) && isEntry(addr) {
		pc, addr = pc+1, addr+1 // the address of a func value, where no call returns to
	}
	n := symbolize(addr-1, &out)
	i := taggedFrame(n, tag)
	if i < 0 || i >= n {
		return Frame{}
	}
	f := &out[i]
	nameMethod(f)
	frame := Frame{
		PC:        pc - 1,
		Function:  f.Func,
		startLine: f.StartLine,
		linkage:   f.Linkage,
		Entry:     f.Entry,
	}
	// an inlined call has none; runtime/pprof tells by that which frames share an address
	if !f.Inlined {
		frame.Func = funcOf(f)
	}
	frame.File, frame.Line = position(f)
	role, plays := roleInPanic(f.Func)
	if isOfType(role) {
		kind, of := sys.Cut(role, ':')
		role = "type:." + kind + "." + of
	}
	if plays && role != f.Func {
		frame.Function, frame.linkage = role, role
		if frame.Func != nil {
			f.Func = role
			frame.Func = funcOf(f)
		}
	}
	return frame
}

// isEntry reports whether a function begins at addr.
func isEntry(addr uintptr) bool {
	var out [symtab.MaxInline]symtab.Frame
	n := symbolize(addr, &out)
	return n > 0 && out[n-1].Entry == addr
}

// position returns f's file and line. Functions of assembly have none, but get some: a profile with
// one frame that lacks its position is not believed by pprof, which then looks all up itself.
func position(f *symtab.Frame) (file string, line int) {
	file, line = f.File, f.Line
	if f.Func == "" {
		return file, line
	}
	if file == "" {
		dir, name := assemblyFile(f.Func)
		file = dir + name
	}
	if line == 0 {
		line = max(f.StartLine, 1)
	}
	return file, line
}

// assemblyFile is the file of a function without one. Programs know the run-time system's frames by
// its directory, and upstream has its outermost function in this file. The GOROOT comes by itself,
// as crash reports cannot allocate.
func assemblyFile(name string) (dir, file string) {
	if isOfType(name) {
		return "", "<autogenerated>"
	}
	if !hasPrefix(name, "runtime.") {
		return "", "<assembly>"
	}
	if defaultGOROOT == "" { // -trimpath
		return "", "runtime/asm_amd64.s"
	}
	return defaultGOROOT, "/src/runtime/asm_amd64.s"
}

//go:linkname runtime_FrameStartLine runtime/pprof.runtime_FrameStartLine
func runtime_FrameStartLine(f *Frame) int { return f.startLine }

//go:linkname runtime_FrameSymbolName runtime/pprof.runtime_FrameSymbolName
func runtime_FrameSymbolName(f *Frame) string { return f.linkage }

// runtime_expandFinalInlineFrame adds the frames around an inlined call that did not fit at the end
// of a stack.
//
//go:linkname runtime_expandFinalInlineFrame runtime/pprof.runtime_expandFinalInlineFrame
func runtime_expandFinalInlineFrame(stk []uintptr) []uintptr {
	if n := len(stk); n > 0 {
		stk = stk[:n:n]
		for pc := pcAround(stk[n-1]); pc != 0; pc = pcAround(pc) {
			stk = append(stk, pc)
		}
	}
	return stk
}

// A Func describes a function of the running program.
type Func struct {
	opaque struct{} // a *Func is really a *funcData
}

// funcData is what a *Func points to. One exists for each function that was asked for; one for each
// place it was inlined into, when the question was about inlined code.
type funcData struct {
	entry     uintptr // first: see linkfuncs.go
	name      string
	file      string
	startLine int
	end       uintptr
	inlined   bool
	line      int // inlined: the line asked about, which is all that FileLine can say
	names     *nameTable
}

// funcs holds the data made so far.
var funcs struct {
	lock mutex
	made map[funcKey]*funcData
}

type funcKey struct {
	entry uintptr
	name  string
	line  int
}

func funcOf(f *symtab.Frame) *Func {
	if f.Func == "" {
		return nil
	}
	if isMethodWrapper(f.Func) {
		w := *f
		nameMethod(&w)
		f = &w
	} else if hasSuffix(f.Func, "-lit") {
		// a method expression or value of a generic method is like a function literal
		w := *f
		w.Func = f.Func[:len(f.Func)-len("-lit")]
		f = &w
	} else if hasSuffix(f.Func, "-fm") {
		w := *f
		w.File, w.StartLine = "<autogenerated>", 1
		f = &w
	}
	k := funcKey{entry: f.Entry, name: f.Func}
	if f.Inlined {
		k.line = f.Line
	}
	funcs.lock.Lock()
	defer funcs.lock.Unlock()
	d := funcs.made[k]
	if d == nil {
		d = &funcData{name: f.Func, file: f.File, startLine: f.StartLine, entry: f.Entry, end: f.End, inlined: f.Inlined, line: k.line}
		if funcs.made == nil {
			funcs.made = make(map[funcKey]*funcData)
		}
		funcs.made[k] = d
	}
	return d.public()
}

// FuncForPC returns the function that contains pc, or nil. If pc is in code that was inlined, it is
// the innermost inlined function, with the entry of the function it was inlined into.
func FuncForPC(pc uintptr) *Func {
	entry := &funcCache[(pc*0x9E3779B97F4A7C15)>>56]
	if c := entry.Load(); c != nil && c.pc == pc {
		return c.f
	}
	c := &cachedFunc{pc: pc, f: findFunc(pc)}
	entry.Store(c)
	return c.f
}

// funcCache keeps FuncForPC's last answers as frameCache does frameAt's.
var funcCache [256]atomic.Pointer[cachedFunc]

type cachedFunc struct {
	pc uintptr
	f  *Func
}

func findFunc(pc uintptr) *Func {
	var out [symtab.MaxInline]symtab.Frame
	addr, tag := resolvePC(pc)
	n := symbolize(addr, &out)
	if n > 0 && tag == 0 && addr == out[n-1].Entry {
		// The entry of a function belongs to the function itself, whatever is inlined there: people pass
		// the code address of a func value and want its name.
		return funcOf(&out[n-1])
	}
	// Otherwise pc is a return address, most likely. The call may have been the last instruction of
	// its function, or of the inlined one, so look at the call.
	n = symbolize(addr-1, &out)
	i := taggedFrame(n, tag)
	if i < 0 || i >= n {
		return nil
	}
	return funcOf(&out[i])
}

// Name returns the function's name with its import path.
func (f *Func) Name() string {
	if f == nil {
		return ""
	}
	return f.data().name
}

// Entry returns the address of the function's first instruction.
func (f *Func) Entry() uintptr { return f.data().entry }

// FileLine returns the file and line of the code at pc, which must be in f.
func (f *Func) FileLine(pc uintptr) (file string, line int) {
	d := f.data()
	if d.inlined {
		return d.file, d.line
	}
	var out [symtab.MaxInline]symtab.Frame
	addr, tag := resolvePC(pc)
	if tag > 0 { // of Callers, as it is or less one: the caller of an inlined function
		n := symbolize(addr-1, &out)
		if i := taggedFrame(n, tag); 0 <= i && i < n {
			return position(&out[i])
		}
		return "?", 0
	}
	if addr == d.end {
		addr-- // the return address of a call at the very end
	}
	n := symbolize(addr, &out)
	if addr == d.entry && n > 0 && d.file != "" {
		return d.file, d.startLine
	}
	if n == 0 {
		return "?", 0
	}
	return position(&out[0])
}

func (f *Func) data() *funcData   { return (*funcData)(unsafe.Pointer(f)) }
func (d *funcData) public() *Func { return (*Func)(unsafe.Pointer(d)) }

// codePointer returns where a forwarder, the code that a func value of a declared function points
// to, jumps to; other code it returns as it is. Forwarders lie in section loam_wrap and are nothing
// but a jump; the wrappers there begin with the check of the stack limit.
func codePointer(code unsafe.Pointer) unsafe.Pointer {
	if inWrapSection(uintptr(code)) {
		switch *(*byte)(code) {
		case 0xe9: // jmp rel32
			return unsafe.Add(code, 5+int(*(*int32)(unsafe.Add(code, 1))))
		case 0xeb: // jmp rel8
			return unsafe.Add(code, 2+int(*(*int8)(unsafe.Add(code, 1))))
		}
	}
	return code
}
