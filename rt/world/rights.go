//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/sys"
)

// Descriptors and credentials that messages of Unix sockets carry.

// rights are the files of a message that has not been received yet. They follow it in memory.
type rights struct {
	next *rights // of the stream
	at   uint64  // place of the message in the stream
	size int     // and its bytes
	n    int
}

const (
	scmRights      = 1
	scmCredentials = 2
	soPassCred     = 16
	mostRights     = 253
	controlHeader  = 16
)

func (r *rights) files() []*file {
	return unsafe.Slice((**file)(unsafe.Add(unsafe.Pointer(r), unsafe.Sizeof(*r))), r.n)
}

// free gives the memory back.
func (r *rights) free() {
	freePiece(unsafe.Pointer(r), int(unsafe.Sizeof(*r))+8*r.n)
}

// drop closes files that nobody has received.
func (r *rights) drop() {
	if r == nil {
		return
	}
	for _, f := range r.files() {
		unref(f)
	}
	r.free()
}

// controlMessages calls each for the control messages of n bytes at p; it returns false if they are
// none, or each does.
func controlMessages(p, n uintptr, each func(level, kind int32, content []byte) bool) bool {
	for n >= controlHeader {
		size := *(*uintptr)(sys.Ptr(p))
		if size < controlHeader || size > n {
			return false
		}
		head := (*[2]int32)(sys.Ptr(p + 8))
		if !each(head[0], head[1], bytesAt(p+controlHeader, size-controlHeader)) {
			return false
		}
		size = min((size+7)&^7, n)
		p, n = p+size, n-size
	}
	return true
}

// carried makes rights of a message's control messages, nil if it has none.
func (m *message) carried() (r *rights, errno int32) {
	n, errno := 0, int32(0)
	ok := controlMessages(m.control, m.controlSize, func(level, kind int32, content []byte) bool {
		switch {
		case level != solSocket:
		case kind == scmRights:
			for i := 0; i+4 <= len(content); i += 4 {
				if lookup(uintptr(fdAt(content, i))) == nil {
					errno = sys.EBADF
				}
				n++
			}
		case kind == scmCredentials: // the receiver gets the process's own, which these have to be
			if len(content) < 12 || fdAt(content, 0) != uint32(pid()) || fdAt(content, 4) != disk.Host.UID || fdAt(content, 8) != disk.Host.GID {
				errno = sys.EPERM
			}
		default:
			return false
		}
		return errno == 0
	})
	switch {
	case errno != 0:
		return nil, errno
	case !ok || n > mostRights:
		return nil, sys.EINVAL
	case n == 0:
		return nil, 0
	}
	r = (*rights)(allocate(int(unsafe.Sizeof(*r)) + 8*n))
	*r = rights{n: n}
	n = 0
	controlMessages(m.control, m.controlSize, func(level, kind int32, content []byte) bool {
		for i := 0; level == solSocket && kind == scmRights && i+4 <= len(content); i += 4 {
			f := lookup(uintptr(fdAt(content, i)))
			f.refs++
			r.files()[n] = f
			n++
		}
		return true
	})
	return r, 0
}

func fdAt(b []byte, i int) uint32 { return *(*uint32)(unsafe.Pointer(&b[i])) }

// deliver puts what a message carries into the memory for control messages: the sender's
// credentials, if the socket wants them, and new descriptors. It returns how many bytes that are,
// and flags.
func (m *message) deliver(s *socket, r *rights) (size uintptr, flags uintptr) {
	to := control{p: m.control, room: m.controlSize}
	if s.unix && s.value(solSocket, soPassCred) != 0 {
		if b := to.add(scmCredentials, 12); len(b) == 12 {
			*(*[3]uint32)(unsafe.Pointer(&b[0])) = [3]uint32{uint32(pid()), disk.Host.UID, disk.Host.GID}
		}
	}
	if r == nil {
		return to.used, to.flags
	}
	b := to.add(scmRights, 4*r.n)
	for i, f := range r.files() {
		fd := -1
		if 4*i+4 <= len(b) {
			fd = install(f, m.flags&msgCloexec == 0, 0)
		}
		if fd < 0 {
			to.flags |= msgCtrunc
		} else {
			*(*int32)(unsafe.Pointer(&b[4*i])) = int32(fd)
		}
		unref(f) // the message's
	}
	r.free()
	return to.used, to.flags
}

// control is memory that control messages are put into.
type control struct{ p, room, used, flags uintptr }

// add adds a message of so many bytes, or as many as there is room for, and returns the memory.
func (c *control) add(kind int32, size int) []byte {
	c.p, c.used = c.p+(-c.used&7), (c.used+7)&^7
	if c.used+controlHeader > c.room {
		c.flags |= msgCtrunc
		return nil
	}
	n := min(uintptr(size), c.room-c.used-controlHeader)
	if n < uintptr(size) {
		n &^= 3
		c.flags |= msgCtrunc
	}
	*(*uintptr)(sys.Ptr(c.p)) = controlHeader + n
	*(*[2]int32)(sys.Ptr(c.p + 8)) = [2]int32{solSocket, kind}
	b := bytesAt(c.p+controlHeader, n)
	c.p, c.used = c.p+controlHeader+n, c.used+controlHeader+n
	return b
}

// carry lets bytes that were written bring rights along.
func (q *stream) carry(r *rights, at uint64, size int) {
	r.next, r.at, r.size = nil, at, size
	last := &q.rights
	for *last != nil {
		last = &(*last).next
	}
	*last = r
}

// until is how many of n bytes can be read at once: nothing behind a message that carries rights.
func (q *stream) until(n int) int {
	if r := q.rights; r != nil {
		n = min(n, int(r.at-q.taken)+r.size)
	}
	return n
}

// brought takes the rights out that the bytes have brought along that were taken last.
func (q *stream) brought() *rights {
	r := q.rights
	if r == nil || q.taken <= r.at {
		return nil
	}
	q.rights = r.next
	return r
}

// dropRights closes what the stream brings along.
func (q *stream) dropRights() {
	for r := q.rights; r != nil; r = q.rights {
		q.rights = r.next
		r.drop()
	}
}
