package lower

import (
	"fmt"
	"go/types"

	"loam/internal/mid"
)

// equal lowers ==, whose operands go/ssa has given one type (or one of them is nil). Two interfaces
// of different types are compared as they are: go/ssa converts the right one, which need not
// implement the left one's type.
func (b *fn) equal(xv, yv mid.Value) string {
	xv, yv = unconverted(xv), unconverted(yv)
	if isNilConst(xv) {
		xv, yv = yv, xv
	}
	x := b.operand(xv)
	if isNilConst(yv) {
		switch under(xv.Type()).(type) {
		case *types.Slice:
			return b.Op("icmp eq ptr %s, null", b.extract(llSlice, x, 0))
		case *types.Interface:
			return b.Op("icmp eq ptr %s, null", b.extract(llIface, x, 0))
		case *types.Struct, *types.Array:
		default:
			return b.Op("icmp eq ptr %s, null", x)
		}
	}
	xi, xIface := under(xv.Type()).(*types.Interface)
	yi, yIface := under(yv.Type()).(*types.Interface)
	if xIface && yIface {
		return b.equalIfaces(x, b.operand(yv), xi.NumMethods() == 0, yi.NumMethods() == 0)
	}
	return b.equalValues(xv.Type(), x, b.operand(yv))
}

// unconverted returns the interface that was converted to interface v.
func unconverted(v mid.Value) mid.Value {
	for {
		c, ok := v.(*mid.ChangeInterface)
		if !ok {
			return v
		}
		v = c.X
	}
}

