package sys

import "unsafe"

// AdoptThread makes the block of the calling thread, which C has made, and which has none yet.
// System stack, limit 0.
func AdoptThread() *Thread {
	var c cThread
	CallC(C.Bounds, unsafe.Pointer(&c))
	t := c.block
	t.initC(&c)
	t.Tid = Gettid()
	return t
}

// SpareAltStack gives the calling thread a signal stack, if C has given it none.
func SpareAltStack(t *Thread) {
	var old [3]uintptr
	Syscall6(SYS_SIGALTSTACK, 0, uintptr(unsafe.Pointer(&old)), 0, 0, 0, 0)
	const disabled = 2
	if int32(old[1]) != disabled {
		t.AltLo, t.AltSize = old[0], old[2]
		return
	}
	t.AltLo, t.AltSize = uintptr(MapAnon(sigStackSize)), sigStackSize
	t.ownAlt = true
	Sigaltstack(t.AltLo, t.AltSize)
}

// DropAltStack takes back what SpareAltStack gave to the calling thread.
func DropAltStack(t *Thread) {
	if !t.ownAlt {
		return
	}
	disable := [3]uintptr{0, 2, 0}
	Syscall6(SYS_SIGALTSTACK, uintptr(unsafe.Pointer(&disable)), 0, 0, 0, 0, 0)
	Munmap(t.AltLo, t.AltSize)
	t.ownAlt = false
}
