package sched

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/stack"
)

// What the collector reads of a goroutine.

// VisitParked visits the G and the frames of a goroutine that waits. World stopped, system stack.
func (g *G) VisitParked(visit func(lo, hi uintptr)) { visitG(g, Waiting, visit) }

// VisitFrames visits the frames of a goroutine that waits in a function that it called. World
// stopped, system stack.
func (g *G) VisitFrames(visit func(lo, hi uintptr)) {
	stack.ForEach((*stack.Segment)(g.Segment), g.SP, visit)
}

// visitG visits one goroutine that does not run, or whose thread is in OnSystemStack; status is
// what was read when that was made sure of.
func visitG(g *G, status uint32, visit func(lo, hi uintptr)) {
	// But for the registers at the entry to a system call, which nobody clears at its end.
	saved := uintptr(unsafe.Pointer(&g.Sys))
	visit(uintptr(unsafe.Pointer(g)), saved)
	visit(saved+unsafe.Sizeof(g.Sys), uintptr(unsafe.Pointer(g))+unsafe.Sizeof(G{}))
	seg := (*stack.Segment)(g.Segment)
	switch status {
	case Syscall:
		visit(saved, saved+unsafe.Sizeof(g.Sys))
		stack.ForEach((*stack.Segment)(g.Sys.Segment), g.Sys.SP, visit)
	case Waiting, Runnable:
		if uc := g.pre.uc; uc != nil {
			visit(uintptr(unsafe.Pointer(uc)), uintptr(unsafe.Pointer(uc))+g.pre.size)
			stack.ForEach(seg, uintptr(uc.RSP)-redZone, visit)
			return
		}
		stack.ForEach(seg, g.SP, visit)
	case Running:
		// Its thread is on the system stack: OnSystemStack saved SP.
		stack.ForEach(seg, g.SP, visit)
	}
}

// ForEachRange visits what the collector reads of a goroutine that does not run: its G, the
// registers that were saved when it was preempted, and the live part of its stack. World stopped,
// system stack.
func (g *G) ForEachRange(visit func(lo, hi uintptr)) { visitG(g, atomic.LoadUint32(&g.Status), visit) }
