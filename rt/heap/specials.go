package heap

import (
	"sync/atomic"
	"unsafe"
)

// Specials are records attached to an object: its finalizer, cleanups, the handle of its weak
// pointers. They hang on the object's span, sorted by offset and kind, and live outside the heap.
// After a cycle, with the program running, each span's are settled once: those of unmarked objects
// take effect. The marks are the truth until the span is swept, so sweeping settles first; the
// goroutines that call finalizers and cleanups settle the others soon (NextFinalizer); a goroutine
// that attaches a special to a span, or reads a weak pointer into one, settles it before. The pause
// only makes the list of settled spans the list of pending ones.
//
// Rules, as Go has them:
//
//   - What an object with a finalizer points at is kept, the object itself is not:
//     so of a chain only the head is finalized in one cycle, and members of a
//     cycle of references never are.
//   - When an object with a finalizer becomes unreachable, its weak pointers are
//     cleared, the finalizer is queued and removed, and the object lives until it is
//     found unreachable again; cleanups stay attached until then.
//   - Otherwise its weak pointers are cleared and its cleanups queued.

// The kinds, in the order in which the specials of one address are listed: there is one finalizer
// and one handle, but there may be very many cleanups.
const (
	specialFinalizer = iota
	specialWeak
	specialCleanup
	specialOutside // of the handle of an address outside the heap: takes it out of the table
	specialTiny    // of a block of tiny objects, if calls are checked (checkcalls.go)
	specialSample  // of the memory profile: fn is the *bucket; in a list of its own
)

type special struct {
	next   *special
	offset uintptr // of the address it was attached with, within the span
	kind   uint8
	id     uint64         // cleanup
	fn     unsafe.Pointer // finalizer, cleanup: closure
	info   FinalizerInfo
	handle *uintptr // weak, outside: heap object that holds the address, or 0
}

// FinalizerInfo is what the runtime needs to call a finalizer, and to tell of it or of a cleanup;
// opaque here. The words are kept as they are and are not roots, so they must point at static data.
type FinalizerInfo struct {
	ArgType  uintptr // the type of the pointer with which it was attached
	FuncType uintptr // of the finalizer; 0: a cleanup
	Code     uintptr // of the cleanup, whose function is a closure that calls it
	Site     uintptr // where it was attached: an address as Callers has it; 0: not asked for
}

var specials struct {
	lock    mutex
	first   *span    // spans with specials, settled since the last cycle
	pending *span    // and those that are not; written with atomic stores
	root    *span    // the first of those that are to be looked at as roots yet
	unused  *special // free list
	nextID  uint64
	count   uintptr
	bytes   uintptr
}

// takeSpecial returns a zeroed record. Caller holds specials.lock.
func takeSpecial() *special {
	sp := specials.unused
	specials.count++
	if sp != nil {
		specials.unused = sp.next
		*sp = special{}
		return sp
	}
	specials.bytes += unsafe.Sizeof(special{})
	return (*special)(Permanent(unsafe.Sizeof(special{}), 8, false))
}

func dropSpecial(sp *special) {
	sp.fn, sp.handle = nil, nil
	sp.next = specials.unused
	specials.unused = sp
	specials.count--
}

// attach links sp, whose offset and kind are set, to s, which is settled. Caller holds
// specials.lock.
func attach(s *span, sp *special) {
	if s.specials == nil {
		atomic.StoreUint32(&s.settled, cycle.number)
		s.list()
	}
	// Objects are mostly allocated in the order of their addresses, and specials follow soon.
	link := &s.specials
	if last := s.specLast; last != nil && last.before(sp.offset, sp.kind) {
		link = &last.next
	}
	for *link != nil && (*link).before(sp.offset, sp.kind) {
		link = &(*link).next
	}
	if sp.next = *link; sp.next == nil {
		s.specLast = sp
	}
	*link = sp
}

