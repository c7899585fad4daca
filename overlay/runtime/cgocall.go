package runtime

import (
	"loam/rt/race"
	"loam/rt/sched"
	"loam/rt/sys"
	"sync/atomic"
	"unsafe"
)

// Calls between Go and C. To the scheduler a call of C is a system call; C runs on the thread's
// system stack (sys.CallC). A call back goes on below the goroutine's frame of CallC, and keeps the
// goroutine on the thread, which has frames of C: these end before they return.

// iscgo says whether C is part of the program. A package may define it (cgovars.gas).
//
//go:linkname iscgo runtime.iscgo
var iscgo bool

// cStarted lets callbacks in that C's constructors make.
//
//go:linkname cStarted loam_c_started
var cStarted uint32 = 0

// beginC is called once the run-time system works.
func beginC() {
	if !sys.HasC() {
		return
	}
	iscgo = true
	sched.MakeSpare()
	atomic.StoreUint32(&cStarted, 1)
}

// cgocall calls a C function with the address of its arguments and result, and returns what it
// returns, an errno.
func cgocall(fn, arg unsafe.Pointer) int32 {
	if !sys.HasC() {
		throw("cgocall unavailable")
	}
	if fn == nil {
		throw("cgocall nil")
	}
	sched.CountCCall()
	if race.Enabled {
		raceEntersC()
	}
	sched.EnterSyscall()
	errno := sys.CallC(uintptr(fn), arg)
	sched.ExitSyscall()
	if race.Enabled {
		raceLeavesC()
	}
	return int32(errno)
}

// NumCgoCall returns the number of calls of C that the program has made.
func NumCgoCall() int64 { return sched.CCalls() }

// cgocallback is called by crosscall2 (rt/sys/switch.gas), on the stack of the goroutine that has
// called C. cFrames is where the system stack began when C was called.
func cgocallback(fn, arg unsafe.Pointer, cFrames uintptr) {
	sched.BeginCallback()
	if race.Enabled {
		raceLeavesC()
	}
	if sys.Library && sched.InForeignThread() {
		<-initialised // initialisers run on a thread of their own
	}
	callback(fn, arg, cFrames)
	if race.Enabled {
		raceEntersC()
	}
	sched.LeaveCallback()
	sched.EnterSyscall()
	sched.EndCallback()
}

// callback calls a Go function that has one parameter. If it does not return, the goroutine leaves
// the frames of C.
//
//go:noinline
func callback(fn, arg unsafe.Pointer, cFrames uintptr) {
	returned := false
	defer func() {
		if !returned {
			forgetContext()
			sched.LeaveC(cFrames)
		}
	}()
	closure := &struct{ code unsafe.Pointer }{fn}
	(*(*func(unsafe.Pointer))(unsafe.Pointer(&closure)))(arg)
	returned = true
}

// cPanic is for C that panics: crosscall2(_cgo_panic, &text, ...).
//
//go:linkname cPanic _cgo_panic
func cPanic(arg *struct{ text *byte }) { panic(gostringnocopy(arg.text)) }

// Names that code by the cgo tool pulls.

// cgoAlwaysFalse and cgoUse keep gc's compiler from leaving out what escapes to C.
var cgoAlwaysFalse bool

func cgoUse(any) {
	throw("cgoUse should not be called")
}

// cgoKeepAlive keeps what a call was given that does not escape.
//
//go:noinline
func cgoKeepAlive(x any) { keepAliveSink(efaceOf(&x).data) }

// cgoNoCallback announces calls that do not call back, which need no announcement here.
func cgoNoCallback(bool) {}

// setCEnv tells C of the environment's changes.
func setCEnv(key, value string) {
	if sys.HasC() {
		k, v := append([]byte(key), 0), append([]byte(value), 0)
		pair := [2]*byte{&k[0], &v[0]}
		sys.CallC(sys.C.Setenv, unsafe.Pointer(&pair))
		KeepAlive(k)
		KeepAlive(v)
	}
}

func unsetCEnv(key string) {
	if sys.HasC() {
		k := append([]byte(key), 0)
		sys.CallC(sys.C.Unsetenv, unsafe.Pointer(&k[0]))
		KeepAlive(k)
	}
}
