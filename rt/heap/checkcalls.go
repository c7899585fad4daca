package heap

import "unsafe"

// GODEBUG=checkfinalizers=1: each cycle looks for finalizers and cleanups that keep the object from
// dying that they are to follow. For each of them the heap is traced (reach.go) from its function
// and argument alone, and from what the object with a finalizer points at: the object may not be
// reached so. Nor should it lie in a block of tiny objects, of which each keeps the others. Such
// blocks are not told from objects of their size otherwise, so they get a special of their own.

var calls struct {
	checked  bool
	suspects [50]SuspectCall
	reach    Reach
}

// ChecksCalls reports whether it matters where finalizers and cleanups are attached.
func ChecksCalls() bool { return calls.checked }

// noteTiny records that p begins a block of tiny objects. What is allocated by code that may not be
// stopped is not recorded: run-time code, which attaches nothing to it.
func noteTiny(p uintptr) {
	if !canCollect() {
		return
	}
	s := spanOf(p)
	key := specialKey(p-s.base, specialTiny)
	s.lockSpecials()
	s.settleFirst()
	if !s.specials.has(key) {
		s.attach(s.specials.find(key), newSpecial(key, nil, 0))
	}
	s.unlockSpecials()
}

// checkCalls looks at all finalizers and cleanups. At the end of marking, world stopped.
func checkCalls() {
	n, more := 0, false
	for s := specials.first; s != nil; s = s.spNext {
		s.specials.each(s.extent, func(sp *special) {
			if sp.kind() != specialFinalizer && sp.kind() != specialCleanup {
				return
			}
			p := s.base + sp.offset()
			c := SuspectCall{
				Obj: p, Record: uintptr(unsafe.Pointer(sp)), Fn: sp.fn, Info: sp.info,
				Cleanup: sp.kind() == specialCleanup,
				Reached: s.reachedBy(sp),
				Tiny:    s.specials.has(specialKey(s.slotAt(s.index(p))-s.base, specialTiny)),
			}
			switch {
			case !c.Reached && !c.Tiny:
			case n == len(calls.suspects):
				more = true
			default:
				calls.suspects[n] = c
				n++
			}
		})
	}
	if n != 0 {
		hooks.calls.Report(calls.suspects[:n], more)
	}
}

// reachedBy reports whether what the call of sp needs leads to its object.
func (s *span) reachedBy(sp *special) bool {
	r := &calls.reach
	if !r.Start() {
		return false
	}
	fn := addrOf((*uintptr)(unsafe.Pointer(&sp.fn)))
	r.From(fn, fn+unsafe.Sizeof(sp.fn))
	p := s.base + sp.offset()
	if sp.kind() == specialFinalizer && !s.class.noscan() {
		s.eachOther(s.index(p), func(word uintptr) {
			at := addrOf(&word)
			r.From(at, at+unsafe.Sizeof(word))
		})
	}
	r.All()
	reached := r.Has(p)
	r.End()
	return reached
}

// printCallCounts prints how many calls wait, as gc does. At the end of a cycle.
func printCallCounts() {
	beginLine()
	printString("checkfinalizers: queue: ")
	printInt(int64(dueFinalizers.counts.Queued - dueFinalizers.counts.Taken))
	printString(" finalizers + ")
	printInt(int64(dueCleanups.counts.Queued - dueCleanups.counts.Taken))
	printString(" cleanups")
	endLine()
}
