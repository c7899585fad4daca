package disk

import "unsafe"

// entry is a name in a directory.
type entry struct {
	chain      *entry // in the table
	next, prev *entry // by age
	node       *Node  // nil: the real directory has the name, and it was removed here
	hash       uint32
	name       string
}

func hashOf(name string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}

// find returns the directory's entry of a name, or nil.
func (n *Node) find(name string) *entry {
	if n.table.n == 0 {
		return nil
	}
	h := hashOf(name)
	for e := n.table.all()[h&uint32(n.table.n-1)]; e != nil; e = e.chain {
		if e.hash == h && e.name == name {
			return e
		}
	}
	return nil
}

// enter makes an entry; nil if there is no room.
func (d *Disk) enter(dir *Node, name string) *entry {
	if dir.count >= dir.table.n && !d.widen(dir) {
		return nil
	}
	e := (*entry)(d.arena.get(unsafe.Sizeof(entry{})))
	if e == nil {
		return nil
	}
	ok := false
	if e.name, ok = d.arena.text(name); !ok {
		return nil
	}
	e.hash = hashOf(name)
	at := &dir.table.all()[e.hash&uint32(dir.table.n-1)]
	e.chain, *at = *at, e
	e.prev = dir.last
	if dir.last != nil {
		dir.last.next = e
	} else {
		dir.first = e
	}
	dir.last = e
	dir.count++
	return e
}

// widen doubles the directory's table.
func (d *Disk) widen(dir *Node) bool {
	size := max(8, 2*dir.table.n)
	to := (**entry)(d.arena.get(uintptr(size) * unsafe.Sizeof(dir.first)))
	if to == nil {
		return false
	}
	dir.table.drop(&d.arena)
	dir.table = vector[*entry]{to, size, size}
	for e := dir.first; e != nil; e = e.next {
		at := &dir.table.all()[e.hash&uint32(size-1)]
		e.chain, *at = *at, e
	}
	return true
}

// leave removes an entry.
func (d *Disk) leave(dir *Node, e *entry) {
	at := &dir.table.all()[e.hash&uint32(dir.table.n-1)]
	for *at != e {
		at = &(*at).chain
	}
	*at = e.chain
	if e.prev != nil {
		e.prev.next = e.next
	} else {
		dir.first = e.next
	}
	if e.next != nil {
		e.next.prev = e.prev
	} else {
		dir.last = e.prev
	}
	dir.count--
	d.arena.dropText(e.name)
	d.arena.put(unsafe.Pointer(e), unsafe.Sizeof(*e))
}

// Lookup returns what a name of the directory leads to, nil if there is none.
func (d *Disk) Lookup(dir *Node, name string) *Node {
	if e := dir.find(name); e != nil {
		return e.node
	}
	if dir.whole {
		return nil
	}
	var path [pageSize]byte
	k := copy(path[:], dir.real)
	if k > 1 {
		k += copy(path[k:], "/")
	}
	k += copy(path[k:], name)
	var st Real
	if Host.Stat(unsafe.String(&path[0], k), &st) != 0 {
		return nil
	}
	return d.take(dir, name, &st, unsafe.String(&path[0], k))
}

// take makes the entry and the node of a real name.
func (d *Disk) take(dir *Node, name string, st *Real, path string) *Node {
	e := d.enter(dir, name)
	if e == nil {
		return nil
	}
	n := d.adopt(st, path)
	if n == nil {
		d.leave(dir, e)
		return nil
	}
	d.join(dir, e, n)
	return n
}

// join lets an entry lead to a node, or to none.
func (d *Disk) join(dir *Node, e *entry, n *Node) {
	if old := e.node; old != nil {
		old.names--
		if old.IsDir() {
			dir.subdirs--
		}
	}
	e.node = n
	if n != nil {
		n.names++
		if n.IsDir() {
			d.moveTo(n, dir)
			dir.subdirs++
		}
	}
}

// moveTo makes dir the parent of a directory.
func (d *Disk) moveTo(n, dir *Node) {
	dir.held++
	old := n.parent
	n.parent = dir
	if old != nil {
		old.held--
		d.collect(old)
	}
}

