package sched

import (
	"unsafe"

	"loam/rt/sys"
)

// What a goroutine that a signal has taken off its thread (signal.go) goes on with.

// preemptFrame is what a preempting signal leaves: a copy of the signal frame from
// its ucontext to the end of the floating-point state.
type preemptFrame struct {
	uc   *sys.Ucontext // not nil: continue the goroutine by rt_sigreturn
	size uintptr
	buf  uintptr // mapped memory of sys.SigFrameMax bytes, kept for the next time
}

const (
	ucSize   = 304 // kernel's struct ucontext up to and including the mask
	fpMagic  = 0x46505853
	fpLegacy = 512
)

// copyFrame copies the parts of a signal frame that rt_sigreturn reads.
func copyFrame(f *preemptFrame, uc *sys.Ucontext) bool {
	n := uintptr(fpLegacy)
	if uc.FPState == 0 {
		n = 0
	} else if *(*uint32)(sys.Ptr(uc.FPState + 464)) == fpMagic {
		n = uintptr(*(*uint32)(sys.Ptr(uc.FPState + 468)))
	}
	at := (f.buf + 64 + ucSize + 63) &^ 63
	if at+n > f.buf+sys.SigFrameMax {
		return false
	}
	dst := (*sys.Ucontext)(sys.Ptr(f.buf + 64))
	sys.Move(unsafe.Pointer(dst), unsafe.Pointer(uc), ucSize)
	if n != 0 {
		sys.Move(sys.Ptr(at), sys.Ptr(uc.FPState), n)
		dst.FPState = at
	}
	f.uc = dst
	f.size = at + n - (f.buf + 64)
	return true
}

// resumePreempted continues a goroutine by returning from its copied signal frame.
// The kernel loads the signal stack from it, which must be this thread's.
func resumePreempted(m *M, g *G) {
	t := m.Thread
	uc := g.pre.uc
	g.pre.uc = nil
	g.special &^= isPreempted
	uc.StackSP, uc.StackSize, uc.StackFlags = t.AltLo, t.AltSize, 0
	t.G = unsafe.Pointer(g)
	*t.LimitWord() = g.Limit
	sys.SigReturn(uc)
}

func freePreemptBuf(g *G) {
	sys.Munmap(g.pre.buf, sys.SigFrameMax)
	g.pre = preemptFrame{}
}

// redZone is what a function may use below SP without moving it.
const redZone = 128
