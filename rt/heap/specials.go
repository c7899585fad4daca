package heap

import (
	"sync/atomic"
	"unsafe"
)

// Specials are records attached to an object: its finalizer, cleanups, the handle of its weak
// pointers. They hang on the object's span (specialtable.go) and live outside the heap.
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
	specialSample  // of the memory profile; in a list of its own
)

// specials has the lists of spans with specials. lock guards the lists, and is held for some
// instructions; what hangs on a span is guarded by the span's own lock (lockSpecials), which comes
// first.
var specials struct {
	lock    mutex
	first   *span   // spans with specials, settled since the last cycle
	pending *span   // and those that are not; written with atomic stores
	root    *span   // the first of those that are to be looked at as roots yet
	offset  uintptr // where that is to go on; guarded by root's own lock
	nextID  uint64  // atomic
}

// A span's lock for specials is one of a few, by its address. So it outlives the span: when a span
// is settled it may be swept and become another one before the lock is given back.
var spanLocks [spanLockCount]struct {
	mutex
	_ [64 - unsafe.Sizeof(mutex{})]byte
}

const (
	spanLockLog   = 7
	spanLockCount = 1 << spanLockLog
)

// specialsLock is the lock of the span that begins at base.
func specialsLock(base uintptr) *mutex {
	return &spanLocks[base>>pageShift*0x9e3779b97f4a7c15>>(64-spanLockLog)].mutex
}

// lockSpecials locks what hangs on s, which stays what it is: there is a live object in it, or it
// is the caller's.
func (s *span) lockSpecials()   { acquireM(); specialsLock(s.base).Lock() }
func (s *span) unlockSpecials() { specialsLock(s.base).Unlock(); releaseM() }

// lockFirst locks the first span of a list and returns it with its lock, or nil if there is none.
func lockFirst(list **span) (s *span, own *mutex) {
	for {
		specials.lock.Lock()
		s = *list
		if s == nil {
			specials.lock.Unlock()
			return nil, nil
		}
		own = specialsLock(s.base)
		locked := own.TryLock()
		specials.lock.Unlock()
		if locked {
			return s, own
		}
		// When its owner is done, s may be another span, or none.
		own.Lock()
		own.Unlock()
	}
}

// attach links sp, which comes at link, to s, which is settled. s's own lock is held.
func (s *span) attach(link **special, sp *special) {
	s.specials.insert(link, sp)
	if s.specials.n == 1 {
		specials.lock.Lock()
		atomic.StoreUint32(&s.settled, cycle.number)
		s.list()
		specials.lock.Unlock()
	}
	s.specials.fit(s.extent)
	if Marking() && sp.kind() <= specialCleanup {
		// The specials' turn as roots may be over.
		onSystem(func() { shadeSpecial(s, sp) })
	}
}

// newSpecial returns a record. Pinned.
func newSpecial(key uintptr, fn unsafe.Pointer, arg uintptr) *special {
	var sp *special
	if c := ownCache(); c != nil {
		sp = c.records.take()
	} else {
		var own ownRecords
		sp = own.take()
		own.giveBack()
	}
	*sp = special{key: key, fn: fn, arg: arg}
	return sp
}

// dropSpecial takes a record back. Pinned.
func dropSpecial(sp *special) {
	if c := ownCache(); c != nil {
		c.records.drop(sp)
		return
	}
	var own ownRecords
	own.drop(sp)
	own.giveBack()
}

// detach drops the special at link. s's own lock is held.
func (s *span) detach(link **special) {
	dropSpecial(s.specials.remove(link))
	if s.specials.n == 0 {
		s.specials.release()
		specials.lock.Lock()
		s.unlist()
		atomic.StoreUint32(&s.special, 0)
		specials.lock.Unlock()
	}
}

// list puts s on the list of settled spans. specials.lock is held.
func (s *span) list() {
	s.spPrev, s.spNext = nil, specials.first
	if s.spNext != nil {
		s.spNext.spPrev = s
	}
	specials.first = s
	atomic.StoreUint32(&s.special, 1)
}

