package escape

import (
	"go/token"
	"go/types"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// Functions that return functions. What a maker of iterators returns is the closure of one function
// literal. What that literal does with its arguments is part of the maker's summary, so that a loop
// may pass its body to what the maker returns without losing sight of it. What the literal does
// with what it has captured counts where the closure is made.

// maxFuncSources bounds the values that a called value is traced back through.
const maxFuncSources = 16

// funcSummary returns what the function value v does with its arguments, nil if it is not known.
func (an *analyzer) funcSummary(v mid.Value) *Summary {
	budget := maxFuncSources
	return an.funcFrom(v, &budget)
}

func (an *analyzer) funcFrom(v mid.Value, budget *int) *Summary {
	if *budget--; *budget < 0 {
		return nil
	}
	switch x := v.(type) {
	case *mid.Func:
		return an.literal(x)
	case *mid.MakeClosure:
		return an.literal(x.Fn)
	case *mid.ChangeType:
		return an.funcFrom(x.X, budget)
	case *mid.UnOp:
		a, ok := x.X.(*mid.Alloc)
		if !ok || x.Op != token.MUL {
			return nil
		}
		if s := OnlyStore(a); s != nil && Before(s, x) {
			return an.funcFrom(s.Val, budget)
		}
	case *mid.Phi:
		var all *Summary
		for _, e := range x.Edges {
			if c, ok := e.(*mid.Const); ok && c.IsNil() {
				continue
			}
			s := an.funcFrom(e, budget)
			if all = all.join(s); all == nil {
				return nil
			}
		}
		return all
	case *mid.Call, *mid.Extract:
		call, j := madeCall(x)
		if call == nil || call.Call.IsInvoke() {
			return nil
		}
		if fn := call.Call.StaticCallee(); fn != nil {
			if s := an.summary(fn); s != nil && j < len(s.funcs) {
				return s.funcs[j]
			}
		}
	}
	return nil
}

// literal returns what fn, a function literal, does with its arguments, nil if that is not known
// yet: literals come before what makes a value of them (callees).
func (an *analyzer) literal(fn *mid.Func) *Summary {
	if fn.Parent() == nil {
		return nil
	}
	return an.facts.summaries[fn].first(len(fn.Params))
}

// funcResults returns for each result of fn that is a function what it does with its arguments,
// nil where that is not known, and nil if nothing is. Functions that may call themselves are left
// out: what their results do would change while they are analysed.
func (an *analyzer) funcResults(fn *mid.Func) []*Summary {
	if an.cyclic[fn] || fn.Recover() != nil {
		return nil
	}
	var list []*Summary
	results := fn.Signature.Results()
	for j := range results.Len() {
		if _, ok := results.At(j).Type().Underlying().(*types.Signature); !ok {
			continue
		}
		if s := an.funcResult(fn, j); s != nil {
			if list == nil {
				list = make([]*Summary, results.Len())
			}
			list[j] = s
		}
	}
	return list
}

func (an *analyzer) funcResult(fn *mid.Func, j int) (all *Summary) {
	blocks := shape.Of(fn)
	for _, b := range fn.Body() {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*mid.Return)
		if !ok || !blocks.Runs(b) {
			continue
		}
		if c, ok := ret.Results[j].(*mid.Const); ok && c.IsNil() {
			continue
		}
		if all = all.join(an.funcSummary(ret.Results[j])); all == nil {
			return nil
		}
	}
	return all
}

// first returns what s says about the first n inputs.
func (s *Summary) first(n int) *Summary {
	if s == nil || n > s.nin {
		return nil
	}
	return &Summary{nin: n, nres: s.nres, flow: s.flow[:n*(s.nres+1)]}
}

// join returns what holds of a call that is one described by s or by t; s may be nil for none, t is
// nil if nothing is known of it.
func (s *Summary) join(t *Summary) *Summary {
	if s == nil || t == nil {
		return t
	}
	if s.nin != t.nin || s.nres != t.nres {
		return nil
	}
	both := newSummary(s.nin, s.nres)
	for _, one := range []*Summary{s, t} {
		for i, k := range one.flow {
			if k != none && (both.flow[i] == none || k < both.flow[i]) {
				both.flow[i] = k
			}
		}
	}
	return both
}
