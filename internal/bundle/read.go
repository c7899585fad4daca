package bundle

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// A file is an object. Slices are parts of its data.
type file struct {
	data     []byte
	sections []section
	symbols  []symbol
	locals   int // how many symbols, from the first, are local
}

type section struct {
	elf.Section64
	name    string
	content []byte
	group   *group
	rela    int   // the section with its relocations, 0 if it has none
	linked  []int // sections of link order that belong to it
	kept    bool
	gone    bool // it is of a group that came before
	number  int  // in the bundle
}

type symbol struct {
	elf.Sym64
	name   string
	global *global // nil if it is local
	number int     // of a local one, in the bundle
}

// A group is sections that are kept together. Of those that count once, the first of a name does.
type group struct {
	name    string
	once    bool
	members []int
}

const (
	headerSize, sectionSize, symbolSize, relaSize = 64, 64, 24, 24

	typeGroup   = 17
	typeAddrsig = 0x6fff4c03 // LLVM's: which symbols' addresses count; nobody asks
	flagRetain  = 0x200000
	flagExclude = 0x80000000
	countsOnce  = 1 // a group's first word, which is 0 otherwise
	splitStack  = ".note.GNU-split-stack"
	alloc       = uint64(elf.SHF_ALLOC)
	knownFlags  = alloc | flagRetain | uint64(elf.SHF_WRITE|elf.SHF_EXECINSTR|elf.SHF_MERGE|elf.SHF_STRINGS|
		elf.SHF_INFO_LINK|elf.SHF_LINK_ORDER|elf.SHF_GROUP|elf.SHF_TLS)
	maxAlign         = 64 << 10
	maxSections      = int(elf.SHN_LORESERVE) - 1
	reservedSections = int(elf.SHN_LORESERVE)
)

var errForm = errors.New("an object has another form")

func unknown(what string, args ...any) error {
	return fmt.Errorf("an object has %s", fmt.Sprintf(what, args...))
}

// read reads an object.
func read(data []byte) (*file, error) {
	var head elf.Header64
	if len(data) < headerSize || !bytes.HasPrefix(data, []byte(elf.ELFMAG+"\x02\x01")) {
		return nil, errForm
	}
	binary.Read(bytes.NewReader(data), binary.LittleEndian, &head)
	if head.Type != uint16(elf.ET_REL) || head.Machine != uint16(elf.EM_X86_64) || head.Shentsize != sectionSize {
		return nil, errForm
	}
	o := &file{data: data}
	part := func(at, size uint64) ([]byte, error) {
		if at > uint64(len(data)) || size > uint64(len(data))-at {
			return nil, errForm
		}
		return data[at : at+size : at+size], nil
	}
	count, names := int(head.Shnum), int(head.Shstrndx)
	if count == 0 { // the first section has it
		first, err := part(head.Shoff, sectionSize)
		if err != nil {
			return nil, err
		}
		count = int(binary.LittleEndian.Uint64(first[32:]))
		if names == int(elf.SHN_XINDEX) {
			names = int(binary.LittleEndian.Uint32(first[40:]))
		}
	}
	if count <= 0 || count >= reservedSections || names >= count {
		return nil, unknown("%d sections", count)
	}
	table, err := part(head.Shoff, uint64(count)*sectionSize)
	if err != nil {
		return nil, err
	}
	o.sections = make([]section, count)
	for i := range o.sections {
		s := &o.sections[i]
		readSection(&s.Section64, table[i*sectionSize:])
		if s.Type != uint32(elf.SHT_NOBITS) && s.Type != uint32(elf.SHT_NULL) {
			if s.content, err = part(s.Off, s.Size); err != nil {
				return nil, err
			}
		}
	}
	for i := range o.sections {
		s := &o.sections[i]
		if s.name, err = text(o.sections[names].content, s.Name); err != nil {
			return nil, err
		}
	}
	return o, o.readSymbols()
}

func readSection(s *elf.Section64, b []byte) {
	le := binary.LittleEndian
	*s = elf.Section64{
		Name: le.Uint32(b), Type: le.Uint32(b[4:]), Flags: le.Uint64(b[8:]), Addr: le.Uint64(b[16:]), Off: le.Uint64(b[24:]),
		Size: le.Uint64(b[32:]), Link: le.Uint32(b[40:]), Info: le.Uint32(b[44:]), Addralign: le.Uint64(b[48:]), Entsize: le.Uint64(b[56:]),
	}
}

// text returns the string at a place of a table.
func text(table []byte, at uint32) (string, error) {
	if uint64(at) >= uint64(len(table)) {
		if at == 0 {
			return "", nil
		}
		return "", errForm
	}
	end := bytes.IndexByte(table[at:], 0)
	if end < 0 {
		return "", errForm
	}
	return string(table[at : int(at)+end]), nil
}

