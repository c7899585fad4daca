package heap

import "sync/atomic"

// The specials are roots in pieces. Spans that get their first special while a collection marks are
// listed before those that are left, and need not be looked at: what is attached meanwhile is
// shaded.

// rootPiece is how many specials, and spans, are looked at before the marker looks around.
const rootPiece = 256

// startSpecials makes all specials roots that are to be looked at. World stopped, all spans are
// settled.
func startSpecials() {
	specials.root, specials.offset = specials.first, 0
	atomic.StoreUint32(&conc.special, specialsLeft)
}

// rootSpecials greys what some of the specials refer to: closures, weak handles, and the contents
// (not the slots) of objects with finalizers. It says whether those were the last. One thread at a
// time.
func rootSpecials(w *worker) (done bool) {
	for n := 0; n < rootPiece; {
		s, own := lockFirst(&specials.root)
		if s == nil {
			dueFinalizers.grey(w)
			dueCleanups.grey(w)
			return true
		}
		seen, next := s.rootSome(w, specials.offset, rootPiece-n)
		if n += seen + 1; next != 0 {
			specials.offset = next
		} else {
			specials.lock.Lock()
			specials.root, specials.offset = s.spNext, 0
			specials.lock.Unlock()
		}
		own.Unlock()
	}
	return false
}

// rootSome greys what the specials from an offset on refer to, until it has looked at so many. It
// returns how many they were, and at which offset it is to go on, 0 if there are no more. s's own
// lock is held.
func (s *span) rootSome(w *worker, from uintptr, most int) (n int, next uintptr) {
	t := &s.specials
	for i, used := t.placeOf(from), t.used(s.extent); i < used; i++ {
		if soon := i + rootsAhead; soon < used {
			prefetch(addrOf(*t.place(soon)))
		}
		for sp := *t.place(i); sp != nil; sp = sp.next {
			offset := sp.offset()
			if offset < from {
				continue
			}
			if n >= most && offset != from {
				return n, offset
			}
			rootSpecial(w, s, sp)
			from = offset
			n++
		}
	}
	return n, 0
}

// rootsAhead is how many places before its turn a special is prefetched.
const rootsAhead = 8

func rootSpecial(w *worker, s *span, sp *special) {
	switch sp.kind() {
	case specialFinalizer:
		w.greyAddress(uintptr(sp.fn))
		w.scanContents(s, s.index(s.base+sp.offset()))
	case specialCleanup:
		w.greyAddress(uintptr(sp.fn))
	case specialWeak:
		w.greyAddress(sp.arg)
	}
}

// scanContents scans slot i of s without marking it: an object that points at itself can die. Large
// ones that do live on.
func (w *worker) scanContents(s *span, i uintptr) {
	if s.class.noscan() {
		return
	}
	if s.large {
		w.pushLarge(s)
		return
	}
	s.eachOther(i, w.greyAddress)
}
