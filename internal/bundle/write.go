package bundle

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"sort"
	"strings"
)

// Make makes a bundle of objects, which are linked in that order. The rest of the program needs the
// names. Sections whose names are in drop are left out. Left are the names, as Lacks reads them,
// that a program must not have which is linked of the bundle.
func Make(objects [][]byte, names []string, drop map[string]bool) (bundle, left []byte, err error) {
	m := &maker{named: map[string]*global{}, drop: drop}
	for _, data := range objects {
		o, err := read(data)
		if err == nil {
			err = o.relate()
		}
		if err != nil {
			return nil, nil, err
		}
		m.objects = append(m.objects, o)
	}
	if err := m.collect(); err != nil {
		return nil, nil, err
	}
	m.mark(names)
	w := &writer{maker: m}
	if bundle, err = w.write(); err != nil {
		return nil, nil, err
	}
	return bundle, m.left(), nil
}

// groupMark is in front of the names of groups.
const groupMark = "group "

// Names returns the names that an object has in common with others.
func Names(data []byte) (names []string, err error) {
	o, err := read(data)
	if err != nil {
		return nil, err
	}
	for i := o.locals; i < len(o.symbols); i++ {
		names = append(names, o.symbols[i].name)
	}
	for i := range o.sections {
		if s := &o.sections[i]; s.Type == typeGroup && int(s.Info) < len(o.symbols) {
			names = append(names, groupMark+o.symbols[s.Info].name)
		}
	}
	return names, nil
}

// Lacks reports whether a bundle with those names left out may lack the name.
func Lacks(left []byte, name string) bool {
	h, n := hash(name), len(left)/hashSize
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(left[i*hashSize:]) }
	i := sort.Search(n, func(i int) bool { return at(i) >= h })
	return i < n && at(i) == h
}

const hashSize = 8

