// Loam's part of hash/crc32: the two polynomials for which x86-64 has instructions.
//
// Castagnoli has an instruction of its own (SSE4.2), eight bytes in three cycles. IEEE is done by
// folding: a carry-less multiplication by a power of x modulo the polynomial moves 128 bits
// of the message 512 bits further on without changing the remainder, so four accumulators of 16
// bytes swallow 64 bytes a round. (V. Gopal et al., "Fast CRC Computation for Generic Polynomials
// Using PCLMULQDQ Instruction", Intel, 2009.) What is left is 16 bytes with the same remainder as the whole, and
// the portable code computes that: no reduction by multiplication is needed.

package crc32

import "internal/cpu"

// foldMin is the shortest input that folding takes.
const foldMin = 64

// foldIEEE folds n bytes at p, a multiple of 16 and at least foldMin, to 16 bytes with the same
// remainder. state is the shift register before them (not inverted); the result assumes an empty one.
//
//go:noescape
func foldIEEE(state uint32, p *byte, n int, folded *[16]byte)

// shiftCastagnoli advances the shift register (not inverted) over n bytes at p.
//
//go:noescape
func shiftCastagnoli(state uint32, p *byte, n int) uint32

var loamTableIEEE *slicing8Table

func archAvailableIEEE() bool { return cpu.X86.HasPCLMULQDQ }

func archInitIEEE() { loamTableIEEE = slicingMakeTable(IEEE) }

func archUpdateIEEE(crc uint32, p []byte) uint32 {
	if len(p) >= foldMin {
		whole := len(p) &^ 15
		var folded [16]byte
		foldIEEE(^crc, &p[0], whole, &folded)
		crc = slicingUpdate(^uint32(0), loamTableIEEE, folded[:])
		p = p[whole:]
	}
	return slicingUpdate(crc, loamTableIEEE, p)
}

func archAvailableCastagnoli() bool { return cpu.X86.HasSSE42 }

func archInitCastagnoli() {}

func archUpdateCastagnoli(crc uint32, p []byte) uint32 {
	if len(p) == 0 {
		return crc
	}
	return ^shiftCastagnoli(^crc, &p[0], len(p))
}
