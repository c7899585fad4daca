// Package procset has sets of Ps, for those who look for something and want to touch only the Ps
// that may have it.
//
// A set is a hint in one direction: a P that is in it may have nothing, but a look at the members
// misses nothing that it has to find. So a member is added before what makes it one can be seen,
// and taken out when nothing more can come. The sets themselves say who does that, and what is to
// be found: sched.busy, timer.filled.
package procset

import (
	"math/bits"
	"sync/atomic"
)

// Max is how many Ps there can be.
const Max = 1024

// A Set is a set of numbers of Ps. It lies in cache lines of its own, which all read and hardly
// anybody writes.
type Set struct {
	_     [64]byte
	used  int32 // atomic: words[used:] were never written; only grows
	words [Max / 64]uint64
	_     [64]byte
}

// Add makes i a member. What the caller stores after it nobody sees who does not see i in the set.
func (s *Set) Add(i int32) {
	for n := i/64 + 1; ; {
		used := atomic.LoadInt32(&s.used)
		if used >= n || atomic.CompareAndSwapInt32(&s.used, used, n) {
			break
		}
	}
	atomic.OrUint64(&s.words[i/64], 1<<(i%64))
}

// Remove takes i out.
func (s *Set) Remove(i int32) { atomic.AndUint64(&s.words[i/64], ^uint64(1<<(i%64))) }

// Has reports whether i is a member.
func (s *Set) Has(i int32) bool { return atomic.LoadUint64(&s.words[i/64])>>(i%64)&1 != 0 }

// Next returns the first member from i on, or -1.
func (s *Set) Next(i int32) int32 {
	word := i / 64
	used := atomic.LoadInt32(&s.used)
	if word >= used {
		return -1
	}
	w := atomic.LoadUint64(&s.words[word]) >> (i % 64) << (i % 64)
	for w == 0 {
		if word++; word == used {
			return -1
		}
		w = atomic.LoadUint64(&s.words[word])
	}
	return word*64 + int32(bits.TrailingZeros64(w))
}

// A Walk goes once over all members. It reads each word of the set once: where many Ps become idle
// at the same time, the set's cache line goes from one to the next, and a look at it for each P
// would wait for it each time.
type Walk struct {
	set      *Set
	word     uint64 // members in words[at] that are still to come
	at, used int32
	left     int32 // words that come behind it
	from     int32 // bit of the first word with which the walk has begun; before it lies its end
}

// Walk returns the walk that begins with the first member from start on, and goes round.
func (s *Set) Walk(start int32) (w Walk) {
	w = Walk{set: s, at: start / 64, from: start % 64, used: atomic.LoadInt32(&s.used)}
	if w.at >= w.used {
		w.at, w.from = 0, 0
	}
	if w.used == 0 {
		return w
	}
	w.word = atomic.LoadUint64(&s.words[w.at]) >> w.from << w.from
	w.left = w.used
	if w.from == 0 {
		w.left--
	}
	return w
}

// Next returns the next member, or -1 when there is none left.
func (w *Walk) Next() int32 {
	for w.word == 0 {
		if w.left == 0 {
			return -1
		}
		w.left--
		if w.at++; w.at == w.used {
			w.at = 0
		}
		w.word = atomic.LoadUint64(&w.set.words[w.at])
		if w.left == 0 && w.from != 0 {
			w.word &= 1<<w.from - 1
		}
	}
	i := int32(bits.TrailingZeros64(w.word))
	w.word &= w.word - 1
	return w.at*64 + i
}
