//go:build loam

package world

import (
	"unsafe"

	"loam/rt/heap"
	"loam/rt/sys"
	"loam/rt/timer"
)

// Programs that wait for descriptors themselves: poll, select and epoll. What can be done with a
// descriptor is the same for all of them.

// What can be done, as poll and epoll say it.
const (
	mayRead   = 0x1
	mayWrite  = 0x4
	hasFailed = 0x8
	hungUp    = 0x10
	unknown   = 0x20 // there is no such descriptor: poll's
	readHup   = 0x2000
	always    = hasFailed | hungUp
)

// can says what can be done with a file.
func (f *file) can() (events uint32) {
	switch f.what {
	case counts:
		if f.count > 0 {
			events |= mayRead
		}
		if f.count < mostCounted {
			events |= mayWrite
		}
		return events
	case watches:
		if f.watcher.events != nil {
			return mayRead
		}
		return 0
	case polls:
		if f.poller.report(1, func(uint32, uint64) {}) > 0 {
			return mayRead
		}
		return 0
	case piped:
		return f.canAsPipe()
	case socketed:
		return f.sock.can()
	}
	return mayRead | mayWrite
}

func (s *socket) can() (events uint32) {
	if s.canRead() {
		events |= mayRead
	}
	if s.canWrite() && s.state != listening {
		events |= mayWrite
	}
	if s.failed != 0 {
		events |= hasFailed
	}
	if s.in.ended {
		events |= readHup
		if s.writeEnded || s.unix && s.other == nil && s.far.connection == 0 {
			events |= hungUp
		}
	}
	if s.isStream() && (s.state == fresh || s.state == bound) {
		events |= hungUp
	}
	return events
}

// doWaits makes the calls that wait for descriptors.
func (c *call) doWaits() (r uintptr, known bool) {
	switch c.num {
	case callPoll:
		return c.poll(int64(int32(c.a3)) * 1e6), true
	case callPpoll:
		return c.poll(timeout(c.a3, 1)), true
	case callSelect:
		return c.selects(timeout(c.a5, 1000)), true
	case callPselect6:
		return c.selects(timeout(c.a5, 1)), true
	case callEpollCreate, callEpollCreate1:
		f := newFile(polls)
		f.flags, f.poller = oRdwr, newPoller()
		return f.installNew(c.num == callEpollCreate1 && c.a1&oCloexec != 0), true
	case callEpollCtl:
		return c.change()
	case callEpollWait, callEpollPwait:
		return c.epoll(int64(int32(c.a4)) * 1e6), true
	case callEpollPwait2:
		return c.epoll(timeout(c.a4, 1)), true
	case callEventfd:
		return makeCounter(c.a1, 0), true
	case callEventfd2:
		return makeCounter(c.a1, c.a2), true
	}
	return 0, false
}

// timeout reads seconds and a part of them, in units of so many nanoseconds; negative: there is
// none.
func timeout(p uintptr, unit int64) int64 {
	if p == 0 {
		return -1
	}
	t := (*[2]int64)(sys.Ptr(p))
	return t[0]*1e9 + t[1]*unit
}

// awaitOr lets the call be made again when something has happened, or when so many nanoseconds are
// over, after which it returns 0; negative: never.
func (c *call) awaitOr(ns int64) uintptr {
	if ns >= 0 && c.alarm == nil {
		c.alarm = newAlarm(sys.SimTime.Now + ns)
	}
	if c.alarm != nil && sys.SimTime.Now >= c.alarm.at {
		return 0
	}
	c.wait, c.seen = true, events
	return 0
}

// alarm ends a wait that has a limit.
type alarm struct {
	timer timer.Timer // first
	at    int64
	next  *alarm // in the free list
}

var freeAlarms *alarm

func newAlarm(at int64) *alarm {
	a := freeAlarms
	if a != nil {
		freeAlarms = a.next
	} else {
		a = (*alarm)(heap.Permanent(unsafe.Sizeof(alarm{}), 64, false))
	}
	*a = alarm{at: at}
	a.timer.Fire = func(t *timer.Timer, now, late int64) { happened() }
	if at > sys.SimTime.Now {
		a.timer.Start(at, 0)
	}
	return a
}

// endAlarm is called when the call is over.
func (c *call) endAlarm() {
	if a := c.alarm; a != nil && !c.wait {
		a.timer.Stop()
		a.next, freeAlarms, c.alarm = freeAlarms, a, nil
	}
}

// poll is poll and ppoll.
func (c *call) poll(ns int64) uintptr {
	type asked struct {
		fd              int32
		events, revents uint16
	}
	n := uintptr(0)
	for i := range c.a2 {
		p := (*asked)(sys.Ptr(c.a1 + i*unsafe.Sizeof(asked{})))
		p.revents = 0
		if p.fd < 0 {
			continue
		}
		got := uint32(unknown)
		if f := lookup(uintptr(p.fd)); f != nil {
			got = f.can() & (uint32(p.events) | always)
		}
		if p.revents = uint16(got); got != 0 {
			n++
		}
	}
	if n > 0 {
		return n
	}
	return c.awaitOr(ns)
}

// selects is select and pselect6.
func (c *call) selects(ns int64) uintptr {
	const words = 16
	var got [3][words]uint64
	sets := [3]uintptr{c.a2, c.a3, c.a4}
	kinds := [3]uint32{mayRead | hungUp | hasFailed, mayWrite | hasFailed, 0}
	if c.a1 > words*64 {
		return failure(sys.EINVAL)
	}
	n := uintptr(0)
	for fd := range c.a1 {
		at, bit := fd/64, uint64(1)<<(fd%64)
		for k, set := range sets {
			if set == 0 || *(*uint64)(sys.Ptr(set + 8*at))&bit == 0 {
				continue
			}
			f := lookup(fd)
			if f == nil {
				return failure(sys.EBADF)
			}
			if f.can()&kinds[k] != 0 {
				got[k][at] |= bit
				n++
			}
		}
	}
	if n == 0 {
		if c.awaitOr(ns); c.wait {
			return 0
		}
	}
	for k, set := range sets {
		for at := uintptr(0); set != 0 && at < (c.a1+63)/64; at++ {
			*(*uint64)(sys.Ptr(set + 8*at)) = got[k][at]
		}
	}
	return n
}
