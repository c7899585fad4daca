// Package bundle makes one object of many.
//
// After most edits a program is linked again of the same objects but for one. Much of what the
// linker does then is to read the others: of a hundred thousand sections a fifth is in the program,
// and each symbol is in the tables of all objects that use it. A bundle has what was needed of
// these objects, once. A program that is linked of it is the same, byte for byte, as if it were
// linked of them, as long as the rest of the program needs nothing that was left out.
//
// So a bundle keeps all that the linker looks at: sections stay apart and in their order, symbols
// in the order in which they come up first, groups stay groups, of which the first one counts. It
// leaves out what nothing leads to, and names the symbols there, so that a later link can tell
// whether it asks for one of them. What it keeps may be more than the linker will: that sees again
// what is needed. Objects that have something which is not known here are not bundled.
package bundle
