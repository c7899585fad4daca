package interval

import (
	"go/constant"
	"go/token"
	"math"

	"loam/internal/mid"
)

// step is an edge of a phi that brings the phi and a constant back.
type step struct {
	sum  *mid.BinOp
	by   int64
	from *mid.Block // whose end the edge is
}

// stepOf returns by how much e is more than p.
func stepOf(p *mid.Phi, e mid.Value) (sum *mid.BinOp, by int64, ok bool) {
	sum, ok = e.(*mid.BinOp)
	if !ok || sum.X != mid.Value(p) || sum.Op != token.ADD && sum.Op != token.SUB {
		return nil, 0, false
	}
	c, ok := sum.Y.(*mid.Const)
	if !ok {
		return nil, 0, false
	}
	by, exact := constant.Int64Val(constant.ToInt(c.Value))
	if sum.Op == token.SUB {
		by = -by
	}
	return sum, by, exact && by != 0 && by != math.MinInt64
}

// phi returns what p can be, of a type that has full.
//
// A step up leads at most to what the comparisons ahead of it and behind it let pass; steps down do
// not matter for that, as long as none wraps. The end asks whether a step wraps from within the
// bounds found: until the first step that wraps, the counter is within them.
func (a *Analysis) phi(p *mid.Phi, full Interval) Interval {
	var r Interval
	var steps []step
	begun := false
	for i, e := range p.Edges {
		from := p.Block().Preds[i]
		if e == mid.Value(p) {
			continue
		}
		if sum, by, ok := stepOf(p, e); ok {
			steps = append(steps, step{sum, by, from})
			continue
		}
		x, ok := a.of(e)
		if !ok {
			return full
		}
		x = a.narrow(e, x, from, p.Block())
		if begun {
			x = x.union(r)
		}
		r, begun = x, true
	}
	if !begun {
		return full // control does not come
	}
	for _, s := range steps {
		end, ok := a.narrow(p, full, s.sum.Block(), nil).add(Interval{s.by, s.by})
		if !ok || !end.within(full) {
			end = full
		}
		end = a.narrow(s.sum, end, s.from, p.Block())
		if s.by > 0 {
			r.Hi = max(r.Hi, end.Hi)
		} else {
			r.Lo = min(r.Lo, end.Lo)
		}
	}
	for _, s := range steps {
		end, ok := a.narrow(p, r, s.sum.Block(), nil).add(Interval{s.by, s.by})
		if !ok || !end.within(full) {
			return full
		}
	}
	return r
}
