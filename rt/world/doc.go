//go:build loam

// Package world is what simulated runs (rt/sim) have in the place of the system: the system calls
// of the standard library and of the program come here.
//
// Descriptors (table.go) stand for open files: nodes of the simulated disk (rt/disk; filecalls.go,
// pathcalls.go, mapping.go), pipes, sockets (socket.go, stream.go, address.go,
// netcalls.go), and the real standard input, output and error. What is on its way between sockets
// is so for a time that the seed decides.
//
// A process of a world can start others on its machine (spawn.go), wait for them and send them
// signals (wait.go), and connect to their sockets (elsewhere.go). Pipes (pipe.go) have their bytes
// in memory that all of them share.
//
// A call is made on the system stack, where there are no points. If it has to wait, its goroutine
// is parked and makes the call again when something has happened (call.go).
//
// A call that has no model ends the run with an error that names it: nothing escapes to the real
// system unseen.
package world
