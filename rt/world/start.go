//go:build loam

package world

import (
	"unsafe"

	"loam/rt/disk"
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
)

// How the world is when the program starts.

const (
	diskAt   = 0x3000_0000_0000 // a disk in a file has to lie at the same address in each process
	diskSize = 1 << 36
)

// startDisk makes the disk, or takes over the one in the file that the settings name.
func startDisk() {
	s := simulation.Settings()
	Faults = s.Faults
	if isChild() {
		joinDisk(s.Disk)
		return
	}
	if s.Disk == "" {
		flags := uintptr(sys.MAP_PRIVATE | sys.MAP_ANON | sys.MAP_NORESERVE | mapFixed)
		mapDisk(sys.Syscall6(sys.SYS_MMAP, diskAt, diskSize, sys.PROT_READ|sys.PROT_WRITE, flags, ^uintptr(0), 0))
		begin(true)
		return
	}
	fd := simulation.Open(s.Disk, oRdwr|oCreat)
	sys.Syscall6(callFtruncate, uintptr(fd), diskSize, 0, 0, 0, 0)
	size := sys.Syscall6(sys.SYS_LSEEK, uintptr(fd), 0, 2, 0, 0, 0)
	if size != diskSize {
		sys.Throw("LOAMSIM: the file for the disk cannot have the size of one")
	}
	fresh := readMagic(fd) == 0
	mapDisk(sys.Syscall6(sys.SYS_MMAP, diskAt, diskSize, sys.PROT_READ|sys.PROT_WRITE, mapShared|mapFixed, uintptr(fd), 0))
	sys.Close(fd)
	begin(fresh)
	if s.Crashed { // before the run has its numbers, as initialisers see the disk
		state := s.Seed
		draw := disk.Host.Draw
		disk.Host.Draw = func(n uint64) uint64 { return sim.Next(&state) % n }
		files.Crash()
		disk.Host.Draw = draw
	}
}

func readMagic(fd int32) (word uint64) {
	sys.Pread(fd, unsafe.Pointer(&word), 8, 0)
	return word
}

func mapDisk(p uintptr) {
	if p != diskAt {
		sys.Throw("simulation: there is no room for the disk")
	}
	sys.Made(p, diskSize, false)
}

// begin attaches the disk; fresh says that it is a new one.
func begin(fresh bool) {
	files = disk.Attach(sys.Ptr(diskAt), diskSize)
	files.Room = int64(Faults.DiskRoom)
	files.Salt = disk.Host.Draw(1 << 62)
	if fresh {
		furnish()
	}
	var buf [longestPath]byte
	cwd = files.Root()
	if n := int(sys.Syscall6(callGetcwd, uintptr(unsafe.Pointer(&buf)), uintptr(len(buf)), 0, 0, 0, 0)); n > 1 {
		if p, errno := files.Walk(cwd, unsafe.String(&buf[0], n-1), true); errno == 0 && p.Node != nil && p.Node.IsDir() {
			cwd = p.Node
		}
	}
	files.Open(cwd)
	furnished = disk.Changes
}

// furnished is disk.Changes when the disk was made.
var furnished uint64

// BeginRun starts what goes by the run's own settings; a process that was forked for it has others
// than before. main.main is next.
func BeginRun(s *sim.Settings) {
	Faults = s.Faults
	Join(s)
	if files != nil && others == nil {
		files.Room = int64(Faults.DiskRoom)
		files.Salt = disk.Host.Draw(1 << 62)
	}
	if Faults.Signal != 0 && !isChild() {
		signalTimer.Fire = sendSignal
		signalTimer.Start(1e9+int64(Faults.SignalAt), 0)
	}
	startPartitions()
}

