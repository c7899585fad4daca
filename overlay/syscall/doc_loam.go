// Loam's part of syscall: vfork.gas. The other functions that upstream writes in assembly
// get ordinary bodies in overlay.txt.

package syscall
