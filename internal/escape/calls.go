package escape

import (
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// leakCall lets everything that a go or defer statement keeps escape.
func (g *graph) leakCall(c *mid.CallCommon, w why, pos token.Pos) {
	g.leak(c.Value, 0, w, pos)
	for _, a := range c.Args {
		g.leak(a, 0, w, pos)
	}
}

// call adds the flows of a call whose results are res's (nil: thrown away).
func (g *graph) call(instr mid.Instr, c *mid.CallCommon, res *mid.Call) {
	if c.Builtin() != mid.NoBuiltin {
		g.builtin(c, res, instr.Pos())
		return
	}
	if c.IsInvoke() {
		if fn, recv, k := g.devirtualize(c); fn != nil {
			args := make([]mid.Value, 0, 1+len(c.Args))
			args = append(append(args, recv), c.Args...)
			g.staticCall(fn, args, k, res, instr.Pos())
			return
		}
		g.leakCall(c, whyDynamicCall, instr.Pos())
		return
	}
	if fn := c.StaticCallee(); fn != nil {
		args := c.Args
		if mc, ok := c.Value.(*mid.MakeClosure); ok {
			args = append(append(make([]mid.Value, 0, len(args)+len(mc.Bindings)), args...), mc.Bindings...)
		}
		if res != nil {
			if m, n := g.madeBy(res); m != nil {
				g.secondForm(fn, m, n, args, res, instr.Pos())
				return
			}
		}
		g.staticCall(fn, args, 0, res, instr.Pos())
		return
	}
	if s := g.an.funcSummary(c.Value); s != nil && s.nin == len(c.Args) {
		g.summaryFlows(s, c.Args, 0, res, instr.Pos())
		return
	}
	// A func value that we know nothing about. Calling it does not make it escape; what it
	// captured and returns has escaped when it was made.
	for _, a := range c.Args {
		g.leak(a, 0, whyUnknownCall, instr.Pos())
	}
}

// resultNode is the node of the call's first result, -1 if no result holds pointers.
func (g *graph) resultNode(res *mid.Call) int32 {
	if res == nil {
		return -1
	}
	return g.node(res)
}

// staticCall adds the flows of a call of fn. k is how many more dereferences the first
// argument, the receiver, has undergone.
func (g *graph) staticCall(fn *mid.Func, args []mid.Value, k int8, res *mid.Call, pos token.Pos) {
	g.summaryFlows(g.an.summary(fn), args, k, res, pos)
}

// secondForm adds the flows of a call of fn that makes the objects m in the node made.
func (g *graph) secondForm(fn *mid.Func, m *made, made int32, args []mid.Value, res *mid.Call, pos token.Pos) {
	plain := g.an.summary(fn)
	g.summaryFlows(&Summary{nin: plain.nin, nres: plain.nres, flow: m.flow, hidden: plain.hidden}, args, 0, res, pos)
	for i, a := range args {
		if d := m.into[i]; d != none {
			g.flow(g.node(a), made, d)
		}
	}
}

// summaryFlows adds what s says about the arguments of a call; s may be nil.
func (g *graph) summaryFlows(s *Summary, args []mid.Value, k int8, res *mid.Call, pos token.Pos) {
	r := g.resultNode(res)
	for i, a := range args {
		n := g.node(a)
		if n < 0 {
			continue
		}
		extra := int8(0)
		if i == 0 {
			extra = k
		}
		if s == nil {
			g.leak(a, 0, whyUnknownCall, pos)
			continue
		}
		if h := s.heap(i); h != none {
			g.addEdge(n, heapNode, min(h+extra, maxDeref), whyCall, pos)
		}
		if h := s.hides(i); h != none {
			g.flow(n, g.hidden, min(h+extra, maxDeref))
		}
		if r >= 0 {
			for j := range s.nres {
				if d := s.result(i, j); d != none {
					g.flow(n, r+int32(j), min(d+extra, maxDeref))
				}
			}
		}
	}
}

// builtin adds the flows of a call of a builtin function.
func (g *graph) builtin(c *mid.CallCommon, res *mid.Call, pos token.Pos) {
	arg := func(i int) int32 { return g.node(c.Args[i]) }
	switch c.Builtin() {
	case mid.BuiltinAppend:
		// The result is the old array or a new one, which gets a copy of all elements; with room in
		// it the old array gets a copy of the new ones. The new one is on the heap, or the first in
		// the frame, but what it holds may be moved to the heap as the slice grows.
		if res != nil {
			g.object(res, g.an.appendLimit(res))
			g.flow(arg(0), g.node(res), 0)
		}
		if st, ok := c.Args[0].Type().Underlying().(*types.Slice); ok && g.an.pointers(st.Elem()) {
			g.addEdge(arg(0), heapNode, 1, whyAppend, pos)
			if len(c.Args) > 1 {
				g.addEdge(arg(1), heapNode, 1, whyAppend, pos)
			}
		}
	case mid.BuiltinCopy:
		if st, ok := c.Args[0].Type().Underlying().(*types.Slice); ok && g.an.pointers(st.Elem()) {
			g.storeTo(arg(1), c.Args[0], 1, whyCopy, pos)
		}
	case mid.BuiltinPanic:
		g.leak(c.Args[0], 0, whyPanic, pos)
	case mid.BuiltinMin, mid.BuiltinMax, mid.BuiltinCheckNil, mid.BuiltinUnsafeAdd, mid.BuiltinUnsafeSlice, mid.BuiltinUnsafeSliceData,
		mid.BuiltinUnsafeString, mid.BuiltinUnsafeStringData:
		if res != nil {
			for _, a := range c.Args {
				g.copy(a, res, 0)
			}
		}
	case mid.BuiltinCap, mid.BuiltinClear, mid.BuiltinClose, mid.BuiltinComplex, mid.BuiltinDelete, mid.BuiltinImag, mid.BuiltinLen,
		mid.BuiltinPrint, mid.BuiltinPrintln, mid.BuiltinReal, mid.BuiltinRecover, mid.BuiltinDeferStack:
	default:
		panic("escape: built-in " + c.Builtin().String())
	}
}
