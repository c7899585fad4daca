package lower

import (
	"go/types"
	"slices"

	"loam/internal/amd64"
	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// call lowers a call in value position.
func (b *fn) call(in *mid.Call) {
	c := &in.Call
	if c.Builtin() != mid.NoBuiltin {
		b.builtin(in)
		return
	}
	if f := c.StaticCallee(); f != nil && b.intrinsic(in, f) {
		return
	}
	if f := c.StaticCallee(); f != nil && b.callSecond(in, f) {
		if b.exact != nil {
			b.exact.second[in] = true
		}
		return
	}
	args, clo := b.args(c), b.context(c)
	release := b.keepPointers(c)
	if b.exact != nil && b.m.collectingCall(b.f, in) {
		b.beforeCollection(in, true)
	}
	if f := c.StaticCallee(); f == nil || !b.callBigWord(in, f, args) {
		b.calling = in
		b.setResults(in, b.callCommon(c, args, clo))
		b.calling = nil
		if f == nil {
			b.notNil(in, c.Value)
		}
	}
	release()
}

// keepPointers keeps the objects alive whose addresses call c takes as uintptr
// (unsafe.Pointer, rule 4), until release is called, behind it.
func (b *fn) keepPointers(c *mid.CallCommon) (release func()) {
	var kept []ir.Value
	keep := func(v mid.Value) {
		if conv, ok := v.(*mid.Convert); ok && basicKind(conv.Type()) == types.Uintptr && basicKind(conv.X.Type()) == types.UnsafePointer {
			kept = append(kept, b.operand(conv.X))
		}
	}
	for _, a := range c.Args {
		keep(a)
		if s, ok := a.(*mid.Slice); ok && uintptrArgs(s.X) {
			for _, r := range s.X.Referrers() {
				if ia, ok := r.(*mid.IndexAddr); ok {
					for _, st := range ia.Referrers() {
						if st, ok := st.(*mid.Store); ok {
							keep(st.Val)
						}
					}
				}
			}
		}
	}
	if b.exact != nil {
		return b.holdExactly(kept)
	}
	// The code that uses them last clears the register they are in: otherwise this frame would,
	// conservatively, hold them until it reuses it.
	return func() {
		for _, p := range kept {
			b.Asm(amd64.Forget, ir.Ptr, p)
		}
	}
}

// uintptrArgs tells whether v is the array of variadic uintptr arguments.
func uintptrArgs(v mid.Value) bool {
	if !variadicArray(v) {
		return false
	}
	arr := under(under(v.Type()).(*types.Pointer).Elem()).(*types.Array)
	return basicKind(arr.Elem()) == types.Uintptr
}

// variadicArray tells whether v is an array that was made for variadic arguments.
func variadicArray(v mid.Value) bool {
	a, ok := v.(*mid.Alloc)
	return ok && a.Made == mid.VariadicArgs
}

// args evaluates the arguments of a call, without receiver for invoke mode.
func (b *fn) args(c *mid.CallCommon) []ir.Value {
	args := make([]ir.Value, len(c.Args))
	for i, a := range c.Args {
		args[i] = b.operand(a)
	}
	return args
}

// context evaluates the closure context of a static callee, none if it takes none.
func (b *fn) context(c *mid.CallCommon) ir.Value {
	if _, ok := c.Value.(*mid.MakeClosure); ok {
		return b.operand(c.Value)
	}
	if f := c.StaticCallee(); f != nil && takesContext(f) {
		return ir.UndefOf(ir.Ptr)
	}
	return ir.Value{}
}

// callCommon calls what c names with the given arguments, and context of a static callee,
// and returns the results, one operand each.
func (b *fn) callCommon(c *mid.CallCommon, args []ir.Value, clo ir.Value) []ir.Value {
	sig := b.m.sigOf(withoutRecv(c.Signature()))
	switch {
	case c.IsInvoke():
		code, data := b.methodCode(c, false)
		return b.emitCall(sig, code, ir.Value{}, append([]ir.Value{data}, args...))
	case c.StaticCallee() != nil:
		f := c.StaticCallee()
		return b.emitCall(b.m.sigOf(f.Signature), b.m.funcRef(f), clo, args)
	}
	clo = b.operand(c.Value)
	if b.mayBeNil(c.Value) {
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
func (b *fn) methodCode(c *mid.CallCommon, later bool) (code, data ir.Value) {
	x := b.operand(c.Value)
	tab := b.extract(x, 0)
	at := int64(24 + 8*ifaceMethodSlot(c.Value.Type(), c.Method))
	if b.mayBeNil(c.Value) {
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
func (b *fn) emitCall(sig *fnSig, code, clo ir.Value, args []ir.Value) []ir.Value {
	// inlined slots would not be cleared
	info := &ir.CallInfo{NoMerge: true, NoInline: b.exact != nil && !b.serving()}
	area := ir.Value{}
	if sig.area {
		if ret := b.passesOn(b.calling, sig); ret != nil {
			area = b.area
			b.passed[ret] = true
		} else {
			area = waitingFrame{b}.resultArea(sig)
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
	waitingFrame{b}.beforeWaitingCall()
	r := b.CallWithAt(info, sig.ret, code, args...)
	switch {
	case sig.area:
		rs := make([]ir.Value, len(sig.results))
		for i, t := range sig.results {
			rs[i] = b.loadResult(t, b.gep(area, sig.offsets[i]))
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
func (b *fn) passesOn(call *mid.Call, sig *fnSig) *mid.Return {
	if call == nil || !b.sig.area || b.exact != nil && !b.serving() || b.f.Recover() != nil || b.frame.IsSet() || b.defers.late != nil || !sameResults(sig, b.sig) {
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

// sameResults tells whether the results of f and g have the same places in memory.
func sameResults(f, g *fnSig) bool {
	return f.size == g.size && slices.EqualFunc(f.results, g.results, types.Identical)
}

// loadResult loads a result of type t that a callee has just stored at p, word by word. LLVM likes
// to copy two words with one load of 16 bytes, which the processor cannot serve from the two stores
// that it covers before they have reached the cache: it waits a dozen cycles. Unordered atomic
// loads stay single; they are forwarded and removed like others.
func (b *fn) loadResult(t types.Type, p ir.Value) ir.Value {
	ti := b.m.info(t)
	if ti.big || ti.leaves == 0 {
		return b.load(t, p)
	}
	words := leaves(ti.ll)
	for _, w := range words {
		if w.ll != ir.Ptr && w.ll != ir.I64 && w.ll != ir.Double {
			return b.load(t, p)
		}
	}
	how := ir.Access{Align: 8, Ordering: ir.Unordered}
	whole := ir.PoisonOf(ti.ll)
	for _, w := range words {
		if len(w.path) == 0 {
			return b.LoadAs(w.ll, p, how)
		}
		whole = b.InsertAt(whole, b.LoadAs(w.ll, b.PartIn(ti.ll, p, w.path), how), w.path...)
	}
	return whole
}

// setResults binds a call's results to its SSA value.
func (b *fn) setResults(in mid.Value, rs []ir.Value) {
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

// makeClosure builds a closure object {code, captures...}.
func (b *fn) makeClosure(in *mid.MakeClosure) ir.Value {
	vals, ts := b.bindings(in)
	if in.Fn.Kind == mid.Bound {
		b.boundNilCheck(in, vals[0])
	}
	code := b.m.funcRef(in.Fn)
	if d := b.plan.Defers.Placed; d != nil && plan.PlacedLiteral(d) == in {
		b.defers.thunk = code
		return b.closureObject(ir.Value{}, vals, ts, in, b.behindFrame)
	}
	return b.closureObject(code, vals, ts, in, func(size int64) (ir.Value, bool) { return b.slot(in, size, 8) })
}

// bindings returns what a closure holds, and the types of that.
func (b *fn) bindings(in *mid.MakeClosure) (vals []ir.Value, ts []types.Type) {
	vals, ts = make([]ir.Value, len(in.Bindings)), bindingTypes(in)
	for i, v := range in.Bindings {
		vals[i] = b.operand(v)
		if escape.ByValue(in.Fn.FreeVars[i]) {
			vals[i] = b.load(ts[i], vals[i])
		}
	}
	return vals, ts
}

// bindingTypes are the types of what a closure holds.
func bindingTypes(in *mid.MakeClosure) []types.Type {
	ts := make([]types.Type, len(in.Bindings))
	for i, v := range in.Bindings {
		ts[i] = v.Type()
		if escape.ByValue(in.Fn.FreeVars[i]) { // the closure holds the variable itself
			ts[i] = under(v.Type()).(*types.Pointer).Elem()
		}
	}
	return ts
}

// boundNilCheck makes a method value of a nil interface panic when it is made, not when
// it is called.
func (b *fn) boundNilCheck(in *mid.MakeClosure, recv ir.Value) {
	if _, ok := under(in.Bindings[0].Type()).(*types.Interface); ok {
		b.nilGuard(b.extract(recv, 0), 0)
	}
}

// closureLayout is where a closure has its captures, of these types, and how long it is.
func (m *module) closureLayout(ts []types.Type) (offs []int64, size int64) {
	size = 8
	for _, t := range ts {
		ti := m.info(t)
		size = alignUp(size, ti.align)
		offs = append(offs, size)
		size += ti.size
	}
	return offs, size
}

// closureObject builds {code, vals...} in the memory that place gives, or on the heap if it has
// none. It leaves out a code that is no value.
func (b *fn) closureObject(code ir.Value, vals []ir.Value, ts []types.Type, at mid.Instr, place func(size int64) (ir.Value, bool)) ir.Value {
	_, literal := at.(*mid.MakeClosure)
	offs, off := b.m.closureLayout(ts)
	ptrs := false
	for _, t := range ts {
		ti := b.m.info(t)
		// An uintptr argument of a deferred or started call may be a pointer that the statement
		// keeps alive (unsafe.Pointer, rule 4; fixedbugs/issue24491a.go). One that a function
		// literal uses keeps nothing: it may be the key by which a cleanup finds what it has to
		// drop.
		ptrs = ptrs || ti.ptrs || basicKind(t) == types.Uintptr && !literal
	}
	p, ok := place(off)
	if !ok {
		p = b.heapAlloc(off, ptrs, at.Pos())
		if mc, literal := at.(*mid.MakeClosure); literal && ptrs {
			b.m.captures(mc.Fn, ts, offs, off)
		}
	}
	if code.IsSet() {
		b.Store(code, p, 8)
	}
	for i, v := range vals {
		b.store(ts[i], v, b.gep(p, offs[i]))
		if !ok { // on the heap
			b.shade(ts[i], v, b.gep(p, offs[i]))
			if !literal {
				b.shadeAddress(ts[i], v)
			}
		}
	}
	return p
}
