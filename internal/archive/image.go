package archive

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// image is a linked library.
type image struct {
	*elf.File
	data     []byte
	segments []*section // of the object, by address
	symbols  []elf.Symbol
	dynamic  []elf.Symbol
	tls      *elf.Prog
}

// alignment is that of the object's sections: no data want more.
const alignment = 64

// openImage reads the library, and divides it into sections.
func openImage(data []byte) (*image, error) {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	m := &image{File: f, data: data}
	if m.symbols, err = f.Symbols(); err != nil {
		return nil, err
	}
	if m.dynamic, err = f.DynamicSymbols(); err != nil {
		return nil, err
	}
	names := map[elf.ProgFlag][]string{elf.PF_R: {".rodata.loam"}, elf.PF_R | elf.PF_X: {".text.loam"},
		elf.PF_R | elf.PF_W: {".data.rel.ro.loam", ".data.loam"}}
	for _, p := range f.Progs {
		if p.Type == elf.PT_TLS {
			m.tls = p
		}
		if p.Type != elf.PT_LOAD {
			continue
		}
		if len(names[p.Flags]) == 0 {
			return nil, fmt.Errorf("the library has an unknown segment at %#x", p.Vaddr)
		}
		name := names[p.Flags][0]
		names[p.Flags] = names[p.Flags][1:]
		base := p.Vaddr &^ (alignment - 1)
		size := p.Vaddr - base + p.Filesz
		s := &section{name: name, kind: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC, align: alignment, base: base,
			first: base, data: make([]byte, size)}
		copy(s.data[p.Vaddr-base:], data[p.Off:p.Off+p.Filesz])
		s.size = uint64(len(s.data))
		switch {
		case p.Flags&elf.PF_X != 0:
			s.flags |= elf.SHF_EXECINSTR
		case p.Flags&elf.PF_W != 0:
			s.flags |= elf.SHF_WRITE
		}
		m.segments = append(m.segments, s)
		if first, end := p.Vaddr+p.Filesz, p.Vaddr+p.Memsz; name == ".data.loam" && end > first {
			base := first &^ (alignment - 1)
			m.segments = append(m.segments, &section{name: ".bss.loam", kind: elf.SHT_NOBITS, flags: s.flags, align: alignment,
				base: base, first: first, size: end - base})
		}
	}
	if len(m.segments) < 4 {
		return nil, fmt.Errorf("the library has %d segments only", len(m.segments))
	}
	return m, nil
}

// at returns the section that an address lies in, or at whose end.
func (m *image) at(address uint64) *section {
	found := m.segments[0]
	for _, s := range m.segments {
		if s.first <= address {
			found = s
		}
	}
	return found
}

// read reads a number of so many bytes at an address, with its sign.
func (m *image) read(address uint64, size int) (int64, error) {
	s := m.at(address)
	if address+uint64(size) > s.base+uint64(len(s.data)) {
		return 0, fmt.Errorf("a relocation at %#x is outside of the library's data", address)
	}
	b := s.data[address-s.base:]
	if size == 8 {
		return int64(binary.LittleEndian.Uint64(b)), nil
	}
	return int64(int32(binary.LittleEndian.Uint32(b))), nil
}

// relocations calls do for each of a section of them.
func (m *image) relocations(s *elf.Section, do func(at uint64, kind elf.R_X86_64, symbol uint32, addend int64) error) error {
	data, err := s.Data()
	if err != nil {
		return err
	}
	for ; len(data) >= 24; data = data[24:] {
		info := binary.LittleEndian.Uint64(data[8:])
		if err := do(binary.LittleEndian.Uint64(data), elf.R_X86_64(uint32(info)), uint32(info>>32),
			int64(binary.LittleEndian.Uint64(data[16:]))); err != nil {
			return err
		}
	}
	return nil
}
