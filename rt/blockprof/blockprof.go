//go:build loam

// Package blockprof gathers the block and the mutex profile: where goroutines waited for one
// another, and what let them wait.
//
// A block event is one wait on a channel, a select, a condition variable or a semaphore, with the
// stack of the goroutine that waited. rt/park and rt/sema time waits while the profile is on. A
// mutex event is the waiting that one unlock ends, with the stack of the goroutine that unlocked;
// rt/sema computes it.
//
// Events are sampled. A block event of ns nanoseconds is recorded with probability ns/rate, at most
// 1, and then stands for rate/ns events that took rate nanoseconds together, so that the totals are
// right on average whatever the lengths are. A mutex event is recorded with probability 1/fraction
// and counts fraction times.
//
// Events with the same stack share a bucket (rt/buckets).
package blockprof

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/buckets"
	"loam/rt/sys"
)

// Kind selects a profile.
type Kind uint8

const (
	Block Kind = iota
	Mutex
)

// rates: of the block profile, how many nanoseconds of waiting there are to one sample, and of the
// mutex profile, how many events. 0: off. Atomic.
var rates [2]int64

// SetRate changes the rate of a profile and returns the old one.
func SetRate(k Kind, rate int64) (old int64) { return atomic.SwapInt64(&rates[k], rate) }

// Rate returns the rate of a profile, 0 if it is off.
//
//loam:inline
func Rate(k Kind) int64 { return atomic.LoadInt64(&rates[k]) }

// The tag of a bucket: how many of the innermost logical frames do not belong to the stack, and
// whether it begins with the run-time function that was called.
const entryBit = 1

// Skip returns the number of innermost logical frames that do not belong to b's stack.
func Skip(b *buckets.Bucket) int { return int(b.Tag >> 1) }

// Entry reports whether b's stack begins with the run-time function that was called.
func Entry(b *buckets.Bucket) bool { return b.Tag&entryBit != 0 }

var tables [2]buckets.Table

// Start returns the time if the block profile is on, else 0. Any stack.
func Start() int64 {
	if Rate(Block) == 0 {
		return 0
	}
	return sys.Nanotime()
}

// Blocked records a wait that began at since, which [Start] returned, and has ended now. The stack
// is the caller's, without the run-time system's frames (with entry, the outermost of these stays)
// and without skip further logical ones. Goroutine stack, no locks; it does not allocate from the
// collected heap.
func Blocked(since int64, skip int, entry bool) {
	Event(sys.Nanotime()-since, skip, entry)
}

// Event is Blocked for a wait of known length.
//
//go:noinline
func Event(nanos int64, skip int, entry bool) {
	nanos = max(nanos, 1)
	rate := Rate(Block)
	count := 1.0
	if nanos < rate {
		if int64(sys.Rand()%uint64(rate)) > nanos {
			return
		}
		count = float64(rate) / float64(nanos)
		nanos = rate
	}
	if rate > 0 {
		record(Block, count, nanos, skip, entry)
	}
}

// Contended records that the caller's unlock ended nanos nanoseconds of waiting. Like [Blocked].
//
//go:noinline
func Contended(nanos int64, skip int) {
	rate := Rate(Mutex)
	if rate > 0 && (rate == 1 || sys.Rand()%uint64(rate) == 0) {
		record(Mutex, float64(rate), nanos*rate, skip, false)
	}
}

//go:noinline
func record(k Kind, count float64, nanos int64, skip int, entry bool) {
	var pcs [buckets.MaxDepth]uintptr
	depth, entry := callers(&pcs, entry)
	tag := uintptr(skip) << 1
	if entry {
		tag |= entryBit
	}
	tables[k].Add(tag, pcs[:depth], count, nanos)
}

// callers walks the frame pointers. Of the run-time system's frames at the inner end only the
// outermost is kept, and only with entry; entered says whether there was one.
func callers(pcs *[buckets.MaxDepth]uintptr, entry bool) (n int, entered bool) {
	called := uintptr(0)
	for fp := sys.FramePointer(); fp != 0 && n < buckets.MaxDepth; fp = *(*uintptr)(unsafe.Pointer(fp)) {
		pc := *(*uintptr)(unsafe.Pointer(fp + 8))
		if pc == 0 {
			break
		}
		if sys.IsHopReturn(pc) {
			continue
		}
		if n == 0 {
			if inRuntime(pc) {
				called = pc
				continue
			}
			if entry && called != 0 {
				pcs[0], n, entered = called, 1, true
			}
		}
		pcs[n] = pc
		n++
	}
	return n, entered
}

// The bounds of the text section of the run-time system, from the linker.

//go:linkname textStart __start_loam_rt_text
var textStart byte

//go:linkname textEnd __stop_loam_rt_text
var textEnd byte

func inRuntime(pc uintptr) bool {
	return uintptr(unsafe.Pointer(&textStart)) < pc && pc <= uintptr(unsafe.Pointer(&textEnd))
}

// ForEach calls f for each bucket of a profile, the newest first. f must not allocate, block or
// record. Goroutine stack.
func ForEach(k Kind, f func(b *buckets.Bucket)) { tables[k].ForEach(f) }
