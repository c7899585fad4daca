package runtime

import (
	"internal/profilerecord"
	"loam/rt/buckets"
	"loam/rt/heap"
	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/stack"
	"loam/rt/sys"
	"loam/rt/tracer"
	"unsafe"
)

// Profiles. The goroutine profile is taken by walking stacks with the world stopped; the memory
// profile is gathered by the heap, block and mutex profiles by rt/blockprof (contention.go), the
// CPU profile by rt/cpuprof (cpuprofile.go).

// MemProfileRate is the average number of bytes allocated between two samples of the memory
// profile.
var MemProfileRate int = 512 * 1024

// memprofilerateset is called after each assignment to MemProfileRate by name.
func memprofilerateset() { heap.RateChanged() }

// A StackRecord describes one stack.
type StackRecord struct {
	Stack0 [32]uintptr // ends at the first 0
}

// Stack returns the program counters of r.
func (r *StackRecord) Stack() []uintptr { return trimStack(r.Stack0[:]) }

func trimStack(s []uintptr) []uintptr {
	for i, pc := range s {
		if pc == 0 {
			return s[:i]
		}
	}
	return s
}

// A MemProfileRecord describes the objects allocated by one call stack.
type MemProfileRecord struct {
	AllocBytes, FreeBytes     int64
	AllocObjects, FreeObjects int64
	Stack0                    [32]uintptr // ends at the first 0
}

// InUseBytes returns the bytes that are in use.
func (r *MemProfileRecord) InUseBytes() int64 { return r.AllocBytes - r.FreeBytes }

// InUseObjects returns the number of objects in use.
func (r *MemProfileRecord) InUseObjects() int64 { return r.AllocObjects - r.FreeObjects }

// Stack returns the program counters of r.
func (r *MemProfileRecord) Stack() []uintptr { return trimStack(r.Stack0[:]) }

// MemProfile returns the number n of records of the memory profile, and copies them into p if it
// has room for all: then ok is true. Without inuseZero, records of which nothing is in use are left
// out. The profile is of the end of the last collection.
func MemProfile(p []MemProfileRecord, inuseZero bool) (n int, ok bool) {
	n = memProfile(inuseZero, len(p), func(i int, r *heap.ProfileRecord) {
		q := &p[i]
		q.AllocBytes, q.FreeBytes = int64(r.Allocs)*int64(r.Size), int64(r.Frees)*int64(r.Size)
		q.AllocObjects, q.FreeObjects = int64(r.Allocs), int64(r.Frees)
		clear(q.Stack0[copy(q.Stack0[:], r.Stack):])
	})
	if n > len(p) {
		return n, false
	}
	for i := range p[:n] {
		raw := p[i].Stack0
		clear(p[i].Stack0[expandPCs(p[i].Stack0[:], trimStack(raw[:])):])
	}
	return n, true
}

// expandPCs stores the logical frames of a stack of return addresses, as Callers has them.
func expandPCs(dst, src []uintptr) int {
	count := 0
	called := shape(0)
	for _, pc := range src {
		s := frameShape(pc - 1)
		for i := 0; i < s.frames() && count < len(dst); i++ {
			if !s.hides(i, called) {
				dst[count] = logicalPC(pc, i)
				count++
			}
		}
		called = s
	}
	return count
}

// memProfile counts the records, and calls f for the first most of them if there are no more.
func memProfile(inuseZero bool, most int, f func(i int, r *heap.ProfileRecord)) (n int) {
	for _, fill := range [2]bool{false, true} {
		if fill && n > most {
			return n
		}
		n = 0
		heap.ForEachProfileRecord(func(r *heap.ProfileRecord) {
			if !inuseZero && r.Allocs == r.Frees {
				return
			}
			if fill && n < most {
				f(n, r)
			}
			n++
		})
	}
	return n
}

// GoroutineProfile stores the stacks of all goroutines and returns their number, and whether p was
// large enough; if not, nothing is stored.
func GoroutineProfile(p []StackRecord) (n int, ok bool) {
	return goroutineStacks(anyG, len(p), func(i int, u *unwinder, _ unsafe.Pointer) {
		k := collectPCs(u, 0, p[i].Stack0[:])
		clear(p[i].Stack0[k:])
	})
}

func anyG(*sched.G) bool { return true }

// goroutineStacks calls record with the world stopped for each goroutine of the program that which
// chooses, if there are at most room.
//
//go:noinline
func goroutineStacks(which func(*sched.G) bool, room int, record func(i int, u *unwinder, labels unsafe.Pointer)) (n int, ok bool) {
	me := sched.CurrentG()
	self := unwindSelf(sys.CallerPC(), callerFP(sys.FramePointer()))
	sched.StopWorldFor(tracer.WorldGoroutineProfile)
	forEachUserG(func(gp *sched.G) {
		if which(gp) {
			n++
		}
	})
	if ok = n <= room; ok {
		i := 0
		forEachUserG(func(gp *sched.G) {
			if !which(gp) {
				return
			}
			u := self
			if gp != me {
				u = unwindParked(gp)
			}
			record(i, &u, gp.Labels)
			i++
		})
	}
	sched.StartWorld()
	return n, ok
}

