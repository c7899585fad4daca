//go:build !loam

package heap

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// The machine layer for unit tests under the official toolchain: the heap then
// manages memory that gc's collector knows nothing of, the test supplies roots and
// caches through the hooks, and there is no world to stop.

type mutex struct{ m sync.Mutex }

func (m *mutex) Lock()         { m.m.Lock() }
func (m *mutex) Unlock()       { m.m.Unlock() }
func (m *mutex) TryLock() bool { return m.m.TryLock() }

func mmapHost(hint, size uintptr, prot, flags int) uintptr {
	r, _, e := syscall.Syscall6(syscall.SYS_MMAP, hint, size, uintptr(prot), uintptr(flags), ^uintptr(0), 0)
	if e != 0 {
		return 0
	}
	return r
}

func osReserve(hint, size uintptr) uintptr {
	return mmapHost(0, size, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

func osCommit(p, size uintptr) bool {
	_, _, e := syscall.Syscall(syscall.SYS_MPROTECT, p, size, syscall.PROT_READ|syscall.PROT_WRITE)
	return e == 0
}

func osMap(size uintptr) uintptr {
	return mmapHost(0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
}

func osUnmap(p, size uintptr) { syscall.Syscall(syscall.SYS_MUNMAP, p, size, 0) }
func osDiscard(p, size uintptr) bool {
	_, _, err := syscall.Syscall(syscall.SYS_MADVISE, p, size, syscall.MADV_DONTNEED)
	return err == 0
}

func osResident(p, size uintptr, set *[8]uint64) bool {
	var bytes [512]byte
	if _, _, e := syscall.Syscall(syscall.SYS_MINCORE, p, size, uintptr(unsafe.Pointer(&bytes))); e != 0 {
		return false
	}
	*set = [8]uint64{}
	for i := range (size + osPage - 1) / osPage {
		set[i/64] |= uint64(bytes[i]&1) << (i % 64)
	}
	return true
}

var hostStart = time.Now()

// hostCache is the cache that a test makes current.
var hostCache *Cache

func throw(s string)                      { panic("fatal error: " + s) }
func exit(code int32)                     { panic(code) }
func nanotime() int64                     { return int64(time.Since(hostStart)) }
func threadTime() int64                   { return nanotime() }
func processTime() int64                  { return nanotime() }
func onSystem(fn func())                  { fn() }
func osMemory() uint64                    { return 0 }
func osGetenv(name string) (string, bool) { return "", false }
func acquireM()                           { atomic.AddInt32(&hostLocks, 1) }
func releaseM()                           { atomic.AddInt32(&hostLocks, -1) }

// hostLocks plays Thread.Locks.
var hostLocks int32

func cacheOfP() unsafe.Pointer           { return unsafe.Pointer(hostCache) }
func pause()                             {}
func prefetch(p uintptr)                 {}
func yieldThread()                       { runtime.Gosched() }
func sleepThread(us int64)               { runtime.Gosched() }
func printString(s string)               { print(s) }
func printInt(v int64)                   { print(v) }
func printHex(v uint64)                  { print(v) }
func beginLine()                         {}
func endLine()                           { print("\n") }
func memclr(p unsafe.Pointer, n uintptr) { clear(unsafe.Slice((*byte)(p), n)) }
func fillBytes(p unsafe.Pointer, b byte, n uintptr) {
	s := unsafe.Slice((*byte)(p), n)
	for i := range s {
		s[i] = b
	}
}
func memmove(dst, src unsafe.Pointer, n uintptr) {
	copy(unsafe.Slice((*byte)(dst), n), unsafe.Slice((*byte)(src), n))
}

// MovePointers is a move with its barrier.
func MovePointers(dst, src unsafe.Pointer, n uintptr) {
	memmove(dst, src, n)
	ShadeRange(dst, n)
}

func storeRel(p *uint32, v uint32)      { atomic.StoreUint32(p, v) }
func storeRel64(p *uint64, v uint64)    { atomic.StoreUint64(p, v) }
func storeRelPtr(p *uintptr, v uintptr) { atomic.StoreUintptr(p, v) }

func walltime() (sec int64, nsec int32) {
	t := time.Now()
	return t.Unix(), int32(t.Nanosecond())
}
func dataRange() (lo, hi uintptr) { return 0, 0 }
func bssRange() (lo, hi uintptr)  { return 0, 0 }

// hostRate plays runtime.MemProfileRate.
var hostRate int64

func profileRate() int64            { return hostRate }
func randomBits() uint64            { return rand.Uint64() }
func framePointer() uintptr         { return 0 }
func isRuntimeText(pc uintptr) bool { return false }
func isHopReturn(pc uintptr) bool   { return false }
func inSignal() bool                { return false }
func isSimulated() bool             { return false }
