package mid

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
)

// Checking says that bodies are verified as they are made and behind each pass (LOAMVERIFY=1).
var Checking = os.Getenv("LOAMVERIFY") != ""

// Check panics if f is not well formed, unless nobody wants to know. step is what has been done to
// f last.
func Check(f *Func, step string) {
	if !Checking {
		return
	}
	if err := f.Verify(); err != nil {
		panic(fmt.Sprintf("mid: %s after %s: %v\n%s", f, step, err, f.Text()))
	}
}

// Verify tells in what f is not well formed: blocks that do not end as they must or do not know
// their neighbours, phis that do not have an operand for each way into their block, operands that
// are missing, that need not have been computed, or whose types do not fit, values that do not know
// their uses. Types are not looked at in generic functions.
func (f *Func) Verify() error {
	v := &verifier{f: f, at: map[Instr]int{}, uses: map[Value]map[Instr]int{}}
	for top := f; ; top = top.Of.Parent {
		if top.Of.Parent == nil {
			v.typed = !top.IsGeneric()
			break
		}
	}
	for i, b := range f.blocks {
		if b.Index != i || b.parent != f {
			return fmt.Errorf("block %d is numbered b%d of %v", i, b.Index, b.parent)
		}
		for k, in := range b.Instrs {
			if in.Block() != b {
				return fmt.Errorf("b%d: instruction %d is in another block", i, k)
			}
			if _, twice := v.at[in]; twice {
				return fmt.Errorf("b%d: instruction %d is there twice", i, k)
			}
			v.at[in] = k
		}
	}
	for _, b := range f.blocks {
		if err := v.block(b); err != nil {
			return fmt.Errorf("b%d: %v", b.Index, err)
		}
	}
	return v.referrers()
}

type verifier struct {
	f     *Func
	typed bool
	at    map[Instr]int           // places in their blocks
	uses  map[Value]map[Instr]int // how often what uses it
}

func (v *verifier) block(b *Block) error {
	if len(b.Instrs) == 0 {
		return fmt.Errorf("is empty")
	}
	if err := v.edges(b); err != nil {
		return err
	}
	phis := true
	for i, in := range b.Instrs {
		phi, isPhi := in.(*Phi)
		switch {
		case isPhi && !phis:
			return fmt.Errorf("%s follows other instructions", phi.Name())
		case isPhi && len(phi.Edges) != len(b.Preds):
			return fmt.Errorf("%s has %d operands, the block %d predecessors", phi.Name(), len(phi.Edges), len(b.Preds))
		}
		phis = isPhi
		if succs := leaves(in); (succs >= 0) != (i == len(b.Instrs)-1) {
			return fmt.Errorf("instruction %d, %s, is where the block ends or does not end it", i, opcode(in))
		} else if succs >= 0 && succs != len(b.Succs) {
			return fmt.Errorf("%s has %d successors", opcode(in), len(b.Succs))
		}
		if err := v.instr(in); err != nil {
			return fmt.Errorf("instruction %d, %s: %v", i, opcode(in), err)
		}
	}
	return nil
}

// leaves is the number of successors of a block that in ends, -1 if in ends none.
func leaves(in Instr) int {
	switch in.(type) {
	case *Jump:
		return 1
	case *If:
		return 2
	case *Return, *Panic:
		return 0
	}
	return -1
}

// edges holds b's neighbours against what these say.
func (v *verifier) edges(b *Block) error {
	count := func(list []*Block, of *Block) (n int) {
		for _, x := range list {
			if x == of {
				n++
			}
		}
		return n
	}
	here := func(x *Block) bool {
		return x.parent == v.f && x.Index < len(v.f.blocks) && v.f.blocks[x.Index] == x
	}
	for _, s := range b.Succs {
		if !here(s) || count(s.Preds, b) != count(b.Succs, s) {
			return fmt.Errorf("successor b%d does not agree", s.Index)
		}
	}
	if len(b.Preds) > 1000 {
		return nil // what the predecessors say has been looked at from there
	}
	for _, p := range b.Preds {
		if !here(p) || count(p.Succs, b) != count(b.Preds, p) {
			return fmt.Errorf("predecessor b%d does not agree", p.Index)
		}
	}
	return nil
}

