package debugnames

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"loam/internal/dwarfdata"
)

// Rewrite replaces the names of directories and files in a program's debug information, its
// sections by name, by what real returns for them. It writes to the sections. A program without
// debug information stays as it is.
func Rewrite(parts map[string][]byte, real func(name string) string) error {
	s := &sections{real: real, strings: map[string]uint32{}}
	for name, data := range map[string]*[]byte{".debug_info": &s.info, ".debug_abbrev": &s.abbrev, ".debug_line": &s.line,
		".debug_str": &s.str} {
		if *data = parts[name]; *data == nil {
			return nil
		}
	}
	s.str = slices.Clip(s.str)
	if err := s.rewrite(); err != nil {
		return fmt.Errorf("debug information: %w", err)
	}
	parts[".debug_info"], parts[".debug_line"], parts[".debug_str"] = s.info, s.newLine, s.str
	return nil
}

// Known reports whether all units and line tables are of versions that this package knows. Those of
// libraries in C may be of others.
func Known(parts map[string][]byte) bool {
	for name, most := range map[string]uint64{".debug_info": 4, ".debug_line": 4} {
		data := parts[name]
		for at := 0; at < len(data); {
			r := &dwarfdata.Reader{B: data, At: at}
			length := r.U32()
			if next := r.At + int(length); r.Bad || length >= longDWARF || next > len(data) || r.U16() > most {
				return false
			} else {
				at = next
			}
		}
	}
	return true
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
		r := &dwarfdata.Reader{B: s.info, At: at}
		length := r.U32()
		if next := r.At + int(length); r.Bad || length >= longDWARF || next > len(s.info) {
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
		r := &dwarfdata.Reader{B: s.line, At: at}
		length := r.U32()
		end := r.At + int(length)
		if r.Bad || length >= longDWARF || end > len(s.line) {
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
func (s *sections) lineTable(r *dwarfdata.Reader, end int) error {
	begin, start := r.At-4, len(s.newLine)
	version := r.U16()
	if version < 2 || version > 4 {
		return fmt.Errorf("version %d is not known", version)
	}
	program := int(r.U32())
	program += r.At
	r.At += 4 // lengths of instructions, what is a statement, base and range of lines
	if version == 4 {
		r.At++ // operations per instruction
	}
	operands := int(r.U8()) - 1
	lengths := r.Take(operands)
	if r.Bad || operands < 0 || r.At > program || program > end {
		return errors.New("its header is wrong")
	}
	s.newLine = append(s.newLine, s.line[begin:r.At]...)
	for name := r.Str(); name != "" && !r.Bad; name = r.Str() {
		s.newLine = append(append(s.newLine, s.real(name)...), 0)
	}
	s.newLine = append(s.newLine, 0)
	for name := r.Str(); name != "" && !r.Bad; name = r.Str() {
		s.newLine = append(append(s.newLine, s.real(name)...), 0)
		numbers := r.At
		r.Uleb() // directory
		r.Uleb() // time
		r.Uleb() // size
		s.newLine = append(s.newLine, s.line[numbers:r.At]...)
	}
	s.newLine = append(s.newLine, 0)
	if r.Bad || r.At > program {
		return errors.New("its names are cut short")
	}
	table := s.newLine[start:]
	binary.LittleEndian.PutUint32(table[6:], uint32(len(table)-10))
	s.newLine = appendSequences(s.newLine, s.line[program:end], lengths)
	table = s.newLine[start:]
	binary.LittleEndian.PutUint32(table, uint32(len(table)-4))
	return nil
}

// unit changes the unit whose header goes on at r: its first entry's line table and directory.
func (s *sections) unit(r *dwarfdata.Reader) error {
	if version := r.U16(); version != 4 {
		return fmt.Errorf("version %d is not known", version)
	}
	a := &dwarfdata.Reader{B: s.abbrev, At: int(r.U32())}
	r.U8() // size of addresses
	code := r.Uleb()
	for a.Uleb() != code {
		a.Uleb()
		a.U8()
		for !a.Bad && a.Uleb()|a.Uleb() != 0 {
		}
		if a.Bad {
			return fmt.Errorf("no abbreviation %d", code)
		}
	}
	a.Uleb() // tag
	a.U8()   // whether there are children
	for {
		attr, form := a.Uleb(), a.Uleb()
		if attr == 0 && form == 0 || a.Bad {
			break
		}
		at := r.At
		if !r.Skip(form) {
			return fmt.Errorf("form %#x is not known", form)
		}
		if r.Bad {
			break
		}
		field := s.info[at:r.At]
		switch {
		case attr == dwarfdata.AttrStmtList && form == dwarfdata.FormSecOffset:
			place, ok := s.moved[binary.LittleEndian.Uint32(field)]
			if !ok {
				return errors.New("it has no line table")
			}
			binary.LittleEndian.PutUint32(field, place)
		case attr == dwarfdata.AttrCompDir && form == dwarfdata.FormStrp:
			old := &dwarfdata.Reader{B: s.str, At: int(binary.LittleEndian.Uint32(field))}
			binary.LittleEndian.PutUint32(field, s.string(old.Str(), binary.LittleEndian.Uint32(field)))
			a.Bad = a.Bad || old.Bad
		}
	}
	if a.Bad || r.Bad {
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
