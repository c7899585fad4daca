package debugnames

import "loam/internal/dwarfdata"

import "encoding/binary"

// Starts are the addresses at which functions of .debug_frame begin.
type Starts map[uint64]bool

// StartsOf reads .debug_frame.
func StartsOf(frames []byte) Starts {
	starts := Starts{}
	for at := 0; at+24 <= len(frames); {
		length := int(binary.LittleEndian.Uint32(frames[at:]))
		if length < 4 {
			break
		}
		if binary.LittleEndian.Uint32(frames[at+4:]) != commonFrame {
			starts[binary.LittleEndian.Uint64(frames[at+8:])] = true
		}
		at += 4 + length
	}
	return starts
}

// longer is the size of the function at low with the byte behind it, if that is nobody's. A call
// that does not return may be a function's last instruction: what it would return to is in the
// function for debuggers then, which look there for the caller.
func (s Starts) longer(low, size uint64) uint64 {
	if size == 0 || s[low+size] {
		return size
	}
	return size + 1
}

const commonFrame = 0xFFFFFFFF // stands in place of a function's pointer to what is common to many

// Frames returns .debug_frame without the functions that the linker left out. What is common to
// many functions is of version 3: delve does not know version 4, which adds the sizes of addresses
// and segments.
func Frames(b []byte, starts Starts) []byte {
	const (
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
		case id == commonFrame:
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
			low, size := binary.LittleEndian.Uint64(out[start+8:]), binary.LittleEndian.Uint64(out[start+16:])
			binary.LittleEndian.PutUint64(out[start+16:], starts.longer(low, size))
		}
		at = next
	}
	return out
}

// firstCode is above what the linker writes as addresses of functions it left out.
const firstCode = 64 << 10
