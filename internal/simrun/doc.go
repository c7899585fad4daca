// Package simrun runs a program that Loam compiled under many seeds and says what it found.
//
// The program starts once a worker, as a server that forks a process for each seed behind the
// package initialisers (rt/sched, simserve.go). The first seed that fails is run again for its
// schedule, the list of decisions that were not the default, and Shrink leaves out what it can
// while the program still fails in the same way. Every so many seeds one is run twice: two runs
// that end with different hashes are a fault of Loam's, or of something that the simulation does
// not know.
package simrun
