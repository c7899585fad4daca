package stack

import (
	"unsafe"

	"loam/rt/sys"
)

// What __morestack does after more.
const (
	actHop   = 0 // the next segment is linked and fits: hop
	actFits  = 1 // the limit was poisoned only: continue in place
	actYield = 2 // the same, after letting others run
)

// more is __morestack's slow path, on the system stack. sp is the stack pointer
// that the function's prologue compared, frame its frame size, args its bytes of
// stack arguments.
func more(ctx *sys.Context, sp, frame, args uintptr) int32 {
	t := sys.Self()
	cur := (*Segment)(ctx.Segment)
	ctx.Limit = cur.Limit // it may be poisoned, too: simulated runs
	if sp-frame > ctx.Limit && sp > ctx.Limit {
		// Enough room: somebody asked this goroutine to yield.
		*t.LimitWord() = ctx.Limit
		if t.Locks != 0 {
			t.Want = 1 // ReleaseM poisons again
			return actFits
		}
		return actYield
	}
	if ProfilingHops() {
		countHop(sp, frame)
	}
	box := (*Cache)(t.SegBox)
	need := frame + args + 64
	if cur.Hops <= 0 {
		cur.reviewBoundary()
	}
	if n := cur.Next; n != nil {
		if n.Hi-n.Limit <= need {
			n.ResetBoundary()
		}
		if n.Hi-n.Limit > need {
			if Trace {
				traceHop(ctx, sp, frame, Bytes(ctx), n)
			}
			*t.LimitWord() = ctx.Limit
			return actHop
		}
		cur.Next = nil
		Release(box, n)
	}
	total := Bytes(ctx)
	n := newSegment(box, cur, need, total)
	if n == nil {
		overflow(ctx, sp, cur)
	}
	n.Prev = cur
	cur.Next = n
	if cur.Class == Cell && LeftCell != nil {
		LeftCell(ctx)
	}
	if Trace {
		traceHop(ctx, sp, frame, total, n)
	}
	*t.LimitWord() = ctx.Limit
	return actHop
}

// LeftCell, if not nil, is told of a goroutine that leaves its cell onto a segment not of the P's
// cache. System stack; it does not block.
var LeftCell func(ctx *sys.Context)

// PrintFunc, if not nil, prints the name of the function whose code pc is in. System stack.
var PrintFunc func(pc uintptr)

// returned is called by __morestack when a function that hopped has returned, if Trace. System
// stack.
func returned(ctx *sys.Context) {
	sys.BeginLine()
	sys.PrintString("stack: return of G ")
	sys.PrintHex(uint64(uintptr(unsafe.Pointer(ctx))))
	sys.PrintString(" from ")
	sys.PrintHex(uint64((*Segment)(ctx.Segment).Next.Lo))
	sys.EndLine()
}

// traceHop prints one line for a hop. Two words below sp is the frame of __morestack
// with the address in the prologue that asked for it.
func traceHop(ctx *sys.Context, sp, frame, total uintptr, n *Segment) {
	sys.BeginLine()
	sys.PrintString("stack: hop of G ")
	sys.PrintHex(uint64(uintptr(unsafe.Pointer(ctx))))
	sys.PrintString(" in ")
	printFunc(*(*uintptr)(sys.Ptr(sp - 24)))
	sys.PrintString(" for a frame of ")
	sys.PrintUint(uint64(frame))
	sys.PrintString(" bytes, ")
	sys.PrintUint(uint64(total))
	sys.PrintString(" bytes so far, to ")
	sys.PrintHex(uint64(n.Lo))
	sys.EndLine()
}

func printFunc(pc uintptr) {
	if PrintFunc != nil {
		PrintFunc(pc)
	} else {
		sys.PrintHex(uint64(pc))
	}
}

// overflow reports a goroutine stack that would exceed MaxBytes, as Go does.
func overflow(ctx *sys.Context, sp uintptr, cur *Segment) {
	ctx.SP = sp
	sys.PrintString("runtime: goroutine stack exceeds ")
	sys.PrintUint(uint64(MaxBytes))
	sys.PrintString("-byte limit\nruntime: sp=")
	sys.PrintHex(uint64(sp))
	sys.PrintString(" stack=[")
	sys.PrintHex(uint64(cur.Lo))
	sys.PrintString(", ")
	sys.PrintHex(uint64(cur.Hi))
	sys.PrintString("]\n")
	sys.Throw("stack overflow")
}

// systemOverflow is called, with the limit off, when the system stack itself is
// exhausted: run-time code recursed without bound.
func systemOverflow(sp, frame uintptr) {
	sys.PrintString("runtime: system stack exhausted: sp=")
	sys.PrintHex(uint64(sp))
	sys.PrintString(" frame=")
	sys.PrintUint(uint64(frame))
	sys.PrintString(" limit=")
	sys.PrintHex(uint64(sys.Self().SysLim))
	sys.PrintNL()
	sys.Throw("stack overflow on the system stack")
}

// yield lets other goroutines run: called by __morestack on the goroutine's own
// stack, all argument registers saved. Pulled from sched.
//
//go:linkname yield loam/rt/sched.yieldPreempted
func yield()
