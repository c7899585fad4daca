//go:build loam

package world

import (
	"unsafe"

	"loam/rt/cluster"
	"loam/rt/disk"
	"loam/rt/sched"
	"loam/rt/sim"
	"loam/rt/simulation"
	"loam/rt/sys"
)

// Processes that the program starts. Each is a simulation of its own, as machines are, on the same
// machine: it has the same disk, and shares open files and pipes that it was given. The program is
// a file that Loam has compiled; any other would leave the simulated world.

// callSpawn is a system call that no system has: fork and exec at once. Its argument is a spawning.
const callSpawn = callAsk + 1

// spawning is what package syscall asks for (overlay/syscall/spawn.go has the same).
type spawning struct {
	path       *byte
	argv, envv []*byte // with nil at the end
	dir        *byte   // nil: the parent's
	files      []uintptr
	group      int32 // of processes: 0 a new one, -1 the parent's
	fate       int32 // signal for the process when its parent ends; 0: none
	other      string
}

// spawn starts a process. Its parent knows its number, or an error.
func (c *call) spawn() uintptr {
	s := (*spawning)(sys.Ptr(c.a1))
	path, errno := text(uintptr(unsafe.Pointer(s.path)))
	if errno != 0 {
		return failure(errno)
	}
	if s.other != "" {
		leaves("a process that is started with SysProcAttr.", s.other, " has no model")
	}
	if others == nil {
		alone(path)
	}
	dir := cwd
	if s.dir != nil {
		if dir, errno = found(here, uintptr(unsafe.Pointer(s.dir)), true); errno == 0 {
			errno = mayEnter(dir)
		}
		if errno != 0 {
			return failure(errno)
		}
	}
	p, errno := program(dir, path)
	if errno != 0 {
		return failure(errno)
	}
	for _, fd := range s.files {
		if fd != ^uintptr(0) && lookup(fd) == nil {
			return failure(sys.EBADF)
		}
	}
	k := others.Conceive(me)
	if k < 0 {
		return failure(sys.EAGAIN)
	}
	files.Share()
	m, b := &others.Machines[k], others.Birth(k)
	if errno := setProgram(b, p); errno != 0 {
		return failure(errno)
	}
	b.Cwd = uintptr(unsafe.Pointer(dir))
	m.Fate = s.fate
	if s.group == 0 {
		m.Group = m.PID
	} else if s.group > 0 {
		m.Group = s.group
	}
	handAll(k, b, s.files)
	files.Open(dir)
	return c.launch(k, p.Node, path, s)
}

// launch asks the coordinator for the process.
func (c *call) launch(k int, n *disk.Node, path string, s *spawning) uintptr {
	real := n.Original()
	copied := int32(-1)
	var name [64]byte
	if real == "" {
		copied = copyOut(n)
		i := copy(name[:], "/proc/")
		i += sim.Decimal(name[i:], uint64(sys.Getpid()))
		i += copy(name[i:], "/fd/")
		i += sim.Decimal(name[i:], uint64(copied))
		real = unsafe.String(&name[0], i)
	}
	r := &others.Request
	r.Op, r.From, r.Machine, r.N, r.Answer = cluster.Spawn, int32(me), int32(k), 0, cluster.Done
	ok := r.Add(real)
	var digits [20]byte
	ok = ok && r.Add(unsafe.String(&digits[0], sim.Decimal(digits[:], uint64(max(len(s.envv)-1, 0)))))
	for _, list := range [...][]*byte{s.envv, s.argv} {
		for _, p := range list {
			if p != nil {
				ok = ok && r.Add(sys.CString(p))
			}
		}
	}
	if !ok {
		leaves("the arguments and variables of a process have more than 256 KB", "", "")
	}
	took := int64(200_000) + int64(simulation.Draw(sim.World, 1_000_000))
	others.Boot(k, sys.SimTime.Now+took)
	simulation.Asks()
	if copied >= 0 {
		sys.Close(copied)
	}
	if r.Answer == cluster.Foreign {
		leaves("the program starts ", path, ", which Loam has not compiled")
	}
	return uintptr(others.PIDOf(k))
}

// alone ends a run that was to be the only process. The driver makes it again, as a world.
func alone(path string) {
	s := simulation.Settings()
	if s.Report < 0 || s.Serve {
		leaves("the program starts ", path, ", but this run has one process: by `loam run`, `loam test` and `loam sim` main.main, or a test, can start others")
	}
	simulation.Lonely()
	sys.Exit(0)
}

// leaves ends the run with an error that says what has no model.
func leaves(what, name, rest string) {
	Fails()
	sys.BeginReport()
	sys.PrintString("simulation: ")
	sys.PrintString(what)
	sys.PrintString(name)
	sys.PrintString(rest)
	sys.PrintNL()
	sys.Throw("simulation: the program leaves the simulated world")
}

// Fails notes that the run fails, whatever becomes of this process. What it says of that goes to
// the real standard error.
func Fails() {
	failing, sched.ProgramFails = true, true
	if others != nil {
		others.Failed = true
	}
}

var failing bool

