package escape

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// build makes the graph of fn, which has a body.
func (g *graph) build(fn *mid.Func) {
	g.reset(fn)
	blocks := shape.Of(fn)
	for _, b := range fn.Body() {
		if !blocks.Runs(b) {
			continue
		}
		for _, instr := range b.Instrs {
			g.instr(instr)
		}
	}
}

func (g *graph) instr(instr mid.Instr) {
	switch v := instr.(type) {
	case *mid.Alloc:
		g.object(v, g.an.allocLimit(v))
	case *mid.Phi:
		if d := g.node(v); d >= 0 {
			for _, e := range v.Edges {
				g.flow(g.node(e), d, 0)
			}
		}
	case *mid.Call:
		g.call(v, &v.Call, v)
	case *mid.Defer:
		if v.DeferStack != nil || shape.Of(g.fn).InLoop(v.Block()) {
			g.leakCall(&v.Call, whyDefer, v.Pos())
		} else {
			g.call(v, &v.Call, nil)
		}
	case *mid.Go:
		g.leakCall(&v.Call, whyGo, v.Pos())
	case *mid.BinOp:
		g.binop(v)
	case *mid.UnOp:
		if v.Op == token.MUL {
			g.copy(v.X, v, 1)
			if g.readsAsNumber(v) {
				g.flow(g.node(v.X), g.hidden, 1)
			}
		}
	case *mid.ChangeInterface:
		g.copy(v.X, v, 0)
	case *mid.ChangeType:
		g.copy(v.X, v, 0)
	case *mid.Convert:
		g.convert(v)
	case *mid.MakeInterface:
		if isDirect(v.X.Type()) {
			g.copy(v.X, v, 0)
		} else {
			g.flow(g.held(v.X), g.object(v, g.an.limit(v.X.Type(), MaxMade)), 0)
		}
	case *mid.MakeClosure:
		g.closure(v)
	case *mid.MakeMap:
		g.object(v, whyNone)
	case *mid.MakeSlice:
		g.object(v, g.an.sliceLimit(v))
	case *mid.Slice:
		g.copy(v.X, v, 0)
	case *mid.SliceToArrayPointer:
		g.copy(v.X, v, 0)
	case *mid.FieldAddr:
		g.copy(v.X, v, 0)
	case *mid.Field:
		g.copy(v.X, v, 0)
	case *mid.IndexAddr:
		g.copy(v.X, v, 0)
	case *mid.Index:
		g.copy(v.X, v, 0)
	case *mid.Extract:
		if call, ok := v.Tuple.(*mid.Call); ok {
			if n := g.node(call); n >= 0 {
				g.flow(n+int32(v.Index), g.node(v), 0)
			}
		} else {
			g.copy(v.Tuple, v, 0)
		}
	case *mid.TypeAssert:
		if isDirect(v.AssertedType) || types.IsInterface(v.AssertedType) {
			g.copy(v.X, v, 0)
		} else {
			g.copy(v.X, v, 1)
		}
	case *mid.Store:
		g.store(v)
	case *mid.MapUpdate:
		g.leak(v.Key, 0, whyMap, v.Pos())
		g.leak(v.Value, 0, whyMap, v.Pos())
	case *mid.Send:
		g.leak(v.X, 0, whySend, v.Pos())
	case *mid.Select:
		for _, s := range v.States {
			if s.Send != nil {
				g.leak(s.Send, 0, whySend, s.Pos)
			}
		}
	case *mid.Panic:
		g.leak(v.X, 0, whyPanic, v.Pos())
	case *mid.Return:
		for i, r := range v.Results {
			g.flow(g.held(r), firstResult+int32(i), 0)
		}
	case *mid.Lookup, *mid.Next, *mid.Range, *mid.MakeChan:
		// Maps and channels hold only what has escaped.
	case *mid.If, *mid.Jump, *mid.RunDefers, *mid.Whole:
	default:
		// An instruction that we do not know: nothing may go through it.
		var ops [8]*mid.Value
		for _, op := range instr.Operands(ops[:0]) {
			if *op != nil {
				g.leak(*op, 0, whyUnknownCall, instr.Pos())
			}
		}
	}
}

