// Loam's part of crypto/internal/fips140/aes: the processor's AES instructions, in aes.gas.
//
// Keys are kept as upstream's portable code keeps them, words in big-endian order, so that both share
// Block. The S-box of the key schedule comes from the instructions too: nothing here looks
// into a table, so nothing depends on secret addresses.

package aes

import (
	"crypto/internal/fips140/subtle"
	"crypto/internal/fips140deps/byteorder"
	"crypto/internal/fips140deps/cpu"
	"crypto/internal/impl"
	"math/bits"
)

var useAESNI = cpu.X86HasAES && cpu.X86HasSSE41 && cpu.X86HasSSSE3

func init() {
	impl.Register("aes", "AES-NI", &useAESNI)
}

type block struct {
	blockExpanded
}

// encryptBlocksNI encrypts n blocks at buf in place.
//
//go:noescape
func encryptBlocksNI(enc *uint32, rounds int, buf *byte, n int)

// decryptBlockNI decrypts the block at buf in place.
//
//go:noescape
func decryptBlockNI(dec *uint32, rounds int, buf *byte)

// subWordNI applies the S-box to each byte.
//
//go:noescape
func subWordNI(x uint32) uint32

// invMixColumnsNI turns four words of the encryption schedule into what aesdec wants.
//
//go:noescape
func invMixColumnsNI(words *uint32)

// checkGenericIsExpected is called by the portable code, whose timing depends on its data.
func checkGenericIsExpected() {
	if useAESNI {
		panic("crypto/aes: portable code in use beside the AES instructions")
	}
}

func newBlock(c *Block, key []byte) *Block {
	if useAESNI {
		expandKeyNI(&c.blockExpanded, key)
	} else {
		newBlockExpanded(&c.blockExpanded, key)
	}
	return c
}

// expandKeyNI is the key expansion of FIPS 197, section 5.2, and for decryption the equivalent inverse
// cipher's, section 5.3.5.
func expandKeyNI(c *blockExpanded, key []byte) {
	nk := len(key) / 4
	c.rounds = nk + 6
	n := c.roundKeysSize()
	for i := 0; i < nk; i++ {
		c.enc[i] = byteorder.BEUint32(key[4*i:])
	}
	rcon := uint32(1)
	for i := nk; i < n; i++ {
		t := c.enc[i-1]
		switch {
		case i%nk == 0:
			t = subWordNI(bits.RotateLeft32(t, 8)) ^ rcon<<24
			rcon = rcon<<1 ^ rcon>>7*0x11b // times x, modulo x^8+x^4+x^3+x+1
		case nk > 6 && i%nk == 4:
			t = subWordNI(t)
		}
		c.enc[i] = c.enc[i-nk] ^ t
	}
	for i := 0; i < n; i += 4 {
		copy(c.dec[i:i+4], c.enc[n-4-i:n-i])
		if i > 0 && i+4 < n {
			invMixColumnsNI(&c.dec[i])
		}
	}
}

func encryptBlock(c *Block, dst, src []byte) {
	if !useAESNI {
		encryptBlockGeneric(&c.blockExpanded, dst, src)
		return
	}
	b := [BlockSize]byte(src)
	encryptBlocksNI(&c.enc[0], c.rounds, &b[0], 1)
	copy(dst, b[:])
}

func decryptBlock(c *Block, dst, src []byte) {
	if !useAESNI {
		decryptBlockGeneric(&c.blockExpanded, dst, src)
		return
	}
	b := [BlockSize]byte(src)
	decryptBlockNI(&c.dec[0], c.rounds, &b[0])
	copy(dst, b[:])
}

// EncryptBlocksInternal encrypts whole blocks in place. It is meant for package gcm, which asks
// HardwareInternal first.
func EncryptBlocksInternal(c *Block, buf []byte) {
	encryptBlocksNI(&c.enc[0], c.rounds, &buf[0], len(buf)/BlockSize)
}

// HardwareInternal reports whether EncryptBlocksInternal may be used.
func HardwareInternal() bool { return useAESNI }

// counterBlocks xors the keystream of n = len(src)/BlockSize blocks, 8 at most, into dst. All of src is
// read before dst is written.
func counterBlocks(b *Block, dst, src []byte, ivlo, ivhi uint64) {
	if !useAESNI {
		ctrBlocks(b, dst, src, ivlo, ivhi)
		return
	}
	var room [8 * BlockSize]byte
	buf := room[:len(src)]
	for i := 0; i < len(buf); i += BlockSize {
		byteorder.BEPutUint64(buf[i:], ivhi)
		byteorder.BEPutUint64(buf[i+8:], ivlo)
		ivlo, ivhi = add128(ivlo, ivhi, 1)
	}
	EncryptBlocksInternal(b, buf)
	subtle.XORBytes(buf, src, buf)
	copy(dst, buf)
}

func ctrBlocks1(b *Block, dst, src *[BlockSize]byte, ivlo, ivhi uint64) {
	counterBlocks(b, dst[:], src[:], ivlo, ivhi)
}

func ctrBlocks2(b *Block, dst, src *[2 * BlockSize]byte, ivlo, ivhi uint64) {
	counterBlocks(b, dst[:], src[:], ivlo, ivhi)
}

func ctrBlocks4(b *Block, dst, src *[4 * BlockSize]byte, ivlo, ivhi uint64) {
	counterBlocks(b, dst[:], src[:], ivlo, ivhi)
}

func ctrBlocks8(b *Block, dst, src *[8 * BlockSize]byte, ivlo, ivhi uint64) {
	counterBlocks(b, dst[:], src[:], ivlo, ivhi)
}
