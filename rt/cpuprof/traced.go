//go:build loam

package cpuprof

import (
	"unsafe"

	"loam/rt/sched"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// While an execution trace is taken, too, samples also go into the trace: through a ring of their
// own, whose reader is who ends the trace's generations.

// tracedWords is the size of that ring: a second of 16 busy threads.
const tracedWords = 1 << 15

// tracedHeader is what a traced sample begins with, in words: the generation, the time, thread, P
// and goroutine.
const tracedHeader = 5

var traced Ring

func initTraced() {
	if traced.words == nil {
		p := sys.MapAnon(tracedWords * 8)
		traced.Init(unsafe.Slice((*uint64)(p), tracedWords))
	}
}

// putTraced copies a sample for the trace. Signal handler; the thread may have no P, and then the
// sample can be told to belong to a generation that is just over.
func putTraced(count uint64, g *sched.G, pcs []uintptr) {
	var rec [tracedHeader + Leaf + Depth]uintptr
	m := sched.CurrentM()
	rec[0], rec[1], rec[2], rec[3] = uintptr(tracer.Gen), uintptr(tracer.Ticks()), uintptr(m.ID), ^uintptr(0)
	if p := m.P; p != nil {
		rec[3] = uintptr(p.ID)
	}
	if g != nil {
		rec[4] = uintptr(g.ID)
	}
	n := tracedHeader + copy(rec[tracedHeader:], pcs)
	traced.Put(count, 0, rec[:n])
}

// TracedSample is a sample of a trace: the time on the trace's clock, and the numbers of the
// thread, the P (all ones: none) and the goroutine (0: none).
type TracedSample struct{ Time, M, P, G uint64 }

// ReadTraced calls f for each sample of a generation that is over, as often as it counts; stack is
// as [Leaf] says. Samples of earlier generations, which came too late, are dropped. One goroutine
// at a time; f may allocate.
func ReadTraced(gen uint64, f func(s TracedSample, stack []uint64)) {
	if traced.words == nil {
		return
	}
	for {
		count, _, rec, ok := traced.Peek()
		if !ok || rec[0] > gen {
			return
		}
		for ; rec[0] == gen && count > 0; count-- {
			f(TracedSample{rec[1], rec[2], rec[3], rec[4]}, rec[tracedHeader:])
		}
		traced.Pop()
	}
}
