package sema

import (
	"unsafe"

	"loam/rt/park"
)

// Mutex is the memory of a sync.Mutex. The lock is a bit of its state; goroutines that cannot have
// it sleep on the semaphore.
//
// A goroutine that finds the lock free takes it, also before those that wait: they have to be woken
// and to get a thread first, and meanwhile it would be idle. Unlock wakes one, counts it off, and
// lets it compete. A goroutine that has waited longer than mutexPatience reserves the lock for
// those who have waited, until one of them takes it that is the last, or has not waited long.
//
// This is the contract of upstream's Mutex (fairness included), but not its protocol. There, a bit
// says that exactly one goroutine was woken and has not yet looked at the lock, and a lock that
// starves its waiters belongs to the one that is woken, which is still counted. Here all wake-ups
// are alike, any number of them can be on the way, and roused is a hint that keeps Unlock from
// waking more. So an Unlock that wakes the last waiter leaves 0 behind, although that goroutine
// will not run before tens of microseconds have passed; and until then Lock and Unlock by others
// are one instruction each.
//
// No wake-up is lost: if the lock is free and somebody sleeps, then
//   - who has unlocked it is still in UnlockSlow, or
//   - roused is set, and the goroutine that has set it, or was woken with it, is awake. It takes
//     the lock, and its Unlock looks anew, or finds that somebody else has it, and goes to sleep
//     with the same step that clears roused; or
//   - reserved is set, and somebody is awake who has slept, with the same choice.
//
// Awake goroutines clear roused, no matter which has set it: with the lock taken by them or by
// another, whose Unlock wakes one more than it had to.
type Mutex struct {
	state uint32
	sema  uint32
}

const (
	held     = 1 << iota
	roused   // somebody is awake who wants the lock: Unlock need not wake another
	reserved // only goroutines that have slept may take the lock
	sleeper  // one of those that sleep, or are about to; the bits from here on count them
)

// mutexPatience is for how many nanoseconds a goroutine waits before it has the lock reserved,
// upstream's number. A variable for tests.
var mutexPatience int64 = 1e6

// contender is what a goroutine in LockSlow knows of itself.
type contender struct {
	since int64 // when it first went to sleep; 0: it has not
	late  bool  // that was longer ago than mutexPatience
	awake bool  // roused may be set for it
	round int   // of spinning
}

// LockSlow takes the lock, which seems not to be free. Goroutine stack; it waits.
func (m *Mutex) LockSlow() {
	var c contender
	for {
		state := park.Load32(&m.state)
		switch {
		case c.mayTake(state):
			if park.Cas32(&m.state, state, c.taken(state)) {
				return
			}
		case state&reserved == 0 && canSpin(c.round):
			c.spin(m, state)
		case park.Cas32(&m.state, state, c.asleep(state)):
			c.sleep(m)
		}
	}
}

func (c *contender) mayTake(state uint32) bool {
	return state&held == 0 && (state&reserved == 0 || c.since != 0)
}

// taken is the state in which c has the lock.
func (c *contender) taken(state uint32) uint32 {
	if !c.late || state < sleeper {
		state &^= reserved
	}
	return c.answered(state) | held
}

// asleep is the state in which c is among the sleepers.
func (c *contender) asleep(state uint32) uint32 {
	if c.late {
		state |= reserved
	}
	return c.answered(state) + sleeper
}

// answered is the state without the hint that c is awake.
func (c *contender) answered(state uint32) uint32 {
	if c.awake {
		state &^= roused
	}
	return state
}

// spin waits a little for a lock that is held. With sleepers there, it keeps Unlock from waking one
// of them meanwhile.
func (c *contender) spin(m *Mutex, state uint32) {
	if !c.awake && state&roused == 0 && state >= sleeper {
		c.awake = park.Cas32(&m.state, state, state|roused)
	}
	doSpin()
	c.round++
}

// sleep returns when an Unlock has counted c off. A goroutine that has slept before sleeps in
// front of the others.
func (c *contender) sleep(m *Mutex) {
	again := c.since != 0
	if !again {
		c.since = park.Nanotime()
	}
	Acquire(&m.sema, again, park.MutexLock, 2) // as in UnlockSlow
	c.late = c.late || park.Nanotime()-c.since > mutexPatience
	c.awake, c.round = true, 0
}

// UnlockSlow wakes the goroutine that has to be woken, after Unlock has cleared held and left this
// state. It is false if the lock was not held. Goroutine stack; it does not wait.
func (m *Mutex) UnlockSlow(left uint32) bool {
	if (left+held)&held == 0 {
		return false
	}
	for state := left; state >= sleeper && state&held == 0; state = park.Load32(&m.state) {
		waitersOnly := state&reserved != 0
		if !waitersOnly && state&roused != 0 {
			break
		}
		next := state - sleeper
		if !waitersOnly && next >= sleeper {
			next |= roused
		}
		if park.Cas32(&m.state, state, next) {
			Release(&m.sema, waitersOnly, 2) // neither Unlock nor its slow path
			break
		}
	}
	return true
}

// The words of a Mutex lie in sync's.
const _ = -(unsafe.Sizeof(Mutex{}) ^ 8)
