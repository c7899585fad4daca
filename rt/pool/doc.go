// Package pool is the machinery of sync.Pool: for each P a private value that only it touches and a
// deque that others steal from, and two generations of those, the older of which the next
// collection drops.
//
// # Generations
//
// A Pool does not refer to its contents: it holds the address of its generation in a form that the
// collector does not take for an address, and the epoch the generation belongs to. What keeps a
// generation are two lists that are roots, that of the present epoch and that of the one before.
// When a collection begins, with the world stopped, Turn makes the first list the second and counts
// the epoch on: contents that were put before the last collection but one are garbage, whatever the
// number of pools and of objects in them. A pool finds out when it is used next: its epoch is the
// present one (use it), the one before (it is the victim: take from it, do not put), or older (it
// is gone; the address must not be used).
//
// # Fast paths
//
// This package lies in the section of the run-time system, where no signal switches goroutines. Get
// and Put make no call before they are done with the P's shard, so the goroutine cannot leave its
// P, the epoch cannot change, and nothing has to be pinned or locked. For the private value they
// need no atomic instruction at all; putting into the deque takes three plain stores on x86, taking
// from its own end one fence.
//
// # The deque
//
// deque.go; its test runs the code through a model with x86's store buffers.
package pool
