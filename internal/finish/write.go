package finish

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
)

// writer writes what lies behind the loaded part of a program's file.
type writer struct {
	file  *os.File
	data  []byte // the file as it was
	image *elf.File

	locals uint32 // how many local symbols there are
	start  uint64 // of what is written
	tail   bytes.Buffer
}

const pageSize = 4096

// align fills up to a multiple of n, and returns the place in the file.
func (w *writer) align(n uint64) uint64 {
	for n > 1 && (w.start+uint64(w.tail.Len()))%n != 0 {
		w.tail.WriteByte(0)
	}
	return w.start + uint64(w.tail.Len())
}

// header is a section's, with its name and its contents if they are written.
type header struct {
	elf.Section64
	name string
	data []byte
}

// write puts table into a segment of its own. Part says what becomes of a section that is not
// loaded.
func (w *writer) write(table []byte, part func(*elf.Section) (content []byte, compressed, kept bool)) error {
	var head elf.Header64
	if err := binary.Read(bytes.NewReader(w.data), binary.LittleEndian, &head); err != nil {
		return err
	}
	free, high := -1, uint64(0)
	for i, p := range w.image.Progs {
		switch p.Type {
		case elf.PT_LOAD:
			w.start = max(w.start, p.Off+p.Filesz)
			high = max(high, p.Vaddr+p.Memsz)
		case elf.PT_GNU_RELRO:
			free = i
		}
	}
	if free < 0 {
		return errNoRoom
	}
	place := w.align(16)
	address := (high+pageSize-1)/pageSize*pageSize + place%pageSize
	w.tail.Write(table)

	headers, err := w.headers(&head, part)
	if err != nil {
		return err
	}
	size := uint64(len(table))
	headers = slices.Insert(headers, w.loaded(), header{name: tableSection, Section64: elf.Section64{
		Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC), Addr: address, Off: place, Size: size, Addralign: 16,
	}})
	w.sections(&head, headers)
	if err := w.tellTable(address, size); err != nil {
		return err
	}
	segment := elf.Prog64{
		Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R), Off: place,
		Vaddr: address, Paddr: address, Filesz: size, Memsz: size, Align: pageSize,
	}
	if err := w.put(segment, head.Phoff+uint64(free)*uint64(head.Phentsize)); err != nil {
		return err
	}
	if _, err := w.file.WriteAt(w.tail.Bytes(), int64(w.start)); err != nil {
		return err
	}
	if err := w.file.Truncate(int64(w.start) + int64(w.tail.Len())); err != nil {
		return err
	}
	return w.put(head, 0)
}

// loaded is the number of sections, from the first one on, that are loaded.
func (w *writer) loaded() int {
	n := 0
	for i, s := range w.image.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 {
			n = i + 1
		}
	}
	return n
}

// headers reads the section headers that are kept.
func (w *writer) headers(head *elf.Header64, part func(*elf.Section) ([]byte, bool, bool)) ([]header, error) {
	number := make([]uint32, len(w.image.Sections)) // the new ones
	var list []header
	for i, s := range w.image.Sections {
		h := header{name: s.Name}
		at := head.Shoff + uint64(i)*uint64(head.Shentsize)
		if err := binary.Read(bytes.NewReader(w.data[at:]), binary.LittleEndian, &h.Section64); err != nil {
			return nil, err
		}
		if s.Flags&elf.SHF_ALLOC == 0 && s.Type != elf.SHT_NULL && s.Type != elf.SHT_NOBITS {
			if i < w.loaded() {
				return nil, fmt.Errorf("section %s is in front of one that is loaded", s.Name)
			}
			data, compressed, kept := part(s)
			if !kept {
				continue
			}
			h.data = data
			if s.Type == elf.SHT_SYMTAB {
				h.Info = w.locals
			}
			if compressed {
				h.Flags |= uint64(elf.SHF_COMPRESSED)
				h.Addralign = 8
			}
		}
		number[i] = uint32(len(list))
		if i >= w.loaded() {
			number[i]++ // the table's comes before
		}
		list = append(list, h)
	}
	for i := range list {
		if link := list[i].Link; link != 0 && int(link) < len(number) {
			list[i].Link = number[link]
		}
	}
	return list, nil
}

// sections writes the contents of sections that are not loaded, and all headers.
func (w *writer) sections(head *elf.Header64, list []header) {
	var names bytes.Buffer
	names.WriteByte(0)
	for i := range list {
		if list[i].name != "" {
			list[i].Name = uint32(names.Len())
			names.WriteString(list[i].name + "\x00")
		}
	}
	for i := range list {
		h := &list[i]
		if h.name == ".shstrtab" {
			h.data = names.Bytes()
			head.Shstrndx = uint16(i)
		}
		if h.data != nil {
			h.Off, h.Size = w.align(h.Addralign), uint64(len(h.data))
			w.tail.Write(h.data)
		}
	}
	head.Shoff, head.Shnum = w.align(8), uint16(len(list))
	for i := range list {
		binary.Write(&w.tail, binary.LittleEndian, &list[i].Section64)
	}
}

// tellTable sets the variable that says where the table is.
func (w *writer) tellTable(address, size uint64) error {
	s := w.image.Section(VariableSection)
	if s == nil || s.Size != 16 {
		return fmt.Errorf("section %s is missing", VariableSection)
	}
	return w.put([2]uint64{address, size}, s.Offset)
}

// put writes a value to the file.
func (w *writer) put(v any, at uint64) error {
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, v)
	_, err := w.file.WriteAt(b.Bytes(), int64(at))
	return err
}