func hash(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// left are the names of what is defined in what was left out.
func (m *maker) left() []byte {
	var list []uint64
	for _, g := range m.globals {
		if g.definition != nil && !g.definition.where().kept {
			list = append(list, hash(g.name))
		}
	}
	for _, o := range m.objects {
		for i := range o.sections {
			if s := &o.sections[i]; s.Type == typeGroup && s.group.once && !s.gone && s.number == 0 {
				list = append(list, hash(groupMark+s.group.name))
			}
		}
	}
	slices.Sort(list)
	var b []byte
	for _, h := range slices.Compact(list) {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return b
}

// where is the section that has the definition.
func (d *definition) where() *section { return &d.object.sections[d.section] }

// writer writes a bundle.
type writer struct {
	*maker
	list    []written
	symbols []byte
	strings table
	notes   map[string]bool
}

// written is a section of the bundle.
type written struct {
	*section
	object *file
	from   int // the section in the object
}

// table is a table of strings.
type table struct {
	b     []byte
	place map[string]uint32
}

func (t *table) add(s string) uint32 {
	if t.place == nil {
		t.place, t.b = map[string]uint32{"": 0}, []byte{0}
	}
	at, ok := t.place[s]
	if !ok {
		at = uint32(len(t.b))
		t.place[s] = at
		t.b = append(append(t.b, s...), 0)
	}
	return at
}

// choose numbers the sections that are written.
func (w *writer) choose() error {
	w.notes = map[string]bool{}
	add := func(o *file, i int) {
		s := &o.sections[i]
		w.list = append(w.list, written{s, o, i})
		s.number = len(w.list)
	}
	for _, o := range w.objects {
		for i := range o.sections {
			s := &o.sections[i]
			switch {
			case s.gone || s.Flags&flagExclude != 0 || w.drop[s.name]:
				continue
			case s.Type == typeGroup:
				if slices.ContainsFunc(s.group.members, func(k int) bool { return o.sections[k].kept }) {
					add(o, i)
				}
				continue
			case !s.kept:
				continue
			}
			switch elf.SectionType(s.Type) {
			case elf.SHT_NULL, elf.SHT_SYMTAB, elf.SHT_STRTAB, elf.SHT_RELA, typeAddrsig:
				continue
			}
			if isStackNote(s.name) {
				if w.notes[s.name] {
					continue
				}
				w.notes[s.name] = true
			}
			add(o, i)
			if s.rela != 0 {
				add(o, s.rela)
			}
		}
	}
	if n := len(w.list) + 4; n > maxSections {
		return unknown("%d sections", n)
	}
	return nil
}

// symbol appends a symbol, and returns its number.
func (w *writer) symbol(name string, y elf.Sym64) int {
	n := len(w.symbols) / symbolSize
	y.Name = w.strings.add(name)
	b := binary.LittleEndian.AppendUint32(w.symbols, y.Name)
	b = append(b, y.Info, y.Other)
	b = binary.LittleEndian.AppendUint16(b, y.Shndx)
	b = binary.LittleEndian.AppendUint64(b, y.Value)
	w.symbols = binary.LittleEndian.AppendUint64(b, y.Size)
	return n
}

// number writes the symbols, and returns how many are local.
func (w *writer) number() (locals int) {
	w.symbol("", elf.Sym64{})
	for _, o := range w.objects {
		for i := 1; i < o.locals; i++ {
			y := &o.symbols[i]
			sym := y.Sym64
			switch {
			case y.defined():
				n := o.sections[y.Shndx].number
				if n == 0 {
					continue
				}
				sym.Shndx = uint16(n)
			case y.Shndx == 0 || elf.ST_TYPE(y.Info) == elf.STT_FILE:
				continue
			}
			y.number = w.symbol(y.name, sym)
		}
	}
	locals = len(w.symbols) / symbolSize
	for _, g := range w.globals {
		sym := elf.Sym64{Info: byte(elf.STB_WEAK)<<4 | g.typ, Other: g.visibility}
		if d := g.definition; d != nil {
			n := d.where().number
			if n == 0 {
				continue
			}
			sym = d.symbol.Sym64
			sym.Shndx, sym.Other = uint16(n), sym.Other&^3|g.visibility
		} else if g.strong {
			sym.Info = byte(elf.STB_GLOBAL)<<4 | g.typ
		}
		g.number = w.symbol(g.name, sym)
	}
	return locals
}

// write writes the bundle.
func (w *writer) write() ([]byte, error) {
	if err := w.choose(); err != nil {
		return nil, err
	}
	locals := w.number()
	var names table
	out := make([]byte, headerSize)
	headers := make([]elf.Section64, 1, len(w.list)+4)
	symtab := uint32(len(w.list) + 1)
	for _, s := range w.list {
		h := s.Section64
		h.Name = names.add(s.name)
		content, err := s.content, error(nil)
		switch {
		case s.Type == typeGroup:
			if h.Info, err = w.signature(s); err != nil {
				return nil, err
			}
			h.Link, content = symtab, w.members(s)
		case s.Type == uint32(elf.SHT_RELA):
			h.Link, h.Info = symtab, uint32(s.object.sections[s.Info].number)
			if content, err = w.relocations(s, out); err != nil {
				return nil, err
			}
		case h.Flags&uint64(elf.SHF_LINK_ORDER) != 0:
			h.Link = uint32(s.object.sections[s.Link].number)
		}
		out = align(out, max(h.Addralign, 1))
		h.Off = uint64(len(out))
		if s.Type != uint32(elf.SHT_NOBITS) {
			h.Size = uint64(len(content))
			out = append(out, content...)
		}
		s.section.Off = h.Off // where its relocations find it
		headers = append(headers, h)
	}
	add := func(name string, h elf.Section64, content []byte) {
		h.Name = names.add(name)
		out = align(out, h.Addralign)
		h.Off, h.Size = uint64(len(out)), uint64(len(content))
		out = append(out, content...)
		headers = append(headers, h)
	}
	add(".symtab", elf.Section64{Type: uint32(elf.SHT_SYMTAB), Link: symtab + 1, Info: uint32(locals), Addralign: 8, Entsize: symbolSize}, w.symbols)
	add(".strtab", elf.Section64{Type: uint32(elf.SHT_STRTAB), Addralign: 1}, w.strings.b)
	names.add(".shstrtab")
	add(".shstrtab", elf.Section64{Type: uint32(elf.SHT_STRTAB), Addralign: 1}, names.b)
	out = align(out, 8)
	head := elf.Header64{
		Type: uint16(elf.ET_REL), Machine: uint16(elf.EM_X86_64), Version: 1, Shoff: uint64(len(out)), Ehsize: headerSize,
		Shentsize: sectionSize, Shnum: uint16(len(headers)), Shstrndx: uint16(len(headers) - 1),
	}
	copy(head.Ident[:], elf.ELFMAG+"\x02\x01\x01")
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, &head)
	copy(out, b.Bytes())
	for i := range headers {
		out = appendHeader(out, &headers[i])
	}
	return out, nil
}

func align(b []byte, n uint64) []byte {
	for uint64(len(b))%n != 0 {
		b = append(b, 0)
	}
	return b
}

func appendHeader(b []byte, h *elf.Section64) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(le.AppendUint32(b, h.Name), h.Type)
	b = le.AppendUint64(le.AppendUint64(le.AppendUint64(le.AppendUint64(b, h.Flags), h.Addr), h.Off), h.Size)
	b = le.AppendUint32(le.AppendUint32(b, h.Link), h.Info)
	return le.AppendUint64(le.AppendUint64(b, h.Addralign), h.Entsize)
}

