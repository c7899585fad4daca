package disk

import "unsafe"

// change is what happened to a name, in the journal until it is durable.
type change struct {
	dir      *Node
	name     string
	old, new *Node
	linked   bool // to the change before it: both survive, or none
}

// longest is the length at which half of the journal becomes durable.
const longest = 2048

// change lets a name lead to a node, or to none, and writes that to the journal.
func (d *Disk) change(dir *Node, name string, n *Node, linked bool) int32 {
	if d.journal.n >= longest && !linked {
		d.commit(longest / 2)
	}
	text, ok := d.arena.text(name)
	if !ok {
		return ENOSPC
	}
	c := change{dir: dir, name: text, new: n, linked: linked}
	if e := dir.find(name); e != nil {
		c.old = e.node
	}
	if !d.journal.add(&d.arena, c) {
		d.arena.dropText(text)
		return ENOSPC
	}
	c.hold(1)
	if !d.set(dir, name, n) {
		d.journal.n--
		c.hold(^uint32(0))
		return ENOSPC
	}
	dir.touch()
	if c.old != nil {
		c.old.Ctime = Host.Now()
	}
	return 0
}

func (c *change) hold(by uint32) {
	for _, n := range [...]*Node{c.dir, c.old, c.new} {
		if n != nil {
			n.held += by
		}
	}
}

// commit makes the first k changes durable, and those that are linked to them.
func (d *Disk) commit(k int) {
	all := d.journal.all()
	for k < len(all) && all[k].linked {
		k++
	}
	for i := range all[:k] {
		d.release(all[i])
	}
	copy(all, all[k:])
	d.journal.n -= k
	if d.journal.n == 0 {
		d.journal.drop(&d.arena)
	}
}

// release forgets a change.
func (d *Disk) release(c change) {
	c.hold(^uint32(0))
	d.arena.dropText(c.name)
	if c.old != nil {
		d.collect(c.old)
	}
	if c.new != nil && c.new != c.old {
		d.collect(c.new)
	}
	if c.dir != c.old && c.dir != c.new {
		d.collect(c.dir)
	}
}

// mayChange reports whether the process may change names of a directory.
func (d *Disk) mayChange(dir *Node) int32 {
	if dir.names == 0 {
		return ENOENT
	}
	return d.May(dir, Write|Exec)
}

// mayDrop reports whether the process may take away the name of n in dir, which may be sticky.
func (d *Disk) mayDrop(dir, n *Node) int32 {
	const sticky = 0o1000
	if dir.Mode&sticky != 0 && d.Owns(n) != 0 && d.Owns(dir) != 0 {
		return EPERM
	}
	return d.mayChange(dir)
}

// Make makes a file, directory, symbolic link or other node. mode has its kind; target is for
// links.
func (d *Disk) Make(p Place, mode uint32, target string) (n *Node, errno int32) {
	switch {
	case p.Node != nil:
		return nil, EEXIST
	case p.Slash && mode&KindMask != Dir:
		return nil, ENOENT
	}
	if errno = d.mayChange(p.Dir); errno != 0 {
		return nil, errno
	}
	if mode&KindMask != Symlink {
		mode &^= d.Umask
	}
	if n = d.make(mode); n == nil {
		return nil, ENOSPC
	}
	ok := true
	switch n.Kind() {
	case Dir:
		n.Size = pageSize
	case Symlink:
		n.Target, ok = d.arena.text(target)
		n.Size = int64(len(target))
	}
	const setgid = 0o2000
	if p.Dir.Mode&setgid != 0 {
		n.GID = p.Dir.GID
		if n.IsDir() {
			n.Mode |= setgid
		}
	}
	errno = ENOSPC
	if ok {
		errno = d.change(p.Dir, p.Name, n, false)
	}
	if errno != 0 {
		d.collect(n)
		return nil, errno
	}
	return n, 0
}

// Link gives n another name.
func (d *Disk) Link(n *Node, p Place) (errno int32) {
	switch {
	case p.Node != nil:
		return EEXIST
	case p.Slash:
		return ENOENT
	case n.IsDir():
		return EPERM
	}
	if errno = d.mayChange(p.Dir); errno != 0 {
		return errno
	}
	n.Ctime = Host.Now()
	return d.change(p.Dir, p.Name, n, false)
}

// Unlink takes a name away that is not a directory's.
func (d *Disk) Unlink(p Place) (errno int32) {
	switch {
	case p.Name == "":
		return EISDIR
	case p.Node == nil:
		return ENOENT
	case p.Node.IsDir():
		return EISDIR
	case p.Slash:
		return ENOTDIR
	}
	if errno = d.mayDrop(p.Dir, p.Node); errno != 0 {
		return errno
	}
	return d.change(p.Dir, p.Name, nil, false)
}

