// Package symtab tells which function and source line a program counter belongs to, calls that
// were inlined included. The link writes a table of that into the program: package
// loam/internal/symtab describes its format.
//
// # Rules
//
// Nothing is loaded and nothing but the table is read: no file, so that it works in a stripped
// program, and without a descriptor left. A question is answered by a search over blocks of
// functions and by reading one function's part. No memory comes from the collected heap, strings
// point into the table, and nobody waits for anybody. So the package may be used while the program
// crashes, in signal handlers, and on any stack.
//
// A damaged table never faults: readers are bounded and then read zeros.
package symtab
