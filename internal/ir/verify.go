package ir

import (
	"fmt"
	"slices"
)

// Verify tells what LLVM would find wrong with the function, and what it would take but nobody can
// mean: operands whose types do not agree, arguments that the callee does not have, values that
// nothing defines or that are used where their definition need not have been, phis that do not have
// one operand for each way into their block. params are the function's parameters, ret is the type
// of its result.
func (f *Func) Verify(params []Parameter, ret *Type) error {
	v := &verifier{f: f, ret: ret, defined: map[Value]*Block{}, blocks: map[*Block]int{}, preds: map[*Block]map[*Block]bool{}}
	seen := map[Value]bool{}
	for _, p := range params {
		v.defined[key(p.Value)], seen[key(p.Value)] = &f.entry, true
	}
	return v.run(seen)
}

type verifier struct {
	f       *Func
	ret     *Type
	defined map[Value]*Block // by what defines a value
	blocks  map[*Block]int
	preds   map[*Block]map[*Block]bool
	idom    map[*Block]*Block // what every way from the entry leads through last
	at      *Block
	err     error
}

// key is the same for all Values of one name.
func key(v Value) Value {
	v.Type = nil
	return v
}

func (v *verifier) each(do func(b *Block, in *Inst)) {
	for _, b := range append([]*Block{&v.f.entry}, v.f.blocks...) {
		v.at = b
		for _, list := range b.lists() {
			for i := range list {
				do(b, &list[i])
			}
		}
	}
}

// run checks the function. seen has what was defined so far, in the order of the text.
func (v *verifier) run(seen map[Value]bool) error {
	if len(v.f.blocks) == 0 {
		return fmt.Errorf("ir: a function without blocks")
	}
	for i, b := range v.f.blocks {
		v.blocks[b] = i
		v.preds[b] = map[*Block]bool{}
	}
	v.preds[v.f.blocks[0]][&v.f.entry] = true
	v.each(func(b *Block, in *Inst) {
		if in.result.IsSet() {
			if v.defined[key(in.result)] != nil {
				v.fail(in, "%v is defined twice", in.result)
			}
			v.defined[key(in.result)] = b
		}
		if in.op.isTerminator() {
			for _, to := range in.to {
				if v.preds[to] == nil {
					v.fail(in, "goes to %s, which is not in the function", to.Label())
					return
				}
				v.preds[to][b] = true
			}
		}
	})
	if v.err != nil {
		return v.err
	}
	v.findDominators()
	v.each(func(b *Block, in *Inst) {
		v.inst(b, in, seen)
		if in.result.IsSet() {
			seen[key(in.result)] = true
		}
	})
	return v.err
}

func (v *verifier) fail(in *Inst, format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("ir: in block %s: %s: %s", v.at.Label(), text(in.print), fmt.Sprintf(format, args...))
	}
}

// inst checks one instruction of b. seen has what was defined before it, in the order of the text.
func (v *verifier) inst(b *Block, in *Inst, seen map[Value]bool) {
	if v.err != nil {
		return
	}
	for _, x := range in.args {
		if !x.IsSet() || x.Type == nil {
			v.err = fmt.Errorf("ir: in block %s: %s: an operand is missing", b.Label(), in.op)
			return
		}
		if !x.IsLocal() {
			continue
		}
		from := v.defined[key(x)]
		switch {
		case from == nil:
			v.fail(in, "%v is not defined", x)
		case in.op == Phi:
			continue
		case from == b && !seen[key(x)], from != b && !v.dominates(from, b):
			v.fail(in, "%v is used before it is defined", x)
		}
	}
	if in.op.isTerminator() != (b.Done && len(b.body) > 0 && in == &b.body[len(b.body)-1]) {
		v.fail(in, "terminators are at the ends of blocks")
	}
	if why := v.types(b, in); why != "" {
		v.fail(in, "%s", why)
	}
}

// types tells what is wrong with the operands' types.
func (v *verifier) types(b *Block, in *Inst) string {
	args := in.args
	same := func() string {
		if args[0].Type != args[1].Type {
			return fmt.Sprintf("operands of types %v and %v", args[0].Type, args[1].Type)
		}
		return ""
	}
	pointer := func(p Value) string {
		if !p.Type.IsPtr() {
			return fmt.Sprintf("%v is no pointer", p)
		}
		return ""
	}
	switch {
	case in.op.isBinary(), in.op == ICmp, in.op == FCmp:
		if float := FAdd <= in.op && in.op <= FDiv || in.op == FCmp; float != args[0].Type.IsFloat() {
			return fmt.Sprintf("operands of type %v", args[0].Type)
		}
		return same()
	case in.op.isCast():
		return castFault(in.op, args[0].Type, in.typ)
	}
	switch in.op {
	case Select:
		if args[0].Type != I1 || args[1].Type != args[2].Type {
			return "select takes a bit and two values of one type"
		}
	case Load:
		return pointer(args[0])
	case Store:
		return pointer(args[1])
	case GetElementPtr, AtomicRMW, CmpXchg:
		return pointer(args[0])
	case ExtractValue:
		if t := args[0].Type.within(in.path); t == nil || t != in.result.Type {
			return "no such part"
		}
	case InsertValue:
		if t := args[0].Type.within(in.path); t != args[1].Type {
			return fmt.Sprintf("the part has type %v", t)
		}
	case Call:
		if in.call == nil || in.call.Asm == nil {
			if why := pointer(args[0]); why != "" {
				return why
			}
			return callFault(in, args[0].Global())
		}
	case CondBr:
		if args[0].Type != I1 {
			return "the condition is no bit"
		}
	case Ret:
		t := Void
		if len(args) > 0 {
			t = args[0].Type
		}
		if t != v.ret {
			return fmt.Sprintf("the function's result is %v", v.ret)
		}
	case Phi:
		return v.phi(b, in)
	}
	return ""
}

