package syntax

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// convert returns x as a value of type t, to which it can be assigned or converted.
func (b *code) convert(x mid.Value, t types.Type, pos token.Pos) mid.Value {
	from := x.Type()
	if from == t || types.Identical(from, t) {
		return x
	}
	to, have := t.Underlying(), from.Underlying()
	if types.IsInterface(to) {
		return b.toInterface(x, t, pos)
	}
	if basic, ok := have.(*types.Basic); ok && basic.Kind() == types.UntypedNil {
		return mid.NewConst(nil, t)
	}
	if c, ok := x.(*mid.Const); ok {
		basic, ok := have.(*types.Basic)
		untyped := ok && basic.Info()&types.IsUntyped != 0
		if untyped || keepsValue(have, to) { // others may be what a variable holds
			if made := b.constant(c, t); made != nil {
				return made
			}
		}
		if untyped {
			x = mid.NewConst(c.Value, types.Default(from))
			return b.convert(x, t, pos)
		}
	}
	switch {
	case keepsValue(have, to):
		return b.value(&mid.ChangeType{X: x}, t, pos)
	case isSliceType(have):
		switch a := to.(type) {
		case *types.Pointer:
			if _, ok := a.Elem().Underlying().(*types.Array); ok {
				return b.value(&mid.SliceToArrayPointer{X: x}, t, pos)
			}
		case *types.Array:
			if a.Len() == 0 {
				return mid.NewConst(nil, t)
			}
			p := b.value(&mid.SliceToArrayPointer{X: x}, types.NewPointer(t), pos)
			return b.load(p, pos)
		}
	}
	_, fromBasic := have.(*types.Basic)
	_, toBasic := to.(*types.Basic)
	if !fromBasic && !toBasic {
		panic(fmt.Errorf("%s: syntax: no conversion of %v to %v in %s", b.p.Fset.Position(pos), from, t, b.f))
	}
	return b.value(&mid.Convert{X: x}, t, pos)
}

// toInterface returns x as a value of the interface type t.
func (b *code) toInterface(x mid.Value, t types.Type, pos token.Pos) mid.Value {
	have := x.Type().Underlying()
	if basic, ok := have.(*types.Basic); ok {
		if basic.Kind() == types.UntypedNil {
			return mid.NewConst(nil, t)
		}
		if basic.Info()&types.IsUntyped != 0 {
			x = b.convert(x, types.Default(x.Type()), pos)
		}
	}
	if types.IsInterface(have) {
		if c, ok := x.(*mid.Const); ok {
			return mid.NewConst(c.Value, t)
		}
		if types.Identical(have, t.Underlying()) {
			return b.value(&mid.ChangeType{X: x}, t, pos)
		}
		return b.value(&mid.ChangeInterface{X: x}, t, pos)
	}
	return b.value(&mid.MakeInterface{X: x}, t, pos)
}

// constant returns the constant that c is as a value of type t, nil if that is computed.
func (b *code) constant(c *mid.Const, t types.Type) mid.Value {
	to, ok := t.Underlying().(*types.Basic)
	if !ok {
		if c.Value == nil && !isSliceType(c.Type()) {
			return mid.NewConst(nil, t)
		}
		return nil
	}
	if c.Value == nil {
		if to.Kind() == types.UnsafePointer {
			return mid.NewConst(nil, t)
		}
		return nil
	}
	if to.Info()&types.IsString != 0 && c.Value.Kind() != constant.String {
		r := '\uFFFD'
		if n, exact := constant.Int64Val(constant.ToInt(c.Value)); exact && int64(rune(n)) == n {
			r = rune(n)
		}
		return mid.NewConst(constant.MakeString(string(r)), t)
	}
	if to.Kind() == types.UnsafePointer {
		return nil
	}
	return mid.NewConst(c.Value, t)
}