// furnish puts files on a new disk that are not the real ones: what the machine says of itself.
func furnish() {
	root := files.Root()
	proc := files.Put(root, "proc", disk.Dir|0o555, "")
	files.Put(root, "sys", disk.Dir|0o555, "")
	files.Put(proc, "self", disk.Symlink|0o777, "4242")
	const text = disk.Regular | 0o444
	self := furnishProcess(proc, "4242", "1")
	furnishProgram(self)
	files.Put(proc, "version", text, "Linux version "+release+" "+version+"\n")
	files.Put(proc, "meminfo", text, "MemTotal:        8388608 kB\nMemFree:         4194304 kB\nMemAvailable:    6291456 kB\n")
	files.Put(proc, "loadavg", text, "0.00 0.00 0.00 1/1 4242\n")
	files.Put(proc, "uptime", text, "1.00 1.00\n")
	files.Put(proc, "mounts", disk.Symlink|0o777, "self/mounts")
	cpuinfo(proc)
	system := files.Put(proc, "sys", disk.Dir|0o555, "")
	kernel := files.Put(system, "kernel", disk.Dir|0o555, "")
	files.Put(kernel, "hostname", text, hostname())
	files.Put(kernel, "osrelease", text, release+"\n")
	files.Put(kernel, "ostype", text, "Linux\n")
	core := files.Put(files.Put(system, "net", disk.Dir|0o555, ""), "core", disk.Dir|0o555, "")
	files.Put(core, "somaxconn", text, "4096\n")

	furnishEtc(directory(root, "etc", 0o755))
	files.Discreet(directory(root, "tmp", 0o1777))
	files.Put(directory(root, "home", 0o755), "loam", disk.Dir|0o755, "")
}

// furnishEtc makes the files by which the machine knows its names and its users.
func furnishEtc(etc *disk.Node) {
	const text = disk.Regular | 0o644
	hostsFile(etc)
	files.Put(etc, "resolv.conf", text, "nameserver 127.0.0.53\noptions timeout:1 attempts:2\n")
	files.Put(etc, "nsswitch.conf", text, "hosts: files dns\n")
	files.Put(etc, "passwd", text, "root:x:0:0:root:/root:/bin/sh\nloam:x:1000:1000::/home/loam:/bin/sh\n"+
		"nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n")
	files.Put(etc, "group", text, "root:x:0:\nloam:x:1000:\nnogroup:x:65534:\n")
}

// furnishProgram puts the program where it is in every simulated run, wherever the real file is.
func furnishProgram(self *disk.Node) {
	if sys.Argc == 0 {
		return
	}
	var buf [longestPath]byte
	exe := "/proc/self/exe\x00"
	n := int(sys.Syscall6(callReadlink, uintptr(unsafe.Pointer(unsafe.StringData(exe))), uintptr(unsafe.Pointer(&buf)),
		uintptr(len(buf)), 0, 0, 0))
	if n <= 0 {
		return
	}
	name := sys.CString(*sys.Argv)
	bin := directory(directory(directory(files.Root(), "usr", 0o755), "local", 0o755), "bin", 0o755)
	files.Alias(bin, name, unsafe.String(&buf[0], n))
	var path [longestPath]byte
	k := copy(path[:], "/usr/local/bin/")
	k += copy(path[k:], name)
	files.Put(self, "exe", disk.Symlink|0o777, unsafe.String(&path[0], k))
}

// directory is the one of the name, which is made if the real machine has none.
func directory(in *disk.Node, name string, mode uint32) *disk.Node {
	if p, errno := files.Walk(in, name, true); errno == 0 && p.Node != nil && p.Node.IsDir() {
		return p.Node
	}
	return files.Put(in, name, disk.Dir|mode, "")
}

// cpuinfo lists the processors.
func cpuinfo(proc *disk.Node) {
	n := files.Put(proc, "cpuinfo", disk.Regular|0o444, "")
	at := int64(0)
	add := func(s string) { at += int64(max(files.Write(n, unsafe.Slice(unsafe.StringData(s), len(s)), at), 0)) }
	for i := range uint64(simulation.Procs()) {
		var digits [20]byte
		add("processor\t: ")
		add(unsafe.String(&digits[0], sim.Decimal(digits[:], i)))
		add("\nmodel name\t: Loam\ncpu MHz\t\t: 1000.000\n\n")
	}
	files.Sync(n)
}
