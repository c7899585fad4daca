package sched

import (
	"internal/abi"
	"sync/atomic"
	"unsafe"

	"loam/rt/race"
	"loam/rt/sys"
)

// Threads that C makes, and that call Go (crosscall2 in rt/sys/switch.gas). Such a thread gets an
// M and a goroutine, which is bound to it, and is in a system call as long as C runs. Both stay
// with the thread, so that only its first call takes long; when it ends they are spare. There is
// always a spare pair, or one about to be: only a thread with a P can make one.

// spareMs are the Ms of no thread, with their goroutines (CurG), linked through M.link.
// global.lock.
var spareMs *M

// EntryOfSpare is where MakeSpare begins.
func EntryOfSpare() uintptr { return abi.FuncPCABIInternal(MakeSpare) }

// MakeSpare makes a spare M. Goroutine stack, with a P.
func MakeSpare() {
	t := sys.AcquireM()
	m := (*M)(sys.MapAnon((unsafe.Sizeof(M{}) + sys.PageSize - 1) &^ (sys.PageSize - 1)))
	m.Thread, m.dead, m.foreign = &endedThread, true, true
	g := newSystemG((*P)(t.P), func() {}, 0, true)
	// As if it had called C: the frame of CallC, which nothing is above.
	f := (*[5]uintptr)(unsafe.Add(unsafe.Pointer(g), -72))
	*f = [5]uintptr{}
	m.spareSP = uintptr(unsafe.Pointer(f))
	g.Sys = sys.SyscallRegs{SP: m.spareSP, Segment: g.Segment}
	g.lockCount, g.hasExtra = 1, true
	m.callbacks = 1
	g.BoundM, m.boundG, m.CurG, g.M = m, g, g, m
	if race.Enabled {
		g.Race.Actor().Begins()
	}
	g.special |= isBound
	sys.StoreRel(&g.Status, Syscall)
	global.lock.Lock()
	registerM(m)
	m.link = spareMs
	spareMs = m
	global.lock.Unlock()
	sys.ReleaseM()
}

// IsSpare reports whether a goroutine is of no thread yet.
func IsSpare(g *G) bool { return g.M != nil && g.M.foreign && g.M.dead }

// adoptThread gives the calling thread, which Go knows nothing of, a spare M. Its system stack,
// limit 0.
func adoptThread() {
	t := sys.AdoptThread()
	sys.SpareAltStack(t)
	var m *M
	for {
		global.lock.Lock()
		if m = spareMs; m != nil {
			spareMs = m.link
			m.link = nil
			global.nM++
		}
		global.lock.Unlock()
		if m != nil {
			break
		}
		sys.Usleep(20) // who took the last one makes another
	}
	initM(m, t)
	g := m.CurG
	t.G, t.GoSP, *t.LimitWord() = unsafe.Pointer(g), m.spareSP, g.Limit
	t.Trace = unsafe.Pointer(&m.trace)
	t.Locks = 1 // as EnterSyscall leaves it
	m.dead = false
	threadStarted(m)
	sys.CallC(sys.C.Keep, unsafe.Pointer(m))
}

// threadLeft is called by the C library when a thread ends that adoptThread has given m. The thread
// is in C, on its own stack, and has no P (loam_thread_left in rt/sys/switch.gas).
func threadLeft(m *M) {
	t := m.Thread
	m.spareSP = t.GoSP
	threadEnding(m)
	global.lock.Lock()
	m.dead = true
	m.Thread = &endedThread
	m.link = spareMs
	spareMs = m
	global.nM--
	global.lock.Unlock()
	t.M, t.G = nil, nil
	sys.DropAltStack(t)
}

// endedThread stands for the block of a thread that is gone, whose memory C has taken back.
var endedThread sys.Thread

// BeginCallback is ExitSyscall for a goroutine in C that calls Go. Until EndCallback it stays on
// its thread, which has frames of C.
func BeginCallback() {
	lockThread()
	curM().callbacks++
	ExitSyscall()
	if m := curM(); m.foreign {
		g := m.CurG
		if g.System {
			g.System = false
			atomic.AddInt64(&global.nSystem, -1)
			m.P.userBegins()
		}
		if spareMs == nil {
			MakeSpare()
		}
	}
}

// InForeignThread reports whether the calling goroutine stands for a thread that C has made.
func InForeignThread() bool { return curM().foreign }

// LeaveCallback precedes EnterSyscall where C goes on: the goroutine of a thread of C's is not the
// program's then.
func LeaveCallback() {
	t := sys.AcquireM()
	if m := (*M)(t.M); m.foreign && m.callbacks == 2 {
		m.CurG.System = true
		atomic.AddInt64(&global.nSystem, 1)
		m.P.userEnds()
	}
	sys.ReleaseM()
}

// LeaveC is for a goroutine that leaves the frames of C without returning to them: the system stack
// begins at cFrames again. EndCallback is part of it.
func LeaveC(cFrames uintptr) {
	t := sys.AcquireM()
	t.SysSP = cFrames
	t.GoSP = *(*uintptr)(sys.Ptr(t.GoSP)) // sys.CallC
	sys.ReleaseM()
	EndCallback()
}

// CountCCall counts a call of C.
//
//loam:inline
func CountCCall() {
	m := curM()
	m.cCalls++
}

// CCalls is the number of calls of C.
func CCalls() (n int64) {
	ForEachM(func(m *M) { n += atomic.LoadInt64(&m.cCalls) })
	return n
}

// EndCallback takes BeginCallback back, before the goroutine goes on in C or leaves it for good.
func EndCallback() {
	curM().callbacks--
	UnlockOSThread()
}
