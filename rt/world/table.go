//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/disk"
	"loam/rt/heap"
	"loam/rt/netpoll"
	"loam/rt/sys"
)

// Descriptors, and what they stand for.

const (
	maxFDs  = 1 << 14
	softFDs = 1024
)

// descriptor is a number that the program has.
type descriptor struct {
	file *file // nil: it is free
	exec bool  // it stays when another program is executed
	desc *netpoll.Desc
	tag  uint32
}

// table has all descriptors.
var table *[maxFDs]descriptor

var (
	lowestFree = 0 // no lower descriptor is free
	highest    = 0 // no higher one is in use
)

// what a file is.
type what uint8

const (
	real     what = iota // standard input, output, error
	onDisk               // a node
	socketed             // a socket
	piped                // an end of a pipe
	counts               // a number (eventfd)
	polls                // other descriptors (epoll)
	watches              // files (inotify)
)

// file is an open file, which several descriptors can stand for.
type file struct {
	what what
	refs int32
	fd   int32 // the last one that it was given

	flags     uintptr // of open
	open      *cluster.Open
	own       cluster.Open // what open leads to, until another process has the file, too
	openPlace int          // of open, among those of the world
	osFD      uintptr      // the system's
	node      *disk.Node
	sock      *socket
	pipe      *pipe

	count     uint64 // what counts
	semaphore bool
	poller    *poller // what polls
	watcher   *watcher

	listing disk.Listing
	listed  bool

	next *file // in the free list
}

var freeFiles *file

func startTable() {
	table = (*[maxFDs]descriptor)(sys.MapAnon(unsafe.Sizeof(*table)))
	if isChild() {
		takeHanded()
		return
	}
	for fd := range 3 {
		f := newFile(real)
		f.flags = [...]uintptr{oRdonly, oWronly, oWronly}[fd]
		f.osFD = uintptr(fd)
		install(f, true, 0)
	}
}

// Print takes what the run-time system prints if standard error is not the real one, and returns
// how many bytes it has taken. What a full pipe has no room for goes to the real one. Any stack.
func Print(p unsafe.Pointer, n int) (taken int) {
	if table == nil || failing {
		return 0
	}
	f := table[2].file
	switch {
	case f == nil || f.flags&accessMode == oRdonly:
		return n
	case f.what == onDisk:
		at := f.open.Pos
		if f.flags&oAppend != 0 {
			at = f.node.Size
		}
		if k := files.Write(f.node, unsafe.Slice((*byte)(p), n), at); k > 0 {
			f.open.Pos = at + int64(k)
		}
		return n
	case f.what == piped && f.pipe.state.Readers == 0:
		return n
	case f.what == piped:
		taken = f.pipe.state.Put(unsafe.Slice((*byte)(p), n))
		if sys.Dying && others != nil {
			f.pipe.tellOthers()
		} else if !sys.Dying {
			sys.OnSystemStack(func() { f.pipe.stirred(true, false) })
		}
	}
	return taken
}

func newFile(w what) *file {
	f := freeFiles
	if f != nil {
		freeFiles = f.next
		*f = file{}
	} else {
		f = (*file)(heap.Permanent(unsafe.Sizeof(file{}), 64, false))
	}
	f.what, f.open = w, &f.own
	return f
}

// install gives f the lowest descriptor that is free and not below least; negative: an error
// number.
func install(f *file, exec bool, least int) int {
	at := max(least, lowestFree)
	for at < maxFDs && table[at].file != nil {
		at++
	}
	if at >= maxFDs {
		return -errMfile
	}
	if least <= lowestFree {
		lowestFree = at + 1
	}
	put(f, at, exec)
	return at
}

func put(f *file, fd int, exec bool) {
	table[fd] = descriptor{file: f, exec: exec}
	f.refs++
	f.fd = int32(fd)
	highest = max(highest, fd)
}

