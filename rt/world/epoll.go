//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/heap"
	"loam/rt/sys"
)

// poller is what an epoll descriptor stands for: whom it asks, in the order in which they are
// asked.
type poller struct {
	first *interest
	next  *poller // in the free list, or of all
}

// interest is what a poller wants to know of a descriptor. It ends with the descriptor's file.
type interest struct {
	next   *interest
	file   *file
	fd     int32
	events uint32
	data   uint64
	fresh  bool // something has happened since it was reported: for those that want edges
}

const (
	edges   = 1 << 31
	oneShot = 1 << 30
	wanted  = 0x3fff | 1<<29 | 1<<28
)

var (
	pollers, freePollers *poller
	freeInterests        *interest
)

func newPoller() *poller {
	p := freePollers
	if p != nil {
		freePollers = p.next
	} else {
		p = (*poller)(heap.Permanent(unsafe.Sizeof(poller{}), 64, false))
	}
	*p = poller{next: pollers}
	pollers = p
	return p
}

// close forgets a poller.
func (p *poller) close() {
	for p.first != nil {
		p.remove(&p.first)
	}
	at := &pollers
	for *at != p {
		at = &(*at).next
	}
	*at = p.next
	p.next, freePollers = freePollers, p
}

// find is where the interest in a descriptor is linked; nil: there is none.
func (p *poller) find(f *file, fd int32) **interest {
	for at := &p.first; *at != nil; at = &(*at).next {
		if i := *at; i.file == f && i.fd == fd {
			return at
		}
	}
	return nil
}

func (p *poller) remove(at **interest) {
	i := *at
	*at = i.next
	i.next, freeInterests = freeInterests, i
}

// add appends an interest.
func (p *poller) add(i interest) {
	n := freeInterests
	if n != nil {
		freeInterests = n.next
	} else {
		n = (*interest)(heap.Permanent(unsafe.Sizeof(interest{}), 64, false))
	}
	*n = i
	n.next = nil
	at := &p.first
	for *at != nil {
		at = &(*at).next
	}
	*at = n
}

// forgetFile ends all interest in a file, which is closed.
func forgetFile(f *file) {
	for p := pollers; p != nil; p = p.next {
		for at := &p.first; *at != nil; {
			if (*at).file == f {
				p.remove(at)
			} else {
				at = &(*at).next
			}
		}
	}
}

// stirred notes that something has happened to a file.
func stirred(f *file) {
	for p := pollers; p != nil; p = p.next {
		for i := p.first; i != nil; i = i.next {
			i.fresh = i.fresh || i.file == f
		}
	}
}

// change is epoll_ctl.
func (c *call) change() (r uintptr, known bool) {
	const add, remove, modify = 1, 2, 3
	e, f, fd := lookup(c.a1), lookup(c.a3), int32(c.a3)
	switch {
	case e == nil || f == nil:
		return failure(sys.EBADF), true
	case e.what != polls || e == f:
		return failure(sys.EINVAL), true
	case f.what != socketed && f.what != piped && f.what != counts && f.what != watches && f.what != polls:
		return failure(sys.EPERM), true
	case f.what == polls && c.a2 == add:
		return 0, false // pollers of pollers
	}
	at := e.poller.find(f, fd)
	if at == nil && c.a2 != add {
		return failure(disk.ENOENT), true
	}
	events, data := uint32(0), uint64(0)
	if c.a2 != remove {
		b := bytesAt(c.a4, 12)
		events, data = fdAt(b, 0), uint64(fdAt(b, 4))|uint64(fdAt(b, 8))<<32
	}
	switch c.a2 {
	case add:
		if at != nil {
			return failure(disk.EEXIST), true
		}
		e.poller.add(interest{file: f, fd: fd, events: events, data: data, fresh: true})
	case modify:
		i := *at
		i.events, i.data, i.fresh = events, data, true
	case remove:
		e.poller.remove(at)
	default:
		return failure(sys.EINVAL), true
	}
	happened()
	return 0, true
}

// epoll is epoll_wait.
func (c *call) epoll(ns int64) uintptr {
	const size = 12
	e := lookup(c.a1)
	switch {
	case e == nil:
		return failure(sys.EBADF)
	case e.what != polls || int32(c.a3) <= 0:
		return failure(sys.EINVAL)
	}
	n := uintptr(0)
	e.poller.report(int(int32(c.a3)), func(events uint32, data uint64) {
		to := c.a2 + n*size
		*(*uint32)(sys.Ptr(to)) = events
		*(*[8]byte)(sys.Ptr(to + 4)) = *(*[8]byte)(unsafe.Pointer(&data))
		n++
	})
	if n > 0 {
		return n
	}
	return c.awaitOr(ns)
}

// report tells what up to so many descriptors can do, and lets those that it has told of wait until
// all others had their turn.
func (p *poller) report(most int, tell func(events uint32, data uint64)) (n int) {
	last := (*interest)(nil)
	for i := p.first; i != nil; i = i.next {
		last = i
	}
	for at, whole := &p.first, last; *at != nil && n < most; {
		i := *at
		got := i.file.can() & (i.events&wanted | always)
		silent := i.events&wanted == 0 || i.events&edges != 0 && !i.fresh
		if got == 0 || silent {
			at = &i.next
		} else {
			tell(got, i.data)
			n++
			if i.fresh = false; i.events&oneShot != 0 {
				i.events &^= wanted
			}
			if i != last {
				*at, last.next, i.next, last = i.next, i, nil, i
			}
		}
		if i == whole {
			break
		}
	}
	return n
}

// counts: a descriptor of a number, which writes add to and reads take (eventfd).

const mostCounted = 1<<64 - 2

func makeCounter(n, flags uintptr) uintptr {
	const semaphore = 1
	if flags&^(semaphore|oNonblock|oCloexec) != 0 {
		return failure(sys.EINVAL)
	}
	f := newFile(counts)
	f.flags, f.count, f.semaphore = oRdwr|flags&oNonblock, uint64(uint32(n)), flags&semaphore != 0
	return f.installNew(flags&oCloexec != 0)
}

// doCounter makes the calls of such a descriptor.
func (f *file) doCounter(c *call) (r uintptr, known bool) {
	switch c.num {
	case sys.SYS_READ:
		switch {
		case c.a3 < 8:
			return failure(sys.EINVAL), true
		case f.count == 0:
			return c.block(f.flags&oNonblock == 0, sys.EAGAIN), true
		}
		n := f.count
		if f.semaphore {
			n = 1
		}
		f.count -= n
		*(*uint64)(sys.Ptr(c.a2)) = n
	case sys.SYS_WRITE:
		if c.a3 < 8 {
			return failure(sys.EINVAL), true
		}
		n := *(*uint64)(sys.Ptr(c.a2))
		switch {
		case n == 1<<64-1:
			return failure(sys.EINVAL), true
		case n > mostCounted-f.count:
			return c.block(f.flags&oNonblock == 0, sys.EAGAIN), true
		}
		f.count += n
	case sys.SYS_FSTAT:
		*(*kernelStat)(sys.Ptr(c.a2)) = kernelStat{dev: 1, ino: 1, nlink: 1, mode: 0o600, blksize: 4096}
		return 0, true
	case sys.SYS_LSEEK:
		return failure(errSpipe), true
	default:
		return failure(sys.EINVAL), true
	}
	f.notify(f.count > 0, f.count < mostCounted)
	return 8, true
}
