package lower

import (
	"fmt"
	"go/types"

	"loam/internal/escape"
	"loam/internal/ir"
)

// params names the parameters and loads the free variables from the closure context.
func (b *fn) params() []ir.Parameter {
	var ps []ir.Parameter
	if len(b.f.FreeVars) > 0 {
		off := int64(8)
		for i, v := range b.f.FreeVars {
			if escape.ByValue(v) {
				ti := b.m.info(under(v.Type()).(*types.Pointer).Elem())
				off = alignUp(off, ti.align)
				p := b.atContext(fmt.Sprintf("fv.%d", i), off)
				if !ti.big && ti.size > 0 {
					// A copy in the frame, which becomes registers: nobody else has its address, so no
					// call or store makes LLVM load it again.
					slot := b.Alloca(ti.size, ti.align)
					b.AtEntry(func() { b.moveMem(slot, p, ir.Int(ir.I64, ti.size), 0) })
					p = slot
				}
				b.vals[v] = p
				off += ti.size
				continue
			}
			ti := b.m.info(v.Type())
			off = alignUp(off, ti.align)
			b.vals[v] = b.captured(fmt.Sprintf("fv.%d", i), ti, off)
			off += ti.size
		}
	}
	if b.sig.area {
		ps = append(ps, ir.Parameter{Value: resultsParam, ParamAttr: ir.ParamAttr{NoAlias: true}})
	}
	for i, p := range b.f.Params {
		v := ir.ParamValue(i, b.m.lltype(p.Type()))
		ps = append(ps, ir.Parameter{Value: v})
		b.vals[p] = v
	}
	if b.made != nil {
		ps = append(ps, ir.Parameter{Value: madeParam})
	}
	if takesContext(b.f) {
		ps = append(ps, contextOf)
	}
	return ps
}

// atContext returns, under a name, the address of what is at off in the closure.
func (b *fn) atContext(name string, off int64) (p ir.Value) {
	p = ir.NamedValue(name, ir.Ptr)
	b.AtEntry(func() { b.Define(p, func() { b.Index(ir.I8, contextParam, ir.Int(ir.I64, off)) }) })
	return p
}

// captured returns, under a name, the captured variable at off in the closure.
func (b *fn) captured(name string, ti *typeInfo, off int64) ir.Value {
	p := b.atContext(name+".p", off)
	if ti.big {
		return p
	}
	v := ir.NamedValue(name, ti.ll)
	b.AtEntry(func() {
		if ti.ll != ir.I1 {
			b.Define(v, func() { b.Load(ti.ll, p, ti.align) })
			return
		}
		raw := ir.NamedValue(name+".b", ir.I8)
		b.Define(raw, func() { b.Load(ir.I8, p, 0) })
		b.Define(v, func() { b.Cast(ir.Trunc, raw, ir.I1) })
	})
	return v
}
