// Package park is the ground on which everything that blocks a goroutine stands:
// channels, timers, semaphores and the network poller know the scheduler, the
// allocator and the write barrier only through the few functions named here.
//
// There are two builds of it.
//
//   - With the tag loam (every program that Loam compiles) the functions are thin
//     names for rt/sched, rt/heap and rt/sys: see loam.go.
//   - Without it (go test with the official toolchain) they are a model: every
//     goroutine of the test runs under a controller that lets exactly one of them
//     move at a time and decides at each lock, atomic operation, park and wake who
//     moves next. Explore enumerates those decisions, so that the algorithms of
//     rt/channel, rt/sema, rt/timer and rt/netpoll are checked in all orders of
//     small cases, from the very source that programs run: see model.go.
//
// Rules for users: shared words that are not protected by a Mutex are read and
// written with Load32, Cas32, ... of this package, which are scheduling points of the model.
// A waiter record lives on the stack of the goroutine that waits; the goroutine that
// takes it off its queue owns it until it calls Ready, and must not touch it afterwards. It holds a
// lock or is pinned from the one to the other, so that a stop of the world finds each parked
// goroutine in a queue, unless nothing can wake it.
package park
