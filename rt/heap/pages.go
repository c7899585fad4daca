package heap

import "math/bits"

// The page allocator hands out runs of pages. Free runs are kept coalesced, in
// buckets by length: exact up to 63 pages, then eight to each power of two
// (the two-level segregated fit of Masmano et al., 2004). Both taking and freeing
// cost constant time apart from writing the page table.
//
// Whether the memory of a page is in use by the process is a bit for each page (dirty),
// not a property of the run, so that runs coalesce freely. A clean page reads as
// zero.

const (
	exactBuckets = 64
	subLog       = 3
	pageBuckets  = exactBuckets + 30<<subLog
)

var pages struct {
	lock   mutex
	heads  [pageBuckets]*span
	filled [(pageBuckets + 63) / 64]uint64 // bit i: heads[i] is not nil
	inUse  uintptr                         // pages in spans in use
	free   uintptr                         // pages in free runs
	dirty  uintptr                         // dirty pages in free runs
	// pages by which the arena has grown, and for which none were given back yet
	grown uintptr
	// pages taken for spans, ever, and until the end of the last cycle
	taken, takenAtLast uintptr
	scavSum            uint64  // bytes given back, ever
	scavNow            uintptr // of the free pages, those given back
}

// bucketOf is the bucket that holds runs of n pages.
func bucketOf(n uintptr) uintptr {
	if n < exactBuckets {
		return n
	}
	l := uintptr(bits.Len64(uint64(n))) - 1
	return exactBuckets + (l-6)<<subLog + n>>(l-subLog)&(1<<subLog-1)
}

// bucketFor is the first bucket all of whose runs have at least n pages.
func bucketFor(n uintptr) uintptr {
	if n < exactBuckets {
		return n
	}
	l := uintptr(bits.Len64(uint64(n))) - 1
	return bucketOf(n + 1<<(l-subLog) - 1)
}

func insertFree(s *span) {
	s.state, s.extent = spanFree, 0
	*tableEntry(s.base) = s
	*tableEntry(s.base + (s.pageCount-1)<<pageShift) = s
	b := bucketOf(s.pageCount)
	s.prev, s.next = nil, pages.heads[b]
	if s.next != nil {
		s.next.prev = s
	}
	pages.heads[b] = s
	pages.filled[b>>6] |= 1 << (b & 63)
}

func removeFree(s *span) {
	b := bucketOf(s.pageCount)
	if s.prev != nil {
		s.prev.next = s.next
	} else {
		pages.heads[b] = s.next
		if s.next == nil {
			pages.filled[b>>6] &^= 1 << (b & 63)
		}
	}
	if s.next != nil {
		s.next.prev = s.prev
	}
	s.next, s.prev = nil, nil
}

// findFree returns a free run of at least n pages, or nil.
func findFree(n uintptr) *span {
	if b := nextSet(uintptr(addrOf(&pages.filled)), bucketFor(n), pageBuckets); b < pageBuckets {
		return pages.heads[b]
	}
	// The bucket that n itself falls into may hold a run that is long enough.
	for s := pages.heads[bucketOf(n)]; s != nil; s = s.next {
		if s.pageCount >= n {
			return s
		}
	}
	return nil
}

// takePages returns a span in use of n pages without slots, or nil if there is no
// memory. s.zero says whether the memory is known to be zero. Takes pages.lock;
// called on the system stack.
func takePages(n uintptr) *span {
	pages.lock.Lock()
	s := findFree(n)
	if s == nil {
		base, size := arenaGrow(n << pageShift)
		if base == 0 {
			pages.lock.Unlock()
			return nil
		}
		fresh := newSpanStruct()
		fresh.base, fresh.pageCount = base, size>>pageShift
		pages.free += fresh.pageCount
		pages.grown += fresh.pageCount
		s = coalesce(fresh)
		if s.pageCount < n {
			insertFree(s)
			pages.lock.Unlock()
			return nil
		}
	} else {
		removeFree(s)
	}
	if s.pageCount > n {
		rest := newSpanStruct()
		rest.base, rest.pageCount, rest.freedAt = s.base+n<<pageShift, s.pageCount-n, s.freedAt
		s.pageCount = n
		insertFree(rest)
	}
	d := countDirty(s.base, n)
	s.zero = d == 0
	pages.free -= n
	pages.dirty -= d
	pages.inUse += n
	pages.taken += n
	setDirty(s.base, n)
	s.state = spanInUse
	for p := s.base; p < s.base+n<<pageShift; p += pageSize {
		*tableEntry(p) = s
	}
	if d < n {
		keepLimit()
	}
	lookAtPages()
	pages.lock.Unlock()
	return s
}

// freePages returns the pages of s, which must be on no list and without bitmaps.
// The struct is consumed. Takes pages.lock.
func freePages(s *span) {
	pages.lock.Lock()
	pages.inUse -= s.pageCount
	pages.free += s.pageCount
	pages.dirty += s.pageCount
	s.freedAt = cycle.number
	s.large = false
	insertFree(coalesce(s))
	pages.lock.Unlock()
}

// coalesce merges s with free neighbours and returns the merged run, in no bucket.
func coalesce(s *span) *span {
	s.extent = 0
	if s.base > arena.base {
		if before := *tableEntry(s.base - pageSize); isFreeRun(before) && before.base+before.pageCount<<pageShift == s.base {
			removeFree(before)
			s.base, s.pageCount = before.base, s.pageCount+before.pageCount
			s.freedAt = max(s.freedAt, before.freedAt)
			freeSpanStruct(before)
		}
	}
	if end := s.base + s.pageCount<<pageShift; end < arena.base+arena.used {
		if after := *tableEntry(end); isFreeRun(after) && after.base == end {
			removeFree(after)
			s.pageCount += after.pageCount
			s.freedAt = max(s.freedAt, after.freedAt)
			freeSpanStruct(after)
		}
	}
	return s
}

func isFreeRun(s *span) bool { return s != nil && s.state == spanFree }
