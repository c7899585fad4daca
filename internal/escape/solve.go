package escape

import (
	"slices"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

const unreached int8 = 127

func fill[T any](s []T, n int, v T) []T {
	if cap(s) < n {
		s = make([]T, n, n+n/2)
	}
	s = s[:n]
	for i := range s {
		s[i] = v
	}
	return s
}

// start forgets the distances of the walk before.
func (s *solver) start() {
	s.dist = fill(s.dist, len(s.in), unreached)
	s.cause = fill(s.cause, len(s.in), int32(-1))
	s.queue = s.queue[:0]
}

// seed makes n a target at distance d.
func (s *solver) seed(n int32, d int8) {
	if d < s.dist[n] {
		s.dist[n] = d
		s.queue = append(s.queue, n)
	}
}

// walk completes the distances backwards from the seeds. Distances only shrink and have
// few values, so each node is visited a small number of times.
func (s *solver) walk() {
	for len(s.queue) > 0 {
		n := s.queue[len(s.queue)-1]
		s.queue = s.queue[:len(s.queue)-1]
		// What an object holds goes where its address goes.
		base := max(s.dist[n], 0)
		for e := s.in[n]; e >= 0; e = s.edges[e].nextIn {
			ed := &s.edges[e]
			d := min(base+ed.k, maxDeref)
			if d >= s.dist[ed.src] {
				continue
			}
			s.dist[ed.src] = d
			if n == heapNode {
				s.cause[ed.src] = e
			} else {
				s.cause[ed.src] = s.cause[n]
			}
			s.queue = append(s.queue, ed.src)
		}
	}
}

// solve analyses the graph that has been built: it records where each object goes and
// returns the function's summary.
func (s *solver) solve(facts *Facts) *Summary {
	hidden := s.hide()
	s.rejects()
	// Objects whose address is returned are made on the heap, or in the caller's frame.
	returned := s.returned()
	var m *made
	delete(facts.frames, s.fn)
	if len(returned) > 0 {
		if s.an.hasSecondForm(s.fn) {
			var frame *Frame
			if m, frame = s.findMade(returned); m != nil {
				facts.frames[s.fn] = frame
			}
			s.rejects()
		}
		for _, i := range returned {
			if n := s.objs[i].node; s.root[n] == whyNone {
				s.root[n] = whyReturn
			}
		}
	}
	s.toHeap()
	if s.loopObjects() {
		s.toHeap()
	}
	for i := range s.objs {
		o := &s.objs[i]
		v := verdict{why: s.root[o.node]}
		if v.why == whyNone && s.dist[o.node] < 0 {
			v.why = whyStore
			if c := s.cause[o.node]; c >= 0 {
				v.why, v.pos = s.edges[c].why, s.edges[c].pos
			}
		}
		facts.objects[o.val] = v
		if o.hidden {
			facts.hidden[o.val] = true
		}
	}
	sum := s.summarize()
	sum.made, sum.hidden = m, hidden
	for i := range s.objs {
		if c, ok := s.objs[i].val.(*mid.Call); ok {
			sum.frames = sum.frames || facts.calls[c] > 0 && facts.OnStack(c)
		}
	}
	return sum
}

// hide finds the objects whose addresses are hidden. Those that callees make go to the heap. The
// result is the summary's.
func (s *solver) hide() (inputs []int8) {
	if s.in[s.hidden] < 0 {
		return nil
	}
	s.start()
	s.seed(s.hidden, 0)
	s.walk()
	for i := range s.objs {
		o := &s.objs[i]
		o.hidden = s.dist[o.node] < 0
		if _, called := o.val.(*mid.Call); called && o.hidden && !isAppend(o.val) {
			o.reject = whyHidden
		}
	}
	input := func(v mid.Value) {
		d := none
		if n, ok := s.nodes[v]; ok && n >= 0 && s.dist[n] != unreached {
			d = max(s.dist[n], 0)
		}
		inputs = append(inputs, d)
	}
	for _, p := range s.fn.Params {
		input(p)
	}
	for _, f := range s.fn.FreeVars {
		input(f)
	}
	if !slices.ContainsFunc(inputs, func(d int8) bool { return d != none }) {
		return nil
	}
	return inputs
}

// rejects makes roots of the objects that cannot be in a frame because of their size.
func (s *solver) rejects() {
	clear(s.root)
	for i := range s.objs {
		if o := &s.objs[i]; o.reject != whyNone {
			s.root[o.node] = o.reject
		}
	}
}

// returned lists the objects whose addresses are part of a result.
func (s *solver) returned() []int32 {
	if len(s.objs) == 0 || s.nres == 0 {
		return nil
	}
	s.start()
	for i := range s.nres {
		s.seed(firstResult+int32(i), 0)
	}
	s.walk()
	var list []int32
	for i := range s.objs {
		if s.dist[s.objs[i].node] < 0 {
			list = append(list, int32(i))
		}
	}
	return list
}

// toHeap computes the distances to the heap. Objects that are on the heap anyway lead
// there too: what they hold is not followed any further.
func (s *solver) toHeap() {
	s.start()
	s.seed(heapNode, 0)
	for n := range s.root {
		s.seed(n, -1)
	}
	s.walk()
}

// summarize reads the flows to the heap from the last walk and walks from each result.
func (s *solver) summarize() *Summary {
	fn := s.fn
	nin := len(fn.Params) + len(fn.FreeVars)
	sum := newSummary(nin, s.nres)
	nodes := make([]int32, 0, nin)
	any := false
	input := func(v mid.Value) {
		n, ok := s.nodes[v]
		if !ok {
			n = -1
		}
		any = any || n >= 0
		nodes = append(nodes, n)
	}
	for _, p := range fn.Params {
		input(p)
	}
	for _, f := range fn.FreeVars {
		input(f)
	}
	if !any {
		return sum
	}
	for i, n := range nodes {
		if n >= 0 && s.dist[n] != unreached {
			sum.lower(i, 0, s.dist[n])
		}
	}
	for j := range s.nres {
		if s.in[firstResult+int32(j)] < 0 {
			continue
		}
		s.start()
		s.seed(firstResult+int32(j), 0)
		s.walk()
		for i, n := range nodes {
			if n < 0 || s.dist[n] == unreached {
				continue
			}
			if h := sum.heap(i); h == none || s.dist[n] < h {
				sum.lower(i, 1+j, s.dist[n])
			}
		}
	}
	return sum
}

// loopObjects adds to root the objects made in loops that may be in use when their
// instruction makes the next one. It reports whether there are any.
func (s *solver) loopObjects() bool {
	found := false
	budget := 200_000
	for i := range s.objs {
		o := &s.objs[i]
		if s.dist[o.node] < 0 {
			continue
		}
		block := o.val.(mid.Instr).Block()
		if !shape.Of(s.fn).InLoop(block) || isAppend(o.val) {
			continue // an append uses its memory of the frame once
		}
		s.seen = fill(s.seen, len(s.in), uint8(0))
		if !s.freshEachTurn(o, block, &budget) {
			s.root[o.node] = whyLoop
			found = true
		}
	}
	return found
}

// Levels of loop walks: a place at level 0 holds the object's address, one at level 1 the
// address of a holder, and so on. The last level stands for itself and all above.
const lastLevel = 3

// freshEachTurn reports whether all that can hold o's address is set anew in each turn of
// the innermost loop around o, before it is used (see the package comment).
func (s *solver) freshEachTurn(o *object, block *mid.Block, budget *int) bool {
	turn := turn{shape.Of(s.fn).Head(block), o.val.(mid.Instr)}
	var phi *mid.Phi
	if a, ok := o.val.(*mid.Alloc); ok {
		phi = s.loopVarPhi(a)
	}
	s.work = s.work[:0]
	visit := func(n int32, level uint8) bool {
		if s.seen[n]&(1<<level) != 0 {
			return true
		}
		s.seen[n] |= 1 << level
		*budget--
		if level == 0 && !s.heldPerTurn(n, o, turn, phi) {
			return false
		}
		s.work = append(s.work, walkItem{n, level})
		return *budget > 0
	}
	for e := s.out[o.node]; e >= 0; e = s.edges[e].nextOut {
		if s.edges[e].k < 0 && !visit(s.edges[e].dst, 0) {
			return false
		}
	}
	for len(s.work) > 0 {
		it := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		for e := s.out[it.node]; e >= 0; e = s.edges[e].nextOut {
			ed := &s.edges[e]
			level := int(it.level) - int(ed.k)
			if it.level == lastLevel {
				// One of this level or more: after k dereferences any of k levels less or more.
				for l := min(max(level, 0), lastLevel); l <= lastLevel; l++ {
					if !visit(ed.dst, uint8(l)) {
						return false
					}
				}
				continue
			}
			if level >= 0 && !visit(ed.dst, uint8(min(level, lastLevel))) {
				return false
			}
		}
	}
	return true
}

// A turn begins with the header of a loop, or if that has none with the instruction that makes the
// object.
type turn struct {
	head *mid.Block
	made mid.Instr
}

// sets reports whether each turn executes in before it uses what in makes.
func (t turn) sets(in mid.Instr) bool {
	if t.head == nil {
		return in == t.made || before(t.made, in)
	}
	if _, ok := in.(*mid.Phi); ok && in.Block() == t.head {
		return false
	}
	return t.head.Dominates(in.Block())
}

// heldPerTurn judges one holder of o's address. A holder in the heap or a result has been
// found before.
func (s *solver) heldPerTurn(n int32, o *object, turn turn, phi *mid.Phi) bool {
	v := s.def[n]
	if v == nil {
		return true // the heap and results: the walk to the heap decides
	}
	instr, ok := v.(mid.Instr)
	if !ok {
		return false // a parameter or captured variable
	}
	if phi != nil && (v == o.val || v == mid.Value(phi)) {
		return true
	}
	if s.isObj[n] {
		if a, ok := v.(*mid.Alloc); ok {
			if p := s.loopVarPhi(a); p != nil {
				// It stands for the loop's variable in the next turn.
				return turn.head != p.Block() && turn.head.Dominates(p.Block())
			}
		}
	}
	return turn.sets(instr)
}
