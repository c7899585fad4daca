// Package driver turns packages into programs: it decides what is compiled, from what, and when. It
// has the units of a build (unit), their graph, and their keys. What compiles is package compile's,
// what runs clang and the linker package toolchain's, and what makes programs package link's.
//
// # The action graph
//
// Every package has one action: check, lower, compile. The front half (parse, type-check,
// build SSA, lower to LLVM text) runs for one package at a time, dependencies first, in one
// process-wide universe of types; the back half (clang) is where the time goes and runs in
// parallel, as many at a time as there are CPUs. A link action ends the build.
//
// # The cache
//
// Everything is content addressed. An action's key is the hash of what it reads: the
// package's files, the compiler, the flags, and for each import the hash of what that package
// *exports* (types, bodies of generic functions, facts of analyses), not of what it contains.
// So an edit inside a function body recompiles one package. The objects that clang makes are
// kept under the hash of the LLVM text itself: a compiler change that leaves a package's code
// alone costs no clang run. The text of a big package is divided into chunks (internal/chunk), each
// of which is an object: they compile on all CPUs, and an edit compiles those that changed.
//
// In a warm build only packages that missed are parsed and checked. The types of the others
// come from export data. Those whose generic or small functions are wanted are parsed as well:
// their stubs (load.Stubs), in which all that nobody else can need is blank. Which ones these are
// the cache keeps from the last time, as a guess that is checked (sources.go).
//
// Files appear in the cache by rename only, so builds at the same time, or killed at any moment,
// never see half a file; two builds that make the same thing make the same bytes, and the one that
// comes second to an object waits for the first. What the directory lacks may be elsewhere: in
// packs (internal/pack), or with a program (internal/cacheprog). What has no name yet is in one
// directory a process (internal/scratch), which the next build removes if its process was killed. A
// cache that cannot be written to serves builds of what it has.
package driver
