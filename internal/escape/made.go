package escape

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"loam/internal/inline"
	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// # Objects in the caller's frame
//
// Small constructors make an object and return it. Where they are inlined, the object is found not
// to leave the caller. Where they are not, a function that makes objects of known size, which go
// nowhere but to its results, has a second form that gets the memory for them from its caller
// (lower: the symbol ends in ·made). A call whose results do not escape uses that form, with a slot
// of the caller's frame.
//
// All such objects of a function are one node for its callers: made. Its Summary says what
// flows into their contents, and which results hold their addresses. In a caller the call is
// then an instruction that makes an object like any other, with the same rules for loops, and
// may itself be part of what the caller makes for its own callers.
//
// A converted string, or a sum of strings, has a buffer for short values there (TmpBytes), as it
// has in a frame of its own. Many functions return such values; only those small enough for gc to
// inline get a second form for them.
//
// Errors that a function returns beside other results are not among them: they are seldom made, but
// mostly travel on, and would take the other objects with them.

const (
	maxMade   = 2 << 10 // bytes that the objects of a function may have together
	maxSecond = 80      // instructions of a function that is worth a second form
)

// TmpBytes is the size of the buffer for a converted string, or a sum of strings, that does not
// leave the frame.
const TmpBytes = 32

// hasSecondForm reports whether fn is of the kind that may have a second form.
func (an *analyzer) hasSecondForm(fn *mid.Func) bool {
	if an.facts.forced || fn.Parent() != nil || fn.Recover() != nil || an.cyclic[fn] {
		return false
	}
	base := fn
	if o := fn.Origin(); o != nil {
		base = o
	} else if fn.Kind != mid.Declared {
		return false
	}
	if base.Pkg == nil || base.Pkg.Pkg.Path() == "runtime" {
		return false
	}
	d, ok := base.Syntax().(*ast.FuncDecl)
	if !ok || hasDirective(d, "//go:noinline") || strings.HasPrefix(base.Name(), "init#") {
		return false
	}
	n := 0
	for _, b := range fn.Body() {
		n += len(b.Instrs)
	}
	return n <= maxSecond
}

// madeSize returns the size of an object that may be made in a caller's frame, -1 for others.
func (an *analyzer) madeSize(v mid.Value) int64 {
	switch v := v.(type) {
	case *mid.Alloc:
		return an.sizes.Sizeof(v.Type().Underlying().(*types.Pointer).Elem())
	case *mid.MakeInterface:
		return an.sizes.Sizeof(v.X.Type())
	case *mid.MakeSlice:
		c, ok := v.Cap.(*mid.Const)
		if _, lenOK := v.Len.(*mid.Const); !ok || !lenOK {
			return -1
		}
		n, ok := c.Int64()
		elem := an.sizes.Sizeof(v.Type().Underlying().(*types.Slice).Elem())
		if !ok || n < 0 || elem > 0 && n > MaxMade/elem {
			return -1
		}
		return n * elem
	case *mid.MakeClosure:
		return an.closureSize(v)
	case *mid.Call:
		return an.facts.calls[v]
	case *mid.Convert, *mid.BinOp:
		if an.buffered(v) {
			return TmpBytes
		}
	}
	return -1
}

// buffered reports whether v, a value that its function returns, may have a buffer in the caller's
// frame.
func (an *analyzer) buffered(v mid.Value) bool {
	fn := v.Parent()
	if o := fn.Origin(); o != nil {
		fn = o
	}
	d, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || !inline.Candidate(d, false) {
		return false
	}
	switch v := v.(type) {
	case *mid.Convert:
		return isBytesOrString(v.Type(), an.sizes) && isBytesOrString(v.X.Type(), an.sizes)
	case *mid.BinOp:
		// The parts of a longer sum are not made one by one.
		for _, r := range v.Referrers() {
			if sum, ok := r.(*mid.BinOp); ok && sum.Op == token.ADD {
				return false
			}
		}
		return true
	}
	return false
}

func isBytesOrString(t types.Type, sizes types.Sizes) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0
	case *types.Slice:
		return sizes.Sizeof(t.Elem()) == 1
	}
	return false
}

// closureSize is the size of the object {code, captured...}.
func (an *analyzer) closureSize(v *mid.MakeClosure) int64 {
	size := int64(8)
	for i, b := range v.Bindings {
		t := b.Type()
		if ByValue(v.Fn.FreeVars[i]) {
			t = t.Underlying().(*types.Pointer).Elem()
		}
		a := max(an.sizes.Alignof(t), 1)
		size = (size+a-1)/a*a + an.sizes.Sizeof(t)
	}
	return size
}

