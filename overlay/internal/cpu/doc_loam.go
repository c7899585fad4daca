// Loam's part of internal/cpu: the instructions behind upstream's cpu_x86.go are in cpuid.gas.

package cpu
