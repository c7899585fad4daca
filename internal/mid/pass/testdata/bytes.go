package p

func put32(b []byte, v uint32) {
	_ = b[3]
	b[0] = byte(v >> 24)
	b[1] = byte(v >> 16)
	b[2] = byte(v >> 8)
	b[3] = byte(v)
}

// bytes: the number is kept whole.
func fromParts(b []byte, x, y byte) { put32(b, uint32(x)<<26|uint32(y)<<20) }

// bytes: likewise, where it is put together on one way only.
func perhaps(b []byte, x byte, ok bool) {
	v := uint32(7)
	if ok {
		v = uint32(x) << 12
	}
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

// bytes: nothing is known of it anyway.
func opaque(b []byte, v uint32) { put32(b, v) }

// bytes: two bytes are not worth it.
func two(b []byte, x, y byte) {
	v := uint16(x)<<8 | uint16(y)
	b[0], b[1] = byte(v>>8), byte(v)
}
