package pass

import (
	"slices"

	"loam/internal/escape"
	"loam/internal/mid"
)

// Loops over functions become loops. In `for x := range seq` the body is a function that captures
// what it uses, and seq is called with it. Where seq is known, a function, a literal, or what
// a small function returns, its code takes the place of the call, and the body's code that of its
// calls of yield. What was captured is then only loaded and stored, so nothing is allocated for the
// loop. This is done before escape analysis, which sees what is left.
//
// What is known is found through variables that are set once: a filter holds the iterator under it
// in such a one, and its own yield.

// Limits, in instructions.
const (
	maxInlined  = 4000 // of a function with all that is inlined
	maxIterator = 250
	maxMaker    = 60   // a function that returns an iterator
	maxBody     = 1500 // a loop's body that is called in one place
	maxBodies   = 100  // that is called in several
	maxLiteral  = 60   // other literals that the code of a loop calls
	maxNesting  = 24
	maxUses     = 64 // of a variable that is looked at
)

// InlineLoops turns the loops over functions in fns, which the package's module will contain, into
// loops as far as it can.
func InlineLoops(in *Input, fns []*mid.Func) {
	for _, f := range fns {
		escape.DecideCaptures(f)
	}
	w := inliner{in: in, done: map[*mid.Func]bool{}}
	for _, f := range fns {
		w.function(f)
	}
}

// inliner is the work on one package.
type inliner struct {
	in   *Input
	done map[*mid.Func]bool
}

// function inlines what the loops of f call, after it has done so for their bodies.
func (w *inliner) function(f *mid.Func) {
	if w.done[f] {
		return
	}
	w.done[f] = true
	loops := false
	for _, a := range f.AnonFuncs {
		if a.Kind == mid.LoopBody {
			loops = true
			w.function(a)
		}
	}
	if !loops {
		return
	}
	for {
		call, callee, bindings := w.next(f, maxInlined-f.Size())
		if call == nil {
			break
		}
		at := call.Pos()
		for s := call.Site(); s != nil; s = s.Outer {
			at = s.Pos
		}
		w.in.Inlined = append(w.in.Inlined, Inlined{at, callee})
		mid.Inline(call, callee, bindings)
	}
	dropUnused(f)
	if w.in.Dumped != nil && w.in.Dumped(f) {
		w.in.Dump(f, "inline", f.Text())
	}
}

// owns tells whether f's code is in the package's module: a literal of another package's function
// is in that one's only. What other packages' functions are made of is not known in all builds,
// besides.
func (w *inliner) owns(f *mid.Func) bool {
	for f.Parent() != nil {
		f = f.Parent()
	}
	return f.Pkg == nil || f.Pkg == w.in.Pkg
}

// next returns a call of f to inline, what it calls, and what that has captured; nil if there
// is none. room is how much f may grow.
func (w *inliner) next(f *mid.Func, room int) (*mid.Call, *mid.Func, []mid.Value) {
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			call, ok := in.(*mid.Call)
			if !ok || call.Call.IsInvoke() {
				continue
			}
			callee, bindings := known(call.Call.Value, call)
			switch {
			case callee == nil:
				if maker := makerOf(call); maker != nil && w.mayInline(f, maker, calleeOf(maker), min(room, maxMaker)) {
					return maker, calleeOf(maker), nil
				}
				continue
			case callee.Kind == mid.LoopBody:
				limit := maxBody
				if calls(f, callee) > 1 {
					limit = maxBodies
				}
				if !w.mayInline(f, call, callee, min(room, limit)) {
					continue
				}
			case passesLoop(call):
				if !w.mayInline(f, call, callee, min(room, maxIterator)) {
					continue
				}
			case call.Site() != nil && callee.Parent() != nil:
				if !w.mayInline(f, call, callee, min(room, maxLiteral)) {
					continue
				}
			default:
				continue
			}
			return call, callee, bindings
		}
	}
	return nil, nil, nil
}

// calleeOf is the static callee of a call that makerOf has found.
func calleeOf(call *mid.Call) *mid.Func { return call.Call.StaticCallee() }

// calls counts the calls of callee in f that would be inlined.
func calls(f, callee *mid.Func) (n int) {
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			if call, ok := in.(*mid.Call); ok && !call.Call.IsInvoke() {
				if g, _ := known(call.Call.Value, call); g == callee {
					n++
				}
			}
		}
	}
	return n
}