// Rmdir takes an empty directory away. dot says that the path ends in a dot.
func (d *Disk) Rmdir(p Place) (errno int32) {
	switch {
	case p.Node == nil:
		return ENOENT
	case !p.Node.IsDir():
		return ENOTDIR
	case p.Node == d.root:
		return EBUSY
	case p.Name == "":
		return EINVAL
	}
	if errno = d.mayDrop(p.Dir, p.Node); errno != 0 {
		return errno
	}
	if !d.IsEmpty(p.Node) {
		return ENOTEMPTY
	}
	return d.change(p.Dir, p.Name, nil, false)
}

// Ways to rename.
const (
	NoReplace = 1
	Exchange  = 2
)

// Rename lets what from leads to have the name to.
func (d *Disk) Rename(from, to Place, how uint32) (errno int32) {
	if errno = d.mayRename(from, to, how); errno != 0 || from.Node == to.Node {
		return errno
	}
	moved := from.Node
	if how == Exchange {
		if errno = d.change(from.Dir, from.Name, to.Node, false); errno == 0 {
			errno = d.change(to.Dir, to.Name, moved, true)
		}
		return errno
	}
	if errno = d.change(to.Dir, to.Name, moved, false); errno == 0 {
		errno = d.change(from.Dir, from.Name, nil, true)
	}
	return errno
}

func (d *Disk) mayRename(from, to Place, how uint32) (errno int32) {
	switch {
	case from.Name == "" || to.Name == "":
		return EBUSY
	case from.Node == nil:
		return ENOENT
	case to.Node != nil && how == NoReplace:
		return EEXIST
	case to.Node == nil && how == Exchange:
		return ENOENT
	case !from.Node.IsDir() && (from.Slash || to.Slash):
		return ENOTDIR
	case from.Node.IsDir() && from.Node.holds(to.Dir) || how == Exchange && to.Node.IsDir() && to.Node.holds(from.Dir):
		return EINVAL
	}
	if errno = d.mayDrop(from.Dir, from.Node); errno != 0 {
		return errno
	}
	if to.Node == nil {
		return d.mayChange(to.Dir)
	}
	if errno = d.mayDrop(to.Dir, to.Node); errno != 0 || how == Exchange || from.Node == to.Node {
		return errno
	}
	switch {
	case to.Node.IsDir() && to.Node.holds(from.Dir):
		return ENOTEMPTY
	case to.Node.IsDir() && !from.Node.IsDir():
		return EISDIR
	case !to.Node.IsDir() && from.Node.IsDir():
		return ENOTDIR
	case to.Node.IsDir() && !d.IsEmpty(to.Node):
		return ENOTEMPTY
	}
	return 0
}

// holds reports whether a directory is n or lies in it.
func (n *Node) holds(dir *Node) bool {
	for ; dir != n; dir = dir.parent {
		if dir == dir.parent {
			return false
		}
	}
	return true
}

// Put makes a file with this content in the place of what is there, from the start on: not as a
// change.
func (d *Disk) Put(dir *Node, name string, mode uint32, content string) *Node {
	n := d.make(mode)
	if n == nil || !d.set(dir, name, n) {
		return nil
	}
	switch n.Kind() {
	case Symlink:
		n.Target, _ = d.arena.text(content)
		n.Size = int64(len(content))
	case Regular:
		d.Write(n, unsafe.Slice(unsafe.StringData(content), len(content)), 0)
		d.Sync(n)
	}
	n.Mtime = Host.Start
	n.Atime, n.Ctime = n.Mtime, n.Mtime
	return n
}

// Withdraw takes away what Put has put there: not as a change.
func (d *Disk) Withdraw(dir *Node, name string) {
	e := dir.find(name)
	if e == nil || e.node == nil {
		return
	}
	n := e.node
	for n.IsDir() && n.first != nil {
		d.Withdraw(n, n.first.name)
	}
	d.set(dir, name, nil)
	d.collect(n)
}

// Alias gives a real file a further name, from the start on. nil: there is no such file.
func (d *Disk) Alias(dir *Node, name, path string) *Node {
	var st Real
	if Host.Stat(path, &st) != 0 {
		return nil
	}
	n := d.adopt(&st, path)
	if n == nil || !d.set(dir, name, n) {
		return nil
	}
	n.Mtime = Host.Start
	n.Atime, n.Ctime = n.Mtime, n.Mtime
	return n
}
