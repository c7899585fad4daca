package lower

import (
	"go/types"
	"slices"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/reach"
)

// calls is code that calls: functions, built-in ones, and the run-time system.
type calls struct {
	*objects
	passed map[*mid.Return]bool // see passesOn
}

func newCalls(o *objects) *calls { return &calls{objects: o, passed: map[*mid.Return]bool{}} }

// args evaluates the arguments of a call, without receiver for invoke mode.
func (b *calls) args(c *mid.CallCommon) []ir.Value {
	args := make([]ir.Value, len(c.Args))
	for i, a := range c.Args {
		args[i] = b.operand(a)
	}
	return args
}

// context evaluates the closure context of a static callee, none if it takes none.
func (b *calls) context(c *mid.CallCommon) ir.Value {
	if _, ok := c.Value.(*mid.MakeClosure); ok {
		return b.operand(c.Value)
	}
	if f := c.StaticCallee(); f != nil && takesContext(f) {
		return ir.UndefOf(ir.Ptr)
	}
	return ir.Value{}
}

// callCommon makes call c, of instruction in: it calls what c names with the given arguments, and
// context of a static callee, and returns the results, one operand each.
func (b *calls) callCommon(in mid.Instr, c *mid.CallCommon, args []ir.Value, clo ir.Value) []ir.Value {
	sig := b.m.sigOf(withoutRecv(c.Signature()))
	switch {
	case c.IsInvoke():
		code, data := b.methodCode(in, c, false)
		return b.emitCall(sig, code, ir.Value{}, append([]ir.Value{data}, args...))
	case c.StaticCallee() != nil:
		f := c.StaticCallee()
		return b.emitCall(b.m.sigOf(f.Signature), b.m.funcRef(f), clo, args)
	}
	clo = b.operand(c.Value)
	if b.plan.Asked[in] {
		b.nilGuard(clo, 0)
	}
	code := b.Load(ir.Ptr, clo, 8)
	return b.emitCall(sig, code, clo, args)
}

func withoutRecv(s *types.Signature) *types.Signature {
	if s.Recv() == nil {
		return s
	}
	return types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
}

// methodCode loads a method's code from the itab of an interface value. Statements that call it
// later ask the itab itself whether it is nil.
func (b *calls) methodCode(in mid.Instr, c *mid.CallCommon, later bool) (code, data ir.Value) {
	x := b.operand(c.Value)
	tab := b.extract(x, 0)
	slot := ifaceMethodSlot(c.Value.Type(), c.Method)
	at := int64(24 + 8*slot)
	o := interfaceMethods(under(c.Value.Type()).(*types.Interface))[slot]
	if b.Mentions == nil {
		b.Mentions = map[string]bool{}
	}
	b.Mentions[reach.Call(b.m.methodKey(o, o.Signature()))] = true
	if b.plan.Asked[in] {
		asked := at
		if later {
			asked = 0
		}
		b.nilGuard(tab, asked)
	}
	code = b.LoadAs(ir.Ptr, b.gep(tab, at), ir.Access{Align: 8, Invariant: b.m.out.Tuple("")})
	return code, b.extract(x, 1)
}

// emitCall calls code in Loam's convention. LLVM must not make one call of two alike in different
// branches: the line, and the inlined functions it is in, would be lost, and with them what
// runtime.Caller answers.
func (b *calls) emitCall(sig *fnSig, code, clo ir.Value, args []ir.Value) []ir.Value {
	// inlined slots would not be cleared
	info := &ir.CallInfo{NoMerge: true, NoInline: b.collects()}
	area := ir.Value{}
	if sig.area {
		if ret := b.passesOn(b.calling, sig); ret != nil {
			area = b.area
			b.passed[ret] = true
		} else {
			area = b.resultArea(sig)
		}
		args = append([]ir.Value{area}, args...)
	}
	if clo.IsSet() {
		// A function literal reads its context and does nothing else with it: what a caller knows of the
		// closure object that it has made itself, the code above all, is still true after the call.
		info.Params = make([]ir.ParamAttr, len(args)+1)
		info.Params[len(args)] = ir.ParamAttr{Nest: true, NoCapture: true, ReadOnly: true}
		args = append(args[:len(args):len(args)], clo)
	}
	b.beforeWaitingCall()
	r := b.CallWithAt(info, sig.ret, code, args...)
	switch {
	case sig.area:
		rs := make([]ir.Value, len(sig.results))
		for i, t := range sig.results {
			rs[i] = b.loadStored(t, b.gep(area, sig.offsets[i]))
		}
		return rs
	case len(sig.results) == 0:
		return nil
	case len(sig.results) == 1:
		return []ir.Value{r}
	}
	rs := make([]ir.Value, len(sig.results))
	for i := range rs {
		rs[i] = b.extract(r, i)
	}
	return rs
}

// passesOn returns the instruction that returns what call returns and nothing else, right behind
// it: the callee then stores its results, which are those of sig, where this function's go. It
// returns nil if there is none, or if something else may still write to that place or look at this
// frame: deferred calls, and collections that want it exact.
func (b *calls) passesOn(call *mid.Call, sig *fnSig) *mid.Return {
	if call == nil || !b.sig.area || b.collects() || b.f.Recover() != nil || b.plan.Defers.Framed() ||
		b.plan.Defers.Late != nil || !sameResults(sig, b.sig) {
		return nil
	}
	instrs := call.Block().Instrs
	ret, ok := instrs[len(instrs)-1].(*mid.Return)
	if !ok {
		return nil
	}
	for _, in := range instrs[slices.Index(instrs, mid.Instr(call))+1 : len(instrs)-1] {
		if x, ok := in.(*mid.Extract); !ok || x.Tuple != mid.Value(call) {
			return nil
		}
	}
	for i, r := range ret.Results {
		x, ok := r.(*mid.Extract)
		if r != mid.Value(call) && !(ok && x.Tuple == mid.Value(call) && x.Index == i) {
			return nil
		}
	}
	return ret
}

// sameResults reports whether the results of f and g have the same places in memory.
func sameResults(f, g *fnSig) bool {
	return f.size == g.size && slices.EqualFunc(f.results, g.results, types.Identical)
}

// setResults binds a call's results to its SSA value.
func (b *calls) setResults(in mid.Value, rs []ir.Value) {
	if t, ok := in.Type().(*types.Tuple); ok {
		if t.Len() > 0 {
			b.tuples[in] = rs
		}
		return
	}
	if len(rs) > 0 {
		b.vals[in] = rs[0]
	}
}
