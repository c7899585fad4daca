package debugnames

import (
	"bytes"
	"encoding/binary"
)

// reader reads from a place on; it is bad once something is missing.
type reader struct {
	b   []byte
	at  int
	bad bool
}

// take returns the next n bytes, zeros if there are not so many.
func (r *reader) take(n int) []byte {
	if r.bad || r.at < 0 || n < 0 || n > len(r.b)-r.at {
		r.bad = true
		return make([]byte, 8)
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func (r *reader) u8() uint8   { return r.take(1)[0] }
func (r *reader) u16() uint16 { return binary.LittleEndian.Uint16(r.take(2)) }
func (r *reader) u32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }

func (r *reader) u64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

func (r *reader) uleb() uint64 {
	if r.bad || r.at > len(r.b) {
		r.bad = true
		return 0
	}
	v, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.at += n
	return v
}

// str reads a string that ends with a zero.
func (r *reader) str() string {
	if r.bad || r.at < 0 || r.at > len(r.b) {
		r.bad = true
		return ""
	}
	n := bytes.IndexByte(r.b[r.at:], 0)
	if n < 0 {
		r.bad = true
		return ""
	}
	r.at += n + 1
	return string(r.b[r.at-n-1 : r.at-1])
}

// fixedForms are the sizes of the forms of constant size that units are described with.
var fixedForms = map[uint64]int{
	0x01:     8, // addr
	0x0B:     1, // data1
	0x05:     2, // data2
	0x06:     4, // data4
	0x07:     8, // data8
	0x0C:     1, // flag
	0x19:     0, // flag_present
	formStrp: 4, formSecOffset: 4, formRef4: 4,
}

// skip passes over a value of the form; false if it is not known.
func (r *reader) skip(form uint64) bool {
	if n, ok := fixedForms[form]; ok {
		r.take(n)
		return true
	}
	switch form {
	case 0x08: // string
		r.str()
	case 0x0F, 0x0D: // udata, sdata
		r.uleb()
	case formExprloc, formBlock:
		r.take(int(r.uleb()))
	case formBlock1:
		r.take(int(r.u8()))
	case formBlock2:
		r.take(int(r.u16()))
	case formBlock4:
		r.take(int(r.u32()))
	default:
		return false
	}
	return true
}
