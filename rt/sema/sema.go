package sema

import (
	"unsafe"

	"loam/rt/park"
	"loam/rt/race"
)

// A waiter is a goroutine in Acquire, on its stack. Guarded by the bucket's lock.
type waiter struct {
	g    *park.G
	addr *uint32
	// The first waiter of an address is a node of the bucket's tree.
	child [2]*waiter
	hash  uint64
	// List of the waiters of one address. last and behind, the number of waiters after the first,
	// are valid in the first only.
	next, last *waiter
	behind     int64
	since      int64 // when the wait for a lock began, for the mutex profile; 0 if it is not gathered
}

type bucket struct {
	mu      park.ProcMutex
	waiting uint32 // goroutines queued, or about to
	root    *waiter
	_       [48]byte
}

const bucketCount = 256

var table [bucketCount]bucket

// bucketOf spreads addresses by Fibonacci hashing; the top bits choose the bucket, the
// next ones the way through its tree.
func bucketOf(addr *uint32) (b *bucket, hash uint64) {
	hash = uint64(uintptr(unsafe.Pointer(addr))>>2) * 0x9e3779b97f4a7c15
	return &table[hash>>56], hash << 8
}

// tryAcquire takes one unit if there is one.
func tryAcquire(addr *uint32) bool {
	for {
		v := park.Load32(addr)
		if v == 0 {
			return false
		}
		if park.Cas32(addr, v, v-1) {
			return true
		}
	}
}

// Acquire takes one unit, waiting for it if there is none. With lifo it waits in
// front of the others. skip is for profiles: how many logical frames of the caller to leave out.
//
//loam:clear
func Acquire(addr *uint32, lifo bool, reason park.Reason, skip int) {
	if tryAcquire(addr) {
		if race.Enabled {
			raceAcquire(addr)
		}
		return
	}
	b, hash := bucketOf(addr)
	b.mu.Lock()
	park.Add32(&b.waiting, 1)
	if tryAcquire(addr) {
		park.Add32(&b.waiting, ^uint32(0))
		b.mu.Unlock()
		if race.Enabled {
			raceAcquire(addr)
		}
		return
	}
	var w waiter
	w.g = park.Cur()
	w.addr = addr
	w.hash = hash
	since := park.ProfileStart()
	timed := int64(0)
	switch reason {
	case park.MutexLock, park.RWMutexLock, park.RWMutexRLock: // what waits until somebody unlocks
		w.since = since
		timed = park.MutexWaitStart()
	}
	b.insert(&w, lifo)
	park.ParkUnlockProc(&b.mu, reason)
	if race.Enabled {
		raceAcquire(addr)
	}
	park.MutexWaitEnd(timed)
	if since != 0 {
		park.ProfileWait(since, skip)
	}
	park.Retire(unsafe.Pointer(&w), unsafe.Sizeof(w))
}

// Release adds one unit or gives it to the oldest waiter. With handoff the waiter
// runs at once in the caller's place. skip is as in Acquire.
func Release(addr *uint32, handoff bool, skip int) {
	b, hash := bucketOf(addr)
	if race.Enabled {
		raceRelease(addr)
	}
	park.Add32(addr, 1)
	if park.Load32(&b.waiting) == 0 {
		return
	}
	b.mu.Lock()
	link := b.find(addr, hash)
	if *link == nil || !tryAcquire(addr) {
		b.mu.Unlock()
		return
	}
	w := unqueue(link)
	ended := int64(0)
	if w.since != 0 {
		ended = waited(w)
	}
	park.Add32(&b.waiting, ^uint32(0))
	if handoff {
		park.UnlockHandoff(&b.mu, w.g)
	} else {
		park.UnlockReady(&b.mu, w.g)
	}
	if ended != 0 {
		park.ProfileUnlock(ended, skip)
	}
}

// waited returns the nanoseconds of waiting that the holder of a lock has caused, now that it makes
// room for w: w's own, and those of the waiters behind it, estimated from its own and the last
// one's. The first and the last of them begin to count anew, so that the next holder is not charged
// for the same time. The bucket's lock is held.
func waited(w *waiter) int64 {
	now := park.Nanotime()
	nanos := now - w.since
	if first := w.next; first != nil && first.since != 0 && first.last.since != 0 {
		nanos += (now - w.since + now - first.last.since) / 2 * (first.behind + 1)
		first.since, first.last.since = now, now
	}
	return nanos
}

// find returns the link that holds, or would hold, the node of addr.
func (b *bucket) find(addr *uint32, hash uint64) **waiter {
	link := &b.root
	for n := *link; n != nil && n.addr != addr; n = *link {
		link = &n.child[hash>>63]
		hash <<= 1
		// Two addresses with the same hash would go left for ever after 64
		// steps; the multiplication is one-to-one, so only bits cut off as bucket number
		// or as alignment can be equal, and those differ elsewhere.
	}
	return link
}

func (b *bucket) insert(w *waiter, lifo bool) {
	link := b.find(w.addr, w.hash)
	first := *link
	switch {
	case first == nil:
		w.last = w
		*link = w
	case lifo:
		w.child = first.child
		w.last = first.last
		w.next = first
		w.behind = first.behind + 1
		*link = w
	default:
		first.last.next = w
		first.last = w
		first.behind++
	}
}

// unqueue removes and returns the first waiter of the node at link.
func unqueue(link **waiter) *waiter {
	w := *link
	if second := w.next; second != nil {
		second.child = w.child
		second.last = w.last
		second.behind = w.behind - 1
		*link = second
		return w
	}
	// Any leaf below may take the node's place: its bits lead through here.
	leaf := link
	for n := *leaf; ; n = *leaf {
		if n.child[0] != nil {
			leaf = &n.child[0]
		} else if n.child[1] != nil {
			leaf = &n.child[1]
		} else {
			break
		}
	}
	l := *leaf
	*leaf = nil
	if l != w {
		l.child = w.child
		*link = l
	}
	return w
}
