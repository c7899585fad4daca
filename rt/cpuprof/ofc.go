//go:build loam

package cpuprof

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sched"
	"loam/rt/stack"
	"loam/rt/sys"
)

// Samples of threads that run C, whose frames only C itself can find: by a function that the
// program has given (runtime.SetCgoTraceback). Such a sample has the number of these frames in the
// place of the interrupted instruction, then the frames, then the return addresses of the Go that
// has called C. Of a thread of C's that has called no Go, where the function has found nothing, it
// is the interrupted instruction, called by [External].

// MaxC is how many frames of C are found at most, as under gc.
const MaxC = 32

// External is in the place of the return address to what has called C, if that is not known.
const External = ^uintptr(0)

// cTraceback is the function, 0 if there is none.
var cTraceback uintptr

// SetCTraceback gives the function.
func SetCTraceback(fn uintptr) { atomic.StoreUintptr(&cTraceback, fn) }

// CFrames finds the frames of C that a context stands for, or if uc is not nil those that a signal
// has interrupted, and returns their number. Any stack.
func CFrames(context uintptr, uc *sys.Ucontext, pcs []uintptr) (n int) {
	find := atomic.LoadUintptr(&cTraceback)
	if find == 0 || len(pcs) == 0 || context == 0 && uc == nil {
		return 0
	}
	clear(pcs) // the function need not mark the end
	arg := struct {
		context uintptr
		uc      *sys.Ucontext
		buf     *uintptr
		max     uintptr
	}{context, uc, &pcs[0], uintptr(len(pcs))}
	sys.CallC(find, unsafe.Pointer(&arg))
	for n < len(pcs) && pcs[n] != 0 {
		n++
	}
	return n
}

// captureC is capture for a thread that runs C; 0 if it does not, or nothing can be found.
func captureC(uc *sys.Ucontext, out *[Leaf + Depth]uintptr) int {
	if !sched.InC(uc) {
		return 0
	}
	n, t := CFrames(0, uc, out[1:1+MaxC]), sys.Self()
	switch {
	case n == 0 && t.M == nil:
		out[0], out[1], out[2] = 1, uintptr(uc.RIP), External
		return 3
	case n == 0:
		return 0
	}
	out[0] = uintptr(n)
	n++
	if t.M == nil {
		return n
	}
	s := stacks{segs: [2]*stack.Segment{(*stack.Segment)((*sched.G)(t.G).Segment)}}
	return s.returns(sys.RecordOfC(t.GoSP), out, n)
}

// OfC returns the frames of C that a sample has.
func OfC(sample []uint64) []uint64 {
	if n := sample[0]; n <= MaxC && n < uint64(len(sample)) {
		return sample[1 : 1+n]
	}
	return nil
}