// instr looks at the operands of in.
func (v *verifier) instr(in Instr) error {
	var buf [8]*Value
	for i, op := range in.Operands(buf[:0]) {
		if *op == nil {
			if !mayLack(in, i) {
				return fmt.Errorf("operand %d is missing", i)
			}
			continue
		}
		v.use(*op, in)
		if err := v.available(*op, in, i); err != nil {
			return err
		}
	}
	if m, ok := in.(*MakeClosure); ok {
		v.use(m.Fn, in)
	}
	if r, ok := in.(Register); ok && r.Type() == nil {
		return fmt.Errorf("has no type")
	}
	if !v.typed {
		return nil
	}
	return v.types(in)
}

// mayLack reports whether operand i of in may be missing.
func mayLack(in Instr, i int) bool {
	switch in := in.(type) {
	case *Slice:
		return i > 0
	case *MakeMap:
		return true
	case *Select:
		return i%2 == 1 && in.States[i/2].Send == nil
	case *Defer:
		return i == 1+len(in.Call.Args)
	}
	return false
}

func (v *verifier) use(x Value, in Instr) {
	if usesOf(x) == nil {
		return
	}
	if v.uses[x] == nil {
		v.uses[x] = map[Instr]int{}
	}
	v.uses[x][in]++
}

// available reports whether x, operand i of in, has been computed there on every way.
func (v *verifier) available(x Value, in Instr, i int) error {
	if _, literal := x.(*Func); literal {
		return nil
	}
	if p := x.Parent(); p != nil && p != v.f {
		return fmt.Errorf("operand %s is of %s", x.Name(), p)
	}
	def, ok := x.(Instr)
	if !ok {
		return nil
	}
	place, ok := v.at[def]
	if !ok {
		return fmt.Errorf("operand %s is in no block", x.Name())
	}
	from, to := def.Block(), in.Block()
	if _, phi := in.(*Phi); phi {
		to = to.Preds[i]
	} else if from == to {
		if place >= v.at[in] {
			return fmt.Errorf("operand %s is computed later", x.Name())
		}
		return nil
	}
	if from.Dominates(to) {
		return nil
	}
	// Variables are there from the beginning, also where a recovered panic leads to.
	if _, variable := def.(*Alloc); variable && from.Index == 0 && !v.f.blocks[0].Dominates(to) {
		return nil
	}
	return fmt.Errorf("operand %s need not have been computed", x.Name())
}

// referrers holds what values say of their uses against what uses them.
func (v *verifier) referrers() error {
	check := func(x Value, list []Instr) error {
		n := 0
		for _, count := range v.uses[x] {
			n += count
		}
		said := map[Instr]int{}
		for _, in := range list {
			said[in]++
		}
		if n != len(list) {
			return fmt.Errorf("%s is used %d times, and says %d", x.Name(), n, len(list))
		}
		for in, count := range v.uses[x] {
			if said[in] != count {
				return fmt.Errorf("%s does not know a use by %s in b%d", x.Name(), opcode(in), in.Block().Index)
			}
		}
		return nil
	}
	for _, b := range v.f.blocks {
		for _, in := range b.Instrs {
			if r, ok := in.(Register); ok {
				if err := check(r, r.reg().refs); err != nil {
					return err
				}
			}
		}
	}
	for _, p := range v.f.Params {
		if err := check(p, p.refs); err != nil {
			return err
		}
	}
	for _, x := range v.f.FreeVars {
		if err := check(x, x.refs); err != nil {
			return err
		}
	}
	return nil
}

