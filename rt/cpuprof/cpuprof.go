//go:build loam

package cpuprof

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/sched"
	"loam/rt/sys"
	"loam/rt/tracer"
)

// ringWords is the size of the buffer: a second of 64 busy threads with stacks of the usual depth.
const ringWords = 1 << 17

// MaxRate is the highest rate, in samples a second of CPU time and thread.
const MaxRate = 1000000

var state struct {
	lock    sys.Mutex // the timers and what is below; never held while a thread parks
	hz      int32     // atomic; 0: off
	reading bool      // the reader has not yet seen the end of the profile
	stress  bool      // Stress: the timers run with the clock
	ring    Ring
}

// Start begins a profile with hz samples per second of CPU time; false if one is on, or its end was
// not read yet. Goroutine stack.
func Start(hz int32) bool {
	state.lock.Lock()
	free := !state.reading
	if free && Rate() == 0 {
		begin(hz)
	}
	state.reading = true
	state.lock.Unlock()
	return free
}

// begin does Start's work. state.lock is held.
func begin(hz int32) {
	if state.ring.words == nil {
		p := sys.MapAnon(ringWords * 8)
		state.ring.Init(unsafe.Slice((*uint64)(p), ringWords))
		sched.VisitPending = visitPending
		initTraced()
	}
	for { // what handlers wrote after the last profile had ended
		if _, _, _, ok := state.ring.Peek(); !ok {
			break
		}
		state.ring.Pop()
	}
	state.ring.TakeLost()
	atomic.StoreInt32(&state.hz, hz)
	sched.ProfileSignal = handle
	sched.HandleProfiling()
	sched.ThreadStart = threadStart
	sched.ThreadEnd = threadEnd
	sched.ForEachThread(func(m *sched.M) {
		if m.ProfileTimer == 0 {
			addTimer(m)
		}
	})
	setProcessTimer(hz)
}

// setProcessTimer has hz signals sent for each second of CPU time of the process, if C is part of
// the program: those that meet a thread of C's that has called no Go are its samples.
func setProcessTimer(hz int32) {
	const (
		ofProcess = 2 // ITIMER_PROF
		micros    = 1000000
	)
	if !sys.HasC() {
		return
	}
	period := int64(0)
	if hz > 0 {
		period = max(micros/int64(hz), 1)
	}
	spec := timerSpec{period / micros, period % micros, period / micros, period % micros}
	sys.Spoil()
	sys.Syscall6(sys.SYS_SETITIMER, ofProcess, uintptr(unsafe.Pointer(&spec)), 0, 0, 0, 0)
}

// Stress starts a profile that nobody reads, with timers that run with the clock instead of the CPU
// time: those of the kernel are no finer than its ticks. A profile started later has this rate.
// Tests find out with it whether a signal can come at any instruction. Goroutine stack, at the
// start.
func Stress(hz int32) {
	state.lock.Lock()
	state.stress = true
	begin(hz)
	state.lock.Unlock()
}

// Stop ends the profile, if one is on. What has been sampled can still be read. Goroutine stack.
func Stop() {
	state.lock.Lock()
	if atomic.SwapInt32(&state.hz, 0) != 0 {
		setProcessTimer(0)
		sched.ForEachThread(dropTimer)
	}
	state.lock.Unlock()
}

// Rate returns the number of samples a second, 0 if there is no profile on.
func Rate() int32 { return atomic.LoadInt32(&state.hz) }

// threadStart runs on each new thread. It may have a timer already, since Start sees a thread as
// soon as it has its number; or one that Start gave the last user of m as that ended.
func threadStart(m *sched.M) {
	state.lock.Lock()
	m.Exiting = false
	dropTimer(m)
	if Rate() != 0 {
		addTimer(m)
	}
	state.lock.Unlock()
}

func threadEnd(m *sched.M) {
	state.lock.Lock()
	dropTimer(m)
	m.Exiting = true
	state.lock.Unlock()
}

// The kernel's names.
const (
	perThreadCPU   = 6 // of a clock: the CPU time of the thread whose number is in the upper bits
	clockMonotonic = 1
	sigevThread    = 4 // SIGEV_THREAD_ID
	siTimer        = -2
	siKernel       = 0x80
	nanosPerSecond = 1000000000
)

