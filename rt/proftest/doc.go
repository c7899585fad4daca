// Package proftest tests what shows a program from inside: it compiles the programs in testdata
// with loam, runs them, and reads their profiles with the installed go tool pprof, their metrics
// beside those of the official toolchain, and the lines of GODEBUG and LOAMDEBUG.
package proftest
