//go:build loam

// Package world is what simulated runs (rt/sim) have in the place of the system: the system calls of
// the standard library and of the program come here.
//
// A call that has no model ends the run with an error that names it: nothing escapes to the real
// system unseen. What is read from files is the program's input and comes from the real ones, which
// nobody can change through here. Standard output and error are real.
package world
