package simulation

import (
	"unsafe"

	"loam/rt/sys"
)

// Where goroutines of a simulated run were started from, for reports: a go statement in a function
// such as (*sync.WaitGroup).Go does not say what has called that.

// CallersKept is how many return addresses of a go statement's stack are kept, the innermost first.
const CallersKept = 8

// mostStarters is of how many goroutines they are kept, by their numbers.
const mostStarters = 1 << 16

var callers *[mostStarters][CallersKept]uint32

// Started notes the stack of the go statement that has started the goroutine with that number.
// Goroutine or system stack.
func Started(goroutine uint64, stack *[CallersKept]uintptr) {
	if goroutine >= mostStarters {
		return
	}
	sys.AcquireM() // or another goroutine might map it meanwhile
	if callers == nil {
		callers = (*[mostStarters][CallersKept]uint32)(sys.SimOwn(unsafe.Sizeof(*callers), -1))
	}
	sys.ReleaseM()
	of := &callers[goroutine]
	for i, pc := range stack {
		of[i] = uint32(pc)
	}
}

// Callers are the return addresses that are known of the go statement of that goroutine; a list
// that is not full ends with a 0.
func Callers(goroutine uint64) []uint32 {
	if callers == nil || goroutine >= mostStarters {
		return nil
	}
	return callers[goroutine][:]
}
