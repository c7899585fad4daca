// Loam's part of internal/bytealg: upstream's declarations (compare_native.go and its
// siblings) are kept, and the functions behind them are in the .gas files beside this one.
//
// The idea is the same in all of them. A byte search is a comparison of 16 (SSE2) or 32 (AVX2)
// bytes at a time, of which one bit a byte is extracted; what does not fill a vector
// is handled by a load that overlaps bytes already seen, or by a load that reads past the
// string but stays inside its page, with the foreign bits masked off. No function needs stack,
// calls anything, or touches a register that the caller keeps, so they may run on any stack, the
// signal stack included.
//
// SSE2 is part of x86-64. AVX2 is used when the processor and the system have it (and the
// instructions for single bits that came with it), 256 bits at a time for inputs longer than 32
// bytes; GODEBUG=cpu.avx2=off switches it off.

package bytealg

import "internal/cpu"

// setAVX2 tells the assembly whether it may use 256-bit vectors. It is off until then.
func setAVX2(on bool)

func init() {
	setAVX2(cpu.X86.HasAVX2 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT)
}
