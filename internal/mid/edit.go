package mid

import (
	"cmp"
	"go/token"
	"slices"
	"strconv"
)

// NewBlock makes a block that is in no function yet.
func NewBlock(role Role) *Block { return &Block{Role: role} }

// Own says that f will have b among its blocks.
func (f *Func) Own(b *Block) { b.parent = f }

// Append adds in to the end of b, a block that a function owns. Its operands learn of it by
// AddUses, as soon as it has them.
func (b *Block) Append(in Instr) {
	in.common().block = b
	b.Instrs = append(b.Instrs, in)
	if r, ok := in.(Register); ok {
		r.reg().number = b.parent.numbers
		b.parent.numbers++
	}
}

// NewWhole makes a Whole of v for b, where in is: the caller puts it among b's instructions.
func (b *Block) NewWhole(v Value, in Instr) *Whole {
	w := &Whole{X: v}
	w.block, w.pos, w.site, w.typ = b, in.Pos(), in.Site(), v.Type()
	w.number = b.parent.numbers
	b.parent.numbers++
	addUse(v, w)
	return w
}

// SetOperand has in use v where it used old.
func SetOperand(in Instr, old, v Value) {
	in.Block().parent.derived = nil
	var buf [8]*Value
	for _, op := range in.Operands(buf[:0]) {
		if *op == old {
			removeUse(old, in)
			*op = v
			addUse(v, in)
		}
	}
}

// AddUses adds in to the uses of its operands.
func AddUses(in Instr) {
	var buf [8]*Value
	for _, op := range in.Operands(buf[:0]) {
		addUse(*op, in)
	}
	if m, ok := in.(*MakeClosure); ok {
		addUse(m.Fn, in)
	}
}

// addUse adds in to the uses of v.
func addUse(v Value, in Instr) {
	if refs := usesOf(v); refs != nil {
		*refs = append(*refs, in)
	}
}

// usesOf returns the list of v's uses, nil if none is kept.
func usesOf(v Value) *[]Instr {
	switch v := v.(type) {
	case nil:
	case Register:
		return &v.reg().refs
	case *Parameter:
		return &v.refs
	case *FreeVar:
		return &v.refs
	case *Func:
		if v.Of.Parent != nil {
			return &v.refs
		}
	}
	return nil
}

// removeUse takes one of in's uses of v away.
func removeUse(v Value, in Instr) {
	if refs := usesOf(v); refs != nil {
		// What was added last goes first, mostly, or what was added first.
		for first, last := 0, len(*refs)-1; first <= last; first, last = first+1, last-1 {
			switch {
			case (*refs)[last] == in:
				*refs = slices.Delete(*refs, last, last+1)
				return
			case first == 0 && (*refs)[0] == in:
				*refs = (*refs)[1:]
				return
			case (*refs)[first] == in:
				*refs = slices.Delete(*refs, first, first+1)
				return
			}
		}
	}
}

// IsLocal reports whether v belongs to a function, so that its Referrers are all its uses.
func IsLocal(v Value) bool { return usesOf(v) != nil }

// SetInstrs gives b these instructions, some of which may have been in other blocks.
func (b *Block) SetInstrs(list []Instr) {
	b.Instrs = list
	for _, in := range list {
		in.common().block = b
	}
}

// Replace has v take old's place as operand of all that uses it, and in notes.
func Replace(old Register, v Value) {
	for _, in := range old.Referrers() {
		var buf [8]*Value
		for _, op := range in.Operands(buf[:0]) {
			if *op == Value(old) {
				*op = v
				addUse(v, in)
			}
		}
	}
	old.reg().refs = nil
	f := old.Parent()
	f.derived = nil
	if len(f.notes) > 0 {
		if f.replaced == nil {
			f.replaced = map[Value]Value{}
		}
		f.replaced[old] = v
	}
}

