package runtime

import (
	"unsafe"

	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/simulation"
	"loam/rt/symtab"
	"loam/rt/sys"
)

// Stacks in the timeline of a simulated run (rt/simulation/timeline.go).

// simStacks are those that have been written.
var simStacks race.Stacks

func beginSimTimeline() {
	simStacks.Grow = func(bytes uintptr) unsafe.Pointer { return sys.SimOwn(bytes, -1) }
	simulation.StackNumber, simulation.Created = simStackNumber, simCreated
}

// simStackNumber is simulation.StackNumber. System stack.
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

// simCreated is simulation.Created.
func simCreated(gp *sched.G) uint32 {
	if gp.CreatorPC == 0 {
		return 0
	}
	pcs := [simulation.CallersKept]uintptr{gp.CreatorPC}
	n := 1
	for i, pc := range simulation.Callers(gp.ID) {
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
	simulation.TimelineText("stack ")
	simulation.TimelineNumber(uint64(number))
	simulation.TimelineText("\n")
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
			simulation.TimelineText("\t")
			simulation.TimelineText(f.File)
			simulation.TimelineText(":")
			simulation.TimelineNumber(uint64(f.Line))
			simulation.TimelineText("\t")
			simulation.TimelineText(f.Func)
			simulation.TimelineText("\n")
		}
	}
	return number
}