// installNew is install for a file that has no descriptor yet.
func (f *file) installNew(closeOnExec bool) uintptr {
	fd := install(f, !closeOnExec, 0)
	if fd < 0 {
		f.refs = 1
		unref(f)
	}
	return uintptr(fd)
}

// lookup returns what a descriptor stands for, nil if nothing.
func lookup(fd uintptr) *file {
	if fd < maxFDs {
		return table[fd].file
	}
	return nil
}

// closeFD frees a descriptor.
func closeFD(fd uintptr) uintptr {
	f := lookup(fd)
	if f == nil {
		return failure(sys.EBADF)
	}
	table[fd] = descriptor{}
	lowestFree = min(lowestFree, int(fd))
	unref(f)
	return 0
}

// unref drops one of f's references.
func unref(f *file) {
	if f.refs--; f.refs > 0 {
		return
	}
	switch f.what {
	case onDisk:
		if f.leaveOpen() {
			f.unlock()
		}
		files.Drop(&f.listing)
		if f.flags&oPath == 0 {
			closed := uint32(wasLeft)
			if f.flags&accessMode != oRdonly {
				closed = wasClosed
			}
			tell(f.node, closed)
		}
		files.Close(f.node)
		tellGone(f.node)
	case socketed:
		f.sock.file = nil
		f.sock.close()
	case piped:
		f.pipe.leave(f.flags & accessMode)
	case polls:
		f.poller.close()
	case watches:
		f.watcher.close()
	}
	if pollers != nil {
		forgetFile(f)
	}
	f.next = freeFiles
	freeFiles = f
	happened()
}

// duplicate is dup and fcntl(F_DUPFD).
func duplicate(f *file, least uintptr, exec bool) uintptr {
	if least >= maxFDs {
		return failure(sys.EINVAL)
	}
	return uintptr(install(f, exec, int(least)))
}

// duplicateTo is dup2 and dup3.
func duplicateTo(fd, to uintptr, exec bool) uintptr {
	f := lookup(fd)
	if f == nil || to >= maxFDs {
		return failure(sys.EBADF)
	}
	if fd == to {
		return to
	}
	f.refs++
	if table[to].file != nil {
		closeFD(to)
	}
	f.refs--
	put(f, int(to), exec)
	if int(to) == lowestFree {
		lowestFree++
	}
	return to
}

// Open is netpoll's: d gets the events of fd. A file on a disk cannot be waited for.
func Open(fd int32, d *netpoll.Desc, tag uint32) (errno int) {
	start()
	f := lookup(uintptr(fd))
	if f == nil {
		return sys.EBADF
	}
	if f.what != socketed && f.what != piped && f.what != counts && f.what != watches {
		return sys.EPERM
	}
	if table[fd].desc != nil {
		return disk.EEXIST
	}
	table[fd].desc, table[fd].tag = d, tag
	if f.what == socketed {
		f.sock.ready(f.sock.canRead(), f.sock.canWrite())
	} else {
		events := f.can()
		f.notify(events&mayRead != 0, events&mayWrite != 0)
	}
	return 0
}

// Close is netpoll's: fd has no more events for anybody.
func Close(fd int32) {
	if f := lookup(uintptr(fd)); f != nil {
		table[fd].desc = nil
	}
}

// notify tells who waits for f's descriptors what they can do.
func (f *file) notify(read, write bool) {
	if f == nil || !read && !write {
		return
	}
	if d := &table[f.fd]; f.refs == 1 && d.file == f {
		f.notifyAt(int(f.fd), read, write)
	} else {
		for fd := range highest + 1 {
			if table[fd].file == f {
				f.notifyAt(fd, read, write)
			}
		}
	}
	happened()
}

// notifyAt is notify for one of f's descriptors.
func (f *file) notifyAt(fd int, read, write bool) {
	if pollers != nil {
		stirred(f)
	}
	if d := &table[fd]; d.desc != nil {
		netpoll.SimEvent(d.desc, d.tag, read, write)
	}
}