// Delete takes the instructions in gone out of f. What they note is noted ahead of what follows,
// but for what speaks of values that are gone. A jump after them that has no position gets theirs:
// what has none counts as being where the instruction before it is.
func (f *Func) Delete(gone map[Instr]bool) {
	if len(gone) == 0 {
		return
	}
	f.renameNotes()
	for _, b := range f.blocks {
		if !slices.ContainsFunc(b.Instrs, func(in Instr) bool { return gone[in] }) {
			continue
		}
		kept := b.Instrs[:0]
		var notes []*Note
		pos := token.NoPos
		for _, in := range b.Instrs {
			if !gone[in] {
				if _, jump := in.(*Jump); jump && !in.Pos().IsValid() {
					in.common().pos = pos
				}
				pos = token.NoPos
				if len(notes) > 0 {
					f.notes[in] = append(notes, f.notes[in]...)
					notes = nil
				}
				kept = append(kept, in)
				continue
			}
			if in.Pos().IsValid() {
				pos = in.Pos()
			}
			notes = append(notes, f.notes[in]...)
			delete(f.notes, in)
			var buf [8]*Value
			for _, op := range in.Operands(buf[:0]) {
				removeUse(*op, in)
			}
			if m, ok := in.(*MakeClosure); ok {
				removeUse(m.Fn, in)
			}
		}
		clear(b.Instrs[len(kept):])
		b.Instrs = kept
	}
	for in, list := range f.notes {
		f.notes[in] = slices.DeleteFunc(list, func(n *Note) bool {
			x, ok := n.X.(Instr)
			return ok && gone[x]
		})
	}
}

// DropUses has the operands of in forget it.
func DropUses(in Instr) {
	dropUses(in)
	if m, ok := in.(*MakeClosure); ok {
		removeUse(m.Fn, in)
	}
}

// Place says that in belongs to b, whose instructions it will be put among later.
func Place(in Instr, b *Block) { in.common().block = b }

// Forward has v take old's place as operand of all that uses it, while a body is being made.
func Forward(old Register, v Value) {
	for _, in := range old.Referrers() {
		var buf [8]*Value
		for _, op := range in.Operands(buf[:0]) {
			if *op == Value(old) {
				*op = v
				addUse(v, in)
			}
		}
	}
	old.reg().refs = nil
}

// Number gives the registers in blocks, which will be f's, their numbers.
func (f *Func) Number(blocks []*Block) {
	f.numbers = 0
	for _, b := range blocks {
		for _, in := range b.Instrs {
			if r, ok := in.(Register); ok {
				r.reg().number = f.numbers
				f.numbers++
			}
		}
	}
}

// DropNotes forgets what is to be told ahead of in, which is not part of f.
func (f *Func) DropNotes(in Instr) { delete(f.notes, in) }

// MoveNotes has what is to be told ahead of from told ahead of to.
func (f *Func) MoveNotes(from, to Instr) { f.moveNotes(from, to) }

// NameLiterals puts the literals and loop bodies of f in the order of the source, from the one of
// that index on, and names them after f.
func (f *Func) NameLiterals(from int) {
	slices.SortStableFunc(f.literals[from:], func(a, b *Func) int { return cmp.Compare(a.Of.Pos, b.Of.Pos) })
	for i := from; i < len(f.literals); i++ {
		a := f.literals[i]
		a.name = f.name + "$" + strconv.Itoa(i+1)
		a.NameLiterals(0)
	}
}

// dropUses has the operands of in forget it.
func dropUses(in Instr) {
	var buf [8]*Value
	for _, op := range in.Operands(buf[:0]) {
		removeUse(*op, in)
	}
}

// moveNotes has what is to be told ahead of from told ahead of to.
func (f *Func) moveNotes(from, to Instr) {
	if notes := f.notes[from]; notes != nil {
		delete(f.notes, from)
		f.notes[to] = append(notes, f.notes[to]...)
	}
}

func link(from, to *Block) {
	from.Succs = append(from.Succs, to)
	to.Preds = append(to.Preds, from)
}

// giveResults puts results in place of those of call.
func giveResults(call *Call, results []Value) {
	if len(results) == 1 {
		Replace(call, results[0])
		return
	}
	for _, in := range slices.Clone(call.Referrers()) {
		x := in.(*Extract)
		Replace(x, results[x.Index])
		b := x.block
		i := slices.Index(b.Instrs, Instr(x))
		b.Instrs = slices.Delete(b.Instrs, i, i+1)
		x.Parent().moveNotes(x, b.Instrs[i])
	}
}
