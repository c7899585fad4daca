// Package object writes ELF object files for x86-64: sections and their groups, symbols,
// relocations.
package object

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Types and flags of sections.
const (
	Progbits = 1
	Nobits   = 8

	Write     = 1 << 0
	Alloc     = 1 << 1
	Exec      = 1 << 2
	Merge     = 1 << 4
	Strings   = 1 << 5
	LinkOrder = 1 << 7
	inGroup   = 1 << 9
)

// A Section is what the linker moves as one piece.
type Section struct {
	Name      string
	Type      uint32
	Flags     uint64
	Align     uint64
	EntrySize uint64
	Size      uint64 // without Data
	Data      []byte
	Order     int // the section that it is kept with, by its number, for LinkOrder
	Group     int // -1: none
	Relocs    []Reloc

	symbol int // that stands for it, -1: none yet
}

// A Reloc is a place that the linker completes.
type Reloc struct {
	At     uint64
	Type   uint32
	Symbol int
	Add    int64
}

// Bindings and types of symbols.
const (
	Local  = 0
	Global = 1
	Weak   = 2

	NoType   = 0
	Object   = 1
	Function = 2
	section  = 3
)

// A Symbol is a name for a place.
type Symbol struct {
	Name    string
	Bind    byte
	Type    byte
	Hidden  bool
	Section int // -1: another object has it
	Value   uint64
	Size    uint64
}

// A Group is of sections that the linker keeps or drops together. Of groups whose signature has
// the same name it keeps one, if they are Comdat.
type Group struct {
	Signature int // a symbol
	Comdat    bool
	members   []int
}

// File is an object in the making.
type File struct {
	Sections []Section
	Symbols  []Symbol
	Groups   []Group
}

// Add adds a section and returns its number.
func (f *File) Add(s Section) int {
	n := len(f.Sections)
	s.symbol = -1
	if s.Group >= 0 {
		g := &f.Groups[s.Group]
		g.members = append(g.members, n)
		s.Flags |= inGroup
	}
	f.Sections = append(f.Sections, s)
	return n
}

// SectionSymbol returns the symbol that stands for a section.
func (f *File) SectionSymbol(n int) int {
	s := &f.Sections[n]
	if s.symbol < 0 {
		s.symbol = len(f.Symbols)
		f.Symbols = append(f.Symbols, Symbol{Type: section, Section: n})
	}
	return s.symbol
}

const (
	symbolSize = 24
	relocSize  = 24
	headerSize = 64
	entrySize  = 64
)

// header is a section's.
type header struct {
	name, typ        uint32
	flags            uint64
	off, size        uint64
	link, info       uint32
	align, entrySize uint64
}

