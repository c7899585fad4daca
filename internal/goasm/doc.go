// Package goasm makes Go assembly (.s files) usable in Loam's programs.
//
// Go's assembler language is what `go tool asm` of the installed SDK says it is, so that
// program does the assembling, and this package turns its output into GNU assembly text: the
// bytes of each function and each datum as they are, and a `.reloc` directive for each
// reference. What remains is the difference between calling conventions. Assembly functions
// follow ABI0: arguments and results lie above the return address in the layout of a struct,
// and every register but the stack pointer is the callee's to use. So
//
//   - the code of function f gets the symbol "f·abi0";
//   - "f" itself, which compiled code calls, is a wrapper (internal/lower writes it, which
//     knows how Go types travel) that saves the registers which Loam's convention preserves,
//     checks once for the stack that f and all it calls need, and copies arguments and results;
//   - a function that std writes for ABIInternal, with arguments in registers, gets "f·abiinternal"
//     and a wrapper that moves them there;
//   - a Go function that assembly calls gets a thunk "g·abi0" in the other direction.
//
// The assembler inserts its own stack checks into functions that are not NOSPLIT. They compare with
// a limit in gc's g, which they find at a thread-local word; the word they are given here leads to
// a limit of zero (Thread.AsmG in rt/sys), so they always pass. Code that loads the address of gc's
// g itself gets that of our G: it has the goroutine's id where gc's has it.
//
// Assembled code lies in the text section loam_rt_text: a preemption signal leaves it alone, as the
// official run-time system does with assembly, because it may keep anything in the frame pointer.
// Assembly that reaches into the official run-time system itself (its internal functions, a store
// to its g) cannot work, and is refused with the name of what it wants.
package goasm
