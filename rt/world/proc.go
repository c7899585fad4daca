//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
)

// What a process sees of itself in /proc, and how one that another process has started comes to its
// files.

// furnishProcess makes the files of a process.
func furnishProcess(proc *disk.Node, pid, parent string) *disk.Node {
	const text = disk.Regular | 0o444
	self := files.Put(proc, pid, disk.Dir|0o555, "")
	files.Put(self, "cgroup", text, "0::/\n")
	files.Put(self, "mountinfo", text, "21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n")
	files.Put(self, "mounts", text, "/dev/sda1 / ext4 rw,relatime 0 0\n")
	files.Put(self, "comm", text, "loam\n")
	files.Put(self, "maps", text, "")
	files.Put(self, "limits", text, "Limit                     Soft Limit           Hard Limit           Units     \n"+
		"Max open files            1024                 16384                files     \n")
	putAll(self, "stat", pid, " (loam) R ", parent, " ", pid, " ", pid,
		" 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 100 1073741824 16384 18446744073709551615\n")
	files.Put(self, "statm", text, "262144 16384 1024 1024 0 8192 0\n")
	putAll(self, "status", "Name:\tloam\nState:\tR (running)\nTgid:\t", pid, "\nPid:\t", pid, "\nPPid:\t", parent,
		"\nVmSize:\t 1048576 kB\nVmRSS:\t   65536 kB\nThreads:\t1\n", "")
	return self
}

// putAll puts a file of several parts.
func putAll(dir *disk.Node, name string, parts ...string) {
	n := files.Put(dir, name, disk.Regular|0o444, "")
	at := int64(0)
	for _, s := range parts {
		at += int64(max(files.Write(n, unsafe.Slice(unsafe.StringData(s), len(s)), at), 0))
	}
	files.Sync(n)
}

// ownDigits is this process's number, as a text that stays.
var ownDigits [20]byte

// joinDisk takes over the disk that the parent has given this process a part of.
func joinDisk(name string) {
	fd := simulation.Open(name, oRdwr)
	mapDisk(sys.Syscall6(sys.SYS_MMAP, diskAt, diskSize, sys.PROT_READ|sys.PROT_WRITE, mapShared|mapFixed, uintptr(fd), 0))
	sys.Close(fd)
	files = disk.Join(sys.Ptr(diskAt))
	b := others.Birth(me)
	cwd = (*disk.Node)(sys.Ptr(b.Cwd))
	own := unsafe.String(&ownDigits[0], sim.Decimal(ownDigits[:], uint64(pid())))
	var digits [20]byte
	parent := unsafe.String(&digits[0], sim.Decimal(digits[:], uint64(parentPID())))
	proc, errno := files.Walk(files.Root(), "proc", true)
	if errno != 0 || proc.Node == nil {
		sys.Throw("simulation: the disk has no /proc")
	}
	dir := furnishProcess(proc.Node, own, parent)
	files.Put(dir, "exe", disk.Symlink|0o777, unsafe.String(&b.Path[0], len(b.Program())))
	if p, errno := files.Walk(proc.Node, "self", false); errno == 0 {
		disk.Self.Node, disk.Self.Target = p.Node, own
	}
}

// withdrawProcess takes this process out of /proc.
func withdrawProcess() {
	if p, errno := files.Walk(files.Root(), "proc", true); errno == 0 && p.Node != nil {
		files.Withdraw(p.Node, disk.Self.Target)
	}
}