// before says whether sp comes before the specials of a kind at an offset.
func (sp *special) before(offset uintptr, kind uint8) bool {
	return sp.offset < offset || sp.offset == offset && sp.kind < kind
}

// list puts s on the list of settled spans.
func (s *span) list() {
	s.spPrev, s.spNext = nil, specials.first
	if s.spNext != nil {
		s.spNext.spPrev = s
	}
	specials.first = s
	atomic.StoreUint32(&s.special, 1)
}

// unlist takes s off its list.
func (s *span) unlist() {
	if specials.root == s {
		specials.root = s.spNext
	}
	if s.spNext != nil {
		s.spNext.spPrev = s.spPrev
	}
	switch {
	case s.spPrev != nil:
		s.spPrev.spNext = s.spNext
	case s.unsettled():
		setPending(s.spNext)
	default:
		specials.first = s.spNext
	}
	s.spNext, s.spPrev = nil, nil
}

func setPending(s *span) {
	atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(&specials.pending)), unsafe.Pointer(s))
}

// unsettled says whether s, which has specials, is pending. The answer may be stale unless
// specials.lock is held, or the world stopped: then a settled span stays so.
func (s *span) unsettled() bool {
	return atomic.LoadUint32(&s.settled) != atomic.LoadUint32(&cycle.number)
}

// toSettle says, without specials.lock, whether s has to be settled, or somebody is at it: specials
// may be nil already then, while marks, weak handles and lists are not yet as they will be.
func (s *span) toSettle() bool { return atomic.LoadUint32(&s.special) != 0 && s.unsettled() }

// find returns the first special of the kind at exactly that offset.
func (s *span) find(offset uintptr, kind uint8) *special {
	if last := s.specLast; last == nil || last.before(offset, kind) {
		return nil
	}
	sp := s.specials
	for sp != nil && sp.before(offset, kind) {
		sp = sp.next
	}
	if sp != nil && sp.offset == offset && sp.kind == kind {
		return sp
	}
	return nil
}

func lockSpecials()   { acquireM(); specials.lock.Lock() }
func unlockSpecials() { specials.lock.Unlock(); releaseM() }

// SetFinalizer attaches a finalizer to the object that p points at. fn is the closure.
// It returns false if there is one already. p must be in a live object (FindObject);
// the caller keeps it alive. Any stack.
func SetFinalizer(p, fn unsafe.Pointer, info FinalizerInfo) bool {
	s := spanOf(uintptr(p))
	if s == nil {
		return false
	}
	lockSpecials()
	s.settleFirst()
	off := uintptr(p) - s.base
	ok := s.find(off, specialFinalizer) == nil
	if ok {
		sp := takeSpecial()
		sp.offset, sp.kind, sp.fn, sp.info = off, specialFinalizer, fn, info
		attach(s, sp)
		if Marking() {
			// The specials' turn as roots may be over.
			onSystem(func() { shadeSpecial(s, sp) })
		}
	}
	unlockSpecials()
	return ok
}

// shadeSpecial greys what a new special refers to. System stack, pinned, collection marking.
func shadeSpecial(s *span, sp *special) {
	c := ownCache()
	var own worker
	w := &own
	if c != nil {
		w = &c.marker
	}
	w.ready()
	// A fence: a goroutine that copies into the object either sees that it has a special, or is seen.
	s.marked(0)
	rootSpecial(w, s, sp)
	if c == nil {
		own.publish()
	}
}

// RemoveFinalizer drops p's finalizer, if any.
func RemoveFinalizer(p unsafe.Pointer) {
	s := spanOf(uintptr(p))
	if s == nil {
		return
	}
	lockSpecials()
	off := uintptr(p) - s.base
	s.removeIf(off, func(sp *special) bool { return sp.kind == specialFinalizer })
	unlockSpecials()
}

