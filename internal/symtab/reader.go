package symtab

import "encoding/binary"

// reader decodes little-endian data. Behind the end it reads zeros, and is bad.
type reader struct {
	b   []byte
	at  int
	bad bool
}

func readerAt(b []byte, at uint64) reader {
	if at > uint64(len(b)) {
		return reader{b: b, at: len(b), bad: true}
	}
	return reader{b: b, at: int(at)}
}

func (r *reader) more() bool { return r.at < len(r.b) && !r.bad }

var zeros [8]byte

// take returns the next n bytes.
func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b)-r.at {
		r.bad, r.at = true, len(r.b)
		return zeros[:]
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func (r *reader) u8() byte {
	if r.at >= len(r.b) {
		r.bad = true
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

func (r *reader) u16() uint64 { return uint64(binary.LittleEndian.Uint16(r.take(2))) }
func (r *reader) u32() uint64 { return uint64(binary.LittleEndian.Uint32(r.take(4))) }
func (r *reader) u64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

func (r *reader) uint(n int) (v uint64) {
	for i, c := range r.take(n) {
		if i < n {
			v |= uint64(c) << (8 * i)
		}
	}
	return v
}

func (r *reader) uleb() (v uint64) {
	for shift := 0; ; shift += 7 {
		c := r.u8()
		v |= uint64(c&0x7F) << shift
		if c&0x80 == 0 {
			return v
		}
	}
}

func (r *reader) sleb() (v int64) {
	for shift := 0; ; {
		c := r.u8()
		v |= int64(c&0x7F) << shift
		shift += 7
		if c&0x80 == 0 {
			if c&0x40 != 0 && shift < 64 {
				v |= -1 << shift
			}
			return v
		}
	}
}

// skipString passes over a string that ends with a zero.
func (r *reader) skipString() {
	for r.u8() != 0 {
	}
}

func (r *reader) str() string {
	start := r.at
	r.skipString()
	if r.bad {
		return ""
	}
	return string(r.b[start : r.at-1])
}