// types reports whether the types of in's operands fit.
func (v *verifier) types(in Instr) error {
	same := func(what string, a, b types.Type) error {
		if identical(a, b) {
			return nil
		}
		return fmt.Errorf("%s: %v is not %v", what, a, b)
	}
	switch in := in.(type) {
	case *Phi:
		for _, e := range in.Edges {
			if err := same("edge", e.Type(), in.typ); err != nil {
				return err
			}
		}
	case *Store:
		p, ok := in.Addr.Type().Underlying().(*types.Pointer)
		if !ok {
			return fmt.Errorf("address of type %v", in.Addr.Type())
		}
		return same("value", in.Val.Type(), p.Elem())
	case *UnOp:
		switch in.Op {
		case token.MUL:
			p, ok := in.X.Type().Underlying().(*types.Pointer)
			if !ok {
				return fmt.Errorf("address of type %v", in.X.Type())
			}
			return same("value", in.typ, p.Elem())
		case token.ARROW:
			return nil
		}
		return same("result", in.typ, in.X.Type())
	case *BinOp:
		return v.binary(in)
	case *If:
		if b, ok := in.Cond.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
			return fmt.Errorf("condition of type %v", in.Cond.Type())
		}
	case *Return:
		results := v.f.Signature.Results()
		if results.Len() != len(in.Results) {
			return fmt.Errorf("%d results, not %d", len(in.Results), results.Len())
		}
		for i, x := range in.Results {
			if err := same("result", x.Type(), results.At(i).Type()); err != nil {
				return err
			}
		}
	case *MapUpdate:
		m, ok := in.Map.Type().Underlying().(*types.Map)
		if !ok {
			return fmt.Errorf("map of type %v", in.Map.Type())
		}
		if err := same("key", in.Key.Type(), m.Key()); err != nil {
			return err
		}
		return same("element", in.Value.Type(), m.Elem())
	case *MakeClosure:
		if len(in.Bindings) != len(in.Fn.FreeVars) {
			return fmt.Errorf("%d captures, not %d", len(in.Bindings), len(in.Fn.FreeVars))
		}
		for i, x := range in.Bindings {
			if err := same("capture", x.Type(), in.Fn.FreeVars[i].typ); err != nil {
				return err
			}
		}
		return capturesOnce(in)
	case *MakeInterface:
		if types.IsInterface(in.X.Type()) || !types.IsInterface(in.typ) {
			return fmt.Errorf("%v as %v", in.X.Type(), in.typ)
		}
	case CallInstr:
		return v.call(in.Common())
	}
	return nil
}

func (v *verifier) binary(in *BinOp) error {
	switch in.Op {
	case token.SHL, token.SHR:
		return nil
	case token.EQL, token.NEQ:
		return nil // an interface, and what it may hold
	}
	if !identical(in.X.Type(), in.Y.Type()) {
		return fmt.Errorf("%v and %v", in.X.Type(), in.Y.Type())
	}
	return nil
}

// call holds arguments against parameters.
func (v *verifier) call(c *CallCommon) error {
	if c.Builtin() != NoBuiltin {
		return nil
	}
	if c.IsInvoke() && !types.IsInterface(c.Value.Type()) {
		return fmt.Errorf("method of %v", c.Value.Type())
	}
	sig := c.Signature()
	want := make([]types.Type, 0, sig.Params().Len()+1)
	if sig.Recv() != nil && !c.IsInvoke() {
		want = append(want, sig.Recv().Type())
	}
	for p := range sig.Params().Variables() {
		want = append(want, p.Type())
	}
	if len(want) != len(c.Args) {
		return fmt.Errorf("%d arguments, not %d", len(c.Args), len(want))
	}
	for i, x := range c.Args {
		if !identical(x.Type(), want[i]) {
			return fmt.Errorf("argument %d: %v is not %v", i, x.Type(), want[i])
		}
	}
	return nil
}

// identical reports whether two types are the same. Untyped constants have a type by what uses
// them.
func identical(a, b types.Type) bool {
	return a == b || types.Identical(types.Default(a), types.Default(b))
}

// capturesOnce holds that a function literal captures each variable once.
func capturesOnce(in *MakeClosure) error {
	if in.Fn.Parent() == nil {
		return nil // a method value holds what its receiver is
	}
	captured := map[Value]bool{}
	for _, x := range in.Bindings {
		if captured[x] {
			return fmt.Errorf("%s is captured twice", x.Name())
		}
		captured[x] = true
	}
	return nil
}
