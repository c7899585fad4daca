package symtab

import "unsafe"

// reader decodes little-endian data. Reading past the end yields zeros and sets bad.
type reader struct {
	b   []byte
	off int
	bad bool
}

func (r *reader) left() int { return len(r.b) - r.off }

// take returns the next n bytes, or nil at the end of the data.
func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b)-r.off {
		r.bad = true
		r.off = len(r.b)
		return nil
	}
	s := r.b[r.off : r.off+n]
	r.off += n
	return s
}

func (r *reader) skip(n int) { r.take(n) }

func (r *reader) u8() uint8 {
	if r.off >= len(r.b) {
		r.bad = true
		return 0
	}
	v := r.b[r.off]
	r.off++
	return v
}

func (r *reader) uint(n int) (v uint64) {
	s := r.take(n)
	for i := len(s) - 1; i >= 0; i-- {
		v = v<<8 | uint64(s[i])
	}
	return v
}

func (r *reader) u16() uint64 { return r.uint(2) }
func (r *reader) u32() uint64 { return r.uint(4) }
func (r *reader) u64() uint64 { return r.uint(8) }

// uleb and sleb read DWARF's variable-length integers.

func (r *reader) uleb() (v uint64) {
	for shift := uint(0); ; shift += 7 {
		c := r.u8()
		if shift < 64 {
			v |= uint64(c&0x7F) << shift
		}
		if c&0x80 == 0 {
			return v
		}
	}
}

func (r *reader) sleb() int64 {
	var v int64
	shift := uint(0)
	for {
		c := r.u8()
		if shift < 64 {
			v |= int64(c&0x7F) << shift
		}
		shift += 7
		if c&0x80 == 0 {
			if c&0x40 != 0 && shift < 64 {
				v |= -1 << shift
			}
			return v
		}
	}
}

// str reads a zero-terminated string, which shares the data's memory.
func (r *reader) str() string {
	start := r.off
	for r.off < len(r.b) && r.b[r.off] != 0 {
		r.off++
	}
	s := r.b[start:r.off]
	if r.off >= len(r.b) {
		r.bad = true
	} else {
		r.off++
	}
	return unsafe.String(unsafe.SliceData(s), len(s))
}

// at returns a reader of b from off on.
func at(b []byte, off uint64) reader {
	if off > uint64(len(b)) {
		return reader{bad: true}
	}
	return reader{b: b, off: int(off)}
}
