package syntax

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"loam/internal/mid"
)

// Variables become values while the code is made (Braun et al., Simple and Efficient Construction
// of Static Single Assignment Form, 2013): each block knows what variables hold where it ends. A
// block asks those before it; where they differ, a phi takes their answers. While not all ways into
// a block are known, as at the head of a loop, its phis wait. A variable that is set nowhere
// between a block and the one that dominates it holds the same in both, so functions of many
// branches and variables have no phis but those that they need.

// block is a block while its function is being built.
type block struct {
	b       *mid.Block
	sealed  bool // all that lead to it are known
	phis    []*mid.Phi
	waiting []waiting
	at      int // index in the builder's list

	// Each setting of a variable moves a clock on.
	above *block // its immediate dominator, nil if that is not known
	far   *block // one of its dominators, for leaps; nil where above is
	depth int    // dominators above
	ended int    // when control left it
	whole int    // when all that lead to it were known
}

// waiting is a phi whose operands are not known.
type waiting struct {
	phi *mid.Phi
	v   *local
}

// local is a variable of the function, of the source or of a construct.
type local struct {
	typ    types.Type
	pos    token.Pos
	addr   mid.Value // where it is, if it is in memory
	once   bool      // it is set where it is declared only
	value  mid.Value // if once
	last   *block    // where it was set or read last
	held   mid.Value // there
	values map[*block]mid.Value
	sets   []int      // when it was set
	object *types.Var // nil for what constructs need
}

// newBlock makes a block that is not known to be complete.
func (b *code) newBlock() *block {
	made := &block{b: mid.NewBlock(mid.Plain), at: len(b.blocks)}
	made.b.Index = made.at
	b.f.Own(made.b)
	b.blocks = append(b.blocks, made)
	return made
}

// edge has control go from one block to another.
func (b *code) edge(from, to *block) {
	if to.sealed {
		panic("syntax: an edge to a block that is complete")
	}
	from.ended = b.p.clock
	from.b.Succs = append(from.b.Succs, to.b)
	to.b.Preds = append(to.b.Preds, from.b)
}

// jump ends the current block with a jump.
func (b *code) jump(to *block) {
	if b.cur == nil {
		return
	}
	from := b.cur
	b.emit(&mid.Jump{}, token.NoPos)
	b.edge(from, to)
	b.cur = nil
}

// branch ends the current block by a condition.
func (b *code) branch(cond mid.Value, yes, no *block, pos token.Pos) {
	if b.cur == nil {
		return
	}
	from := b.cur
	b.emit(&mid.If{Cond: cond}, pos)
	b.edge(from, yes)
	b.edge(from, no)
	b.cur = nil
}

// enter goes on in a block that nothing else will lead to.
func (b *code) enter(to *block) {
	b.seal(to)
	b.cur = to
	if len(to.b.Preds) == 0 {
		b.cur = nil
	}
}

// open goes on in a block that more will lead to, from code that it leads to.
func (b *code) open(to *block) {
	to.placeUnder(b)
	b.cur = to
}

// maxWays is of how many blocks the common dominator is looked for.
const maxWays = 64

// placeUnder notes the dominator of a block of b by the ways into it that are known.
func (to *block) placeUnder(b *code) {
	n := len(to.b.Preds)
	if to.above != nil || n == 0 || n > maxWays || b.scan != nil && len(b.scan.gotos) > 0 {
		return
	}
	common := b.blocks[to.b.Preds[0].Index]
	for _, p := range to.b.Preds[1:] {
		if common = nearest(common, b.blocks[p.Index]); common == nil {
			return
		}
	}
	to.above, to.far, to.depth = common, common, common.depth+1
	if far := common.far; far != nil && far.far != nil && common.depth-far.depth == far.depth-far.far.depth {
		to.far = far.far
	}
}

// nearest returns the nearest block that dominates a and b, or is one of them; nil if none is
// known. The work is the logarithm of the depth: two leaps of the same length are followed by one
// of twice and one more, so that how far a block leaps depends on its depth alone. (Myers, An
// Applicative Random-Access Stack.)
func nearest(a, b *block) *block {
	if a.depth < b.depth {
		a, b = b, a
	}
	for a.depth > b.depth {
		if a.far.depth >= b.depth {
			a = a.far
		} else {
			a = a.above
		}
	}
	for a != b {
		if a.depth == 0 {
			return nil
		}
		if a.far != b.far {
			a, b = a.far, b.far
		} else {
			a, b = a.above, b.above
		}
	}
	return a
}

