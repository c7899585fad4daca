// Package wire writes and reads the files that Loam keeps for itself: numbers of variable length,
// and strings behind their lengths.
//
// A reader that misses something goes on with zeros. So its user reads everything first and asks
// once, at the end, whether it was all there.
package wire

import "encoding/binary"

// AppendUint appends a number that is not negative.
func AppendUint(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

// AppendString appends s behind its length.
func AppendString(b []byte, s string) []byte {
	return append(AppendUint(b, len(s)), s...)
}

// AppendStrings appends how many strings there are, and each of them.
func AppendStrings(b []byte, list []string) []byte {
	b = AppendUint(b, len(list))
	for _, s := range list {
		b = AppendString(b, s)
	}
	return b
}

// A Reader reads data from the front.
type Reader struct {
	rest string
	bad  bool
}

// NewReader reads data.
func NewReader(data string) *Reader { return &Reader{rest: data} }

// Fail says that what was read cannot be.
func (r *Reader) Fail() { r.bad, r.rest = true, "" }

// OK reports whether nothing was missing.
func (r *Reader) OK() bool { return !r.bad }

// Done reports whether nothing was missing, and nothing is left.
func (r *Reader) Done() bool { return !r.bad && r.rest == "" }

// Len is how many bytes are left.
func (r *Reader) Len() int { return len(r.rest) }

// Take returns the next n bytes.
func (r *Reader) Take(n int) string {
	if n < 0 || n > len(r.rest) {
		r.Fail()
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// Header reports whether the data goes on with that text, which names a format.
func (r *Reader) Header(text string) bool {
	if r.Take(len(text)) != text {
		r.Fail()
	}
	return r.OK()
}

// Byte returns the next byte.
func (r *Reader) Byte() byte {
	if r.rest == "" {
		r.Fail()
		return 0
	}
	c := r.rest[0]
	r.rest = r.rest[1:]
	return c
}

// Uint64 returns a number that encoding/binary's AppendUvarint has written.
func (r *Reader) Uint64() uint64 {
	n, shift := uint64(0), 0
	for i := 0; i < len(r.rest) && shift < 64; i++ {
		c := r.rest[i]
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
		shift += 7
	}
	r.Fail()
	return 0
}

// Int64 returns a number that encoding/binary's AppendVarint has written.
func (r *Reader) Int64() int64 {
	n := r.Uint64()
	return int64(n>>1) ^ -int64(n&1)
}

// Uint returns what AppendUint wrote.
func (r *Reader) Uint() int {
	n := r.Uint64()
	if int(n) < 0 || uint64(int(n)) != n {
		r.Fail()
		return 0
	}
	return int(n)
}

// Count returns the number of things that follow, each of at least a byte.
func (r *Reader) Count() int {
	n := r.Uint()
	if n > len(r.rest) {
		r.Fail()
		return 0
	}
	return n
}

// String returns what AppendString wrote.
func (r *Reader) String() string { return r.Take(r.Uint()) }

// Strings returns what AppendStrings wrote, nil for none.
func (r *Reader) Strings() []string {
	var list []string
	for range r.Count() {
		list = append(list, r.String())
	}
	return list
}
