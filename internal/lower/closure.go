package lower

import (
	"go/types"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// bindings returns what a closure holds, and the types of that.
func (b *values) bindings(in *mid.MakeClosure) (vals []ir.Value, ts []types.Type) {
	vals, ts = make([]ir.Value, len(in.Bindings)), heldTypes(in.Fn)
	for i, v := range in.Bindings {
		vals[i] = b.operand(v)
		if escape.ByValue(in.Fn.FreeVars[i]) {
			vals[i] = b.load(ts[i], vals[i])
		}
	}
	return vals, ts
}

// boundNilCheck makes a method value of a nil interface panic when it is made, not when
// it is called.
func (b *values) boundNilCheck(in *mid.MakeClosure, recv ir.Value) {
	if _, ok := under(in.Bindings[0].Type()).(*types.Interface); ok {
		b.nilGuard(b.extract(recv, 0), 0)
	}
}

// closureObject builds {code, vals...} in the memory that place gives, or on the heap if it has
// none. It leaves out a code that is no value.
func (b *values) closureObject(code ir.Value, vals []ir.Value, ts []types.Type, at mid.Instr,
	place func(size int64) (ir.Value, bool)) ir.Value {
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
