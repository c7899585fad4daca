package runtime

import (
	"internal/abi"
	"loam/rt/heap"
	"loam/rt/sched"
	"loam/rt/symtab"
	"loam/rt/sys"
	"unsafe"
)

// Heap dumps (runtime/debug.WriteHeapDump) in the format of https://go.dev/s/go15heapdump: a line,
// then records, each a tag and its fields; numbers are varints, strings have their length in front,
// and a list of pointer fields ends with a zero.
//
// Loam finds pointers by their values, so each word that points to an object counts as a pointer
// field, in objects, variables and frames alike. What the collector starts from besides variables
// and stacks is written as "other roots". There are no records of itabs, of deferred calls and of
// panics, and none of allocation profiles: runtime/pprof writes those.

// Tags of the records.
const (
	dumpEnd        = 0
	dumpObject     = 1
	dumpOtherRoot  = 2
	dumpType       = 3
	dumpGoroutine  = 4
	dumpFrame      = 5
	dumpParams     = 6
	dumpFinalizer  = 7
	dumpThread     = 9
	dumpMemStats   = 10
	dumpDue        = 11
	dumpData       = 12
	dumpBSS        = 13
	dumpFieldEnd   = 0
	dumpFieldPtr   = 1
	dumpHeaderLine = "go1.7 heap dump\n"
)

// dump is the one heap dump that is being written: the world is stopped meanwhile.
var dump struct {
	lock   mutex
	fd     int32
	failed bool // a write has failed, the rest is left out
	n      int
	buf    [8192]byte
	stats  MemStats

	first  bool // among the globals: the data segment
	second bool // the bss segment
	g      *sched.G
}

//go:linkname writeHeapDump runtime/debug.WriteHeapDump
func writeHeapDump(fd uintptr) {
	dump.lock.Lock()
	dump.fd, dump.failed, dump.n = int32(fd), false, 0
	ReadMemStats(&dump.stats)
	heap.Frozen(dumpAll)
	dump.lock.Unlock()
}

// dumpAll runs with the world stopped.
func dumpAll() {
	dumpBytes(unsafe.Pointer(unsafe.StringData(dumpHeaderLine)), uintptr(len(dumpHeaderLine)))
	lo, hi := heap.Bounds()
	dumpNumbers(dumpParams, 0, 8, uint64(lo), uint64(hi))
	dumpString("amd64")
	dumpString("")
	dumpNumber(uint64(sys.NumCPU))
	heap.ForEachObject(func(p, size uintptr, noscan bool) {
		dumpNumbers(dumpObject, uint64(p))
		dumpMemory(p, size)
		if noscan {
			dumpNumber(dumpFieldEnd)
		} else {
			dumpFields(p, size)
		}
	})
	dump.first, dump.second = true, true
	heap.ForEachGlobal(dumpGlobal)
	sched.ForEachG(dumpG)
	sched.ForEachM(func(m *sched.M) {
		dumpNumbers(dumpThread, uint64(uintptr(unsafe.Pointer(m))), uint64(m.ID), uint64(m.Thread.Tid))
	})
	heap.ForEachFinalizer(dumpOneFinalizer)
	dumpStats(&dump.stats)
	dumpNumber(dumpEnd)
	dumpFlush()
}

// dumpGlobal writes the data segment, the bss segment, and what follows as other roots.
func dumpGlobal(lo, hi uintptr) {
	switch {
	case dump.first:
		dump.first = false
		dumpNumbers(dumpData, uint64(lo))
	case dump.second:
		dump.second = false
		dumpNumbers(dumpBSS, uint64(lo))
	default:
		dumpRoots("run-time system", lo, hi)
		return
	}
	dumpMemory(lo, hi-lo)
	dumpFields(lo, hi-lo)
}

// dumpRoots writes the pointers in [lo, hi) as other roots.
func dumpRoots(what string, lo, hi uintptr) {
	for p := (lo + 7) &^ 7; p+8 <= hi; p += 8 {
		if v := *(*uintptr)(ptr(p)); isObject(v) {
			dumpNumber(dumpOtherRoot)
			dumpString(what)
			dumpNumber(uint64(v))
		}
	}
}

func isObject(v uintptr) bool {
	if !heap.InHeap(v) {
		return false
	}
	_, _, ok := heap.FindObject(v)
	return ok
}

// dumpG writes a goroutine, its frames, and the pointers that it has elsewhere.
func dumpG(gp *sched.G) {
	status := gp.Status
	if status == sched.Dead || status == sched.Idle {
		return
	}
	code := uint64(4) // waiting
	reason := ""
	switch status {
	case sched.Runnable:
		code = 1
	case sched.Running:
		code = 2
	case sched.Syscall:
		code = 3
	default:
		reason = gp.WaitReason.String()
	}
	u := unwindParked(gp)
	dump.g = gp
	dumpNumbers(dumpGoroutine, uint64(uintptr(unsafe.Pointer(gp))), uint64(dumpTop(gp, &u)), gp.ID, uint64(gp.CreatorPC), code,
		dumpBool(gp.System), 0, uint64(gp.WaitSince()))
	dumpString(reason)
	// context, thread, deferred calls, panics
	dumpNumbers(0, uint64(uintptr(unsafe.Pointer(gp.M))), 0, 0)
	gp.ForEachRange(func(lo, hi uintptr) {
		if u := unwindParked(dump.g); !dumpFrames(&u, lo, hi) {
			dumpRoots("goroutine", lo, hi)
		}
	})
}

