// Package debugtest looks at Loam's debug information as debuggers do: with package debug/dwarf,
// and with gdb where it is installed. testdata/program.go has a variable of every kind of type.
package debugtest