// unlist takes s off its list. Its own lock and specials.lock are held.
func (s *span) unlist() {
	if specials.root == s {
		specials.root, specials.offset = s.spNext, 0
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

// unsettled reports whether s, which has specials, is pending. The answer may be stale unless s's
// own lock is held, or the world stopped: then a settled span stays so.
func (s *span) unsettled() bool {
	return atomic.LoadUint32(&s.settled) != atomic.LoadUint32(&cycle.number)
}

// toSettle says, without a lock, whether s has to be settled, or somebody is at it: specials may be
// gone already then, while marks, weak handles and lists are not yet as they will be.
func (s *span) toSettle() bool { return atomic.LoadUint32(&s.special) != 0 && s.unsettled() }

// SetFinalizer attaches a finalizer to the object that p points at. fn is the closure.
// It returns false if there is one already. p must be in a live object (FindObject);
// the caller keeps it alive. Any stack.
func SetFinalizer(p, fn unsafe.Pointer, info FinalizerInfo) bool {
	s := spanOf(uintptr(p))
	if s == nil {
		return false
	}
	key := specialKey(uintptr(p)-s.base, specialFinalizer)
	s.lockSpecials()
	s.settleFirst()
	link := s.specials.find(key)
	ok := *link == nil || (*link).key != key
	if ok {
		sp := newSpecial(key, fn, 0)
		sp.info = info
		s.attach(link, sp)
	}
	s.unlockSpecials()
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
func RemoveFinalizer(p unsafe.Pointer) { removeSpecial(uintptr(p), specialFinalizer, 0) }

// removeSpecial drops the special of a kind, at exactly that address, whose arg that is.
func removeSpecial(p uintptr, kind uint8, arg uintptr) {
	s := spanOf(p)
	if s == nil {
		return
	}
	key := specialKey(p-s.base, kind)
	s.lockSpecials()
	link := s.specials.find(key)
	for *link != nil && (*link).key == key && (*link).arg != arg {
		link = &(*link).next
	}
	if *link != nil && (*link).key == key {
		s.detach(link)
	}
	s.unlockSpecials()
}

// AddCleanup attaches fn, a closure of func(), to the object that p points into, to be
// queued when the object is unreachable. It returns an identity for RemoveCleanup,
// never 0, or 0 if p is not in a heap object (then it never runs). Any stack.
func AddCleanup(p, fn unsafe.Pointer, info FinalizerInfo) uint64 {
	s := spanOf(uintptr(p))
	if s == nil {
		return 0
	}
	id := atomic.AddUint64(&specials.nextID, 1)
	key := specialKey(uintptr(p)-s.base, specialCleanup)
	s.lockSpecials()
	s.settleFirst()
	sp := newSpecial(key, fn, uintptr(id))
	sp.info = info
	s.attach(s.specials.find(key), sp)
	s.unlockSpecials()
	return id
}

// RemoveCleanup drops the cleanup that AddCleanup(p) named id, if it is not queued
// yet. p need not point at a live object any more.
func RemoveCleanup(p uintptr, id uint64) { removeSpecial(p, specialCleanup, uintptr(id)) }

// Values of conc.special.
const (
	specialsLeft = iota
	specialsTaken
	specialsDone
)

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

// settleFirst settles s if that has to be done. s's own lock is held; any stack.
func (s *span) settleFirst() {
	if s.specials.n != 0 && s.unsettled() {
		onSystem(func() { s.settle() })
	}
}

// settleUnkept settles s if that has to be done. Nobody keeps what is in it: it may be settled,
// swept and another span, or none, at any time. Any stack, no locks.
func (s *span) settleUnkept() {
	base := s.base
	own := specialsLock(base)
	acquireM()
	own.Lock()
	if s.base == base {
		s.settleFirst()
	}
	own.Unlock()
	releaseM()
}

// settleSome settles pending spans for some ten microseconds, and says whether there were any. Any
// stack, no locks.
func settleSome() (any bool) {
	for work := 0; work < settlePiece && specialsPending(); {
		acquireM()
		if s, own := lockFirst(&specials.pending); s != nil {
			any = true
			onSystem(func() { work += s.settle() })
			own.Unlock()
		}
		releaseM()
	}
	return any
}

// settlePiece is how much is settled before somebody looks whether calls are due.
const settlePiece = 500

func specialsPending() bool {
	return atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&specials.pending))) != nil
}