// findMade decides which objects the second form makes in the caller's frame, given those
// (numbers of s.objs) whose addresses are returned, and describes them.
func (s *solver) findMade(returned []int32) (*made, *Frame) {
	errs := s.onlyErrors(returned)
	for _, i := range returned {
		if o := &s.objs[i]; s.root[o.node] == whyNone && (errs[i] || !s.mayChoose(o)) {
			s.root[o.node] = whyReturn
		}
	}
	s.toHeap()
	if s.loopObjects() {
		s.toHeap()
	}
	chosen := make([]bool, len(s.objs))
	for _, i := range returned {
		n := s.objs[i].node
		chosen[i] = s.root[n] == whyNone && s.dist[n] >= 0
	}
	frame := &Frame{Offsets: map[mid.Value]int64{}}
	m := &made{}
	for i, o := range s.objs {
		if chosen[i] {
			frame.Offsets[o.val] = frame.Size
			frame.Size += (s.an.madeSize(o.val) + 7) &^ 7
			if c, ok := o.val.(*mid.Call); ok {
				m.linked = m.linked || s.an.callLinked(c)
			}
		}
	}
	if len(frame.Offsets) == 0 || frame.Size > maxMade {
		return nil, nil
	}
	m.size = frame.Size
	m.flow = s.summarize().flow
	s.describe(m, chosen)
	return m, frame
}

// onlyErrors returns those of the returned objects that only results of type error lead to, if
// there are other results.
func (s *solver) onlyErrors(returned []int32) map[int32]bool {
	errorType := types.Universe.Lookup("error").Type()
	results := s.fn.Signature.Results()
	s.start()
	others := 0
	for j := range results.Len() {
		if !types.Identical(results.At(j).Type(), errorType) {
			s.seed(firstResult+int32(j), 0)
			others++
		}
	}
	if others == 0 || others == results.Len() {
		return nil
	}
	s.walk()
	only := map[int32]bool{}
	for _, i := range returned {
		only[i] = s.dist[s.objs[i].node] >= 0
	}
	return only
}

// mayChoose reports whether o is of a kind and in a place that allows the caller's frame: one
// object for each call of the function.
func (s *solver) mayChoose(o *object) bool {
	n := s.an.madeSize(o.val)
	return n > 0 && n <= maxMade && !o.hidden && !shape.Of(s.fn).InLoop(o.val.(mid.Instr).Block())
}

// describe fills in how inputs and results are connected with the chosen objects.
func (s *solver) describe(m *made, chosen []bool) {
	fn := s.fn
	s.start()
	for i, o := range s.objs {
		if chosen[i] {
			s.seed(o.node, 0)
		}
	}
	s.walk()
	for i, o := range s.objs {
		m.linked = m.linked || chosen[i] && s.dist[o.node] < 0
	}
	input := func(v mid.Value) {
		d := none
		if n, ok := s.nodes[v]; ok && n >= 0 && s.dist[n] != unreached {
			d = s.dist[n]
		}
		m.into = append(m.into, d)
	}
	for _, p := range fn.Params {
		input(p)
	}
	for _, f := range fn.FreeVars {
		input(f)
	}
	node := map[int32]bool{}
	for i, o := range s.objs {
		if chosen[i] {
			node[o.node] = true
		}
	}
	m.address, m.only = make([]bool, s.nres), make([]bool, s.nres)
	for j := range s.nres {
		s.start()
		s.seed(firstResult+int32(j), 0)
		s.walk()
		for n := range node {
			m.address[j] = m.address[j] || s.dist[n] < 0
		}
		m.only[j] = m.address[j] && s.onlyFrom(j, node)
	}
}

// onlyFrom reports whether result j always points into one of the given objects.
func (s *solver) onlyFrom(j int, nodes map[int32]bool) bool {
	blocks := shape.Of(s.fn)
	for _, b := range s.fn.Body() {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*mid.Return)
		if !ok || !blocks.Runs(b) {
			continue
		}
		var seen [16]mid.Value
		roots := rootFinder{g: s.graph, seen: seen[:0]}
		roots.add(ret.Results[j])
		if roots.unknown {
			return false
		}
		for _, o := range roots.objs {
			if !nodes[o] {
				return false
			}
		}
	}
	return true
}