// keepsValue reports whether a conversion between two underlying types is one of types only.
func keepsValue(from, to types.Type) bool {
	if types.IdenticalIgnoreTags(from, to) {
		return true
	}
	switch to := to.(type) {
	case *types.Chan:
		c, ok := from.(*types.Chan)
		return ok && c.Dir() == types.SendRecv && types.Identical(c.Elem(), to.Elem())
	case *types.Pointer:
		p, ok := from.(*types.Pointer)
		return ok && types.IdenticalIgnoreTags(p.Elem().Underlying(), to.Elem().Underlying())
	}
	return false
}

// arith computes x op y, of type t.
func (b *code) arith(op token.Token, x, y mid.Value, t types.Type, pos token.Pos) mid.Value {
	x = b.convert(x, t, pos)
	switch op {
	case token.SHL, token.SHR:
		if basic, ok := y.Type().Underlying().(*types.Basic); ok && basic.Info()&types.IsUntyped != 0 {
			y = b.convert(y, types.Typ[types.Uint], pos)
		}
	default:
		y = b.convert(y, t, pos)
	}
	return b.value(&mid.BinOp{Op: op, X: x, Y: y}, t, pos)
}

// compare computes x op y, a bool.
func (b *code) compare(op token.Token, x, y mid.Value, pos token.Pos) mid.Value {
	if isUntypedNil(y) {
		y = mid.NewConst(nil, x.Type())
	} else if isUntypedNil(x) {
		x = mid.NewConst(nil, y.Type())
	}
	xt, yt := x.Type().Underlying(), y.Type().Underlying()
	switch {
	case types.Identical(x.Type(), y.Type()):
	case types.IsInterface(xt) && types.IsInterface(yt):
		if isNil(y) {
			y = mid.NewConst(nil, x.Type())
		} else if isNil(x) {
			x = mid.NewConst(nil, y.Type())
		} else if !types.Identical(xt, yt) {
			y = b.value(&mid.ChangeInterface{X: y}, x.Type(), pos)
		} else {
			y = b.convert(y, x.Type(), pos)
		}
	case types.IsInterface(xt):
		y = b.convert(y, x.Type(), pos)
	case types.IsInterface(yt):
		x = b.convert(x, y.Type(), pos)
	case keepsValue(yt, xt): // channels of both directions
		y = b.convert(y, x.Type(), pos)
	case keepsValue(xt, yt):
		x = b.convert(x, y.Type(), pos)
	case isConst(x):
		x = b.convert(x, y.Type(), pos)
	case isConst(y):
		y = b.convert(y, x.Type(), pos)
	}
	return b.value(&mid.BinOp{Op: op, X: x, Y: y}, tBool, pos)
}

func isConst(x mid.Value) bool {
	_, ok := x.(*mid.Const)
	return ok
}

func isUntypedNil(x mid.Value) bool {
	basic, ok := x.Type().(*types.Basic)
	return ok && basic.Kind() == types.UntypedNil
}

func isNil(x mid.Value) bool {
	c, ok := x.(*mid.Const)
	return ok && c.Value == nil
}

// embedded goes through the embedded fields of these indices, from a struct or a pointer to one.
func (b *code) embedded(x mid.Value, index []int, pos token.Pos) mid.Value {
	for _, i := range index {
		if !isPointer(x.Type()) {
			x = b.field(x, i, pos)
			continue
		}
		x = b.fieldAddr(x, i, pos)
		if isPointer(pointee(x)) {
			x = b.load(x, pos)
		}
	}
	return x
}

func (b *code) fieldAddr(x mid.Value, i int, pos token.Pos) mid.Value {
	t := pointee(x).Underlying().(*types.Struct).Field(i).Type()
	return b.value(&mid.FieldAddr{X: x, Field: i}, types.NewPointer(t), pos)
}

func (b *code) field(x mid.Value, i int, pos token.Pos) mid.Value {
	t := x.Type().Underlying().(*types.Struct).Field(i).Type()
	return b.value(&mid.Field{X: x, Field: i}, t, pos)
}
