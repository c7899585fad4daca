package sys

import (
	"sync/atomic"
	"unsafe"
)

// line is what the thread that began a line has printed of it. Lines of events (LOAMDEBUG, gctrace,
// schedtrace) come from all threads at any time, beside what the program prints itself: each is one
// write, so none is cut in two by another.
var line struct {
	owner unsafe.Pointer // *Thread, atomic; nil: none
	depth int32          // the owner's
	n     int
	buf   [1024]byte
}

// lineWaits bounds how often BeginLine looks, 20 us apart, for the end of another thread's line. A
// thread that stopped for good in the midst of one (the program is dying) must not keep others from
// printing theirs.
const lineWaits = 1000

// BeginLine makes what this thread prints until EndLine one write, if it has room in 1024 bytes.
// Nests. The thread keeps its goroutine and is not stopped meanwhile; nothing between may park or
// wait. Any stack.
func BeginLine() {
	me := unsafe.Pointer(AcquireM())
	for i := 0; atomic.LoadPointer(&line.owner) != me; i++ {
		if atomic.CompareAndSwapPointer(&line.owner, nil, me) {
			line.depth, line.n = 0, 0
		} else if i == lineWaits {
			return // printed piece by piece
		} else {
			Usleep(20)
		}
	}
	line.depth++
}

// EndLine ends the line.
func EndLine() {
	PrintNL()
	if ownsLine() {
		line.depth--
		if line.depth == 0 {
			flushLine()
			atomic.StorePointer(&line.owner, nil)
		}
	}
	ReleaseM()
}

func ownsLine() bool { return atomic.LoadPointer(&line.owner) == unsafe.Pointer(Self()) }

func flushLine() {
	n := line.n
	line.n = 0
	WriteErr(unsafe.Pointer(&line.buf), n)
}
