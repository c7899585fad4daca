package runtime

import (
	"unsafe"

	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/stack"
	"loam/rt/sys"
)

// Where accesses are made, for the detector of data races.

// raceWord is where the frame with that pointer has its race.Word, if its function is not one of
// the run-time system: right below the saved frame pointer (internal/lower/racepath.go).
func raceWord(fp uintptr) *race.Word { return (*race.Word)(unsafe.Pointer(fp - 8)) }

// raceStack is where the goroutine of a is, which runs, as a number. It is called for each access
// that is news, so it goes along the frame pointers without a look at what the frames are, and only
// to the first one that knows where it was called.
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
	number := raceWalk(w, sys.FramePointer())
	if !sys.Simulated && a != nil && a.Part != 0 {
		number = w.Further(&race.Run, number, racePartPC(a.Part))
	}
	return number
}

// racenews is raceaccess for what raceaccess.gas has found to be news. It lies within a cell, or is
// aligned, and the cells are there. The frame has the caller's frame pointer, and below where it
// comes back to.
func racenews(p unsafe.Pointer, what uintptr, frame *[2]uintptr) {
	t := sys.AcquireM()
	a := (*sched.G)(t.G).Race.Actor().Awake()
	if a == nil || !race.Run.Acts(a) {
		sys.ReleaseM()
		racetell(p, what)
		return
	}
	if race.Run.News(a, uintptr(p), what>>1, race.Kind(what)&race.Write, raceWhere(t, a, frame)) {
		raceFound()
	}
	sys.ReleaseM()
}

// raceWhere is raceStack for what compiled code has called, with that frame.
//
//loam:inline
func raceWhere(t *sys.Thread, a *race.Actor, frame *[2]uintptr) uint32 {
	w := (*race.Walk)(t.RaceWalk)
	if w == nil {
		return raceStack(a)
	}
	if word := *raceWord(frame[0]); word.Ends(&race.Run, 1) {
		return w.Further(&race.Run, word.Number(), frame[1])
	}
	return raceNear(w, a, frame)
}

// raceNear is raceWhere for a function that does not know yet where it was called: mostly one that
// is not far does.
func raceNear(w *race.Walk, a *race.Actor, frame *[2]uintptr) uint32 {
	const far = 16 // calls
	fp := frame[0]
	w.PCs[0] = frame[1]
	for n := 1; n < far; n++ {
		word := raceWord(fp)
		if end := *word; end.Ends(&race.Run, n) {
			w.Words[n-1] = nil
			return w.Walked(&race.Run, n, end, false)
		}
		w.Words[n-1] = word
		call := (*[2]uintptr)(unsafe.Pointer(fp))
		if call[1] == 0 || sched.InRunTime(call[1]) {
			break
		}
		fp, w.PCs[n] = call[0], call[1]
	}
	return raceStack(a)
}

// raceWalk is the number of the stack of the goroutine that runs, from the frame fp on.
func raceWalk(w *race.Walk, fp uintptr) uint32 {
	frames, words := race.Run.Words()
	n, user, end, more := 0, false, race.Word(0), false
	for s := (*stack.Segment)(curg().Segment); ; {
		for s != nil && !(s.Lo <= fp && fp+16 <= s.Hi) {
			s = s.Prev
		}
		if s == nil {
			break
		}
		if more = user && n == frames; more {
			break
		}
		if user && words {
			word := raceWord(fp)
			if end = *word; end.Ends(&race.Run, n) {
				break
			}
			w.Words[n-1], end = word, 0
		}
		pc := *(*uintptr)(unsafe.Pointer(fp + 8))
		if pc == 0 {
			break
		}
		fp = *(*uintptr)(unsafe.Pointer(fp))
		if user = !sched.InRunTime(pc); user {
			w.PCs[n], w.Words[n] = pc, nil
			n++
		}
	}
	return w.Walked(&race.Run, n, end, more)
}

// racePartPC is what reports take for the return address in what part does.
func racePartPC(part race.Part) uintptr {
	if part >= race.AfterParts {
		part++ // a return address, as the others are
	}
	return uintptr(part)
}

// raceDepthShown is how many frames of the access that ends in a race are shown. Of others
// race.Depth are kept.
const raceDepthShown = 256

// raceCallers finds the return addresses of the goroutine of a, which runs, those of the run-time
// system left out. It returns how many they are.
func raceCallers(a *race.Actor, pcs []uintptr) (n int) {
	if !sys.Simulated && a != nil && a.Part != 0 {
		pcs[0], n = racePartPC(a.Part), 1
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
