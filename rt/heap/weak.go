package heap

import (
	"sync/atomic"
	"unsafe"
)

// WeakHandle returns the handle of weak pointers to p: a heap word that holds p and
// becomes 0 when the object dies. The same p has the same handle while the object
// lives. Addresses outside the heap never die (outside.go).
// Goroutine stack; allocates.
func WeakHandle(p unsafe.Pointer) unsafe.Pointer {
	s := spanOf(uintptr(p))
	if s == nil {
		return unsafe.Pointer(outsideHandle(uintptr(p)))
	}
	if h := s.weakHandle(uintptr(p), nil); h != nil {
		return unsafe.Pointer(h)
	}
	return unsafe.Pointer(s.weakHandle(uintptr(p), newHandle(uintptr(p))))
}

// weakHandle returns the handle of p, an address in s. If there is none, fresh becomes it.
func (s *span) weakHandle(p uintptr, fresh *uintptr) (h *uintptr) {
	key := specialKey(p-s.base, specialWeak)
	s.lockSpecials()
	s.settleFirst()
	link := s.specials.find(key)
	if sp := *link; sp != nil && sp.key == key {
		h = sp.handle()
	} else if h = fresh; h != nil {
		s.attach(link, newSpecial(key, nil, addrOf(h)))
	}
	s.unlockSpecials()
	return h
}

// newHandle returns a heap word that holds p: of the size of a tiny block, so that it shares its
// slot with nothing; noscan, so that it does not keep the object.
func newHandle(p uintptr) *uintptr {
	h := (*uintptr)(Alloc(tinyBlock, true, true))
	*h = p
	return h
}

// StrongFromWeak returns the address that a handle stands for, or nil if the object
// is dead. The caller's stack keeps the object from then on.
//
// The handle is 0 if the object is dead and its span settled, so that is seen to first. Between the
// look at settled and the last read the goroutine cannot be stopped.
func StrongFromWeak(handle unsafe.Pointer) unsafe.Pointer {
	h := (*uintptr)(handle)
	for {
		s := spanOf(atomic.LoadUintptr(h))
		if s == nil || !s.toSettle() {
			return unsafe.Pointer(atomic.LoadUintptr(h))
		}
		s.settleUnkept()
	}
}
