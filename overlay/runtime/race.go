package runtime

import (
	"unsafe"

	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/simulation"
	"loam/rt/stack"
	"loam/rt/symtab"
	"loam/rt/sys"
)

// Data races in simulated runs of programs that were built to look for them (-sim.race): what
// compiled code, package internal/race and reflect tell the detector (rt/race), and the report.

// raceaccess is called before the program accesses memory that others may have: what is twice the
// number of bytes, and one more if they are written. From its end to the access the goroutine stays
// on its thread.
func raceaccess(p unsafe.Pointer, what uintptr) {
	if race.Run.Now() == nil {
		return
	}
	kind := race.Kind(0)
	if what&1 != 0 {
		kind = race.Write
	}
	raceNote(p, what>>1, kind)
}

// raceatomic is called before an atomic operation: what is four times the number of bytes, one more
// if it reads and two more if it writes.
func raceatomic(p unsafe.Pointer, what uintptr) {
	if a := race.Run.Now(); a == nil || a.Ignores() || sys.OnSystem() { // the run-time system's own
		return
	}
	const reads, writes = 1, 2
	kind := race.Atomic
	if what&writes != 0 {
		kind |= race.Write
	}
	if !raceNote(p, what>>2, kind) {
		return
	}
	t := sys.Self()
	t.Locks++
	d, addr := &race.Run, uintptr(p)
	switch what & (reads | writes) {
	case reads:
		d.Acquire(d.Now(), addr)
	case writes:
		d.Release(d.Now(), addr)
	default:
		d.AcquireRelease(d.Now(), addr)
	}
	t.Locks--
}

// racecas is called before a compare-and-swap, which only reads if the value is not old.
func racecas(p unsafe.Pointer, bytes, old uintptr) {
	if race.Run.Now() == nil || uintptr(p) < firstPage || sys.OnSystem() {
		return
	}
	is := *(*uint32)(p) == uint32(old)
	if bytes == 8 {
		is = *(*uintptr)(p) == old
	}
	if is {
		raceatomic(p, bytes<<2|3)
	} else {
		raceatomic(p, bytes<<2|1)
	}
}

// firstPage is where accesses fault that go through nil.
const firstPage = 4096

// raceNote tells the detector of an access. It is false for memory that no other goroutine has: the
// goroutine's own stack.
func raceNote(p unsafe.Pointer, bytes uintptr, kind race.Kind) bool {
	addr := uintptr(p)
	if addr < firstPage || sys.OnSystem() {
		return false
	}
	t := sys.Self()
	gp := sched.CurrentG()
	for s := (*stack.Segment)(gp.Segment); s != nil; s = s.Prev {
		if addr-s.Lo < s.Hi-s.Lo {
			return false
		}
	}
	t.Locks++
	if race.Run.Access(addr, bytes, kind) {
		raceFound()
	}
	t.Locks--
	return true
}

// raceFound ends the run at the second access of a race.
func raceFound() {
	raceSecond = raceStack()
	sys.OnSystemStack(raceReport)
}

// raceSecond is where the second access of a race is made.
var raceSecond uint32

// beginRaces is called before the program begins, if the run is simulated.
func beginRaces() {
	if race.Enabled {
		race.Run.Stack, race.Run.Found = raceStack, raceFound
	}
}

// raceStack is where the goroutine is that runs.
func raceStack() uint32 {
	var pcs [48]uintptr
	u := unwindSelf(sys.CallerPC(), callerFP(sys.FramePointer()))
	n := 0
	for more := true; more && n < len(pcs); more = u.next() {
		pcs[n] = u.pc
		n++
	}
	return race.Run.Number(pcs[:n])
}

// raceStatus is the exit status of a program that has a race, as with gc.
const raceStatus = 66

// raceReport reports a race, and ends the run. System stack.
func raceReport() {
	r, now := &race.Run.Race, race.Run.Now()
	simulation.Fails()
	sys.BeginReport()
	emitString("==================\nWARNING: DATA RACE\n")
	raceAccess(r.Second, [2]string{"Read", "Write"}, r.Addr, r.Size, now.Number)
	raceFrames(raceSecond)
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
	sys.Exit(raceStatus)
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
	w := frameWriter{}
	for _, pc := range race.Run.Frames(number) {
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
