// Loam's part of crypto/internal/fips140/sha256: the processor's SHA instructions, in
// sha256block.gas, where it has them, upstream's portable code elsewhere.

package sha256

import (
	"crypto/internal/fips140deps/cpu"
	"crypto/internal/impl"
)

var useSHANI = cpu.X86HasSHA && cpu.X86HasSSE41 && cpu.X86HasSSSE3

func init() {
	impl.Register("sha256", "SHA-NI", &useSHANI)
}

// blocksSHANI mixes n blocks of 64 bytes at p into the state.
//
//go:noescape
func blocksSHANI(state *[8]uint32, p *byte, n int)

func block(dig *Digest, p []byte) {
	switch {
	case len(p) < blockSize:
	case useSHANI:
		blocksSHANI(&dig.h, &p[0], len(p)/blockSize)
	default:
		blockGeneric(dig, p)
	}
}
