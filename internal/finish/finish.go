package finish

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"

	"loam/internal/debugnames"
	"loam/internal/symtab"
)

// Options say what becomes of a program.
type Options struct {
	Real        func(name string) string // what a directory or file of debug information is called
	Outlines    [][]byte                 // of the objects (internal/symtab), nil if one has none
	DropSymbols bool                     // no symbol table
	DropDebug   bool                     // no debug information
}

const tableSection = "loam_table"

// VariableSection has the variable that says where the table is.
const VariableSection = "loam_table_at"

// Program finishes the program of that name.
func Program(name string, o Options) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := finish(f, o); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return f.Close()
}

// Table returns the table of functions of a linked program, and the address of the variable that
// says where it is.
func Table(name string, real func(name string) string) (table []byte, variable uint64, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, 0, err
	}
	image, parts, err := read(data)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	s := image.Section(VariableSection)
	if s == nil {
		return nil, 0, fmt.Errorf("%s: section %s is missing", name, VariableSection)
	}
	table, err = tableOf(image, parts, nil, real)
	return table, s.Addr, err
}

// read returns a program and the contents of its sections that are not loaded.
func read(data []byte) (*elf.File, map[string][]byte, error) {
	image, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, nil, err
	}
	parts := map[string][]byte{}
	for _, s := range image.Sections {
		if s.Type != elf.SHT_NOBITS && s.Type != elf.SHT_NULL && s.Flags&elf.SHF_ALLOC == 0 {
			if s.Offset+s.Size > uint64(len(data)) {
				return nil, nil, fmt.Errorf("section %s is cut short", s.Name)
			}
			parts[s.Name] = data[s.Offset : s.Offset+s.Size : s.Offset+s.Size]
		}
	}
	return image, parts, nil
}

func tableOf(image *elf.File, parts map[string][]byte, outlines [][]byte, real func(name string) string) (table []byte, err error) {
	program := symtab.Program{
		Info: parts[".debug_info"], Abbrev: parts[".debug_abbrev"], Line: parts[".debug_line"],
		Str: parts[".debug_str"], Ranges: parts[".debug_ranges"], Frame: parts[".debug_frame"],
		Symbols: parts[".symtab"], Strings: parts[".strtab"], Sections: image.Sections, Real: real,
	}
	if outlines != nil {
		table, err = program.OutlinedTable(outlines)
	} else {
		table, err = program.Table()
	}
	if err != nil {
		return nil, fmt.Errorf("debug information: %w", err)
	}
	return table, nil
}

func finish(f *os.File, o Options) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	// A copy of the pages that are written to.
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
	if err != nil {
		return err
	}
	defer syscall.Munmap(data)
	image, parts, err := read(data)
	if err != nil {
		return err
	}
	table, err := tableOf(image, parts, o.Outlines, o.Real)
	if err != nil {
		return err
	}
	rewritten := !o.DropDebug && debugnames.Known(parts)
	if rewritten {
		starts := debugnames.StartsOf(parts[".debug_frame"])
		if err := debugnames.Rewrite(parts, o.Real); err != nil {
			return err
		}
		if parts[".debug_info"] != nil {
			parts[".debug_info"], parts[".debug_abbrev"], err = debugnames.Entries(parts[".debug_info"], parts[".debug_abbrev"], parts[".debug_str"],
				descriptors(parts[".symtab"], parts[".strtab"]), starts)
			if err != nil {
				return fmt.Errorf("debug information: %w", err)
			}
		}
		if frames := parts[".debug_frame"]; frames != nil {
			parts[".debug_frame"] = debugnames.Frames(frames, starts)
		}
	}
	packed, locals := map[string]bool{}, uint32(0)
	if !o.DropDebug {
		packed = compress(parts)
	}
	if !o.DropSymbols && parts[".symtab"] != nil {
		parts[".symtab"], parts[".strtab"], locals = named(parts[".symtab"], parts[".strtab"])
	}
	w := writer{file: f, data: data, image: image, locals: locals}
	return w.write(table, func(s *elf.Section) (content []byte, compressed, kept bool) {
		switch {
		case o.DropSymbols && (s.Name == ".symtab" || s.Name == ".strtab"),
			o.DropDebug && strings.HasPrefix(s.Name, ".debug_"):
			return nil, false, false
		case rewritten && s.Name == ".debug_aranges": // its units have moved, and debuggers need it not
			return nil, false, false
		}
		return parts[s.Name], packed[s.Name], true
	})
}

// compress compresses the debug information where that saves something, and returns which sections
// it did.
func compress(parts map[string][]byte) map[string]bool {
	var mu sync.Mutex
	var group sync.WaitGroup
	packed := map[string]bool{}
	shorter := map[string][]byte{}
	for name, data := range parts {
		if !strings.HasPrefix(name, ".debug_") || len(data) == 0 {
			continue
		}
		group.Go(func() {
			var b bytes.Buffer
			b.Grow(len(data) / 2)
			binary.Write(&b, binary.LittleEndian, elf.Chdr64{Type: uint32(elf.COMPRESS_ZLIB), Size: uint64(len(data)), Addralign: 1})
			z, _ := zlib.NewWriterLevel(&b, zlib.BestSpeed)
			z.Write(data)
			z.Close()
			if b.Len() < len(data) {
				mu.Lock()
				packed[name], shorter[name] = true, b.Bytes()
				mu.Unlock()
			}
		})
	}
	group.Wait()
	for name, data := range shorter {
		parts[name] = data
	}
	return packed
}

var errNoRoom = errors.New("its program headers have no room for another segment")
