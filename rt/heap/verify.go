package heap

// verifyHeap checks the invariants that the code relies on (LOAMDEBUG=gcverify=1). It
// runs at the end of the pause: every span in use is unswept, in a list or a cache that is behind.
func verifyHeap() {
	inUse := uintptr(0)
	for i := range centrals {
		c := &centrals[i]
		if c.partial.first != nil || c.full.first != nil {
			verifyFailed("swept span right after a cycle", c.partial.first)
		}
		n, pg := uintptr(0), uintptr(0)
		for s := c.unswept.first; s != nil; s = s.next {
			verifySpan(s, spanClass(i))
			n++
			pg += s.pageCount
			if s.next != nil && s.next.prev != s {
				verifyFailed("broken list", s)
			}
		}
		if n != c.unswept.n || pg != c.unswept.pages {
			verifyFailed("list count", c.unswept.first)
		}
		inUse += pg
	}
	hooks.workers.ForEachCache(func(c *Cache) {
		c.eachHeld(func(class spanClass) {
			s := c.runs[class].span
			verifySpan(s, class)
			inUse += s.pageCount
		})
	})
	if inUse != pages.inUse {
		verifyFailed("pages in use", nil)
	}
	verifyFree()
}

func verifySpan(s *span, class spanClass) {
	if s.state != spanInUse || s.class != class || s.extent == 0 {
		verifyFailed("span state", s)
	}
	for p := s.base; p < s.base+s.pageCount<<pageShift; p += pageSize {
		if *tableEntry(p) != s {
			verifyFailed("page table", s)
		}
	}
	live := uint32(0)
	for i := uintptr(0); i < uintptr(s.words)*64; i++ {
		marked := bitSet(s.mark, i)
		if marked && (i >= uintptr(s.slots) || !s.allocated(i)) {
			verifyFailed("mark on a free slot", s)
		}
		if marked {
			live++
		}
	}
	allocated := uint32(0)
	for i := uintptr(0); i < uintptr(s.slots); i++ {
		if s.allocated(i) {
			allocated++
		}
	}
	if allocated != s.count || live > s.count {
		verifyFailed("slot count", s)
	}
	verifySpecials(s)
}

func verifySpecials(s *span) {
	t := &s.specials
	n, key, hinted := uintptr(0), uintptr(0), t.hint == nil
	t.each(s.extent, func(sp *special) {
		if sp.key < key || sp.offset() >= s.extent {
			verifyFailed("order of specials", s)
		}
		key = sp.key
		hinted = hinted || t.hint == sp
		n++
	})
	if n != t.n || !hinted || (n != 0) != (s.special != 0) {
		verifyFailed("table of specials", s)
	}
	if n != 0 && !s.unsettled() {
		verifyFailed("specials settled before their cycle", s)
	}
}

// verifyFree walks the free runs.
func verifyFree() {
	acquireM()
	pages.lock.Lock() // the thread that gives memory back is not stopped
	free, dirty := uintptr(0), uintptr(0)
	for b := range pages.heads {
		for s := pages.heads[b]; s != nil; s = s.next {
			if s.state != spanFree || s.extent != 0 || bucketOf(s.pageCount) != uintptr(b) {
				verifyFailed("free run", s)
			}
			if *tableEntry(s.base) != s || *tableEntry(s.base + (s.pageCount-1)<<pageShift) != s {
				verifyFailed("free run's page table", s)
			}
			free += s.pageCount
			dirty += countDirty(s.base, s.pageCount)
		}
	}
	if free != pages.free || dirty != pages.dirty || free+pages.inUse != arena.used>>pageShift {
		printInt(int64(free))
		printString(" free pages found, ")
		printInt(int64(pages.free))
		printString(" counted; dirty: ")
		printInt(int64(dirty))
		printString(" found, ")
		printInt(int64(pages.dirty))
		printString(" counted; in use ")
		printInt(int64(pages.inUse))
		printString(" of ")
		printInt(int64(arena.used >> pageShift))
		printString("\n")
		verifyFailed("sum of free pages", nil)
	}
	pages.lock.Unlock()
	releaseM()
}

func verifyFailed(what string, s *span) {
	printString("heap verifier: ")
	printString(what)
	if s != nil {
		printString(": span at ")
		printHex(uint64(s.base))
		printString(" pages ")
		printInt(int64(s.pageCount))
		printString(" class ")
		printInt(int64(s.class))
		printString(" slot size ")
		printInt(int64(s.size))
		printString(" count ")
		printInt(int64(s.count))
		printString(" free ")
		printInt(int64(s.free))
	}
	printString("\n")
	throw("heap verifier failed")
}
