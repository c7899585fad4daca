// Package channel implements Go's channels and select.
//
// # Structure
//
// A channel is one heap object: a header with a lock, a ring of places
// behind it, and two queues of waiters. A waiter (Waiter) is a record on the
// stack of the goroutine that waits. This is possible because stacks never move:
// a sender copies its element straight into the place that the receiver named,
// wherever that is, and the receiver finds it there when it wakes. No element
// ever passes through a third place, and blocking allocates nothing.
//
// # Invariants (under the channel's lock)
//
//   - Of the two queues at most one holds waiters that can still be served. (A
//     select that waits to send and to receive on the same channel may stand in
//     both, but it cannot serve itself.)
//   - Receivers wait only while the ring is empty, senders only while it is full.
//   - After close both queues are empty and stay so.
//   - A waiter taken off a queue belongs to the goroutine that took it, until the Ready of its
//     goroutine. An ordinary waiter stands in one queue. The waiters of a select
//     share a Choice: the goroutine that takes one off must win Choice.done from 0 to 1; the losers
//     are unlinked by the next one that meets them, or by the select when it wakes.
//
// # Select
//
// A select first looks, in random order, for a case that seems ready and
// tries it under that channel's lock alone. If none succeeds it takes the locks of
// all its channels in the order of their addresses (so that two selects cannot
// deadlock), looks again in the random order, and otherwise queues one waiter
// for each case and parks. The commit function of the park releases the
// locks one after the other. A waker may come as soon as the first is free, and
// the select then runs again while its commit function is still releasing; it takes
// every other channel's lock once to unlink its losers, and thereby cannot get past
// the commit function, whose last act is to release the last of them.
//
// A select with a default case must not take the default if at each instant some case was
// ready, so it decides that only with all locks held. (With one case it is a plain
// non-blocking operation.)
//
// # Timer channels
//
// The channel of a time.Timer or Ticker has no ring at all (its len and cap are 0
// as the documentation wants) and no value waits in it: the timer's due time is
// compared with the clock when somebody receives. The timer stands in a timer heap only
// while a goroutine waits on the channel; an unused timer therefore costs nothing
// and is garbage when it is not referenced. See timechan.go.
//
// The algorithms are checked by enumeration of interleavings (rt/park).
package channel
