// Package timer keeps the timers of the run-time system: sleeping goroutines,
// time.Timer and Ticker, deadlines of network descriptors.
//
// # Heaps
//
// There are a fixed number of heaps, P number p uses heap p mod that. A heap is a 4-ary
// min-heap whose entries carry the time beside the timer's address: comparing four
// children touches one or two cache lines and no timer. A timer remembers its home heap
// and its position in it, so stopping and moving it are O(log n) and leave nothing
// behind; there are no dead entries to clean.
//
// A timer's state is guarded by the lock of its home. Only a timer that is in no
// heap changes its home, under the old home's lock, so "lock t.home, look whether
// it is still t.home" is the way to lock a timer.
//
// Any thread may run any heap: Run takes the lock only if something is due. What
// a timer does is a plain function, called on the system stack with no lock held.
//
// # Memory
//
// The entries are in a heap object that only the Heap refers to: a timer in a
// heap is alive, one outside is alive if somebody refers to it. Timers of sleeping
// goroutines and of descriptors lie on stacks and in persistent memory, which the collector
// skips when it meets them there.
//
// # Waking
//
// Each heap publishes its first time in a word that is read without the lock: the
// scheduler's look at the timers costs one load per heap. Code that makes a heap's first
// time earlier calls sched.WakeForTimer, after the word was stored: an idle thread
// that computed its sleeping time before the store is woken by that call, one that computes it
// after sees the word.
package timer