// onlyCompared tells whether nothing but comparisons uses in's value.
func onlyCompared(in *mid.ChangeInterface) bool {
	for _, u := range in.Referrers() {
		switch u := u.(type) {
		case *mid.BinOp:
		case *mid.ChangeInterface:
			if !onlyCompared(u) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func isNilConst(v mid.Value) bool {
	c, ok := v.(*mid.Const)
	return ok && c.Value == nil
}

// equalValues compares two operands of type t.
func (b *fn) equalValues(t types.Type, x, y string) string {
	ti := b.m.info(t)
	if ti.big {
		return b.OpDbg("call i1 %s(ptr %s, ptr %s)", b.m.eqFunc(t), x, y)
	}
	switch u := under(t).(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return b.equalStrings(x, y)
		case u.Info()&types.IsFloat != 0:
			return b.Op("fcmp oeq %s %s, %s", ti.ll, x, y)
		case u.Info()&types.IsComplex != 0:
			e := complexPart(ti.ll)
			re := b.Op("fcmp oeq %s %s, %s", e, b.extract(ti.ll, x, 0), b.extract(ti.ll, y, 0))
			im := b.Op("fcmp oeq %s %s, %s", e, b.extract(ti.ll, x, 1), b.extract(ti.ll, y, 1))
			return b.Op("and i1 %s, %s", re, im)
		}
		return b.Op("icmp eq %s %s, %s", ti.ll, x, y)
	case *types.Interface:
		e := u.NumMethods() == 0
		return b.equalIfaces(x, y, e, e)
	case *types.Struct:
		return b.equalStructs(ti, u, x, y)
	case *types.Array:
		if ti.size == 0 {
			return "true"
		}
		return b.equalValues(u.Elem(), b.extract(ti.ll, x, 0), b.extract(ti.ll, y, 0))
	}
	return b.Op("icmp eq %s %s, %s", ti.ll, x, y)
}

// equalStructs compares the fields and stops at the first difference; see eqorder.go.
func (b *fn) equalStructs(ti *typeInfo, u *types.Struct, x, y string) string {
	slot := b.Alloca(1, 1)
	b.Do("store i8 0, ptr %s", slot)
	done := b.Label("eq.done")
	for _, step := range comparisonOrder(u) {
		t := u.Field(step.field).Type()
		if b.m.info(t).leaves == 0 {
			continue
		}
		fx, fy := b.extract(ti.ll, x, step.field), b.extract(ti.ll, y, step.field)
		var e string
		switch step.part {
		case eqWhole:
			e = b.equalValues(t, fx, fy)
		case eqLength:
			e = b.Op("icmp eq i64 %s, %s", b.extract(llString, fx, 1), b.extract(llString, fy, 1))
		case eqContents:
			e = b.equalContents(fx, fy, b.extract(llString, fx, 1))
		}
		next := b.Label("eq.next")
		b.Term("br i1 %s, label %%%s, label %%%s", e, next.Label, done.Label)
		b.Cur = next
	}
	b.Do("store i8 1, ptr %s", slot)
	b.Term("br label %%%s", done.Label)
	b.Cur = done
	return b.load(types.Typ[types.Bool], slot)
}

func (b *fn) equalStrings(x, y string) string {
	if x == "zeroinitializer" {
		x, y = y, x
	}
	xn := b.extract(llString, x, 1)
	if y == "zeroinitializer" {
		return b.Op("icmp eq i64 %s, 0", xn)
	}
	same := b.Op("icmp eq i64 %s, %s", xn, b.extract(llString, y, 1))
	from := b.Cur
	cmp, done := b.Label("str.cmp"), b.Label("str.done")
	b.Term("br i1 %s, label %%%s, label %%%s", same, cmp.Label, done.Label)
	b.Cur = cmp
	z := b.equalContents(x, y, xn)
	b.Term("br label %%%s", done.Label)
	b.Cur = done
	n := "%v" + b.Fresh()
	done.Phi(fmt.Sprintf("%s = phi i1 [ false, %%%s ], [ %s, %%%s ]", n, from.Label, z, cmp.Label))
	return n
}

// equalContents compares the n bytes of two strings of that length.
func (b *fn) equalContents(x, y, n string) string {
	b.m.declare("bcmp", "declare i32 @bcmp(ptr, ptr, i64) memory(argmem: read)")
	r := b.Op("call i32 @bcmp(ptr %s, ptr %s, i64 %s)", b.extract(llString, x, 0), b.extract(llString, y, 0), n)
	return b.Op("icmp eq i32 %s, 0", r)
}

// dynType returns the dynamic type of an interface operand, null if nil.
func (b *fn) dynType(x string, empty bool) string {
	tab := b.extract(llIface, x, 0)
	if empty {
		return tab
	}
	return b.typeOfTab(tab)
}

// typeOfTab reads the type from an itab that may be nil.
func (b *fn) typeOfTab(tab string) string {
	from := b.Cur
	get, done := b.Label("tab"), b.Label("tab.done")
	b.Term("br i1 %s, label %%%s, label %%%s", b.Op("icmp eq ptr %s, null", tab), done.Label, get.Label)
	b.Cur = get
	t := b.Op("load ptr, ptr %s, align 8, !invariant.load %s", b.gep(tab, 8), b.m.out.Meta("!{}"))
	b.Term("br label %%%s", done.Label)
	b.Cur = done
	n := "%v" + b.Fresh()
	done.Phi(fmt.Sprintf("%s = phi ptr [ null, %%%s ], [ %s, %%%s ]", n, from.Label, t, get.Label))
	return n
}

// equalIfaces compares two interface operands: same dynamic type, then equal values. Two
// itabs of one pair of types may exist, so it is types that are compared.
func (b *fn) equalIfaces(x, y string, xEmpty, yEmpty bool) string {
	tx, ty := b.dynType(x, xEmpty), b.dynType(y, yEmpty)
	same := b.Op("icmp eq ptr %s, %s", tx, ty)
	nonNil := b.Op("icmp ne ptr %s, null", tx)
	from := b.Cur
	cmp, done := b.Label("iface.cmp"), b.Label("iface.done")
	b.Term("br i1 %s, label %%%s, label %%%s", b.Op("and i1 %s, %s", same, nonNil), cmp.Label, done.Label)
	b.Cur = cmp
	r := b.OpDbg("call i1 %s(ptr %s, ptr %s, ptr %s)", b.m.rtFunc("efaceeq"), tx, b.extract(llIface, x, 1), b.extract(llIface, y, 1))
	b.Term("br label %%%s", done.Label)
	b.Cur = done
	n := "%v" + b.Fresh()
	done.Phi(fmt.Sprintf("%s = phi i1 [ %s, %%%s ], [ %s, %%%s ]", n, same, from.Label, r, cmp.Label))
	return n
}
