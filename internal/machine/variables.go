package machine

import (
	"encoding/binary"
	"iter"
	"slices"

	"loam/internal/machine/code"
	"loam/internal/machine/x86"
)

// shown is a variable of the source, and where it is.
type shown struct {
	node  int32
	at    int32 // the distance from the frame pointer, 0: nowhere
	deref bool  // its address is there
}

// shown finds the variables of a function that has been compiled.
func (w *writer) shown(f *code.Func) (list []shown) {
	for _, s := range f.Shown {
		list = append(list, shown{s.Var, w.compiler.InFrame(s.At), s.Deref})
	}
	return list
}

// A block is a function's or a lexical block in it, with the variables that are declared there.
type block struct {
	node   int32
	ranges []x86.Span
	vars   []shown
	inner  []*block
}

// blocks finds the blocks that have variables. Those that the function describes and that are
// nowhere in its code are the function's.
func (d *debug) blocks(f *compiled) *block {
	t := blockTree{d, map[int32]*block{}, &block{node: f.node}}
	seen := map[int32]bool{}
	for _, v := range f.shown {
		if !seen[v.node] {
			seen[v.node] = true
			b := t.find(d.node(v.node).scope)
			b.vars = append(b.vars, v)
		}
	}
	t.root.vars = append(t.root.vars, d.listed(f.node, seen).vars...)
	slices.SortStableFunc(t.root.vars, func(a, b shown) int { return d.rank(a) - d.rank(b) })
	if len(t.root.inner) > 0 {
		t.place(f)
	}
	return t.root
}

// listed is a function with the variables that its description lists, without those that were seen.
func (d *debug) listed(function int32, seen map[int32]bool) *block {
	b := &block{node: function}
	for _, n := range d.node(function).list {
		if !seen[n] && d.node(n).kind == "DILocalVariable" {
			b.vars = append(b.vars, shown{node: n})
		}
	}
	return b
}

// rank puts parameters first.
func (d *debug) rank(v shown) int {
	if arg := d.node(v.node).arg; arg > 0 {
		return int(arg)
	}
	return 1 << 20
}

// blockTree is what blocks knows.
type blockTree struct {
	d     *debug
	known map[int32]*block
	root  *block
}

// find returns the block of a scope.
func (t *blockTree) find(scope int32) *block {
	x := t.d.node(scope)
	switch {
	case x.kind == "DILexicalBlockFile":
		return t.find(x.scope)
	case x.kind != "DILexicalBlock":
		return t.root
	}
	b := t.known[scope]
	if b == nil {
		b = &block{node: scope}
		t.known[scope] = b
		outer := t.find(x.scope)
		outer.inner = append(outer.inner, b)
	}
	return b
}

// place notes the code of each block.
func (t *blockTree) place(f *compiled) {
	for x, s := range t.d.spans(f) {
		for x.inlinedAt >= 0 {
			x = t.d.node(x.inlinedAt)
		}
		for scope := x.scope; scope >= 0; scope = t.d.node(scope).scope {
			b := t.known[scope]
			if b == nil {
				continue
			}
			if n := len(b.ranges); n > 0 && b.ranges[n-1].High == s.Low {
				b.ranges[n-1].High = s.High
			} else {
				b.ranges = append(b.ranges, s)
			}
		}
	}
}

// spans are the parts of a function's code that have a place in the source, with that place.
func (d *debug) spans(f *compiled) iter.Seq2[node, x86.Span] {
	return func(yield func(node, x86.Span) bool) {
		for i, l := range f.lines {
			s := x86.Span{Low: l.At, High: int32(f.size)}
			if i+1 < len(f.lines) {
				s.High = f.lines[i+1].At
			}
			if l.Loc >= 0 && s.Low < s.High && !yield(d.node(l.Loc), s) {
				return
			}
		}
	}
}

// variables writes the variables of a block, and the blocks in it.
func (d *debug) variables(f *compiled, b *block) {
	for _, v := range b.vars {
		d.variable(v)
	}
	for _, x := range b.inner {
		if len(x.ranges) == 0 {
			continue
		}
		if len(x.ranges) == 1 {
			d.info = uleb(d.info, abBlock)
			d.address(f.section, int64(x.ranges[0].Low))
			d.u32(uint32(x.ranges[0].High - x.ranges[0].Low))
		} else {
			d.info = uleb(d.info, abBlockRanges)
			d.offset(rangeLists, d.rangeList(f.section, x.ranges))
		}
		d.variables(f, x)
		d.info = append(d.info, 0)
	}
}

