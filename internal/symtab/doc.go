// Package symtab writes the table of a program's functions and lines, which the run-time system
// reads (rt/symtab): for tracebacks, runtime.Callers, log and profiles.
//
// The compiler hands line tables to LLVM, so only LLVM's output, the linked program's DWARF, knows
// what was inlined where. The link makes the table of that, and puts it into memory that the
// program has at run time. So a program knows its functions without its file, and stripped.
//
// Most of that does not depend on the program: what an object's DWARF says is made an outline once
// (Outline), which the cache keeps, and a link only numbers what outlines have in common
// (OutlinedTable). It needs no linked DWARF but .debug_frame, which says where functions have come
// to lie. The table is the same as if it were made of the linked DWARF (Table). So it is made where
// objects are not Loam's alone, and where outlines cannot be kept.
//
// # What is kept
//
// Of each function that is left in the program: its bounds, name, file and first line, the calls
// that were inlined into it, the line of each instruction, and where its return address lies if it
// keeps no frame pointer. Code without debug information has the name of its symbol. Columns,
// types, variables and functions that the linker left out stay behind.
//
// # Format
//
// Numbers are little endian, and those in variable length as in DWARF: uleb is unsigned, sleb here
// an unsigned one with the sign in its lowest bit. The table begins with a header of words of 32
// bits: the magic number; how many blocks and files there are; the offsets of blocks, functions,
// subprograms, files and names.
//
//   - A block is 16 functions, the last one fewer, in the order of their addresses. It has two
//     words: the address of its first function, and the offset of that among the functions.
//   - A function is uleb gap, uleb size, uleb length, and a body of that length. The gap is between
//     it and the function before in its block; bodies that are not wanted are passed over.
//   - A body is uleb subprogram, a byte of flags, and, as the flags say, a frame, an index, inlined
//     calls and rows to the end.
//   - A subprogram is what a function's declaration has: uleb name, uleb file and start line, and,
//     as the lowest bits of the file say, the name with type arguments. It is named by its offset;
//     the most used come first, so most references are short. Names are that way, too.
//   - A file is a word: the offset of its name. File 0 is none.
//   - A name is uleb length and text.
//   - Inlined calls stand in preorder, behind their number: uleb of how many calls are inlined into
//     this one, and whether a file follows; uleb subprogram; sleb line of the call, from the start
//     line of the function around; uleb file of the call if it is not that function's file; in
//     functions with an index uleb distance of the call's code from the function's start. Call 0 is
//     the function itself, and not written.
//   - A row says to what the code from an address on belongs: uleb distance from the row before,
//     and whether the call is another one; if so uleb of the call and whether a file follows; sleb
//     line; uleb file. The line counts from the row before, or, if the call is another, from the
//     start line of that. The code in front of the first row is the function's, at its start line.
//   - Functions with very many calls and rows have an index, so that looking for an address takes
//     no longer the longer they are: uleb length of the calls in bytes; uleb number of entries for
//     calls, one for every 32nd, of two words, where among the calls it stands, and the number of
//     the call around it; uleb number of entries for rows, one for every 32nd, of two words, the
//     row's distance from the function's start, and where among the rows it stands. Such a row is
//     written as if the call were another one.
//   - The frame says how far above the stack pointer the return address lies. Functions with the
//     standard frame, which push the frame pointer, have the distance of that instruction: the
//     code tells the rest. Others have uleb rows of distance and place, behind their number; the
//     place is that in words plus 1, and 0 where the frame pointer leads to it.
package symtab