// removeIf drops the first special at offset for which match returns true.
func (s *span) removeIf(offset uintptr, match func(sp *special) bool) {
	before := (*special)(nil)
	for link := &s.specials; *link != nil && (*link).offset <= offset; before, link = *link, &(*link).next {
		if sp := *link; sp.offset == offset && match(sp) {
			if *link = sp.next; sp.next == nil {
				s.specLast = before
			}
			dropSpecial(sp)
			if s.specials == nil {
				s.unlist()
				atomic.StoreUint32(&s.special, 0)
			}
			return
		}
	}
}

// AddCleanup attaches fn, a closure of func(), to the object that p points into, to be
// queued when the object is unreachable. It returns an identity for RemoveCleanup,
// never 0, or 0 if p is not in a heap object (then it never runs). Any stack.
func AddCleanup(p, fn unsafe.Pointer, info FinalizerInfo) uint64 {
	s := spanOf(uintptr(p))
	if s == nil {
		return 0
	}
	lockSpecials()
	s.settleFirst()
	specials.nextID++
	id := specials.nextID
	sp := takeSpecial()
	sp.offset, sp.kind, sp.fn, sp.info, sp.id = uintptr(p)-s.base, specialCleanup, fn, info, id
	attach(s, sp)
	if Marking() {
		onSystem(func() { shadeSpecial(s, sp) })
	}
	unlockSpecials()
	return id
}

// RemoveCleanup drops the cleanup that AddCleanup(p) named id, if it is not queued
// yet. p need not point at a live object any more.
func RemoveCleanup(p uintptr, id uint64) {
	s := spanOf(p)
	if s == nil {
		return
	}
	lockSpecials()
	s.removeIf(p-s.base, func(sp *special) bool { return sp.kind == specialCleanup && sp.id == id })
	unlockSpecials()
}

// WeakHandle returns the handle of weak pointers to p: a heap word that holds p and
// becomes 0 when the object dies. The same p has the same handle while the object
// lives. Addresses outside the heap never die (outside.go).
// Goroutine stack; allocates.
func WeakHandle(p unsafe.Pointer) unsafe.Pointer {
	s := spanOf(uintptr(p))
	if s == nil {
		return unsafe.Pointer(outsideHandle(uintptr(p)))
	}
	off := uintptr(p) - s.base
	lockSpecials()
	s.settleFirst()
	if sp := s.find(off, specialWeak); sp != nil {
		h := sp.handle
		unlockSpecials()
		return unsafe.Pointer(h)
	}
	unlockSpecials()

	fresh := newHandle(uintptr(p))
	lockSpecials()
	s.settleFirst()
	h := fresh
	if sp := s.find(off, specialWeak); sp != nil {
		h = sp.handle // somebody was faster
	} else {
		sp := takeSpecial()
		sp.offset, sp.kind, sp.handle = off, specialWeak, fresh
		attach(s, sp)
		if Marking() {
			onSystem(func() { shadeSpecial(s, sp) })
		}
	}
	unlockSpecials()
	return unsafe.Pointer(h)
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
		lockSpecials()
		s.settleFirst()
		unlockSpecials()
	}
}

// The specials are roots in pieces. Spans that get their first special while a collection marks are
// listed before those that are left, and need not be looked at: what is attached meanwhile is
// shaded.

// rootPiece is how many specials, and spans, are looked at with specials.lock held.
const rootPiece = 256

// startSpecials makes all specials roots that are to be looked at. World stopped, all spans are
// settled.
func startSpecials() {
	specials.root = specials.first
	atomic.StoreUint32(&conc.special, specialsLeft)
}

// Values of conc.special.
const (
	specialsLeft = iota
	specialsTaken
	specialsDone
)

// rootSpecials greys what some of the specials refer to: closures, weak handles, and the contents
// (not the slots) of objects with finalizers. It says whether those were the last. World stopped,
// or specials.lock held.
func rootSpecials(w *worker) (done bool) {
	for n := 0; specials.root != nil && n < rootPiece; n++ {
		s := specials.root
		specials.root = s.spNext
		for sp := s.specials; sp != nil; sp = sp.next {
			rootSpecial(w, s, sp)
			n++
		}
	}
	if specials.root != nil {
		return false
	}
	dueFinalizers.grey(w)
	dueCleanups.grey(w)
	return true
}

