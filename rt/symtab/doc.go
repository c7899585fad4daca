// Package symtab tells which function and source line a program counter belongs to, calls that
// were inlined included, by reading the DWARF debug information of the running program.
//
// # Why at run time, and how it stays cheap
//
// The compiler hands line tables to LLVM, so only LLVM's output knows what was inlined where after
// optimisation. That output is DWARF 4 with line tables, subprograms and inlined subroutines and
// nothing else (about a tenth of full debug information). The program's file is mapped at the first
// question; pages that are not looked at are never read. Three levels are built, each when first
// needed and kept:
//
//  1. all compilation units and their address ranges, sorted (one DIE a unit is read);
//  2. for one unit, its functions sorted by address, its file names, and where in its line program
//     each sequence (one a function, as each has a section of its own) begins;
//  3. for one address, the function's subtree of inlined calls and the line program of
//     one sequence are interpreted: nothing is kept.
//
// Code without debug information (assembly) is found by name in the ELF symbol table.
// Where a function that has set up no frame has its return address is in the section .debug_frame,
// which is searched from its start.
//
// # Rules
//
// No memory comes from the collected heap: the tables are in memory mapped for them, and strings
// point into the file or that memory, for ever. So the package may be used while the program
// crashes, from any stack. One lock serialises all; a fault while this thread holds it makes Lookup
// answer nothing instead of waiting.
//
// Damaged or missing debug information never faults: readers are bounded and then read zeros.
package symtab
