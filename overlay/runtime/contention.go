package runtime

import (
	"internal/profilerecord"
	"loam/rt/blockprof"
	"loam/rt/buckets"
	"loam/rt/sched"
	"unsafe"
)

// The block and mutex profiles as programs see them, and the profile of thread creation.

// A BlockProfileRecord describes the blocking events of one call stack. A cycle is a nanosecond.
type BlockProfileRecord struct {
	Count  int64
	Cycles int64
	StackRecord
}

// SetBlockProfileRate makes the block profile sample one event for each rate nanoseconds of
// waiting; with 1 it has all events, with 0 or less the profile is off.
func SetBlockProfileRate(rate int) { blockprof.SetRate(blockprof.Block, max(0, int64(rate))) }

// SetMutexProfileFraction makes the mutex profile sample one of rate events on average and returns
// the previous rate. 0 turns the profile off; a negative rate only asks.
func SetMutexProfileFraction(rate int) int {
	if rate < 0 {
		return int(blockprof.Rate(blockprof.Mutex))
	}
	return int(blockprof.SetRate(blockprof.Mutex, int64(rate)))
}

// blockevent enters a wait of the caller that lasted the given number of nanoseconds into the block
// profile, if that is on. Upstream's tests call it.
func blockevent(nanos int64, skip int) {
	if blockprof.Rate(blockprof.Block) != 0 {
		blockprof.Event(nanos, max(0, skip-1), false)
	}
}

// BlockProfile returns the number n of records of the block profile, and copies them into p if it
// has room for all: then ok is true.
func BlockProfile(p []BlockProfileRecord) (n int, ok bool) {
	return blockRecords(blockprof.Block, p)
}

// MutexProfile is BlockProfile for the mutex profile.
func MutexProfile(p []BlockProfileRecord) (n int, ok bool) {
	return blockRecords(blockprof.Mutex, p)
}

func blockRecords(k blockprof.Kind, p []BlockProfileRecord) (n int, ok bool) {
	events := contention(k)
	if len(events) > len(p) {
		return len(events), false
	}
	for i, e := range events {
		p[i].Count, p[i].Cycles = int64(e.count), e.nanos
		clear(p[i].Stack0[copy(p[i].Stack0[:], e.stack):])
	}
	return len(events), true
}

// contentionEvents are all events of a profile with one stack.
type contentionEvents struct {
	count float64
	nanos int64
	stack []uintptr // of logical frames
}

// contention returns the records of a profile. Buckets whose stacks differ only in the frames that
// are not shown (a semaphore's, of which there are several ways to it) are one record.
func contention(k blockprof.Kind) []contentionEvents {
	var events []contentionEvents
	known := map[string]int{} // by the bytes of the stack: index in events
	for _, b := range contentionBuckets(k) {
		var pcs [buckets.MaxDepth]uintptr
		depth := expandEvent(pcs[:], b)
		key := string(unsafe.Slice((*byte)(unsafe.Pointer(&pcs)), uintptr(depth)*unsafe.Sizeof(pcs[0])))
		i, ok := known[key]
		if !ok {
			i = len(events)
			known[key] = i
			events = append(events, contentionEvents{stack: append([]uintptr(nil), pcs[:depth]...)})
		}
		events[i].count += b.Count
		events[i].nanos += b.Sum
	}
	return events
}

// contentionBuckets returns the buckets of a profile, which may still count.
func contentionBuckets(k blockprof.Kind) []*buckets.Bucket {
	for {
		n := 0
		blockprof.ForEach(k, func(*buckets.Bucket) { n++ })
		found := make([]*buckets.Bucket, n)
		seen := 0
		blockprof.ForEach(k, func(b *buckets.Bucket) {
			if seen < n {
				found[seen] = b
			}
			seen++
		})
		if seen == n {
			return found
		}
	}
}

// expandEvent stores the logical frames of an event's stack.
func expandEvent(dst []uintptr, r *buckets.Bucket) int {
	stack := r.Stack()
	count := 0
	if blockprof.Entry(r) {
		dst[0] = logicalPC(stack[0], frameShape(stack[0]-1).frames()-1)
		count, stack = 1, stack[1:]
	}
	var frames [256]uintptr
	n := expandPCs(frames[:], stack)
	return count + copy(dst[count:], frames[min(blockprof.Skip(r), n):n])
}

//go:linkname pprof_blockProfileInternal runtime.pprof_blockProfileInternal
func pprof_blockProfileInternal(p []profilerecord.BlockProfileRecord) (n int, ok bool) {
	return pprofRecords(blockprof.Block, p)
}

//go:linkname pprof_mutexProfileInternal runtime.pprof_mutexProfileInternal
func pprof_mutexProfileInternal(p []profilerecord.BlockProfileRecord) (n int, ok bool) {
	return pprofRecords(blockprof.Mutex, p)
}

func pprofRecords(k blockprof.Kind, p []profilerecord.BlockProfileRecord) (n int, ok bool) {
	events := contention(k)
	if len(events) > len(p) {
		return len(events), false
	}
	for i, e := range events {
		p[i].Count, p[i].Cycles, p[i].Stack = int64(e.count), e.nanos, e.stack
	}
	return len(events), true
}

// pprof_cyclesPerSecond: the profiles count nanoseconds.
//
//go:linkname pprof_cyclesPerSecond runtime/pprof.runtime_cyclesPerSecond
func pprof_cyclesPerSecond() int64 { return 1e9 }

// ThreadCreateProfile returns the number n of threads the scheduler has started, and stores their
// records if p has room for all. Threads are started by the scheduler itself, not by a call of the
// program, so the stacks are empty.
func ThreadCreateProfile(p []StackRecord) (n int, ok bool) {
	n = int(sched.NumThreads())
	if n > len(p) {
		return n, false
	}
	clear(p[:n])
	return n, true
}

//go:linkname pprof_threadCreateInternal runtime.pprof_threadCreateInternal
func pprof_threadCreateInternal(p []profilerecord.StackRecord) (n int, ok bool) {
	n = int(sched.NumThreads())
	if n > len(p) {
		return n, false
	}
	clear(p[:n])
	return n, true
}
