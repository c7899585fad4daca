package symtab

import "unsafe"

// reader decodes little-endian data. Reading past the end yields zeros and sets bad.
type reader struct {
	b   []byte
	off int
	bad bool
}

func (r *reader) more() bool { return r.off < len(r.b) && !r.bad }

// take returns the next n bytes, or nil at the end of the data.
func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.b)-r.off) {
		r.bad = true
		r.off = len(r.b)
		return nil
	}
	s := r.b[r.off : r.off+int(n)]
	r.off += int(n)
	return s
}

func (r *reader) u8() uint8 {
	if r.off >= len(r.b) {
		r.bad = true
		return 0
	}
	v := r.b[r.off]
	r.off++
	return v
}

func (r *reader) u32() uint64 {
	s := r.take(4)
	if len(s) < 4 {
		return 0
	}
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// uleb reads a number of variable length.
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

// sleb reads one with its sign in the lowest bit.
func (r *reader) sleb() int64 {
	v := r.uleb()
	return int64(v>>1) ^ -int64(v&1)
}

// text reads a name, which shares the data's memory.
func (r *reader) text() string {
	s := r.take(r.uleb())
	return unsafe.String(unsafe.SliceData(s), len(s))
}

// at returns a reader of b from off on.
func at(b []byte, off uint64) reader {
	if off > uint64(len(b)) {
		return reader{bad: true}
	}
	return reader{b: b, off: int(off)}
}
