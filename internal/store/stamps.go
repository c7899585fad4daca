package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"loam/internal/load"
	"loam/internal/wire"
)

// Stamps say which content a source file had, so that builds need not read what has not changed.
// The cache has a file of them for each root of sources, which is a module or GOROOT: a build reads
// those of its packages, and writes those in which something is new, however much else was ever
// built.

// stampsKind is the kind of these files. Their keys are made of directories, not of content: a
// later one takes the place of an earlier.
const stampsKind = "stamps"

// fileStamp remembers a source file's hash for as long as its size and time stay.
type fileStamp struct {
	Size, ModTime int64
	Code          bool // the hash is of codeOf the file
	Hash          [32]byte
}

// stamps are those of a root, by the names of the files below it; other names are absolute.
type stamps struct {
	files map[string]fileStamp
	dirty bool
}

// racyWindow is how long after its last change a file's stamp may still be ambiguous: an edit
// within the clock's resolution, of the same size, would go unseen.
const racyWindow = 50 * time.Millisecond

// HashFile returns the hash of the content of a source file of a package.
func (c *Cache) HashFile(p *load.Package, name string) ([32]byte, error) {
	return c.Hash(p, name, false)
}

// HashCode returns the hash of the code in a Go file of a package.
func (c *Cache) HashCode(p *load.Package, name string) ([32]byte, error) {
	return c.Hash(p, name, true)
}

func (c *Cache) Hash(p *load.Package, name string, code bool) ([32]byte, error) {
	st, err := os.Stat(name)
	if err != nil {
		return [32]byte{}, err
	}
	root := cmp.Or(p.Root, p.Dir)
	base := strings.TrimPrefix(name, root+"/")
	size, mtime := st.Size(), st.ModTime().UnixNano()
	c.mu.Lock()
	old, ok := c.stampsOf(root).files[base]
	c.mu.Unlock()
	if ok && old.Size == size && old.ModTime == mtime && old.Code == code {
		return old.Hash, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return [32]byte{}, err
	}
	if code {
		data = codeOf(data)
	}
	stamp := fileStamp{size, mtime, code, sha256.Sum256(data)}
	if time.Since(st.ModTime()) > racyWindow {
		c.mu.Lock()
		s := c.stampsOf(root)
		s.files[base] = stamp
		s.dirty = true
		c.mu.Unlock()
	}
	return stamp.Hash, nil
}

// stampsOf returns those of a root. c.mu is locked.
func (c *Cache) stampsOf(root string) *stamps {
	s := c.stamps[root]
	if s != nil {
		return s
	}
	s = &stamps{files: map[string]fileStamp{}}
	path := c.Path(stampsKey(root), stampsKind)
	if c.use(path) {
		if data, err := os.ReadFile(path); err == nil {
			if files, err := decodeStamps(string(data)); err == nil {
				s.files = files
			}
		}
	}
	c.stamps[root] = s
	return s
}

func stampsKey(root string) string {
	h := NewHasher("stamps")
	h.Add("root", root)
	return h.Sum()
}

// SaveStamps saves what is new. To lose it costs time only.
func (c *Cache) SaveStamps() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for root, s := range c.stamps {
		if !s.dirty {
			continue
		}
		for base := range s.files {
			name := base
			if !filepath.IsAbs(name) {
				name = filepath.Join(root, name)
			}
			if _, err := os.Lstat(name); err != nil {
				delete(s.files, base)
			}
		}
		if c.writeLocal(c.Path(stampsKey(root), stampsKind), encodeStamps(s.files)) == nil {
			s.dirty = false
		}
	}
}

// stampsHeader names the format of a file of stamps. Behind it come their number and, of each,
// name, size, time, whether the hash is of code, and hash.
const stampsHeader = "loam stamps 2\n"

func encodeStamps(files map[string]fileStamp) []byte {
	b := wire.AppendUint([]byte(stampsHeader), len(files))
	for name, f := range files {
		b = wire.AppendString(b, name)
		b = binary.AppendVarint(b, f.Size)
		b = binary.AppendVarint(b, f.ModTime)
		code := byte(0)
		if f.Code {
			code = 1
		}
		b = append(b, code)
		b = append(b, f.Hash[:]...)
	}
	return b
}

var errStamps = errors.New("no stamps of this version")

// decodeStamps reads what encodeStamps wrote.
func decodeStamps(data string) (files map[string]fileStamp, err error) {
	r := wire.NewReader(data)
	r.Header(stampsHeader)
	n := r.Count()
	files = make(map[string]fileStamp, n)
	for range n {
		name := r.String()
		f := fileStamp{Size: r.Int64(), ModTime: r.Int64(), Code: r.Byte() == 1}
		copy(f.Hash[:], r.Take(len(f.Hash)))
		files[name] = f
	}
	if !r.Done() {
		return nil, errStamps
	}
	return files, nil
}
