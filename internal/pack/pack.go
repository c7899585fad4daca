// Package pack keeps many files of the build cache in one, which builds read in place.
//
// A pack is written once and never changed. It is a header of fixed length, the contents one after
// another, and a directory: what the pack was made for, then the name, size and hash of each
// content, sorted by name. The header has the file's length and the directory's place and hash. So
// a pack that was cut short, or whose directory was damaged, is refused when it is opened, and a
// content that was damaged when it is read. The same contents make the same bytes.
package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"loam/internal/wire"
)

// magic starts a pack, and names the version of the format.
const magic = "loam pack 1\n\x00\x00\x00\x00"

// headerSize is the length of magic, the file's length, the directory's place, and its hash.
const headerSize = len(magic) + 8 + 8 + sha256.Size

// maxDirectory bounds what is read into memory of a file that says it is a pack.
const maxDirectory = 1 << 28

// Made says what a pack was made for: all that contents depend on besides their sources. What was
// compiled for something else has other names, so a pack is of no use there, but never wrong.
type Made struct {
	Compiler string   // Loam's identity
	Go       string   // version of the SDK
	Level    string   // GOAMD64
	Clang    string   // the identity of the program
	Packages []string // as they were asked for
}

// content is where a content is in the file.
type content struct {
	name   string
	offset int64
	size   int64
	hash   [sha256.Size]byte
}

// A Writer makes a pack.
type Writer struct {
	f        *os.File
	at       int64
	contents []content
}

// NewWriter starts a pack in f, which is empty.
func NewWriter(f *os.File) (*Writer, error) {
	_, err := f.Write(make([]byte, headerSize))
	return &Writer{f: f, at: int64(headerSize)}, err
}

// Add adds a content. Names come in order.
func (w *Writer) Add(name string, data []byte) error {
	if n := len(w.contents); n > 0 && w.contents[n-1].name >= name {
		return fmt.Errorf("internal error: pack: %s after %s", name, w.contents[n-1].name)
	}
	if _, err := w.f.Write(data); err != nil {
		return err
	}
	w.contents = append(w.contents, content{name, w.at, int64(len(data)), sha256.Sum256(data)})
	w.at += int64(len(data))
	return nil
}

// Close writes the directory and the header. It does not close the file.
func (w *Writer) Close(made *Made) error {
	info, err := json.Marshal(made)
	if err != nil {
		return err
	}
	dir := wire.AppendString(nil, string(info))
	dir = wire.AppendUint(dir, len(w.contents))
	for _, c := range w.contents {
		dir = wire.AppendString(dir, c.name)
		dir = wire.AppendUint(dir, int(c.size))
		dir = append(dir, c.hash[:]...)
	}
	if _, err := w.f.Write(dir); err != nil {
		return err
	}
	head := []byte(magic)
	head = binary.LittleEndian.AppendUint64(head, uint64(w.at)+uint64(len(dir)))
	head = binary.LittleEndian.AppendUint64(head, uint64(w.at))
	sum := sha256.Sum256(dir)
	_, err = w.f.WriteAt(append(head, sum[:]...), 0)
	return err
}

// A Pack is an open pack. Its methods may be called by several goroutines.
type Pack struct {
	Name string // of the file
	Made Made
	Size int64

	f        *os.File
	contents []content // by name
}

// Open opens a pack and reads its directory.
func Open(name string) (*Pack, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	p := &Pack{Name: name, f: f}
	if err := p.readDirectory(); err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

// Close closes the file.
func (p *Pack) Close() error { return p.f.Close() }

// damaged is an error about the file.
func (p *Pack) damaged(what string) error {
	return fmt.Errorf("%s: the pack is damaged: %s", p.Name, what)
}

func (p *Pack) readDirectory() error {
	head := make([]byte, headerSize)
	switch n, err := io.ReadFull(p.f, head); {
	case !strings.HasPrefix(string(head[:n]), magic[:min(n, len(magic))]) || n == 0 && errors.Is(err, io.EOF):
		return fmt.Errorf("%s is not a pack that this loam can read", p.Name)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return p.damaged("it ends within its header")
	case err != nil:
		return err
	}
	st, err := p.f.Stat()
	if err != nil {
		return err
	}
	numbers := head[len(magic):]
	size, at := binary.LittleEndian.Uint64(numbers), binary.LittleEndian.Uint64(numbers[8:])
	p.Size = st.Size()
	if size != uint64(p.Size) {
		return p.damaged(fmt.Sprintf("it has %d bytes, and should have %d", p.Size, size))
	}
	if at > size || at < uint64(headerSize) || size-at > maxDirectory {
		return p.damaged("its header is wrong")
	}
	dir := make([]byte, size-at)
	if _, err := p.f.ReadAt(dir, int64(at)); err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	if sum := sha256.Sum256(dir); !bytes.Equal(sum[:], numbers[16:]) {
		return p.damaged("its directory does not have the hash that its header says")
	}
	if !p.decode(dir, int64(at)) {
		return p.damaged("its directory is wrong")
	}
	return nil
}

// decode reads the directory, which is at the given place.
func (p *Pack) decode(dir []byte, at int64) bool {
	r := wire.NewReader(string(dir))
	if json.Unmarshal([]byte(r.String()), &p.Made) != nil {
		return false
	}
	n := r.Count()
	p.contents = make([]content, 0, n)
	offset := int64(headerSize)
	for range n {
		c := content{name: r.String(), offset: offset, size: int64(r.Uint())}
		copy(c.hash[:], r.Take(sha256.Size))
		if offset += c.size; !r.OK() || c.size < 0 || offset > at {
			return false
		}
		p.contents = append(p.contents, c)
	}
	return r.Done() && offset == at && slices.IsSortedFunc(p.contents, byName)
}

func byName(a, b content) int { return strings.Compare(a.name, b.name) }

// find returns the content of a name, nil if the pack has none.
func (p *Pack) find(name string) *content {
	i, ok := slices.BinarySearchFunc(p.contents, content{name: name}, byName)
	if !ok {
		return nil
	}
	return &p.contents[i]
}

// Has reports whether there is a content of that name.
func (p *Pack) Has(name string) bool { return p.find(name) != nil }

// Names returns the names of all contents, in order.
func (p *Pack) Names() []string {
	names := make([]string, len(p.contents))
	for i, c := range p.contents {
		names[i] = c.name
	}
	return names
}

// Read returns the content of a name, which the pack must have, once its hash is known to be right.
func (p *Pack) Read(name string) ([]byte, error) {
	c := p.find(name)
	if c == nil {
		return nil, fmt.Errorf("%s: no %s in the pack", p.Name, name)
	}
	data := make([]byte, c.size)
	if _, err := p.f.ReadAt(data, c.offset); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	if sha256.Sum256(data) != c.hash {
		return nil, p.damaged(fmt.Sprintf("%s does not have the hash that the directory says", name))
	}
	return data, nil
}
