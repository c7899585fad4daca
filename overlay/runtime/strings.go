package runtime

import (
	"internal/bytealg"
	"loam/rt/heap"
	"unsafe"
)

// The operations on strings that compiled code calls. Strings are immutable, so whatever can
// share memory does.

// newBytes returns n bytes that hold garbage and no pointers; the caller fills them.
func newBytes(n int) unsafe.Pointer { return heap.Alloc(uintptr(n), true, false) }

// newString returns a string of n bytes and the bytes, to be filled before the string is used.
func newString(n int) (string, []byte) {
	p := (*byte)(newBytes(n))
	return unsafe.String(p, n), unsafe.Slice(p, n)
}

// oneByte holds all strings of one byte: conversions of bytes to strings are common enough. An
// entry is written when it is first asked for, always with the same value, so neither
// initialisation nor a lock is needed.
var oneByte [256]byte

func oneByteString(c byte) string {
	p := &oneByte[c]
	if *p != c {
		*p = c
	}
	return unsafe.String(p, 1)
}

// concatstrings returns the concatenation of the n strings at a. A result that fits is made in
// buf, which is nil or in the frame of a caller that the result does not leave.
func concatstrings(buf *[32]byte, a *string, n int) string {
	parts := unsafe.Slice(a, n)
	total, nonEmpty, last := measure(parts)
	switch nonEmpty {
	case 0:
		return ""
	case 1:
		return parts[last]
	}
	p := place(buf, total)
	join(p, parts)
	return unsafe.String((*byte)(p), total)
}

// concattwo is concatstrings of two strings, which most additions are of.
func concattwo(buf *[32]byte, x, y string) string {
	switch {
	case len(x) == 0:
		return y
	case len(y) == 0:
		return x
	}
	total := len(x) + len(y)
	if total < 0 {
		throw("string concatenation too long")
	}
	p := place(buf, total)
	put(p, x)
	put(unsafe.Add(p, len(x)), y)
	return unsafe.String((*byte)(p), total)
}

// concatthree is concatstrings of three strings.
func concatthree(buf *[32]byte, x, y, z string) string {
	switch {
	case len(x) == 0:
		return concattwo(buf, y, z)
	case len(y) == 0:
		return concattwo(buf, x, z)
	case len(z) == 0:
		return concattwo(buf, x, y)
	}
	two := len(x) + len(y)
	total := two + len(z)
	if two < 0 || total < 0 {
		throw("string concatenation too long")
	}
	p := place(buf, total)
	put(p, x)
	put(unsafe.Add(p, len(x)), y)
	put(unsafe.Add(p, two), z)
	return unsafe.String((*byte)(p), total)
}

// place returns where to make a string of n bytes: in buf, or anew.
func place(buf *[32]byte, n int) unsafe.Pointer {
	if buf != nil && n <= len(buf) {
		return unsafe.Pointer(buf)
	}
	return newBytes(n)
}

// put copies s to p.
func put(p unsafe.Pointer, s string) { copy(unsafe.Slice((*byte)(p), len(s)), s) }

// concatbytes returns the concatenation of the n strings at a as a new slice.
func concatbytes(a *string, n int) []byte {
	parts := unsafe.Slice(a, n)
	total, _, _ := measure(parts)
	if total == 0 {
		return []byte{}
	}
	b := filledBytes(total)
	join(unsafe.Pointer(&b[0]), parts)
	return b
}

// measure returns the length of all parts together, how many are not empty, and which of those is
// the last.
func measure(parts []string) (total, nonEmpty, last int) {
	for i, s := range parts {
		if len(s) == 0 {
			continue
		}
		if total+len(s) < total {
			throw("string concatenation too long")
		}
		total += len(s)
		nonEmpty++
		last = i
	}
	return total, nonEmpty, last
}

// join copies the parts to p, one after the other.
func join(p unsafe.Pointer, parts []string) {
	for _, part := range parts {
		put(p, part)
		p = unsafe.Add(p, len(part))
	}
}

// slicebytetostring returns a string with a copy of the n bytes at p.
func slicebytetostring(p *byte, n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return oneByteString(*p)
	}
	s, b := newString(n)
	copy(b, unsafe.Slice(p, n))
	return s
}

// stringtoslicebyte returns a copy of s, with all of the allocation's bytes as capacity.
func stringtoslicebyte(s string) []byte {
	if len(s) == 0 {
		return []byte{}
	}
	b := filledBytes(len(s))
	copy(b, s)
	return b
}

// filledBytes returns n bytes that the caller fills, with all of the allocation's bytes as
// capacity. Those beyond the n are zero: the program can see them.
func filledBytes(n int) []byte {
	b := bytealg.MakeNoZero(n)
	clear(b[n:cap(b)])
	return b
}

// intstring returns the UTF-8 form of the code point v, U+FFFD if v is none.
func intstring(v int64) string {
	if v >= 0 && v < runeSelf {
		return oneByteString(byte(v))
	}
	if int64(rune(v)) != v {
		v = runeError
	}
	var buf [4]byte
	n := encodeRune(&buf, rune(v))
	return slicebytetostring(&buf[0], n)
}

// intstringtmp is intstring for a string that stays in the caller's frame, in buf; it returns the
// length.
func intstringtmp(buf *[4]byte, v int64) int {
	if int64(rune(v)) != v {
		v = runeError
	}
	return encodeRune(buf, rune(v))
}

// slicerunetostring returns the UTF-8 form of a.
func slicerunetostring(a []rune) string {
	n := 0
	for _, r := range a {
		n += runeLen(r)
	}
	if n == 0 {
		return ""
	}
	s, b := newString(n)
	var buf [4]byte
	for _, r := range a {
		m := encodeRune(&buf, r)
		copy(b, buf[:m])
		b = b[m:]
	}
	return s
}

