// Package escape decides which objects of a Go function may live in the frame of that
// function instead of the heap.
//
// # The question
//
// An object (a variable whose address is taken, new(T), a composite literal, the backing
// array of a slice, a closure, the box of a value in an interface, a converted string) may
// live in the frame if no pointer to it is used
//
//   - after the function has returned, or by another goroutine, and
//   - after the same instruction has made its next object: all objects that one instruction
//     makes share one slot of the frame.
//
// Loam's stacks never move, so a callee may keep such a pointer for as long as the call
// lasts, wherever it puts it.
//
// # The graph
//
// Each function becomes a small graph. A node is a place that can hold pointers:
// an SSA value, one result of a call, the contents of an object that the function makes, a
// result of the function itself, or "the heap", which stands for everything that we do not
// follow: globals, other goroutines, memory behind pointers of unknown origin. An edge
// src -k-> dst says how what is found at src gets to dst:
//
//	k = -1  dst holds the address of (something inside) the object src     v = alloc
//	k =  0  dst holds what src holds                                        phi, field, slice
//	k >= 1  dst holds what is found after following src's pointers k times  v = *p
//
// Fields and elements are not told apart from the struct or array that they are in. A
// store *p = x whose p is traced back, without a load, to objects of this function makes
// edges x -0-> object; any other store is a flow to the heap. Thus a pointer to an object
// can only be found where the graph says so, or the object counts as escaped.
//
// The number of dereferences along a path is summed, but after an object's address has
// been taken the sum starts again at 0: if the address of an object flows to the heap,
// then all that the object holds does too. Leaving out dereferences (the sum is capped, a
// closure's captured variables count as reached after one) is always on the safe side:
// what leaks at k leaks at more than k too.
//
// # Calls
//
// A function's Summary says for each parameter and captured variable how it flows to the
// heap and to the results, and of results that are functions what those do with their arguments
// (returned.go). Functions are analysed bottom-up over the strongly connected
// components of the static call graph; inside a component from "nothing escapes" upwards
// until the summaries stand still, which they do because edges are only ever added. What
// is passed to a function without a summary escapes.
//
// # Loops
//
// Let H be the header of the innermost loop around the instruction that makes an object.
// The object of one turn is dead in the next turn if its address is only held by values
// and objects made in blocks that H dominates, and not by phis of H itself: each such
// holder is set again in every turn before it is used. Loops with several entries (goto)
// have no such header. There the instruction that makes the object takes H's part. The copies of a
// for loop's variables (Go 1.22: a variable per turn) get a special rule, see loopVarPhi.
//
// # Numbers
//
// An uintptr that is made of a pointer is followed while it stays in values. What is hidden is not:
// x ^ 0, and a pointer that a module reads as a number through package unsafe. An object whose
// address is hidden may be in the frame, as with gc, and then stays whole as long as its function
// runs (Facts.Hidden): what clears dead parts of frames that wait leaves it alone.
//
// # What decides besides flow
//
// Explicit variables stay on the stack up to 10 MB, other objects up to 64 KB, and only
// if their size is a constant; lowering puts on the heap what would make a frame larger than
// 64 MB. Where the size is not known, there is memory for an array of up to 32 bytes: for make, and
// for the first array of a slice that append lets grow from nothing. The latter is used once in an
// activation, so loops do not matter.
//
// The run-time system (internal/rt/...) must not allocate: there every object is on the stack, and
// its authors answer for it.
//
// # Captured variables
//
// mid captures variables by address. Where a variable is set once, before the closure is
// made, the closure gets a copy instead (ByValue), so that the variable itself stays on
// the stack even if the closure does not.
//
// # How it is checked
//
// testdata/*.go is a table of small functions with the expected answer on each line.
// TestAgreement compares with gc's expected messages in GOROOT/test/escape*.go (90 %; gc
// inlines first, we judge loops more finely). TestCompareStd lists what gc puts on the heap
// in the standard library and we do not: 13 places in 60 packages, each looked at.
// escapefuzz runs random programs that overwrite dead frames, compiled by both.
//
// Calls have been inlined before (internal/mid/pass). For those that are left made.go does what
// matters of that: what a small constructor returns can be in the frame of its caller. What is
// missing: stores through captured variables and parameters let the stored pointer escape.
//
// The idea of a graph of locations with dereference counts is gc's (see
// cmd/compile/internal/escape); what differs is that we work on SSA form after closures
// have been separated from their functions, that holders in loops are judged by dominance
// instead of declaration depth, and that summaries cover captured variables.
package escape
