package symtab

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// object is an object file as the linker gets it. Its sections of code are taken to lie far from
// each other: one that is n-th in the file begins at (n+1) << sectionShift.
type object struct {
	*elf.File
	symbols []elf.Symbol // by number, the first one excepted
	parts   map[string][]byte
}

// sectionShift leaves 4 GB for each section.
const sectionShift = 32

// sectionOf returns the number of the section that an address is in, and the distance in it.
func sectionOf(addr uint64) (section int, offset uint64) {
	return int(addr>>sectionShift) - 1, addr & (1<<sectionShift - 1)
}

// readObject reads an object file, and relocates its debug information.
func readObject(data []byte) (*object, error) {
	file, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	o := &object{File: file, parts: map[string][]byte{}}
	if o.symbols, err = file.Symbols(); err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return nil, err
	}
	for _, s := range file.Sections {
		if s.Type == elf.SHT_PROGBITS && strings.HasPrefix(s.Name, ".debug_") {
			if _, twice := o.parts[s.Name]; twice {
				return nil, fmt.Errorf("it has two sections %s", s.Name)
			}
			if o.parts[s.Name], err = s.Data(); err != nil {
				return nil, err
			}
		}
	}
	for _, s := range file.Sections {
		if s.Type != elf.SHT_RELA || int(s.Info) >= len(file.Sections) {
			continue
		}
		if to := o.parts[file.Sections[s.Info].Name]; to != nil {
			relocations, err := s.Data()
			if err != nil {
				return nil, err
			}
			if err := o.relocate(to, relocations); err != nil {
				return nil, fmt.Errorf("section %s: %w", s.Name, err)
			}
		}
	}
	return o, nil
}

// relocate writes into a section what refers to others.
func (o *object) relocate(to, relocations []byte) error {
	const size = 24
	for ; len(relocations) >= size; relocations = relocations[size:] {
		at := binary.LittleEndian.Uint64(relocations)
		info := binary.LittleEndian.Uint64(relocations[8:])
		value := binary.LittleEndian.Uint64(relocations[16:])
		if n := int(info >> 32); n > len(o.symbols) {
			return errors.New("there is no such symbol")
		} else if n > 0 {
			value += o.address(&o.symbols[n-1])
		}
		width := uint64(0)
		switch elf.R_X86_64(uint32(info)) {
		case elf.R_X86_64_64:
			width = 8
		case elf.R_X86_64_32:
			width = 4
		case elf.R_X86_64_DTPOFF64, elf.R_X86_64_NONE:
			continue // where a variable of a thread lies; nothing
		default:
			return fmt.Errorf("relocation %v is not known", elf.R_X86_64(uint32(info)))
		}
		switch {
		case at > uint64(len(to)) || uint64(len(to))-at < width:
			return errors.New("it goes beyond its section")
		case width == 8:
			binary.LittleEndian.PutUint64(to[at:], value)
		default:
			binary.LittleEndian.PutUint32(to[at:], uint32(value))
		}
	}
	return nil
}

// address is what a symbol is taken to be at. In debug information that is the place in a section;
// what is elsewhere counts as dead.
func (o *object) address(s *elf.Symbol) uint64 {
	if int(s.Section) >= len(o.Sections) || s.Section == elf.SHN_UNDEF {
		return 0
	}
	if o.Sections[s.Section].Flags&elf.SHF_ALLOC == 0 {
		return s.Value
	}
	return uint64(s.Section+1)<<sectionShift + s.Value
}

// program is what there is of the object's code.
func (o *object) program(real func(string) string) *Program {
	return &Program{
		Info: o.parts[".debug_info"], Abbrev: o.parts[".debug_abbrev"], Line: o.parts[".debug_line"], Str: o.parts[".debug_str"],
		Ranges: o.parts[".debug_ranges"], Frame: o.parts[".debug_frame"], Real: real,
	}
}

// named returns a symbol of a section that no other object has, and its place in the section.
func (o *object) named(section int) (name string, offset uint64) {
	for _, s := range o.symbols {
		if int(s.Section) == section && s.Name != "" && elf.ST_BIND(s.Info) == elf.STB_GLOBAL && elf.ST_TYPE(s.Info) <= elf.STT_FUNC {
			return s.Name, s.Value
		}
	}
	return "", 0
}
