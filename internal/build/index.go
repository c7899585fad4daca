package build

import (
	"encoding/binary"
	"errors"
)

// indexFile is the index in the cache directory.
const indexFile = "index3"

// indexHeader names the format of the index file: after it come the files (name, size, time, hash)
// and the tools (file, id), each list after its length. Numbers are varints, strings follow their
// lengths. Every build reads all of it and most write it, so it is not left to reflection.
const indexHeader = "loam index 1\n"

// encodeIndex writes what the cache keeps of source files and tools.
func encodeIndex(files map[string]fileStamp, tools map[string]string) []byte {
	b := []byte(indexHeader)
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	b = binary.AppendUvarint(b, uint64(len(files)))
	for name, f := range files {
		text(name)
		b = binary.AppendVarint(b, f.Size)
		b = binary.AppendVarint(b, f.ModTime)
		b = append(b, f.Hash[:]...)
	}
	b = binary.AppendUvarint(b, uint64(len(tools)))
	for id, version := range tools {
		text(id)
		text(version)
	}
	return b
}

var errIndex = errors.New("not an index of this version")

// decodeIndex reads what encodeIndex wrote.
func decodeIndex(data string) (files map[string]fileStamp, tools map[string]string, err error) {
	r := indexReader{rest: data}
	if r.take(uint64(len(indexHeader))) != indexHeader {
		return nil, nil, errIndex
	}
	n := r.length()
	files = make(map[string]fileStamp, n)
	for range n {
		name := r.take(r.uvarint())
		f := fileStamp{Size: r.varint(), ModTime: r.varint()}
		copy(f.Hash[:], r.take(uint64(len(f.Hash))))
		files[name] = f
	}
	n = r.length()
	tools = make(map[string]string, n)
	for range n {
		id := r.take(r.uvarint())
		tools[id] = r.take(r.uvarint())
	}
	if r.bad || r.rest != "" {
		return nil, nil, errIndex
	}
	return files, tools, nil
}

// indexReader reads from the front of rest. Once something is missing it is bad, and everything it
// returns is empty.
type indexReader struct {
	rest string
	bad  bool
}

func (r *indexReader) take(n uint64) string {
	if n > uint64(len(r.rest)) {
		r.bad, r.rest = true, ""
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// length is the number of entries that follow; each takes at least two bytes.
func (r *indexReader) length() uint64 {
	n := r.uvarint()
	if n > uint64(len(r.rest)/2) {
		r.bad, r.rest = true, ""
		return 0
	}
	return n
}

func (r *indexReader) uvarint() uint64 {
	v, n := binary.Uvarint([]byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)]))
	if n <= 0 {
		r.bad, r.rest = true, ""
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *indexReader) varint() int64 {
	v := r.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}
