//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
)

// host gives the disk its way to the real files, which are only read.
func host() {
	h := &disk.Host
	h.Stat, h.Open, h.Read, h.Names, h.Link = realStat, realOpen, realRead, realNames, realLink
	h.Close = sys.CloseFile
	h.Now = wallNanos
	h.Draw = func(n uint64) uint64 { return simulation.Draw(sim.World, n) }
	h.Start = sys.SimTime.Wall + 1e9
	h.UID, h.GID = simUser, simUser
	realUser = uint32(sys.Syscall6(callGetuid, 0, 0, 0, 0, 0, 0))
	realGroup = uint32(sys.Syscall6(callGetgid, 0, 0, 0, 0, 0, 0))
}

// realUser and realGroup are those of the process. What is theirs is the simulated user's.
var realUser, realGroup uint32

// simulatedID is the simulated number of a real user or group.
func simulatedID(id, own uint32) uint32 {
	switch id {
	case own:
		return simUser
	case simUser:
		return own
	}
	return id
}

// wallNanos is the wall clock; looking at it costs the program nothing.
func wallNanos() int64 { return sys.SimTime.Wall + sys.SimTime.Now }

// cPath is a path that ends in a zero byte.
type cPath [4200]byte

func (p *cPath) set(s string) uintptr {
	p[copy(p[:len(p)-1], s)] = 0
	return uintptr(unsafe.Pointer(p))
}

func realStat(path string, st *disk.Real) int32 {
	var p cPath
	var s kernelStat
	sys.WillWrite(unsafe.Pointer(&s), unsafe.Sizeof(s))
	if r := sys.Syscall6(callLstat, p.set(path), uintptr(unsafe.Pointer(&s)), 0, 0, 0, 0); r != 0 {
		return -int32(r)
	}
	*st = disk.Real{Mode: s.mode, UID: simulatedID(s.uid, realUser), GID: simulatedID(s.gid, realGroup), Rdev: s.rdev,
		Size: s.size, Mtime: s.mtime[0]*1e9 + s.mtime[1]}
	return 0
}

func realOpen(path string) int32 {
	const nonblock = 0o4000 // nobody waits for a pipe's other end
	var p cPath
	return int32(sys.Syscall6(sys.SYS_OPEN, p.set(path), sys.O_CLOEXEC|nonblock, 0, 0, 0, 0))
}

func realRead(fd int32, to []byte, at int64) int {
	if len(to) == 0 {
		return 0
	}
	return sys.Pread(fd, unsafe.Pointer(&to[0]), len(to), at)
}

func realNames(fd int32, to []byte) int {
	sys.WillWrite(unsafe.Pointer(&to[0]), uintptr(len(to)))
	return int(sys.Syscall6(callGetdents64, uintptr(fd), uintptr(unsafe.Pointer(&to[0])), uintptr(len(to)), 0, 0, 0))
}

func realLink(path string, to []byte) int {
	var p cPath
	sys.WillWrite(unsafe.Pointer(&to[0]), uintptr(len(to)))
	return int(sys.Syscall6(callReadlink, p.set(path), uintptr(unsafe.Pointer(&to[0])), uintptr(len(to)), 0, 0, 0))
}
