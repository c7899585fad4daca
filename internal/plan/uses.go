package plan

import (
	"go/token"
	"go/types"
	"slices"

	"loam/internal/mid"
)

// What the uses of a value, or what it is made of, say of how it is written.

// IsRangeCondition reports whether in is the condition of a loop over a slice or an array: whether
// the next index, -1 before the loop and plus 1, is less than the length. In the loop's body that
// index is the program's variable, to be compared with anything.
func IsRangeCondition(in *mid.BinOp) bool {
	next, ok := in.X.(*mid.BinOp)
	if !ok || in.Op != token.LSS || in.Block().Role != mid.RangeHead || next.Op != token.ADD || next.Block() != in.Block() {
		return false
	}
	index, ok := next.X.(*mid.Phi)
	if !ok || !index.Index {
		return false
	}
	for _, e := range index.Edges {
		if c, ok := e.(*mid.Const); e != next && (!ok || !c.IsInt(-1)) {
			return false
		}
	}
	return true
}

// OpAssign returns the update m[k] = m[k] op v that a lookup belongs to, if nothing else uses
// the two values and nothing happens between: then one search of the map does. Only
// arithmetic that cannot panic counts, as the entry must not be made before a panic.
func OpAssign(l *mid.Lookup) *mid.MapUpdate {
	refs := l.Referrers()
	if l.CommaOk || len(refs) != 1 {
		return nil
	}
	op, ok := refs[0].(*mid.BinOp)
	if !ok || op.X != l || op.Y == l || basicInfo(l.Type())&types.IsNumeric == 0 || len(op.Referrers()) != 1 {
		return nil
	}
	switch op.Op {
	case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
	default:
		return nil
	}
	u, ok := op.Referrers()[0].(*mid.MapUpdate)
	if !ok || u.Map != l.X || u.Key != l.Index || u.Value != op {
		return nil
	}
	// The three follow each other, but for constants and loads that feed the right operand.
	instrs := l.Block().Instrs
	for i, in := range instrs {
		if in != mid.Instr(l) {
			continue
		}
		for _, next := range instrs[i+1:] {
			switch next := next.(type) {
			case *mid.MapUpdate:
				if next == u {
					return u
				}
				return nil
			case *mid.BinOp:
				if next != op {
					return nil
				}
			case *mid.Convert, *mid.ChangeType, *mid.Extract:
			default:
				return nil
			}
		}
	}
	return nil
}

// StoresByIndex reports whether an element of an array in the memory that p points to is written by
// an index that is no constant.
func StoresByIndex(p mid.Value) bool {
	for _, use := range p.Referrers() {
		switch use := use.(type) {
		case *mid.FieldAddr:
			if StoresByIndex(use) {
				return true
			}
		case *mid.IndexAddr:
			if use.X != p {
				continue
			}
			if _, isConst := use.Index.(*mid.Const); !isConst && isStoredTo(use) || isConst && StoresByIndex(use) {
				return true
			}
		}
	}
	return false
}

// isStoredTo reports whether what p points to is written, or a part of it.
func isStoredTo(p mid.Value) bool {
	for _, use := range p.Referrers() {
		switch use := use.(type) {
		case *mid.Store:
			if use.Addr == p {
				return true
			}
		case *mid.FieldAddr:
			if isStoredTo(use) {
				return true
			}
		case *mid.IndexAddr:
			if use.X == p && isStoredTo(use) {
				return true
			}
		}
	}
	return false
}

// Unconverted returns the interface that was converted to interface v.
func Unconverted(v mid.Value) mid.Value {
	for {
		c, ok := v.(*mid.ChangeInterface)
		if !ok {
			return v
		}
		v = c.X
	}
}