// passesLoop tells whether an argument of call is the body of a loop.
func passesLoop(call *mid.Call) bool {
	return slices.ContainsFunc(call.Call.Args, func(v mid.Value) bool {
		f, _ := known(v, call)
		return f != nil && f.Kind == mid.LoopBody
	})
}

// makerOf returns the call that made the iterator that call gives a loop's body to, if that is a
// call of a function that returns a literal.
func makerOf(call *mid.Call) *mid.Call {
	maker, ok := settled(call.Call.Value, call).(*mid.Call)
	if !ok || maker.Call.IsInvoke() || !passesLoop(call) {
		return nil
	}
	f := maker.Call.StaticCallee()
	if f == nil || !f.HasBody() || len(f.FreeVars) > 0 {
		return nil
	}
	var made mid.Value
	for _, b := range f.Body() {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*mid.Return)
		if !ok {
			continue
		}
		if made != nil || len(ret.Results) != 1 {
			return nil
		}
		made = plain(ret.Results[0])
	}
	switch made := made.(type) {
	case *mid.MakeClosure:
		if made.Fn.Parent() != nil {
			return maker
		}
	case *mid.Func:
		return maker
	}
	return nil
}

// known returns the function that v, an operand of at, is, and what it has captured; nil if it is
// not known.
func known(v mid.Value, at mid.Instr) (*mid.Func, []mid.Value) {
	switch v := settled(v, at).(type) {
	case *mid.Func:
		return v, nil
	case *mid.MakeClosure:
		return v.Fn, v.Bindings
	}
	return nil, nil
}

// plain is v without changes of its type.
func plain(v mid.Value) mid.Value {
	for {
		c, ok := v.(*mid.ChangeType)
		if !ok {
			return v
		}
		v = c.X
	}
}

// settled is v, an operand of at, but what a variable was set to if v is loaded from one that is
// set once, before.
func settled(v mid.Value, at mid.Instr) mid.Value {
	for range 8 {
		v = plain(v)
		load, ok := v.(*mid.UnOp)
		if !ok {
			return v
		}
		a, ok := load.X.(*mid.Alloc)
		if !ok {
			return v
		}
		if len(a.Referrers()) > maxUses {
			return v
		}
		s := escape.OnlyStore(a)
		if s == nil || !escape.Before(s, load) {
			return v
		}
		v = s.Val
	}
	return v
}

// mayInline tells whether callee's code may take the place of call in f, and has at most room
// instructions.
func (w *inliner) mayInline(f *mid.Func, call *mid.Call, callee *mid.Func, room int) bool {
	if !w.owns(callee) || !callee.HasBody() || callee == f || callee.IsGeneric() || callee.Recover() != nil || len(callee.Body()[0].Preds) > 0 {
		return false
	}
	switch callee.Kind {
	case mid.Declared, mid.Instance, mid.LoopBody:
	default:
		return false
	}
	depth := 0
	for s := call.Site(); s != nil; s = s.Outer {
		if depth++; s.Fn == callee || depth > maxNesting {
			return false
		}
	}
	if callee.HasDirective("//go:noinline") || callee.HasDirective("//go:uintptrescapes") {
		return false
	}
	size, returns := 0, false
	for _, b := range callee.Body() {
		size += len(b.Instrs)
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *mid.Return:
				returns = true
			case *mid.Defer, *mid.RunDefers:
				return false
			case *mid.Call:
				if bi, ok := in.Call.Value.(*mid.Builtin); ok && (bi.Name() == "recover" || bi.Name() == "deferstack") {
					return false
				}
			}
		}
	}
	return returns && size <= room
}

// dropUnused takes away what only inlined calls needed: closures, loads of them, and variables of
// inlined code that are only stored to.
func dropUnused(f *mid.Func) {
	for {
		gone := map[mid.Instr]bool{}
		for _, b := range f.Body() {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *mid.MakeClosure, *mid.ChangeType, *mid.Extract:
					gone[in] = len(in.(mid.Value).Referrers()) == 0
				case *mid.UnOp:
					_, variable := in.X.(*mid.Alloc)
					gone[in] = variable && len(in.Referrers()) == 0
				case *mid.Alloc:
					if in.Site() == nil {
						break
					}
					if !slices.ContainsFunc(in.Referrers(), func(r mid.Instr) bool { s, ok := r.(*mid.Store); return !ok || s.Val == mid.Value(in) }) {
						gone[in] = true
						for _, r := range in.Referrers() {
							gone[r] = true
						}
					}
				}
				if !gone[in] {
					delete(gone, in)
				}
			}
		}
		if len(gone) == 0 {
			return
		}
		f.Delete(gone)
	}
}
