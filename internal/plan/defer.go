package plan

import (
	"cmp"
	"slices"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// Deferred calls. At a return, the run-time system makes the deferred calls of the frame's list, by
// pointer. Where it is known which statements can have run, the code makes the calls itself, in
// line: unlocking a mutex, closing a file, a function literal.

const (
	maxInlineDefers = 8  // statements of a function
	maxInlineCalls  = 16 // calls in all its returns: they are there at each of them
)

// Framed reports whether the function has a frame of deferred calls.
func (d *Defers) Framed() bool { return d.Needed && d.Late == nil }

// Only reports whether stmt is the function's one defer statement, which runs at most once: the
// frame has its call in the place of a list.
func (d *Defers) Only(stmt *mid.Defer) bool { return len(d.Sites) == 1 && d.Sites[0] == stmt }

func (p *Func) planDefers() {
	d := &p.Defers
	if d.Needed = p.ownsDefers(); !d.Needed {
		return
	}
	if d.Written = p.isWritten(); p.how.exact() {
		return
	}
	d.Sites = p.deferSites()
	d.Link = p.findLink()
	if d.Late = p.findLate(); d.Late == nil {
		d.Placed = p.findPlaced()
	}
}

func (p *Func) ownsDefers() bool {
	for _, blk := range p.f.Body() {
		if !p.Shape.Runs(blk) {
			continue
		}
		for _, in := range blk.Instrs {
			switch in := in.(type) {
			case *mid.Defer:
				if in.DeferStack == nil {
					return true
				}
			case *mid.Call:
				if in.Call.Builtin() == mid.BuiltinDeferStack {
					return true
				}
			}
		}
	}
	return false
}

func (p *Func) deferSites() []*mid.Defer {
	var sites []*mid.Defer
	returns := 0
	for _, blk := range p.f.Body() {
		if !p.Shape.Runs(blk) || blk == p.f.Recover() {
			continue
		}
		for _, in := range slices.Backward(blk.Instrs) {
			switch in := in.(type) {
			case *mid.Return:
				returns++
			case *mid.Call:
				if in.Call.Builtin() == mid.BuiltinDeferStack {
					return nil // the bodies of loops over functions push on this frame
				}
			case *mid.Defer:
				// recover as a deferred call knows rundefers.
				if in.DeferStack != nil || p.Shape.InLoop(blk) || in.Call.Builtin() == mid.BuiltinRecover {
					return nil
				}
				sites = append(sites, in)
			}
		}
	}
	if len(sites) > maxInlineDefers || len(sites)*returns > maxInlineCalls {
		return nil
	}
	slices.SortStableFunc(sites, func(x, y *mid.Defer) int { return cmp.Compare(p.Shape.After(x.Block()), p.Shape.After(y.Block())) })
	return sites
}

func (p *Func) findLink() mid.Instr {
	sites := p.Defers.Sites
	if len(sites) == 0 {
		return nil
	}
	first := sites[len(sites)-1]
	blk := first.Block()
	for _, d := range sites {
		for blk != nil && !blk.Dominates(d.Block()) {
			blk = blk.Idom()
		}
	}
	for blk != nil && p.Shape.InLoop(blk) {
		blk = blk.Idom()
	}
	switch {
	case blk == nil:
		return nil
	case blk == first.Block():
		return first
	case blk == p.f.Body()[0]:
		return nil
	}
	return blk.Instrs[len(blk.Instrs)-1]
}

func (p *Func) findPlaced() *mid.Defer {
	if len(p.Defers.Sites) != 1 {
		return nil
	}
	d := p.Defers.Sites[0]
	if p.Defers.Link != mid.Instr(d) || p.HasBig(&d.Call) {
		return nil
	}
	if IsNullary(&d.Call) && (PlacedLiteral(d) == nil || p.noted(d.Call.Value)) {
		return nil
	}
	for _, blk := range p.f.Body() {
		if !p.Shape.Runs(blk) || blk == p.f.Recover() {
			continue
		}
		for _, in := range blk.Instrs {
			switch in.(type) {
			case *mid.Return, *mid.RunDefers:
				if shape.Leads(d.Block(), blk) && !d.Block().Dominates(blk) {
					return nil
				}
			}
		}
	}
	return d
}

// PlacedLiteral is the function literal that d defers if that can be the thunk itself: it takes
// nothing, holds variables, and is used by d only.
func PlacedLiteral(d *mid.Defer) *mid.MakeClosure {
	if mc, ok := d.Call.Value.(*mid.MakeClosure); ok && IsNullary(&d.Call) && len(mc.Referrers()) == 1 && mc.Fn.Kind != mid.Bound {
		return mc
	}
	return nil
}

// IsNullary reports whether c calls a function without arguments and results, which is a func()
// value as it is.
func IsNullary(c *mid.CallCommon) bool {
	return c.Builtin() == mid.NoBuiltin && !c.IsInvoke() && len(c.Args) == 0 && c.Signature().Results().Len() == 0
}

// HasBig reports whether c has arguments that travel as addresses: a thunk has copies of its own.
func (p *Func) HasBig(c *mid.CallCommon) bool {
	return slices.ContainsFunc(c.Args, func(a mid.Value) bool { return p.how.Big(a.Type()) })
}

// noted reports whether a debugger is told of v.
func (p *Func) noted(v mid.Value) (noted bool) {
	p.f.AllNotes(func(n *mid.Note) { noted = noted || n.X == v })
	return noted
}
