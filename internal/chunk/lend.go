package chunk

import "loam/internal/ir"

// What a chunk knows of other chunks' definitions. Small functions were inlined before there was a
// text. Of the rest LLVM inlines what is hardly bigger.
const (
	maxInstrs = 34   // of a function that is lent
	maxConst  = 1000 // bytes of a constant that is lent
	levels    = 3    // of lent functions that call lent functions
)

// lendable tells whether a function may be of use to a caller that has its body.
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
	// level by level: what is near is lent before what is far
	level := p.own
	for depth := 0; len(level) > 0; depth++ {
		var next []*definition
		for _, d := range level {
			for _, r := range d.refs {
				if p.has[r] {
					continue
				}
				p.has[r] = true
				switch {
				case r.copied:
					p.copies = append(p.copies, r)
					next = append(next, r)
				case r.foreign, r.small && depth < levels && lends(d):
					p.lent = append(p.lent, r)
					next = append(next, r)
				default:
					p.outer = append(p.outer, r)
				}
			}
		}
		level = next
	}
}

// lends tells whether what d refers to may be lent: of constants with many references, as
// descriptors of types, hardly anything would be called.
func lends(d *definition) bool { return d.isFunc || len(d.refs) == 1 }
