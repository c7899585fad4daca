package sys

// Nanotime returns CLOCK_MONOTONIC in nanoseconds.
func Nanotime() int64 {
	if Simulated {
		return simRead()
	}
	var ts timespec
	clockGettime(1, &ts)
	return ts.sec*1e9 + ts.nsec
}

// Walltime returns CLOCK_REALTIME.
func Walltime() (sec int64, nsec int32) {
	if Simulated {
		now := SimTime.Wall + simRead()
		return now / 1e9, int32(now % 1e9)
	}
	var ts timespec
	clockGettime(0, &ts)
	return ts.sec, int32(ts.nsec)
}

// vdsoClock is the address of __vdso_clock_gettime, 0 if there is none.
var vdsoClock uintptr

// VDSOClock returns the address of __vdso_clock_gettime, 0 if there is none.
func VDSOClock() uintptr { return vdsoClock }

// clockGettime calls the vDSO on the system stack (it is C code without split
// stacks), or makes the system call. In switch.gas.
func clockGettime(clock int32, ts *timespec)
