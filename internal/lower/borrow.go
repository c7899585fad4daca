package lower

import (
	"go/token"
	"go/types"
	"slices"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// Conversions between []byte and string copy, because one may change and the other may not. Three
// kinds need no heap for it:
//
//   - a byte slice of which only elements and the length are read is the string's bytes;
//   - a string that is only looked at (compared, indexed, used as the key of a map access, made a
//     unique.Handle) before anything could write the bytes is the bytes themselves: borrowed;
//   - what escape analysis keeps in the frame is copied into a buffer there if it is short:
//     bounded.

const tmpBytes = escape.TmpBytes

// tmpRunes is the size of the buffer for a string converted to []rune: overlay/runtime has it, too.
const tmpRunes = 32

// tmpBuffer returns the buffer for v, a converted string or a sum of strings, in the frame or, in a
// second form, the caller's. It is not zeroed. ok is false if there is none: v has to be on the
// heap.
func (b *fn) tmpBuffer(v mid.Value) (buf ir.Value, ok bool) {
	if b.onStack(v) {
		return b.Alloca(tmpBytes, 8), true
	}
	if b.inCaller(v) {
		return b.gep(madeParam, b.made.Offsets[v]), true
	}
	return ir.Value{}, false
}

// borrowed tells whether the string that v makes of a byte slice may share its bytes: every use
// only looks, and no instruction on any way to a use writes memory or runs code that might.
// (Another goroutine that writes at the same time is a data race with or without the copy.)
func borrowed(v *mid.Convert) bool {
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

// onlyRead tells whether all that happens to the byte slice that v makes of a string are reads of
// its elements and its length, and copies of it: the string's bytes, which nobody writes, will do.
func onlyRead(v *mid.Convert) bool {
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

// isUniqueMake tells whether c makes a handle for a string: unique.Make copies what it keeps.
func isUniqueMake(c *mid.Call) bool {
	f := c.Call.StaticCallee()
	if f == nil || f.Origin() == nil || f.Origin().Name() != "Make" || f.Origin().Pkg == nil || f.Origin().Pkg.Pkg.Path() != "unique" {
		return false
	}
	basic, ok := under(f.TypeArgs()[0]).(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// quietBetween tells whether every way from v to its use runs only instructions that do not write
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

// bounded copies n bytes at p into buf, which it zeroes first, if they fit, and otherwise calls
// heap for a copy. inFrame makes the value from the buffer; both return values of LLVM type ll.
func (b *fn) bounded(buf ir.Value, ll *ir.Type, p, n ir.Value, inFrame func(buf ir.Value) ir.Value, heap func() ir.Value) ir.Value {
	short, long, join := b.Label("short"), b.Label("long"), b.Label("join")
	b.CondBr(b.ICmp(ir.ULE, n, ir.Int(ir.I64, tmpBytes)), short, long)
	b.Cur = short
	b.fillMem(buf, ir.Int(ir.I64, tmpBytes), 8, false)
	b.copyBytes(buf, p, n, 8, 0)
	s := inFrame(buf)
	b.Br(join)
	b.Cur = long
	h := heap()
	b.Br(join)
	b.Cur = join
	return b.Join(ll, ir.Edge{Value: s, From: short}, ir.Edge{Value: h, From: long})
}
