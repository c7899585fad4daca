package escape

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"loam/internal/linkname"
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

// bodyless gives the summary of a function that Go code declares without a body.
func (an *analyzer) bodyless(fn *mid.Func) *Summary {
	nin, nres := inputs(fn), fn.Signature.Results().Len()
	s := newSummary(nin, nres)
	if fn.Pkg != nil {
		switch fn.Pkg.Pkg.Path() {
		case "sync/atomic", "internal/runtime/atomic":
			return an.atomic(fn, s)
		case "internal/rt/sys", "loam/rt/sys":
			// Expanded by the compiler, or assembly of ours which keeps nothing.
			return an.noescape(fn, s)
		}
	}
	if d, ok := fn.Syntax().(*ast.FuncDecl); ok && hasDirective(d, "//go:noescape") {
		symbol := pulled(d)
		if s.nin == 2 && symbol == "runtime.atomicwb" {
			s.lower(1, 0, 0) // which is called because the pointer is stored, by code that does not say so
		}
		if s.nin == 1 && symbol == "runtime.noescape" {
			s.hidden = []int8{0}
		}
		an.kept(s, symbol)
		return s // as gc takes it: results hold no arguments either
	}
	return nil
}

// kept adds to s, of a function that is said to keep no argument, what the function of that symbol,
// which it is another name for, keeps of what the arguments point to. Modules call
// reflect.mapassign noescape: true of the address of the key, and not of the key. gc takes it for
// both, but has less in frames: what another function made and returned is on its heap.
func (an *analyzer) kept(s *Summary, symbol string) {
	if symbol == "" || an.imported == nil {
		return
	}
	target := an.imported(symbol)
	if target == nil {
		return
	}
	for i := range s.nin {
		if h := target.heap(i); h != none {
			s.lower(i, 0, max(h, 1))
		}
	}
}

// noescape: nothing is kept, any argument may be part of any result.
func (an *analyzer) noescape(fn *mid.Func, s *Summary) *Summary {
	res := fn.Signature.Results()
	for j := range res.Len() {
		if an.pointers(res.At(j).Type()) {
			for i := range s.nin {
				s.lower(i, 1+j, 0)
			}
		}
	}
	return s
}

// atomic: the first parameter is an address, which is not kept; the others are stored
// there. A result is the word at that address.
func (an *analyzer) atomic(fn *mid.Func, s *Summary) *Summary {
	params := fn.Signature.Params()
	for i := 1; i < params.Len(); i++ {
		if an.pointers(params.At(i).Type()) {
			s.lower(i, 0, 0)
		}
	}
	for j := range s.nres {
		if s.nin > 0 && an.pointers(fn.Signature.Results().At(j).Type()) {
			s.lower(0, 1+j, 1)
		}
	}
	return s
}

// specialName is the name with its path of a function that we know better than its body tells, ""
// for others.
func specialName(fn *mid.Func) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil || fn.Signature.Recv() != nil || fn.Parent() != nil {
		return ""
	}
	switch name := fn.Pkg.Pkg.Path() + "." + fn.Name(); name {
	case "internal/abi.EscapeNonString", "internal/poll.ignoringEINTRIO", "runtime.KeepAlive", "runtime.SetFinalizer", "runtime.AddCleanup":
		return name
	}
	return ""
}

// IsSpecial tells whether the analysis knows fn better than its body tells.
func IsSpecial(fn *mid.Func) bool { return specialName(fn) != "" }

// special gives the summary of functions that we know better than their bodies tell.
func (an *analyzer) special(fn *mid.Func) (s *Summary, ok bool) {
	switch specialName(fn) {
	case "internal/abi.EscapeNonString":
		if len(fn.TypeArgs()) != 1 {
			break
		}
		s := newSummary(1, 0)
		if an.nonStringPointers(fn.TypeArgs()[0]) {
			s.lower(0, 0, 0)
		}
		return s, true
	case "internal/poll.ignoringEINTRIO":
		// It passes its last argument to the function that it gets, so the argument would escape,
		// and with it the buffer of each os.File.Read and Write. But the functions are system
		// calls, which keep nothing.
		return newSummary(3, 2), true
	case "runtime.KeepAlive":
		return newSummary(1, 0), true
	case "runtime.SetFinalizer", "runtime.AddCleanup":
		// They keep the object's address where no one sees a pointer.
		return nil, true
	}
	return nil, false
}

func hasDirective(d *ast.FuncDecl, directive string) bool {
	if d == nil || d.Doc == nil {
		return false
	}
	for _, c := range d.Doc.List {
		if c.Text == directive || strings.HasPrefix(c.Text, directive+" ") {
			return true
		}
	}
	return false
}

// pulled is the symbol of another package that a directive above the function gives it, "" without.
func pulled(d *ast.FuncDecl) string {
	for _, c := range d.Doc.List {
		if words, ok := linkname.Parse(c.Text); ok && len(words) == 2 && words[0] == d.Name.Name {
			return words[1]
		}
	}
	return ""
}

// inputs counts parameters (with receiver) and captured variables.
func inputs(fn *mid.Func) int {
	if fn.HasBody() {
		return len(fn.Params) + len(fn.FreeVars)
	}
	n := fn.Signature.Params().Len()
	if fn.Signature.Recv() != nil {
		n++
	}
	return n
}
