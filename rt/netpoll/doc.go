// Package netpoll turns file descriptors that would block into parked goroutines.
// It serves internal/poll (and so net, os pipes, ...) on one side and the scheduler's
// idle threads on the other.
//
// Every pollable descriptor has a Desc and is registered once with epoll, edge
// triggered, for both directions. A direction is a small state machine guarded by the Desc's
// lock:
//
//	ready   an event came since the last reset or successful wait
//	waiter  the goroutine parked in Wait, if any
//
// An event sets ready and takes the waiter. internal/poll's sequence is Reset, system
// call, and on EAGAIN Wait: an event after the Reset is therefore seen by the Wait, and an
// event before it concerns data that the system call finds. The waiter parks
// with the Desc's lock held until it is saved, so no wake-up falls between.
//
// # Deadlines
//
// A direction's deadline is a number that is compared with the clock when its timer
// fires. Moving a deadline later, as servers do with each request, does not touch the
// timer: when that fires too early, it is started again for what is then the
// deadline. For the same reason a timer that fires late, for a descriptor that was closed
// and reused meanwhile, does no harm.
//
// # Reuse
//
// Descs are persistent memory and are reused. The 64 bits that epoll carries hold
// the Desc's address and a 16-bit tag that changes with each reuse: events that
// were fetched from the kernel before a close are dropped.
//
// Files: desc.go the state machines (model-checked), epoll.go the kernel side, std.go the names
// that internal/poll calls.
package netpoll
