// Package simrun runs a program that Loam compiled under many seeds and says what it found.
//
// The program starts once a worker, as a server that has runs made behind the package initialisers
// (rt/simulation, simserver.go): most of them by one process, which takes its memory back behind
// each, and those that fail in a process of their own. The first seed that fails is run again for
// its schedule, the list of decisions that were not the default, and Shrink leaves out what it can
// while the program still fails in the same way. Every so many seeds one is run twice: two runs
// that end with different hashes are a fault of Loam's, or of something that the simulation does
// not know.
package simrun
