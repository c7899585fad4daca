package finish

import (
	"bytes"
	"debug/elf"
	"encoding/binary"

	"loam/internal/reach"
)

// named returns the symbol table of what users have given names, with these names, and how many
// symbols at its beginning are local. Descriptors of types, tables of methods and source files are
// left out: their names are a third of the table, and nobody asks for them.
func named(symbols, names []byte) (kept, text []byte, locals uint32) {
	const size, local = 24, 0
	place := map[uint32]uint32{0: 0}
	text = append(make([]byte, 0, len(names)), 0)
	kept = make([]byte, 0, len(symbols))
	for ; len(symbols) >= size; symbols = symbols[size:] {
		at := binary.LittleEndian.Uint32(symbols)
		name := names[min(int(at), len(names)):]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end+1]
		}
		if elf.SymType(symbols[4]&15) == elf.STT_FILE || bytes.HasPrefix(name, []byte("type:")) ||
			bytes.HasPrefix(name, []byte("itab:")) || reach.IsMethod(string(name)) {
			continue
		}
		if symbols[4]>>4 == local {
			locals++
		}
		kept = append(kept, symbols[:size]...)
		if _, ok := place[at]; !ok {
			place[at] = uint32(len(text))
			text = append(text, name...)
		}
		binary.LittleEndian.PutUint32(kept[len(kept)-size:], place[at])
	}
	return kept, text, locals
}

// descriptors returns the addresses of type descriptors by their symbols.
func descriptors(symbols, names []byte) map[string]uint64 {
	const size = 24
	all := map[string]uint64{}
	for ; len(symbols) >= size; symbols = symbols[size:] {
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
