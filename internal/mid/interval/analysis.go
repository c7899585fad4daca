package interval

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"loam/internal/mid"
)

// maxSteps is how many values one question may look at.
const maxSteps = 400

// Analysis answers for one function, which does not change meanwhile. The zero value is ready.
type Analysis struct {
	known map[mid.Value]Interval // what a value can be wherever it is
	busy  map[mid.Value]bool     // being looked at: taken for all that their types have
	steps int                    // left to the question
	rough bool                   // what was found since depends on busy or on steps
}

// At returns what v, an integer, can be when control is in b. It is false if nothing is known.
func (a *Analysis) At(v mid.Value, b *mid.Block) (Interval, bool) {
	if a.known == nil {
		a.known, a.busy = map[mid.Value]Interval{}, map[mid.Value]bool{}
	}
	a.steps, a.rough = maxSteps, false
	return a.at(v, b)
}

// at is At within a question.
func (a *Analysis) at(v mid.Value, b *mid.Block) (Interval, bool) {
	i, ok := a.of(v)
	if !ok {
		return i, false
	}
	return a.narrow(v, i, b, nil), true
}

// of returns what v can be by the way it is computed.
func (a *Analysis) of(v mid.Value) (Interval, bool) {
	if i, ok := a.known[v]; ok {
		return i, true
	}
	full, ok := all(v.Type())
	if !ok && !isWide(v.Type()) {
		return full, false
	}
	if a.steps == 0 || a.busy[v] {
		a.rough = true
		return full, ok
	}
	a.steps--
	before := a.rough
	a.rough = false
	a.busy[v] = true
	defer delete(a.busy, v)
	i, computed := a.compute(v, full, ok)
	switch {
	case !computed || ok && !i.within(full):
		i = full
	case !ok:
		ok = i.Lo >= 0 // a wide number
	}
	if !a.rough && ok {
		a.known[v] = i
	}
	a.rough = a.rough || before
	return i, ok
}

// compute returns what v would be if nothing wrapped; false if nothing is known. fits says that
// full is what v's type has.
func (a *Analysis) compute(v mid.Value, full Interval, fits bool) (Interval, bool) {
	switch v := v.(type) {
	case *mid.Const:
		if c := constant.ToInt(v.Value); c.Kind() == constant.Int {
			n, exact := constant.Int64Val(c)
			return Interval{n, n}, exact
		}
	case *mid.BinOp:
		return a.binary(v)
	case *mid.UnOp:
		if x, ok := a.operand(v.X, v); ok && v.Op == token.SUB && fits {
			return x.neg()
		}
	case *mid.ChangeType:
		return a.operand(v.X, v)
	case *mid.Convert:
		return a.operand(v.X, v)
	case *mid.Phi:
		if fits {
			return a.phi(v, full), true
		}
	case *mid.Call:
		return a.builtin(v)
	case *mid.Extract:
		// Of a loop over a string: where the rune begins, and the rune.
		if next, ok := v.Tuple.(*mid.Next); ok && next.IsString {
			if v.Index == 1 {
				return natural, true
			}
			return Interval{0, '\U0010FFFF'}, true
		}
	}
	return Interval{}, false
}

// operand is what x can be as operand of in.
func (a *Analysis) operand(x mid.Value, in mid.Instr) (Interval, bool) {
	if b, ok := types.Unalias(x.Type()).Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		return Interval{}, false
	}
	return a.at(x, in.Block())
}

func (a *Analysis) binary(v *mid.BinOp) (Interval, bool) {
	x, okX := a.operand(v.X, v)
	y, okY := a.operand(v.Y, v)
	if !okX || !okY {
		return unknown(v, x, okX, y, okY)
	}
	switch v.Op {
	case token.ADD:
		return x.add(y)
	case token.SUB:
		if minus, ok := y.neg(); ok {
			return x.add(minus)
		}
	case token.MUL:
		return x.mul(y)
	case token.QUO:
		return x.quo(y)
	case token.REM:
		return x.rem(y)
	case token.AND:
		return x.and(y)
	case token.OR, token.XOR:
		return x.or(y)
	case token.AND_NOT:
		return x.andNot()
	case token.SHL:
		return x.shl(y)
	case token.SHR:
		return x.shr(y)
	}
	return Interval{}, false
}

