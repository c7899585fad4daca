package sched

import (
	"unsafe"

	"loam/rt/deque"
	"loam/rt/policy"
	"loam/rt/sys"
)

// Where more goroutines are runnable than the Ps' queues hold, the others are in the global queue.
// Those that wait for something leave the Ps' queues, so that the others' turns come when a queue
// is empty. Those that only yield do not: a P would give its own 256 all turns but one of
// globalEvery for ever. So it exchanges those that have had turns and yielded for as many of the
// global queue: all have their turns in a circle. gc has a yielding goroutine go to the global
// queue's end, for a lock each time; here one stays for a few turns if they are short, as to come
// to another that has not run for long costs some cache misses.

// mayRotate reports whether it is time for an exchange. Owner of p.
func mayRotate(p *P) bool {
	since := p.queue.turns - p.crowd.rotated
	return since >= policy.RotateLeast(deque.Size) && policy.Rotates(since, deque.Size, sys.SinceTick(p.crowd.rotatedTSC))
}

// rotate exchanges goroutines of p's queue that have yielded for as many of the global queue, and
// takes one from there to be run now; nil if there is none. The caller wakes a thread: one that
// looked meanwhile may have found nothing, and sleep. Owner of p, system stack.
func rotate(p *P) *G {
	var all, goes [deque.Size]unsafe.Pointer
	n := p.queue.ring.PopSome(all[:])
	// Only what came since the last exchange can have yielded since. Those before it are not even
	// looked at: what they need is not in the cache.
	since := n - uint32(min(uint64(n), p.queue.turns-p.crowd.rotated))
	stay := int32(0) // of those that have yielded, the first
	for _, g := range all[since:n] {
		if (*G)(g).WaitReason == HasYielded {
			stay++
		}
	}
	global.lock.Lock()
	first := popGlobal()
	stay -= min(stay, global.nRunq)
	for _, g := range all[:since] {
		p.queue.ring.Push(g)
	}
	k := 0
	for _, g := range all[since:n] {
		switch {
		case (*G)(g).WaitReason != HasYielded:
		case stay > 0:
			stay--
		default:
			goes[k] = g
			k++
			continue
		}
		p.queue.ring.Push(g)
	}
	for range k {
		p.queue.ring.Push(unsafe.Pointer(global.runq.pop()))
	}
	for _, g := range goes[:k] {
		(*G)(g).WaitReason = WaitNone
		global.runq.push((*G)(g))
	}
	global.lock.Unlock()
	p.crowd.rotated, p.crowd.rotatedTSC = p.queue.turns, sys.Rdtsc()
	return first
}