func (d *debug) variable(v shown) {
	x := d.node(v.node)
	number := uint64(abVariable)
	if x.arg > 0 {
		number = abParameter
	}
	if v.at == 0 {
		number += nowhere
	}
	d.info = uleb(d.info, number)
	d.described(v.node, x)
	if v.at == 0 {
		return
	}
	where := sleb([]byte{opFrameBase}, int64(v.at))
	if v.deref {
		where = append(where, opDeref)
	}
	d.info = append(uleb(d.info, uint64(len(where))), where...)
}

// described writes what entries of all variables have.
func (d *debug) described(n int32, x node) {
	d.string(x.name)
	d.info = uleb(d.info, uint64(d.fileNumber(n)))
	d.info = uleb(d.info, uint64(x.line))
	d.ref(x.typ)
}

// globals writes the entries of variables of the package.
func (d *debug) globals() {
	for i := range d.w.m.Vars {
		v := &d.w.m.Vars[i]
		if v.About < 0 {
			continue
		}
		n := d.node(v.About).typ
		x := d.node(n)
		d.info = uleb(d.info, abGlobal)
		d.described(n, x)
		d.info = append(d.info, 9, opAddress)
		d.address(d.w.sectionOf[v.Symbol].section, 0)
		for _, p := range x.list {
			d.need(d.node(p).typ) // of what is in interfaces
		}
	}
}

// Operations of DWARF.
const opAddress, opDeref, opFrameBase = 0x03, 0x06, 0x91

// types are the entries of types: they are written behind those that refer to them.
type typeEntries struct {
	places  map[int32]uint32
	waiting []int32
	refs    []typeRef
}

type typeRef struct {
	at   uint32
	node int32
}

// ref refers to a type.
func (d *debug) ref(n int32) {
	d.types.refs = append(d.types.refs, typeRef{uint32(len(d.info)), n})
	d.u32(0)
	d.need(n)
}

// need has a type described.
func (d *debug) need(n int32) {
	if _, ok := d.types.places[n]; !ok {
		d.types.places[n] = 0
		d.types.waiting = append(d.types.waiting, n)
	}
}

// describeTypes writes the types that were referred to, and those that they are made of.
func (d *debug) describeTypes() {
	for len(d.types.waiting) > 0 {
		n := d.types.waiting[0]
		d.types.waiting = d.types.waiting[1:]
		d.types.places[n] = uint32(len(d.info))
		d.typeEntry(d.node(n))
	}
	for _, r := range d.types.refs {
		binary.LittleEndian.PutUint32(d.info[r.at:], d.types.places[r.node])
	}
}

// encodings are DWARF's numbers of what a basic type is.
var encodings = map[string]byte{"boolean": 2, "complex_float": 3, "float": 4, "signed": 5, "unsigned": 7}

func (d *debug) typeEntry(x node) {
	begin := func(number uint64) {
		d.info = uleb(d.info, number)
		d.string(x.name)
	}
	switch {
	case x.tag == "unspecified_type":
		begin(abUnspecified)
	case x.kind == "DIBasicType":
		begin(abBase)
		d.info = append(d.info, encodings[x.encoding], byte(x.size/8))
	case x.tag == "pointer_type" && x.typ < 0:
		begin(abPointer)
	case x.tag == "pointer_type":
		begin(abPointerTo)
		d.ref(x.typ)
	case x.tag == "typedef":
		begin(abTypedef)
		d.ref(x.typ)
	case x.tag == "structure_type":
		begin(abStruct)
		d.info = uleb(d.info, uint64(x.size/8))
		d.members(x.list)
	case x.tag == "array_type":
		begin(abArray)
		d.ref(x.typ)
		for _, n := range x.list {
			d.info = uleb(uleb(d.info, abSubrange), uint64(d.node(n).count))
		}
		d.info = append(d.info, 0)
	case x.kind == "DISubroutineType":
		d.signature(x.list)
	default:
		code.Fail("the description of a type: %s %s", x.kind, x.tag)
	}
}

func (d *debug) members(list []int32) {
	for _, n := range list {
		x := d.node(n)
		d.info = uleb(d.info, abMember)
		d.string(x.name)
		d.ref(x.typ)
		d.info = uleb(d.info, uint64(x.offset/8))
	}
	d.info = append(d.info, 0)
}

// signature writes a function's type, of its result, if it has one, and its parameters.
func (d *debug) signature(list []int32) {
	if len(list) > 0 && list[0] >= 0 {
		d.info = uleb(d.info, abReturning)
		d.ref(list[0])
	} else {
		d.info = uleb(d.info, abSubroutine)
	}
	for _, n := range list[min(1, len(list)):] {
		if n >= 0 {
			d.info = uleb(d.info, abTaken)
			d.ref(n)
		}
	}
	d.info = append(d.info, 0)
}
