// Package blocktest runs programs that block and wake goroutines in every way there
// is: channels and selects under load, locks and condition variables, timers, sockets, bubbles. It
// has no code; its tests compile the programs in testdata with Loam and run them with several
// GOMAXPROCS and with a collector that hardly stops. (The algorithms themselves are
// checked by enumeration of interleavings, next to their sources.)
//
//	go test ./rt/blocktest          builds the compiler first
//	LOAM=bin/loam go test ./rt/blocktest
package blocktest
