package heap

import "unsafe"

// verifyMarks checks a concurrent mark at its end (LOAMDEBUG=gcverify=1): it traces the heap once
// more (reach.go) and dies if it reaches an object that is not marked. Words that only look like
// pointers must be marked too, so an integer stored without barrier into memory that is scanned can
// be reported. None such is known; arenaSkip keeps small counters apart.

var verifier struct {
	reach  Reach
	kind   string // of memory in which the word that is looked at lies
	errors int
}

func verifyMarks() {
	v := &verifier
	v.reach.first = verifyMarked
	if !v.reach.Start() {
		return
	}
	v.errors = 0
	v.kind = "global"
	if lo, hi := dataRange(); lo < hi {
		verifyFrom(lo, hi)
	}
	if lo, hi := bssRange(); lo < hi {
		verifyFrom(lo, hi)
	}
	v.kind = "persistent"
	forPersistentRoots(verifyFrom)
	v.kind = "stack"
	hooks.stacks.ForEach(verifyFrom)
	v.kind = "heap"
	v.reach.All()
	v.reach.End()
	if v.errors != 0 {
		throw("heap verifier: live objects are not marked")
	}
}

func verifyFrom(lo, hi uintptr) { verifier.reach.From(lo, hi) }

func verifyMarked(at, word uintptr, s *span, i uintptr) {
	if !bitSet(s.mark, i) {
		verifyReport(at, word, s, i)
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
