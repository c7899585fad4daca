package mid

import (
	"go/token"
	"go/types"
	"slices"
)

// Guard has call, whose callee is not known, call that function directly if it is the one: a method
// of the type that the interface holds, or the func value. Otherwise the call is what it was, in
// a branch of its own. The direct call is returned.
func Guard(call *Call, callee *Func) *Call {
	f := call.Parent()
	head, tail := f.cut(call)
	direct, other := NewBlock(Plain), NewBlock(Plain)
	f.Own(direct)
	f.Own(other)
	g := guard{call}
	args := call.Call.Args
	var is Value
	if first := len(head.Instrs); call.Call.IsInvoke() {
		recv := callee.Signature.Recv().Type()
		both := types.NewTuple(types.NewVar(token.NoPos, nil, "", recv), types.NewVar(token.NoPos, nil, "", types.Typ[types.Bool]))
		held := g.add(head, &TypeAssert{X: call.Call.Value, AssertedType: recv, CommaOk: true}, both)
		is = g.add(head, &Extract{Tuple: held, Index: 1}, types.Typ[types.Bool])
		args = slices.Insert(slices.Clone(args), 0, g.add(direct, &Extract{Tuple: held, Index: 0}, recv))
		f.moveNotes(call, head.Instrs[first])
	} else {
		is = g.add(head, &BinOp{Op: token.EQL, X: call.Call.Value, Y: callee}, types.Typ[types.Bool])
		f.moveNotes(call, head.Instrs[first])
	}
	branch := &If{Cond: is}
	branch.pos, branch.site = call.pos, call.site
	head.Append(branch)
	AddUses(branch)
	link(head, direct)
	link(head, other)

	known := &Call{Call: CallCommon{Value: callee, Args: slices.Clone(args), pos: call.Call.pos}}
	g.add(direct, known, call.typ)
	unknown := call.copy().(*Call)
	unknown.refs = nil
	g.add(other, unknown, call.typ)
	g.join(known, unknown, tail)
	for _, b := range []*Block{direct, other} {
		leave := &Jump{}
		leave.pos, leave.site = call.pos, call.site
		b.Append(leave)
		link(b, tail)
	}
	dropUses(call)
	i := slices.Index(f.blocks, head)
	f.SetBody(slices.Insert(slices.Clone(f.blocks), i+1, direct, other, tail), f.recover)
	return known
}

// cut divides the block of call, which is in neither part then. What comes before call is in a new
// block, which f has where it had the whole; what follows stays where it is, in a block that f does
// not have now. Calls are cut off from the first one to the last, so that what moves is short.
func (f *Func) cut(call *Call) (head, tail *Block) {
	tail = call.block
	at := slices.Index(tail.Instrs, Instr(call))
	head = &Block{Index: tail.Index, Role: tail.Role, Instrs: slices.Clone(tail.Instrs[:at]), Preds: tail.Preds, parent: f,
		idom: tail.idom, domPre: tail.domPre, domPost: tail.domPost}
	for _, in := range head.Instrs {
		in.common().block = head
	}
	for _, p := range head.Preds {
		for i, s := range p.Succs {
			if s == tail {
				p.Succs[i] = head
			}
		}
	}
	tail.Role, tail.Instrs, tail.Preds = Plain, tail.Instrs[at+1:], nil
	tail.idom, tail.domPre, tail.domPost = nil, 0, 0
	f.blocks[slices.Index(f.blocks, tail)] = head
	if f.recover == tail {
		f.recover = head
	}
	return head, tail
}

// guard makes what stands for a call.
type guard struct{ call *Call }

// add appends in, whose result has type t, to b.
func (g guard) add(b *Block, in Register, t types.Type) Value {
	in.SetType(t)
	in.common().pos, in.common().site = g.call.pos, g.call.site
	b.Append(in)
	AddUses(in)
	return in
}

// join gives the results of the two calls, before their blocks end, to what uses the first one's.
func (g guard) join(known, unknown *Call, tail *Block) {
	n := g.call.Call.Signature().Results().Len()
	results := make([]Value, n)
	phis := make([]Instr, n)
	for i := range n {
		t := g.call.Call.Signature().Results().At(i).Type()
		edges := []Value{known, unknown}
		if n > 1 {
			for k, c := range []*Call{known, unknown} {
				edges[k] = g.add(c.block, &Extract{Tuple: c, Index: i}, t)
			}
		}
		phi := &Phi{Edges: edges}
		phi.block, phi.site, phi.typ = tail, g.call.site, t
		phi.number = g.call.Parent().numbers
		g.call.Parent().numbers++
		AddUses(phi)
		phis[i], results[i] = phi, phi
	}
	tail.Instrs = append(phis, tail.Instrs...)
	giveResults(g.call, results)
}

// CallDirectly has call, of a method through an interface, call callee, which is that method, with
// recv, which the interface holds.
func CallDirectly(call *Call, callee *Func, recv Value) {
	removeUse(call.Call.Value, call)
	call.Call.Value, call.Call.Method = callee, nil
	call.Call.Args = slices.Insert(slices.Clone(call.Call.Args), 0, recv)
	addUse(recv, call)
}

// LoadBefore returns what is loaded from p ahead of in.
func LoadBefore(in Instr, p Value) Value {
	load := &UnOp{Op: token.MUL, X: p}
	load.typ = p.Type().Underlying().(*types.Pointer).Elem()
	insertBefore(in, load)
	return load
}

// InterfaceBefore returns an interface of type t, made ahead of in, that holds x.
func InterfaceBefore(in Instr, x Value, t types.Type) Value {
	made := &MakeInterface{X: x}
	made.typ = t
	insertBefore(in, made)
	return made
}

// insertBefore puts made, which has its operands, ahead of in.
func insertBefore(in Instr, made Register) {
	b := in.Block()
	c := made.common()
	c.block, c.pos, c.site = b, in.Pos(), in.Site()
	made.reg().number = b.parent.numbers
	b.parent.numbers++
	AddUses(made)
	b.Instrs = slices.Insert(slices.Clone(b.Instrs), slices.Index(b.Instrs, in), Instr(made))
	b.parent.moveNotes(in, made)
}