func forEachUserG(visit func(*sched.G)) {
	sched.ForEachG(func(gp *sched.G) {
		status := gp.Status
		if status != sched.Dead && status != sched.Idle && (!gp.System || gp.Finalizer) {
			visit(gp)
		}
	})
}

// Hooks of runtime/pprof.

//go:linkname pprof_goroutineProfileWithLabels runtime.pprof_goroutineProfileWithLabels
func pprof_goroutineProfileWithLabels(p []profilerecord.StackRecord, labels []unsafe.Pointer) (n int, ok bool) {
	return goroutineRecords(anyG, p, labels)
}

//go:linkname pprof_goroutineLeakProfileWithLabels runtime.pprof_goroutineLeakProfileWithLabels
func pprof_goroutineLeakProfileWithLabels(p []profilerecord.StackRecord, labels []unsafe.Pointer) (n int, ok bool) {
	return goroutineRecords((*sched.G).Leaked, p, labels)
}

//go:noinline
func goroutineRecords(which func(*sched.G) bool, p []profilerecord.StackRecord, labels []unsafe.Pointer) (n int, ok bool) {
	// The records' stacks are made first: memory cannot be allocated while the world is stopped.
	const depth = 128
	store := make([]uintptr, len(p)*depth)
	n, ok = goroutineStacks(which, len(p), func(i int, u *unwinder, l unsafe.Pointer) {
		s := store[i*depth : (i+1)*depth : (i+1)*depth]
		p[i].Stack = s[:collectPCs(u, 0, s)]
		if i < len(labels) {
			labels[i] = l
		}
	})
	takeLabels()
	return n, ok
}

//go:linkname pprof_goroutineLeakGC runtime/pprof.runtime_goroutineLeakGC
func pprof_goroutineLeakGC() { searchLeaks(nil, nil) }

//go:linkname pprof_goroutineleakcount runtime/pprof.runtime_goroutineleakcount
func pprof_goroutineleakcount() int { return int(leaked.count.Load()) }

//go:linkname pprof_memProfileInternal runtime.pprof_memProfileInternal
func pprof_memProfileInternal(p []profilerecord.MemProfileRecord, inuseZero bool) (n int, ok bool) {
	// The heap's stacks are never freed.
	n = memProfile(inuseZero, len(p), func(i int, r *heap.ProfileRecord) {
		q := &p[i]
		setSizes(q, r)
		q.AllocObjects, q.FreeObjects = int64(r.Allocs), int64(r.Frees)
		q.Stack = r.Stack
	})
	if n > len(p) {
		return n, false
	}
	var buf [256]uintptr
	for i := range p[:n] {
		k := expandPCs(buf[:], p[i].Stack)
		p[i].Stack = append([]uintptr(nil), buf[:k]...)
	}
	return n, true
}

//go:linkname pprof_fpunwindExpand runtime.pprof_fpunwindExpand
func pprof_fpunwindExpand(dst, src []uintptr) int { return copy(dst, src) }

//go:linkname pprof_makeProfStack runtime.pprof_makeProfStack
func pprof_makeProfStack() []uintptr { return make([]uintptr, 128) }

// labelsMade is what the detector of races is told in place of the labels that profiles hand over:
// who sets a goroutine's releases it, and who reads a profile acquires it.
var labelsMade uint32

func takeLabels() {
	if race.Enabled {
		raceAcquire(unsafe.Pointer(&labelsMade))
	}
}

//go:linkname pprof_getProfLabel runtime/pprof.runtime_getProfLabel
func pprof_getProfLabel() unsafe.Pointer { return sched.CurrentG().Labels }

//go:linkname pprof_setProfLabel runtime/pprof.runtime_setProfLabel
func pprof_setProfLabel(labels unsafe.Pointer) {
	if race.Enabled {
		raceRelease(unsafe.Pointer(&labelsMade))
	}
	sched.Relabel(labels)
	sched.CurrentG().Labels = labels
}

// pprof_hopRecords returns the profile of stack growth; a record's cycles are bytes.
//
//go:linkname pprof_hopRecords runtime.pprof_hopRecords
func pprof_hopRecords() []profilerecord.BlockProfileRecord {
	n := 0
	stack.ForEachHop(func(*buckets.Bucket) { n++ })
	found := make([]*buckets.Bucket, n+16)
	n = 0
	stack.ForEachHop(func(b *buckets.Bucket) {
		if n < len(found) {
			found[n] = b
			n++
		}
	})
	records := make([]profilerecord.BlockProfileRecord, n)
	for i, b := range found[:n] {
		pcs := make([]uintptr, 0, 2*len(b.Stack())+8)
		for _, pc := range b.Stack() {
			pcs = expandPC(pcs, pc)
		}
		records[i] = profilerecord.BlockProfileRecord{Count: int64(b.Count), Cycles: b.Sum, Stack: pcs}
	}
	return records
}

// pprof_profileHops starts the profile of stack growth and says whether it was on.
//
//go:linkname pprof_profileHops runtime.pprof_profileHops
func pprof_profileHops() (before bool) {
	before = stack.ProfilingHops()
	stack.ProfileHops(true)
	return before
}
