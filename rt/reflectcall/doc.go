// Package reflectcall moves arguments and results between a memory frame and Loam's calling
// convention, when the function's type is known only at run time: reflect.Value.Call, and
// functions made by reflect.MakeFunc or by taking a method value through reflect.
//
// # The two sides
//
// reflect, compiled for an ABI without argument registers, keeps everything in one block of memory,
// the frame: the receiver word if there is one, the arguments in order, each at a multiple of its
// alignment, padding to 8 bytes, the results likewise. The compiled function wants its arguments
// flattened to scalars ("leaves") in registers and stack words, values of more than four leaves by
// address, and results in at most three integer and two float registers or in an area that the
// caller provides (docs/abi.md, "Calling convention"). The rule which decides is in shape.go and
// must say the same as internal/lower/types.go.
//
// # Calling out
//
// Prepare finds out how many stack words and how much result area a type needs, Pack fills the
// registers and stack words from a frame, call (reflectcall.gas) sets up the machine, calls, and
// then calls Call.After while the results are still on its own stack. That order matters: the frame
// may be a heap object that the collector has already marked, so results must be copied into it
// with write barriers, by code outside of rt; until then they must be where the collector looks,
// and that is a goroutine's stack.
//
// # Being called
//
// A function value made by reflect has EntryStub as its code. The stub has its registers spilled to
// an Entry and a zeroed frame below it, both on the stack, and calls a Go function that unpacks the
// arguments into the frame (UnpackArgs), runs reflect's code, and packs the results (PackResults);
// the stub then loads the result registers. The stub must know the frame's size and the size of the
// stack arguments before it can touch the stack, so these stand in the closure object.
//
// # Rules
//
// Nothing here allocates, blocks or contains a write barrier. All words are kept as uintptr;
// the frame, or the caller's arguments, keep the pointers among them alive.
// Pack and UnpackArgs trust the types: a wrong type descriptor is memory corruption.
package reflectcall