// binop: the sum of strings is a new string, or one of the two when the other is empty, which some
// constants are not.
// Arithmetic on an uintptr keeps the pointer in it, except x ^ 0, which is how a pointer is hidden
// from escape analysis on purpose.
func (g *graph) binop(v *mid.BinOp) {
	basic, ok := v.Type().Underlying().(*types.Basic)
	switch {
	case !ok:
	case basic.Info()&types.IsString != 0:
		g.object(v, whyNone)
		if !g.hasText(v.Y) {
			g.copy(v.X, v, 0)
		}
		if !g.hasText(v.X) {
			g.copy(v.Y, v, 0)
		}
	case basic.Kind() == types.Uintptr:
		if c, ok := v.Y.(*mid.Const); ok && v.Op == token.XOR && c.IsInt(0) {
			if hides(v) {
				g.flow(g.node(v.X), g.hidden, 0)
			}
			return
		}
		for _, x := range []mid.Value{v.X, v.Y} {
			if !passedOn(x, v) {
				g.copy(x, v, 0)
			}
		}
	}
}

// passedOn reports whether x is a number that an inlined call was given where at stands. It was
// a mere number to the function that was called, and is so still.
func passedOn(x mid.Value, at mid.Instr) bool {
	if b, ok := x.Type().Underlying().(*types.Basic); !ok || b.Kind() != types.Uintptr || at.Site() == nil {
		return false
	}
	var site *mid.Site
	if in, ok := x.(mid.Instr); ok {
		site = in.Site()
	}
	for s := at.Site().Outer; s != site; s = s.Outer {
		if s == nil {
			return false // it is the call's own, or what another one has returned
		}
	}
	return true
}

// readsAsNumber reports whether a load takes memory that may hold pointers for numbers: through a
// pointer that package unsafe has made another one's.
func (g *graph) readsAsNumber(load *mid.UnOp) bool {
	const pointerSize = 8
	if g.an.pointers(load.Type()) || g.an.sizes.Sizeof(load.Type()) < pointerSize || !hides(load) {
		return false
	}
	at := load.X
	for {
		switch x := at.(type) {
		case *mid.FieldAddr:
			at = x.X
		case *mid.IndexAddr:
			at = x.X
		case *mid.ChangeType:
			at = x.X
		case *mid.Convert:
			return isUnsafePointer(x.X.Type())
		default:
			return false
		}
	}
}

