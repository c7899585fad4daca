//go:build loam

// Package leak finds goroutines that wait for what nobody can do any more, for runtime/pprof's
// profile goroutineleak.
//
// A goroutine that waits for a channel, a lock, a WaitGroup or a Cond can go on only if one that
// can run reaches that object. So the heap is traced, with the world stopped, from global variables
// and the stacks of the goroutines that do not wait so. What is reached may wake those that wait
// for it: their stacks are roots, too, from then on, and tracing goes on until nothing changes.
// Goroutines that still wait then are leaked. This is the method of Saioc, Lee, Moldovan and
// Chabbi, "Dynamic Partial Deadlock Detection and Recovery via Garbage Collection", ASPLOS 2025,
// without the recovery; gc has it since 1.26.
//
// The goroutines that wait for an object are found from the object: the queues of channels and of
// Conds lead to records on the stacks of goroutines that wait. So a pointer to such a record, in an
// object that was reached, makes it live. Waiters of semaphores (locks and WaitGroups) are in a
// table of all of them: it is no root, and each of its waiters is live if the semaphore was
// reached.
//
// Words that only look like pointers, and dead ones in frames, may keep a leaked goroutine from
// being found. None is found that can still be woken, unless through a weak pointer or an address
// kept as an integer. A waker that takes a record from a queue makes its goroutine runnable before
// the world can be stopped (rt/park).
//
// At the end of a program, when nobody can go on any more, a lock is not released either, though
// global variables reach it. What waits for it is leaked, too. What waits for a channel that they
// reach may be a worker that has nothing to do.
//
// Goroutine 1 in a select without cases lets the others work: it is no leak, but what it refers to
// is not in use through it.
package leak

import (
	"unsafe"

	"loam/rt/channel"
	"loam/rt/heap"
	"loam/rt/sched"
	"loam/rt/sema"
	"loam/rt/sys"
)

// Find marks the goroutines that are leaked (sched.G.Leaked) and returns their number. over says
// that nobody will go on. Goroutine stack, no locks; it stops the world for as long as one thread
// takes to trace the heap.
//
//loam:clear
func Find(over bool) int {
	if sys.Simulated && !anySuspect() { // nothing else runs: it stays so, and the heap needs no look
		return 0
	}
	s := search{over: over}
	heap.Frozen(s.run)
	return s.leaked
}

// FindTicking marks the goroutines in selects that only timers can wake any more, although there
// are other cases: what is to stop such a goroutine cannot happen. It returns their number. There
// are no leaked ones. Otherwise it is like Find.
//
//loam:clear
func FindTicking() int {
	if !anySuspect() {
		return 0
	}
	s := search{untimed: true}
	heap.Frozen(s.run)
	return s.leaked
}

// suspect reports whether g waits for what only other goroutines can do.
func suspect(g *sched.G) bool {
	if g.Status != sched.Waiting || g.System {
		return false
	}
	switch g.WaitReason {
	case sched.WaitChanReceive, sched.WaitChanSend, sched.WaitChanReceiveNil, sched.WaitChanSendNil,
		sched.WaitSelect, sched.WaitSelectNoCases,
		sched.WaitMutex, sched.WaitRWMutex, sched.WaitRWMutexR, sched.WaitCond, sched.WaitWaitGroup:
		return true
	}
	return false
}

func anySuspect() (any bool) {
	sched.ForEachG(func(g *sched.G) { any = any || suspect(g) })
	return any
}

// search is what Find knows. The arrays are in memory of their own: nothing can be allocated while
// the world is stopped.
type search struct {
	leaked int
	over   bool // no lock is released any more

	untimed bool // timers do not count where a select has other cases

	reach  heap.Reach
	frames []frames   // of suspects, by address
	locks  []lock     // waiters of semaphores that may be leaked
	ticks  []*sched.G // have a timer that does not count
	live   []*sched.G // found to be live, but not traced yet
}

// frames is a part of g's stack.
type frames struct {
	lo, hi uintptr
	g      *sched.G
}

type lock struct{ waiter, semaphore uintptr }

// run searches. World stopped, system stack.
func (s *search) run() {
	memory, size := s.gather()
	if n := len(s.frames); n > 0 {
		s.reach.Lo, s.reach.Hi = s.frames[0].lo, s.frames[n-1].hi
	}
	s.reach.Outside, s.reach.Opaque = s.wakes, s.opaque
	if !s.reach.Start() {
		outOfMemory()
	}
	s.roots()
	for {
		s.reach.All()
		s.unlocked()
		if len(s.live) == 0 {
			break
		}
		for len(s.live) > 0 {
			g := s.live[len(s.live)-1]
			s.live = s.live[:len(s.live)-1]
			g.VisitParked(s.reach.From)
		}
	}
	s.reach.End()
	if s.untimed {
		s.keepTicking()
	}
	sys.Munmap(memory, size)
	sched.ForEachG(func(g *sched.G) {
		if !g.Leaked() {
			return
		}
		if g.ID == 1 && g.WaitReason == sched.WaitSelectNoCases {
			g.SetLeaked(false)
			return
		}
		s.leaked++
	})
}

// keepTicking takes those off that wait for goroutines that tick.
func (s *search) keepTicking() {
	sched.ForEachG(func(g *sched.G) {
		if g.Leaked() && !s.has(g) {
			g.SetLeaked(false)
		}
	})
}

// has reports whether g ticks.
func (s *search) has(g *sched.G) bool {
	for _, t := range s.ticks {
		if t == g {
			return true
		}
	}
	return false
}

