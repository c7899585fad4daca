//go:build loam

package world

import (
	"loam/rt/disk"
	"loam/rt/sys"
)

// kernelStat is what stat fills in.
type kernelStat struct {
	dev, ino, nlink     uint64
	mode, uid, gid, pad uint32
	rdev                uint64
	size, blksize       int64
	blocks              int64
	atime, mtime, ctime [2]int64
	unused              [3]int64
}

func fillStat(n *disk.Node, p uintptr) {
	s := (*kernelStat)(sys.Ptr(p))
	*s = kernelStat{
		dev: simDevice, ino: n.Ino, nlink: uint64(n.Links()), mode: n.Mode, uid: n.UID, gid: n.GID, rdev: n.Rdev,
		size: n.Size, blksize: 4096, blocks: n.Blocks(),
		atime: seconds(n.Atime), mtime: seconds(n.Mtime), ctime: seconds(n.Ctime),
	}
}

// simDevice is the number of the one disk.
const simDevice = 0x801

func seconds(ns int64) [2]int64 {
	sec, rest := ns/1e9, ns%1e9
	if rest < 0 {
		sec, rest = sec-1, rest+1e9
	}
	return [2]int64{sec, rest}
}

// kernelStatx is what statx fills in.
type kernelStatx struct {
	mask, blksize              uint32
	attributes                 uint64
	nlink, uid, gid            uint32
	mode, pad                  uint16
	ino, size, blocks          uint64
	attributesMask             uint64
	atime, btime, ctime, mtime statxTime
	rdevMajor, rdevMinor       uint32
	devMajor, devMinor         uint32
	mountID                    uint64
	rest                       [13]uint64
}

type statxTime struct {
	sec  int64
	nsec uint32
	pad  uint32
}

func statxSeconds(ns int64) statxTime {
	t := seconds(ns)
	return statxTime{sec: t[0], nsec: uint32(t[1])}
}

func fillStatx(n *disk.Node, p uintptr) {
	const basic = 0x7ff
	*(*kernelStatx)(sys.Ptr(p)) = kernelStatx{
		mask: basic, blksize: 4096, nlink: n.Links(), uid: n.UID, gid: n.GID, mode: uint16(n.Mode), ino: n.Ino, size: uint64(n.Size),
		blocks: uint64(n.Blocks()), atime: statxSeconds(n.Atime), ctime: statxSeconds(n.Ctime), mtime: statxSeconds(n.Mtime),
		rdevMajor: major(n.Rdev), rdevMinor: minor(n.Rdev), devMajor: major(simDevice), devMinor: minor(simDevice),
	}
}

func major(dev uint64) uint32 { return uint32(dev>>8&0xfff | dev>>32&^0xfff) }
func minor(dev uint64) uint32 { return uint32(dev&0xff | dev>>12&^0xff) }

// fillStatfs describes the disk.
func fillStatfs(p uintptr) {
	const ext4, block = 0xef53, 4096
	all, used := files.Space()
	b := (*[15]int64)(sys.Ptr(p))
	*b = [15]int64{ext4, block, all / block, (all - used) / block, (all - used) / block, 1 << 20, 1 << 19, 0, 255, block}
}

// Rights.

func chmod(n *disk.Node, mode uint32) int32 {
	if errno := files.Owns(n); errno != 0 {
		return errno
	}
	n.Mode = n.Mode&disk.KindMask | mode&0o7777
	n.Ctime = wallNanos()
	return 0
}

func chown(n *disk.Node, uid, gid uintptr) int32 {
	const none = ^uint32(0)
	u, g := uint32(uid), uint32(gid)
	if disk.Host.UID != 0 && (u != none && u != n.UID || g != none && g != n.GID && g != disk.Host.GID || n.UID != disk.Host.UID) {
		return disk.EPERM
	}
	if u != none {
		n.UID = u
	}
	if g != none {
		n.GID = g
	}
	n.Ctime = wallNanos()
	return 0
}

// setTimes is utimensat: p has the two times, or is 0.
func setTimes(n *disk.Node, p uintptr, unit int64) int32 {
	const now, omit = 0x3fffffff, 0x3ffffffe
	if p == 0 {
		if files.Owns(n) != 0 && files.May(n, disk.Write) != 0 {
			return disk.EACCES
		}
		n.Atime = wallNanos()
		n.Mtime = n.Atime
		return 0
	}
	if errno := files.Owns(n); errno != 0 {
		return errno
	}
	t := (*[2][2]int64)(sys.Ptr(p))
	for i, at := range [2]*int64{&n.Atime, &n.Mtime} {
		switch ns := t[i][1] * unit; {
		case unit == 1 && ns == now:
			*at = wallNanos()
		case unit == 1 && ns == omit:
		case ns < 0 || ns >= 1e9:
			return sys.EINVAL
		default:
			*at = t[i][0]*1e9 + ns
		}
	}
	n.Ctime = wallNanos()
	return 0
}
