package finish

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"slices"

	"loam/internal/reach"
)

// named returns the symbol table of what users have given names, with these names, and how many
// symbols at its beginning are local. Descriptors of types, tables of methods and source files are
// left out: their names are a third of the table, and nobody asks for them. The linker has local
// symbols in the order of the objects that they come from. Here it is that of their addresses, so
// that it makes no difference whether some objects have become one (internal/bundle).
func named(symbols, names []byte) (kept, text []byte, locals uint32) {
	const local = 0
	var list []entry
	for ; len(symbols) >= symbolSize; symbols = symbols[symbolSize:] {
		e := entry{symbols[:symbolSize], names[min(int(binary.LittleEndian.Uint32(symbols)), len(names)):]}
		if end := bytes.IndexByte(e.name, 0); end >= 0 {
			e.name = e.name[:end+1]
		}
		if elf.SymType(symbols[4]&15) == elf.STT_FILE || bytes.HasPrefix(e.name, []byte("type:")) ||
			bytes.HasPrefix(e.name, []byte("itab:")) || reach.IsMethod(string(e.name)) {
			continue
		}
		if symbols[4]>>4 == local {
			locals++
		}
		list = append(list, e)
	}
	slices.SortFunc(list[min(1, locals):locals], entry.compare) // the first one is none
	place := map[string]uint32{"\x00": 0}
	text = append(make([]byte, 0, len(names)), 0)
	for _, e := range list {
		at, ok := place[string(e.name)]
		if !ok {
			at = uint32(len(text))
			place[string(e.name)] = at
			text = append(text, e.name...)
		}
		kept = append(binary.LittleEndian.AppendUint32(kept, at), e.symbol[4:]...)
	}
	return kept, text, locals
}

const symbolSize = 24

// An entry is a symbol's, with its name and the zero behind that.
type entry struct{ symbol, name []byte }

// compare orders symbols by section, address, size and name.
func (e entry) compare(f entry) int {
	section := func(e entry) uint16 { return binary.LittleEndian.Uint16(e.symbol[6:]) }
	word := func(e entry, at int) uint64 { return binary.LittleEndian.Uint64(e.symbol[at:]) }
	return cmp.Or(cmp.Compare(section(e), section(f)), cmp.Compare(word(e, 8), word(f, 8)), cmp.Compare(word(e, 16), word(f, 16)),
		bytes.Compare(e.name, f.name), bytes.Compare(e.symbol[4:6], f.symbol[4:6]))
}

// descriptors returns the addresses of type descriptors by their symbols.
func descriptors(symbols, names []byte) map[string]uint64 {
	all := map[string]uint64{}
	for ; len(symbols) >= symbolSize; symbols = symbols[symbolSize:] {
		name := names[min(int(binary.LittleEndian.Uint32(symbols)), len(names)):]
		if !bytes.HasPrefix(name, []byte("type:")) {
			continue
		}
		if end := bytes.IndexByte(name, 0); end >= 0 {
			all[string(name[:end])] = binary.LittleEndian.Uint64(symbols[8:])
		}
	}
	return all
}
