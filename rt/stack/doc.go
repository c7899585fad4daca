// Package stack gives goroutines segmented stacks whose frames never move.
//
// # The idea
//
// A goroutine starts on a cell of a few hundred words. LLVM's split-stack prologue
// compares SP with the limit in the thread block and calls __morestack when the
// frame does not fit. __morestack continues the function on the next Segment
// and comes back when the function returns: a hop. Next segments are reserved
// address space, committed by the kernel page by page as it is touched; each is
// eight times as large as the one before, so a deep recursion hops a handful of
// times. Nothing is copied but stack arguments, pointers to the stack stay valid, and a
// growth to 500 MB costs page faults only.
//
// # The hot split, and why it does not hurt here
//
// gc gave up segments because a loop that called across a segment
// boundary allocated and freed a segment each time. Here returning from a hop
// leaves the segment linked behind the current one (Segment.Next), so the next
// hop is about 25 instructions. When a goroutine parks, the small segments it does
// not stand on go to its P's cache, where the next goroutine that hops finds
// them, warm in the CPU's cache: a thousand goroutines that each format a
// line and wait share one segment per P.
//
// What is left of it is the hop itself, some six nanoseconds. Where hops follow each other closely
// the boundary moves away from the loop: boundary.go.
//
// # Limits
//
// Below each limit lie Slack bytes for what runs without a check: frames below 256
// bytes (LLVM compares SP itself for those), leaf functions' red zone (128), the
// frame of __morestack (40), and a panic injected by a signal. There are no
// guard pages below small segments, because they would cost two kernel mappings per
// goroutine and the kernel's default is 65,530 in all; the check is complete without
// them. Segments of 2 MB and more have one.
//
// The sum of a goroutine's segments is at most MaxBytes; a frame for which not
// enough is left ends the program with Go's words "stack overflow".
//
// # Who may call what
//
// Everything here runs on the system stack, except __morestack itself. Segment
// lists of a goroutine belong to the thread that runs it, or to the thread that keeps it
// from running.
package stack
