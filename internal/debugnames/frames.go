package debugnames

import "loam/internal/dwarfdata"

import "encoding/binary"

// Frames returns .debug_frame without the functions that the linker left out. What is common to
// many functions is of version 3: delve does not know version 4, which adds the sizes of addresses
// and segments.
func Frames(b []byte) []byte {
	const (
		common   = 0xFFFFFFFF // stands in place of a function's pointer to what is common to many
		version3 = 3
		version4 = 4
		noops    = 2
	)
	out := make([]byte, 0, len(b))
	moved := map[uint32]uint32{}
	for at := 0; at+8 <= len(b); {
		length := int(binary.LittleEndian.Uint32(b[at:]))
		next := at + 4 + length
		if length < 4 || next > len(b) {
			return b
		}
		id := binary.LittleEndian.Uint32(b[at+4:])
		start := len(out)
		switch {
		case id == common:
			moved[uint32(at)] = uint32(start)
			out = append(out, b[at:next]...)
			e := &dwarfdata.Reader{B: out, At: start + 8}
			version := e.U8()
			e.Str() // augmentation
			if version == version4 && !e.Bad && e.At+noops <= len(out) {
				out[start+8] = version3
				copy(out[e.At:], out[e.At+noops:])
				clear(out[len(out)-noops:]) // instructions that do nothing
			}
		case length >= 20 && binary.LittleEndian.Uint64(b[at+8:]) >= firstCode:
			out = append(out, b[at:next]...)
			binary.LittleEndian.PutUint32(out[start+4:], moved[id])
		}
		at = next
	}
	return out
}

// firstCode is above what the linker writes as addresses of functions it left out.
const firstCode = 64 << 10
