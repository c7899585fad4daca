package channel

import "unsafe"

// For rt/leak.

// OnlyByTimer reports whether the waiter's record at w is that of a select's case that a timer
// serves, and the select has a case that others would have to serve. mine says whether an address
// is one of the stack on which the record is. World stopped.
func OnlyByTimer(w uintptr, mine func(p uintptr) bool) bool {
	record := (*Waiter)(unsafe.Pointer(w))
	choice := uintptr(unsafe.Pointer(record.choice))
	if !record.queued || choice == 0 || !mine(choice) {
		return false
	}
	p := (*plan)(unsafe.Pointer(choice - unsafe.Offsetof(plan{}.choice)))
	at := (w - uintptr(unsafe.Pointer(unsafe.SliceData(p.waiters)))) / unsafe.Sizeof(Waiter{})
	if at >= uintptr(len(p.cases)) || p.cases[at].c == nil || p.cases[at].c.timer == nil {
		return false
	}
	for _, c := range p.cases {
		if c.c != nil && c.c.timer == nil {
			return true
		}
	}
	return false
}

// HeaderSize is what every channel takes at least, in bytes.
const HeaderSize = headerSize

// FirstWaiters returns where the records of those lie that have waited longest for the channel at
// p, 0 if there is none. What is at p may be another object of at least HeaderSize bytes: then the
// answer means nothing. World stopped.
func FirstWaiters(p uintptr) (receiver, sender uintptr) {
	c := (*Chan)(unsafe.Pointer(p))
	return uintptr(unsafe.Pointer(c.receivers.first)), uintptr(unsafe.Pointer(c.senders.first))
}
