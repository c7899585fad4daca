//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/heap"
	"loam/rt/sys"
)

// Descriptors that tell of changes of files (inotify). What the program does to files is noted
// where it does it; nobody else changes any.

// What happens to a file.
const (
	wasAccessed = 0x1
	wasModified = 0x2
	wasChanged  = 0x4 // its rights, owner, times or links
	wasClosed   = 0x8 // having been open for writing
	wasLeft     = 0x10
	wasOpened   = 0x20
	movedFrom   = 0x40
	movedTo     = 0x80
	wasCreated  = 0x100
	wasDeleted  = 0x200
	isGone      = 0x400 // what is watched itself
	hasMoved    = 0x800
	allWatched  = 0xfff

	overflowed  = 0x4000 // events
	noLonger    = 0x8000 // watched
	onlyDir     = 0x1000000
	dontFollow  = 0x2000000
	alreadyNot  = 0x10000000
	moreToo     = 0x20000000
	isDirectory = 0x40000000
	once        = 0x80000000
	mostUnread  = 16384
	eventHeader = 16
	watchedOnly = onlyDir | dontFollow | alreadyNot | moreToo
)

// watcher is what such a descriptor stands for.
type watcher struct {
	file        *file
	first       *watch
	last        int32 // watch that was made
	events      *change
	latest      *change
	unread      int
	next, older *watcher // in the free list, of all
}

// watch is a file or directory that is watched. It has it open, so that it stays.
type watch struct {
	next *watch
	node *disk.Node
	wd   int32
	mask uint32
}

// change is an event that was not read yet; size bytes of its record follow it.
type change struct {
	next *change
	size int
}

func (e *change) record() []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(e), unsafe.Sizeof(*e))), e.size)
}

var (
	watchers, freeWatchers *watcher
	freeWatches            *watch
	moves                  uint32 // that were told of
)

// doWatch makes the calls of watchers.
func (c *call) doWatch() (r uintptr, known bool) {
	switch c.num {
	case callInotifyInit, callInotifyInit1:
		flags := uintptr(0)
		if c.num == callInotifyInit1 {
			flags = c.a1
		}
		return makeWatcher(flags), true
	case callInotifyAddWatch, callInotifyRmWatch:
		f := lookup(c.a1)
		switch {
		case f == nil:
			return failure(sys.EBADF), true
		case f.what != watches:
			return failure(sys.EINVAL), true
		case c.num == callInotifyRmWatch:
			return f.watcher.forget(int32(c.a2)), true
		}
		return f.watcher.watch(c.a2, uint32(c.a3)), true
	}
	return 0, false
}

func makeWatcher(flags uintptr) uintptr {
	if flags&^(oNonblock|oCloexec) != 0 {
		return failure(sys.EINVAL)
	}
	w := freeWatchers
	if w != nil {
		freeWatchers = w.next
	} else {
		w = (*watcher)(heap.Permanent(unsafe.Sizeof(watcher{}), 64, false))
	}
	f := newFile(watches)
	f.flags, f.watcher = flags&oNonblock, w
	*w = watcher{file: f, older: watchers}
	watchers = w
	return f.installNew(flags&oCloexec != 0)
}

// close ends all watches.
func (w *watcher) close() {
	for w.first != nil {
		w.drop(&w.first)
	}
	for w.events != nil {
		w.take()
	}
	at := &watchers
	for *at != w {
		at = &(*at).older
	}
	*at = w.older
	w.next, freeWatchers = freeWatchers, w
}

// watch is inotify_add_watch.
func (w *watcher) watch(path uintptr, mask uint32) uintptr {
	n, errno := found(here, path, mask&dontFollow == 0)
	switch {
	case mask&allWatched == 0, mask&alreadyNot != 0 && mask&moreToo != 0:
		errno = sys.EINVAL
	case errno != 0:
	case mask&onlyDir != 0 && !n.IsDir():
		errno = errNotDir
	default:
		errno = files.May(n, disk.Read)
	}
	if errno != 0 {
		return failure(errno)
	}
	for i := w.first; i != nil; i = i.next {
		if i.node != n {
			continue
		}
		if mask&alreadyNot != 0 {
			return failure(disk.EEXIST)
		}
		if mask&moreToo != 0 {
			mask |= i.mask
		}
		i.mask = mask &^ watchedOnly
		return uintptr(i.wd)
	}
	i := freeWatches
	if i != nil {
		freeWatches = i.next
	} else {
		i = (*watch)(heap.Permanent(unsafe.Sizeof(watch{}), 64, false))
	}
	w.last++
	*i = watch{next: w.first, node: n, wd: w.last, mask: mask &^ watchedOnly}
	w.first = i
	files.Open(n)
	return uintptr(i.wd)
}

// forget is inotify_rm_watch.
func (w *watcher) forget(wd int32) uintptr {
	for at := &w.first; *at != nil; at = &(*at).next {
		if (*at).wd == wd {
			w.end(at)
			return 0
		}
	}
	return failure(sys.EINVAL)
}

// end ends a watch, and says so.
func (w *watcher) end(at **watch) {
	w.add((*at).wd, noLonger, 0, "")
	w.drop(at)
}

func (w *watcher) drop(at **watch) {
	i := *at
	*at = i.next
	files.Close(i.node)
	i.next, freeWatches = freeWatches, i
}

