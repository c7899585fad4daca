package heap

// The handles of what lies outside the heap (outside.go): they are objects.

// outsideHandle returns the handle of an address outside the heap. Goroutine stack; allocates.
func outsideHandle(p uintptr) *uintptr {
	acquireM()
	h := liveOutside(p)
	releaseM()
	if h != nil {
		return h
	}
	fresh := newHandle(p)
	s := spanOf(addrOf(fresh))
	acquireM() // no cycle comes between that look and the next
	for h == nil {
		if h = liveOutside(p); h == nil && s.insertOutside(fresh) {
			h = fresh
		}
	}
	releaseM()
	return h
}

// liveOutside returns the handle of p in the table, or nil. If the last collection found it dead,
// it is not there any more: its span is settled first. Pinned.
func liveOutside(p uintptr) *uintptr {
	for {
		outside.lock.Lock()
		h := (*uintptr)(nil)
		if outside.used != 0 {
			h = outside.handles[placeOutside(p)]
		}
		outside.lock.Unlock()
		if h == nil {
			return nil
		}
		s := spanOf(addrOf(h))
		if !s.toSettle() {
			return h
		}
		s.settleUnkept()
	}
}

// insertOutside puts a new handle, an object in s, into the table. It returns false if there is one
// for the same address. Pinned.
func (s *span) insertOutside(h *uintptr) bool {
	s.lockSpecials()
	s.settleFirst()
	outside.lock.Lock()
	ok := outside.used == 0 || outside.handles[placeOutside(*h)] == nil
	if ok {
		addOutside(h)
	}
	outside.lock.Unlock()
	if ok {
		key := specialKey(addrOf(h)-s.base, specialOutside)
		s.attach(s.specials.find(key), newSpecial(key, nil, addrOf(h)))
	}
	s.unlockSpecials()
	return ok
}
