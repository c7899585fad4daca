package runtime

import (
	"loam/rt/race"
	"loam/rt/simulation"
	"loam/rt/symtab"
	"loam/rt/sys"
)

// The report of a data race in a simulated run. It ends the run, and loam test adds the sources to
// it; so it has the form of other reports there.

// raceSimulated reports the race whose second access a makes at the given place, and ends the run.
// System stack.
func raceSimulated(a *race.Actor, where uint32) {
	r, now := &a.Race, a
	simulation.Fails()
	sys.BeginReport()
	emitString("==================\nWARNING: DATA RACE\n")
	raceAccess(r.Second, [2]string{"Read", "Write"}, r.Addr, r.Size, now.Number)
	raceFrames(where)
	emitString("\n")
	raceAccess(r.First, [2]string{"Previous read", "Previous write"}, r.FirstAddr, r.FirstSize, r.Who.Number)
	raceFrames(r.Stack)
	raceBorn(&now.Born, "running")
	if r.Ended {
		raceBorn(&r.Who, "finished")
	} else {
		raceBorn(&r.Who, "running")
	}
	emitString("==================\n")
	sys.Exit(gorace.exitcode)
}

// raceAccess prints what a race's access is. names are those of a read and of a write.
func raceAccess(kind race.Kind, names [2]string, addr, size uintptr, goroutine uint64) {
	emitString(names[kind&race.Write])
	if kind&race.Atomic != 0 {
		emitString(" (atomic)")
	}
	emitString(" of ")
	printuint(uint64(size))
	emitString(" bytes at ")
	printhex(uint64(addr))
	emitString(" by goroutine ")
	printuint(goroutine)
	emitString(":\n")
}

// raceFrames prints where an access is made.
func raceFrames(number uint32) {
	var out [symtab.MaxInline]symtab.Frame
	var pcs [raceDepthShown]uintptr
	w := frameWriter{}
	for _, pc := range pcs[:race.Run.Frames(number, pcs[:])] {
		u := unwinder{pc: pc}
		n := symbolize(pc-1, &out)
		for i := range out[:n] {
			if f := &out[i]; w.shows(f, pc) && !hasPrefix(f.Func, "internal/race.") {
				nameMethod(f)
				emitString("  ")
				w.print(f, &u)
			}
		}
	}
}

// raceBorn prints where a goroutine comes from, if not from the start of the program.
func raceBorn(b *race.Born, state string) {
	if b.CreatorPC == 0 || b.Number == 1 {
		return
	}
	emitString("\nGoroutine ")
	printuint(b.Number)
	emitString(" (")
	emitString(state)
	emitString(") ")
	printStart(b.CreatorPC, b.Creator)
	printStarter(b.Number)
}
