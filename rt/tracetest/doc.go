// Package tracetest compares the last words of failing programs with gc's: testdata/failures.go,
// compiled by Loam and by gc, fails in many ways (panics of all kinds of values, run-time errors,
// nested and repeated panics, Goexit, deadlocks with goroutines in every wait state, fatal errors,
// signals) under the values of GOTRACEBACK. Unlike crashtest's, this comparison is close: the order
// of frames, which of them are shown, their lines, the wait states, the words around goroutine
// numbers, the elision of deep stacks and the exit status must agree.
//
// What differs by nature is made equal first: addresses, offsets, goroutine numbers; the words of
// arguments, which Loam does not print (docs/rationale.md); lines in the run-time system's own
// files; at level 2 its frames and its own goroutines.
package tracetest
