package sched

import (
	"unsafe"

	"loam/rt/sys"
)

// cgroupCPUs returns the CPU limit of the process's cgroup (version 2: cpu.max,
// version 1: cfs_quota), rounded up, at least 2 as in Go 1.25; 0 if there is none. All levels
// up to the root count. Uses some KB of the system stack.
func cgroupCPUs() int32 {
	var file [4096]byte
	n := readFile("/proc/self/cgroup\x00", &file)
	if n <= 0 {
		return 0
	}
	best := int64(0) // in 1/1000 CPU
	for i := 0; i < n; {
		end := i
		for end < n && file[end] != '\n' {
			end++
		}
		line := unsafe.String(&file[i], end-i)
		if ctl, path, ok := splitCgroup(line); ok {
			if ctl == "" {
				limitUp("/sys/fs/cgroup", path, true, &best)
			} else if hasCPU(ctl) {
				limitUp("/sys/fs/cgroup/cpu", path, false, &best)
			}
		}
		i = end + 1
	}
	if best == 0 {
		return 0
	}
	c := int32((best + 999) / 1000)
	if c < 2 {
		c = 2
	}
	return c
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

// hasCPU looks for the controller "cpu" in a comma-separated list.
func hasCPU(ctl string) bool {
	for len(ctl) > 0 {
		i := 0
		for i < len(ctl) && ctl[i] != ',' {
			i++
		}
		if ctl[:i] == "cpu" {
			return true
		}
		if i == len(ctl) {
			return false
		}
		ctl = ctl[i+1:]
	}
	return false
}

// limitUp reads the limit at path and at every directory above it.
func limitUp(root, path string, v2 bool, best *int64) {
	for {
		m := cgroupLimit(root, path, v2)
		if m > 0 && (*best == 0 || m < *best) {
			*best = m
		}
		if path == "" || path == "/" {
			return
		}
		i := len(path) - 1
		for i > 0 && path[i] != '/' {
			i--
		}
		path = path[:i]
	}
}

// cgroupLimit returns quota/period in 1/1000 CPU, 0 if unlimited or unreadable.
func cgroupLimit(root, path string, v2 bool) int64 {
	var name [1024]byte
	var text [256]byte
	if path == "/" {
		path = ""
	}
	if v2 {
		if !join(&name, root, path, "/cpu.max\x00") {
			return 0
		}
		n := readFile(unsafe.String(&name[0], len(name)), &text)
		quota, rest := number(text[:max(n, 0)])
		period, _ := number(rest)
		if quota <= 0 || period <= 0 {
			return 0
		}
		return quota * 1000 / period
	}
	if !join(&name, root, path, "/cpu.cfs_quota_us\x00") {
		return 0
	}
	n := readFile(unsafe.String(&name[0], len(name)), &text)
	quota, _ := number(text[:max(n, 0)])
	join(&name, root, path, "/cpu.cfs_period_us\x00")
	n = readFile(unsafe.String(&name[0], len(name)), &text)
	period, _ := number(text[:max(n, 0)])
	if quota <= 0 || period <= 0 {
		return 0
	}
	return quota * 1000 / period
}

func join(dst *[1024]byte, a, b, c string) bool {
	if len(a)+len(b)+len(c) > len(dst) {
		return false
	}
	n := copy(dst[:], a)
	n += copy(dst[n:], b)
	copy(dst[n:], c)
	return true
}

// number reads a decimal number and skips one separator; -1 if there is none.
func number(b []byte) (int64, []byte) {
	i, v := 0, int64(0)
	for i < len(b) && b[i] >= '0' && b[i] <= '9' && i < 15 {
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

// readFile reads the beginning of a small file.
func readFile[A [256]byte | [4096]byte](path string, buf *A) int {
	fd := sys.Open(path, sys.O_RDONLY, 0)
	if fd < 0 {
		return -1
	}
	n := sys.Read(fd, unsafe.Pointer(buf), int(unsafe.Sizeof(*buf)))
	sys.Close(fd)
	return n
}
