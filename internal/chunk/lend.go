package chunk

import "loam/internal/ir"

// What a chunk knows of other chunks' definitions. Small functions were inlined before there was a
// text. Of the rest LLVM inlines what is hardly bigger.
const (
	maxInstrs = 34   // of a function that is lent
	maxConst  = 1000 // bytes of a constant that is lent
	levels    = 3    // of lent functions that call lent functions
)

// lendable reports whether a function may be of use to a caller that has its body.
func lendable(f *ir.FuncDef) bool {
	switch {
	case f.AlwaysInline:
		return true
	case f.NoInline || f.OptNone:
		return false
	}
	return f.Instrs() <= maxInstrs
}

// part is a chunk in the making.
type part struct {
	own    []*definition
	lent   []*definition // copies, in order of discovery
	copies []*definition // of private constants
	outer  []*definition // of other chunks, to be declared
	has    map[*definition]bool
}

// borrow finds what a chunk needs besides its own definitions.
func (p *part) borrow() {
	p.has = map[*definition]bool{}
	for _, d := range p.own {
		p.has[d] = true
	}
	reached := map[*definition]bool{} // of its own: by code that LLVM may inline something in
	var code []*definition
	for _, d := range p.own {
		if d.isFunc && !d.Func.Forwards {
			code = append(code, d)
			reached[d] = true
		}
	}
	rest := p.follow(code, reached, lendsToo)
	for _, d := range p.own {
		if !reached[d] {
			rest = append(rest, d)
		}
	}
	p.follow(rest, reached, lendsNothing)
}

// following says whether follow lends functions.
type following int

const (
	lendsNothing following = iota
	lendsToo
)

// follow finds what definitions need, level by level: what is near is lent before what is far. It
// lends no functions to those that have nothing to inline them in: to variables that no code of the
// chunk mentions, to what only jumps to another function, and to what these two lead to. When it
// lends, it returns them instead.
func (p *part) follow(level []*definition, reached map[*definition]bool, how following) (dull []*definition) {
	for depth := 0; len(level) > 0; depth++ {
		var next []*definition
		for _, d := range level {
			if how == lendsToo && !lends(d) {
				dull = append(dull, d)
				continue
			}
			for _, r := range d.refs {
				if p.has[r] {
					if !reached[r] && !r.isFunc {
						reached[r] = true
						next = append(next, r)
					}
					continue
				}
				p.has[r], reached[r] = true, true
				switch {
				case r.copied:
					p.copies = append(p.copies, r)
					next = append(next, r)
				case r.foreign, how == lendsToo && r.small && depth < levels:
					p.lent = append(p.lent, r)
					next = append(next, r)
				default:
					p.outer = append(p.outer, r)
				}
			}
		}
		level = next
	}
	return dull
}

// lends reports whether what d refers to may be lent: of constants with many references, as
// descriptors of types, hardly anything would be called.
func lends(d *definition) bool {
	if d.isFunc {
		return !d.Func.Forwards
	}
	return len(d.refs) == 1
}
