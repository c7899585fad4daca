//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/heap"
)

// fifo is a pipe with a name that somebody has open, or is about to. All that have it open share
// one socket, which is its own other end.
type fifo struct {
	next *fifo // of all, or in the free list
	node *disk.Node
	pipe *socket

	readers, writers int    // that have it open
	read, written    uint64 // how often it was opened for reading and for writing
}

var fifos, freeFIFOs *fifo

// fifoOf is the one of a node.
func fifoOf(n *disk.Node) *fifo {
	for f := fifos; f != nil; f = f.next {
		if f.node == n {
			return f
		}
	}
	f := freeFIFOs
	if f != nil {
		freeFIFOs = f.next
	} else {
		f = (*fifo)(heap.Permanent(unsafe.Sizeof(fifo{}), 64, false))
	}
	s := newSocket(0, sockStream)
	s.pipe, s.state, s.fifo = true, connected, f
	*f = fifo{next: fifos, node: n, pipe: s}
	fifos = f
	files.Open(n)
	return f
}

// openFIFO opens the FIFO of a node, and waits until its other end is opened, too.
func (c *call) openFIFO(n *disk.Node, flags uintptr) uintptr {
	mode := flags & accessMode
	if c.opened == nil {
		f := fifoOf(n)
		if mode == oWronly && flags&oNonblock != 0 && f.readers == 0 {
			f.dropUnused()
			return failure(errNxio)
		}
		c.opened = newFile(socketed)
		c.opened.sock, c.opened.flags, c.opened.refs = f.pipe, flags, 1
		c.seenRead, c.seenWritten = f.read, f.written
		f.join(mode)
	}
	f := c.opened.sock.fifo
	alone := mode == oRdonly && f.writers == 0 && f.written == c.seenWritten ||
		mode == oWronly && f.readers == 0 && f.read == c.seenRead
	if alone && flags&oNonblock == 0 {
		c.wait, c.seen = true, events
		return 0
	}
	c.opened.refs = 0
	return c.opened.installNew(flags&oCloexec != 0)
}

// join notes that somebody has opened it.
func (f *fifo) join(mode uintptr) {
	if mode != oWronly {
		f.readers++
		f.read++
	}
	if mode != oRdonly {
		f.writers++
		f.written++
	}
	f.changed()
}

// leave notes that somebody has closed it.
func (f *fifo) leave(mode uintptr) {
	if mode != oWronly {
		f.readers--
	}
	if mode != oRdonly {
		f.writers--
	}
	f.changed()
	f.dropUnused()
}

// changed lets everybody see who else has it open.
func (f *fifo) changed() {
	s := f.pipe
	s.other = nil
	if f.readers > 0 {
		s.other = s
	}
	s.in.ended = f.writers == 0
	f.ready(true, true)
	happened()
}

// dropUnused forgets what nobody has open, and what was written to it.
func (f *fifo) dropUnused() {
	if f.readers+f.writers > 0 {
		return
	}
	at := &fifos
	for *at != f {
		at = &(*at).next
	}
	*at = f.next
	f.pipe.other = nil
	f.pipe.close()
	files.Close(f.node)
	f.next, freeFIFOs = freeFIFOs, f
}

// ready tells those who wait for descriptors of f what they can do.
func (f *fifo) ready(read, write bool) {
	for fd := range highest + 1 {
		if file := table[fd].file; file != nil && file.what == socketed && file.sock == f.pipe {
			mode := file.flags & accessMode
			file.notifyAt(fd, read && mode != oWronly, write && mode != oRdonly)
		}
	}
}
