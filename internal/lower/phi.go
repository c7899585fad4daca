package lower

import (
	"fmt"
	"slices"

	"loam/internal/ir"
	"loam/internal/mid"
)

// Strings, slices, interfaces, small structs and several results at once are LLVM aggregates.
// LLVM's passes take apart aggregates that are loaded, stored and built, but not a phi of
// aggregates that has more than one use: behind such a phi it knows no length, no constant result
// and no induction variable, up to the choice of instructions. So there are phis of scalars only,
// and the aggregate is put together again behind them.

// ends are the ends of a function, and what flows into phis.
type ends struct {
	returns []returning       // ends of the function that have one return instruction in common
	end     *ir.Block         // that instruction is there
	parts   map[flow]ir.Value // parts of aggregates that flow into phis, see leafOf
}

// leaf is a scalar part of an aggregate type.
type leaf struct {
	path []int // as extractvalue takes it; that of a scalar is empty
	ll   *ir.Type
}

// leaves returns the scalar parts of the type ll in order.
func leaves(ll *ir.Type) (all []leaf) {
	var walk func(t *ir.Type, path []int)
	walk = func(t *ir.Type, path []int) {
		if !t.IsAggregate() {
			all = append(all, leaf{slices.Clone(path), t})
			return
		}
		for i := range t.Len() {
			walk(t.At(i), append(path, i))
		}
	}
	walk(ll, nil)
	return all
}

// phi gives name in block at the value of the edge by which it was entered. All blocks that edges
// come from have their terminators.
func (b *code) phi(at *ir.Block, name ir.Value, edges []ir.Edge) {
	parts := leaves(name.Type)
	if len(parts) == 0 || len(parts[0].path) == 0 {
		at.Phi(name, edges...)
		return
	}
	whole := ir.PoisonOf(name.Type)
	for i, l := range parts {
		in := make([]ir.Edge, len(edges))
		for k, e := range edges {
			in[k] = ir.Edge{Value: b.leafOf(e, l), From: e.From}
		}
		part := b.Fresh(l.ll)
		at.Phi(part, in...)
		to := name
		if i < len(parts)-1 {
			to = b.Fresh(name.Type)
		}
		at.HeadInsert(to, whole, part, l.path)
		whole = to
	}
}

// flow is a part of an aggregate that flows out of a block. Equal constants are spelled alike.
type flow struct {
	from  *ir.Block
	whole string
	path  string
}

// leafOf takes part l out of what flows along e, at the end of the block that e leaves: once, as a
// block that is left twice for the same one gives the same value both times.
func (b *code) leafOf(e ir.Edge, l leaf) ir.Value {
	if e.Value.IsZero() {
		return ir.Zero(l.ll)
	}
	key := flow{e.From, e.Value.String(), fmt.Sprint(l.path)}
	if v, ok := b.ends.parts[key]; ok {
		return v
	}
	v := b.Fresh(l.ll)
	e.From.ExtractBeforeEnd(v, e.Value, l.path)
	if b.ends.parts == nil {
		b.ends.parts = map[flow]ir.Value{}
	}
	b.ends.parts[key] = v
	return v
}

// join returns a phi at the head of the block that is being written.
func (b *code) join(ll *ir.Type, edges ...ir.Edge) ir.Value {
	v := b.Fresh(ll)
	b.phi(b.Cur, v, edges)
	return v
}

// leave ends a function with the results vals, which are in no memory. Several such ends of results
// that are aggregates become one: if each returned its own aggregate, LLVM would join those.
func (b *code) leave(vals []ir.Value) {
	if b.Cur.Done {
		return
	}
	if b.sig.ret.IsStruct() && countReturns(b.f) > 1 {
		b.ends.returns = append(b.ends.returns, returning{vals, b.Cur})
		if b.ends.end == nil {
			b.ends.end = ir.DetachedBlock("return")
		}
		b.Br(b.ends.end)
		return
	}
	b.returnValues(vals)
}

// returning is one of several ends of a function.
type returning struct {
	vals []ir.Value
	from *ir.Block
}

// emitReturn writes the common end that leave promised.
func (b *code) emitReturn() {
	if len(b.ends.returns) == 0 {
		return
	}
	b.Append(b.ends.end)
	b.Cur = b.ends.end
	vals := make([]ir.Value, len(b.sig.results))
	for i, t := range b.sig.results {
		var edges []ir.Edge
		for _, r := range b.ends.returns {
			edges = append(edges, ir.Edge{Value: r.vals[i], From: r.from})
		}
		vals[i] = b.join(b.m.lltype(t), edges...)
	}
	b.returnValues(vals)
}

// returnValues writes the ret instruction. Values without scalars are left out: LLVM's SLP
// vectorizer crashes where empty structs are put into a struct of such.
func (b *code) returnValues(vals []ir.Value) {
	if len(vals) == 1 {
		b.Ret(vals[0])
		return
	}
	v := ir.PoisonOf(b.sig.ret)
	for i, r := range vals {
		if b.m.info(b.sig.results[i]).leaves == 0 {
			continue
		}
		v = b.InsertAt(v, r, i)
	}
	b.Ret(v)
}

func countReturns(f *mid.Func) int {
	n := 0
	for _, blk := range f.Body() {
		if _, ok := blk.Instrs[len(blk.Instrs)-1].(*mid.Return); ok {
			n++
		}
	}
	return n
}
