package symtab

import (
	"cmp"
	"slices"
)

// declaration is what a function's has.
type declaration struct {
	name, linkage string // with type arguments, if there are any
	file          string
	line          uint64
}

// declared is a declaration. Units have some of their own for the same: they are made one.
type declared struct {
	declaration
	same  *declared // nil if it is that itself
	uses  int       // how often the table refers to it
	place uint64    // in the table
}

// unify returns the one that stands for all like d.
func (d *declared) unify() *declared {
	if d.same != nil {
		return d.same
	}
	return d
}

// codeRow says where the code from an address on comes from.
type codeRow struct {
	addr uint64
	call int // 0 is the function itself, otherwise 1 more than the index of an inlined call
	file string
	line uint64
}

// declaration returns what is known of the function at an offset of .debug_info.
func (u *unit) declaration(p *Program, at int) *declared {
	if d := u.declared[at]; d != nil {
		return d
	}
	d := &declared{}
	v, s := p.find(at)
	for hops := 0; s != nil && s.name == 0 && s.linkage == 0 && s.origin != 0 && hops < 4; hops++ {
		v, s = p.find(s.origin)
	}
	if s != nil {
		d.line = s.line
		d.file = v.lines.file(s.file)
		if s.linkage != 0 {
			d.linkage = p.string(s.linkage - 1)
		}
		if d.name = d.linkage; s.name != 0 {
			d.name = p.string(s.name - 1)
		}
		if d.linkage == d.name {
			d.linkage = ""
		}
	}
	u.declared[at] = d
	return d
}

// isNullary reports whether the function is marked as one without parameters: by its entry, or by
// the one that describes all its instances.
func (p *Program) isNullary(at int) bool {
	for range 4 {
		_, s := p.find(at)
		if s == nil {
			return false
		}
		if s.nullary {
			return true
		}
		at = s.origin
	}
	return false
}

// prepare finds out everything about the unit's functions.
func (u *unit) prepare(p *Program) {
	u.declared = map[int]*declared{}
	for _, f := range u.funcs {
		f.declared = u.declaration(p, f.about)
		f.nullary = p.isNullary(f.about)
		for i := range f.calls {
			c := &f.calls[i]
			c.declared, c.in = u.declaration(p, c.about), u.lines.file(c.file)
		}
		f.prune(f.paint())
		f.readRows()
		f.frame = p.frames.of(f.lo, f.hi-f.lo)
	}
}

// paint sets what each piece of code belongs to, the innermost call. It returns which calls have
// code, with those that they are in.
func (f *function) paint() []bool {
	type piece struct {
		span
		call int
	}
	var pieces []piece
	for i, c := range f.calls {
		for _, s := range c.ranges {
			if s.lo, s.hi = max(s.lo, f.lo), min(s.hi, f.hi); s.lo < s.hi {
				pieces = append(pieces, piece{s, i + 1})
			}
		}
	}
	// Calls are in preorder: of pieces that begin at the same place inner ones come later.
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(b.hi, a.hi)) })
	used := make([]bool, len(f.calls))
	mark := func(at uint64, call int) {
		if n := len(f.pieces); n > 0 && f.pieces[n-1].lo == at {
			f.pieces[n-1].call = call
		} else if n == 0 || f.pieces[n-1].call != call {
			f.pieces = append(f.pieces, ownedBy{at, call})
		}
	}
	stack := []piece{{span{f.lo, f.hi}, 0}}
	mark(f.lo, 0)
	leave := func(until uint64) {
		for len(stack) > 1 && stack[len(stack)-1].hi <= until {
			end := stack[len(stack)-1].hi
			stack = stack[:len(stack)-1]
			mark(end, stack[len(stack)-1].call)
		}
	}
	for _, p := range pieces {
		leave(p.lo)
		top := stack[len(stack)-1]
		if !f.isIn(p.call, top.call) {
			continue // code of a call that is not in the code of the call around
		}
		p.hi = min(p.hi, top.hi)
		stack = append(stack, p)
		mark(p.lo, p.call)
	}
	leave(f.hi)
	for i := range f.pieces {
		for c := f.pieces[i].call; c > 0; c = f.around(c) {
			if used[c-1] {
				break
			}
			used[c-1] = true
		}
	}
	return used
}

// ownedBy says which call the code from an address on belongs to.
type ownedBy struct {
	lo   uint64
	call int
}

// isIn reports whether a call is that one, or inlined into it.
func (f *function) isIn(call, outer int) bool {
	return outer == 0 || outer <= call && call <= outer+f.calls[outer-1].inside
}

// around returns the call that a call is inlined into.
func (f *function) around(call int) int { return f.calls[call-1].around }

// prune drops the calls that have no code.
func (f *function) prune(used []bool) {
	number := make([]int, len(used)+1) // the new numbers
	before := make([]int, len(used)+1) // how many of the calls before are used
	for i, u := range used {
		before[i+1] = before[i] + int(bit(u))
	}
	kept := f.calls[:0:0]
	for i, c := range f.calls {
		if !used[i] {
			continue
		}
		c.inside, c.around = before[i+1+c.inside]-before[i+1], number[c.around]
		kept = append(kept, c)
		number[i+1] = len(kept)
	}
	f.calls = kept
	for i := range f.pieces {
		f.pieces[i].call = number[f.pieces[i].call]
	}
}

// readRows joins the pieces with the lines. Code that the compiler made up has line 0 in the line
// table. It counts as the last line of the same call before it, if there is any.
func (f *function) readRows() {
	lines := f.unit.lines.within(f.lo, f.hi)
	pieces := f.pieces
	last := make([]row, len(f.calls)+1) // by call
	f.rows = make([]codeRow, 0, len(lines)+len(pieces))
	call, line := 0, row{}
	for len(lines) > 0 || len(pieces) > 0 {
		addr := f.hi
		if len(pieces) > 0 {
			addr = pieces[0].lo
		}
		if len(lines) > 0 {
			addr = min(addr, max(lines[0].addr, f.lo))
		}
		for len(pieces) > 0 && pieces[0].lo <= addr {
			call, pieces = pieces[0].call, pieces[1:]
		}
		for len(lines) > 0 && lines[0].addr <= addr {
			line, lines = lines[0], lines[1:]
		}
		r := codeRow{addr, call, f.of(call).file, f.of(call).line}
		if line.line != 0 && !line.end {
			last[call] = line
		}
		if last[call].line != 0 {
			r.line = uint64(last[call].line)
			if name := f.unit.lines.file(uint64(last[call].file)); name != "" {
				r.file = name
			}
		}
		if n := len(f.rows); n == 0 || f.rows[n-1].call != r.call || f.rows[n-1].line != r.line || f.rows[n-1].file != r.file {
			f.rows = append(f.rows, r)
		}
	}
	if len(f.rows) > 0 && f.rows[0] == (codeRow{f.lo, 0, f.file, f.line}) {
		f.rows = f.rows[1:] // as the code in front of the first row
	}
}

// of returns the declaration of a call's function.
func (f *function) of(call int) *declared {
	if call == 0 {
		return f.declared
	}
	return f.calls[call-1].declared
}