// settle goes through the specials of a pending span, object by object, and returns about how much
// it had to look at. s's own lock is held; system stack.
func (s *span) settle() (work int) {
	t := &s.specials
	var dead deadRecords
	used := t.used(s.extent)
	for i := uintptr(0); i < used; i++ {
		sp := *t.place(i)
		if sp == nil || s.liveAt(i) {
			continue
		}
		for sp != nil {
			work++
			slot := s.index(s.base + sp.offset())
			if bitSet(s.mark, slot) {
				sp = sp.next
				continue
			}
			work += s.settleDead(slot, &dead)
			for sp = *t.place(i); sp != nil && s.index(s.base+sp.offset()) <= slot; {
				sp = sp.next
			}
		}
	}
	dead.give()
	left := t.n != 0
	if left {
		t.fit(s.extent)
	} else {
		t.release()
	}
	specials.lock.Lock()
	s.unlist()
	atomic.StoreUint32(&s.settled, cycle.number)
	if left {
		s.list()
	} else {
		atomic.StoreUint32(&s.special, 0)
	}
	specials.lock.Unlock() // s may be swept, and another span, from here on
	return work + int(used/8) + 1
}

// liveAt reports whether all that lies where place i's specials can be is alive, so that nobody
// needs to look at them. If that is much it says no.
func (s *span) liveAt(i uintptr) bool {
	if s.specials.places == 0 {
		return false
	}
	from := i << s.specials.width
	to := min(from+1<<s.specials.width, s.extent) - 1
	slot, last := s.index(s.base+from), s.index(s.base+to)
	if last-slot > 8 {
		return false
	}
	for ; slot <= last; slot++ {
		if !bitSet(s.mark, slot) {
			return false
		}
	}
	return true
}

// settleDead lets the specials of an object that is not marked take effect, and returns how many
// there were. An object with a finalizer that is due is marked after all: what it points at was, as
// a root.
func (s *span) settleDead(slot uintptr, dead *deadRecords) (n int) {
	t := &s.specials
	from, to := slot*s.size, (slot+1)*s.size
	first, last := t.placeOf(from), t.placeOf(to-1)
	finalized := false
	for i := first; i <= last; i++ {
		for sp := *t.place(i); sp != nil; sp = sp.next {
			if o := sp.offset(); o >= from && o < to && sp.kind() == specialFinalizer {
				finalized = true
			}
		}
	}
	for i := first; i <= last; i++ {
		for link := t.place(i); *link != nil; {
			sp := *link
			if o := sp.offset(); o < from || o >= to || finalized && sp.kind() == specialCleanup {
				link = &sp.next
				continue
			}
			n++
			t.remove(link)
			s.takeEffect(sp)
			dead.add(sp)
		}
	}
	if finalized {
		*wordAt(s.mark, slot>>6) |= 1 << (slot & 63)
		addLive(int64(s.size))
	}
	return n
}

// takeEffect does what sp is there for.
func (s *span) takeEffect(sp *special) {
	switch sp.kind() {
	case specialFinalizer:
		dueFinalizers.add(Finalizer{Obj: ptr(s.base + sp.offset()), Fn: sp.fn, Info: sp.info})
	case specialCleanup:
		dueCleanups.add(Finalizer{Fn: sp.fn})
	case specialWeak:
		atomic.StoreUintptr(sp.handle(), 0)
	case specialOutside:
		dropOutside(sp.handle())
	}
}
