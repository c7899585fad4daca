package heap

import "unsafe"

// verifyMarks checks a concurrent mark at its end (LOAMDEBUG=gcverify=1): it traces the heap once
// more, with the world stopped and a bitmap of its own, and dies if it reaches an object that is
// not marked. Words that only look like pointers must be marked too, so an integer stored
// without barrier into memory that is scanned can be reported. None such is known; arenaSkip keeps small counters
// apart.

var verifier struct {
	seen   uintptr // one bit for each 8 bytes of the arena
	from   uintptr // where the word that is looked at lies
	kind   string
	errors int
	w      worker
}

func verifyMarks() {
	v := &verifier
	bytes := (arena.used/64 + 4095) &^ 4095
	v.seen = osMap(bytes)
	if v.seen == 0 {
		return
	}
	v.errors = 0
	v.w.start()
	v.kind = "global"
	if lo, hi := dataRange(); lo < hi {
		verifyRange(lo, hi)
	}
	if lo, hi := bssRange(); lo < hi {
		verifyRange(lo, hi)
	}
	v.kind = "persistent"
	forPersistentRoots(verifyRange)
	v.kind = "stack"
	ForEachStack(verifyRange)
	v.kind = "heap"
	for {
		e := v.w.pop()
		if e == 0 {
			if v.w.takeFull() {
				continue
			}
			break
		}
		s := spanOf(e)
		end := e + s.size
		if s.large {
			end = e + s.request&^7
		}
		verifyRange(e, end)
	}
	v.w.finish()
	osUnmap(v.seen, bytes)
	if v.errors != 0 {
		throw("heap verifier: live objects are not marked")
	}
}

func verifyRange(lo, hi uintptr) {
	v := &verifier
	for p := (lo + 7) &^ 7; p+8 <= hi; p += 8 {
		word := *(*uintptr)(unsafe.Pointer(p))
		s := spanOf(word)
		if s == nil {
			continue
		}
		i := s.index(word)
		if !s.allocated(i) {
			continue
		}
		base := s.slotAt(i)
		bit := (base - arena.base) >> 3
		m := wordAt(v.seen, bit>>6)
		if *m>>(bit&63)&1 != 0 {
			continue
		}
		*m |= 1 << (bit & 63)
		if !bitSet(s.mark, i) {
			verifyReport(p, word, s, i)
		}
		if !s.class.noscan() {
			v.w.push(base)
		}
	}
}

func verifyReport(at, word uintptr, s *span, i uintptr) {
	v := &verifier
	if v.errors++; v.errors > 10 {
		return
	}
	printString("heap verifier: not marked: ")
	printHex(uint64(word))
	printString(" in slot ")
	printInt(int64(i))
	printString(" of size ")
	printInt(int64(s.size))
	printString(", found in ")
	printString(v.kind)
	printString(" memory at ")
	printHex(uint64(at))
	if from := spanOf(at); from != nil {
		j := from.index(at)
		printString(": word ")
		printInt(int64((at - from.slotAt(j)) / 8))
		printString(" of an object of size ")
		printInt(int64(from.size))
		if bitSet(from.mark, j) {
			printString(", marked; its words:")
			for k := uintptr(0); k < min(from.size/8, 8); k++ {
				printString(" ")
				printHex(uint64(*(*uintptr)(unsafe.Pointer(from.slotAt(j) + k*8))))
			}
		} else {
			printString(", not marked either")
		}
	}
	printString("\n")
}
