package runtime

import (
	"unsafe"

	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/symtab"
	"loam/rt/sys"
)

// Stacks in the timeline of a simulated run (rt/sched/simtimeline.go).

// simStacks are those that have been written.
var simStacks race.Stacks

func beginSimTimeline() {
	simStacks.Grow = func(bytes uintptr) unsafe.Pointer { return sys.SimOwn(bytes, -1) }
	sched.SimStackNumber, sched.SimCreated = simStackNumber, simCreated
}

// simStackNumber is sched.SimStackNumber. System stack.
func simStackNumber(gp *sched.G) uint32 {
	var pcs [48]uintptr
	n := 0
	u := unwindParked(gp)
	for more := true; more && n < len(pcs); more = u.next() {
		pcs[n] = u.pc
		if u.exact { // others are return addresses
			pcs[n]++
		}
		n++
	}
	return simWriteStack(pcs[:n])
}

// simCreated is sched.SimCreated.
func simCreated(gp *sched.G) uint32 {
	if gp.CreatorPC == 0 {
		return 0
	}
	pcs := [sched.CallersKept]uintptr{gp.CreatorPC}
	n := 1
	for i, pc := range sched.SimCallers(gp.ID) {
		if pc == 0 {
			break
		}
		pcs[i], n = uintptr(pc), i+1
	}
	return simWriteStack(pcs[:n])
}

// simWriteStack numbers a stack, and writes it if it is new.
func simWriteStack(pcs []uintptr) uint32 {
	before := simStacks.Known()
	number := simStacks.Number(pcs)
	if simStacks.Known() == before {
		return number
	}
	sched.SimTimelineText("stack ")
	sched.SimTimelineNumber(uint64(number))
	sched.SimTimelineText("\n")
	var out [symtab.MaxInline]symtab.Frame
	var w frameWriter
	for _, pc := range pcs {
		n := symbolize(pc-1, &out)
		for i := range out[:n] {
			f := &out[i]
			if !w.shows(f, pc) {
				continue
			}
			nameMethod(f)
			sched.SimTimelineText("\t")
			sched.SimTimelineText(f.File)
			sched.SimTimelineText(":")
			sched.SimTimelineNumber(uint64(f.Line))
			sched.SimTimelineText("\t")
			sched.SimTimelineText(f.Func)
			sched.SimTimelineText("\n")
		}
	}
	return number
}
