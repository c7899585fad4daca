package disk

import "unsafe"

// Disk is a file system, at the start of its region. Make it with Attach.
type Disk struct {
	magic uint64
	arena arena
	root  *Node
	nodes *Node // all there are, linked through next
	inos  uint64
	epoch uint64 // counts processes that have had the disk, one after the other
	many  bool   // several processes have it at once

	journal vector[change]

	used  int64 // bytes of pages
	Room  int64 // how many there may be; 0: as many as memory has
	Umask uint32
	Salt  uint64 // decides the order of directories
}

const magic = 0x1d15c10a3f5e0001

// Host is what a disk needs of the rest.
var Host struct {
	// Stat looks at a real file, whose last symbolic link it does not follow. A positive error
	// number.
	Stat func(path string, st *Real) int32
	// Open opens a real file or directory for reading: a descriptor, or a negative error number.
	Open func(path string) int32
	// Close closes what Open has opened.
	Close func(fd int32)
	// Read reads a real file: bytes, or a negative error number.
	Read func(fd int32, to []byte, at int64) int
	// Names reads entries of a real directory, as getdents64 does.
	Names func(fd int32, to []byte) int
	// Link reads a real symbolic link.
	Link func(path string, to []byte) int
	// Now is the wall clock, in nanoseconds since 1970.
	Now func() int64
	// Draw returns a number below n, which the seed decides.
	Draw func(n uint64) uint64
	// Start is the wall clock at the start: no real file is newer.
	Start int64
	// UID and GID are whose files are made.
	UID, GID uint32
}

// Self is the symbolic link that leads elsewhere for each process (/proc/self), and where to for
// this one.
var Self struct {
	Node   *Node
	Target string
}

// Leads is where a symbolic link leads.
func (n *Node) Leads() string {
	if n == Self.Node {
		return Self.Target
	}
	return n.Target
}

// Original is the path of the real file that a file still is; "": it is another one, or was
// changed.
func (n *Node) Original() string {
	if n.pages != nil || n.Size != n.realSize || n.Kind() != Regular {
		return ""
	}
	return n.real
}

// Real is what Host tells of a real file.
type Real struct {
	Mode, UID, GID uint32
	Rdev           uint64
	Size           int64
	Mtime          int64
}

// Attach makes a disk in a region of zeroed memory, or takes over the one that is there.
func Attach(region unsafe.Pointer, size uintptr) *Disk {
	d := (*Disk)(region)
	if d.magic == magic {
		d.epoch++
		d.many = false
		d.closeAll()
		return d
	}
	*d = Disk{magic: magic, epoch: 1, Umask: 0o022}
	d.arena.next = uintptr(region) + unsafe.Sizeof(Disk{})
	d.arena.limit = uintptr(region) + size
	var st Real
	Host.Stat("/", &st)
	d.root = d.adopt(&st, "/")
	d.root.parent = d.root
	d.root.names = 1
	return d
}

// Share lets other processes have the disk, too, by taking it over with Join. No descriptor of a
// real file is kept then: it would be a number of one process.
func (d *Disk) Share() {
	if d.many {
		return
	}
	for n := d.nodes; n != nil; n = n.next {
		d.closeReal(n)
	}
	d.many = true
}

// Join takes over the disk that another process has in the region and shares.
func Join(region unsafe.Pointer) *Disk { return (*Disk)(region) }

// closeReal closes the node's real file.
func (d *Disk) closeReal(n *Node) {
	if n.realFD != 0 && n.realEpoch == d.epoch {
		Host.Close(n.realFD)
	}
	n.realFD = 0
}

// Root is the directory /.
func (d *Disk) Root() *Node { return d.root }

// Space says how many bytes there are, and how many are used. Without a limit there is a terabyte.
func (d *Disk) Space() (all, used int64) {
	if d.Room == 0 {
		return 1 << 40, d.used
	}
	return max(d.Room, d.used), d.used
}

// Node is a file, directory, symbolic link or device.
type Node struct {
	next, prev *Node

	Ino                 uint64
	Mode                uint32
	UID, GID            uint32
	Rdev                uint64
	Atime, Mtime, Ctime int64
	Size                int64

	names   uint32 // that lead to it
	subdirs uint32
	opens   uint32 // by the machine that uses the disk just now
	held    uint32 // by the journal

	real      string // path of the real file; "": there is none
	realSize  int64  // its bytes, by which missing pages are
	realFD    int32  // in epoch realEpoch
	realEpoch uint64

	pages   unsafe.Pointer // tree of pages (pages.go)
	height  int
	dirty   vector[int64] // pages whose durable content is another
	durable int64         // size

	parent      *Node // of a directory, which holds it
	table       vector[*entry]
	count       int // entries
	first, last *entry
	whole       bool // the real directory has no names that are not here
	discreet    bool // and does not say which

	Target string // symbolic link

	Locks Locks // flock
}

// Locks is how a file is locked by flock.
type Locks struct {
	Epoch     uint64
	Shared    int32
	Exclusive bool
}

