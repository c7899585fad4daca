package archive

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// Archive returns an archive with one object, and the index by which linkers find its symbols.
func Archive(name string, object []byte) ([]byte, error) {
	f, err := elf.NewFile(bytes.NewReader(object))
	if err != nil {
		return nil, err
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	var names bytes.Buffer
	count := uint32(0)
	for _, s := range symbols {
		if elf.ST_BIND(s.Info) == elf.STB_GLOBAL && s.Section != elf.SHN_UNDEF {
			names.WriteString(s.Name + "\x00")
			count++
		}
	}
	if names.Len()%2 != 0 {
		names.WriteByte(0)
	}
	const magic = "!<arch>\n"
	const headSize = 60
	size := 4 + 4*int(count) + names.Len()
	var b bytes.Buffer
	head := func(name string, size int) {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", name, 0, 0, 0, 0o644, size)
	}
	b.WriteString(magic)
	head("/", size)
	places := make([]uint32, count+1)
	places[0] = count
	for i := range places[1:] {
		places[i+1] = uint32(len(magic) + headSize + size)
	}
	binary.Write(&b, binary.BigEndian, places)
	b.Write(names.Bytes())
	head(name+"/", len(object))
	b.Write(object)
	if b.Len()%2 != 0 {
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}
