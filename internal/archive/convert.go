package archive

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
)

// converter makes an object of an image.
type converter struct {
	*image
	*object
	data  map[elf.SectionIndex]*section // of thread-local data
	local map[uint32]uint32             // symbols of these, by their numbers in the image
}

// Object makes an object of a linked library. The table of functions, and the place of the variable
// that says where it is, come from behind the link.
func Object(library, table []byte, variable uint64) ([]byte, error) {
	m, err := openImage(library)
	if err != nil {
		return nil, err
	}
	constants := m.segments[0]
	for len(constants.data)%16 != 0 {
		constants.data = append(constants.data, 0)
	}
	place := uint64(len(constants.data))
	constants.data = append(constants.data, table...)
	constants.size = uint64(len(constants.data))
	binary.LittleEndian.PutUint64(constants.data[variable-constants.base:], constants.base+place)
	binary.LittleEndian.PutUint64(constants.data[variable-constants.base+8:], uint64(len(table)))

	c := &converter{image: m, object: newObject(), data: map[elf.SectionIndex]*section{}, local: map[uint32]uint32{}}
	for _, s := range m.segments {
		c.add(s)
	}
	for _, step := range []func() error{c.threadLocal, c.code, c.pointers, c.arrays, c.exports} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	c.sections = append(c.sections, &section{name: ".note.GNU-stack", kind: elf.SHT_PROGBITS, align: 1})
	return c.bytes(), nil
}

// threadLocal adds the sections of thread-local data.
func (c *converter) threadLocal() error {
	for i, s := range c.Sections {
		if s.Flags&elf.SHF_TLS == 0 {
			continue
		}
		t := &section{name: s.Name + ".loam", kind: s.Type, flags: s.Flags & (elf.SHF_ALLOC | elf.SHF_WRITE | elf.SHF_TLS), align: s.Addralign,
			base: s.Addr, size: s.Size}
		if s.Type != elf.SHT_NOBITS {
			data, err := s.Data()
			if err != nil {
				return err
			}
			t.data = data
		}
		c.add(t)
		c.data[elf.SectionIndex(i)] = t
	}
	return nil
}

// variable returns the symbol of a thread-local variable.
func (c *converter) variable(number uint32) (uint32, error) {
	if n, ok := c.local[number]; ok {
		return n, nil
	}
	s := c.image.symbols[number-1]
	in := c.data[s.Section]
	switch {
	case s.Section == elf.SHN_UNDEF:
		return c.undefined(s.Name), nil
	case in == nil:
		return 0, fmt.Errorf("thread-local variable %s is nowhere", s.Name)
	}
	n := c.object.local(elf.Sym64{Name: c.name(s.Name), Info: elf.ST_INFO(elf.STB_LOCAL, elf.STT_TLS), Shndx: uint16(in.number),
		Value: s.Value - (in.base - c.tls.Vaddr), Size: s.Size})
	c.local[number] = n
	return n, nil
}

// code goes through the relocations that the link was made by, and keeps those from one section to
// another. The distances that the linker has computed say what they refer to.
func (c *converter) code() error {
	for _, s := range c.Sections {
		if s.Type != elf.SHT_RELA || s.Flags&elf.SHF_ALLOC != 0 || s.Info == 0 || c.Sections[s.Info].Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		if name := c.Sections[s.Info].Name; name == ".eh_frame" {
			continue
		}
		err := c.relocations(s, func(at uint64, kind elf.R_X86_64, symbol uint32, addend int64) error {
			switch kind {
			case elf.R_X86_64_PC32, elf.R_X86_64_PLT32, elf.R_X86_64_GOTPCREL, elf.R_X86_64_GOTPCRELX, elf.R_X86_64_REX_GOTPCRELX:
				if kind == elf.R_X86_64_PLT32 && c.image.symbols[symbol-1].Name == resolver {
					c.at(at).relocate(relocation{at - c.at(at).base, kind, c.undefined(resolver), addend})
					return nil
				}
				return c.distance(at, 4, elf.R_X86_64_PC32, addend)
			case elf.R_X86_64_PC64:
				return c.distance(at, 8, kind, addend)
			case elf.R_X86_64_64, elf.R_X86_64_NONE: // pointers has them
				return nil
			case elf.R_X86_64_GOTTPOFF, elf.R_X86_64_TLSGD, elf.R_X86_64_TLSLD, elf.R_X86_64_DTPOFF32, elf.R_X86_64_DTPOFF64:
				n, err := c.variable(symbol)
				if err == nil {
					c.at(at).relocate(relocation{at - c.at(at).base, kind, n, addend})
				}
				return err
			}
			return fmt.Errorf("relocation %v at %#x is not known", kind, at)
		})
		if err != nil {
			return err
		}
	}
	return c.jumps()
}

