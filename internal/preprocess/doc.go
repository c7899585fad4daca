// Package preprocess expands assembly as C's preprocessor does, as far as the run-time system's
// files use it: they include headers, define macros and choose by conditions. clang would start a
// process for the preprocessor and another one for the assembler, each of which takes longer than
// the work that it does; and its assembler takes the files of a package at once if they are text
// already.
//
// What is expanded keeps its lines, by which a line table names places in the source: a line of the
// source is a line of the result. Where a header has text, marks say which file's lines follow.
//
// # What is understood
//
// include "file", define of names and of macros with parameters, undef, ifdef, ifndef, if, elif,
// else, endif; in conditions integers, defined, !, &&, || and parentheses; in macros ##. A call of
// a macro is in one line. What is in quotes stays as it is, comments go. Everything else that
// begins with # is an error with its place. The rules of expansion are the standard's (C11,
// 6.10.3): arguments are expanded before they replace parameters, but for those beside ##, and a
// macro is not expanded in what it became itself.
package preprocess
