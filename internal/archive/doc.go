// Package archive makes an archive of a linked library, for programs of C's that are linked with it
// (-buildmode=c-archive).
//
// The linker leaves out what nobody needs, and the table of functions is made when all is linked.
// Both want a link of the whole library. So a shared library is linked first, with the relocations
// that went into it, and becomes one object again: each of its segments is a section, in which all
// stays where it is. What refers from one segment to another, to the C library, to thread-local
// data or from data to anywhere gets a relocation. Debug information stays behind.
package archive
