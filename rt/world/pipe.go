//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/disk"
	"loam/rt/heap"
	"loam/rt/sys"
)

// Pipes, and those with a name, which are FIFOs. What is written to one is there at once. In a
// world its bytes are in the memory that all processes share (cluster.Pipe), so that a process can
// give its ends to another one.

// pipe is one of which this process has an end.
type pipe struct {
	next             *pipe // of all, or in the free list
	node             *disk.Node
	state            *cluster.Pipe
	place            int   // of state, among those of the world
	readers, writers int32 // open files of this process
	ino              uint64
}

var pipes, freePipes *pipe

// newPipe makes the record of a pipe. state is nil for one that does not exist yet; it fails if
// there are too many.
func newPipe(n *disk.Node, state *cluster.Pipe, place int) *pipe {
	if state == nil && others != nil {
		if state, place = others.NewPipe(home(), uintptr(unsafe.Pointer(n))); state == nil {
			return nil
		}
	}
	p := freePipes
	if p != nil {
		freePipes = p.next
	} else {
		p = (*pipe)(heap.Permanent(unsafe.Sizeof(pipe{}), 64, false))
	}
	own := p.state
	if others != nil {
		own = nil
	}
	if state == nil {
		if state = own; state == nil {
			state = (*cluster.Pipe)(heap.Permanent(unsafe.Sizeof(cluster.Pipe{}), 64, false))
		}
		state.Reset(0, uintptr(unsafe.Pointer(n)))
	}
	net.made++
	*p = pipe{next: pipes, node: n, state: state, place: place, ino: net.made}
	pipes = p
	if n != nil {
		files.Open(n)
	}
	return p
}

// pipeOf is this process's record of the FIFO of a node; nil: there are too many pipes.
func pipeOf(n *disk.Node) *pipe {
	for p := pipes; p != nil; p = p.next {
		if p.node == n {
			return p
		}
	}
	if others == nil {
		return newPipe(n, nil, 0)
	}
	state, place := others.PipeOf(home(), uintptr(unsafe.Pointer(n)))
	return newPipe(n, state, place)
}

// numberedPipe is this process's record of a pipe of the world.
func numberedPipe(place int) *pipe {
	for p := pipes; p != nil; p = p.next {
		if p.place == place {
			return p
		}
	}
	state := others.Pipe(place)
	return newPipe((*disk.Node)(sys.Ptr(state.Node)), state, place)
}

// makePipe is pipe2.
func makePipe(to, flags uintptr) uintptr {
	p := newPipe(nil, nil, 0)
	if p == nil {
		return failure(errNfile)
	}
	var fds [2]int32
	for i, mode := range [2]uintptr{oRdonly, oWronly} {
		f := newFile(piped)
		f.pipe, f.flags = p, flags&oNonblock|mode
		p.join(mode)
		fd := f.installNew(flags&oCloexec != 0)
		if int(fd) < 0 {
			if i == 1 {
				closeFD(uintptr(fds[0]))
			}
			return fd
		}
		fds[i] = int32(fd)
	}
	*(*[2]int32)(sys.Ptr(to)) = fds
	return 0
}

// openFIFO opens the FIFO of a node, and waits until its other end is opened, too.
func (c *call) openFIFO(n *disk.Node, flags uintptr) uintptr {
	mode := flags & accessMode
	if c.opened == nil {
		p := pipeOf(n)
		if p == nil {
			return failure(errNfile)
		}
		if mode == oWronly && flags&oNonblock != 0 && p.state.Readers == 0 {
			p.dropUnused()
			return failure(errNxio)
		}
		c.opened = newFile(piped)
		c.opened.pipe, c.opened.flags, c.opened.refs = p, flags, 1
		c.seenRead, c.seenWritten = p.state.Read, p.state.Written
		p.join(mode)
	}
	s := c.opened.pipe.state
	alone := mode == oRdonly && s.Writers == 0 && s.Written == c.seenWritten ||
		mode == oWronly && s.Readers == 0 && s.Read == c.seenRead
	if alone && flags&oNonblock == 0 {
		c.wait, c.seen = true, events
		return 0
	}
	c.opened.refs = 0
	return c.opened.installNew(flags&oCloexec != 0)
}

// count counts ends that this process has.
func (p *pipe) count(mode uintptr, by int32) {
	if mode != oWronly {
		p.readers += by
	}
	if mode != oRdonly {
		p.writers += by
	}
}

// join notes that this process has opened an end.
func (p *pipe) join(mode uintptr) {
	p.count(mode, 1)
	s := p.state
	if mode != oWronly {
		s.Readers++
		s.Read++
	}
	if mode != oRdonly {
		s.Writers++
		s.Written++
	}
	if others != nil {
		s.Holders.Add(me)
	}
	p.stirred(true, true)
}

