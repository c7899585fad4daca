package symtab

import "unsafe"

// image is a mapped program file and the sections of it that matter. A section that is absent is
// empty.
type image struct {
	file                                     []byte
	info, abbrev, line, str, ranges, linestr []byte
	symtab, strtab, frame                    []byte
	// the table of section headers: offset, bytes each, how many
	headers, headerSize, sections uint64
}

// parse finds the sections of the ELF file. It reports whether the file is ELF64.
func (m *image) parse(file []byte) bool {
	m.file = file
	r := at(file, 0)
	if r.u32() != 0x464C457F || r.u8() != 2 {
		return false
	}
	r = at(file, 0x28)
	shoff := r.u64()
	r = at(file, 0x3A)
	size, count, names := r.u16(), r.u16(), r.u16()
	m.headers, m.headerSize, m.sections = shoff, size, count
	strtab := m.section(shoff + names*size)
	for i := uint64(0); i < count; i++ {
		header := at(file, shoff+i*size)
		name := at(strtab, header.u32())
		switch s := m.section(shoff + i*size); name.str() {
		case ".debug_info":
			m.info = s
		case ".debug_abbrev":
			m.abbrev = s
		case ".debug_line":
			m.line = s
		case ".debug_str":
			m.str = s
		case ".debug_ranges":
			m.ranges = s
		case ".debug_line_str":
			m.linestr = s
		case ".debug_frame":
			m.frame = s
		case ".symtab":
			m.symtab = s
		case ".strtab":
			m.strtab = s
		}
	}
	return true
}

// section returns the contents of the section whose header is at off.
func (m *image) section(off uint64) []byte {
	const noBits, compressed = 8, 0x800
	r := at(m.file, off)
	r.u32()
	kind, flags := r.u32(), r.u64()
	r.u64()
	start, size := r.u64(), r.u64()
	if kind == noBits || flags&compressed != 0 || start > uint64(len(m.file)) || size > uint64(len(m.file))-start {
		return nil
	}
	return m.file[start : start+size]
}

// codeAt returns the number and the end of the section of code that contains pc.
func (m *image) codeAt(pc uintptr) (section uint64, end uintptr, ok bool) {
	const allocated, executable = 2, 4
	for i := uint64(0); i < m.sections; i++ {
		r := at(m.file, m.headers+i*m.headerSize)
		r.skip(8) // name, type
		flags, addr := r.u64(), uintptr(r.u64())
		r.u64()
		size := uintptr(r.u64())
		if flags&(allocated|executable) == allocated|executable && pc-addr < size {
			return i, addr + size, true
		}
	}
	return 0, 0, false
}

// symbol returns the name and bounds of the symbol that covers pc, for code without debug
// information. It looks at every symbol: such questions are rare.
//
// Assembly may not give sizes: such a symbol reaches to the next one.
func (m *image) symbol(pc uintptr) (name string, lo, hi uintptr) {
	const entry, typeFunc = 24, 2
	section, next, ok := m.codeAt(pc)
	if !ok {
		return "", 0, 0
	}
	free := uintptr(0) // from here to pc there is no symbol with a size
	for off := 0; off+entry <= len(m.symtab); off += entry {
		r := at(m.symtab, uint64(off))
		nameOff, info := r.u32(), r.u8()
		r.skip(1)
		home := r.u16()
		value, size := uintptr(r.u64()), uintptr(r.u64())
		if home != section || info&15 > typeFunc {
			continue
		}
		s := at(m.strtab, nameOff)
		switch {
		case value > pc:
			next = min(next, value)
		case pc-value < size:
			return s.str(), value, value + size
		case size != 0:
			free = max(free, value+size)
		case value > lo || value == lo && info&15 == typeFunc:
			if n := s.str(); n != "" {
				name, lo = n, value
			}
		}
	}
	if lo < free {
		return "", 0, 0
	}
	return name, lo, next
}

// Table memory: bump allocation from mapped chunks, never freed.

var chunk struct {
	next unsafe.Pointer
	left uintptr
}

const chunkSize = 256 << 10

// alloc returns zeroed memory for n bytes, 8-aligned; nil if the system has none.
func alloc(n uintptr) unsafe.Pointer {
	n = (n + 7) &^ 7
	if n > chunk.left {
		if n > chunkSize/4 {
			// Big tables get a mapping of their own.
			return mapMemory((n + 4095) &^ 4095)
		}
		p := mapMemory(chunkSize)
		if p == nil {
			return nil
		}
		chunk.next, chunk.left = p, chunkSize
	}
	p := chunk.next
	chunk.next = unsafe.Add(p, n)
	chunk.left -= n
	return p
}

// allocSlice returns a zeroed slice of n elements in table memory; empty if there is none.
func allocSlice[T any](n int) []T {
	if n <= 0 {
		return nil
	}
	var zero T
	p := alloc(uintptr(n) * unsafe.Sizeof(zero))
	if p == nil {
		return nil
	}
	return unsafe.Slice((*T)(p), n)
}

// joinPath returns dir/name in table memory.
func joinPath(dir, name string) string {
	if dir == "" || len(name) > 0 && name[0] == '/' {
		return name
	}
	b := allocSlice[byte](len(dir) + 1 + len(name))
	if b == nil {
		return name
	}
	n := copy(b, dir)
	b[n] = '/'
	copy(b[n+1:], name)
	return unsafe.String(&b[0], len(b))
}
