package runtime

import (
	"loam/rt/sched"
	"loam/rt/symtab"
	"unsafe"
)

// GODEBUG=tracebackancestors=N: the traceback of a goroutine goes on with the stack on which it was
// started, with that on which the goroutine that did so was started, and so on for up to N of them.
//
// What a goroutine needs for that is in a list of its own, made by the go statement: it outlives
// the ancestors, and is no longer than N however many generations there were. Only the stacks are
// shared.

// tracebackAncestors is N; set before the first go statement of the program, and constant then.
var tracebackAncestors int

// origin is where a goroutine was when it started another one. Never changed.
type origin struct {
	goroutine uint64
	creatorPC uintptr   // of the go statement that had started it
	stack     []uintptr // as collectPCs stores them, innermost first
}

// newprocFrom is newproc with a list of ancestors. The go statement's function is what u is at.
func newprocFrom(fn unsafe.Pointer, pc uintptr, u unwinder) {
	gp := sched.CurrentG()
	if gp == nil { // a timer starts it
		sched.NewProc(fn, pc)
		return
	}
	parents := ancestors(gp)
	list := make([]*origin, 1, min(1+len(parents), tracebackAncestors))
	var pcs [innerFrames]uintptr
	list[0] = &origin{goroutine: gp.ID, creatorPC: gp.CreatorPC, stack: append([]uintptr(nil), pcs[:collectPCs(&u, 0, pcs[:])]...)}
	list = append(list, parents[:cap(list)-1]...)
	sched.NewProcFrom(fn, pc, unsafe.Pointer(&list))
}

// ancestors are gp's, the nearest first.
func ancestors(gp *sched.G) []*origin {
	if gp.Ancestors == nil {
		return nil
	}
	return *(*[]*origin)(gp.Ancestors)
}

// printAncestors goes on after a goroutine's own stack and creator.
func printAncestors(gp *sched.G) {
	for _, o := range ancestors(gp) {
		emitString("[originating from goroutine ")
		printuint(o.goroutine)
		emitString("]:\n")
		o.print()
	}
}

func (o *origin) print() {
	var out [symtab.MaxInline]symtab.Frame
	var w frameWriter
	for _, tagged := range o.stack {
		pc, tag := resolvePC(tagged)
		n := symbolize(pc-1, &out)
		if i := taggedFrame(n, tag); 0 <= i && i < n && w.shows(&out[i], pc) {
			w.print(&out[i], &unwinder{pc: pc})
		}
	}
	if len(o.stack) == innerFrames {
		emitString("...additional frames elided...\n")
	}
	if o.goroutine != 1 {
		printStart(o.creatorPC, 0)
	}
}
