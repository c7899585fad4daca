package channel

import "unsafe"

// For rt/leak.

// HeaderSize is what every channel takes at least, in bytes.
const HeaderSize = headerSize

// FirstWaiters returns where the records of those lie that have waited longest for the channel at
// p, 0 if there is none. What is at p may be another object of at least HeaderSize bytes: then the
// answer means nothing. World stopped.
func FirstWaiters(p uintptr) (receiver, sender uintptr) {
	c := (*Chan)(unsafe.Pointer(p))
	return uintptr(unsafe.Pointer(c.receivers.first)), uintptr(unsafe.Pointer(c.senders.first))
}