// noteSet notes that v is set now.
func (v *local) noteSet(p *Program) {
	p.clock++
	v.sets = append(v.sets, p.clock)
}

// sameAbove reports whether v holds where at begins what it holds where its dominator ends.
func (v *local) sameAbove(at *block) bool {
	if at.above == nil {
		return false
	}
	i, _ := slices.BinarySearch(v.sets, at.above.ended+1)
	return i == len(v.sets) || v.sets[i] > at.whole
}

// seal gives the phis of a block their operands.
func (b *code) seal(to *block) {
	if to.sealed {
		return
	}
	to.sealed = true
	to.whole = b.p.clock
	to.placeUnder(b)
	for _, w := range to.waiting {
		b.complete(to, w.phi, w.v)
	}
	to.waiting = nil
}

// set gives a variable that is in no memory a value.
func (b *code) set(v *local, x mid.Value) {
	if v.once {
		v.value = x
		return
	}
	v.noteSet(b.p)
	b.hold(v, b.current(), x)
}

func (b *code) hold(v *local, at *block, x mid.Value) {
	if v.last != nil && v.last != at {
		if v.values == nil {
			v.values = map[*block]mid.Value{}
		}
		v.values[v.last] = v.held
	}
	v.last, v.held = at, x
}

func (v *local) in(at *block) mid.Value {
	if v.last == at {
		return v.held
	}
	return v.values[at]
}

// get returns the value of a variable that is in no memory.
func (b *code) get(v *local) mid.Value {
	if v.once {
		if v.value == nil { // in code that control does not get to
			return zero(v.typ)
		}
		return b.resolve(v.value)
	}
	return b.read(v, b.current())
}

// maxWay is how many blocks are gone through until one of them is told what the variable holds.
const maxWay = 64

// read returns what v holds where a block ends, as far as it has been made.
func (b *code) read(v *local, at *block) mid.Value {
	way := []*block{at}
	var x mid.Value
	for n := 1; ; n++ {
		if x = v.in(at); x != nil {
			x = b.resolve(x)
			break
		}
		if !at.sealed {
			phi := b.newPhi(v, at)
			at.waiting = append(at.waiting, waiting{phi, v})
			x = phi
			break
		}
		if len(at.b.Preds) == 0 {
			x = zero(v.typ)
			break
		}
		if len(at.b.Preds) > 1 && !v.sameAbove(at) {
			phi := b.newPhi(v, at)
			b.hold(v, at, phi)
			x = b.complete(at, phi, v)
			break
		}
		if n%maxWay == 0 {
			way = append(way, at)
		}
		if len(at.b.Preds) > 1 {
			at = at.above
		} else {
			at = b.blocks[at.b.Preds[0].Index]
		}
	}
	b.hold(v, at, x)
	for _, w := range slices.Backward(way) {
		b.hold(v, w, x)
	}
	return x
}

func (b *code) newPhi(v *local, at *block) *mid.Phi {
	phi := &mid.Phi{}
	phi.SetType(v.typ)
	phi.SetPos(v.pos)
	at.phis = append(at.phis, phi)
	mid.Place(phi, at.b)
	return phi
}

// complete gives a phi its operands, and returns what it is: something else if they are all that.
func (b *code) complete(at *block, phi *mid.Phi, v *local) mid.Value {
	edges := make([]mid.Value, len(at.b.Preds))
	for i, p := range at.b.Preds {
		edges[i] = b.read(v, b.blocks[p.Index])
	}
	for i := range edges {
		edges[i] = b.resolve(edges[i])
	}
	phi.Edges = edges
	mid.AddUses(phi)
	return b.reduce(phi)
}

// reduce puts the operand of a phi that has only one in its place, and returns what the phi is.
func (b *code) reduce(phi *mid.Phi) mid.Value {
	var only mid.Value
	for _, e := range phi.Edges {
		if e == only || e == mid.Value(phi) {
			continue
		}
		if only != nil {
			return phi
		}
		only = e
	}
	if only == nil {
		only = zero(phi.Type())
	}
	b.forward(phi, only)
	return b.resolve(only)
}

