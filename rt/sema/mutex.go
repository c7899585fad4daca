package sema

import (
	"unsafe"

	"loam/rt/park"
)

// Mutex is the memory of a sync.Mutex. The lock is a bit of its state; goroutines that cannot have it sleep on the semaphore.
//
// Whoever finds the lock free takes it, also before those who wait: they have to be woken and to get a thread first, and
// meanwhile it would be idle. Unlock wakes one, counts it off, and lets it compete. Who has waited longer than mutexPatience
// declares that the lock starves its waiters; from then on nobody takes it who has not waited, until a waiter takes it that is the last, or has not
// waited long.
//
// This is the contract of upstream's Mutex (fairness included), but not its protocol. There, woken says that exactly one goroutine was
// woken and not yet looked at the lock, and in starvation mode the lock belongs to the one that is woken, which is still counted. Here all wake-ups
// are alike, any number of them can be on the way, and woken is a hint that keeps Unlock from waking more. So an Unlock that wakes the last waiter
// leaves 0 behind, although that goroutine will not run before tens of microseconds have passed; and until then Lock and Unlock
// by others are one instruction each.
//
// No wake-up is lost: if the lock is free and somebody waits, then
//   - who has unlocked it is still in UnlockSlow, or
//   - woken is set, and whoever has set it, or was woken by it, is awake. It takes the lock, and its Unlock looks anew, or
//     finds that somebody else has it, and counts itself as a waiter with the same step that clears woken; or
//   - starving is set, and somebody is awake who has waited, with the same choice.
//
// Awake goroutines clear woken whoever has set it: with the lock taken by them or by another, whose Unlock wakes one more than it
// had to.
type Mutex struct {
	state uint32
	sema  uint32
}

const (
	mutexLocked   = 1 << iota
	mutexWoken    // somebody is awake who wants the lock: Unlock need not wake another
	mutexStarving // only who has waited may take the lock
	mutexWaiter   // one of those that sleep, or are about to; the bits from here on count them
)

// mutexPatience is after how many nanoseconds of waiting a lock is said to starve its waiters, upstream's number. A variable for tests.
var mutexPatience int64 = 1e6

// LockSlow takes the lock, which seems not to be free. Goroutine stack; it waits.
func (m *Mutex) LockSlow() {
	if old := park.Load32(&m.state); old&(mutexLocked|mutexStarving) == 0 && park.Cas32(&m.state, old, old|mutexLocked) {
		return
	}
	m.wait()
}

func (m *Mutex) wait() {
	since := int64(0) // when the wait began; 0: it has not waited
	late := false
	woke := false // it may have to clear woken
	round := 0
	for {
		old := park.Load32(&m.state)
		free := old&mutexLocked == 0 && (old&mutexStarving == 0 || since != 0)
		if !free && old&mutexStarving == 0 && canSpin(round) {
			if !woke && old&mutexWoken == 0 && old >= mutexWaiter {
				woke = park.Cas32(&m.state, old, old|mutexWoken)
			}
			doSpin()
			round++
			continue
		}
		next := old
		if woke {
			next &^= mutexWoken
		}
		switch {
		case !free:
			next += mutexWaiter
			if late {
				next |= mutexStarving
			}
		case !late || old < mutexWaiter:
			next = next&^mutexStarving | mutexLocked
		default:
			next |= mutexLocked
		}
		if !park.Cas32(&m.state, old, next) {
			continue
		}
		if free {
			return
		}
		again := since != 0 // then it waits in front of the others
		if !again {
			since = park.Nanotime()
		}
		Acquire(&m.sema, again, park.MutexLock, 1)
		late = late || park.Nanotime()-since > mutexPatience
		woke, round = true, 0
	}
}

// UnlockSlow wakes who has to be woken, after Unlock has cleared mutexLocked and left this state. It is false if the lock was not
// locked. Goroutine stack; it does not wait.
func (m *Mutex) UnlockSlow(left uint32) bool {
	if (left+mutexLocked)&mutexLocked == 0 {
		return false
	}
	for old := left; old >= mutexWaiter && old&mutexLocked == 0; old = park.Load32(&m.state) {
		starving := old&mutexStarving != 0
		if !starving && old&mutexWoken != 0 {
			break
		}
		next := old - mutexWaiter
		if !starving && next >= mutexWaiter {
			next |= mutexWoken
		}
		if park.Cas32(&m.state, old, next) {
			Release(&m.sema, starving, 1)
			break
		}
	}
	return true
}

// The words of a Mutex lie in sync's.
const _ = -(unsafe.Sizeof(Mutex{}) ^ 8)