// program is the file that a path names, which is to be executed.
func program(dir *disk.Node, path string) (p disk.Place, errno int32) {
	p, errno = files.Walk(dir, path, true)
	switch {
	case errno != 0:
		return p, errno
	case p.Node == nil:
		return p, disk.ENOENT
	case p.Node.Kind() != disk.Regular:
		return p, disk.EACCES
	}
	if errno = files.May(p.Node, disk.Exec); errno == 0 && !executable(p.Node) {
		errno = errNoExec
	}
	return p, errno
}

// executable reports whether a system would know what to do with the file: it is an ELF program, or
// names its interpreter.
func executable(n *disk.Node) bool {
	var head [4]byte
	k := files.Read(n, head[:], 0)
	return k == 4 && head == [4]byte{0x7f, 'E', 'L', 'F'} || k >= 2 && head[0] == '#' && head[1] == '!'
}

func mayEnter(n *disk.Node) int32 {
	if !n.IsDir() {
		return errNotDir
	}
	return files.May(n, disk.Exec)
}

// setProgram notes the path of the program.
func setProgram(b *cluster.Birth, p disk.Place) (errno int32) {
	var buf [longestPath]byte
	end := len(buf) - len(p.Name)
	copy(buf[end:], p.Name)
	end--
	buf[end] = '/'
	if p.Dir == files.Root() {
		b.SetPath(buf[end:])
		return 0
	}
	dir, errno := files.Path(p.Dir, buf[:end])
	if errno != 0 {
		return errno
	}
	if !b.SetPath(buf[end-len(dir):]) {
		return disk.ENAMETOOLONG
	}
	return 0
}

// copyOut is a descriptor of a real file with the bytes of a node, for the coordinator.
func copyOut(n *disk.Node) int32 {
	name := "loam-program\x00"
	fd := int32(sys.Syscall6(callMemfdCreate, uintptr(unsafe.Pointer(unsafe.StringData(name))), 1, 0, 0, 0, 0))
	if fd < 0 {
		sys.Throw("simulation: there is no memory for a copy of a program")
	}
	var page [sys.PageSize]byte
	for at := int64(0); at < n.Size; {
		k := files.Read(n, page[:], at)
		if k <= 0 {
			break
		}
		at += int64(k)
		for b := page[:k]; len(b) > 0; {
			w := sys.Write(fd, unsafe.Pointer(&b[0]), len(b))
			if w <= 0 {
				sys.Throw("simulation: there is no memory for a copy of a program")
			}
			b = b[w:]
		}
	}
	return fd
}

// handAll gives a process its descriptors: those that the call names, as 0 and so on, and others
// that stay when a program is executed.
func handAll(k int, b *cluster.Birth, fds []uintptr) {
	for i, fd := range fds {
		if fd != ^uintptr(0) {
			handOne(k, b, lookup(fd), i)
		}
	}
	for fd := len(fds); fd <= highest; fd++ {
		if d := &table[fd]; d.file != nil && d.exec {
			handOne(k, b, d.file, fd)
		}
	}
}

func handOne(k int, b *cluster.Birth, f *file, fd int) {
	h := b.Hand()
	if h == nil {
		leaves("a process is given more than 256 descriptors", "", "")
	}
	h.FD, h.What, h.Flags, h.Open = int32(fd), uint8(f.what), uint64(f.flags), -1
	switch f.what {
	case real:
		h.Real = int32(f.osFD)
	case onDisk:
		if f.open == &f.own {
			o, i := others.NewOpen()
			if o == nil {
				leaves("the processes of a world have given each other more than 4,096 files", "", "")
			}
			*o = f.own
			o.Users = 1
			f.open, f.openPlace = o, i
		}
		f.open.Users++
		h.Open, h.Node = int32(f.openPlace), uintptr(unsafe.Pointer(f.node))
		files.Open(f.node)
	case piped:
		h.Pipe = int32(f.pipe.place)
		mode := f.flags & accessMode
		s := f.pipe.state
		if mode != oWronly {
			s.Readers++
		}
		if mode != oRdonly {
			s.Writers++
		}
		s.Holders.Add(k)
		if f.pipe.node != nil {
			files.Open(f.pipe.node)
		}
	default:
		leaves("a socket, or what waits for files, is given to another process", "", "")
	}
}

// takeHanded makes the table of a process that another one has started.
func takeHanded() {
	for i := range others.Birth(me).Handed() {
		h := &others.Birth(me).Handed()[i]
		f := newFile(what(h.What))
		f.flags = uintptr(h.Flags)
		switch f.what {
		case real:
			f.osFD = uintptr(h.Real)
		case onDisk:
			f.node = (*disk.Node)(sys.Ptr(h.Node))
			f.open, f.openPlace = others.Open(int(h.Open)), int(h.Open)
		case piped:
			f.pipe = numberedPipe(int(h.Pipe))
			f.pipe.count(f.flags&accessMode, 1)
		}
		if table[h.FD].file == nil {
			put(f, int(h.FD), true)
		}
	}
	for lowestFree < maxFDs && table[lowestFree].file != nil {
		lowestFree++
	}
}
