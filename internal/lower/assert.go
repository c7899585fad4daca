package lower

import (
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
)

// typeAssert lowers x.(T) with and without comma-ok.
func (b *branches) typeAssert(in *mid.TypeAssert) {
	x := b.operand(in.X)
	src := under(in.X.Type()).(*types.Interface)
	empty := src.NumMethods() == 0
	typ := b.dynType(x, empty)
	if in.OfReceiver {
		b.nilGuard(typ, 0)
		return
	}
	if dst, ok := under(in.AssertedType).(*types.Interface); ok {
		b.assertInterface(in, x, typ, dst)
		return
	}
	if chain := b.plan.TypeChains[in]; chain != nil {
		b.enterChain(chain, typ)
	}
	want := b.m.typeDesc(in.AssertedType)
	ok := b.ICmp(ir.EQ, typ, want)
	data := b.extract(x, 1)
	if !in.CommaOk {
		b.check(ok, func() {
			b.trapCall("panicdottypeE", typ, want, b.m.typeDesc(in.X.Type()))
		})
		b.vals[in] = b.unbox(in.AssertedType, data)
		return
	}
	ti := b.m.info(in.AssertedType)
	from := b.Cur
	get, done := b.Label("assert"), b.Label("assert.done")
	b.CondBr(ok, get, done)
	b.Cur = get
	v := b.unbox(in.AssertedType, data)
	exit := b.Cur
	b.Br(done)
	b.Cur = done
	b.tuples[in] = []ir.Value{b.join(ti.ll, ir.Edge{Value: b.m.zero(in.AssertedType), From: from}, ir.Edge{Value: v, From: exit}), ok}
}

// assertInterface lowers an assertion to an interface type.
func (b *branches) assertInterface(in *mid.TypeAssert, x, typ ir.Value, dst *types.Interface) {
	data := b.extract(x, 1)
	inter := b.m.typeDesc(in.AssertedType)
	if !in.CommaOk && dst.NumMethods() == 0 {
		b.check(b.ICmp(ir.NE, typ, ir.Null), func() { b.trapCall("panicnildottype", inter) })
		b.vals[in] = b.makeIface(typ, data)
		return
	}
	if !in.CommaOk {
		tab := b.itab("assertE2I", inter, typ)
		b.vals[in] = b.makeIface(tab, data)
		return
	}
	tab := typ
	if dst.NumMethods() > 0 {
		tab = b.itab("assertE2I2", inter, typ)
	}
	ok := b.ICmp(ir.NE, tab, ir.Null)
	v := b.Select(ok, b.makeIface(tab, data), ir.Zero(llIface))
	b.tuples[in] = []ir.Value{v, ok}
}