// gather lists the suspects' frames and locks, in memory that it maps, and takes them all for
// leaked.
func (s *search) gather() (memory, size uintptr) {
	n := 0
	eachFrames(func(frames) { n++ })
	// There are no more suspects, nor locks that they wait for, than there are parts of stacks.
	size = uintptr(n+1) * (unsafe.Sizeof(frames{}) + unsafe.Sizeof(lock{}) + 2*unsafe.Sizeof(uintptr(0)))
	memory, err := sys.Mmap(0, size, sys.PROT_READ|sys.PROT_WRITE, sys.MAP_PRIVATE|sys.MAP_ANON)
	if err != 0 {
		outOfMemory()
	}
	s.frames = unsafe.Slice((*frames)(unsafe.Pointer(memory)), n)[:0]
	s.locks = unsafe.Slice((*lock)(unsafe.Pointer(memory+uintptr(n)*unsafe.Sizeof(frames{}))), n)[:0]
	live := (**sched.G)(unsafe.Pointer(memory + uintptr(n)*(unsafe.Sizeof(frames{})+unsafe.Sizeof(lock{}))))
	s.live = unsafe.Slice(live, n)[:0]
	s.ticks = unsafe.Slice(live, 2*n)[n:n]

	eachFrames(func(f frames) {
		f.g.SetLeaked(true)
		s.frames = s.frames[:len(s.frames)+1]
		s.frames[len(s.frames)-1] = f
	})
	sort(s.frames)
	sema.ForEachWaiter(func(waiter, semaphore uintptr) {
		if s.owner(waiter) != nil {
			s.locks = s.locks[:len(s.locks)+1]
			s.locks[len(s.locks)-1] = lock{waiter, semaphore}
		}
	})
	return memory, size
}

// eachFrames visits the parts of the suspects' stacks.
func eachFrames(visit func(frames)) {
	sched.ForEachG(func(g *sched.G) {
		if suspect(g) {
			g.VisitFrames(func(lo, hi uintptr) { visit(frames{lo, hi, g}) })
		}
	})
}

func outOfMemory() { sys.Throw("out of memory: search for leaked goroutines") }

// roots traces from what is live, whether goroutines wait or not.
func (s *search) roots() {
	from, to := sema.Table()
	heap.ForEachGlobal(func(lo, hi uintptr) {
		if lo <= from && to <= hi {
			s.reach.From(lo, from)
			lo = to
		}
		s.reach.From(lo, hi)
	})
	heap.ForEachFinalizer(func(obj uintptr, f *heap.Finalizer, due bool) {
		// Of what has a finalizer everything is live but the object itself.
		s.reach.From(uintptr(unsafe.Pointer(f)), uintptr(unsafe.Pointer(f))+unsafe.Sizeof(*f))
		if base, size, ok := heap.FindObject(obj); ok && !heap.PointerFree(base) {
			s.reach.From(base, base+size)
		}
	})
	sched.ForOtherStacks(suspect, s.reach.From)
}

// wakes is shown the words, in what was reached, that may point to frames of suspects. What counts
// are pointers to records of waiters, which begin with their goroutine. A pointer to where its
// registers are saved is none, whatever they hold: switches leave such, and s has one.
func (s *search) wakes(word uintptr) {
	if g := s.owner(word); g != nil && g.Leaked() && word&7 == 0 && word-g.SP >= savedBytes && *(**sched.G)(unsafe.Pointer(word)) == g {
		if s.untimed && channel.OnlyByTimer(word, func(p uintptr) bool { return s.owner(p) == g }) {
			if !s.has(g) {
				s.ticks = s.ticks[:len(s.ticks)+1]
				s.ticks[len(s.ticks)-1] = g
			}
			return
		}
		g.SetLeaked(false)
		s.live = s.live[:len(s.live)+1]
		s.live[len(s.live)-1] = g
	}
}

// savedBytes is what a switch saves at the stack pointer: six registers and an address.
const savedBytes = 7 * 8

// opaque is shown pointer-free objects that were reached. They may be channels, whose queues
// collections need not look at.
func (s *search) opaque(obj, size uintptr) {
	if size >= channel.HeaderSize {
		receiver, sender := channel.FirstWaiters(obj)
		s.wakes(receiver)
		s.wakes(sender)
	}
}

// unlocked finds those live that wait for a semaphore that was reached, and may be released.
func (s *search) unlocked() {
	n := 0
	for _, l := range s.locks {
		if s.reach.Has(l.semaphore) && !(s.over && locked(s.owner(l.waiter))) {
			s.wakes(l.waiter)
		} else {
			s.locks[n] = l
			n++
		}
	}
	s.locks = s.locks[:n]
}

// locked reports whether what g waits for is a lock, not a WaitGroup.
func locked(g *sched.G) bool {
	switch g.WaitReason {
	case sched.WaitMutex, sched.WaitRWMutex, sched.WaitRWMutexR:
		return true
	}
	return false
}

// owner returns the suspect whose frames word points into, or nil.
func (s *search) owner(word uintptr) *sched.G {
	lo, hi := 0, len(s.frames)
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); s.frames[mid].hi <= word {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(s.frames) || word < s.frames[lo].lo {
		return nil
	}
	return s.frames[lo].g
}

// sort is Shell's: it needs no memory, and little time for what is nearly sorted, as the frames
// are. Gaps are Knuth's.
func sort(f []frames) {
	gap := 1
	for gap < len(f)/9 {
		gap = 3*gap + 1
	}
	for ; gap > 0; gap /= 3 {
		for i := gap; i < len(f); i++ {
			x := f[i]
			j := i
			for ; j >= gap && f[j-gap].lo > x.lo; j -= gap {
				f[j] = f[j-gap]
			}
			f[j] = x
		}
	}
}
