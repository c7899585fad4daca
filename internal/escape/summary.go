package escape

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"sort"
	"strings"

	"loam/internal/importpath"
	"loam/internal/mid"
	"loam/internal/wire"
)

// none says that there is no flow. maxDeref caps the dereferences that are counted.
const (
	none     int8 = -1
	maxDeref int8 = 4
)

// Summary says what a function does with its inputs: first the parameters (the receiver
// is the first), then the captured variables. The zero Summary, which has no inputs,
// says nothing: every input escapes.
type Summary struct {
	nin  int
	nres int
	// For each input nres+1 numbers: the least number of dereferences with which it flows
	// to the heap, then to each result; none if it does not.
	flow []int8
	// hidden says for each input the least number of dereferences with which it flows to where it is
	// not followed; nil if none does.
	hidden []int8
	made   *made // what the second form makes in the caller's frame, or nil
	// frames: the frame holds what callees' second forms make. A copy of the body in a package that
	// has not analysed it would have that on the heap.
	frames bool
	// dynamic spells, for each result of interface type, the dynamic type that it always has
	// ("" if there is none); nil if none has one.
	dynamic []string
	// funcs says, for each result that is a function, what that does with its arguments (returned.go);
	// nil if nothing is known of any.
	funcs []*Summary
}

func newSummary(nin, nres int) *Summary {
	s := &Summary{nin: nin, nres: nres, flow: make([]int8, nin*(nres+1))}
	for i := range s.flow {
		s.flow[i] = none
	}
	return s
}

// Heap returns with how many dereferences input i flows to the heap: 0 if the pointer
// itself does, 1 if what it points to does, and so on; -1 if nothing does.
func (s *Summary) Heap(i int) int { return int(s.heap(i)) }

// Result returns with how many dereferences input i flows to result j; -1 if it does not.
func (s *Summary) Result(i, j int) int { return int(s.result(i, j)) }

func (s *Summary) heap(i int) int8 {
	if i >= s.nin {
		return 0
	}
	return s.flow[i*(s.nres+1)]
}

func (s *Summary) result(i, j int) int8 {
	if i >= s.nin || j >= s.nres {
		return none
	}
	return s.flow[i*(s.nres+1)+1+j]
}

// hides returns with how many dereferences input i is hidden; none if it is not.
func (s *Summary) hides(i int) int8 {
	if s.hidden == nil || i >= s.nin {
		return none
	}
	return s.hidden[i]
}

// hideToo adds to s what old has hidden, and reports whether s has more.
func (s *Summary) hideToo(old *Summary) (more bool) {
	for i := range s.nin {
		had, has := old.hides(i), s.hides(i)
		if had != none && (has == none || has > had) {
			if s.hidden == nil {
				s.hidden = slices.Repeat([]int8{none}, s.nin)
			}
			s.hidden[i], has = had, had
		}
		more = more || has != had
	}
	return more
}

// lower notes that input i flows to the heap (to = 0) or to result to-1 after k
// dereferences, and reports whether that is news.
func (s *Summary) lower(i, to int, k int8) bool {
	p := &s.flow[i*(s.nres+1)+to]
	if *p != none && *p <= k {
		return false
	}
	*p = k
	return true
}

// String writes the flows of each input, for tests and messages.
func (s *Summary) String() string {
	var b strings.Builder
	for i := range s.nin {
		if i > 0 {
			b.WriteString("; ")
		}
		sep := ""
		if h := s.heap(i); h != none {
			fmt.Fprintf(&b, "heap:%d", h)
			sep = " "
		}
		for j := range s.nres {
			if r := s.result(i, j); r != none {
				fmt.Fprintf(&b, "%sr%d:%d", sep, j, r)
				sep = " "
			}
		}
		if h := s.hides(i); h != none {
			fmt.Fprintf(&b, "%shidden:%d", sep, h)
			sep = " "
		}
		if sep == "" {
			b.WriteString("-")
		}
	}
	if m := s.made; m != nil {
		if s.nin > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "| makes %d", m.size)
		second := Summary{nin: s.nin, nres: s.nres, flow: m.flow}
		if s.nin > 0 {
			b.WriteString(": " + second.String())
		}
		for i, k := range m.into {
			if k != none {
				fmt.Fprintf(&b, ", holds %d:%d", i, k)
			}
		}
		if m.linked {
			b.WriteString(", linked")
		}
	}
	for j, f := range s.funcs {
		if f != nil && f.nin > 0 {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "| r%d calls %s", j, f)
		}
	}
	return b.String()
}

// Encode returns a stable encoding: two counts, one byte for each flow, one that says what
// follows (the second form, the dynamic types of results, the functions that are results, what is
// hidden) and whether frames is set.
func (s *Summary) Encode() []byte {
	b := wire.AppendUint(nil, s.nin)
	b = wire.AppendUint(b, s.nres)
	b = appendFlows(b, s.flow)
	more := bits(s.made != nil, s.dynamic != nil)
	if s.frames {
		more |= 4
	}
	if s.funcs != nil {
		more |= 8
	}
	if s.hidden != nil {
		more |= 16
	}
	b = append(b, more)
	if m := s.made; m != nil {
		b = wire.AppendUint(b, int(m.size))
		b = append(b, bits(m.linked, false))
		b = appendFlows(b, m.into)
		b = appendFlows(b, m.flow)
		for j := range s.nres {
			b = append(b, bits(m.address[j], m.only[j]))
		}
	}
	for _, name := range s.dynamic {
		b = wire.AppendString(b, name)
	}
	for _, f := range s.funcs {
		b = append(b, bits(f != nil, false))
		if f != nil {
			b = wire.AppendUint(b, f.nin)
			b = wire.AppendUint(b, f.nres)
			b = appendFlows(b, f.flow)
		}
	}
	return appendFlows(b, s.hidden)
}

