// Loam's part of crypto/internal/fips140/aes/gcm: GHASH by carry-less multiplication (ghash.gas) and
// counter mode eight blocks at a time.
//
// GCM numbers the bits of a block from the left, so a block read as a big-endian number is an
// element of GF(2^128) with its coefficients reversed. The product of two reversed numbers is the
// reversed product shifted by one bit; keeping H multiplied by x (shiftedPower) puts that right
// beforehand. Powers of H let eight blocks be multiplied independently and reduced once.
// (S. Gueron, M. Kounavis, "Intel Carry-Less Multiplication Instruction and its Usage for
// Computing the GCM Mode"; the reduction is Montgomery's, two folds by the polynomial's upper half.)

package gcm

import (
	"crypto/internal/fips140/aes"
	"crypto/internal/fips140/subtle"
	"crypto/internal/fips140deps/byteorder"
	"crypto/internal/fips140deps/cpu"
	"crypto/internal/impl"
)

var useCLMUL = cpu.X86HasAES && cpu.X86HasPCLMULQDQ && cpu.X86HasSSE41 && cpu.X86HasSSSE3

func init() {
	impl.Register("gcm", "AES-NI", &useCLMUL)
}

func hardware() bool { return useCLMUL && aes.HardwareInternal() }

// checkGenericIsExpected is called by the portable code, whose timing depends on its data.
func checkGenericIsExpected() {
	if hardware() {
		panic("gcm: portable code in use beside the AES instructions")
	}
}

// element is a field element as ghash.gas holds it: a block as a 128-bit number, lower half first.
type element [2]uint64

// gcmPlatformData holds H to H^8, each times x.
type gcmPlatformData struct {
	powers [8]element
}

// ghashBlocks absorbs n blocks at data into the state y. powers are those of gcmPlatformData.
//
//go:noescape
func ghashBlocks(powers *[8]element, y *element, data *byte, n int)

func initGCM(g *GCM) {
	if !hardware() {
		return
	}
	var h [gcmBlockSize]byte
	aes.EncryptBlockInternal(&g.cipher, h[:], h[:])
	p := element{byteorder.BEUint64(h[8:]), byteorder.BEUint64(h[:8])}
	for i := range g.powers {
		g.powers[i] = shiftedPower(p)
		if i+1 < len(g.powers) {
			// p*H, as the absorption of a zero block by the state p.
			var zero [gcmBlockSize]byte
			ghashBlocks(&g.powers, &p, &zero[0], 1)
		}
	}
}

// shiftedPower multiplies by x, in reversed coefficients: one bit to the left, modulo the polynomial.
func shiftedPower(p element) element {
	carry := -(p[1] >> 63)
	return element{p[0]<<1 ^ carry&1, p[1]<<1 ^ p[0]>>63 ^ carry&0xc200000000000000}
}

// absorb adds data to the state, the last block filled up with zeros.
func (g *GCM) absorb(y *element, data []byte) {
	if whole := len(data) / gcmBlockSize; whole > 0 {
		ghashBlocks(&g.powers, y, &data[0], whole)
		data = data[whole*gcmBlockSize:]
	}
	if len(data) > 0 {
		var last [gcmBlockSize]byte
		copy(last[:], data)
		ghashBlocks(&g.powers, y, &last[0], 1)
	}
}

// finish absorbs the lengths (of what came first and second, in bytes) and returns the state as a block.
func (g *GCM) finish(y *element, first, second int) (out [gcmBlockSize]byte) {
	var lengths [gcmBlockSize]byte
	byteorder.BEPutUint64(lengths[:8], uint64(first)*8)
	byteorder.BEPutUint64(lengths[8:], uint64(second)*8)
	ghashBlocks(&g.powers, y, &lengths[0], 1)
	byteorder.BEPutUint64(out[:8], y[1])
	byteorder.BEPutUint64(out[8:], y[0])
	return out
}

// start returns the first counter block (SP 800-38D, section 7.1) and its encryption, the tag's mask.
func (g *GCM) start(nonce []byte) (counter, mask [gcmBlockSize]byte) {
	if len(nonce) == gcmStandardNonceSize {
		copy(counter[:], nonce)
		counter[gcmBlockSize-1] = 1
	} else {
		var y element
		g.absorb(&y, nonce)
		counter = g.finish(&y, 0, len(nonce))
	}
	aes.EncryptBlockInternal(&g.cipher, mask[:], counter[:])
	return counter, mask
}

// counterMode xors src with the keystream that begins after counter into dst. Only the last 32
// bits count, and they wrap.
func (g *GCM) counterMode(dst, src []byte, counter [gcmBlockSize]byte) {
	const batch = 8 * gcmBlockSize
	var stream [batch]byte
	n := byteorder.BEUint32(counter[12:])
	for len(src) > 0 {
		todo := min(len(src), batch)
		blocks := (todo + gcmBlockSize - 1) / gcmBlockSize
		for i := 0; i < blocks*gcmBlockSize; i += gcmBlockSize {
			n++
			byteorder.BEPutUint32(counter[12:], n)
			copy(stream[i:i+gcmBlockSize], counter[:])
		}
		aes.EncryptBlocksInternal(&g.cipher, stream[:blocks*gcmBlockSize])
		subtle.XORBytes(dst, src[:todo], stream[:todo])
		dst, src = dst[todo:], src[todo:]
	}
}

func seal(out []byte, g *GCM, nonce, plaintext, data []byte) {
	if !hardware() {
		sealGeneric(out, g, nonce, plaintext, data)
		return
	}
	counter, mask := g.start(nonce)
	g.counterMode(out, plaintext, counter)
	var y element
	g.absorb(&y, data)
	g.absorb(&y, out[:len(plaintext)])
	tag := g.finish(&y, len(data), len(plaintext))
	subtle.XORBytes(tag[:], tag[:], mask[:])
	copy(out[len(plaintext):], tag[:])
}

func open(out []byte, g *GCM, nonce, ciphertext, data []byte) error {
	if !hardware() {
		return openGeneric(out, g, nonce, ciphertext, data)
	}
	tag := ciphertext[len(ciphertext)-g.tagSize:]
	ciphertext = ciphertext[:len(ciphertext)-g.tagSize]
	counter, mask := g.start(nonce)
	var y element
	g.absorb(&y, data)
	g.absorb(&y, ciphertext)
	want := g.finish(&y, len(data), len(ciphertext))
	subtle.XORBytes(want[:], want[:], mask[:])
	if subtle.ConstantTimeCompare(want[:g.tagSize], tag) != 1 {
		return errOpen
	}
	g.counterMode(out, ciphertext, counter)
	return nil
}