func rootSpecial(w *worker, s *span, sp *special) {
	switch sp.kind {
	case specialFinalizer:
		w.greyAddress(uintptr(sp.fn))
		w.scanContents(s, s.index(s.base+sp.offset))
	case specialCleanup:
		w.greyAddress(uintptr(sp.fn))
	case specialWeak:
		w.greyAddress(addrOf(sp.handle))
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

// eachOther calls visit for the words of slot i of s that do not lead to the slot itself.
func (s *span) eachOther(i uintptr, visit func(word uintptr)) {
	lo := s.slotAt(i)
	hi := s.extentOf(lo)
	for p := lo; p < hi; p += 8 {
		if word := *(*uintptr)(unsafe.Pointer(p)); word-lo >= hi-lo {
			visit(word)
		}
	}
}

// turnSpecials makes all spans with specials pending. World stopped, at the end of a cycle, just
// before it is counted; the spans were all swept before the cycle began, so none is pending.
func turnSpecials() {
	if specials.pending != nil {
		throw("heap: specials of an earlier cycle are not settled")
	}
	setPending(specials.first)
	specials.first = nil
}

// settleFirst settles s if that has to be done. specials.lock is held; any stack.
func (s *span) settleFirst() {
	if s.specials != nil && s.unsettled() {
		onSystem(func() { s.settle() })
	}
}

// settleSome settles pending spans with a few hundred specials, and says whether there were any.
// Any stack, no locks.
func settleSome() bool {
	if !specialsPending() {
		return false
	}
	lockSpecials()
	onSystem(func() {
		for n := 0; n < 500 && specials.pending != nil; {
			n += specials.pending.settle()
		}
	})
	unlockSpecials()
	return true
}

func specialsPending() bool {
	return atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&specials.pending))) != nil
}

// settle goes through the specials of a pending span, object by object, and returns how many there
// were. specials.lock is held; system stack. An object with a finalizer that is due is marked after
// all: what it points at was, as a root.
func (s *span) settle() (n int) {
	link, last := &s.specials, (*special)(nil)
	for *link != nil {
		slot := s.index(s.base + (*link).offset)
		end := (slot + 1) * s.size
		if bitSet(s.mark, slot) {
			for ; *link != nil && (*link).offset < end; n++ {
				last, link = *link, &(*link).next
			}
			continue
		}
		finalized := false
		for sp := *link; sp != nil && sp.offset < end; sp = sp.next {
			finalized = finalized || sp.kind == specialFinalizer
		}
		for ; *link != nil && (*link).offset < end; n++ {
			sp := *link
			if finalized && sp.kind == specialCleanup {
				last, link = sp, &sp.next
				continue
			}
			*link = sp.next
			switch sp.kind {
			case specialFinalizer:
				dueFinalizers.add(Finalizer{Obj: ptr(s.base + sp.offset), Fn: sp.fn, Info: sp.info})
			case specialCleanup:
				dueCleanups.add(Finalizer{Fn: sp.fn})
			case specialWeak:
				atomic.StoreUintptr(sp.handle, 0)
			case specialOutside:
				dropOutside(sp.handle)
			}
			dropSpecial(sp)
		}
		if finalized {
			*wordAt(s.mark, slot>>6) |= 1 << (slot & 63)
			addLive(int64(s.size))
		}
	}
	s.specLast = last
	s.unlist()
	atomic.StoreUint32(&s.settled, cycle.number)
	if s.specials != nil {
		s.list()
	} else {
		atomic.StoreUint32(&s.special, 0)
	}
	return n
}

func ptr(p uintptr) unsafe.Pointer { return unsafe.Pointer(p) }