// leave notes that it has closed one.
func (p *pipe) leave(mode uintptr) {
	p.count(mode, -1)
	s := p.state
	if mode != oWronly {
		s.Readers--
	}
	if mode != oRdonly {
		s.Writers--
	}
	if others != nil && p.readers+p.writers == 0 {
		s.Holders.Remove(me)
	}
	p.stirred(true, true)
	p.dropUnused()
}

// dropUnused forgets what this process has no end of.
func (p *pipe) dropUnused() {
	if p.readers+p.writers > 0 {
		return
	}
	at := &pipes
	for *at != p {
		at = &(*at).next
	}
	*at = p.next
	if p.node != nil {
		files.Close(p.node)
	}
	if others != nil {
		p.state = nil
	}
	p.next, freePipes = freePipes, p
}

// stirred tells all who wait for an end of it to look again.
func (p *pipe) stirred(read, write bool) {
	p.notify(read, write)
	if others != nil {
		p.tellOthers()
	}
}

// tellOthers is stirred for other processes.
func (p *pipe) tellOthers() {
	f := cluster.Frame{Kind: cluster.Stirred, Machine: int32(me), When: sys.SimTime.Now + cluster.Lookahead, Size: uint32(p.place)}
	for k := range cluster.MaxProcesses {
		if k != me && p.state.Holders.Has(k) {
			post(k, &f, nil)
		}
	}
}

// notify is stirred for this process.
func (p *pipe) notify(read, write bool) {
	for fd := range highest + 1 {
		if f := table[fd].file; f != nil && f.what == piped && f.pipe == p {
			mode := f.flags & accessMode
			f.notifyAt(fd, read && mode != oWronly, write && mode != oRdonly)
		}
	}
	happened()
}

// stirredElsewhere is for a pipe that another process has used.
func stirredElsewhere(place int) {
	for p := pipes; p != nil; p = p.next {
		if p.place == place {
			p.notify(true, true)
			return
		}
	}
}

// canAsPipe says what can be done with an end of a pipe.
func (f *file) canAsPipe() (events uint32) {
	s, mode := f.pipe.state, f.flags&accessMode
	if mode != oWronly {
		if s.Len() > 0 {
			events |= mayRead
		}
		if s.Writers == 0 {
			events |= hungUp
		}
	}
	if mode != oRdonly {
		if s.Room() >= cluster.PipeAtom || s.Readers == 0 {
			events |= mayWrite
		}
		if s.Readers == 0 {
			events |= hasFailed
		}
	}
	return events
}

// doPipe makes the calls of a pipe.
func (f *file) doPipe(c *call) (r uintptr, known bool) {
	switch c.num {
	case sys.SYS_READ:
		return f.readPipe(c, [2]uintptr{c.a2, c.a3}), true
	case sys.SYS_WRITE:
		return f.writePipe(c, [2]uintptr{c.a2, c.a3}), true
	case callReadv, callWritev:
		for i := range c.a3 { // one part that has bytes is as much as a call has to take
			v := *(*[2]uintptr)(sys.Ptr(c.a2 + 16*i))
			if v[1] > 0 && c.num == callReadv {
				return f.readPipe(c, v), true
			} else if v[1] > 0 {
				return f.writePipe(c, v), true
			}
		}
		return 0, true
	case sys.SYS_FSTAT:
		if n := f.pipe.node; n != nil {
			fillStat(n, c.a2)
			return 0, true
		}
		*(*kernelStat)(sys.Ptr(c.a2)) = kernelStat{dev: 1, ino: f.pipe.ino, nlink: 1, mode: disk.Pipe | 0o600, blksize: 4096}
		return 0, true
	case sys.SYS_LSEEK, sys.SYS_PREAD64, callPwrite64:
		return failure(errSpipe), true
	}
	return failure(sys.EINVAL), true
}

func (f *file) readPipe(c *call, to [2]uintptr) uintptr {
	s := f.pipe.state
	switch {
	case f.flags&accessMode == oWronly:
		return failure(sys.EBADF)
	case to[1] == 0:
		return 0
	case s.Len() == 0 && s.Writers == 0:
		return 0
	case s.Len() == 0:
		return c.block(c.blocks(), sys.EAGAIN)
	}
	was := s.Room()
	n := s.Take(bytesAt(to[0], to[1]))
	if was < cluster.PipeAtom {
		f.pipe.stirred(false, true)
	}
	return uintptr(n)
}

func (f *file) writePipe(c *call, from [2]uintptr) uintptr {
	s := f.pipe.state
	switch {
	case f.flags&accessMode == oRdonly:
		return failure(sys.EBADF)
	case s.Readers == 0:
		return failure(errPipe)
	case from[1] == 0:
		return 0
	case s.Room() == 0 || from[1] <= cluster.PipeAtom && uintptr(s.Room()) < from[1]:
		return c.block(c.blocks(), sys.EAGAIN)
	}
	n := s.Put(bytesAt(from[0], from[1]))
	f.pipe.stirred(true, false)
	return uintptr(n)
}