// Kinds of Mode.
const (
	KindMask = 0o170000
	Socket   = 0o140000
	Symlink  = 0o120000
	Regular  = 0o100000
	Block    = 0o060000
	Dir      = 0o040000
	Char     = 0o020000
	Pipe     = 0o010000
)

// Kind is the kind of file.
func (n *Node) Kind() uint32 { return n.Mode & KindMask }
func (n *Node) IsDir() bool  { return n.Kind() == Dir }

// Links is the number of links as stat says it.
func (n *Node) Links() uint32 {
	if n.IsDir() {
		if n.names == 0 {
			return 0
		}
		return 2 + n.subdirs
	}
	return n.names
}

// Parent is the directory that a directory is in.
func (n *Node) Parent() *Node { return n.parent }

// Removed reports whether no name leads to the node any more.
func (n *Node) Removed() bool { return n.names == 0 }

// Blocks is how many blocks of 512 bytes the file has.
func (n *Node) Blocks() int64 { return (n.Size + pageSize - 1) / pageSize * 8 }

// Locked returns the node's locks, of the process that uses the disk now.
func (d *Disk) Locked(n *Node) *Locks {
	if n.Locks.Epoch != d.epoch {
		n.Locks = Locks{Epoch: d.epoch}
	}
	return &n.Locks
}

// make makes a node without a name. nil: there is no room.
func (d *Disk) make(mode uint32) *Node {
	n := (*Node)(d.arena.get(unsafe.Sizeof(Node{})))
	if n == nil {
		return nil
	}
	d.inos++
	n.Ino, n.Mode = d.inos+1, mode
	n.UID, n.GID = Host.UID, Host.GID
	n.Atime = Host.Now()
	n.Mtime, n.Ctime = n.Atime, n.Atime
	n.whole = true
	n.next = d.nodes
	if n.next != nil {
		n.next.prev = n
	}
	d.nodes = n
	return n
}

// New makes a file that has no name, and is open.
func (d *Disk) New(mode uint32) *Node {
	n := d.make(mode)
	if n != nil {
		n.opens = 1
	}
	return n
}

// adopt makes a node for a real file.
func (d *Disk) adopt(st *Real, path ...string) *Node {
	n := d.make(st.Mode)
	if n == nil {
		return nil
	}
	n.UID, n.GID, n.Rdev = st.UID, st.GID, st.Rdev
	n.Mtime = min(st.Mtime, Host.Start)
	n.Atime, n.Ctime = n.Mtime, n.Mtime
	ok := false
	if n.real, ok = d.arena.text(path...); !ok {
		return nil
	}
	switch n.Kind() {
	case Regular:
		n.Size, n.realSize, n.durable = st.Size, st.Size, st.Size
	case Dir:
		n.whole = false
		n.Size = pageSize
	case Symlink:
		var buf [pageSize]byte
		if k := Host.Link(n.real, buf[:]); k > 0 {
			n.Target, _ = d.arena.text(unsafe.String(&buf[0], k))
		}
		n.Size = int64(len(n.Target))
	}
	return n
}

// Open and Close count who uses a node without its name.
func (d *Disk) Open(n *Node) { n.opens++ }

// IsGone reports whether a node has no name any more, and is open so many times only.
func (n *Node) IsGone(opens int) bool { return n.names == 0 && n.opens == uint32(opens) }

func (d *Disk) Close(n *Node) {
	n.opens--
	if n.opens == 0 {
		d.closeReal(n)
	}
	d.collect(n)
}

// closeAll forgets what was open.
func (d *Disk) closeAll() {
	for n := d.nodes; n != nil; n = n.next {
		n.opens = 0
	}
	for n := d.nodes; n != nil; {
		if d.collect(n) {
			n = d.nodes // it may have been the last thing in its directory, which is gone, too
		} else {
			n = n.next
		}
	}
}

// collect gives back the memory of a node that nobody can come to any more.
func (d *Disk) collect(n *Node) bool {
	if n.names != 0 || n.opens != 0 || n.held != 0 || n == d.root {
		return false
	}
	d.closeReal(n)
	d.dropPages(n)
	for e := n.first; e != nil; {
		next := e.next
		d.arena.dropText(e.name)
		d.arena.put(unsafe.Pointer(e), unsafe.Sizeof(*e))
		e = next
	}
	n.table.drop(&d.arena)
	d.arena.dropText(n.real)
	d.arena.dropText(n.Target)
	if n.next != nil {
		n.next.prev = n.prev
	}
	if n.prev != nil {
		n.prev.next = n.next
	} else {
		d.nodes = n.next
	}
	parent := n.parent
	d.arena.put(unsafe.Pointer(n), unsafe.Sizeof(*n))
	if parent != nil {
		parent.held--
		d.collect(parent)
	}
	return true
}

// Changes counts changes of files since the process began.
var Changes uint64

// touch says that the node has changed.
func (n *Node) touch() {
	Changes++
	n.Mtime = Host.Now()
	n.Ctime = n.Mtime
}
