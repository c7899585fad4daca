//go:build loam

package netpoll

import (
	"sync/atomic"
	"unsafe"

	"loam/rt/park"
	"loam/rt/sys"
)

const (
	sysWrite        = 1
	sysRead         = 0
	sysEpollCtl     = 233
	sysEpollPwait   = 281
	sysEventfd2     = 290
	sysEpollCreate1 = 291
	sysEpollPwait2  = 441

	cloexec  = 0o2000000
	nonblock = 0o4000

	epollIn     = 0x1
	epollOut    = 0x4
	epollErr    = 0x8
	epollHup    = 0x10
	epollRdhup  = 0x2000
	epollEdge   = 1 << 31
	epollCtlAdd = 1
	epollCtlDel = 2

	eintr = 4
)

// An event is the kernel's struct epoll_event, which is packed on x86-64.
type event struct {
	events uint32
	data   [2]uint32
}

var (
	initLock park.Mutex
	initDone uint32
	epfd     int32
	breakFd  int32
	noPwait2 uint32 // kernel before 5.11, or a sandbox that is older
)

// Init makes the epoll instance and the descriptor by which Break wakes it.
func Init() {
	if sys.Simulated {
		return
	}
	if atomic.LoadUint32(&initDone) != 0 {
		return
	}
	initLock.Lock()
	if initDone == 0 {
		epfd = must(sys.Syscall6(sysEpollCreate1, cloexec, 0, 0, 0, 0, 0), "epoll_create1")
		breakFd = must(sys.Syscall6(sysEventfd2, 0, cloexec|nonblock, 0, 0, 0, 0), "eventfd2")
		// Level triggered: it stays visible until the waiting thread has read it.
		ev := event{events: epollIn}
		must(sys.Syscall6(sysEpollCtl, uintptr(epfd), epollCtlAdd, uintptr(breakFd), uintptr(unsafe.Pointer(&ev)), 0, 0), "epoll_ctl")
		atomic.StoreUint32(&initDone, 1)
	}
	initLock.Unlock()
}

func must(r uintptr, what string) int32 {
	if int(r) < 0 {
		sys.PrintString("netpoll: ")
		sys.PrintString(what)
		sys.PrintString(" failed with errno ")
		sys.PrintInt(-int64(r))
		sys.PrintNL()
		sys.Throw("netpoll: no poller")
	}
	return int32(r)
}

// Open registers fd. errno is 0, or positive as EPERM for a file that cannot be polled.
func Open(fd uintptr) (d *Desc, errno int) {
	if sys.Simulated {
		d = newDesc(int32(fd))
		if errno = simOpen(int32(fd), d, d.tag); errno != 0 {
			return nil, d.giveUp(errno)
		}
		return d, 0
	}
	Init()
	d = newDesc(int32(fd))
	ev := event{events: epollIn | epollOut | epollRdhup | epollEdge}
	data := uint64(uintptr(unsafe.Pointer(d)))<<16 | uint64(d.tag)
	ev.data = [2]uint32{uint32(data), uint32(data >> 32)}
	r := int(sys.Syscall6(sysEpollCtl, uintptr(epfd), epollCtlAdd, fd, uintptr(unsafe.Pointer(&ev)), 0, 0))
	if r < 0 {
		return nil, d.giveUp(-r)
	}
	return d, 0
}

// giveUp releases a Desc whose descriptor cannot be polled.
func (d *Desc) giveUp(errno int) int {
	d.mu.Lock()
	d.closing = true
	d.mu.Unlock()
	d.release()
	return errno
}

// In simulated runs rt/world has the descriptors, and says when they are ready.

//go:linkname simOpen loam/rt/world.Open
func simOpen(fd int32, d *Desc, tag uint32) (errno int)

//go:linkname simClose loam/rt/world.Close
func simClose(fd int32)

// SimEvent is an event of the Desc that had the tag when rt/world got it. Any stack.
func SimEvent(d *Desc, tag uint32, read, write bool) {
	events := uint32(0)
	if read {
		events |= epollIn
	}
	if write {
		events |= epollOut
	}
	ready2(dispatch(d, tag, events))
}

