//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/sched"
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
	"loam/rt/timer"
)

// call is a system call that is being made.
type call struct {
	num                    uintptr
	a1, a2, a3, a4, a5, a6 uintptr

	// What the call has to wait for before it is made again: until something happens in the world,
	// or for so many nanoseconds.
	wait    bool
	sleep   int64
	resumed bool   // it has slept
	seen    uint64 // events
	again   bool   // it is made again, having waited
	alarm   *alarm // ends the wait; nil: nothing does

	// A FIFO that is being opened, and how often it had been before.
	opened                *file
	seenRead, seenWritten uint64
}

// Syscall6 is internal/runtime/syscall/linux.Syscall6 in a simulated run. Goroutine stack; the P
// may be left as for a blocking call.
func Syscall6(num, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2, errno uintptr) {
	c := call{num: num, a1: a1, a2: a2, a3: a3, a4: a4, a5: a5, a6: a6}
	var r uintptr
	for {
		sys.OnSystemStack(func() { // the world's code has no points
			r = c.do()
			c.endAlarm()
		})
		if c.sleep > 0 {
			ns := c.sleep
			simulation.Outside(func() { timer.SleepFor(ns) })
			c.sleep, c.resumed = 0, true
		} else if c.wait {
			simulation.Outside(func() { c.await() })
			c.wait = false
		} else {
			break
		}
	}
	simulation.Fold(sim.Called, uint64(num)<<32^uint64(a1), uint64(r))
	deliverSignals()
	if r > ^uintptr(4095) {
		return ^uintptr(0), 0, -r
	}
	return r, 0, 0
}

// do makes the call: the result, or a negative error number. System stack.
func (c *call) do() uintptr {
	start()
	if c.num == callAsk {
		return c.ask()
	}
	if r, known := c.doProcess(); known {
		return r
	}
	if r, known := c.doPath(); known {
		return r
	}
	if r, known := c.doSocket(); known {
		return r
	}
	if r, known := c.doWatch(); known {
		return r
	}
	if r, known := c.doWaits(); known {
		return r
	}
	if r, known := c.doDescriptor(); known {
		return r
	}
	unmodelled(c.num)
	return 0
}

// takes lets the call be made after so many nanoseconds, in which others go on. It returns whether
// they are over.
func (c *call) takes(ns int64) bool {
	if !c.resumed && ns > 0 {
		c.sleep = ns
		return false
	}
	return true
}

// block lets the call be made again when something has happened. A descriptor that does not block
// gets the error instead.
func (c *call) block(blocking bool, errno int32) uintptr {
	c.wait, c.seen = blocking, events
	return failure(errno)
}

// waiter is a goroutine that waits in a system call. It is on that goroutine's stack.
type waiter struct {
	g    *sched.G
	next *waiter
	seen uint64 // events, when the call was made
}

var (
	waiting *waiter // all of them, the last first
	events  uint64  // counts what has happened
)

// await waits until something happens after the call was made. Goroutine stack.
func (c *call) await() {
	w := waiter{g: sched.CurrentG(), seen: c.seen}
	sched.Park(func(p unsafe.Pointer) bool {
		w := (*waiter)(p)
		if w.seen != events {
			return false
		}
		w.next, waiting = waiting, w
		return true
	}, unsafe.Pointer(&w), sched.WaitIO)
}

// happened lets all who wait in system calls look again.
func happened() {
	events++
	w := waiting
	waiting = nil
	for w != nil {
		next := w.next
		sched.Ready(w.g)
		w = next
	}
}

func failure(errno int32) uintptr { return -uintptr(errno) }

// result is that of a call that may fail with an error number.
func result(errno int32) uintptr { return -uintptr(errno) }

// start makes the world, at the first call.
func start() {
	if table != nil {
		return
	}
	if s := simulation.Settings(); s.Child {
		simulation.Meet(s)
	}
	host()
	startDisk()
	startTable()
}

var files *disk.Disk
