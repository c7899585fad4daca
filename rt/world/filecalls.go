//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
)

// The calls whose first argument is a descriptor of a file.

// Flags of open.
const (
	oRdonly    = 0
	oWronly    = 1
	oRdwr      = 2
	accessMode = 3
	oCreat     = 0o100
	oExcl      = 0o200
	oTrunc     = 0o1000
	oAppend    = 0o2000
	oNonblock  = 0o4000
	oDsync     = 0o10000
	oDirect    = 0o40000
	oDirectory = 0o200000
	oNofollow  = 0o400000
	oCloexec   = 0o2000000
	oPath      = 0o10000000
	oTmpfile   = 0o20200000
)

// doDescriptor makes the calls of files.
func (c *call) doDescriptor() (r uintptr, known bool) {
	switch c.num {
	case sys.SYS_CLOSE:
		return closeFD(c.a1), true
	case callDup2:
		return duplicateTo(c.a1, c.a2, true), true
	case callDup3:
		if c.a1 == c.a2 {
			return failure(sys.EINVAL), true
		}
		return duplicateTo(c.a1, c.a2, c.a3&oCloexec == 0), true
	case callCopyFileRange, callSendfile:
		return failure(sys.ENOSYS), true // the callers copy then
	case callSplice:
		return failure(sys.EINVAL), true // and then, too
	}
	if !ofDescriptor(c.num) {
		return 0, false
	}
	f := lookup(c.a1)
	if f == nil {
		return failure(sys.EBADF), true
	}
	switch c.num {
	case sys.SYS_FCNTL:
		return f.control(c)
	case callDup:
		return duplicate(f, 0, true), true
	case callIoctl:
		return f.ioctl(c.a2, c.a3)
	}
	if f.flags&oPath == oPath && c.num != sys.SYS_FSTAT && c.num != callFchdir && c.num != callFstatfs {
		return failure(sys.EBADF), true
	}
	switch f.what {
	case real:
		return f.doReal(c)
	case onDisk:
		return f.doFile(c)
	case piped:
		return f.doPipe(c)
	case counts:
		return f.doCounter(c)
	case watches:
		return f.doWatcher(c)
	}
	return failure(sys.EINVAL), true // a socket, which knows other calls
}

func ofDescriptor(num uintptr) bool {
	switch num {
	case sys.SYS_READ, sys.SYS_WRITE, sys.SYS_FSTAT, sys.SYS_LSEEK, callIoctl, sys.SYS_PREAD64, callPwrite64, callReadv, callWritev,
		callDup, sys.SYS_FCNTL, callFlock, callFsync, callFdatasync, callFtruncate, callFchdir, callFchmod, callFchown, callFstatfs,
		callReadahead, callGetdents64, callFadvise64, callSyncFileRange, callFallocate, callPreadv, callPwritev, callSyncfs:
		return true
	}
	return false
}

// doReal makes the calls of standard input, output and error.
func (f *file) doReal(c *call) (r uintptr, known bool) {
	switch c.num {
	case sys.SYS_READ:
		sys.WillWrite(sys.Ptr(c.a2), c.a3)
		return sys.Syscall6(c.num, f.osFD, c.a2, c.a3, 0, 0, 0), true
	case sys.SYS_WRITE:
		if c.a3 > 0 {
			simulation.FoldBytes(sim.Written, bytesAt(c.a2, c.a3))
		}
		return sys.Syscall6(c.num, f.osFD, c.a2, c.a3, 0, 0, 0), true
	case callWritev:
		return uintptr(vector(c.a2, c.a3, func(p, n uintptr) int {
			simulation.FoldBytes(sim.Written, bytesAt(p, n))
			return int(sys.Syscall6(sys.SYS_WRITE, f.osFD, p, n, 0, 0, 0))
		})), true
	case sys.SYS_FSTAT:
		s := (*kernelStat)(sys.Ptr(c.a2))
		*s = kernelStat{dev: 1, ino: 1, nlink: 1, mode: disk.Pipe | 0o600, blksize: 4096}
		return 0, true
	case sys.SYS_LSEEK:
		return failure(errSpipe), true
	}
	return failure(sys.EINVAL), true
}

func bytesAt(p, n uintptr) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(sys.Ptr(p)), int(n))
}

// vector does readv and writev.
func vector(p, n uintptr, do func(p, n uintptr) int) int {
	total := 0
	for i := range n {
		v := (*[2]uintptr)(sys.Ptr(p + 16*i))
		if v[1] == 0 {
			continue
		}
		k := do(v[0], v[1])
		if k < 0 {
			if total > 0 {
				break
			}
			return k
		}
		total += k
		if k < int(v[1]) {
			break
		}
	}
	return total
}

