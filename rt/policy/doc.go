// Package policy has the scheduler's decisions that are matters of judgement, as functions of
// counts and times: how long a thief leaves a goroutine to the P that has it (patience.go), when a
// P exchanges goroutines with the global queue (crowd.go), and when the threads that a goroutine's
// waking would wake are put off (outing.go). What they cost and bring is in docs/rationale.md;
// here is only what is decided, so that it can be tried without threads.
//
// Times are in nanoseconds. The functions touch no memory but their arguments.
package policy