func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// hides reports whether v, x ^ 0 or a pointer that is read as a number, is a module's. Modules that
// hide a pointer rely on where gc puts the object: what a function returns that is not inlined is
// on the heap. So objects whose addresses are hidden are not made in callers' frames. The standard
// library hides pointers that nothing keeps.
func hides(v mid.Instr) bool {
	fn := v.Parent()
	if s := v.Site(); s != nil {
		fn = s.Fn
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil {
		return true
	}
	switch path := fn.Pkg.Pkg.Path(); path {
	case "internal/abi", "runtime", "crypto/internal/boring":
		return false
	default:
		return !strings.HasPrefix(path, "internal/rt/")
	}
}

// hasText reports whether v, a string, is never empty: a constant, or a sum with one. What it finds
// of a sum it remembers, because each sum of a long one asks.
func (g *graph) hasText(v mid.Value) bool {
	switch v := v.(type) {
	case *mid.Const:
		return v.Value != nil && v.Value.Kind() == constant.String && constant.StringVal(v.Value) != ""
	case *mid.BinOp:
		has, known := g.texts[v]
		if !known {
			has = v.Op == token.ADD && (g.hasText(v.Y) || g.hasText(v.X))
			g.texts[v] = has
		}
		return has
	}
	return false
}

// convert: conversions between strings and slices make objects, those between pointers,
// unsafe.Pointer and uintptr keep the pointer, the others have none.
func (g *graph) convert(v *mid.Convert) {
	if g.node(v) < 0 || passedOn(v.X, v) {
		return
	}
	switch t := v.Type().Underlying().(type) {
	case *types.Slice:
		g.object(v, whyNone)
	case *types.Basic:
		if t.Info()&types.IsString != 0 {
			g.object(v, whyNone)
			return
		}
		g.copy(v.X, v, 0)
	default:
		g.copy(v.X, v, 0)
	}
}

// closure: the captured variables are the closure's contents. What the function does with
// them may happen at any call that we do not see, so its leaks count from here on; and what it
// returns of them too, unless we see all calls.
func (g *graph) closure(v *mid.MakeClosure) {
	obj := g.object(v, whyNone)
	fn := v.Fn
	s := g.an.summary(fn)
	seen := onlyCalled(v)
	for i, b := range v.Bindings {
		k := int8(0) // the closure holds what k dereferences of b give
		if ByValue(fn.FreeVars[i]) {
			k = 1
		}
		g.flow(g.node(b), obj, k)
		if s == nil {
			g.leak(b, k, whyClosure, v.Pos())
			continue
		}
		if h := s.heap(len(fn.Params) + i); h != none {
			g.leak(b, max(h, k), whyClosure, v.Pos())
		}
		if seen {
			continue
		}
		for j := range s.nres {
			if d := s.result(len(fn.Params)+i, j); d != none {
				g.leak(b, max(d, k), whyClosure, v.Pos())
			}
		}
	}
}

// onlyCalled reports whether all that happens to the closure are calls in this function, which
// staticCall knows about.
func onlyCalled(v *mid.MakeClosure) bool {
	for _, r := range v.Referrers() {
		switch r := r.(type) {
		case *mid.Call:
			if r.Call.Value != mid.Value(v) {
				return false
			}
			for _, a := range r.Call.Args {
				if a == mid.Value(v) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// store: *addr = val.
func (g *graph) store(v *mid.Store) {
	n := g.node(v.Val)
	if n < 0 || !g.an.pointers(v.Val.Type()) && !isHeaderData(v.Addr) {
		return
	}
	if p := memoryOf(v.Addr); p != nil && p == loadedFrom(v.Val) {
		return // p.f = p.g[i:j]: what p points to holds nothing new
	}
	g.storeTo(n, v.Addr, 0, whyStore, v.Pos())
}

// memoryOf returns the pointer p for an address &p.f, &p[i], &p.f.g and so on, that is
// reached without a load.
func memoryOf(addr mid.Value) mid.Value {
	for {
		switch a := addr.(type) {
		case *mid.FieldAddr:
			addr = a.X
		case *mid.IndexAddr:
			addr = a.X
		case *mid.ChangeType:
			addr = a.X
		default:
			return addr
		}
	}
}

// loadedFrom returns the pointer p if v is what was loaded from memory that p points to,
// perhaps sliced since; nil otherwise.
func loadedFrom(v mid.Value) mid.Value {
	for {
		switch x := v.(type) {
		case *mid.Slice:
			v = x.X
		case *mid.ChangeType:
			v = x.X
		case *mid.UnOp:
			if x.Op != token.MUL {
				return nil
			}
			return memoryOf(x.X)
		default:
			return nil
		}
	}
}

// storeTo adds flows from node n, k times dereferenced, to what addr points to.
func (g *graph) storeTo(n int32, addr mid.Value, k int8, w why, pos token.Pos) {
	if n < 0 {
		return
	}
	var seen [16]mid.Value
	roots := rootFinder{g: g, seen: seen[:0]}
	roots.add(addr)
	if roots.unknown {
		g.addEdge(n, heapNode, k, w, pos)
		return
	}
	for _, o := range roots.objs {
		g.flow(n, o, k)
	}
}
