//go:build loam

// Package world is what simulated runs (rt/sim) have in the place of the system: the system calls of
// the standard library and of the program come here.
//
// Sockets and pipes have a model (socket.go, stream.go, address.go, netcalls.go): connections between
// goroutines of the program, whose bytes are on their way for a time that the seed decides.
//
// A call that has no model ends the run with an error that names it: nothing escapes to the real
// system unseen. What is read from files is the program's input and comes from the real ones, which
// nobody can change through here. Standard output and error are real.
package world
