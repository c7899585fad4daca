package runtime

import (
	"loam/rt/sched"
	"unsafe"
)

// g is what modules find that look for the type of that name in reflect's list, and ask it where
// the fields are that they read of the g that assembly finds (goroutine-local storage does that):
// the fields of gc's type of which rt/sched's G has the like, at G's places.
type g struct {
	_            [gopcAt]byte
	gopc         uintptr
	_            [goidAt - gopcAt - 8]byte
	goid         uint64
	_            [labelsAt - goidAt - 8]byte
	labels       unsafe.Pointer
	_            [faultAt - labelsAt - 8]byte
	paniconfault bool
}

const (
	gopcAt   = unsafe.Offsetof(sched.G{}.CreatorPC)
	goidAt   = unsafe.Offsetof(sched.G{}.ID)
	labelsAt = unsafe.Offsetof(sched.G{}.Labels)
	faultAt  = unsafe.Offsetof(sched.G{}.PanicOnFault)
)

// describeG keeps the descriptor of g in programs that ask for the list.
var describeG any
