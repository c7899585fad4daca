// Fuzz compares Loam with gc on random programs.
//
//	go run ./conformance/fuzz [-time 30s] [-seed N] [-funcs 300] [-programs N] [-out out/fuzz]
//
// A seed makes a program of some hundred functions (generate.go). Each function mixes what it
// computes into a checksum; the program prints one line a function: name, checksum and the panic
// that ended it, so a difference names its function. The same source goes through gc and through
// Loam, the latter also with optimisation off, divided into three packages (split.go), with
// functions that call the collector, and under one that never rests; outputs and exit statuses have
// to be equal. When they differ, the reducer (reduce.go) drops declarations, statements and
// operands as long as a difference remains, and writes the rest to the output directory. Programs
// that found something live on in conformance/regress.
//
// Programs are in the language of the SDK's release (GOTOOLCHAIN chooses it; modern.go has what Go
// 1.27 added).
//
// What the generator must never write is a program whose meaning the specification leaves open:
//
//   - Calls with effects stand alone on the right side of an assignment. Other expressions are
//     made of operands without effects (type exprMode says which of them may panic); the order
//     of effects is tested where it is specified, by calls that log their number (evalOrder), and
//     where gc's is followed, by statements of their own (operands.go).
//   - A statement has at most one operand that may panic, and none where gc is free to move it:
//     beside the elements of a composite literal or other results of a return (gc builds them in
//     place, so a recovered panic shows them half done), and among the arguments of a method.
//   - Maps are iterated with operations that commute; pointers and NaN's sign are not printed.
//   - Nothing is shifted by 1<<63 and more: gc 1.26 takes such a count for a negative one where the
//     optimiser finds it, and v[x>>c&3]++ with x < 0 increments v[0] (with -N, or -l if c is a
//     function's result, v[3]).
//   - A goroutine sees only its arguments and channels, and what it sends arrives in an order
//     that the program determines.
//
// Programs end because each function entry and each loop that is not obviously short takes from a
// counter of fuel, and panic when it is used up. Strings and slices that are stored are cut to a
// length, so that none grows without bound.
package main
