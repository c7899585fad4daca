// Package reach finds what a program needs of its packages: the chunks of LLVM text that have to be
// compiled and linked, and those that nothing leads to.
//
// It knows symbols and references, nothing of Go. Facts say of each definition of a package in
// which chunk it is and what it refers to (facts.go); the build keeps them beside the package's
// objects. A Walk follows references from the roots of a program (walk.go), with the linker's
// rules: it must find all that the linker will find, for a symbol that the linker finds and that no
// object defines is an error. It may find more, because it follows what LLVM optimises away.
package reach

import (
	"encoding/binary"
	"errors"

	"loam/internal/wire"
)

// Node is a definition.
type Node struct {
	Name   string // "" if other packages cannot refer to it
	Chunk  int    // that has it; NoChunk if chunks have copies of it
	Merged bool   // other packages may have the same
	Refs   []int  // what it refers to in its package, by number
	Names  []string
}

// NoChunk is the chunk of what is copied to where it is needed.
const NoChunk = -1

// Facts are what a package has.
type Facts struct {
	chunks int
	names  []string // each once
	name   []int32  // of nodes: number in names, or -1
	chunk  []int32
	merged []bool
	refs   lists
	out    lists   // names that nodes refer to
	roots  []int32 // names that are needed in any case
}

// lists are slices, one after the other.
type lists struct {
	ends []int32
	all  []int32
}

func (l *lists) add(list []int32) {
	l.all = append(l.all, list...)
	l.ends = append(l.ends, int32(len(l.all)))
}

func (l *lists) at(i int) []int32 {
	from := int32(0)
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.all[from:l.ends[i]]
}

// New makes facts of a package's definitions. Roots are symbols that the package needs whatever
// the program does.
func New(nodes []Node, chunks int, roots []string) *Facts {
	f := &Facts{chunks: chunks}
	numbers := map[string]int32{}
	number := func(s string) int32 {
		n, ok := numbers[s]
		if !ok {
			n = int32(len(f.names))
			numbers[s] = n
			f.names = append(f.names, s)
		}
		return n
	}
	var list []int32
	for _, n := range nodes {
		name := int32(-1)
		if n.Name != "" {
			name = number(n.Name)
		}
		f.name = append(f.name, name)
		f.chunk = append(f.chunk, int32(n.Chunk))
		f.merged = append(f.merged, n.Merged)
		list = list[:0]
		for _, r := range n.Refs {
			list = append(list, int32(r))
		}
		f.refs.add(list)
		list = list[:0]
		for _, s := range n.Names {
			list = append(list, number(s))
		}
		f.out.add(list)
	}
	for _, s := range roots {
		f.roots = append(f.roots, number(s))
	}
	return f
}

// Chunks is how many chunks the package has.
func (f *Facts) Chunks() int { return f.chunks }

// Defines reports whether a definition of the package has that name.
func (f *Facts) Defines(name string) bool {
	for i, n := range f.name {
		if n >= 0 && f.chunk[i] >= 0 && f.names[n] == name {
			return true
		}
	}
	return false
}

// header names the format. Behind it are numbers, as varints: how many chunks; the names, each
// after its length; the roots; the nodes. Lists come after their lengths.
const header = "loam reach 1\n"

// Encode writes facts.
func (f *Facts) Encode() []byte {
	b := []byte(header)
	number := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	list := func(l []int32) {
		number(len(l))
		for _, n := range l {
			number(int(n))
		}
	}
	number(f.chunks)
	number(len(f.names))
	for _, s := range f.names {
		number(len(s))
		b = append(b, s...)
	}
	list(f.roots)
	number(len(f.name))
	for i := range f.name {
		flag := 0
		if f.merged[i] {
			flag = 1
		}
		number(int(f.name[i]+1)<<1 | flag)
		number(int(f.chunk[i] + 1))
		list(f.refs.at(i))
		list(f.out.at(i))
	}
	return b
}

var errFormat = errors.New("not facts of this version")

// Decode reads what Encode wrote.
func Decode(data string) (*Facts, error) {
	r := wire.NewReader(data)
	if !r.Header(header) {
		return nil, errFormat
	}
	f := &Facts{chunks: r.Uint()}
	names := r.Count()
	f.names = make([]string, names)
	for i := range f.names {
		f.names[i] = r.String()
	}
	f.roots = readList(r, nil, names)
	nodes := r.Count()
	f.name, f.chunk, f.merged = make([]int32, nodes), make([]int32, nodes), make([]bool, nodes)
	f.refs.ends, f.out.ends = make([]int32, nodes), make([]int32, nodes)
	for i := range nodes {
		n := r.Uint()
		f.name[i], f.merged[i] = int32(n>>1)-1, n&1 != 0
		f.chunk[i] = int32(r.Uint()) - 1
		f.refs.all = readList(r, f.refs.all, nodes)
		f.refs.ends[i] = int32(len(f.refs.all))
		f.out.all = readList(r, f.out.all, names)
		f.out.ends[i] = int32(len(f.out.all))
		if int(f.name[i]) >= names || int(f.chunk[i]) >= f.chunks {
			r.Fail()
		}
	}
	if !r.Done() {
		return nil, errFormat
	}
	return f, nil
}

// readList appends a list of numbers below limit to l.
func readList(r *wire.Reader, l []int32, limit int) []int32 {
	for range r.Count() {
		n := r.Uint()
		if n >= limit {
			r.Fail()
			return l
		}
		l = append(l, int32(n))
	}
	return l
}
