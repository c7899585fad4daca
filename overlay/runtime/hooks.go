package runtime

import (
	"internal/coverage/rtcov"
	"loam/rt/heap"
	"loam/rt/sched"
	"loam/rt/sys"
	"loam/rt/world"
	"sync/atomic"
	"unsafe"
)

// Small hooks that packages of the standard library expect, sorted by package.

// crypto, crypto/fips140, crypto/rand, crypto/subtle. FIPS state belongs to a goroutine.

//go:linkname fips_fatal crypto/internal/fips140.fatal
func fips_fatal(s string) { fatal(s) }

//go:linkname sysrand_fatal crypto/internal/sysrand.fatal
func sysrand_fatal(s string) { fatal(s) }

//go:linkname rand_fatal crypto/rand.fatal
func rand_fatal(s string) { fatal(s) }

//go:linkname fips_getIndicator crypto/internal/fips140.getIndicator
func fips_getIndicator() uint8 { return sched.CurrentG().FipsState }

//go:linkname fips_setIndicator crypto/internal/fips140.setIndicator
func fips_setIndicator(v uint8) { sched.CurrentG().FipsState = v }

//go:linkname fips140_isBypassed crypto/fips140.isBypassed
func fips140_isBypassed() bool { return sched.CurrentG().FipsBypass }

//go:linkname fips140_setBypass crypto/fips140.setBypass
func fips140_setBypass() { sched.CurrentG().FipsBypass = true }

//go:linkname fips140_unsetBypass crypto/fips140.unsetBypass
func fips140_unsetBypass() { sched.CurrentG().FipsBypass = false }

// Data-independent timing is a mode of arm64 processors only.

//go:linkname dit_setEnabled crypto/subtle.setDITEnabled
func dit_setEnabled() bool { return false }

//go:linkname dit_setDisabled crypto/subtle.setDITDisabled
func dit_setDisabled() {}

//go:linkname boring_registerCache crypto/internal/boring/bcache.registerCache
func boring_registerCache(p unsafe.Pointer) { heap.DropPointer((*unsafe.Pointer)(p)) }

// Counters of coverage lie in the section loam_covctrs; see internal/cover.

//go:linkname coverCountersStart __start_loam_covctrs
var coverCountersStart uint32

//go:linkname coverCountersStop __stop_loam_covctrs
var coverCountersStop uint32

//go:linkname coverage_getCovCounterList internal/coverage/cfile.getCovCounterList
func coverage_getCovCounterList() []rtcov.CovCounterBlob {
	n := uintptr(unsafe.Pointer(&coverCountersStop)) - uintptr(unsafe.Pointer(&coverCountersStart))
	return []rtcov.CovCounterBlob{{Counters: &coverCountersStart, Len: uint64(n / unsafe.Sizeof(coverCountersStart))}}
}

// internal/godebug and others write to standard error without package os; with the tag faketime
// package syscall writes so.
func write(fd uintptr, p unsafe.Pointer, n int32) int32 {
	if overrideWrite != nil {
		return overrideWrite(fd, p, n)
	}
	if sys.FakeTime && (fd == 1 || fd == 2) {
		return int32(sys.WriteFrame(int32(fd), p, int(n)))
	}
	return write1(fd, p, n)
}

//go:linkname cgroup_throw internal/runtime/cgroup.throw
func cgroup_throw(s string) { throw(s) }

// sync and internal/sync: misuse of a Mutex and the like.

//go:linkname sync_throw sync.throw
func sync_throw(s string) { throw(s) }

//go:linkname sync_fatal sync.fatal
func sync_fatal(s string) { fatal(s) }

//go:linkname internal_sync_throw internal/sync.throw
func internal_sync_throw(s string) { throw(s) }

//go:linkname internal_sync_fatal internal/sync.fatal
func internal_sync_fatal(s string) { fatal(s) }

// internal/syscall/unix.

const sysFcntl = 72

// fcntl returns the result, or -1 and the error number.
func fcntl(fd, cmd, arg int32) (val, errno int32) {
	if sys.Simulated {
		r, _, errno := world.Syscall6(sysFcntl, uintptr(fd), uintptr(cmd), uintptr(arg), 0, 0, 0)
		return int32(r), int32(errno)
	}
	r := int(sys.Syscall6(sysFcntl, uintptr(fd), uintptr(cmd), uintptr(arg), 0, 0, 0))
	if r < 0 {
		return -1, int32(-r)
	}
	return int32(r), 0
}

// vgetrandom is the vDSO's getrandom; without it the caller makes the system call.
func vgetrandom(p []byte, flags uint32) (ret int, supported bool) { return sys.VDSORandom(p, flags) }

// os: while it probes for pidfd_send_signal and the like, a sandbox's SIGSYS must not kill the
// process.

//go:linkname ignoreSIGSYS os.ignoreSIGSYS
func ignoreSIGSYS() { sys.SetDisposition(sys.SIGSYS, sys.SIG_IGN) }

//go:linkname restoreSIGSYS os.restoreSIGSYS
func restoreSIGSYS() { sys.HandleSignal(sys.SIGSYS, sys.SA_RESTART) }

// runtime/debug.

// modInfo is set by the driver: the main module's build information, framed as debug/buildinfo
// expects.
//
//go:linkname modInfo loam.modinfo
var modInfo string

//go:linkname debug_modinfo runtime/debug.modinfo
func debug_modinfo() string { return modInfo }

// crashFD also receives the report of a crash. Stored plus one, so that 0 is none without
// initialisation.
var crashFD atomic.Uintptr

// setCrashFD sets it (all ones: none) and returns the previous descriptor for the caller to close,
// unless a crash may be using it.
func setCrashFD(fd uintptr) uintptr {
	if isDying() {
		return ^uintptr(0)
	}
	old := crashFD.Swap(fd + 1)
	if isDying() {
		return ^uintptr(0)
	}
	return old - 1
}
