// Package dwarfdata reads DWARF 4 (dwarfstd.org) byte by byte: little-endian numbers of all forms,
// and the tags, attributes and forms that LLVM writes and that debuggers of Go want. It does not
// know what units mean: internal/symtab makes tables of them, and internal/debugnames changes them.
package dwarfdata

import (
	"bytes"
	"encoding/binary"
)

// Reader reads from a place on. Where something is missing it reads zeros, and is bad from then on.
type Reader struct {
	B   []byte
	At  int
	Bad bool
}

// ReaderAt reads from byte at on; a place behind the end is bad.
func ReaderAt(b []byte, at uint64) Reader {
	if at > uint64(len(b)) {
		return Reader{B: b, At: len(b), Bad: true}
	}
	return Reader{B: b, At: int(at)}
}

// More reports whether something is left.
func (r *Reader) More() bool { return r.At < len(r.B) && !r.Bad }

var zeros [8]byte

// Take returns the next n bytes, zeros if there are not so many. They are not to be changed.
func (r *Reader) Take(n int) []byte {
	if r.Bad || r.At < 0 || n < 0 || n > len(r.B)-r.At {
		r.Bad = true
		return zeros[:]
	}
	r.At += n
	return r.B[r.At-n : r.At]
}

func (r *Reader) U8() byte {
	if r.Bad || r.At < 0 || r.At >= len(r.B) {
		r.Bad = true
		return 0
	}
	r.At++
	return r.B[r.At-1]
}

func (r *Reader) U16() uint64 { return uint64(binary.LittleEndian.Uint16(r.Take(2))) }
func (r *Reader) U32() uint64 { return uint64(binary.LittleEndian.Uint32(r.Take(4))) }
func (r *Reader) U64() uint64 { return binary.LittleEndian.Uint64(r.Take(8)) }

// Uint reads a number of n bytes, at most 8.
func (r *Reader) Uint(n int) (v uint64) {
	for i, c := range r.Take(n) {
		if i < n {
			v |= uint64(c) << (8 * i)
		}
	}
	return v
}

// Uleb reads a number of 7 bits a byte.
func (r *Reader) Uleb() (v uint64) {
	for shift := 0; ; shift += 7 {
		c := r.U8()
		v |= uint64(c&0x7F) << shift
		if c&0x80 == 0 {
			return v
		}
	}
}

// Sleb reads a number of 7 bits a byte with a sign.
func (r *Reader) Sleb() (v int64) {
	for shift := 0; ; {
		c := r.U8()
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

// SkipString passes over a string that ends with a zero.
func (r *Reader) SkipString() {
	n := -1
	if !r.Bad && r.At >= 0 && r.At <= len(r.B) {
		n = bytes.IndexByte(r.B[r.At:], 0)
	}
	if n < 0 {
		r.Bad = true
		return
	}
	r.At += n + 1
}

// Str reads a string that ends with a zero.
func (r *Reader) Str() string {
	start := r.At
	if r.SkipString(); r.Bad {
		return ""
	}
	return string(r.B[start : r.At-1])
}

// fixed are the sizes of forms of constant size, less than 0 for others.
var fixed = func() (sizes [FormFlagPresent + 1]int) {
	for form := range sizes {
		sizes[form] = -1
	}
	for form, n := range map[int]int{
		FormAddr: 8, FormData1: 1, FormData2: 2, FormData4: 4, FormData8: 8, FormFlag: 1, FormFlagPresent: 0,
		FormStrp: 4, FormSecOffset: 4, FormRef4: 4,
	} {
		sizes[form] = n
	}
	return sizes
}()

// SizeOf returns how many bytes a value of the form takes, if all take as many.
func SizeOf(form uint64) (n int, ok bool) {
	if form >= uint64(len(fixed)) || fixed[form] < 0 {
		return 0, false
	}
	return fixed[form], true
}

// Skip passes over a value of the form; false if it is not known.
func (r *Reader) Skip(form uint64) bool {
	if n, ok := SizeOf(form); ok {
		r.Take(n)
		return true
	}
	switch form {
	case FormString:
		r.SkipString()
	case FormUdata, FormSdata:
		r.Uleb()
	case FormExprloc, FormBlock:
		r.Take(int(r.Uleb()))
	case FormBlock1:
		r.Take(int(r.U8()))
	case FormBlock2:
		r.Take(int(r.U16()))
	case FormBlock4:
		r.Take(int(r.U32()))
	default:
		return false
	}
	return true
}
