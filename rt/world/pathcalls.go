//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/sys"
)

// The calls that name files.

const (
	atCwd       = -100
	atNofollow  = 0x100
	atRemovedir = 0x200
	atFollow    = 0x400
	atEmptyPath = 0x1000
	longestPath = 4096
	permissions = 0o7777
)

// cwd is the directory that the process is in.
var cwd *disk.Node

// text is the string that ends in a zero byte at p.
func text(p uintptr) (s string, errno int32) {
	if p == 0 {
		return "", errFault
	}
	b := (*[longestPath]byte)(sys.Ptr(p))
	for n := range longestPath {
		if b[n] == 0 {
			return unsafe.String(&b[0], n), 0
		}
	}
	return "", disk.ENAMETOOLONG
}

// place follows a path from the directory that fd stands for.
func place(fd, path uintptr, follow bool) (p disk.Place, errno int32) {
	s, errno := text(path)
	if errno != 0 {
		return p, errno
	}
	return walk(fd, s, follow)
}

func walk(fd uintptr, s string, follow bool) (p disk.Place, errno int32) {
	at := cwd
	if int32(fd) != atCwd && (s == "" || s[0] != '/') {
		f := lookup(uintptr(uint32(fd)))
		switch {
		case f == nil:
			return p, sys.EBADF
		case f.what != onDisk || !f.node.IsDir():
			return p, errNotDir
		}
		at = f.node
	}
	return files.Walk(at, s, follow)
}

// found is place for what has to be there.
func found(fd, path uintptr, follow bool) (n *disk.Node, errno int32) {
	p, errno := place(fd, path, follow)
	if errno == 0 && p.Node == nil {
		errno = disk.ENOENT
	}
	return p.Node, errno
}

// here is the directory of calls without one.
const here = ^uintptr(0) - 99 // atCwd

// doPath makes the calls of names.
func (c *call) doPath() (r uintptr, known bool) {
	switch c.num {
	case sys.SYS_OPEN:
		return c.open(here, c.a1, c.a2, c.a3)
	case callCreat:
		return c.open(here, c.a1, oCreat|oWronly|oTrunc, c.a2)
	case sys.SYS_OPENAT:
		return c.open(c.a1, c.a2, c.a3, c.a4)
	case callOpenat2:
		return failure(sys.ENOSYS), true
	case callMemfdCreate:
		return openNew(oRdwr, disk.Regular|0o777), true
	case callStat:
		return statAt(here, c.a1, c.a2, 0), true
	case callLstat:
		return statAt(here, c.a1, c.a2, atNofollow), true
	case callNewfstatat:
		return statAt(c.a1, c.a2, c.a3, c.a4), true
	case callStatx:
		return c.statx(), true
	case callReadlink:
		return readlink(here, c.a1, c.a2, c.a3), true
	case callReadlinkat:
		return readlink(c.a1, c.a2, c.a3, c.a4), true
	case callGetcwd:
		return getcwd(c.a1, c.a2), true
	case callChdir:
		n, errno := found(here, c.a1, true)
		if errno != 0 {
			return failure(errno), true
		}
		return changeDir(n), true
	case callStatfs:
		if _, errno := found(here, c.a1, true); errno != 0 {
			return failure(errno), true
		}
		fillStatfs(c.a2)
		return 0, true
	case callSync:
		files.SyncAll()
		return 0, true
	}
	if r, known := c.doRights(); known {
		return r, true
	}
	return c.doNames()
}

