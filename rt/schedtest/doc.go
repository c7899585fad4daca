// Package schedtest runs small programs through Loam that exercise what cannot be
// tested outside of a compiled program: stack hops, context switches, preemption,
// system calls, signals, the world stop.
//
// Each testdata/NAME.go ends in a comment "Output:" with lines that must appear
// in this order in what it prints on both outputs, and may have one "Exit: N". The
// environment variable LOAM names the compiler; without it the tests build one.
package schedtest
