package runtime

import (
	"unsafe"

	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/sys"
)

// What compiled code tells the detector of data races (rt/race), in programs that were built to
// look for them (-race, -sim.race). Package internal/race and reflect tell it by raceapi.go.

// raceaccess is what compiled code calls before it accesses memory that others may have: what is
// twice the number of bytes, and one more if they are written, and above racePart who accesses it.
// In a simulated run the goroutine stays on its thread from the end of the call to the access. For
// one, two, four, eight, sixteen and twenty-four bytes there are functions of their own
// (raceaccess.gas).
func raceaccess(p unsafe.Pointer, what uintptr) {
	t := sys.AcquireM()
	a := (*sched.G)(t.G).Race.Actor().Awake()
	size := what & (1<<racePart - 1) >> 1
	if a == nil || size == 0 || !race.Run.Covers(uintptr(p)) || !race.Run.Acts(a) || !race.Run.HasCellsFor(uintptr(p), size) {
		raceUnpin(t)
		raceAccessBy(race.Part(what>>racePart), p, what&(1<<racePart-1))
		return
	}
	frame := (*[2]uintptr)(unsafe.Pointer(sys.FramePointer()))
	where := raceWhere(t, a, frame)
	if part := race.Part(what >> racePart); part != 0 {
		where = (*race.Walk)(t.RaceWalk).Further(&race.Run, where, racePartPC(part))
		a.Part = part
	}
	if race.Run.Span(a, uintptr(p), size, race.Kind(what)&race.Write, where) {
		raceFound()
	}
	a.Part = 0
	raceUnpin(t)
}

// racePart is where compiled code has a race.Part in what it tells raceaccess.
const racePart = 56

// racetell is raceaccess for the run-time system, and for accesses across cells, which
// raceaccess.gas has found.
func racetell(p unsafe.Pointer, what uintptr) { raceAccessBy(0, p, what) }

// raceAccessBy is raceaccess for what part does.
//
//go:noinline
func raceAccessBy(part race.Part, p unsafe.Pointer, what uintptr) {
	a := raceActor(p)
	if a == nil {
		return
	}
	kind := race.Kind(0)
	if what&1 != 0 {
		kind = race.Write
	}
	t := sys.AcquireM()
	a.Part = part
	if race.Run.Access(a, uintptr(p), what>>1, kind) {
		raceFound()
	}
	a.Part = 0
	raceUnpin(t)
}

// raceActor is the actor that accesses what is at p, nil if nobody has to know of that: the
// goroutine's own stack, say.
func raceActor(p unsafe.Pointer) *race.Actor {
	if !race.Run.Covers(uintptr(p)) {
		return nil
	}
	t := sys.Self()
	if t.G == t.G0 {
		return nil
	}
	return (*sched.G)(t.G).Race.Actor().Awake()
}

// raceUnpin ends AcquireM. In a simulated run the goroutine then stays on its thread.
func raceUnpin(t *sys.Thread) {
	if sys.Simulated {
		t.Locks--
	} else {
		sys.ReleaseM()
	}
}

// Bits of what raceatomic and raceatomicend are told.
const (
	raceReads  = 1 << 0
	raceWrites = 1 << 1
	raceBytes  = 2 // the number of bytes starts here
)

// raceatomic is called before an atomic operation: what is four times the number of bytes, one more
// if it reads and two more if it writes. It returns what raceatomicend wants behind the operation,
// which follows at once, and none of other goroutines on the same memory comes in between.
func raceatomic(p unsafe.Pointer, what uintptr) uintptr {
	a := raceActor(p)
	if a == nil || a.Ignores() {
		return 0
	}
	sys.AcquireM()
	race.Run.BeginAtomic(uintptr(p))
	return what
}

// raceatomicend is called after the operation, which has done what it is told, a compare-and-swap
// that found another value as well.
func raceatomicend(p unsafe.Pointer, what uintptr) {
	if what == 0 {
		return
	}
	t := sys.Self()
	a := (*sched.G)(t.G).Race.Actor()
	kind := race.Atomic
	if what&raceWrites != 0 {
		kind |= race.Write
	}
	found := false
	if race.Run.Acts(a) && race.Run.HasCells(uintptr(p)) {
		frame := (*[2]uintptr)(unsafe.Pointer(sys.FramePointer()))
		found = race.Run.News(a, uintptr(p), what>>raceBytes, kind, raceWhere(t, a, frame))
	} else {
		found = race.Run.Access(a, uintptr(p), what>>raceBytes, kind)
	}
	race.Run.EndAtomic(a, uintptr(p), what&raceReads != 0, what&raceWrites != 0)
	if found {
		raceFound()
	}
	raceUnpin(t)
}

// raceC stands for what C synchronises, which nobody knows of: as with gc, all that was done before
// a call of C has happened before what C calls, or returns to, afterwards.
var raceC byte

func raceEntersC() { raceRelease(unsafe.Pointer(&raceC)) }
func raceLeavesC() { raceAcquire(unsafe.Pointer(&raceC)) }

func raceAcquire(p unsafe.Pointer) {
	t := sys.AcquireM()
	race.Run.Acquire(raceActor(p), uintptr(p))
	raceUnpin(t)
}

func raceRelease(p unsafe.Pointer) {
	t := sys.AcquireM()
	race.Run.ReleaseMerge(raceActor(p), uintptr(p))
	raceUnpin(t)
}

// beginRaces is called before the program begins.
func beginRaces() {
	race.Run.Stack, race.Run.Found = raceStack, raceFound
	parseGORACE()
}
