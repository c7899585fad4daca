package disk

import "unsafe"

// The bytes of files are in pages, which a tree of tables leads to. A page has two versions, the
// content that reads see and the durable one, which may be the same.

// content is the address of a page of bytes, or one of these.
type content uintptr

const (
	original content = 0 // as it began: what the real file has there, or zeros
	zeros    content = 1
)

type versions struct{ now, durable content }

const (
	leafBits  = 8 // entries of a leaf: it has the size of a page
	innerBits = 9
)

type (
	leaf  [1 << leafBits]versions
	inner [1 << innerBits]unsafe.Pointer
)

// versions returns those of page k; nil if there is none, or no room to make it.
func (d *Disk) versions(n *Node, k int64, create bool) *versions {
	for k>>(leafBits+innerBits*n.height) != 0 {
		if !create {
			return nil
		}
		if n.pages != nil {
			t := (*inner)(d.arena.get(pageSize))
			if t == nil {
				return nil
			}
			t[0] = n.pages
			n.pages = unsafe.Pointer(t)
		}
		n.height++
	}
	at := &n.pages
	for h := n.height; ; h-- {
		if *at == nil {
			if !create {
				return nil
			}
			if *at = d.arena.get(pageSize); *at == nil {
				return nil
			}
		}
		if h == 0 {
			return &(*leaf)(*at)[k&(1<<leafBits-1)]
		}
		at = &(*inner)(*at)[k>>(leafBits+innerBits*(h-1))&(1<<innerBits-1)]
	}
}

// is returns what page k is: its bytes, or nil if it is zeros or has to be read from the real file.
func (n *Node) is(c content, k int64) (bytes *[pageSize]byte, real bool) {
	switch c {
	case original:
		return nil, k*pageSize < n.realSize
	case zeros:
		return nil, false
	}
	return (*[pageSize]byte)(pointer(uintptr(c))), false
}

// now is what readers see of page k.
func (d *Disk) now(n *Node, k int64) (bytes *[pageSize]byte, real bool) {
	s := d.versions(n, k, false)
	if s == nil {
		return n.is(original, k)
	}
	return n.is(s.now, k)
}

// readReal reads the real file. Behind its end, and where it cannot be read, are zeros.
func (d *Disk) readReal(n *Node, to []byte, at int64) (errno int32) {
	if n.realFD == 0 || n.realEpoch != d.epoch {
		fd := Host.Open(n.real)
		if fd < 0 {
			clear(to)
			return -fd
		}
		n.realFD, n.realEpoch = fd, d.epoch
	}
	got, k := 0, 1
	for k > 0 && got < len(to) && at+int64(got) < n.realSize {
		k = Host.Read(n.realFD, to[got:min(int64(len(to)), n.realSize-at)], at+int64(got))
		got += max(k, 0)
	}
	if d.many {
		d.closeReal(n)
	}
	if k < 0 {
		return int32(-k)
	}
	clear(to[got:])
	return 0
}

// Read reads what there is at a place: bytes, or a negative error number.
func (d *Disk) Read(n *Node, to []byte, at int64) int {
	if at >= n.Size || at < 0 {
		return 0
	}
	to = to[:min(int64(len(to)), n.Size-at)]
	done := 0
	for done < len(to) {
		k, off := (at+int64(done))/pageSize, int((at+int64(done))%pageSize)
		part := to[done:min(len(to), done+pageSize-off)]
		page, real := d.now(n, k)
		switch {
		case page != nil:
			copy(part, page[off:])
		case real:
			if errno := d.readReal(n, part, k*pageSize+int64(off)); errno != 0 {
				return -int(errno)
			}
		default:
			clear(part)
		}
		done += len(part)
	}
	return done
}

// Write changes the bytes at a place, and lets the file grow: how many bytes, or a negative
// error number.
func (d *Disk) Write(n *Node, from []byte, at int64) int {
	if at < 0 || at+int64(len(from)) < at || at+int64(len(from)) > 1<<50 {
		return -EFBIG
	}
	done := 0
	for done < len(from) {
		k, off := (at+int64(done))/pageSize, int((at+int64(done))%pageSize)
		part := from[done:min(len(from), done+pageSize-off)]
		page, errno := d.writable(n, k, len(part) == pageSize)
		if errno != 0 {
			if done == 0 {
				return -int(errno)
			}
			break
		}
		copy(page[off:], part)
		done += len(part)
	}
	n.Size = max(n.Size, at+int64(done))
	if done > 0 {
		n.touch()
	}
	return done
}