// OnlyCompared reports whether nothing but comparisons uses in's value.
func OnlyCompared(in *mid.ChangeInterface) bool {
	for _, u := range in.Referrers() {
		switch u := u.(type) {
		case *mid.BinOp:
		case *mid.ChangeInterface:
			if !OnlyCompared(u) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// UsedBeforeWrites reports whether all uses of v are in its block, and nothing between v and
// the last of them writes memory. The last use may itself be a store.
func (p *Func) UsedBeforeWrites(v mid.Instr) bool {
	refs := v.(mid.Value).Referrers()
	left := 0
	for _, r := range refs {
		if r.Block() != v.Block() {
			return false
		}
		switch r := r.(type) {
		case *mid.Field, *mid.Index:
			if p.how.Big(r.(mid.Value).Type()) { // would hand the address on
				return false
			}
		case *mid.Store:
			if r.Val != v.(mid.Value) {
				return false
			}
		case *mid.BinOp:
		default:
			return false
		}
		left++
	}
	instrs := v.Block().Instrs
	i := 0
	for instrs[i] != v {
		i++
	}
	for _, in := range instrs[i+1:] {
		if left == 0 {
			return true
		}
		uses := false
		for _, r := range refs {
			uses = uses || r == in
		}
		if uses {
			left--
			if left == 0 {
				return true
			}
		}
		switch in := in.(type) {
		case *mid.Field, *mid.Index, *mid.FieldAddr, *mid.IndexAddr, *mid.Extract, *mid.BinOp:
		case *mid.UnOp:
			if in.Op == token.ARROW {
				return false
			}
		default:
			return false
		}
	}
	return left == 0
}

// MakesSlice reports whether in is the form of make([]T, n, constant): an array and a slice of it.
// A bad length is an error of make, not of slicing (fixedbugs/issue37975.go).
func MakesSlice(in *mid.Slice) bool {
	a, ok := in.X.(*mid.Alloc)
	return ok && a.Made == mid.SliceMade
}

// UintptrArgs reports whether v is the array of variadic uintptr arguments.
func UintptrArgs(v mid.Value) bool {
	if !VariadicArray(v) {
		return false
	}
	arr := under(under(v.Type()).(*types.Pointer).Elem()).(*types.Array)
	return basicKind(arr.Elem()) == types.Uintptr
}

// VariadicArray reports whether v is an array that was made for variadic arguments.
func VariadicArray(v mid.Value) bool {
	a, ok := v.(*mid.Alloc)
	return ok && a.Made == mid.VariadicArgs
}

// IsPrivate reports whether an address is that of a variable in this frame that nobody else knows.
func IsPrivate(addr mid.Value) bool {
	for {
		switch a := addr.(type) {
		case *mid.FieldAddr:
			addr = a.X
		case *mid.IndexAddr:
			if _, ok := under(a.X.Type()).(*types.Pointer); !ok {
				return false
			}
			addr = a.X
		case *mid.Alloc:
			return !a.Heap
		default:
			return false
		}
	}
}

// isFolded reports whether a string addition is only an operand of the instruction that makes use
// of all parts at once: another addition in the same block, or the conversion to a byte slice of
// the heap that follows it.
func (p *Func) isFolded(in *mid.BinOp) bool {
	refs := in.Referrers()
	if len(refs) != 1 || refs[0].Block() != in.Block() {
		return false
	}
	switch u := refs[0].(type) {
	case *mid.BinOp:
		if u.Op != token.ADD || u.X != in {
			return false
		}
	case *mid.Convert:
		instrs := in.Block().Instrs
		at := slices.Index(instrs, mid.Instr(in))
		if at < 0 || at+1 == len(instrs) || instrs[at+1] != mid.Instr(u) || !isBytes(u.Type()) || p.how.InFrame(u) {
			return false
		}
	default:
		return false
	}
	return true
}

// isBytes reports whether t is a slice of bytes.
func isBytes(t types.Type) bool {
	s, ok := under(t).(*types.Slice)
	return ok && basicKind(s.Elem()) == types.Uint8
}

// findFolded finds the additions that are part of another one, or of a conversion.
func (p *Func) findFolded() {
	for _, blk := range p.f.Body() {
		for _, in := range blk.Instrs {
			if sum, ok := in.(*mid.BinOp); ok && sum.Op == token.ADD && isString(sum.Type()) && p.isFolded(sum) {
				if p.Folded == nil {
					p.Folded = map[*mid.BinOp]bool{}
				}
				p.Folded[sum] = true
			}
		}
	}
}
