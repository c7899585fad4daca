package runtime

import (
	"unsafe"

	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/stack"
	"loam/rt/sys"
)

// What compiled code tells the detector of data races (rt/race), in programs that were built to
// look for them (-race, -sim.race). Package internal/race and reflect tell it by raceapi.go.

// raceaccess is called before the program accesses memory that others may have: what is twice the
// number of bytes, and one more if they are written, and above racePart who accesses it. In a
// simulated run the goroutine stays on its thread from the end of the call to the access. For one,
// two, four, eight, sixteen and twenty-four bytes compiled code calls functions of their own
// (raceaccess.gas), which come here with what is news.
func raceaccess(p unsafe.Pointer, what uintptr) {
	raceAccessBy(race.Part(what>>racePart), p, what&(1<<racePart-1))
}

// racePart is where compiled code has a race.Part in what it tells raceaccess.
const racePart = 56

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
	a := raceActor(p)
	kind := race.Atomic
	if what&raceWrites != 0 {
		kind |= race.Write
	}
	found := race.Run.Access(a, uintptr(p), what>>raceBytes, kind)
	race.Run.EndAtomic(a, uintptr(p), what&raceReads != 0, what&raceWrites != 0)
	if found {
		raceFound()
	}
	raceUnpin(sys.Self())
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

// raceDepthShown is how many frames of the access that ends in a race are shown. Of others
// race.Depth are kept.
const raceDepthShown = 256

// raceStack is where the goroutine of a is, which runs, as a number. It is called for each access
// that is news, so it goes along the frame pointers without a look at what the frames are.
func raceStack(a *race.Actor) uint32 {
	t := sys.Self()
	if t.G == t.G0 {
		return 0
	}
	w := (*race.Walk)(t.RaceWalk)
	if w == nil {
		w = race.Run.NewWalk()
		t.RaceWalk = unsafe.Pointer(w)
	}
	return race.Run.Walked(w, raceCallers(a, w.Found[:]))
}

// raceCallers finds the return addresses of the goroutine of a, which runs, those of the run-time
// system left out. It returns how many they are.
func raceCallers(a *race.Actor, pcs []uintptr) (n int) {
	if !sys.Simulated && a != nil && a.Part != 0 {
		pcs[0], n = uintptr(a.Part), 1
		if a.Part >= race.AfterParts {
			pcs[0]++ // a return address, as the others are
		}
	}
	fp := sys.FramePointer()
	for s := (*stack.Segment)(curg().Segment); n < len(pcs); {
		for s != nil && !(s.Lo <= fp && fp+16 <= s.Hi) {
			s = s.Prev
		}
		if s == nil {
			break
		}
		pc := *(*uintptr)(unsafe.Pointer(fp + 8))
		if pc == 0 {
			break
		}
		fp = *(*uintptr)(unsafe.Pointer(fp))
		if !sched.InRunTime(pc) {
			pcs[n] = pc
			n++
		}
	}
	return n
}

// beginRaces is called before the program begins.
func beginRaces() {
	race.Run.Stack, race.Run.Found = raceStack, raceFound
	parseGORACE()
}
