package runtime

import (
	"loam/rt/sys"
	"unsafe"
)

// What modules reach by go:linkname of functions and their names (see linknames.go): loggers that
// want a position faster than Caller has it. They declare upstream's structs, of which they read
// two fields by themselves: the offset of a function's name, in the second half of a funcInfo's
// first word, and the table that it leads into, behind the first word of what the funcInfo's second
// leads to. Here each function has a table of its own, and the offset is the upper half of its
// entry's address, 0.

// A funcInfo is a function, as upstream passes it around; the zero one is none.
type funcInfo struct {
	*funcData
	names *nameTable
}

// A nameTable stands where upstream has a module's tables.
type nameTable struct {
	header unsafe.Pointer
	text   []byte // the name, and a zero byte
	_      [64]uintptr
}

// findfunc returns the function that pc is in.
func findfunc(pc uintptr) funcInfo {
	f := FuncForPC(pc)
	if f == nil {
		return funcInfo{}
	}
	d := f.data()
	funcs.lock.Lock()
	if d.names == nil {
		d.names = &nameTable{text: append([]byte(d.name), 0)}
	}
	funcs.lock.Unlock()
	return funcInfo{d, d.names}
}

// entry is where the function's code begins.
func (f funcInfo) entry() uintptr { return f.funcData.entry }

// funcline1 returns the position of the code at pc in f; strict is about what to do where there is
// none.
func funcline1(f funcInfo, pc uintptr, strict bool) (file string, line int32) {
	if f.funcData == nil {
		return "?", 0
	}
	file, n := f.public().FileLine(pc)
	return file, int32(n)
}

// An inlineUnwinder walks through the calls that are inlined at a place. With us a program counter
// stands for one of them, so there is always one.
type inlineUnwinder struct {
	f     funcInfo
	calls unsafe.Pointer
}

// An inlineFrame is where it is.
type inlineFrame struct {
	pc    uintptr
	index int32 // in calls; -1 for the function that all are inlined into
}

// A srcFunc is a function of the source, inlined or not.
type srcFunc struct {
	names     *nameTable
	name_     int32 // offset in names
	startLine int32
	id        uint8
}

func newInlineUnwinder(f funcInfo, pc uintptr) (inlineUnwinder, inlineFrame) {
	return inlineUnwinder{f: f}, inlineFrame{pc: pc, index: -1}
}

func (u *inlineUnwinder) srcFunc(at inlineFrame) srcFunc {
	if u.f.funcData == nil {
		return srcFunc{}
	}
	return srcFunc{names: u.f.names, startLine: int32(u.f.startLine)}
}

// name is the function's name with its import path.
func (s srcFunc) name() string {
	if s.names == nil {
		return ""
	}
	return unsafe.String(&s.names.text[0], len(s.names.text)-1)
}

// callers stores the program counters of the calls on the stack, from the function that calls it
// on, after skipping skip of them, and returns their number.
//
//go:noinline
func callers(skip int, pcs []uintptr) int {
	u := unwindSelf(sys.CallerPC(), callerFP(sys.FramePointer()))
	return collectPCs(&u, skip, pcs)
}
