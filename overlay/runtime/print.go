package runtime

import (
	"internal/strconv"
	"loam/rt/race"
	"loam/rt/sys"
	"sync/atomic"
	"unsafe"
)

// The builtin print and println, and all text that this package writes itself, go to standard error
// through one buffer. printlock takes it for the thread (reentrantly: a fault inside a print prints
// its own report), printunlock writes it out and releases it. Text written without the lock is
// written at once. Nothing here allocates.

type printState struct {
	owner atomic.Uintptr // thread block of the holder, 0 if free
	freed uint32         // counts releases that somebody waited for: what waiting threads sleep on
	await uint32         // there may be such threads
	depth int
	n     int
	to    uintptr // the descriptor, 0: standard error. Only in programs built with -race

	// While sinkOn is set, text goes to sink instead, as far as that has room (runtime.Stack).
	sinkOn int
	sink   []byte

	buf [1024]byte
}

var printer printState

// printlock takes the printer for this thread, which must not be left until printunlock. Nests.
func printlock() {
	me := uintptr(unsafe.Pointer(sys.AcquireM()))
	if printer.owner.Load() != me {
		for !printer.owner.CompareAndSwap(0, me) {
			if isDying() && dying.Load() == me {
				// The holder may never go on: this thread has the last word.
				printer.owner.Store(me)
				printer.depth = 0
				break
			}
			waitForPrinter()
		}
	}
	printer.depth++
}

// waitForPrinter sleeps until the holder has released the printer, and for a moment at most: a
// holder that does not come to that may be the one that the thread with the last word takes it
// from.
func waitForPrinter() {
	const moment = 10 * 1000 * 1000
	seen := atomic.LoadUint32(&printer.freed)
	atomic.StoreUint32(&printer.await, 1)
	if printer.owner.Load() != 0 {
		sys.FutexSleep(&printer.freed, seen, moment)
	}
}

func printunlock() {
	printer.depth--
	if printer.depth == 0 {
		flushPrinter()
		printer.owner.Store(0)
		if atomic.SwapUint32(&printer.await, 0) != 0 {
			atomic.AddUint32(&printer.freed, 1)
			sys.FutexWake(&printer.freed, 1<<30)
		}
	}
	sys.ReleaseM()
}

func ownsPrinter() bool { return printer.owner.Load() == uintptr(unsafe.Pointer(sys.Self())) }

func flushPrinter() {
	if n := printer.n; n > 0 {
		printer.n = 0
		if race.Enabled && printer.to != 0 {
			sys.WriteAll(printer.to, unsafe.Pointer(&printer.buf), n)
			return
		}
		writeErr(unsafe.Pointer(&printer.buf), n)
	}
}

// emit writes n bytes at p, through the buffer if this thread holds it.
func emit(p unsafe.Pointer, n int) {
	if n <= 0 {
		return
	}
	if !ownsPrinter() {
		writeErr(p, n)
		return
	}
	if printer.sinkOn > 0 {
		s := printer.sink
		m := copy(s[len(s):cap(s)], unsafe.Slice((*byte)(p), n))
		printer.sink = s[:len(s)+m]
		return
	}
	if n > len(printer.buf)-printer.n {
		flushPrinter()
		if n > len(printer.buf) {
			writeErr(p, n)
			return
		}
	}
	copy(printer.buf[printer.n:], unsafe.Slice((*byte)(p), n))
	printer.n += n
}

// writeErr writes n bytes to standard error, and to the crash file while the program is dying
// (debug.SetCrashOutput). Errors are ignored: there is nobody to tell.
func writeErr(p unsafe.Pointer, n int) {
	if overrideWrite != nil {
		// The hook keeps nothing of what it is given: buffers of those who print stay on their stacks,
		// as printing is not to change the heap.
		overrideWrite(2, sys.Ptr(uintptr(p)), int32(n))
	} else {
		sys.WriteErr(p, n)
	}
	if fd := crashFD.Load(); fd != 0 && isDying() {
		sys.WriteAll(fd-1, p, n)
	}
}

func emitString(s string) { emit(unsafe.Pointer(unsafe.StringData(s)), len(s)) }
func emitBytes(b []byte)  { emit(unsafe.Pointer(unsafe.SliceData(b)), len(b)) }

func printsp()             { emitString(" ") }
func printnl()             { emitString("\n") }
func printstring(s string) { emitString(s) }

func printbool(v bool) {
	if v {
		emitString("true")
	} else {
		emitString("false")
	}
}

func printint(v int64) {
	u := uint64(v)
	if v < 0 {
		emitString("-")
		u = -u
	}
	printuint(u)
}

func printuint(v uint64) {
	var buf [20]byte
	emitBytes(decimal(buf[:], v))
}

func printhex(v uint64) {
	const digits = "0123456789abcdef"
	var buf [18]byte
	i := len(buf)
	for {
		i--
		buf[i] = digits[v&15]
		v >>= 4
		if v == 0 {
			break
		}
	}
	i--
	buf[i] = 'x'
	i--
	buf[i] = '0'
	emitBytes(buf[i:])
}

func printpointer(p unsafe.Pointer) { printhex(uint64(uintptr(p))) }

// Floats print in the shortest form that reads back as the same value, as gc's println does
// since Go 1.26. A float32 has a form of its own: its shortest digits are fewer.

func printfloat64(v float64) { var b [32]byte; emitBytes(strconv.AppendFloat(b[:0], v, 'g', -1, 64)) }
func printfloat32(v float32) {
	var b [32]byte
	emitBytes(strconv.AppendFloat(b[:0], float64(v), 'g', -1, 32))
}

func printcomplex128(v complex128) {
	var b [64]byte
	emitBytes(strconv.AppendComplex(b[:0], v, 'g', -1, 128))
}
func printcomplex64(v complex64) {
	var b [64]byte
	emitBytes(strconv.AppendComplex(b[:0], complex128(v), 'g', -1, 64))
}

func printslice(p unsafe.Pointer, len, cap int) {
	emitString("[")
	printint(int64(len))
	emitString("/")
	printint(int64(cap))
	emitString("]")
	printpointer(p)
}

func printeface(t, data unsafe.Pointer) {
	emitString("(")
	printpointer(t)
	emitString(",")
	printpointer(data)
	emitString(")")
}

func printiface(tab, data unsafe.Pointer) { printeface(tab, data) }

// printIndented prints s with every newline followed by a tab, so that text from the program
// cannot look like a traceback.
func printIndented(s string) {
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' {
			emitString(s[start : i+1])
			emitString("\t")
			start = i + 1
		}
	}
	emitString(s[start:])
}