func (o *file) readSymbols() error {
	for i := range o.sections {
		s := &o.sections[i]
		if s.Type != uint32(elf.SHT_SYMTAB) {
			continue
		}
		if o.symbols != nil || int(s.Link) >= len(o.sections) || s.Entsize != symbolSize || len(s.content)%symbolSize != 0 {
			return errForm
		}
		o.symbols = make([]symbol, len(s.content)/symbolSize)
		o.locals = int(s.Info)
		if o.locals > len(o.symbols) {
			return errForm
		}
		names := o.sections[s.Link].content
		for k := range o.symbols {
			y, b := &o.symbols[k], s.content[k*symbolSize:]
			le := binary.LittleEndian
			y.Sym64 = elf.Sym64{
				Name: le.Uint32(b), Info: b[4], Other: b[5], Shndx: le.Uint16(b[6:]), Value: le.Uint64(b[8:]), Size: le.Uint64(b[16:]),
			}
			var err error
			if y.name, err = text(names, y.Name); err != nil {
				return err
			}
			switch {
			case int(y.Shndx) >= len(o.sections) && y.Shndx != uint16(elf.SHN_ABS):
				return unknown("symbol %s in section %#x", y.name, y.Shndx)
			case k >= o.locals && (y.bind() == elf.STB_LOCAL || y.name == ""), k < o.locals && y.bind() != elf.STB_LOCAL:
				return errForm
			case k >= o.locals && y.bind() != elf.STB_GLOBAL && y.bind() != elf.STB_WEAK:
				return unknown("symbol %s of binding %v", y.name, y.bind())
			}
		}
	}
	return nil
}

func (y *symbol) bind() elf.SymBind { return elf.ST_BIND(y.Info) }

// defined reports whether the symbol is of a section.
func (y *symbol) defined() bool { return y.Shndx != 0 && y.Shndx != uint16(elf.SHN_ABS) }

// relate finds which sections belong together.
func (o *file) relate() error {
	note := false
	for i := range o.sections {
		s := &o.sections[i]
		if s.Type != uint32(elf.SHT_NULL) && s.Flags&^(knownFlags|flagExclude) != 0 {
			return unknown("section %s with flags %#x", s.name, s.Flags)
		}
		if s.Addralign > maxAlign {
			return unknown("section %s aligned to %d bytes", s.name, s.Addralign)
		}
		switch elf.SectionType(s.Type) {
		case elf.SHT_NULL, elf.SHT_SYMTAB, elf.SHT_STRTAB, elf.SHT_NOBITS, typeAddrsig, elf.SHT_INIT_ARRAY, elf.SHT_FINI_ARRAY:
		case elf.SHT_PROGBITS:
			note = note || s.name == splitStack
			if strings.HasPrefix(s.name, ".note.") && !isStackNote(s.name) || s.name == ".eh_frame" {
				return unknown("section %s", s.name)
			}
		case elf.SHT_RELA:
			if int(s.Info) >= len(o.sections) || s.Entsize != relaSize || len(s.content)%relaSize != 0 || o.sections[s.Info].rela != 0 {
				return errForm
			}
			o.sections[s.Info].rela = i
		case typeGroup:
			if err := o.readGroup(s); err != nil {
				return err
			}
		default:
			return unknown("section %s of type %#x", s.name, s.Type)
		}
		if s.Flags&uint64(elf.SHF_LINK_ORDER) != 0 {
			if int(s.Link) >= len(o.sections) {
				return errForm
			}
			to := &o.sections[s.Link]
			to.linked = append(to.linked, i)
		}
	}
	if !note {
		return unknown("no %s", splitStack)
	}
	return nil
}

// isStackNote tells of sections that say something of all functions of an object. As long as all
// objects have splitStack it makes no difference which functions do without.
func isStackNote(name string) bool {
	return name == splitStack || name == ".note.GNU-no-split-stack" || name == ".note.GNU-stack"
}

func (o *file) readGroup(s *section) error {
	if len(s.content) < 4 || len(s.content)%4 != 0 || int(s.Info) >= len(o.symbols) {
		return errForm
	}
	kind := binary.LittleEndian.Uint32(s.content)
	if kind&^countsOnce != 0 {
		return unknown("a group of kind %#x", kind)
	}
	g := &group{name: o.symbols[s.Info].name, once: kind == countsOnce}
	if g.name == "" {
		return unknown("a group without a name")
	}
	for b := s.content[4:]; len(b) > 0; b = b[4:] {
		n := int(binary.LittleEndian.Uint32(b))
		if n == 0 || n >= len(o.sections) || o.sections[n].group != nil {
			return errForm
		}
		o.sections[n].group = g
		g.members = append(g.members, n)
	}
	s.group = g
	return nil
}
