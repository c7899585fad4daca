package archive

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
)

// section is one of the object.
type section struct {
	name   string
	kind   elf.SectionType
	flags  elf.SectionFlag
	align  uint64
	base   uint64 // address in the library
	first  uint64 // from which on addresses are the section's
	data   []byte
	size   uint64
	link   uint32
	info   uint32
	entry  uint64
	symbol uint32 // its own
	number uint32
	relocs bytes.Buffer
}

// object is a relocatable file in the making.
type object struct {
	sections []*section
	locals   []elf.Sym64
	globals  []elf.Sym64
	names    bytes.Buffer
	undef    map[string]uint32 // numbers among globals
}

func newObject() *object {
	o := &object{undef: map[string]uint32{}, locals: make([]elf.Sym64, 1)}
	o.names.WriteByte(0)
	return o
}

// add adds a section with its symbol.
func (o *object) add(s *section) {
	o.sections = append(o.sections, s)
	s.number = uint32(len(o.sections)) // behind the empty one
	s.symbol = o.local(elf.Sym64{Info: elf.ST_INFO(elf.STB_LOCAL, elf.STT_SECTION), Shndx: uint16(s.number)})
}

func (o *object) local(s elf.Sym64) uint32 {
	o.locals = append(o.locals, s)
	return uint32(len(o.locals) - 1)
}

func (o *object) name(name string) uint32 {
	at := o.names.Len()
	o.names.WriteString(name + "\x00")
	return uint32(at)
}

// global marks the numbers of global symbols until all local ones are known.
const global = 1 << 31

// undefined returns the symbol of something that another object has.
func (o *object) undefined(name string) uint32 {
	n, ok := o.undef[name]
	if !ok {
		n = uint32(len(o.globals)) | global
		o.undef[name] = n
		o.globals = append(o.globals, elf.Sym64{Name: o.name(name), Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_NOTYPE)})
	}
	return n
}

// defined adds a symbol that other objects see.
func (o *object) defined(name string, kind elf.SymType, s *section, value, size uint64) {
	o.globals = append(o.globals, elf.Sym64{Name: o.name(name), Info: elf.ST_INFO(elf.STB_GLOBAL, kind), Shndx: uint16(s.number),
		Value: value, Size: size})
}

// relocation is an entry as the file has it.
type relocation struct {
	at     uint64
	kind   elf.R_X86_64
	symbol uint32
	addend int64
}

func (s *section) relocate(r relocation) {
	binary.Write(&s.relocs, binary.LittleEndian, []uint64{r.at, uint64(r.symbol)<<32 | uint64(r.kind), uint64(r.addend)})
}

// bytes lays the file out.
func (o *object) bytes() []byte {
	sections := append([]*section{{}}, o.sections...)
	symtab := uint32(len(sections))
	for _, s := range o.sections {
		symtab += min(1, uint32(s.relocs.Len()))
	}
	for _, s := range o.sections {
		if s.relocs.Len() == 0 {
			continue
		}
		data := s.relocs.Bytes()
		for at := 12; at < len(data); at += 24 { // the symbol's number
			if n := binary.LittleEndian.Uint32(data[at:]); n&global != 0 {
				binary.LittleEndian.PutUint32(data[at:], n&^global+uint32(len(o.locals)))
			}
		}
		sections = append(sections, &section{name: ".rela" + s.name, kind: elf.SHT_RELA, flags: elf.SHF_INFO_LINK, align: 8, data: data,
			link: symtab, info: s.number, entry: 24})
	}
	var symbols, file, names bytes.Buffer
	binary.Write(&symbols, binary.LittleEndian, append(o.locals, o.globals...))
	sections = append(sections, &section{name: ".symtab", kind: elf.SHT_SYMTAB, align: 8, data: symbols.Bytes(), link: symtab + 1,
		info: uint32(len(o.locals)), entry: 24}, &section{name: ".strtab", kind: elf.SHT_STRTAB, align: 1, data: o.names.Bytes()})
	last := &section{name: ".shstrtab", kind: elf.SHT_STRTAB, align: 1}
	sections = append(sections, last)
	headers := make([]elf.Section64, len(sections))
	for i, s := range sections {
		headers[i].Name = uint32(names.Len())
		names.WriteString(s.name + "\x00")
	}
	last.data = names.Bytes()
	file.Write(make([]byte, 64))
	for i, s := range sections {
		for s.align > 1 && uint64(file.Len())%s.align != 0 {
			file.WriteByte(0)
		}
		h := &headers[i]
		h.Type, h.Flags, h.Off, h.Size = uint32(s.kind), uint64(s.flags), uint64(file.Len()), max(s.size, uint64(len(s.data)))
		h.Link, h.Info, h.Addralign, h.Entsize = s.link, s.info, s.align, s.entry
		file.Write(s.data)
	}
	for file.Len()%8 != 0 {
		file.WriteByte(0)
	}
	head := elf.Header64{Type: uint16(elf.ET_REL), Machine: uint16(elf.EM_X86_64), Version: uint32(elf.EV_CURRENT), Shoff: uint64(file.Len()),
		Ehsize: 64, Shentsize: 64, Shnum: uint16(len(headers)), Shstrndx: uint16(len(headers) - 1)}
	copy(head.Ident[:], elf.ELFMAG)
	head.Ident[elf.EI_CLASS], head.Ident[elf.EI_DATA] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB)
	head.Ident[elf.EI_VERSION] = byte(elf.EV_CURRENT)
	binary.Write(&file, binary.LittleEndian, headers)
	out := file.Bytes()
	var first bytes.Buffer
	binary.Write(&first, binary.LittleEndian, head)
	copy(out, first.Bytes())
	return out
}