// forward has another value take the place of a phi.
func (b *code) forward(phi *mid.Phi, x mid.Value) {
	users := slices.Clone(phi.Referrers())
	mid.DropUses(phi)
	phi.Edges = nil
	mid.Forward(phi, x)
	if b.forwarded == nil {
		b.forwarded = map[mid.Value]mid.Value{}
	}
	b.forwarded[phi] = x
	for _, u := range users {
		if other, ok := u.(*mid.Phi); ok && other != phi && len(other.Edges) > 0 {
			if _, gone := b.forwarded[other]; !gone {
				b.reduce(other)
			}
		}
	}
}

// resolve returns what has taken the place of x.
func (b *code) resolve(x mid.Value) mid.Value {
	if b.forwarded == nil {
		return x
	}
	for {
		to, ok := b.forwarded[x]
		if !ok {
			return x
		}
		x = to
	}
}

// zero is the zero value of t.
func zero(t types.Type) mid.Value {
	if basic, ok := t.Underlying().(*types.Basic); ok {
		switch info := basic.Info(); {
		case info&types.IsNumeric != 0:
			return mid.NewConst(constant.MakeInt64(0), t)
		case info&types.IsString != 0:
			return mid.NewConst(constant.MakeString(""), t)
		case info&types.IsBoolean != 0:
			return mid.NewConst(constant.MakeBool(false), t)
		}
	}
	return mid.NewConst(nil, t)
}

// finish gives the function its body: the blocks that control gets to.
func (b *code) finish() {
	for _, x := range b.blocks {
		b.seal(x)
	}
	order, live := b.reachable()
	for _, x := range b.blocks {
		if !live[x.at] {
			b.dropUses(x)
		}
	}
	for _, x := range order {
		b.dropDead(x, live)
	}
	b.straighten(order, live)
	list := make([]*mid.Block, 0, len(order))
	for _, x := range order {
		if live[x.at] {
			b.placePhis(x)
			list = append(list, x.b)
		}
	}
	for _, n := range b.notes {
		n.X = b.resolve(n.X)
	}
	var recovered *mid.Block
	if b.recovered != nil {
		recovered = b.recovered.b
	}
	b.f.Number(list)
	if b.around != nil {
		// Passes see it when it is asked for.
		b.p.makes[b.f] = func(f *mid.Func) { f.SetBody(list, recovered) }
		return
	}
	b.f.SetBody(list, recovered)
}

// dropUses has what x's instructions use forget them.
func (b *code) dropUses(x *block) {
	for _, in := range x.b.Instrs {
		mid.DropUses(in)
		b.f.DropNotes(in)
	}
	for _, phi := range x.phis {
		if _, gone := b.forwarded[phi]; !gone {
			mid.DropUses(phi)
		}
	}
}

// placePhis puts the phis that are left at the head of their block.
func (b *code) placePhis(x *block) {
	var phis []mid.Instr
	for _, phi := range x.phis {
		if _, gone := b.forwarded[phi]; !gone {
			phis = append(phis, phi)
		}
	}
	if phis != nil {
		x.b.Instrs = append(phis, x.b.Instrs...)
	}
}

// reachable returns the blocks that control gets to, in an order in which each follows those that
// lead to it but for loops, and tells by place which these are.
func (b *code) reachable() (list []*block, live []bool) {
	live = make([]bool, len(b.blocks))
	list = b.walk(list, b.blocks[0], live)
	if b.recovered != nil {
		list = append(list, b.walk(nil, b.recovered, live)...)
	}
	return list, live
}

// walk returns the blocks that control gets to from one, in reverse postorder.
func (b *code) walk(list []*block, from *block, live []bool) []*block {
	type visit struct {
		x    *block
		left int // successors that have not been looked at
	}
	live[from.at] = true
	path := []visit{{from, len(from.b.Succs)}}
	for len(path) > 0 {
		v := &path[len(path)-1]
		if v.left == 0 {
			list = append(list, v.x)
			path = path[:len(path)-1]
			continue
		}
		v.left--
		if s := v.x.b.Succs[v.left]; !live[s.Index] {
			live[s.Index] = true
			to := b.blocks[s.Index]
			path = append(path, visit{to, len(to.b.Succs)})
		}
	}
	slices.Reverse(list)
	return list
}

