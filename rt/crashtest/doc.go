// Package crashtest holds programs that panic, recover, crash and look at their own stacks. Its
// test compiles each with Loam and with gc and compares what they print, their reports on standard
// error and their exit status.
//
// Some things differ by nature and are made equal before the comparison: addresses, offsets,
// goroutine numbers, arguments in tracebacks (Loam prints "..." for them), and frames of the
// runtime's own functions.
package crashtest
