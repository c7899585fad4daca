package lower

import (
	"loam/internal/ir"
	"loam/internal/mid"
)

// funcValue returns the operand of a func value for f without captures: the address of a
// constant closure object {code}.
func (m *functions) funcValue(f *mid.Func) ir.Value {
	f = m.unthunk(f)
	code := m.funcRef(f)
	base := m.funcSym(f)
	if !takesContext(f) && (f.HasBody() || f.Pkg != m.pkg) {
		// (Assembly is its own code: run-time code takes its address to hand to the kernel.)
		code = m.forwarder(f, code)
	}
	if m.has(f, registers) {
		sym := base + "·registers"
		code = m.ref(sym)
		m.out.Declare(code, entry(0, ir.Void))
	}
	sym := base + "·f"
	m.define(sym, func() ir.Definition {
		return m.merged(sym, ir.Definition{Hidden: true, Const: true, Init: ir.Aggregate(ir.Struct(ir.Ptr), code), Align: 8})
	})
	return m.ref(sym)
}

// forwarderSuffix ends a forwarder's name in the debug information. The run-time system takes it
// off, and leaves out the forwarder that was inlined where the function value is called, which
// would look like a second frame of the function.
const forwarderSuffix = "-v"

// forwarder defines the code that a func value of a declared function points to: it takes
// the closure context, which f does not, and jumps to f. It is a tail call, so it leaves no frame.
func (m *functions) forwarder(f *mid.Func, code ir.Value) ir.Value {
	sym := m.funcSym(f) + "·v"
	m.define(sym, func() ir.Definition {
		sig := m.sigOf(f.Signature)
		var params []ir.Parameter
		var args []ir.Value
		for i, t := range m.llparams(sig) {
			p := ir.ParamValue(i, t)
			params, args = append(params, ir.Parameter{Value: p}), append(args, p)
		}
		scope, line := m.dbg.subprogram(m.displayName(f)+forwarderSuffix, funcPos(f), isNullary(f))
		b := m.out.NewBareFunc()
		b.Loc = m.dbg.location(line, scope, 0)
		call := &ir.CallInfo{Tail: true, NoInline: true}
		if sig.ret == ir.Void {
			b.CallWithAt(call, ir.Void, code, args...)
			b.Ret(ir.Value{})
		} else {
			r := ir.NamedValue("r", sig.ret)
			b.Define(r, func() { b.CallWithAt(call, sig.ret, code, args...) })
			b.Ret(r)
		}
		d := m.merged(sym, ir.Definition{Hidden: true, Section: wrapSection, Dbg: scope,
			Func: &ir.FuncDef{Ret: sig.ret, Params: append(params, contextOf), Group: forwards, Forwards: true, Body: b}})
		m.dbg.place(d.Func, scope, line)
		return d
	})
	return m.ref(sym)
}
