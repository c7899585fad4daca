// Loam's part of the vendored golang.org/x/sys/cpu: the instructions behind cpu_gc_x86.go are in
// cpuid.gas.

package cpu