// writable returns page k for changes: a copy, if the durable content is still needed. whole says
// that all of it will be written.
func (d *Disk) writable(n *Node, k int64, whole bool) (*[pageSize]byte, int32) {
	s := d.versions(n, k, true)
	if s == nil {
		return nil, ENOSPC
	}
	old, real := n.is(s.now, k)
	if old != nil && s.now != s.durable {
		return old, 0
	}
	if d.Room != 0 && d.used+pageSize > d.Room {
		return nil, ENOSPC
	}
	page := (*[pageSize]byte)(d.arena.get(pageSize))
	if page == nil {
		return nil, ENOSPC
	}
	switch {
	case whole:
	case old != nil:
		*page = *old
	case real:
		if errno := d.readReal(n, page[:], k*pageSize); errno != 0 {
			d.arena.put(unsafe.Pointer(page), pageSize)
			return nil, errno
		}
	}
	if !d.soil(n, s, k) {
		d.arena.put(unsafe.Pointer(page), pageSize)
		return nil, ENOSPC
	}
	d.used += pageSize
	s.now = content(uintptr(unsafe.Pointer(page)))
	return page, 0
}

// soil notes that page k will differ from its durable content.
func (d *Disk) soil(n *Node, s *versions, k int64) bool {
	return s.now != s.durable || n.dirty.add(&d.arena, k)
}

// Truncate sets the size.
func (d *Disk) Truncate(n *Node, size int64) (errno int32) {
	if size < 0 {
		return EINVAL
	}
	if size > 1<<50 {
		return EFBIG
	}
	if size < n.Size {
		if off := size % pageSize; off != 0 {
			page, errno := d.writable(n, size/pageSize, false)
			if errno != 0 {
				return errno
			}
			clear(page[off:])
		}
		for k := (size + pageSize - 1) / pageSize; k*pageSize < n.Size; k++ {
			if errno := d.empty(n, k); errno != 0 {
				return errno
			}
		}
	}
	n.Size = size
	n.touch()
	return 0
}

// empty makes page k zeros.
func (d *Disk) empty(n *Node, k int64) int32 {
	s := d.versions(n, k, k*pageSize < n.realSize)
	if s == nil {
		if k*pageSize < n.realSize {
			return ENOSPC
		}
		return 0
	}
	if page, real := n.is(s.now, k); page == nil && !real {
		return 0
	}
	if !d.soil(n, s, k) {
		return ENOSPC
	}
	if s.now != s.durable {
		d.dropPage(s.now)
	}
	s.now = zeros
	return 0
}

// Clear makes bytes zeros, and does not change the size.
func (d *Disk) Clear(n *Node, at, size int64) (errno int32) {
	for end := min(at+size, n.Size); at < end; {
		k, off := at/pageSize, at%pageSize
		next := min((k+1)*pageSize, end)
		if off == 0 && next-at == pageSize {
			if errno := d.empty(n, k); errno != 0 {
				return errno
			}
		} else {
			page, errno := d.writable(n, k, false)
			if errno != 0 {
				return errno
			}
			clear(page[off : next-k*pageSize])
		}
		at = next
	}
	n.touch()
	return 0
}

// Sync makes durable what the node holds; a directory, and all changes of names, with it.
func (d *Disk) Sync(n *Node) {
	if n.IsDir() {
		d.commit(d.journal.n)
		return
	}
	for _, k := range n.dirty.all() {
		d.settle(d.versions(n, k, false), true)
	}
	n.dirty.n = 0
	n.dirty.drop(&d.arena)
	n.durable = n.Size
}

// SyncAll makes everything durable.
func (d *Disk) SyncAll() {
	for n := d.nodes; n != nil; n = n.next {
		if !n.IsDir() {
			d.Sync(n)
		}
	}
	d.commit(d.journal.n)
}

// settle makes the two contents of a page one: the newer or the durable one.
func (d *Disk) settle(s *versions, newer bool) {
	if s.now == s.durable {
		return
	}
	if newer {
		d.dropPage(s.durable)
		s.durable = s.now
	} else {
		d.dropPage(s.now)
		s.now = s.durable
	}
}

func (d *Disk) dropPage(c content) {
	if c != original && c != zeros {
		d.arena.put(pointer(uintptr(c)), pageSize)
		d.used -= pageSize
	}
}

// dropPages gives all pages back.
func (d *Disk) dropPages(n *Node) {
	n.dirty.n = 0
	n.dirty.drop(&d.arena)
	if n.pages != nil {
		d.dropTree(n.pages, n.height)
		n.pages = nil
	}
}

func (d *Disk) dropTree(p unsafe.Pointer, height int) {
	if height == 0 {
		for _, s := range (*leaf)(p) {
			d.dropPage(s.now)
			if s.durable != s.now {
				d.dropPage(s.durable)
			}
		}
	} else {
		for _, q := range (*inner)(p) {
			if q != nil {
				d.dropTree(q, height-1)
			}
		}
	}
	d.arena.put(p, pageSize)
}