// signature is the symbol that a group has its name from.
func (w *writer) signature(s written) (number uint32, err error) {
	y := &s.object.symbols[s.Info]
	n := y.number
	if y.global != nil {
		n = y.global.number
	}
	if n == 0 {
		return 0, unknown("group %s without the symbol", y.name)
	}
	return uint32(n), nil
}

// members are the sections of a group that are kept.
func (w *writer) members(s written) []byte {
	b := slices.Clone(s.content[:4])
	for _, k := range s.group.members {
		if n := s.object.sections[k].number; n != 0 {
			b = binary.LittleEndian.AppendUint32(b, uint32(n))
		}
	}
	return b
}

// relocations are those of a section, whose contents are in out.
func (w *writer) relocations(s written, out []byte) ([]byte, error) {
	to := &s.object.sections[s.Info]
	list := make([]byte, 0, len(s.content))
	for b := s.content; len(b) > 0; b = b[relaSize:] {
		typ, n := binary.LittleEndian.Uint32(b[8:]), int(binary.LittleEndian.Uint32(b[12:]))
		if n >= len(s.object.symbols) {
			return nil, errForm
		}
		y := &s.object.symbols[n]
		number := y.number
		if y.global != nil {
			number = y.global.number
		}
		if n != 0 && number == 0 {
			at := binary.LittleEndian.Uint64(b)
			if isCode(to) || !strings.HasPrefix(to.name, ".debug_") || typ != uint32(elf.R_X86_64_64) || at > to.Size || to.Size-at < 8 {
				return nil, unknown("a reference from %s to %s", to.name, y.name)
			}
			binary.LittleEndian.PutUint64(out[to.Off+at:], dead(to.name))
			continue
		}
		list = append(list, b[:relaSize]...)
		binary.LittleEndian.PutUint32(list[len(list)-relaSize+12:], uint32(number))
	}
	return list, nil
}

// dead is what the linker writes into debug information for the address of what is not in a
// program.
func dead(section string) uint64 {
	if section == ".debug_ranges" || section == ".debug_loc" {
		return 1 // 0 would end the list
	}
	return 0
}
