//go:build loam

package netpoll

import _ "unsafe"

// Upstream's programs read it by its name in gc's run-time system, which defines it.
//
//go:linkname waiting runtime.netpollWaiters

// What internal/poll calls by name. Its ctx is the *Desc.

//go:linkname pollServerInit internal/poll.runtime_pollServerInit
func pollServerInit() { Init() }

//go:linkname pollOpen internal/poll.runtime_pollOpen
func pollOpen(fd uintptr) (*Desc, int) { return Open(fd) }

//go:linkname pollClose internal/poll.runtime_pollClose
func pollClose(d *Desc) { d.Close() }

//go:linkname pollReset internal/poll.runtime_pollReset
func pollReset(d *Desc, mode int) int { return d.reset(dirOf(mode)) }

//go:linkname pollWait internal/poll.runtime_pollWait
func pollWait(d *Desc, mode int) int { return d.wait(dirOf(mode), true) }

//go:linkname pollWaitCanceled internal/poll.runtime_pollWaitCanceled
func pollWaitCanceled(d *Desc, mode int) { d.wait(dirOf(mode), false) }

//go:linkname pollSetDeadline internal/poll.runtime_pollSetDeadline
func pollSetDeadline(d *Desc, ns int64, mode int) {
	d.setDeadline(ns, mode != 'w', mode != 'r')
}

//go:linkname pollUnblock internal/poll.runtime_pollUnblock
func pollUnblock(d *Desc) { d.unblock() }

//go:linkname isPollServerDescriptor internal/poll.runtime_isPollServerDescriptor
func isPollServerDescriptor(fd uintptr) bool {
	return initDone != 0 && (fd == uintptr(epfd) || fd == uintptr(breakFd))
}
