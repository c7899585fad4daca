package lower

import (
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// equal lowers ==, whose operands have one type (or one of them is nil). Two interfaces
// of different types are compared as they are: the right one was converted, though it need not
// implement the left one's type.
func (b *values) equal(xv, yv mid.Value) ir.Value {
	xv, yv = plan.Unconverted(xv), plan.Unconverted(yv)
	if plan.IsNil(xv) {
		xv, yv = yv, xv
	}
	x := b.operand(xv)
	if plan.IsNil(yv) {
		switch under(xv.Type()).(type) {
		case *types.Slice:
			return b.ICmp(ir.EQ, b.extract(x, 0), ir.Null)
		case *types.Interface:
			return b.ICmp(ir.EQ, b.extract(x, 0), ir.Null)
		case *types.Struct, *types.Array:
		default:
			return b.ICmp(ir.EQ, x, ir.Null)
		}
	}
	xi, xIface := under(xv.Type()).(*types.Interface)
	yi, yIface := under(yv.Type()).(*types.Interface)
	if xIface && yIface {
		return b.equalIfaces(x, b.operand(yv), xi.NumMethods() == 0, yi.NumMethods() == 0)
	}
	return b.equalValues(xv.Type(), x, b.operand(yv))
}

// equalValues compares two operands of type t.
func (b *values) equalValues(t types.Type, x, y ir.Value) ir.Value {
	ti := b.m.info(t)
	if ti.big {
		return b.CallAt(ir.I1, b.m.eqFunc(t), x, y)
	}
	switch u := under(t).(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return b.equalStrings(x, y)
		case u.Info()&types.IsFloat != 0:
			return b.FCmp(ir.OEQ, x, y)
		case u.Info()&types.IsComplex != 0:
			re := b.FCmp(ir.OEQ, b.extract(x, 0), b.extract(y, 0))
			im := b.FCmp(ir.OEQ, b.extract(x, 1), b.extract(y, 1))
			return b.And(re, im)
		}
		return b.ICmp(ir.EQ, x, y)
	case *types.Interface:
		e := u.NumMethods() == 0
		return b.equalIfaces(x, y, e, e)
	case *types.Struct:
		return b.equalStructs(ti, u, x, y)
	case *types.Array:
		if ti.size == 0 {
			return ir.Bool(true)
		}
		return b.equalValues(u.Elem(), b.extract(x, 0), b.extract(y, 0))
	}
	return b.ICmp(ir.EQ, x, y)
}

// equalStructs compares the fields and stops at the first difference; see eqorder.go.
func (b *values) equalStructs(ti *typeInfo, u *types.Struct, x, y ir.Value) ir.Value {
	slot := b.Alloca(1, 1)
	b.Store(ir.Int(ir.I8, 0), slot, 0)
	done := b.Label("eq.done")
	for _, step := range comparisonOrder(u) {
		t := u.Field(step.field).Type()
		if b.m.info(t).leaves == 0 {
			continue
		}
		fx, fy := b.extract(x, step.field), b.extract(y, step.field)
		var e ir.Value
		switch step.part {
		case eqWhole:
			e = b.equalValues(t, fx, fy)
		case eqLength:
			e = b.ICmp(ir.EQ, b.extract(fx, 1), b.extract(fy, 1))
		case eqContents:
			e = b.equalContents(fx, fy, b.extract(fx, 1))
		}
		next := b.Label("eq.next")
		b.CondBr(e, next, done)
		b.Cur = next
	}
	b.Store(ir.Int(ir.I8, 1), slot, 0)
	b.Br(done)
	b.Cur = done
	return b.load(types.Typ[types.Bool], slot)
}

func (b *values) equalStrings(x, y ir.Value) ir.Value {
	if x.IsZero() {
		x, y = y, x
	}
	xn := b.extract(x, 1)
	if y.IsZero() {
		return b.ICmp(ir.EQ, xn, ir.Int(ir.I64, 0))
	}
	same := b.ICmp(ir.EQ, xn, b.extract(y, 1))
	from := b.Cur
	cmp, done := b.Label("str.cmp"), b.Label("str.done")
	b.CondBr(same, cmp, done)
	b.Cur = cmp
	z := b.equalContents(x, y, xn)
	b.Br(done)
	b.Cur = done
	n := b.Fresh(ir.I1)
	done.Phi(n, ir.Edge{Value: ir.Bool(false), From: from}, ir.Edge{Value: z, From: cmp})
	return n
}

// equalContents compares the n bytes of two strings of that length.
func (b *values) equalContents(x, y, n ir.Value) ir.Value {
	r := b.Call(ir.I32, b.m.bcmp(), b.extract(x, 0), b.extract(y, 0), n)
	return b.ICmp(ir.EQ, r, ir.Int(ir.I32, 0))
}

// dynType returns the dynamic type of an interface operand, null if nil.
func (b *values) dynType(x ir.Value, empty bool) ir.Value {
	tab := b.extract(x, 0)
	if empty {
		return tab
	}
	return b.typeOfTab(tab)
}

// typeOfTab reads the type from an itab that may be nil.
func (b *values) typeOfTab(tab ir.Value) ir.Value {
	from := b.Cur
	get, done := b.Label("tab"), b.Label("tab.done")
	b.CondBr(b.ICmp(ir.EQ, tab, ir.Null), done, get)
	b.Cur = get
	t := b.LoadAs(ir.Ptr, b.gep(tab, 8), ir.Access{Align: 8, Invariant: b.m.out.Tuple("")})
	b.Br(done)
	b.Cur = done
	n := b.Fresh(ir.Ptr)
	done.Phi(n, ir.Edge{Value: ir.Null, From: from}, ir.Edge{Value: t, From: get})
	return n
}

// equalIfaces compares two interface operands: same dynamic type, then equal values. Two
// itabs of one pair of types may exist, so it is types that are compared.
func (b *values) equalIfaces(x, y ir.Value, xEmpty, yEmpty bool) ir.Value {
	tx, ty := b.dynType(x, xEmpty), b.dynType(y, yEmpty)
	same := b.ICmp(ir.EQ, tx, ty)
	nonNil := b.ICmp(ir.NE, tx, ir.Null)
	from := b.Cur
	cmp, done := b.Label("iface.cmp"), b.Label("iface.done")
	b.CondBr(b.And(same, nonNil), cmp, done)
	b.Cur = cmp
	r := b.CallAt(ir.I1, b.m.rtFunc("efaceeq"), tx, b.extract(x, 1), b.extract(y, 1))
	b.Br(done)
	b.Cur = done
	n := b.Fresh(ir.I1)
	done.Phi(n, ir.Edge{Value: same, From: from}, ir.Edge{Value: r, From: cmp})
	return n
}
