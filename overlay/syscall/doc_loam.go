// Loam's part of syscall: vfork.gas, and processes of simulated runs (spawn.go). The other
// functions that upstream writes in assembly get ordinary bodies in overlay.txt.

package syscall
