// Package heaptest holds programs that exercise the heap of rt/heap as a whole: allocation
// from many goroutines, finalizers, cleanups and weak pointers, statistics, memory
// profile, limits. Its test compiles each with Loam and with gc and compares what they
// print, with the collector at its usual pace and with one that collects every few
// allocations, poisons what it frees, and checks the heap's invariants after each
// cycle. The programs say true or false where gc's numbers and Loam's may differ.
package heaptest
