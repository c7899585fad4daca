package pass

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"loam/internal/mid"
)

// LLVM merges the stores of a number's bytes into one. It does not where it knows how the number is
// put together: it works each byte out by itself then, before it looks for what to merge. So such a
// number is whole, a value that it knows nothing of, where four or more of its bytes are stored in
// one block. That is what binary.BigEndian.PutUint64(b, x<<58|y<<52|...) is once it is inlined.

// leastBytes is how many bytes of a number are stored where it is kept whole.
const leastBytes = 4

// keepWhole makes whole what f stores by its bytes.
func keepWhole(in *Input, f *mid.Func) {
	if f.Kind == mid.PackageInit || inGeneric(f) {
		return
	}
	changed := false
	for _, b := range f.Body() {
		changed = wholeIn(b) || changed
	}
	if changed && in.Dumped != nil && in.Dumped(f) {
		in.Dump(f, "bytes", f.Text())
	}
}

// wholeIn is keepWhole for a block.
func wholeIn(b *mid.Block) (changed bool) {
	type number struct {
		v     mid.Value
		parts []mid.Register // what takes bytes of it: shifts and conversions
	}
	var numbers []*number
	for _, in := range b.Instrs {
		v, part := storedByte(in)
		if v == nil || part.Block() != b || !isPutTogether(v, 0) {
			continue
		}
		i := slices.IndexFunc(numbers, func(n *number) bool { return n.v == v })
		if i < 0 {
			i = len(numbers)
			numbers = append(numbers, &number{v: v})
		}
		numbers[i].parts = append(numbers[i].parts, part)
	}
	for _, n := range numbers {
		if len(n.parts) < leastBytes {
			continue
		}
		first := slices.IndexFunc(b.Instrs, func(in mid.Instr) bool {
			r, ok := in.(mid.Register)
			return ok && slices.Contains(n.parts, r)
		})
		w := b.NewWhole(n.v, b.Instrs[first])
		b.SetInstrs(slices.Insert(slices.Clone(b.Instrs), first, mid.Instr(w)))
		for _, part := range n.parts {
			mid.SetOperand(part, n.v, w)
		}
		changed = true
	}
	return changed
}

// storedByte returns the number of which in stores a byte, and the instruction that takes it: a
// shift, or the conversion of the lowest byte. The number is nil if in is something else.
func storedByte(in mid.Instr) (mid.Value, mid.Register) {
	s, ok := in.(*mid.Store)
	if !ok {
		return nil, nil
	}
	c, ok := s.Val.(*mid.Convert)
	if !ok || basicKind(c.Type()) != types.Uint8 || len(c.Referrers()) != 1 {
		return nil, nil
	}
	shift, ok := c.X.(*mid.BinOp)
	if !ok || shift.Op != token.SHR {
		return wide(c.X, c)
	}
	n, ok := shift.Y.(*mid.Const)
	if !ok || len(shift.Referrers()) != 1 {
		return wide(c.X, c)
	}
	if k, exact := constant.Uint64Val(constant.ToInt(n.Value)); !exact || k%8 != 0 {
		return wide(c.X, c)
	}
	return wide(shift.X, shift)
}

// wide returns v, and what takes a byte of it; nil if v is no integer of more bytes. A uintptr may
// be a pointer to escape analysis.
func wide(v mid.Value, part mid.Register) (mid.Value, mid.Register) {
	switch basicKind(v.Type()) {
	case types.Uint16, types.Uint32, types.Uint64, types.Uint, types.Int16, types.Int32, types.Int64, types.Int:
		return v, part
	}
	return nil, nil
}

func basicKind(t types.Type) types.BasicKind {
	if b, ok := under(t).(*types.Basic); ok {
		return b.Kind()
	}
	return types.Invalid
}

// isPutTogether reports whether v is made of shifted parts, perhaps only on one of the ways to
// here.
func isPutTogether(v mid.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch v := v.(type) {
	case *mid.BinOp:
		switch v.Op {
		case token.SHL:
			return true
		case token.OR, token.XOR, token.ADD:
			return isPutTogether(v.X, depth+1) || isPutTogether(v.Y, depth+1)
		}
	case *mid.Phi:
		return slices.ContainsFunc(v.Edges, func(e mid.Value) bool { return isPutTogether(e, depth+1) })
	case *mid.ChangeType:
		return isPutTogether(v.X, depth+1)
	}
	return false
}
