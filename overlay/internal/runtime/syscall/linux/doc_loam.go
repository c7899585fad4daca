// Loam's part of internal/runtime/syscall/linux: the system call instruction, in syscall.gas.

package linux