// add lets the program read an event, if it is not what it would read last anyway.
func (w *watcher) add(wd int32, mask, cookie uint32, name string) {
	if w.unread >= mostUnread {
		if w.unread > mostUnread {
			return
		}
		wd, mask, cookie, name = -1, overflowed, 0, ""
	}
	size := eventHeader
	if name != "" {
		size += (len(name) + 1 + 15) &^ 15
	}
	e := (*change)(allocate(int(unsafe.Sizeof(change{})) + size))
	*e = change{size: size}
	b := e.record()
	clear(b)
	*(*[4]uint32)(unsafe.Pointer(&b[0])) = [4]uint32{uint32(wd), mask, cookie, uint32(size - eventHeader)}
	copy(b[eventHeader:], name)
	if last := w.latest; last != nil && last.size == size &&
		sys.Compare(unsafe.Pointer(&last.record()[0]), unsafe.Pointer(&b[0]), uintptr(size)) == 0 {
		e.drop()
		return
	}
	if w.events == nil {
		w.events = e
	} else {
		w.latest.next = e
	}
	w.latest = e
	w.unread++
	w.file.notify(true, false)
}

func (e *change) drop() { freePiece(unsafe.Pointer(e), int(unsafe.Sizeof(*e))+e.size) }

// take forgets the first event.
func (w *watcher) take() {
	e := w.events
	if w.events = e.next; w.events == nil {
		w.latest = nil
	}
	w.unread--
	e.drop()
}

// doWatcher makes the calls of such a descriptor.
func (f *file) doWatcher(c *call) (r uintptr, known bool) {
	switch c.num {
	case sys.SYS_READ:
		w := f.watcher
		switch {
		case w.events == nil:
			return c.block(f.flags&oNonblock == 0, sys.EAGAIN), true
		case w.events.size > int(c.a3):
			return failure(sys.EINVAL), true
		}
		to, n := bytesAt(c.a2, c.a3), 0
		for w.events != nil && n+w.events.size <= len(to) {
			n += copy(to[n:], w.events.record())
			w.take()
		}
		return uintptr(n), true
	case sys.SYS_FSTAT:
		*(*kernelStat)(sys.Ptr(c.a2)) = kernelStat{dev: 1, ino: 1, nlink: 1, mode: 0o600, blksize: 4096}
		return 0, true
	case sys.SYS_LSEEK:
		return failure(errSpipe), true
	}
	return failure(sys.EINVAL), true
}

// readable is how many bytes can be read.
func (w *watcher) readable() (n int) {
	for e := w.events; e != nil; e = e.next {
		n += e.size
	}
	return n
}

// tell tells those who watch a directory that has the node, and then those who watch the node.
func tell(n *disk.Node, mask uint32) {
	if watchers == nil {
		return
	}
	if n.IsDir() {
		mask |= isDirectory
	}
	for w := watchers; w != nil; w = w.older {
		for at := &w.first; *at != nil; {
			i := *at
			if i.node != n && i.mask&mask&allWatched != 0 {
				if name, ok := i.node.NameOf(n); ok {
					w.told(at, mask, 0, name)
				}
			}
			if *at == i {
				at = &i.next
			}
		}
	}
	tellSelf(n, mask)
}

// tellOf tells those who watch a directory what happens to a name in it.
func tellOf(p disk.Place, n *disk.Node, mask, cookie uint32) {
	if n != nil && n.IsDir() {
		mask |= isDirectory
	}
	for w := watchers; w != nil; w = w.older {
		for at := &w.first; *at != nil; {
			i := *at
			if i.node == p.Dir && i.mask&mask&allWatched != 0 {
				w.told(at, mask, cookie, p.Name)
			}
			if *at == i {
				at = &i.next
			}
		}
	}
}

// told adds an event of a watch, which may be its last one.
func (w *watcher) told(at **watch, mask, cookie uint32, name string) {
	i := *at
	w.add(i.wd, mask, cookie, name)
	if i.mask&once != 0 {
		w.end(at)
	}
}

// tellSelf tells those who watch a node itself.
func tellSelf(n *disk.Node, mask uint32) {
	for w := watchers; w != nil; w = w.older {
		for at := &w.first; *at != nil; {
			i := *at
			if i.node == n && i.mask&mask&allWatched != 0 {
				w.told(at, mask, 0, "")
			}
			if *at == i {
				at = &i.next
			}
		}
	}
}

// tellRemoved tells of a name that is no more.
func tellRemoved(p disk.Place) {
	if watchers == nil {
		return
	}
	if !p.Node.IsDir() {
		tellSelf(p.Node, wasChanged) // its links
	}
	tellGone(p.Node)
	tellOf(p, p.Node, wasDeleted, 0)
}

// tellMoved tells of a name that has become another.
func tellMoved(from, to disk.Place, how uint32) {
	if watchers == nil {
		return
	}
	moves++
	tellOf(from, from.Node, movedFrom, moves)
	tellOf(to, from.Node, movedTo, moves)
	if how == disk.Exchange {
		moves++
		tellOf(to, to.Node, movedFrom, moves)
		tellOf(from, to.Node, movedTo, moves)
		tellSelf(from.Node, hasMoved)
		tellSelf(to.Node, hasMoved)
		return
	}
	if to.Node != nil && !to.Node.IsDir() {
		tellSelf(to.Node, wasChanged)
	}
	tellSelf(from.Node, hasMoved)
	if to.Node != nil {
		tellGone(to.Node)
	}
}

// tellGone ends the watches of a node that is no more: it has no name, and nobody else has it open.
func tellGone(n *disk.Node) {
	watched := 0
	for w := watchers; w != nil; w = w.older {
		for i := w.first; i != nil; i = i.next {
			if i.node == n {
				watched++
			}
		}
	}
	if watched == 0 || !n.IsGone(watched) {
		return
	}
	tellSelf(n, isGone)
	for w := watchers; w != nil; w = w.older {
		for at := &w.first; *at != nil; {
			if (*at).node == n {
				w.end(at)
			} else {
				at = &(*at).next
			}
		}
	}
}
