package sched

import (
	"unsafe"

	"loam/rt/sys"
)

// cpuLimit are the descriptors of the files that have the CPU limit of one cgroup. They stay open,
// as a program that changes descriptors by number may not meet one that comes and goes.
type cpuLimit struct {
	quota  int32
	period int32 // -1 in version 2, where both numbers are in one file
}

// cpuLimits are those of the process's cgroup, if it has such files, and of those above it that had
// a limit when the files were opened. procs.lock.
var cpuLimits struct {
	opened bool
	n      int
	of     [4]cpuLimit
}

// cgroupCPUs returns the CPU limit of the process's cgroup (version 2: cpu.max, version 1:
// cfs_quota) and those above it, rounded up, at least 2 as in Go 1.25; 0 if there is none. It is
// not known when a file cannot be read. The first call uses some KB of the system stack.
// procs.lock held.
func cgroupCPUs() (limit int32, known bool) {
	if !cpuLimits.opened {
		cpuLimits.opened = true
		openLimits()
	}
	least := int64(0)
	known = true
	for _, l := range cpuLimits.of[:cpuLimits.n] {
		c, ok := l.cpus()
		known = known && ok
		if c > 0 && (least == 0 || c < least) {
			least = c
		}
	}
	if least == 0 {
		return 0, known
	}
	return int32(max(2, min(least, 1<<31-1))), known
}

// openLimits finds the cgroup.
func openLimits() {
	eachCgroup("cpu", func(root, path string, v2 bool) {
		first := true
		eachAbove(path, func(path string) {
			l, ok := openLimit(root, path, v2)
			if !ok {
				return
			}
			if n, _ := l.cpus(); cpuLimits.n < len(cpuLimits.of) && (first || n > 0) {
				cpuLimits.of[cpuLimits.n] = l
				cpuLimits.n++
			} else {
				l.close()
			}
			first = false
		})
	})
}

// eachCgroup calls f with the directory of the hierarchy, and the path there of the process's
// cgroup, for each hierarchy that may have the controller.
func eachCgroup(controller string, f func(root, path string, v2 bool)) {
	var file [4096]byte
	fd := openIn("/proc/self/cgroup", "", "\x00")
	if fd < 0 {
		return
	}
	n := sys.Read(fd, unsafe.Pointer(&file), len(file))
	sys.Close(fd)
	for i := 0; i < n; {
		end := i
		for end < n && file[end] != '\n' {
			end++
		}
		line := unsafe.String(&file[i], end-i)
		if ctl, path, ok := splitCgroup(line); ok {
			switch {
			case ctl == "":
				f("/sys/fs/cgroup", path, true)
			case hasController(ctl, controller) && controller == "cpu":
				f("/sys/fs/cgroup/cpu", path, false)
			case hasController(ctl, controller):
				f("/sys/fs/cgroup/memory", path, false)
			}
		}
		i = end + 1
	}
}

// splitCgroup cuts "id:controllers:path".
func splitCgroup(line string) (ctl, path string, ok bool) {
	a := -1
	for i := 0; i < len(line); i++ {
		if line[i] == ':' {
			if a < 0 {
				a = i
			} else {
				return line[a+1 : i], line[i+1:], true
			}
		}
	}
	return "", "", false
}

// hasController looks for name in a comma-separated list.
func hasController(ctl, name string) bool {
	for len(ctl) > 0 {
		i := 0
		for i < len(ctl) && ctl[i] != ',' {
			i++
		}
		if ctl[:i] == name {
			return true
		}
		if i == len(ctl) {
			return false
		}
		ctl = ctl[i+1:]
	}
	return false
}

// eachAbove calls f with path, and that of every directory above it; the highest is "".
func eachAbove(path string, f func(path string)) {
	for {
		if path == "/" {
			path = ""
		}
		f(path)
		if path == "" {
			return
		}
		i := len(path) - 1
		for i > 0 && path[i] != '/' {
			i--
		}
		path = path[:i]
	}
}

// closeLimits has the next call of cgroupCPUs open the files anew.
func closeLimits() {
	for _, l := range cpuLimits.of[:cpuLimits.n] {
		l.close()
	}
	cpuLimits.opened, cpuLimits.n = false, 0
}

func openLimit(root, path string, v2 bool) (l cpuLimit, ok bool) {
	if v2 {
		l = cpuLimit{openIn(root, path, "/cpu.max\x00"), -1}
		return l, l.quota >= 0
	}
	l = cpuLimit{openIn(root, path, "/cpu.cfs_quota_us\x00"), -1}
	if l.quota < 0 {
		return l, false
	}
	if l.period = openIn(root, path, "/cpu.cfs_period_us\x00"); l.period < 0 {
		l.close()
		return l, false
	}
	return l, true
}

// openIn opens a file of a directory in root. Tests have the variable LOAMCGROUP name a directory
// that stands for the file system's.
func openIn(root, path, file string) int32 {
	var name [1024]byte
	above, _ := sys.Getenv("LOAMCGROUP")
	if !join(&name, above, root, path, file) {
		return -1
	}
	return sys.Open(unsafe.String(&name[0], len(name)), sys.O_RDONLY, 0)
}

func (l cpuLimit) close() {
	sys.Close(l.quota)
	if l.period >= 0 {
		sys.Close(l.period)
	}
}

// cpus returns the limit, rounded up; 0 if there is none. It is not known when a file cannot be
// read.
func (l cpuLimit) cpus() (n int64, known bool) {
	var text [64]byte
	b := readStart(l.quota, &text)
	known = len(b) > 0
	quota, rest := number(b)
	if l.period >= 0 {
		rest = readStart(l.period, &text)
		known = known && len(rest) > 0
	}
	period, _ := number(rest)
	if quota <= 0 || period <= 0 {
		return 0, known
	}
	return (quota + period - 1) / period, known
}

// readStart reads the beginning of a file; nothing if that fails, as it does when the cgroup is
// gone. A file of a cgroup is never empty, so nothing does not mean that there is no limit.
func readStart(fd int32, text *[64]byte) []byte {
	n := sys.Pread(fd, unsafe.Pointer(text), len(text), 0)
	return text[:max(n, 0)]
}

func join(dst *[1024]byte, a, b, c, d string) bool {
	if len(a)+len(b)+len(c)+len(d) > len(dst) {
		return false
	}
	n := copy(dst[:], a)
	n += copy(dst[n:], b)
	n += copy(dst[n:], c)
	copy(dst[n:], d)
	return true
}

// number reads a decimal number and skips one separator; -1 if there is none.
func number(b []byte) (int64, []byte) {
	i, v := 0, int64(0)
	for i < len(b) && b[i] >= '0' && b[i] <= '9' && i < 18 {
		v = v*10 + int64(b[i]-'0')
		i++
	}
	if i == 0 {
		return -1, nil
	}
	if i < len(b) {
		return v, b[i+1:]
	}
	return v, nil
}