func (v *verifier) phi(b *Block, in *Inst) string {
	froms := map[*Block]bool{}
	for i, x := range in.args {
		if x.Type != in.result.Type {
			return fmt.Sprintf("%v has type %v", x, x.Type)
		}
		if !v.preds[b][in.to[i]] {
			return fmt.Sprintf("block %s does not lead here", in.to[i].Label())
		}
		if x.IsLocal() && !v.dominates(v.defined[key(x)], in.to[i]) {
			return fmt.Sprintf("%v is not defined at the end of %s", x, in.to[i].Label())
		}
		froms[in.to[i]] = true
	}
	if len(froms) != len(v.preds[b]) {
		return "some way into the block has no operand"
	}
	return ""
}

// castFault tells why op does not convert from one type to another.
func castFault(op Op, from, to *Type) string {
	ok := true
	switch op {
	case Trunc:
		ok = from.IsInt() && to.IsInt() && from.bits > to.bits
	case ZExt, SExt:
		ok = from.IsInt() && to.IsInt() && from.bits < to.bits
	case FPTrunc:
		ok = from == Double && to == Float
	case FPExt:
		ok = from == Float && to == Double
	case FPToSI, FPToUI:
		ok = from.IsFloat() && to.IsInt()
	case SIToFP, UIToFP:
		ok = from.IsInt() && to.IsFloat()
	case PtrToInt:
		ok = from.IsPtr() && to.IsInt()
	case IntToPtr:
		ok = from.IsInt() && to.IsPtr()
	}
	if !ok {
		return fmt.Sprintf("no conversion of %v", from)
	}
	return ""
}

// callFault tells how a call differs from what is known of the callee.
func callFault(in *Inst, g *Global) string {
	var ret *Type
	var params []*Type
	switch {
	case g == nil:
		return ""
	case g.def != nil && g.def.Func != nil:
		ret = g.def.Func.Ret
		for _, p := range g.def.Func.Params {
			params = append(params, p.Type)
		}
	case g.decl != nil && g.decl.Ret != nil:
		ret = g.decl.Ret
		for _, p := range g.decl.Params {
			params = append(params, p.Type)
		}
	default:
		return ""
	}
	var args []*Type
	for _, x := range in.args[1:] {
		args = append(args, x.Type)
	}
	if want := scalars(params); in.typ != ret || !slices.Equal(scalars(args), want) {
		return fmt.Sprintf("%s returns %v and takes %v", g.name, ret, want)
	}
	return ""
}

// scalars are the types of what values travel as: an aggregate as its parts.
func scalars(list []*Type) (all []*Type) {
	for _, t := range list {
		if !t.IsAggregate() {
			all = append(all, t)
			continue
		}
		for i := range t.Len() {
			all = append(all, scalars([]*Type{t.At(i)})...)
		}
	}
	return all
}

// findDominators finds the immediate dominators (Cooper, Harvey and Kennedy's algorithm). Blocks
// that no way leads to have none.
func (v *verifier) findDominators() {
	entry := &v.f.entry
	number, order := map[*Block]int{}, []*Block{} // postorder
	type visit struct {
		b    *Block
		next []*Block
	}
	work, seen := []visit{{entry, v.f.blocks[:1]}}, map[*Block]bool{entry: true}
	for len(work) > 0 {
		top := &work[len(work)-1]
		if len(top.next) == 0 {
			number[top.b] = len(order)
			order = append(order, top.b)
			work = work[:len(work)-1]
			continue
		}
		b := top.next[0]
		top.next = top.next[1:]
		if !seen[b] {
			seen[b] = true
			var succs []*Block
			if b.Done {
				succs = b.body[len(b.body)-1].to
			}
			work = append(work, visit{b, succs})
		}
	}
	v.idom = map[*Block]*Block{entry: entry}
	meet := func(a, b *Block) *Block {
		for a != b {
			for number[a] < number[b] {
				a = v.idom[a]
			}
			for number[b] < number[a] {
				b = v.idom[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(order[:len(order)-1]) {
			var dom *Block
			for p := range v.preds[b] {
				switch {
				case v.idom[p] == nil:
				case dom == nil:
					dom = p
				default:
					dom = meet(dom, p)
				}
			}
			if v.idom[b] != dom {
				v.idom[b], changed = dom, true
			}
		}
	}
}

// dominates reports whether every way to b, if there is one, leads through a.
func (v *verifier) dominates(a, b *Block) bool {
	if v.idom[b] == nil {
		return true
	}
	for b != a && b != &v.f.entry {
		b = v.idom[b]
	}
	return b == a
}
