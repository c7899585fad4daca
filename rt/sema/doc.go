// Package sema gives package sync and internal/poll what they sleep on: counting
// semaphores that are just a uint32 somewhere in user memory, the slow paths of sync.Mutex, and the
// wait list of sync.Cond.
//
// # Semaphores
//
// As with a futex, all the state of an uncontended semaphore is its word; waiters are found through
// a global table keyed by the word's address. A table bucket holds a lock, the number of its
// waiters, and a digital search tree (Coffman and Eve 1970) of the addresses with waiters: a node
// is the first waiter of its address, the branch at depth d is bit d of the address's hash. It
// needs neither rotations nor memory besides the waiters' records, which lie on the waiting
// goroutines' stacks, and is about log2(n) deep for n addresses. Waiters of the same address form a
// list behind the node.
//
// A release adds 1 to the word. If the bucket then has waiters, it takes the unit
// back and gives it to the oldest waiter of the address, under the bucket's lock.
// Thus a waiter is woken only with its unit in hand and never has to try again; a
// goroutine that passes by may still take a unit without queueing, which is what makes sync.Mutex
// fast. If the unit was taken by such a goroutine, the waiter stays queued, and is
// served by that goroutine's release.
//
// No wake-up is lost: an acquirer counts itself in the bucket's waiters before it looks
// at the word for the last time, a releaser adds to the word before it looks at that count.
//
// # Mutexes
//
// sync.Mutex locks and unlocks what is free in line; the rest, with fairness, is Mutex here, on top
// of a semaphore. It differs from upstream's protocol in what a wake-up says: mutex.go.
//
// # Wait lists
//
// A sync.Cond's waiters draw numbers and sleep in a queue in that order; to notify is to raise the
// number up to which they may go, and to wake those at the queue's front that have one below it:
// notify.go.
package sema