// dumpTop is the lowest address of the goroutine's innermost frame.
func dumpTop(gp *sched.G, u *unwinder) uintptr {
	top := u.fp
	gp.ForEachRange(func(lo, hi uintptr) {
		if lo <= u.fp && u.fp < hi {
			top = lo
		}
	})
	return top
}

// dumpFrames writes the frames in the range [lo, hi) of a stack; false if the range has none.
func dumpFrames(u *unwinder, lo, hi uintptr) bool {
	var out [symtab.MaxInline]symtab.Frame
	found := false
	child := uintptr(0)
	for depth := uint64(0); u.fp != 0; depth++ {
		sp := u.sp
		if lo <= u.fp && u.fp < hi {
			if !found {
				sp = lo // what lies below the innermost frame pointer
			}
			end := min(u.fp+16, hi)
			found = true
			n := symbolize(u.lookupPC(), &out)
			name, entry := "", uintptr(0)
			if n > 0 {
				name, entry = out[n-1].Func, out[n-1].Entry
			}
			dumpNumbers(dumpFrame, uint64(sp), depth, uint64(child))
			dumpMemory(sp, end-sp)
			dumpNumbers(uint64(entry), uint64(u.pc), uint64(u.pc))
			dumpString(name)
			dumpFields(sp, end-sp)
			lo = end
		}
		child = sp
		if !u.next() {
			break
		}
	}
	if found { // above the outermost frame
		dumpRoots("goroutine", lo, hi)
	}
	return found
}

// dumpOneFinalizer writes a finalizer or, without a function type, a cleanup.
func dumpOneFinalizer(obj uintptr, f *heap.Finalizer, due bool) {
	tag := uint64(dumpFinalizer)
	if due {
		tag = dumpDue
	}
	for _, t := range []uintptr{f.Info.ArgType, f.Info.FuncType} {
		if t != 0 {
			dumpOneType((*abi.Type)(ptr(t)))
		}
	}
	code := uintptr(0)
	if f.Fn != nil {
		code = *(*uintptr)(f.Fn)
	}
	dumpNumbers(tag, uint64(obj), uint64(uintptr(f.Fn)), uint64(code), uint64(f.Info.FuncType), uint64(f.Info.ArgType))
	if v := uintptr(f.Fn); isObject(v) {
		dumpNumber(dumpOtherRoot)
		dumpString("finalizer")
		dumpNumber(uint64(v))
	}
}

func dumpOneType(t *abi.Type) {
	dumpNumbers(dumpType, uint64(uintptr(unsafe.Pointer(t))), uint64(t.Size_))
	dumpString(toRType(t).string())
	dumpNumber(dumpBool(!t.IsDirectIface()))
}

func dumpStats(s *MemStats) {
	dumpNumbers(dumpMemStats, s.Alloc, s.TotalAlloc, s.Sys, s.Lookups, s.Mallocs, s.Frees, s.HeapAlloc, s.HeapSys, s.HeapIdle,
		s.HeapInuse, s.HeapReleased, s.HeapObjects, s.StackInuse, s.StackSys, s.MSpanInuse, s.MSpanSys, s.MCacheInuse, s.MCacheSys,
		s.BuckHashSys, s.GCSys, s.OtherSys, s.NextGC, s.LastGC, s.PauseTotalNs)
	for _, ns := range &s.PauseNs {
		dumpNumber(ns)
	}
	dumpNumber(uint64(s.NumGC))
}

// The format's elements.

func dumpBool(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

func dumpNumbers(list ...uint64) {
	for _, v := range list {
		dumpNumber(v)
	}
}

func dumpNumber(v uint64) {
	if dump.n+10 > len(dump.buf) {
		dumpFlush()
	}
	for ; v >= 0x80; v >>= 7 {
		dump.buf[dump.n] = byte(v) | 0x80
		dump.n++
	}
	dump.buf[dump.n] = byte(v)
	dump.n++
}

func dumpString(s string) {
	dumpNumber(uint64(len(s)))
	dumpBytes(unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)))
}

// dumpMemory writes the memory at p as a string.
func dumpMemory(p, size uintptr) {
	dumpNumber(uint64(size))
	dumpBytes(ptr(p), size)
}

// dumpFields writes the list of the words at p that are pointers.
func dumpFields(p, size uintptr) {
	for off := -p & 7; off+8 <= size; off += 8 {
		if isObject(*(*uintptr)(ptr(p + off))) {
			dumpNumbers(dumpFieldPtr, uint64(off))
		}
	}
	dumpNumber(dumpFieldEnd)
}

func dumpBytes(p unsafe.Pointer, n uintptr) {
	if n <= uintptr(len(dump.buf)-dump.n) {
		copy(dump.buf[dump.n:], unsafe.Slice((*byte)(p), n))
		dump.n += int(n)
		return
	}
	dumpFlush()
	if n < uintptr(len(dump.buf)) {
		dumpBytes(p, n)
		return
	}
	dumpWrite(p, n)
}

func dumpFlush() {
	dumpWrite(unsafe.Pointer(&dump.buf), uintptr(dump.n))
	dump.n = 0
}

func dumpWrite(p unsafe.Pointer, n uintptr) {
	for n > 0 && !dump.failed {
		w := sys.Write(dump.fd, p, int(min(n, 1<<30)))
		if w == -sys.EINTR {
			continue
		}
		if w <= 0 {
			dump.failed = true
			return
		}
		p, n = add(p, uintptr(w)), n-uintptr(w)
	}
}