func appendFlows(b []byte, flows []int8) []byte {
	for _, f := range flows {
		b = append(b, byte(f+1))
	}
	return b
}

func bits(low, high bool) (b byte) {
	if low {
		b = 1
	}
	if high {
		b |= 2
	}
	return b
}

var errCorrupt = errors.New("escape: corrupt summary")

// Decode sets s to what Encode encoded.
func (s *Summary) Decode(b []byte) error { return s.decode(string(b)) }

func (s *Summary) decode(data string) error {
	r := wire.NewReader(data)
	nin, nres := readCount(r), readCount(r)
	if !r.OK() || nin*(nres+1) > r.Len() {
		return errCorrupt
	}
	t := newSummary(nin, nres)
	readFlows(r, t.flow)
	more := r.Byte()
	if more&1 != 0 {
		m := &made{into: make([]int8, nin), flow: make([]int8, len(t.flow)), address: make([]bool, nres), only: make([]bool, nres)}
		m.size = int64(readCount(r))
		m.linked = r.Byte()&1 != 0
		readFlows(r, m.into)
		readFlows(r, m.flow)
		for j := range nres {
			c := r.Byte()
			m.address[j], m.only[j] = c&1 != 0, c&2 != 0
		}
		t.made = m
	}
	if more&2 != 0 {
		t.dynamic = make([]string, nres)
		for j := range t.dynamic {
			t.dynamic[j] = r.String()
		}
	}
	t.frames = more&4 != 0
	if more&8 != 0 {
		t.funcs = make([]*Summary, nres)
		for j := range t.funcs {
			if r.Byte() == 0 {
				continue
			}
			nin, nres := readCount(r), readCount(r)
			if !r.OK() || nin*(nres+1) > r.Len() {
				return errCorrupt
			}
			t.funcs[j] = newSummary(nin, nres)
			readFlows(r, t.funcs[j].flow)
		}
	}
	if more&16 != 0 {
		t.hidden = make([]int8, nin)
		readFlows(r, t.hidden)
	}
	if !r.Done() {
		return errCorrupt
	}
	*s = *t
	return nil
}

// most is a bound for the numbers of a summary.
const most = 1 << 20

func readCount(r *wire.Reader) int {
	n := r.Uint()
	if n > most {
		r.Fail()
		return 0
	}
	return n
}

func readFlows(r *wire.Reader, flows []int8) {
	for i := range flows {
		f := int8(r.Byte()) - 1
		if f > maxDeref || f < none {
			r.Fail()
		}
		flows[i] = f
	}
}

// EncodeSummaries packs the summaries of a package, sorted by symbol.
func EncodeSummaries(m map[string]*Summary) []byte {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var b []byte
	for _, k := range keys {
		b = wire.AppendString(b, k)
		e := m[k].Encode()
		b = wire.AppendString(b, string(e))
	}
	return b
}

// DecodeSummaries is the reverse of EncodeSummaries.
func DecodeSummaries(b []byte) (map[string]*Summary, error) {
	r := wire.NewReader(string(b))
	m := map[string]*Summary{}
	for r.Len() > 0 {
		symbol, s := r.String(), new(Summary)
		if err := s.decode(r.String()); err != nil {
			return nil, err
		}
		m[symbol] = s
	}
	if !r.Done() {
		return nil, errCorrupt
	}
	return m, nil
}

// Symbol names a declared function or method as the linker does (pkgpath.Name,
// pkgpath.T.M, pkgpath.(*T).M), before any go:linkname. It is the key under which a
// summary is kept for other packages. It is empty for functions that other packages cannot
// call by name, or that every package compiles for itself: closures, wrappers, instances.
func Symbol(fn *mid.Func) string {
	obj := fn.Object()
	if obj == nil || fn.Parent() != nil || fn.Kind != mid.Declared && !fromImport(fn) || obj.Pkg() == nil ||
		len(fn.TypeArgs()) > 0 || fn.TypeParams().Len() > 0 {
		return ""
	}
	path := importpath.Prefix(obj.Pkg().Path())
	recv := obj.Signature().Recv()
	if recv == nil {
		return path + "." + obj.Name()
	}
	t := types.Unalias(recv.Type())
	ptr, isPtr := t.(*types.Pointer)
	if isPtr {
		t = types.Unalias(ptr.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.TypeArgs().Len() > 0 {
		return ""
	}
	if isPtr {
		return path + ".(*" + named.Obj().Name() + ")." + obj.Name()
	}
	return path + "." + named.Obj().Name() + "." + obj.Name()
}

// fromImport reports whether fn was made from type information only: its package came
// from the cache.
func fromImport(fn *mid.Func) bool {
	return fn.Kind == mid.Imported
}
