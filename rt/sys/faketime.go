package sys

import (
	"sync/atomic"
	"unsafe"
)

// The build tag faketime is for programs whose output is shown to a reader again at the speed at
// which it was written, as playgrounds do. Their clock stands still while anything can run, and
// goes on to the next timer when nothing can (rt/sched). What they write to standard output and
// standard error is cut into frames that say when.

// clock is that clock: nanoseconds since 1970.
var clock int64 = 1257894000 * 1e9

// Clock is the clock that timers and the program go by; the run-time system itself measures with
// Nanotime.
//
//loam:inline
func Clock() int64 {
	if FakeTime && !Simulated {
		return atomic.LoadInt64(&clock)
	}
	return Nanotime()
}

// WallClock is the program's wall clock.
func WallClock() (sec int64, nsec int32) {
	if FakeTime && !Simulated {
		now := Clock()
		return now / 1e9, int32(now % 1e9)
	}
	return Walltime()
}

// AdvanceClock sets the clock, unless it is later already. The caller knows that nothing
// runs.
func AdvanceClock(to int64) { atomic.StoreInt64(&clock, max(to, Clock())) }

// stamp is the time of the last frame, times two, and in the last bit which of the two descriptors
// it is of. From one descriptor to the other the time grows, so that the order of all frames can be
// told.
var stamp uint64

func nextStamp(fd int32) (time uint64) {
	other := uint64(fd - 1)
	for {
		last := atomic.LoadUint64(&stamp)
		time = last >> 1
		if last&1 != other || last == 0 {
			time++
		}
		time = max(time, uint64(Clock()))
		if atomic.CompareAndSwapUint64(&stamp, last, time<<1|other) {
			return time
		}
	}
}

type iovec struct {
	base unsafe.Pointer
	len  uintptr
}

// WriteFrame writes n bytes to fd, which is 1 or 2, in a frame: "\0\0PB", the time in eight bytes
// and the length in four, the first ones first. The frame goes out as one system call, or else as a
// whole all the same. It returns n or a negative errno. Any stack, signal handlers included.
func WriteFrame(fd int32, p unsafe.Pointer, n int) int {
	head := [16]byte{2: 'P', 3: 'B'}
	time := nextStamp(fd)
	for i := range 8 {
		head[4+i] = byte(time >> (56 - 8*i))
	}
	for i := range 4 {
		head[12+i] = byte(uint32(n) >> (24 - 8*i))
	}
	v := [2]iovec{{unsafe.Pointer(&head), uintptr(len(head))}, {p, uintptr(n)}}
	for begun := false; v[0].len+v[1].len > 0; {
		w := int(Syscall6(SYS_WRITEV, uintptr(fd), uintptr(unsafe.Pointer(&v)), 2, 0, 0, 0))
		switch {
		case w > 0:
			begun = true
			for i := range v {
				k := min(uintptr(w), v[i].len)
				v[i].base = unsafe.Add(v[i].base, k)
				v[i].len -= k
				w -= int(k)
			}
		case w == -EINTR:
		case w == -EAGAIN && begun && waitWritable(fd, Nanotime()+patience):
		default:
			return w
		}
	}
	return n
}