// set lets a name lead to a node, or to none. It is not in the journal.
func (d *Disk) set(dir *Node, name string, n *Node) bool {
	e := dir.find(name)
	if e == nil {
		if n == nil && dir.whole {
			return true
		}
		if e = d.enter(dir, name); e == nil {
			return false
		}
	}
	d.join(dir, e, n)
	if n == nil && dir.whole {
		d.leave(dir, e)
	}
	return true
}

// Discreet lets a real directory list only what is made here or was asked for by its name, as
// others change it all the time.
func (d *Disk) Discreet(dir *Node) {
	dir.discreet = true
	dir.Mtime, dir.Ctime, dir.Atime = Host.Start, Host.Start, Host.Start
}

// gather takes in all names of the real directory.
func (d *Disk) gather(dir *Node) (errno int32) {
	if dir.whole || dir.discreet {
		return 0
	}
	fd := Host.Open(dir.real)
	if fd < 0 {
		return -fd
	}
	var buf [pageSize]byte
	for {
		k := Host.Names(fd, buf[:])
		if k < 0 {
			errno = int32(-k)
		}
		if k <= 0 {
			break
		}
		for b := buf[:k]; len(b) > 0; {
			size := int(b[16]) | int(b[17])<<8
			name := b[19:size]
			end := 0
			for name[end] != 0 {
				end++
			}
			if s := unsafe.String(&name[0], end); s != "." && s != ".." {
				d.Lookup(dir, s)
			}
			b = b[size:]
		}
	}
	Host.Close(fd)
	dir.whole = errno == 0
	if dir.whole {
		for e := dir.first; e != nil; {
			next := e.next
			if e.node == nil {
				d.leave(dir, e)
			}
			e = next
		}
	}
	return errno
}

// IsEmpty reports whether the directory has no names.
func (d *Disk) IsEmpty(dir *Node) bool {
	d.gather(dir)
	for e := dir.first; e != nil; e = e.next {
		if e.node != nil {
			return false
		}
	}
	return true
}

// Listed is a name of a listing.
type Listed struct {
	Name string
	Ino  uint64
	Kind uint32
}

// A Listing is what a directory held when it was read from the start, in the order of Salt.
type Listing struct{ names vector[Listed] }

// List makes a listing; dots are first.
func (d *Disk) List(dir *Node) (l Listing, errno int32) {
	if errno = d.gather(dir); errno != 0 {
		return l, errno
	}
	a := &d.arena
	ok := l.names.add(a, Listed{".", dir.Ino, Dir}) && l.names.add(a, Listed{"..", dir.parent.Ino, Dir})
	for e := dir.first; e != nil && ok; e = e.next {
		if e.node == nil {
			continue
		}
		var name string
		if name, ok = a.text(e.name); ok {
			ok = l.names.add(a, Listed{name, e.node.Ino, e.node.Kind()})
		}
	}
	if !ok {
		d.Drop(&l)
		return l, ENOSPC
	}
	d.order(l.names.all()[2:])
	dir.Atime = Host.Now()
	return l, 0
}

// order sorts names by a hash that the disk's Salt decides: a directory that does not change has
// the same order each time. It is Shell's sort, with gaps of powers of two less one.
func (d *Disk) order(names []Listed) {
	gap := 1
	for gap < len(names) {
		gap = 2*gap + 1
	}
	for ; gap > 0; gap /= 2 {
		for i := gap; i < len(names); i++ {
			n, k := names[i], i
			for ; k >= gap && d.before(&n, &names[k-gap]); k -= gap {
				names[k] = names[k-gap]
			}
			names[k] = n
		}
	}
}

func (d *Disk) before(a, b *Listed) bool {
	x, y := d.rank(a.Name), d.rank(b.Name)
	return x < y || x == y && a.Name < b.Name
}

func (d *Disk) rank(name string) uint64 {
	x := uint64(hashOf(name)) ^ d.Salt
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	return (x ^ x>>27) * 0x94d049bb133111eb
}

// All are the names of the listing.
func (l *Listing) All() []Listed { return l.names.all() }

// Drop gives a listing's memory back.
func (d *Disk) Drop(l *Listing) {
	for i := 2; i < l.names.n; i++ {
		d.arena.dropText(l.names.all()[i].Name)
	}
	l.names.drop(&d.arena)
	l.names.n = 0
}
