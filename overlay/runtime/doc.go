// Package runtime is Loam's public runtime package: the API of Go's package runtime, the
// functions that compiled code calls, and the hooks that the rest of the standard library
// expects under the name runtime.
//
// # Shape
//
// The engine (goroutines, stacks, heap, collector, channels, timers, poller) lives in the
// packages under internal/rt; they may not allocate and know nothing of Go's types beyond
// their descriptors. This package sits above them and is ordinary Go: it may allocate, use
// maps, defer and interfaces. It owns what needs types and text:
//
//   - panics, recover, Goexit and their messages (panic.go, fatal.go, errors.go, bounds.go);
//   - interface tables, type assertions, hashing and equality (iface.go, alg.go, types.go);
//   - tracebacks, Callers, FuncForPC, over internal/rt/symtab (traceback.go, callers.go);
//   - strings and printing (strings.go, print.go);
//   - the start and the end of a program (runmain.go), its arguments and environment (env.go);
//   - the functions by which reflect, maps, sync, os, testing and the others reach the engine
//     (hooks.go, maps.go, metrics.go, memory.go, ...).
//
// # Rules
//
// The package is compiled into the text section loam_rt_text, in which a preemption signal
// never switches goroutines. So nothing here may loop for long without calling out.
// Code reached from throw, a fatal panic or a signal must not allocate: traceback.go and
// what it calls keep to that; every other file may allocate unless it says otherwise.
package runtime
