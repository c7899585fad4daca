package race

import "sync/atomic"

// lock is held for some dozens of instructions, by threads that keep their goroutine meanwhile: a
// thread that waits for the lock may be one that lets nothing else run. The order in which one
// thread takes several is: an object's line, actors (by address), the slots, the memory.
type lock uint32

// Wait is what a thread does that has waited in vain for a while: another one of the machine's may
// run. nil: nothing.
var Wait func()

// patience is how often a thread looks at a lock before it waits.
const patience = 64

func (l *lock) take() {
	pin()
	for i := 1; !l.try(); i++ {
		if i%patience == 0 && Wait != nil {
			Wait()
		}
	}
}

func (l *lock) try() bool { return atomic.CompareAndSwapUint32((*uint32)(l), 0, 1) }

func (l *lock) release() {
	storeRel((*uint32)(l), 0)
	unpin()
}
