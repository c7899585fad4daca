package simulation

import (
	"unsafe"

	"loam/rt/sim"
	"loam/rt/sys"
)

// files are what a run writes besides what it simulates.
var files struct{ log, trace file }

type file struct {
	fd  int32
	buf [16 << 10]byte
}

func (f *file) open(name string) {
	f.fd = openFile(name, sys.O_WRONLY|sys.O_CREAT|sys.O_TRUNC)
}

// readWhole returns the text of a file, in memory that stays.
func readWhole(name string) string {
	fd := openFile(name, sys.O_RDONLY)
	size := int(sys.Syscall6(sys.SYS_LSEEK, uintptr(fd), 0, 2, 0, 0, 0))
	if size <= 0 {
		return ""
	}
	p := sys.SimOwn(uintptr(size), -1)
	n := 0
	for n < size {
		k := sys.Pread(fd, unsafe.Add(p, n), size-n, int64(n))
		if k <= 0 {
			break
		}
		n += k
	}
	sys.Close(fd)
	return unsafe.String((*byte)(p), n)
}

// openFile opens a file that LOAMSIM names, or ends the process.
func openFile(name string, flags int32) int32 {
	var path [1024]byte
	if len(name) >= len(path) {
		sys.Throw("LOAMSIM: the name of a file is too long")
	}
	copy(path[:], name)
	fd := sys.Open(unsafe.String(&path[0], len(name)+1), flags, 0o666)
	if fd < 0 {
		sys.BeginLine()
		sys.PrintString("LOAMSIM: cannot open ")
		sys.PrintString(name)
		sys.PrintString(": error ")
		sys.PrintInt(-int64(fd))
		sys.EndLine()
		sys.Exit(2)
	}
	return fd
}

func writeAll(fd int32, b []byte) {
	for len(b) > 0 {
		n := sys.Write(fd, unsafe.Pointer(&b[0]), len(b))
		if n == -sys.EINTR {
			continue
		}
		if n <= 0 {
			return
		}
		b = b[n:]
	}
}

// report is a line of words and numbers.
type report struct {
	buf [512]byte
	n   int
}

func (r *report) text(s string) { r.n += copy(r.buf[r.n:], s) }

func (r *report) add(name string, v uint64) {
	r.text(name)
	r.n += sim.Decimal(r.buf[r.n:], v)
}