// doRights makes the calls that look at and change what a node allows, and its times.
func (c *call) doRights() (r uintptr, known bool) {
	switch c.num {
	case callAccess:
		return access(here, c.a1, c.a2, 0), true
	case callFaccessat, callFaccessat2:
		flags := c.a4
		if c.num == callFaccessat {
			flags = 0
		}
		return access(c.a1, c.a2, c.a3, flags), true
	case callChmod:
		return changeAt(here, c.a1, true, func(n *disk.Node) int32 { return chmod(n, uint32(c.a2)) }), true
	case callFchmodat, callFchmodat2:
		follow := c.num == callFchmodat || c.a4&atNofollow == 0
		return changeAt(c.a1, c.a2, follow, func(n *disk.Node) int32 {
			if n.Kind() == disk.Symlink {
				return errNotSupported
			}
			return chmod(n, uint32(c.a3))
		}), true
	case callChown, callLchown:
		return changeAt(here, c.a1, c.num == callChown, func(n *disk.Node) int32 { return chown(n, c.a2, c.a3) }), true
	case callFchownat:
		return changeAt(c.a1, c.a2, c.a5&atNofollow == 0, func(n *disk.Node) int32 { return chown(n, c.a3, c.a4) }), true
	case callUtimensat:
		if c.a2 == 0 {
			f := lookup(c.a1)
			if f == nil || f.what != onDisk {
				return failure(sys.EBADF), true
			}
			return changed(f.node, setTimes(f.node, c.a3, 1)), true
		}
		return changeAt(c.a1, c.a2, c.a4&atNofollow == 0, func(n *disk.Node) int32 { return setTimes(n, c.a3, 1) }), true
	case callUtimes:
		return changeAt(here, c.a1, true, func(n *disk.Node) int32 { return setTimes(n, c.a2, 1000) }), true
	case callFutimesat:
		return changeAt(c.a1, c.a2, true, func(n *disk.Node) int32 { return setTimes(n, c.a3, 1000) }), true
	case callTruncate:
		return onNode(here, c.a1, true, func(n *disk.Node) int32 {
			switch {
			case n.IsDir():
				return errIsDir
			case n.Kind() != disk.Regular:
				return sys.EINVAL
			}
			if errno := files.May(n, disk.Write); errno != 0 {
				return errno
			}
			return -int32(truncate(n, int64(c.a2)))
		}), true
	case callUmask:
		old := files.Umask
		files.Umask = uint32(c.a1) & 0o777
		return uintptr(old), true
	}
	if c.num >= callSetxattr && c.num <= callFremovexattr {
		return failure(errNotSupported), true // extended attributes
	}
	return 0, false
}

// changed is the result of a call that changes what a node says of itself.
func changed(n *disk.Node, errno int32) uintptr {
	if errno == 0 {
		tell(n, wasChanged)
	}
	return result(errno)
}

// changeAt does something with what a path leads to that changes what it says of itself.
func changeAt(fd, path uintptr, follow bool, do func(n *disk.Node) int32) uintptr {
	n, errno := found(fd, path, follow)
	if errno != 0 {
		return failure(errno)
	}
	return changed(n, do(n))
}

// onNode does something with what a path leads to.
func onNode(fd, path uintptr, follow bool, do func(n *disk.Node) int32) uintptr {
	n, errno := found(fd, path, follow)
	if errno == 0 {
		errno = do(n)
	}
	return result(errno)
}

// doNames makes the calls that make, move and remove names.
func (c *call) doNames() (r uintptr, known bool) {
	switch c.num {
	case callMkdir:
		return makeNode(here, c.a1, disk.Dir|uint32(c.a2)&permissions, ""), true
	case callMkdirat:
		return makeNode(c.a1, c.a2, disk.Dir|uint32(c.a3)&permissions, ""), true
	case callMknod:
		return makeSpecial(here, c.a1, c.a2), true
	case callMknodat:
		return makeSpecial(c.a1, c.a2, c.a3), true
	case callSymlink, callSymlinkat:
		fd, name := here, c.a2
		if c.num == callSymlinkat {
			fd, name = c.a2, c.a3
		}
		target, errno := text(c.a1)
		if errno == 0 && target == "" {
			errno = disk.ENOENT
		}
		if errno != 0 {
			return failure(errno), true
		}
		return makeNode(fd, name, disk.Symlink|0o777, target), true
	case callRmdir:
		return remove(here, c.a1, true), true
	case callUnlink:
		return remove(here, c.a1, false), true
	case callUnlinkat:
		return remove(c.a1, c.a2, c.a3&atRemovedir != 0), true
	case callLink:
		return link(here, c.a1, here, c.a2, 0), true
	case callLinkat:
		return link(c.a1, c.a2, c.a3, c.a4, c.a5), true
	case callRename:
		return rename(here, c.a1, here, c.a2, 0), true
	case callRenameat:
		return rename(c.a1, c.a2, c.a3, c.a4, 0), true
	case callRenameat2:
		return rename(c.a1, c.a2, c.a3, c.a4, uint32(c.a5)), true
	}
	return 0, false
}