type sigevent struct {
	value  uint64
	signo  int32
	notify int32
	tid    int32
	_      [44]byte
}

type timerSpec struct{ intervalSec, interval, firstSec, first int64 }

// addTimer gives a thread a timer that runs with its CPU time and sends it SIGPROF. state.lock is
// held. A thread that is gone gets none.
//
// The first signal comes after a random part of the period: threads that work for less than a
// period would never be seen otherwise.
func addTimer(m *sched.M) {
	if m.Exiting {
		return
	}
	tid := m.Thread.Tid
	ev := sigevent{signo: sys.SIGPROF, notify: sigevThread, tid: tid}
	var id int32
	clock := ^int64(tid)<<3 | perThreadCPU
	if state.stress {
		clock = clockMonotonic
	}
	sys.Spoil()
	if int64(sys.Syscall6(sys.SYS_TIMER_CREATE, uintptr(clock), uintptr(unsafe.Pointer(&ev)), uintptr(unsafe.Pointer(&id)), 0, 0, 0)) < 0 {
		return
	}
	period := int64(nanosPerSecond) / int64(Rate())
	first := 1 + int64(sys.Rand()%uint64(period))
	spec := timerSpec{period / nanosPerSecond, period % nanosPerSecond, first / nanosPerSecond, first % nanosPerSecond}
	sys.Syscall6(sys.SYS_TIMER_SETTIME, uintptr(id), 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
	m.ProfileTimer = id + 1
}

func dropTimer(m *sched.M) {
	if m.ProfileTimer != 0 {
		sys.Syscall6(sys.SYS_TIMER_DELETE, uintptr(m.ProfileTimer-1), 0, 0, 0, 0, 0)
		m.ProfileTimer = 0
	}
}

// handle is SIGPROF's handler: signal stack, all signals blocked, no stack limit. It touches
// nothing that can be half changed: the registers, stacks of its own thread, and the ring.
func handle(g *sched.G, info *sys.SigInfo, uc *sys.Ucontext) {
	if Rate() == 0 || info.Code != siTimer && !(info.Code == siKernel && sys.Self().M == nil) {
		return
	}
	count := uint64(1)
	// si_overrun: periods that went by since the signal was sent.
	if overrun := int32(info.Addr >> 32); overrun > 0 && info.Code == siTimer {
		count += uint64(overrun)
	}
	var tag uintptr
	if g != nil {
		tag = uintptr(g.Labels)
	}
	var pcs [Leaf + Depth]uintptr
	n := capture(g, uc, &pcs)
	state.ring.Put(count, tag, pcs[:n])
	if tracer.On && sys.Self().M != nil {
		putTraced(count, g, pcs[:n])
	}
}

// Read calls f for each sample that is complete. The stack is as [Leaf] says; tag holds the
// goroutine's labels. It returns how many samples were lost since the last call, and whether the
// profile has ended and all of it was read; then another one can be started. One goroutine at a
// time; f may allocate.
func Read(f func(count uint64, tag unsafe.Pointer, stack []uint64)) (lost uint64, end bool) {
	stopped := Rate() == 0
	for {
		count, tag, stack, ok := state.ring.Peek()
		if !ok {
			break
		}
		f(count, unsafe.Pointer(tag), stack)
		state.ring.Pop()
	}
	lost = state.ring.TakeLost()
	if stopped && lost == 0 && state.ring.Empty() {
		state.lock.Lock()
		state.reading = false
		state.lock.Unlock()
		return 0, true
	}
	return lost, false
}

// Full reports whether the reader should not wait any longer.
func Full() bool { return state.ring.Used() > 32 }

// visitPending shows the collector the labels that only samples know: world stopped.
func visitPending(visit func(lo, hi uintptr)) {
	state.ring.Pending(func(w []uint64) {
		if len(w) > 0 {
			lo := uintptr(unsafe.Pointer(&w[0]))
			visit(lo, lo+uintptr(len(w))*8)
		}
	})
}
