package sched

import (
	"unsafe"

	"loam/rt/sys"
)

// Throttled is what the kernel has counted of a CPU quota: of the process's cgroup and those above
// it, as far as they have one. While a cgroup is throttled none of its threads runs, and no clock
// of the program's own tells that from a busy machine.
type Throttled struct {
	Periods uint64 // periods of a quota that have gone by in which something ran
	Cut     uint64 // those of them in which it was used up
	Nanos   uint64 // how long threads waited for the next period, by all quotas together
}

// throttleLimits bounds how many cgroups are read: the process's and those above it.
const throttleLimits = 8

// QuotaThrottled reads what the kernel has counted since the cgroups were made; nothing in
// simulated runs. It opens, reads and closes a file for each cgroup. Goroutine stack.
func QuotaThrottled() (sum Throttled) {
	if !sys.Simulated {
		onSystem(func() { sum = readThrottled() })
	}
	return
}

// readThrottled uses some KB of the system stack.
func readThrottled() (sum Throttled) {
	left := throttleLimits
	eachCgroup("cpu", func(root, path string, v2 bool) {
		eachAbove(path, func(path string) {
			if left == 0 {
				return
			}
			left--
			t := throttledIn(root, path, v2)
			sum.Periods += t.Periods
			sum.Cut += t.Cut
			sum.Nanos += t.Nanos
		})
	})
	return
}

// throttledIn reads cpu.stat of one cgroup; nothing if there is none.
func throttledIn(root, path string, v2 bool) (t Throttled) {
	fd := openIn(root, path, "/cpu.stat\x00")
	if fd < 0 {
		return
	}
	var text [1024]byte
	n := max(sys.Read(fd, unsafe.Pointer(&text), len(text)), 0)
	sys.Close(fd)
	for rest := text[:n]; len(rest) > 0; {
		name := rest
		for i, c := range rest {
			if c == ' ' {
				name = rest[:i]
				break
			}
		}
		if len(name) == len(rest) {
			return
		}
		var v int64
		v, rest = number(rest[len(name)+1:])
		if v < 0 {
			return
		}
		switch unsafe.String(unsafe.SliceData(name), len(name)) {
		case "nr_periods":
			t.Periods = uint64(v)
		case "nr_throttled":
			t.Cut = uint64(v)
		case "throttled_usec":
			t.Nanos = uint64(v) * 1000
		case "throttled_time": // version 1
			t.Nanos = uint64(v)
		}
	}
	return
}