func makeNode(fd, path uintptr, mode uint32, target string) uintptr {
	s, errno := text(path)
	if errno != 0 {
		return failure(errno)
	}
	// Slashes at the end do not make it follow a symbolic link, as they do elsewhere.
	for mode&disk.KindMask == disk.Dir && len(s) > 1 && s[len(s)-1] == '/' {
		s = s[:len(s)-1]
	}
	p, errno := walk(fd, s, false)
	if errno == 0 {
		var n *disk.Node
		if n, errno = files.Make(p, mode, target); errno == 0 {
			tellOf(p, n, wasCreated, 0)
		}
	}
	return result(errno)
}

// makeSpecial is mknod. Devices are not the program's to make.
func makeSpecial(fd, path, mode uintptr) uintptr {
	kind := uint32(mode) & disk.KindMask
	switch kind {
	case 0:
		kind = disk.Regular
	case disk.Regular, disk.Pipe, disk.Socket:
	default:
		return failure(sys.EPERM)
	}
	return makeNode(fd, path, kind|uint32(mode)&permissions, "")
}

func remove(fd, path uintptr, dir bool) uintptr {
	p, errno := place(fd, path, false)
	if errno == 0 {
		if dir {
			errno = files.Rmdir(p)
		} else {
			errno = files.Unlink(p)
		}
		if errno == 0 {
			tellRemoved(p)
		}
	}
	return result(errno)
}

func link(fd, path, toFD, toPath, flags uintptr) uintptr {
	n, errno := found(fd, path, flags&atFollow != 0)
	if errno == 0 {
		var p disk.Place
		if p, errno = place(toFD, toPath, false); errno == 0 {
			errno = files.Link(n, p)
		}
		if errno == 0 {
			tellSelf(n, wasChanged)
			tellOf(p, n, wasCreated, 0)
		}
	}
	return result(errno)
}

func rename(fd, path, toFD, toPath uintptr, how uint32) uintptr {
	if how != 0 && how != disk.NoReplace && how != disk.Exchange {
		return failure(sys.EINVAL)
	}
	from, errno := place(fd, path, false)
	if errno == 0 {
		var to disk.Place
		if to, errno = place(toFD, toPath, false); errno == 0 {
			errno = files.Rename(from, to, how)
		}
		if errno == 0 && from.Node != to.Node {
			tellMoved(from, to, how)
		}
	}
	return result(errno)
}

// open opens a file.
func (c *call) open(fd, path, flags, mode uintptr) (r uintptr, known bool) {
	if flags&oTmpfile == oTmpfile {
		return failure(errNotSupported), true
	}
	if c.opened != nil {
		return c.openFIFO(nil, flags), true
	}
	if flags&oPath != 0 {
		flags &= oPath | oDirectory | oNofollow | oCloexec
	}
	last := flags&oNofollow == 0 && flags&(oCreat|oExcl) != oCreat|oExcl
	p, errno := place(fd, path, last)
	if errno != 0 {
		return failure(errno), true
	}
	n := p.Node
	switch {
	case n == nil && flags&oCreat == 0:
		return failure(disk.ENOENT), true
	case n == nil && p.Slash:
		return failure(errIsDir), true
	case n != nil && flags&(oCreat|oExcl) == oCreat|oExcl:
		return failure(disk.EEXIST), true
	case n == nil:
		if !c.takes(accessTime()) {
			return 0, true
		}
		if faulty() {
			return failure(disk.EIO), true
		}
		if n, errno = files.Make(p, disk.Regular|uint32(mode)&permissions, ""); errno != 0 {
			return failure(errno), true
		}
		tellOf(p, n, wasCreated, 0)
		tell(n, wasOpened)
	default:
		if errno := mayOpen(n, flags); errno != 0 {
			return failure(errno), true
		}
		if n.Kind() == disk.Pipe && flags&oPath == 0 {
			return c.openFIFO(n, flags), true
		}
		if !n.IsDir() && n.Kind() != disk.Regular && flags&oPath == 0 {
			errno, known := int32(errNxio), n.Kind() == disk.Socket
			if n.Kind() == disk.Char {
				errno, known = openDevice(n.Rdev)
			}
			if errno != 0 || !known {
				return failure(errno), known
			}
		}
		if flags&oPath == 0 {
			tell(n, wasOpened)
		}
		if flags&oTrunc != 0 && n.Kind() == disk.Regular && flags&oPath == 0 {
			if r := truncate(n, 0); r != 0 {
				return r, true
			}
		}
	}
	files.Open(n)
	return openNode(n, flags), true
}