// resolver finds thread-local variables of other libraries. Linkers want to see who calls it.
const resolver = "__tls_get_addr"

// distance keeps a distance of so many bytes between two sections.
func (c *converter) distance(at uint64, size int, kind elf.R_X86_64, addend int64) error {
	n, err := c.read(at, size)
	if err != nil {
		return err
	}
	from, target := c.at(at), uint64(n+int64(at)-addend)
	if to := c.at(target); to != from {
		from.relocate(relocation{at - from.base, kind, to.symbol, int64(target-to.base) + addend})
	}
	return nil
}

// jumps keeps where the code that the linker has made for calls of other libraries finds addresses.
func (c *converter) jumps() error {
	s := c.Section(".plt")
	if s == nil {
		return nil
	}
	const entry, place = 16, 2 // of the distance in a jump
	for at := s.Addr + entry; at < s.Addr+s.Size; at += entry {
		if err := c.distance(at+place, 4, elf.R_X86_64_PC32, -4); err != nil {
			return err
		}
	}
	return nil
}

// pointers keeps addresses in data.
func (c *converter) pointers() error {
	for _, s := range c.Sections {
		if s.Type != elf.SHT_RELA || s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		err := c.relocations(s, func(at uint64, kind elf.R_X86_64, symbol uint32, addend int64) error {
			in := c.at(at)
			r := relocation{at: at - in.base, kind: elf.R_X86_64_64, addend: addend}
			switch kind {
			case elf.R_X86_64_RELATIVE:
				to := c.at(uint64(addend))
				r.symbol, r.addend = to.symbol, addend-int64(to.base)
			case elf.R_X86_64_64, elf.R_X86_64_GLOB_DAT, elf.R_X86_64_JMP_SLOT:
				d := c.dynamic[symbol-1]
				if d.Section == elf.SHN_UNDEF {
					r.symbol = c.undefined(d.Name)
					break
				}
				to := c.at(d.Value)
				r.symbol, r.addend = to.symbol, addend+int64(d.Value-to.base)
			case elf.R_X86_64_TPOFF64, elf.R_X86_64_DTPMOD64, elf.R_X86_64_DTPOFF64:
				return nil // of places that nobody looks at any more
			default:
				return fmt.Errorf("relocation %v at %#x is not known", kind, at)
			}
			for i := range 8 { // what the file has does not count
				in.data[at-in.base+uint64(i)] = 0
			}
			in.relocate(r)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// arrays adds the lists of constructors and destructors, which linkers put together.
func (c *converter) arrays() error {
	for _, s := range c.Sections {
		if s.Type != elf.SHT_INIT_ARRAY && s.Type != elf.SHT_FINI_ARRAY {
			continue
		}
		list := &section{name: s.Name, kind: s.Type, flags: elf.SHF_ALLOC | elf.SHF_WRITE, align: 8, data: make([]byte, s.Size), entry: 8}
		in := c.at(s.Addr)
		relocs := slices.Clone(in.relocs.Bytes())
		for ; len(relocs) >= 24; relocs = relocs[24:] {
			at := binary.LittleEndian.Uint64(relocs) + in.base
			if info := binary.LittleEndian.Uint64(relocs[8:]); s.Addr <= at && at < s.Addr+s.Size {
				list.relocate(relocation{at - s.Addr, elf.R_X86_64(uint32(info)), uint32(info >> 32), int64(binary.LittleEndian.Uint64(relocs[16:]))})
			}
		}
		c.add(list)
	}
	return nil
}

// exports adds the symbols that the library shows.
func (c *converter) exports() error {
	for _, s := range c.dynamic {
		if s.Section == elf.SHN_UNDEF || s.Value == 0 {
			continue
		}
		if kind := elf.ST_TYPE(s.Info); kind == elf.STT_FUNC || kind == elf.STT_OBJECT || kind == elf.STT_NOTYPE {
			to := c.at(s.Value)
			c.defined(s.Name, kind, to, s.Value-to.base, s.Size)
		}
	}
	return nil
}
