//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/heap"
	"loam/rt/sys"
)

// Mapped files. A private mapping is a copy. A shared one is memory that the file is copied to, and
// what the program or another call changes in one of them goes to the other at the next call that
// looks: a file and its mappings are never looked at in between, as there is one thread. A mapping
// that may be written has no other beside it.

// mapping is a shared mapping of a file.
type mapping struct {
	next    *mapping
	node    *disk.Node
	p, size uintptr
	at      int64
	written bool // it may be
}

var mappings, freeMappings *mapping

const (
	mapShared = 1
	mapFixed  = sys.MAP_FIXED | 0x100000
)

// mmap maps memory or a file.
func (c *call) mmap() (r uintptr, known bool) {
	size, prot, flags, fd := c.a2, c.a3, c.a4, int32(c.a5)
	if fd == -1 || flags&sys.MAP_ANON != 0 {
		return anonymous(c.a1, size, prot, flags), true
	}
	f := lookup(uintptr(uint32(fd)))
	switch {
	case f == nil:
		return failure(sys.EBADF), true
	case f.what != onDisk || f.node.Kind() != disk.Regular:
		return failure(errNoDev), true
	case size == 0 || int64(c.a6) < 0 || c.a6%sys.PageSize != 0:
		return failure(sys.EINVAL), true
	case f.flags&accessMode == oWronly:
		return failure(disk.EACCES), true
	}
	shared := flags&mapShared != 0
	written := shared && f.flags&accessMode == oRdwr
	if shared && prot&sys.PROT_WRITE != 0 && !written {
		return failure(disk.EACCES), true
	}
	written = written && prot&sys.PROT_WRITE != 0
	for m := mappings; m != nil; m = m.next {
		if m.node == f.node && shared && (m.written || written) {
			return 0, false
		}
	}
	p := anonymous(c.a1, size, sys.PROT_READ|sys.PROT_WRITE, flags&mapFixed|sys.MAP_PRIVATE|sys.MAP_ANON)
	if p > ^uintptr(4095) {
		return p, true
	}
	if k := files.Read(f.node, bytesAt(p, size), int64(c.a6)); k < 0 {
		sys.Munmap(p, size)
		return uintptr(k), true
	}
	sys.Mprotect(p, size, int32(prot))
	if shared {
		m := freeMappings
		if m != nil {
			freeMappings = m.next
		} else {
			m = (*mapping)(heap.Permanent(unsafe.Sizeof(mapping{}), 64, false))
		}
		*m = mapping{next: mappings, node: f.node, p: p, size: size, at: int64(c.a6), written: written}
		mappings = m
		files.Open(f.node)
	}
	return p, true
}

func anonymous(hint, size, prot, flags uintptr) uintptr {
	if hint == 0 {
		hint = sys.SimHint(size)
	}
	if flags&sys.MAP_FIXED != 0 {
		sys.Changes(hint, size)
	}
	p := sys.Syscall6(sys.SYS_MMAP, hint, size, prot, flags, ^uintptr(0), 0)
	if p <= ^uintptr(4095) {
		sys.Made(p, size, false)
	}
	return p
}

// madvise is as the kernel's, which does not know that memory may be taken back to what it was.
func madvise(p, size, advice uintptr) uintptr {
	const random, willNeed, huge, noHuge = 1, 3, 14, 15
	switch advice {
	case sys.MADV_DONTNEED:
		if p%sys.PageSize == 0 && !sys.Discards(p, size) {
			return 0
		}
	case 0, random, 2, willNeed, huge, noHuge: // memory is as it was
	default:
		sys.Spoil()
	}
	return sys.Syscall6(sys.SYS_MADVISE, p, size, advice, 0, 0, 0)
}

func munmap(p, size uintptr) uintptr {
	for at := &mappings; *at != nil; {
		m := *at
		if m.p >= p+size || m.p+m.size <= p {
			at = &m.next
			continue
		}
		m.toFile()
		if m.p < p || m.p+m.size > p+size {
			return failure(sys.EINVAL) // a part of a mapping
		}
		*at = m.next
		files.Close(m.node)
		m.next = freeMappings
		freeMappings = m
	}
	sys.Changes(p, size)
	return sys.Syscall6(sys.SYS_MUNMAP, p, size, 0, 0, 0, 0)
}

func msync(p, size uintptr) uintptr {
	for m := mappings; m != nil; m = m.next {
		if m.p < p+size && m.p+m.size > p {
			m.toFile()
			files.Sync(m.node)
		}
	}
	return 0
}

// toFile writes what the program has changed in a mapping to the file.
func (m *mapping) toFile() {
	if !m.written {
		return
	}
	var page [sys.PageSize]byte
	for off := uintptr(0); off < m.size; off += sys.PageSize {
		at := m.at + int64(off)
		if at >= m.node.Size {
			break
		}
		k := files.Read(m.node, page[:], at)
		if k > 0 && sys.Compare(unsafe.Pointer(&page), sys.Ptr(m.p+off), uintptr(k)) != 0 {
			files.Write(m.node, bytesAt(m.p+off, uintptr(k)), at)
		}
	}
}

// fromMappings brings a file up to what its mappings hold, before it is looked at or changed.
func fromMappings(n *disk.Node) {
	for m := mappings; m != nil; m = m.next {
		if m.node == n {
			m.toFile()
		}
	}
}

// toMappings brings the mappings of a file up to its content, after that has changed from at on.
func toMappings(n *disk.Node, at, size int64) {
	for m := mappings; m != nil; m = m.next {
		if m.node != n {
			continue
		}
		from, to := max(at, m.at), min(at+size, m.at+int64(m.size))
		if from >= to {
			continue
		}
		// The program may be allowed to read the memory only: the system writes to it nevertheless.
		var page [sys.PageSize]byte
		for from < to {
			k := min(to-from, sys.PageSize)
			got := max(files.Read(n, page[:k], from), 0)
			clear(page[got:k])
			poke(m.p+uintptr(from-m.at), page[:k], m.written)
			from += k
		}
	}
}

// poke writes to memory of the program.
func poke(p uintptr, b []byte, writable bool) {
	first, last := p&^(sys.PageSize-1), (p+uintptr(len(b))+sys.PageSize-1)&^(sys.PageSize-1)
	if !writable {
		sys.Mprotect(first, last-first, sys.PROT_READ|sys.PROT_WRITE)
	}
	copy(bytesAt(p, uintptr(len(b))), b)
	if !writable {
		sys.Mprotect(first, last-first, sys.PROT_READ)
	}
}