func mayOpen(n *disk.Node, flags uintptr) int32 {
	if flags&oDirectory != 0 && !n.IsDir() {
		return errNotDir
	}
	if flags&oPath != 0 {
		return 0
	}
	want := uint32(disk.Read)
	switch flags & accessMode {
	case oWronly:
		want = disk.Write
	case oRdwr:
		want |= disk.Write
	}
	if flags&oTrunc != 0 {
		want |= disk.Write
	}
	switch {
	case n.Kind() == disk.Symlink:
		return disk.ELOOP
	case n.IsDir() && (want&disk.Write != 0 || flags&oCreat != 0):
		return errIsDir
	}
	return files.May(n, want)
}

// openNode gives a node, which is open already, a descriptor.
func openNode(n *disk.Node, flags uintptr) uintptr {
	f := newFile(onDisk)
	f.node, f.flags = n, flags
	return f.installNew(flags&oCloexec != 0)
}

// openNew makes a file without a name.
func openNew(flags uintptr, mode uint32) uintptr {
	n := files.New(mode)
	if n == nil {
		return failure(disk.ENOSPC)
	}
	return openNode(n, flags)
}

// nodeAt is what a path leads to, or what a descriptor stands for if the path is empty and that is
// allowed.
func nodeAt(fd, path, flags uintptr) (f *file, n *disk.Node, errno int32) {
	if flags&atEmptyPath != 0 {
		if s, errno := text(path); path == 0 || errno == 0 && s == "" {
			if int32(fd) == atCwd {
				return nil, cwd, 0
			}
			if f = lookup(uintptr(uint32(fd))); f == nil {
				return nil, nil, sys.EBADF
			}
			return f, f.node, 0
		}
	}
	n, errno = found(fd, path, flags&atNofollow == 0)
	return nil, n, errno
}

func statAt(fd, path, to, flags uintptr) uintptr {
	f, n, errno := nodeAt(fd, path, flags)
	switch {
	case errno != 0:
		return failure(errno)
	case n == nil:
		c := call{num: sys.SYS_FSTAT, a1: uintptr(f.fd), a2: to}
		return c.do()
	}
	fillStat(n, to)
	return 0
}

func (c *call) statx() uintptr {
	_, n, errno := nodeAt(c.a1, c.a2, c.a3)
	switch {
	case errno != 0:
		return failure(errno)
	case n == nil:
		return failure(sys.EINVAL)
	}
	fillStatx(n, c.a5)
	return 0
}

func readlink(fd, path, to, size uintptr) uintptr {
	n, errno := found(fd, path, false)
	switch {
	case errno != 0:
		return failure(errno)
	case n.Kind() != disk.Symlink || int(size) <= 0:
		return failure(sys.EINVAL)
	}
	return uintptr(copy(bytesAt(to, size), n.Leads()))
}

func access(fd, path, mode, flags uintptr) uintptr {
	_, n, errno := nodeAt(fd, path, flags)
	switch {
	case errno != 0:
		return failure(errno)
	case mode&^7 != 0:
		return failure(sys.EINVAL)
	case n == nil:
		return 0
	}
	return result(files.May(n, uint32(mode)))
}

func changeDir(n *disk.Node) uintptr {
	if !n.IsDir() {
		return failure(errNotDir)
	}
	if errno := files.May(n, disk.Exec); errno != 0 {
		return failure(errno)
	}
	files.Open(n)
	files.Close(cwd)
	cwd = n
	return 0
}

func getcwd(to, size uintptr) uintptr {
	var buf [longestPath]byte
	path, errno := files.Path(cwd, buf[:])
	switch {
	case errno != 0:
		return failure(errno)
	case uintptr(len(path)) >= size:
		return failure(errRange)
	}
	b := bytesAt(to, size)
	b[copy(b, path)] = 0
	return uintptr(len(path) + 1)
}