// stringtoslicerune returns the code points of s, U+FFFD for each byte that is part of none.
func stringtoslicerune(s string) []rune {
	n := countrunes(s)
	if n == 0 {
		return []rune{}
	}
	b := filledBytes(4 * n)
	a := unsafe.Slice((*rune)(unsafe.Pointer(unsafe.SliceData(b))), cap(b)/4)[:n]
	decode(a, s)
	return a
}

// stringtoslicerunetmp is stringtoslicerune for a slice that stays in the caller's frame: in buf if
// it fits.
func stringtoslicerunetmp(buf *[32]rune, s string) []rune {
	if len(s) > len(buf) && countrunes(s) > len(buf) {
		return stringtoslicerune(s)
	}
	clear(buf[:])
	return buf[:decode(buf[:], s)]
}

// decode stores the code points of s, for which a has room, and returns how many they are.
func decode(a []rune, s string) int {
	n := 0
	for _, r := range s {
		a[n] = r
		n++
	}
	return n
}

const (
	runeError = '\uFFFD'
	runeSelf  = 0x80
	maxRune   = '\U0010FFFF'
)

func isSurrogate(r rune) bool { return 0xD800 <= r && r <= 0xDFFF }

func runeLen(r rune) int {
	switch {
	case r >= 0 && r < runeSelf:
		return 1
	case r >= 0 && r < 0x800:
		return 2
	case r >= 0x10000 && r <= maxRune:
		return 4
	}
	return 3 // also the length of U+FFFD, which stands for whatever cannot be encoded
}

// encodeRune stores the UTF-8 form of r and returns its length.
func encodeRune(b *[4]byte, r rune) int {
	const cont, low = 0x80, 0x3F
	switch {
	case r >= 0 && r < runeSelf:
		b[0] = byte(r)
		return 1
	case r >= 0 && r < 0x800:
		b[0], b[1] = 0xC0|byte(r>>6), cont|byte(r)&low
		return 2
	case r >= 0x10000 && r <= maxRune:
		b[0], b[1], b[2], b[3] = 0xF0|byte(r>>18), cont|byte(r>>12)&low, cont|byte(r>>6)&low, cont|byte(r)&low
		return 4
	case r < 0 || r > maxRune || isSurrogate(r):
		r = runeError
	}
	b[0], b[1], b[2] = 0xE0|byte(r>>12), cont|byte(r>>6)&low, cont|byte(r)&low
	return 3
}

// decoderune decodes the code point that starts at s[k], which is not ASCII, and returns it with
// the index after it. An invalid encoding yields U+FFFD and skips one byte. It is what range
// over a string calls.
//
// The bytes of a code point are looked at as one word: its mask tells at once whether the first
// byte announces so many and whether the others continue it. Only the last three bytes of a string
// are gathered one by one.
func decoderune(s string, k int) (r rune, pos int) {
	p, left := unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), k), len(s)-k
	var w uint32
	if left >= 4 {
		w = *(*uint32)(p)
	} else {
		w = uint32(*(*byte)(p))
		if left > 1 {
			w |= uint32(*(*byte)(unsafe.Add(p, 1))) << 8
		}
		if left > 2 {
			w |= uint32(*(*byte)(unsafe.Add(p, 2))) << 16
		}
	}
	switch {
	case w&0xC0E0 == 0x80C0:
		if r := rune(w&0x1F<<6 | w>>8&0x3F); r >= 0x80 {
			return r, k + 2
		}
	case w&0xC0C0F0 == 0x8080E0:
		if r := rune(w&0x0F<<12 | w>>8&0x3F<<6 | w>>16&0x3F); r >= 0x800 && !isSurrogate(r) {
			return r, k + 3
		}
	case w&0xC0C0C0F8 == 0x808080F0:
		if r := rune(w&0x07<<18 | w>>8&0x3F<<12 | w>>16&0x3F<<6 | w>>24&0x3F); r >= 0x10000 && r <= maxRune {
			return r, k + 4
		}
	}
	return runeError, k + 1
}

// countrunes returns the number of code points in s: len([]rune(s)) without the slice. Words of
// ASCII count as eight.
func countrunes(s string) int {
	n := 0
	p := unsafe.Pointer(unsafe.StringData(s))
	for i := 0; i < len(s); {
		switch {
		case *(*byte)(unsafe.Add(p, i)) >= runeSelf:
			_, i = decoderune(s, i)
			n++
		case i+8 <= len(s) && *(*uint64)(unsafe.Add(p, i))&0x8080808080808080 == 0:
			i += 8
			n += 8
		default:
			i++
			n++
		}
	}
	return n
}

// gostring and findnull read strings that the kernel or C passes: bytes up to a zero; nil is empty.

func findnull(p *byte) int {
	if p == nil {
		return 0
	}
	n := 0
	for *(*byte)(add(unsafe.Pointer(p), uintptr(n))) != 0 {
		n++
	}
	return n
}

// gostring returns a string with a copy of the bytes at p up to the first zero.
func gostring(p *byte) string { return slicebytetostring(p, findnull(p)) }

// gostringn is the string of the n bytes at p, and gobytes a slice of them: C.GoStringN and
// C.GoBytes.
func gostringn(p *byte, n int) string { return slicebytetostring(p, n) }

func gobytes(p *byte, n int) []byte {
	if n == 0 {
		return make([]byte, 0)
	}
	if n < 0 || uintptr(n) > maxAlloc {
		panic(errorString("gobytes: length out of range"))
	}
	b := make([]byte, n)
	copy(b, unsafe.Slice(p, n))
	return b
}

// gostringnocopy is gostring that shares the memory, which must never change.
func gostringnocopy(p *byte) string { return unsafe.String(p, findnull(p)) }
