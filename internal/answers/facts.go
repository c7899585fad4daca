package answers

import (
	"crypto/sha256"
	"encoding/binary"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"loam/internal/wire"
)

// aspect says what of a file an answer depends on.
type aspect byte

const (
	isMissing aspect = iota // that it is not there
	isThere
	isUntouched // as far as size and time tell
	hasContent
	hasHead  // what the go command reads of a Go file
	hasNames // of a directory: what of its names the go command looks at
	allNames // of a directory: all of its names
)

// A fact is about a file or a directory.
type fact struct {
	aspect  aspect
	size    int64 // with the time, so that what was not touched is not read
	modTime int64
	hash    [sha256.Size]byte
}

// facts are those of an answer, by the names of the files.
type facts struct {
	of      map[string]fact
	names   []string        // in the order in which they were added
	sources map[string]bool // directories of which addSources was called
	newer   time.Time
	odd     bool // something cannot be kept
}

// settleTime is longer than a tick of the clock that files get their times from. A file that was
// written so shortly before the go command was asked may have been written again while it worked.
const settleTime = 20 * time.Millisecond

// settled reports whether nothing that the facts are about may have changed since the go command
// was asked.
func (f *facts) settled(asked time.Time) bool {
	return !f.odd && asked.Sub(f.newer) > settleTime
}

// add adds a fact about a file, unless there is one that says as much.
func (f *facts) add(name string, a aspect) {
	if old, ok := f.of[name]; ok && old.aspect >= a || f.odd {
		return
	}
	n := fact{aspect: a}
	if a != isMissing {
		st, err := os.Stat(name)
		if err != nil {
			f.odd = true
			return
		}
		if a != isThere {
			n.size, n.modTime = st.Size(), st.ModTime().UnixNano()
			if st.ModTime().After(f.newer) {
				f.newer = st.ModTime()
			}
			if n.hash, err = a.read(name); err != nil {
				f.odd = true
				return
			}
		}
	} else if _, err := os.Lstat(name); err == nil {
		f.odd = true
		return
	}
	if f.of == nil {
		f.of = map[string]fact{}
	}
	if _, ok := f.of[name]; !ok {
		f.names = append(f.names, name)
	}
	f.of[name] = n
}

// addIf adds what is in a file that need not be there, and tells whether it is.
func (f *facts) addIf(name string) bool {
	if _, err := os.Lstat(name); err != nil {
		f.add(name, isMissing)
		return false
	}
	f.add(name, hasContent)
	return true
}

// addSources adds a directory that a package may be in, with the files there that the go command
// reads.
func (f *facts) addSources(dir string) {
	if f.sources[dir] {
		return
	}
	if f.sources == nil {
		f.sources = map[string]bool{}
	}
	f.sources[dir] = true
	f.add(dir, hasNames)
	entries, err := os.ReadDir(dir)
	if err != nil {
		f.odd = true
		return
	}
	for _, e := range entries {
		switch ext := filepath.Ext(e.Name()); {
		case e.IsDir() || hasNames.ignores(e) || !slices.Contains(extensions, ext):
		case ext == ".go":
			f.add(filepath.Join(dir, e.Name()), hasHead)
		default:
			f.add(filepath.Join(dir, e.Name()), hasContent)
		}
	}
}

// read returns the hash of what an answer depends on.
func (a aspect) read(name string) (hash [sha256.Size]byte, err error) {
	switch a {
	case isUntouched:
		return hash, nil
	case hasNames, allNames:
		entries, err := os.ReadDir(name)
		if err != nil {
			return hash, err
		}
		h := sha256.New()
		for _, e := range entries {
			if !a.ignores(e) {
				h.Write([]byte(e.Type().String() + e.Name() + "\x00"))
			}
		}
		h.Sum(hash[:0])
		return hash, nil
	}
	data, err := os.ReadFile(name)
	if a == hasHead {
		data = head(data)
	}
	return sha256.Sum256(data), err
}

// extensions are those of files that may be part of a package.
var extensions = []string{".go", ".s", ".S", ".sx", ".h", ".hh", ".hpp", ".hxx", ".c", ".cc", ".cpp", ".cxx", ".m",
	".f", ".F", ".for", ".f90",
	".swig", ".swigcxx", ".syso"}

// ignores reports whether the go command overlooks an entry of a directory.
func (a aspect) ignores(e os.DirEntry) bool {
	if a == allNames {
		return false
	}
	name := e.Name()
	switch {
	case name[0] == '.' || name[0] == '_':
		return true
	case name == "go.mod" || name == "go.work" || name == "vendor" || !e.Type().IsRegular():
		return false
	}
	return !slices.Contains(extensions, filepath.Ext(name))
}

// head is what the go command reads of a Go file: all before the first declaration that is no
// import. Lines that embed files may be anywhere behind them, and of what does not parse the go
// command may say anything.
func head(text []byte) []byte {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.ImportsOnly|parser.SkipObjectResolution)
	if err != nil {
		return text
	}
	end := file.Name.End()
	for _, d := range file.Decls {
		end = max(end, d.End())
	}
	for _, s := range file.Imports {
		if p := s.Path.Value; p[1:len(p)-1] == "embed" {
			return text
		}
	}
	return text[:files.Position(end).Offset]
}

// encode appends facts.
func (f *facts) encode(b []byte) []byte {
	b = wire.AppendUint(b, len(f.names))
	for _, name := range f.names {
		n := f.of[name]
		b = append(wire.AppendString(b, name), byte(n.aspect))
		b = binary.AppendVarint(b, n.size)
		b = binary.AppendVarint(b, n.modTime)
		b = append(b, n.hash[:]...)
	}
	return b
}

// holds reads facts, and tells whether they are still true.
func holds(r *wire.Reader) bool {
	for range r.Count() {
		name, n := r.String(), fact{aspect: aspect(r.Byte()), size: r.Int64(), modTime: r.Int64()}
		copy(n.hash[:], r.Take(len(n.hash)))
		if !r.OK() || !n.holds(name) {
			return false
		}
	}
	return r.OK()
}

func (n *fact) holds(name string) bool {
	if n.aspect == isMissing {
		_, err := os.Lstat(name)
		return err != nil
	}
	st, err := os.Stat(name)
	if err != nil {
		return false
	}
	if n.aspect == isThere || st.Size() == n.size && st.ModTime().UnixNano() == n.modTime {
		return true
	}
	if n.aspect == isUntouched {
		return false
	}
	hash, err := n.aspect.read(name)
	return err == nil && hash == n.hash
}

// below reports whether a file is dir or below it.
func below(name, dir string) bool {
	return dir != "" && (name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/"))
}
