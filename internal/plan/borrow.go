package plan

import (
	"go/token"
	"go/types"
	"slices"

	"loam/internal/mid"
)

// What need not be copied, or made.

// Borrowed reports whether the string that v makes of a byte slice may share its bytes: every use
// only looks, and no instruction on any way to a use writes memory or runs code that might.
// (Another goroutine that writes at the same time is a data race with or without the copy.)
func Borrowed(v *mid.Convert) bool {
	uses := v.Referrers()
	if len(uses) == 0 {
		return true
	}
	for _, u := range uses {
		switch u := u.(type) {
		case *mid.BinOp:
			switch u.Op {
			case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			default:
				return false
			}
		case *mid.Lookup:
			if _, isMap := under(u.X.Type()).(*types.Map); isMap && u.X == mid.Value(v) {
				return false
			}
		case *mid.Call:
			if u.Call.Builtin() != mid.BuiltinLen && !isUniqueMake(u) {
				return false
			}
		default:
			return false
		}
	}
	for _, u := range uses {
		if !quietBetween(v, u) {
			return false
		}
	}
	return true
}

// OnlyRead reports whether all that happens to the byte slice that v makes of a string are reads of
// its elements and its length, and copies of it: the string's bytes, which nobody writes, will do.
func OnlyRead(v *mid.Convert) bool {
	for _, u := range v.Referrers() {
		switch u := u.(type) {
		case *mid.IndexAddr:
			for _, r := range u.Referrers() {
				if load, ok := r.(*mid.UnOp); !ok || load.Op != token.MUL {
					return false
				}
			}
		case *mid.Call:
			switch u.Call.Builtin() {
			case mid.BuiltinLen:
			case mid.BuiltinAppend, mid.BuiltinCopy:
				if u.Call.Args[0] == mid.Value(v) {
					return false
				}
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isUniqueMake reports whether c makes a handle for a string: unique.Make copies what it keeps.
func isUniqueMake(c *mid.Call) bool {
	f := c.Call.StaticCallee()
	if f == nil || f.Origin() == nil || f.Origin().Name() != "Make" || f.Origin().Pkg == nil || f.Origin().Pkg.Pkg.Path() != "unique" {
		return false
	}
	basic, ok := under(f.TypeArgs()[0]).(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// quietBetween reports whether every way from v to its use runs only instructions that do not write
// memory. v dominates use, so going backwards from use ends at v's block.
func quietBetween(v *mid.Convert, use mid.Instr) bool {
	from, to := v.Block(), use.Block()
	if !slices.Contains(from.Instrs, mid.Instr(v)) || !slices.Contains(to.Instrs, use) {
		return false // moved (order.go)
	}
	if from == to {
		return quiet(from.Instrs, v, use)
	}
	if !quiet(from.Instrs, v, nil) || !quiet(to.Instrs, nil, use) {
		return false
	}
	seen := map[*mid.Block]bool{from: true}
	work := append([]*mid.Block{}, to.Preds...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if len(seen) > 32 || !quiet(b.Instrs, nil, nil) {
			return false
		}
		work = append(work, b.Preds...)
	}
	return true
}

// quiet examines the instructions after the first (nil: from the start) and before the last (nil:
// to the end).
func quiet(instrs []mid.Instr, after, before mid.Instr) bool {
	i := 0
	if after != nil {
		for instrs[i] != after {
			i++
		}
		i++
	}
	for ; i < len(instrs) && instrs[i] != before; i++ {
		switch in := instrs[i].(type) {
		case *mid.BinOp, *mid.Convert, *mid.ChangeType, *mid.ChangeInterface, *mid.MakeInterface, *mid.TypeAssert,
			*mid.Extract, *mid.Field, *mid.FieldAddr, *mid.Index, *mid.IndexAddr, *mid.Lookup, *mid.Phi, *mid.Slice,
			*mid.If, *mid.Jump:
		case *mid.UnOp:
			if in.Op == token.ARROW {
				return false
			}
		case *mid.Call:
			if id := in.Call.Builtin(); id != mid.BuiltinLen && id != mid.BuiltinCap {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// OnlyMeasured reports whether nothing but the length of v, a slice, is ever looked at.
func OnlyMeasured(v *mid.Convert) bool {
	return !slices.ContainsFunc(v.Referrers(), func(u mid.Instr) bool {
		c, ok := u.(*mid.Call)
		return !ok || c.Call.Builtin() != mid.BuiltinLen
	})
}

// AppendedZeros reports whether m is the make of append(s, make([]T, n)...): nothing else sees the
// slice, so s grows by zeros and no slice is made.
func AppendedZeros(m *mid.MakeSlice) bool {
	if m.Len != m.Cap {
		return false
	}
	var user mid.Instr
	for _, r := range m.Referrers() {
		if user != nil {
			return false
		}
		user = r
	}
	call, ok := user.(*mid.Call)
	if !ok {
		return false
	}
	return call.Call.Builtin() == mid.BuiltinAppend && len(call.Call.Args) == 2 && call.Call.Args[1] == mid.Value(m) && follows(m, call)
}

// follows reports whether b comes next after a.
func follows(a, b mid.Instr) bool {
	next := false
	for _, in := range a.Block().Instrs {
		if next {
			return in == b
		}
		next = in == a
	}
	return false
}