// Bytes is the file.
func (f *File) Bytes() []byte {
	le := binary.LittleEndian
	// Sections are numbered from 1: those of groups, then all others with their relocations behind
	// them, then tables.
	groups := len(f.Groups)
	number := make([]uint32, len(f.Sections))
	next := uint32(1 + groups)
	for i := range f.Sections {
		number[i] = next
		next++
		if len(f.Sections[i].Relocs) > 0 {
			next++
		}
	}
	symtab, strtab, shstrtab := next, next+1, next+2
	count := int(next) + 3

	names := stringTable{at: map[string]uint32{}, b: []byte{0}}
	sections := stringTable{at: map[string]uint32{}, b: []byte{0}}
	order := make([]uint32, len(f.Symbols)) // the number of each symbol
	var table []byte
	total := uint32(1)
	table = append(table, make([]byte, symbolSize)...)
	var wide []byte // of sections whose numbers do not fit into 16 bits
	if count >= 0xFF00 {
		wide = append(wide, 0, 0, 0, 0)
	}
	locals := uint32(0)
	for _, local := range [...]bool{true, false} {
		for i := range f.Symbols {
			s := &f.Symbols[i]
			if (s.Bind == Local) != local {
				continue
			}
			order[i] = total
			total++
			var e [symbolSize]byte
			le.PutUint32(e[0:], names.add(s.Name))
			e[4] = s.Bind<<4 | s.Type
			if s.Hidden {
				e[5] = 2
			}
			in := uint32(0)
			if s.Section >= 0 {
				in = number[s.Section]
			}
			if in >= 0xFF00 {
				le.PutUint16(e[6:], 0xFFFF)
			} else {
				le.PutUint16(e[6:], uint16(in))
			}
			if wide != nil {
				wide = le.AppendUint32(wide, in)
			}
			le.PutUint64(e[8:], s.Value)
			le.PutUint64(e[16:], s.Size)
			table = append(table, e[:]...)
		}
		if local {
			locals = total
		}
	}
	if wide != nil {
		count++
	}

	out := make([]byte, headerSize, f.estimate())
	headers := make([]header, count)
	place := func(n uint32, h header, data []byte) {
		for uint64(len(out))%max(h.align, 1) != 0 {
			out = append(out, 0)
		}
		h.off = uint64(len(out))
		if h.typ != Nobits {
			h.size = uint64(len(data))
			out = append(out, data...)
		}
		headers[n] = h
	}
	for i, g := range f.Groups {
		var b []byte
		flag := uint32(0)
		if g.Comdat {
			flag = 1
		}
		b = le.AppendUint32(b, flag)
		for _, m := range g.members {
			b = le.AppendUint32(b, number[m])
			if len(f.Sections[m].Relocs) > 0 {
				b = le.AppendUint32(b, number[m]+1)
			}
		}
		place(uint32(1+i), header{name: sections.add(".group"), typ: 17, link: symtab, info: order[g.Signature], align: 4, entrySize: 4}, b)
	}
	var relocs []byte
	for i := range f.Sections {
		s := &f.Sections[i]
		h := header{name: sections.add(s.Name), typ: s.Type, flags: s.Flags, size: s.Size, align: max(s.Align, 1), entrySize: s.EntrySize}
		if s.Flags&LinkOrder != 0 {
			h.link = number[s.Order]
		}
		place(number[i], h, s.Data)
		if len(s.Relocs) == 0 {
			continue
		}
		relocs = relocs[:0]
		for _, r := range s.Relocs {
			relocs = le.AppendUint64(relocs, r.At)
			relocs = le.AppendUint64(relocs, uint64(order[r.Symbol])<<32|uint64(r.Type))
			relocs = le.AppendUint64(relocs, uint64(r.Add))
		}
		place(number[i]+1, header{name: sections.add(".rela" + s.Name), typ: 4, flags: 0x40 | s.Flags&inGroup, link: symtab,
			info: number[i], align: 8, entrySize: relocSize}, relocs)
	}
	place(symtab, header{name: sections.add(".symtab"), typ: 2, link: strtab, info: locals, align: 8, entrySize: symbolSize}, table)
	place(strtab, header{name: sections.add(".strtab"), typ: 3, align: 1}, names.b)
	if wide != nil {
		place(shstrtab+1, header{name: sections.add(".symtab_shndx"), typ: 18, link: symtab, align: 4, entrySize: 4}, wide)
	}
	place(shstrtab, header{name: sections.add(".shstrtab"), typ: 3, align: 1}, sections.b)
	for len(out)%8 != 0 {
		out = append(out, 0)
	}
	start := len(out)
	if count >= 0xFF00 {
		headers[0].size = uint64(count)
	}
	if shstrtab >= 0xFF00 {
		headers[0].link = shstrtab
	}
	for _, h := range headers {
		out = le.AppendUint32(out, h.name)
		out = le.AppendUint32(out, h.typ)
		out = le.AppendUint64(out, h.flags)
		out = le.AppendUint64(out, 0)
		out = le.AppendUint64(out, h.off)
		out = le.AppendUint64(out, h.size)
		out = le.AppendUint32(out, h.link)
		out = le.AppendUint32(out, h.info)
		out = le.AppendUint64(out, h.align)
		out = le.AppendUint64(out, h.entrySize)
	}
	copy(out, "\x7fELF\x02\x01\x01")
	if slices.ContainsFunc(f.Sections, func(s Section) bool { return s.Flags&Retain != 0 }) {
		const gnu = 3 // whose extension that is
		out[7] = gnu
	}
	le.PutUint16(out[16:], 1)  // relocatable
	le.PutUint16(out[18:], 62) // x86-64
	le.PutUint32(out[20:], 1)
	le.PutUint64(out[40:], uint64(start))
	le.PutUint16(out[52:], headerSize)
	le.PutUint16(out[58:], entrySize)
	if count < 0xFF00 {
		le.PutUint16(out[60:], uint16(count))
	}
	if shstrtab < 0xFF00 {
		le.PutUint16(out[62:], uint16(shstrtab))
	} else {
		le.PutUint16(out[62:], 0xFFFF)
	}
	return out
}

func (f *File) estimate() (n int) {
	for i := range f.Sections {
		n += len(f.Sections[i].Data) + len(f.Sections[i].Relocs)*relocSize + 256
	}
	return n + len(f.Symbols)*64
}

// stringTable has each string once.
type stringTable struct {
	b  []byte
	at map[string]uint32
}

func (t *stringTable) add(s string) uint32 {
	if s == "" {
		return 0
	}
	if n, ok := t.at[s]; ok {
		return n
	}
	n := uint32(len(t.b))
	t.b = append(append(t.b, s...), 0)
	t.at[s] = n
	return n
}

// Text is a table of strings for debug information.
type Text struct{ t stringTable }

// Add returns where s is.
func (t *Text) Add(s string) uint32 {
	if t.t.at == nil {
		t.t.at = map[string]uint32{}
	}
	if n, ok := t.t.at[s]; ok {
		return n
	}
	n := uint32(len(t.t.b))
	t.t.b = append(append(t.t.b, s...), 0)
	t.t.at[s] = n
	return n
}

// Bytes is the table.
func (t *Text) Bytes() []byte { return bytes.Clone(t.t.b) }