// control is fcntl.
func (f *file) control(c *call) (r uintptr, known bool) {
	const (
		dupFD, getFD, setFD, getFlags, setFlags, getLock, setLock, setLockWait = 0, 1, 2, 3, 4, 5, 6, 7
		dupCloexec                                                             = 1030
		closeOnExec                                                            = 1
		changeable                                                             = oAppend | oNonblock | oDirect
	)
	switch c.a2 {
	case dupFD:
		return duplicate(f, c.a3, true), true
	case dupCloexec:
		return duplicate(f, c.a3, false), true
	case getFD:
		if table[c.a1].exec {
			return 0, true
		}
		return closeOnExec, true
	case setFD:
		table[c.a1].exec = c.a3&closeOnExec == 0
		return 0, true
	case getFlags:
		return f.flags &^ (oCreat | oExcl | oTrunc | oCloexec), true
	case setFlags:
		f.flags = f.flags&^changeable | c.a3&changeable
		return 0, true
	case getLock:
		*(*int16)(sys.Ptr(c.a3)) = 2 // F_UNLCK: a process does not exclude itself
		return 0, true
	case setLock, setLockWait:
		if f.what != onDisk {
			return failure(sys.EBADF), true
		}
		return 0, true
	}
	ofDescription := c.a2 == 36 || c.a2 == 37 || c.a2 == 38 // F_OFD_GETLK and so on have no model
	return failure(sys.EINVAL), !ofDescription
}

// ioctl knows that nothing is a terminal.
func (f *file) ioctl(request, p uintptr) (r uintptr, known bool) {
	const terminals, fionread, fionbio = 0x54, 0x541b, 0x5421
	switch {
	case request == fionbio:
		f.flags &^= oNonblock
		if *(*int32)(sys.Ptr(p)) != 0 {
			f.flags |= oNonblock
		}
		return 0, true
	case request == fionread:
		n := int64(0)
		switch f.what {
		case onDisk:
			n = max(0, f.node.Size-f.open.Pos)
		case socketed:
			n = int64(f.sock.readable())
		case piped:
			n = int64(f.pipe.state.Len())
		case watches:
			n = int64(f.watcher.readable())
		}
		*(*int32)(sys.Ptr(p)) = int32(n)
		return 0, true
	case request>>8 == terminals:
		return failure(errNotTTY), true
	}
	return 0, false
}

// doFile makes the calls of files on disks.
func (f *file) doFile(c *call) (r uintptr, known bool) {
	n := f.node
	if mappings != nil {
		fromMappings(n)
	}
	switch c.num {
	case sys.SYS_FSTAT:
		fillStat(n, c.a2)
		return 0, true
	case sys.SYS_LSEEK:
		return f.seek(int64(c.a2), c.a3), true
	case callGetdents64:
		return f.list(c.a2, c.a3), true
	case callFchdir:
		return changeDir(n), true
	case callFchmod:
		return changed(n, chmod(n, uint32(c.a2))), true
	case callFchown:
		return changed(n, chown(n, c.a2, c.a3)), true
	case callFstatfs:
		fillStatfs(c.a2)
		return 0, true
	case callFlock:
		return f.flock(c), true
	case callFsync, callFdatasync, callSyncFileRange:
		if !c.takes(syncTime()) {
			return 0, true
		}
		if faulty() {
			return failure(disk.EIO), true
		}
		files.Sync(n)
		return 0, true
	case callSyncfs:
		files.SyncAll()
		return 0, true
	case callFadvise64, callReadahead:
		return 0, true
	case callFtruncate:
		return f.resize(int64(c.a2)), true
	case callFallocate:
		return f.allocate(c.a2, int64(c.a3), int64(c.a4)), true
	case sys.SYS_READ, sys.SYS_PREAD64, callReadv, callPreadv:
		return f.doRead(c)
	}
	return f.doWrite(c)
}

func (f *file) seek(off int64, whence uintptr) uintptr {
	const set, cur, end, data, hole = 0, 1, 2, 3, 4
	size := f.node.Size
	switch whence {
	case set:
	case cur:
		off += f.open.Pos
	case end:
		off += size
	case data, hole:
		if off < 0 || off >= size {
			return failure(errNxio)
		}
		if whence == hole {
			off = size
		}
	default:
		return failure(sys.EINVAL)
	}
	if f.node.Kind() == disk.Char {
		return 0
	}
	if off < 0 {
		return failure(sys.EINVAL)
	}
	if off != f.open.Pos && f.node.IsDir() {
		files.Drop(&f.listing)
		f.listed = false
	}
	f.open.Pos = off
	return uintptr(off)
}

// doRead makes the calls that read.
func (f *file) doRead(c *call) (r uintptr, known bool) {
	switch {
	case f.flags&accessMode == oWronly:
		return failure(sys.EBADF), true
	case f.node.IsDir():
		return failure(errIsDir), true
	}
	if f.node.Kind() == disk.Regular {
		if !c.takes(accessTime()) {
			return 0, true
		}
		if faulty() {
			return failure(disk.EIO), true
		}
	}
	at := f.open.Pos
	placed := c.num == sys.SYS_PREAD64 || c.num == callPreadv
	if placed {
		if at = int64(c.a4); at < 0 {
			return failure(sys.EINVAL), true
		}
	}
	read := func(p, n uintptr) int {
		k := f.readAt(p, n, at)
		at += int64(max(k, 0))
		return k
	}
	k := 0
	if c.num == callReadv || c.num == callPreadv {
		k = vector(c.a2, c.a3, read)
	} else {
		k = read(c.a2, c.a3)
	}
	if !placed && k > 0 {
		f.open.Pos = at
	}
	if k > 0 {
		tell(f.node, wasAccessed)
	}
	return uintptr(k), true
}