// Close ends the registration; unblock was called before.
func (d *Desc) Close() {
	if sys.Simulated {
		simClose(d.fd)
		d.release()
		return
	}
	var ev event
	sys.Syscall6(sysEpollCtl, uintptr(epfd), epollCtlDel, uintptr(d.fd), uintptr(unsafe.Pointer(&ev)), 0, 0)
	d.release()
}

// Break ends the wait of the thread in Poll, or the next wait if none is under
// way. Any thread, any stack, signal handlers.
func Break() {
	if atomic.LoadUint32(&initDone) == 0 || !atomic.CompareAndSwapUint32(&shared.breaking, 0, 1) {
		return
	}
	one := uint64(1)
	for int(sys.Syscall6(sysWrite, uintptr(breakFd), uintptr(unsafe.Pointer(&one)), 8, 0, 0, 0)) == -eintr {
	}
}

const eventsPerPoll = 128

// Poll fetches events from the kernel and returns the goroutines that can go on,
// linked through QueueNext; they are still in the waiting state. delay < 0 waits
// for ever, 0 not at all, > 0 so many nanoseconds. System stack, with or without P.
func Poll(delay int64) *park.G {
	if delay != 0 {
		Init() // to sleep on, though no descriptor is open yet
	} else if atomic.LoadUint32(&initDone) == 0 {
		return nil
	}
	var events [eventsPerPoll]event
	n := wait(&events, delay)
	var head, tail *park.G
	for i := 0; i < n; i++ {
		data := uint64(events[i].data[0]) | uint64(events[i].data[1])<<32
		if data == 0 {
			if delay != 0 {
				var count uint64
				sys.Syscall6(sysRead, uintptr(breakFd), uintptr(unsafe.Pointer(&count)), 8, 0, 0, 0)
				atomic.StoreUint32(&shared.breaking, 0)
			}
			continue
		}
		r, w := dispatch((*Desc)(unsafe.Pointer(uintptr(data>>16))), uint32(data&tagMask), events[i].events)
		for _, g := range [2]*park.G{r, w} {
			if g == nil {
				continue
			}
			g.QueueNext = nil
			if tail == nil {
				head = g
			} else {
				tail.QueueNext = g
			}
			tail = g
		}
	}
	return head
}

// dispatch gives one event to its descriptor.
func dispatch(d *Desc, tag, events uint32) (r, w *park.G) {
	d.mu.Lock()
	if d.tag == tag && !d.closing {
		d.broken = events == epollErr
		if events&(epollIn|epollRdhup|epollHup|epollErr) != 0 {
			r = d.event(reading)
		}
		if events&(epollOut|epollHup|epollErr) != 0 {
			w = d.event(writing)
		}
	}
	d.mu.Unlock()
	return r, w
}

// wait is epoll_pwait2, with nanoseconds, or epoll_pwait, whose milliseconds are
// rounded up. A signal ends it early with no events: the caller computes its
// delay anew.
func wait(events *[eventsPerPoll]event, delay int64) int {
	r := 0
	if delay <= 0 || atomic.LoadUint32(&noPwait2) != 0 {
		ms := delay
		if delay > 0 {
			ms = min((delay+999999)/1000000, 1<<31-1)
		}
		r = int(sys.Syscall6(sysEpollPwait, uintptr(epfd), uintptr(unsafe.Pointer(events)), eventsPerPoll, uintptr(ms), 0, 0))
	} else {
		ts := [2]int64{delay / 1e9, delay % 1e9}
		r = int(sys.Syscall6(sysEpollPwait2, uintptr(epfd), uintptr(unsafe.Pointer(events)), eventsPerPoll, uintptr(unsafe.Pointer(&ts)), 0, 0))
		if r < 0 && r != -eintr {
			// ENOSYS, or what a sandbox that does not know the call says. If it is something else,
			// the old call will say so.
			atomic.StoreUint32(&noPwait2, 1)
			return 0
		}
	}
	if r < 0 {
		if r != -eintr {
			must(uintptr(r), "epoll_pwait")
		}
		return 0
	}
	return r
}
