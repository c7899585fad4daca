// Package chunk divides a big LLVM module into smaller ones, which clang compiles side by side, and
// of which an edit changes few.
//
// It knows modules of package ir, nothing of Go and nothing of the build. The module knows what
// each definition refers to (module.go). Functions are taken in the order of the sources and cut
// into chunks where the hash of a name says so, so that an edit moves no cut but those beside it.
// What only one chunk refers to goes with it, the other variables are chunks of their own
// (assign.go).
//
// So that the code is as good as that of the whole module, a chunk has copies of what its functions
// may want to know of others: constants, and functions that are small enough to be inlined
// (lend.go). Local symbols that two chunks need become hidden ones, with names of the package's
// (names.go). Numbers of metadata, and of local variables, begin anew in each chunk: its text tells
// nothing of the others (write.go).
package chunk
