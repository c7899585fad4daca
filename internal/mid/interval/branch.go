package interval

import (
	"go/token"
	"math"

	"loam/internal/mid"
)

// narrow returns what v, which is in i, can be in b, by the comparisons that every way to b has
// been decided by. If to is not nil it is for the way from b, at its end, to to.
func (a *Analysis) narrow(v mid.Value, i Interval, b, to *mid.Block) Interval {
	uses := v.Referrers()
	if len(uses) > mid.MaxUses || i.Lo == i.Hi {
		return i
	}
	for _, use := range uses {
		c, ok := use.(*mid.BinOp)
		if !ok || mirrored[c.Op] == token.ILLEGAL {
			continue // no comparison
		}
		for _, branch := range c.Referrers() {
			if _, ok := branch.(*mid.If); !ok {
				continue
			}
			at := branch.Block()
			holds, ok := decided(at, b, to)
			if !ok {
				continue
			}
			op, other := c.Op, c.Y
			if other == v {
				op, other = mirrored[op], c.X
			}
			if !holds {
				op = opposite[op]
			}
			if o, ok := a.of(other); ok {
				i = i.compared(op, o)
			}
		}
	}
	return i
}

// decided tells which way the branch at the end of at went if control is in b, or goes from its end
// to to; false if it may be either.
func decided(at, b, to *mid.Block) (holds, ok bool) {
	yes, no := at.Succs[0], at.Succs[1]
	if yes == no {
		return false, false
	}
	if at == b && to != nil && (to == yes || to == no) {
		return to == yes, true
	}
	if len(yes.Preds) == 1 && yes.Dominates(b) {
		return true, true
	}
	return false, len(no.Preds) == 1 && no.Dominates(b)
}

// compared is what of x is smaller, greater or the like, by op, than some number of y.
func (x Interval) compared(op token.Token, y Interval) Interval {
	below, above := Interval{math.MinInt64, y.Hi}, Interval{y.Lo, math.MaxInt64}
	switch op {
	case token.LSS:
		if y.Hi > math.MinInt64 {
			below.Hi--
			return x.cut(below)
		}
	case token.LEQ:
		return x.cut(below)
	case token.GTR:
		if y.Lo < math.MaxInt64 {
			above.Lo++
			return x.cut(above)
		}
	case token.GEQ:
		return x.cut(above)
	case token.EQL:
		return x.cut(y)
	case token.NEQ:
		if y.Lo == y.Hi && x.Lo < x.Hi {
			if x.Lo == y.Lo {
				x.Lo++
			} else if x.Hi == y.Lo {
				x.Hi--
			}
		}
	}
	return x
}

// mirrored is how y is related to x if x is so to y.
var mirrored = map[token.Token]token.Token{
	token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ,
	token.EQL: token.EQL, token.NEQ: token.NEQ,
}

// opposite is how two numbers are related if they are not so.
var opposite = map[token.Token]token.Token{
	token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
}