func (f *file) readAt(p, n uintptr, at int64) int {
	if f.node.Kind() == disk.Char {
		return readDevice(f.node.Rdev, p, n)
	}
	return files.Read(f.node, bytesAt(p, n), at)
}

// doWrite makes the calls that write.
func (f *file) doWrite(c *call) (r uintptr, known bool) {
	placed := c.num == callPwrite64 || c.num == callPwritev
	vectored := c.num == callWritev || c.num == callPwritev
	if !placed && !vectored && c.num != sys.SYS_WRITE {
		return 0, false
	}
	if f.flags&accessMode == oRdonly {
		return failure(sys.EBADF), true
	}
	n := f.node
	if n.Kind() == disk.Regular {
		if !c.takes(accessTime()) {
			return 0, true
		}
		if faulty() {
			return failure(disk.EIO), true
		}
	}
	at := f.open.Pos
	if placed {
		if at = int64(c.a4); at < 0 {
			return failure(sys.EINVAL), true
		}
	}
	if f.flags&oAppend != 0 {
		at = n.Size
	}
	write := func(p, size uintptr) int {
		k := f.writeAt(p, size, at)
		at += int64(max(k, 0))
		return k
	}
	k := 0
	if vectored {
		k = vector(c.a2, c.a3, write)
	} else {
		k = write(c.a2, c.a3)
	}
	if !placed && k > 0 {
		f.open.Pos = at
	}
	if k > 0 && f.flags&oDsync != 0 {
		files.Sync(n)
	}
	if k > 0 {
		tell(n, wasModified)
	}
	return uintptr(k), true
}

func (f *file) writeAt(p, n uintptr, at int64) int {
	if f.node.Kind() == disk.Char {
		return writeDevice(f.node.Rdev, n)
	}
	f.node.Mode &^= dropOnWrite(f.node.Mode)
	k := files.Write(f.node, bytesAt(p, shortened(n)), at)
	if k > 0 && mappings != nil {
		toMappings(f.node, at, int64(k))
	}
	return k
}

// dropOnWrite are the rights that a file loses when it is written to.
func dropOnWrite(mode uint32) uint32 {
	if disk.Host.UID == 0 {
		return 0
	}
	return mode & 0o6000
}

func (f *file) resize(size int64) uintptr {
	if f.flags&accessMode == oRdonly || f.node.Kind() != disk.Regular {
		return failure(sys.EINVAL)
	}
	return truncate(f.node, size)
}

// truncate sets the size of a file.
func truncate(n *disk.Node, size int64) uintptr {
	errno := files.Truncate(n, size)
	if errno == 0 {
		tell(n, wasModified)
	}
	if mappings != nil {
		toMappings(n, size, 1<<60-size)
	}
	return result(errno)
}

// allocate is fallocate.
func (f *file) allocate(mode uintptr, at, size int64) uintptr {
	const keepSize, punchHole, zeroRange = 1, 2, 16
	switch {
	case f.flags&accessMode == oRdonly:
		return failure(sys.EBADF)
	case f.node.Kind() != disk.Regular:
		return failure(errNoDev)
	case at < 0 || size <= 0:
		return failure(sys.EINVAL)
	case mode&^(keepSize|punchHole|zeroRange) != 0:
		return failure(errNotSupported)
	}
	if mode&(punchHole|zeroRange) != 0 {
		if errno := files.Clear(f.node, at, size); errno != 0 {
			return failure(errno)
		}
	}
	if mode&keepSize == 0 && at+size > f.node.Size {
		return truncate(f.node, at+size)
	}
	if mappings != nil {
		toMappings(f.node, at, size)
	}
	return 0
}

// list is getdents64.
func (f *file) list(p, size uintptr) uintptr {
	if !f.node.IsDir() {
		return failure(errNotDir)
	}
	if !f.listed {
		l, errno := files.List(f.node)
		if errno != 0 {
			return failure(errno)
		}
		f.listing, f.listed = l, true
	}
	to := bytesAt(p, size)
	done := 0
	for all := f.listing.All(); f.open.Pos < int64(len(all)); f.open.Pos++ {
		e := all[f.open.Pos]
		n := (19 + len(e.Name) + 1 + 7) &^ 7
		if done+n > len(to) {
			if done == 0 {
				return failure(sys.EINVAL)
			}
			break
		}
		b := to[done : done+n]
		clear(b)
		*(*uint64)(unsafe.Pointer(&b[0])) = e.Ino
		*(*int64)(unsafe.Pointer(&b[8])) = f.open.Pos + 1
		b[16], b[17] = byte(n), byte(n>>8)
		b[18] = byte(e.Kind >> 12)
		copy(b[19:], e.Name)
		done += n
	}
	tell(f.node, wasAccessed)
	return uintptr(done)
}
