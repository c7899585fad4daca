package debugnames

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// Rewrite replaces the names of directories and files in the debug information of a program by
// what real returns for them. A program without debug information stays as it is.
func Rewrite(program string, real func(name string) string) error {
	f, err := os.OpenFile(program, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	image, err := elf.NewFile(f)
	if err != nil {
		return err
	}
	s := &sections{real: real, strings: map[string]uint32{}}
	for _, part := range []struct {
		name string
		data *[]byte
	}{{".debug_info", &s.info}, {".debug_abbrev", &s.abbrev}, {".debug_line", &s.line}, {".debug_str", &s.str}} {
		section := image.Section(part.name)
		if section == nil {
			return nil
		}
		if *part.data, err = section.Data(); err != nil {
			return err
		}
	}
	if err := s.rewrite(); err != nil {
		return fmt.Errorf("%s: debug information: %w", program, err)
	}
	err = replace(f, image, map[string][]byte{".debug_info": s.info, ".debug_line": s.newLine, ".debug_str": s.str})
	return errors.Join(err, f.Close())
}

// sections are those that have names, or refer to them.
type sections struct {
	info, abbrev, line, str []byte

	newLine []byte
	moved   map[uint32]uint32 // line tables, from line to newLine
	strings map[string]uint32 // what was added to str
	real    func(string) string
}

func (s *sections) rewrite() error {
	if err := s.lineTables(); err != nil {
		return fmt.Errorf("line tables: %w", err)
	}
	for at := 0; at < len(s.info); {
		r := &reader{b: s.info, at: at}
		length := r.u32()
		if next := r.at + int(length); r.bad || length >= longDWARF || next > len(s.info) {
			return fmt.Errorf("a unit at %#x is cut short", at)
		} else if err := s.unit(r); err != nil {
			return fmt.Errorf("the unit at %#x: %w", at, err)
		} else {
			at = next
		}
	}
	return nil
}

// longDWARF is the first of the lengths that announce the 64-bit format.
const longDWARF = 0xFFFFFFF0

// lineTables copies the line tables with their new names.
func (s *sections) lineTables() error {
	s.moved = map[uint32]uint32{}
	s.newLine = make([]byte, 0, len(s.line)+len(s.line)/8)
	for at := 0; at < len(s.line); {
		r := &reader{b: s.line, at: at}
		length := r.u32()
		end := r.at + int(length)
		if r.bad || length >= longDWARF || end > len(s.line) {
			return fmt.Errorf("one at %#x is cut short", at)
		}
		s.moved[uint32(at)] = uint32(len(s.newLine))
		if err := s.lineTable(r, end); err != nil {
			return fmt.Errorf("the one at %#x: %w", at, err)
		}
		at = end
	}
	return nil
}

// lineTable copies the table whose header goes on at r, behind the length.
func (s *sections) lineTable(r *reader, end int) error {
	begin, start := r.at-4, len(s.newLine)
	version := r.u16()
	if version < 2 || version > 4 {
		return fmt.Errorf("version %d is not known", version)
	}
	program := int(r.u32())
	program += r.at
	r.at += 4 // lengths of instructions, what is a statement, base and range of lines
	if version == 4 {
		r.at++ // operations per instruction
	}
	operands := int(r.u8()) - 1
	r.at += operands
	if r.bad || operands < 0 || r.at > program || program > end {
		return errors.New("its header is wrong")
	}
	s.newLine = append(s.newLine, s.line[begin:r.at]...)
	for name := r.str(); name != "" && !r.bad; name = r.str() {
		s.newLine = append(append(s.newLine, s.real(name)...), 0)
	}
	s.newLine = append(s.newLine, 0)
	for name := r.str(); name != "" && !r.bad; name = r.str() {
		s.newLine = append(append(s.newLine, s.real(name)...), 0)
		numbers := r.at
		r.uleb() // directory
		r.uleb() // time
		r.uleb() // size
		s.newLine = append(s.newLine, s.line[numbers:r.at]...)
	}
	s.newLine = append(s.newLine, 0)
	if r.bad || r.at > program {
		return errors.New("its names are cut short")
	}
	table := s.newLine[start:]
	binary.LittleEndian.PutUint32(table[6:], uint32(len(table)-10))
	s.newLine = append(s.newLine, s.line[program:end]...)
	table = s.newLine[start:]
	binary.LittleEndian.PutUint32(table, uint32(len(table)-4))
	return nil
}

// What is read of a unit's description.
const (
	attrStmtList = 0x10
	attrCompDir  = 0x1B

	formStrp      = 0x0E
	formSecOffset = 0x17
)

// unit changes the unit whose header goes on at r: its first entry's line table and directory.
func (s *sections) unit(r *reader) error {
	if version := r.u16(); version != 4 {
		return fmt.Errorf("version %d is not known", version)
	}
	a := &reader{b: s.abbrev, at: int(r.u32())}
	r.u8() // size of addresses
	code := r.uleb()
	for a.uleb() != code {
		a.uleb()
		a.u8()
		for !a.bad && a.uleb()|a.uleb() != 0 {
		}
		if a.bad {
			return fmt.Errorf("no abbreviation %d", code)
		}
	}
	a.uleb() // tag
	a.u8()   // whether there are children
	for {
		attr, form := a.uleb(), a.uleb()
		if attr == 0 && form == 0 || a.bad {
			break
		}
		at := r.at
		if !r.skip(form) {
			return fmt.Errorf("form %#x is not known", form)
		}
		if r.bad {
			break
		}
		field := s.info[at:r.at]
		switch {
		case attr == attrStmtList && form == formSecOffset:
			place, ok := s.moved[binary.LittleEndian.Uint32(field)]
			if !ok {
				return errors.New("it has no line table")
			}
			binary.LittleEndian.PutUint32(field, place)
		case attr == attrCompDir && form == formStrp:
			old := &reader{b: s.str, at: int(binary.LittleEndian.Uint32(field))}
			binary.LittleEndian.PutUint32(field, s.string(old.str(), binary.LittleEndian.Uint32(field)))
			a.bad = a.bad || old.bad
		}
	}
	if a.bad || r.bad {
		return errors.New("it is cut short")
	}
	return nil
}

// string returns the place of the string that stands for the one at a place in .debug_str.
func (s *sections) string(old string, at uint32) uint32 {
	name := s.real(old)
	if name == old {
		return at
	}
	place, ok := s.strings[name]
	if !ok {
		place = uint32(len(s.str))
		s.str = append(append(s.str, name...), 0)
		s.strings[name] = place
	}
	return place
}

// replace gives sections of a program new contents. From the first of those that change their size
// on, all are written anew.
func replace(f *os.File, image *elf.File, contents map[string][]byte) error {
	type section struct {
		*elf.Section
		index int
	}
	var order []section
	first, size := uint64(0), 0 // of what is written anew, at most
	for i, s := range image.Sections {
		data, changed := contents[s.Name]
		size += len(data)
		if s.Flags&elf.SHF_ALLOC == 0 {
			size += int(s.Size + s.Addralign)
		}
		if changed && uint64(len(data)) == s.Size {
			if _, err := f.WriteAt(data, int64(s.Offset)); err != nil {
				return err
			}
		} else if changed && (first == 0 || s.Offset < first) {
			first = s.Offset
		}
		order = append(order, section{s, i})
	}
	if first == 0 {
		return nil
	}
	head, err := readHeader(f)
	if err != nil {
		return err
	}
	headers := make([]byte, len(image.Sections)*int(head.Shentsize))
	if _, err := f.ReadAt(headers, int64(head.Shoff)); err != nil {
		return err
	}
	slices.SortStableFunc(order, func(a, b section) int { return int(a.Offset) - int(b.Offset) })
	var tail bytes.Buffer
	tail.Grow(size + len(headers))
	align := func(n uint64) uint64 {
		for n > 1 && (first+uint64(tail.Len()))%n != 0 {
			tail.WriteByte(0)
		}
		return first + uint64(tail.Len())
	}
	for _, s := range order {
		if s.Offset < first || s.Type == elf.SHT_NULL || s.Type == elf.SHT_NOBITS {
			continue
		}
		if s.Flags&elf.SHF_ALLOC != 0 {
			return fmt.Errorf("section %s is behind debug information", s.Name)
		}
		data, changed := contents[s.Name]
		if !changed {
			if data, err = s.Data(); err != nil {
				return err
			}
		}
		at := align(s.Addralign)
		tail.Write(data)
		header := headers[s.index*int(head.Shentsize):]
		binary.LittleEndian.PutUint64(header[24:], at)                // sh_offset
		binary.LittleEndian.PutUint64(header[32:], uint64(len(data))) // sh_size
	}
	head.Shoff = align(8)
	tail.Write(headers)
	if _, err := f.WriteAt(tail.Bytes(), int64(first)); err != nil {
		return err
	}
	if err := f.Truncate(int64(first) + int64(tail.Len())); err != nil {
		return err
	}
	return binary.Write(io.NewOffsetWriter(f, 0), binary.LittleEndian, head)
}

// readHeader reads the ELF header.
func readHeader(f *os.File) (*elf.Header64, error) {
	head := new(elf.Header64)
	return head, binary.Read(io.NewSectionReader(f, 0, int64(binary.Size(head))), binary.LittleEndian, head)
}