// dropDead takes away the ways into a block that come from dead code.
func (b *code) dropDead(x *block, live []bool) {
	dead := func(p *mid.Block) bool { return !live[p.Index] }
	if !slices.ContainsFunc(x.b.Preds, dead) {
		return
	}
	for _, phi := range x.phis {
		if _, gone := b.forwarded[phi]; gone {
			continue
		}
		mid.DropUses(phi)
		var edges []mid.Value
		for i, e := range phi.Edges {
			if !dead(x.b.Preds[i]) {
				edges = append(edges, e)
			}
		}
		phi.Edges = edges
		mid.AddUses(phi)
	}
	x.b.Preds = slices.DeleteFunc(x.b.Preds, dead)
	for _, phi := range x.phis {
		if _, gone := b.forwarded[phi]; !gone {
			b.reduce(phi)
		}
	}
	if x.b.Role == mid.LogicEnd && len(x.b.Preds) == 1 {
		x.b.Role = mid.Plain // one operand is the value
	}
}

// hasPhis reports whether phis are left in x.
func (b *code) hasPhis(x *block) bool {
	return slices.ContainsFunc(x.phis, func(phi *mid.Phi) bool { _, gone := b.forwarded[phi]; return !gone })
}

// straighten joins blocks with the one that alone leads to them, and leaves out those that do
// nothing. What has gone is no more in live.
func (b *code) straighten(order []*block, live []bool) {
	for _, x := range order {
		b.bypass(x, live)
	}
	for _, x := range order {
		if !live[x.at] {
			continue
		}
		for len(x.b.Succs) == 1 {
			next := b.blocks[x.b.Succs[0].Index]
			if len(next.b.Preds) != 1 || next == x || next.at == 0 || next == b.recovered || b.hasPhis(next) {
				break
			}
			last := x.b.Instrs[len(x.b.Instrs)-1]
			if len(next.b.Instrs) > 0 {
				b.f.MoveNotes(last, next.b.Instrs[0])
			}
			x.b.Instrs = append(x.b.Instrs[:len(x.b.Instrs)-1], next.b.Instrs...)
			for _, in := range next.b.Instrs {
				mid.Place(in, x.b)
			}
			x.b.Succs = next.b.Succs
			for _, s := range x.b.Succs {
				for i, p := range s.Preds {
					if p == next.b {
						s.Preds[i] = x.b
					}
				}
			}
			if next.b.Role != mid.Plain && next.b.Role != mid.LogicEnd {
				x.b.Role = next.b.Role
			}
			live[next.at] = false
		}
	}
}

// maxBypass is how much work it may be to leave out a block.
const maxBypass = 1 << 16

// bypass has what leads to x, a block that only jumps, lead to where it jumps.
func (b *code) bypass(x *block, live []bool) {
	plain := len(x.b.Instrs) == 1 && len(x.b.Succs) == 1 && len(x.b.Preds) > 0 && x.b.Role == mid.Plain
	if !plain || x.at == 0 || x == b.recovered || b.hasPhis(x) {
		return
	}
	jump := x.b.Instrs[0]
	next := b.blocks[x.b.Succs[0].Index]
	if next == x || len(b.f.Notes(jump)) > 0 {
		return
	}
	phis := b.hasPhis(next)
	if phis && len(x.b.Preds)*len(next.b.Preds) > maxBypass {
		return
	}
	for _, p := range x.b.Preds {
		if phis && slices.Contains(next.b.Preds, p) || slices.Contains(p.Succs, next.b) || count(p.Succs, x.b) > 1 {
			return
		}
	}
	if next.b.Role == mid.RangeHead && len(x.b.Preds) > 1 {
		return
	}
	at := slices.Index(next.b.Preds, x.b)
	next.b.Preds = slices.Replace(next.b.Preds, at, at+1, x.b.Preds...)
	for _, phi := range next.phis {
		if _, gone := b.forwarded[phi]; gone {
			continue
		}
		mid.DropUses(phi)
		same := slices.Repeat([]mid.Value{phi.Edges[at]}, len(x.b.Preds))
		phi.Edges = slices.Replace(phi.Edges, at, at+1, same...)
		mid.AddUses(phi)
	}
	for _, p := range x.b.Preds {
		p.Succs[slices.Index(p.Succs, x.b)] = next.b
	}
	live[x.at] = false
}

func count(list []*mid.Block, x *mid.Block) (n int) {
	for _, y := range list {
		if y == x {
			n++
		}
	}
	return n
}

// putVar gives a local variable a value.
func (b *code) putVar(l *local, x mid.Value, pos token.Pos) {
	if l.addr != nil {
		b.note(l.object, l.addr, true, pos)
		b.store(b.resolve(l.addr), x, pos)
		return
	}
	x = b.convert(x, l.typ, pos)
	b.set(l, x)
	b.note(l.object, x, false, pos)
}