// unknown is binary where nothing is known of one operand at least, which is a wide number: what is
// small, whatever that is.
func unknown(v *mid.BinOp, x Interval, okX bool, y Interval, okY bool) (Interval, bool) {
	if okX {
		switch v.Op {
		case token.AND, token.QUO, token.REM:
			return Interval{0, x.Hi}, true
		case token.SHR:
			return x.shr(natural)
		}
	}
	if !okY || !isWide(v.X.Type()) {
		return Interval{}, false
	}
	switch {
	case v.Op == token.AND:
		return Interval{0, y.Hi}, true
	case v.Op == token.REM && y.Hi > 0:
		return Interval{0, y.Hi - 1}, true
	case v.Op == token.SHR && y.Lo > 0:
		return Interval{0, int64(uint64(math.MaxUint64) >> min(y.Lo, 64))}, true
	case v.Op == token.QUO && y.Lo > 1:
		return Interval{0, int64(uint64(math.MaxUint64) / uint64(y.Lo))}, true
	}
	return Interval{}, false
}

// builtin is what a call of one of the language's functions returns.
func (a *Analysis) builtin(call *mid.Call) (Interval, bool) {
	switch id := call.Call.Builtin(); id {
	case mid.BuiltinLen:
		return a.length(call.Call.Args[0]), true
	case mid.BuiltinCap, mid.BuiltinCopy:
		return natural, true
	case mid.BuiltinMin, mid.BuiltinMax:
		var r Interval
		for i, arg := range call.Call.Args {
			x, ok := a.operand(arg, call)
			switch {
			case !ok:
				return r, false
			case i == 0:
				r = x
			case id == mid.BuiltinMin:
				r = Interval{min(r.Lo, x.Lo), min(r.Hi, x.Hi)}
			default:
				r = Interval{max(r.Lo, x.Lo), max(r.Hi, x.Hi)}
			}
		}
		return r, true
	}
	return Interval{}, false
}

// length is what len(s) can be.
func (a *Analysis) length(s mid.Value) Interval {
	if a.steps == 0 {
		a.rough = true
		return natural
	}
	a.steps--
	switch s := s.(type) {
	case *mid.Const:
		if s.Value != nil && s.Value.Kind() == constant.String {
			n := int64(len(constant.StringVal(s.Value)))
			return Interval{n, n}
		}
		return Interval{0, 0}
	case *mid.ChangeType:
		return a.length(s.X)
	case *mid.MakeSlice:
		if n, ok := a.operand(s.Len, s); ok {
			return n.cut(natural) // what is negative panics
		}
	case *mid.Slice:
		return a.sliced(s)
	}
	return natural
}

// sliced is what the length of s can be.
func (a *Analysis) sliced(s *mid.Slice) Interval {
	end := natural  // without s.High
	room := natural // what both indices are in, or it panics
	switch t := types.Unalias(s.X.Type()).Underlying().(type) {
	case *types.Pointer:
		n := types.Unalias(t.Elem()).Underlying().(*types.Array).Len()
		end, room = Interval{n, n}, Interval{0, n}
	case *types.Slice: // may be sliced up to its capacity
		if s.High == nil {
			end = a.length(s.X)
		}
	default:
		end = a.length(s.X)
		room.Hi = end.Hi
	}
	index := func(v mid.Value, none Interval) Interval {
		if v == nil {
			return none
		}
		if n, ok := a.operand(v, s); ok {
			return n.cut(room)
		}
		return room
	}
	low, high := index(s.Low, Interval{}), index(s.High, end)
	return Interval{max(high.Lo-low.Hi, 0), max(high.Hi-low.Lo, 0)}
}
