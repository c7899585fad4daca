package pass

import (
	"cmp"
	"go/ast"
	"math"
	"slices"
	"strings"

	"loam/internal/escape"
	"loam/internal/inline"
	"loam/internal/mid"
)

// Calls are inlined before escape analysis, which then sees that what a constructor returns or
// a closure captures does not leave the caller.
//
// What is small by gc's measure (cost.go) is inlined wherever it is called, callees first, so that
// a body is copied with what has been inlined into it.
//
// Loops over functions become loops. In `for x := range seq` the body is a function that captures
// what it uses, and seq is called with it. Where seq is known, a function, a literal, or what
// a small function returns, its code takes the place of the call, and the body's code that of its
// calls of yield. What was captured is then only loaded and stored, so nothing is allocated for the
// loop. Here a function may be bigger, as without it the loop would cost objects.
//
// What a profile calls hot may be bigger, too (profile.go).
//
// What is known is found through variables that are set once: a filter holds the iterator under it
// in such a one, and its own yield.

// Limits, in instructions but for the costs.
const (
	maxCost    = 80   // gc's budget
	maxCostBig = 20   // in functions that are big already
	bigFunc    = 5000 // from where on they are

	maxInlined  = 4000 // of a function with all that is inlined for loops
	maxIterator = 250
	maxMaker    = 60   // a function that returns an iterator
	maxBody     = 1500 // a loop's body that is called in one place
	maxBodies   = 100  // that is called in several
	maxLiteral  = 60   // other literals that the code of a loop calls
	maxNesting  = 24
)

// InlineCalls inlines what can be in fns, which the package's module will contain.
func InlineCalls(in *Input, fns []*mid.Func) *Report {
	for _, f := range fns {
		escape.DecideCaptures(f)
	}
	did := &Report{Borrows: borrows(in, fns)}
	w := inliner{in: in, did: did, seen: map[*mid.Func]*progress{}}
	for _, f := range fns {
		w.function(f)
		mid.Check(f, "inlining")
		if p := w.seen[f]; p.small() && f.Kind == mid.Declared {
			did.Inlinable = append(did.Inlinable, f)
		}
	}
	for _, f := range fns {
		keepWhole(in, f)
		mid.Check(f, "bytes")
	}
	return did
}

// borrows computes Report.Borrows, of the functions as they are before anything is inlined.
func borrows(in *Input, fns []*mid.Func) map[*mid.Func][]*mid.Func {
	lent := map[*mid.Func]bool{} // of this package
	for _, f := range fns {
		if fd, ok := f.Syntax().(*ast.FuncDecl); ok && in.Lends != nil && f.Kind == mid.Declared && inline.Candidate(fd, in.Guide.reaches(f)) {
			lent[f] = true
		}
	}
	calls := map[*mid.Func][]*mid.Func{}
	for _, f := range fns {
		if !lent[f] {
			continue
		}
		for _, b := range f.Body() {
			for _, at := range b.Instrs {
				call, ok := at.(*mid.Call)
				if !ok || call.Call.IsInvoke() {
					continue
				}
				if g := call.Call.StaticCallee(); g != nil && (lent[g] || g.Pkg != nil && g.Pkg != in.Pkg && in.Lends(g)) {
					calls[f] = append(calls[f], g)
				}
			}
		}
	}
	return calls
}

// inliner is the work on one package.
type inliner struct {
	in   *Input
	did  *Report
	seen map[*mid.Func]*progress
	open []*mid.Func // which function is at work on, but has not come to inlining
}

// progress is what is known of a function.
type progress struct {
	rank, low int  // Tarjan's numbers: of the function, and of the first open one that it reaches
	open      bool // it is in inliner.open
	recursive bool // it may call itself
	cost      int  // of its own code; tooMuch if it must not be inlined
	inlined   []*mid.Func
	direct    bool // calls through interfaces became direct
}

// small reports whether the function is inlined wherever it is called.
func (p *progress) small() bool { return !p.recursive && p.cost <= maxCost }

// function inlines what f calls, after it has done so for what f calls and for its literals.
// Functions that call each other come in an order of their own, whichever was asked for first:
// packages that compile the same instances of generic functions make the same of them.
func (w *inliner) function(f *mid.Func) {
	if w.seen[f] != nil {
		return
	}
	rank := len(w.seen)
	p := &progress{rank: rank, low: rank, open: true, cost: tooMuch}
	w.seen[f] = p
	decideCaptures(f)
	at := len(w.open)
	w.open = append(w.open, f)
	w.devirtualize(f)
	w.guess(f)
	for _, g := range w.callees(f) {
		w.function(g)
		if q := w.seen[g]; q.open {
			p.low = min(p.low, q.low)
			p.recursive = p.recursive || g == f
		}
	}
	if p.low < p.rank {
		return // one that is open already does the rest
	}
	group := slices.Clone(w.open[at:])
	w.open = w.open[:at]
	slices.SortStableFunc(group, func(f, g *mid.Func) int {
		return cmp.Or(depth(g)-depth(f), strings.Compare(f.String(), g.String()))
	})
	outer := 0
	for _, f := range group {
		if w.seen[f].open = false; f.Parent() == nil {
			outer++
		}
	}
	for _, f := range group {
		if len(group) > 1 && outer <= 1 { // gc inlines functions that call each other into one another
			w.seen[f].recursive = true
		}
	}
	for _, f := range group {
		w.expand(f)
	}
}

// decideCaptures decides what closures of f's literals hold, while nothing has been inlined into f
// and f is nowhere inlined: other packages that compile f know no more of it. Literals that
// InlineCalls is given have been decided on; those of instances that only inlining has brought
// have not.
func decideCaptures(f *mid.Func) {
	for _, literal := range f.AnonFuncs() {
		escape.DecideCaptures(literal)
		decideCaptures(literal)
	}
}

// depth is the number of functions around f, a literal.
func depth(f *mid.Func) (n int) {
	for ; f.Parent() != nil; f = f.Parent() {
		n++
	}
	return n
}

// callees returns the functions whose code could become part of f's, and its literals.
func (w *inliner) callees(f *mid.Func) []*mid.Func {
	list := slices.Clone(f.AnonFuncs())
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			call, ok := in.(*mid.Call)
			if !ok || call.Call.IsInvoke() {
				continue
			}
			if g := call.Call.StaticCallee(); g != nil && w.mayJoin(f, g) && g.HasBody() && !inGeneric(g) {
				list = append(list, g)
			}
		}
	}
	return list
}

// expand inlines what f calls.
func (w *inliner) expand(f *mid.Func) {
	p := w.seen[f]
	p.cost = w.cost(f)
	if home := declared(f).Pkg; home != nil && home != w.in.Pkg {
		return // what others lend is copied as it is
	}
	switch f.Kind {
	case mid.Declared, mid.Instance, mid.LoopBody:
	default:
		return // the link's order and tracebacks look at initialisers and wrappers as they are
	}
	if f.IsMethodExpr() {
		return
	}
	for again := true; again; {
		if again = w.inlineAll(f, p); w.devirtualizes(f) {
			answer(f)
		}
	}
	w.unroll(f, p)
	if len(p.inlined) == 0 && !p.direct {
		return
	}
	dropUnused(f)
	if w.in.Dumped != nil && w.in.Dumped(f) {
		w.in.Dump(f, "inline", f.Text())
	}
}

// inlineAll goes through f once, and reports whether it has to be gone through again.
func (w *inliner) inlineAll(f *mid.Func, p *progress) (again bool) {
	size := f.Size()
	settled := true
	defer func() {
		if !settled {
			f.Settle()
		}
	}()
	for i := 0; i < len(f.Body()); i++ {
		b := f.Body()[i]
		for k := 0; k < len(b.Instrs); k++ {
			call, ok := b.Instrs[k].(*mid.Call)
			if !ok || call.Call.IsInvoke() && !w.reveals(f, call) {
				continue
			}
			found, callee, bindings := w.candidate(f, call, size)
			if callee == nil {
				continue
			}
			w.note(p, found, callee)
			size += callee.Size()
			mid.Inline(found, callee, bindings)
			settled = false
			if found != call {
				return true // it is somewhere before
			}
			again = true    // what it was given may be known to what was inlined before
			b = f.Body()[i] // of a block that was divided, the first part
			k--             // the code that is there now
		}
	}
	return again
}

// reveals has call, of a method through an interface in f, call the method itself if inlining has
// made that known. The method is inlined as if f had always called it.
func (w *inliner) reveals(f *mid.Func, call *mid.Call) bool {
	if !w.devirtualizes(f) || !w.direct(f, call) {
		return false
	}
	if g := call.Call.StaticCallee(); w.mayJoin(f, g) && g.HasBody() {
		w.function(g)
	}
	return true
}

// note remembers that callee is inlined for call, with what has been inlined into it.
func (w *inliner) note(p *progress, call *mid.Call, callee *mid.Func) {
	at := call.Pos()
	for s := call.Site(); s != nil; s = s.Outer {
		at = s.Pos
	}
	list := []*mid.Func{callee}
	if done := w.seen[callee]; done != nil {
		list = append(list, done.inlined...)
	}
	for _, g := range list {
		w.did.Inlined = append(w.did.Inlined, Inlined{at, g})
	}
	p.inlined = append(p.inlined, list...)
}

// has reports whether f's code may be looked at: that in the package's module, and what other
// packages lend. What else is known of them is not known in all builds, and a literal of another
// package's function is in that one's module only.
func (w *inliner) has(f *mid.Func) bool {
	home := declared(f).Pkg
	return home == nil || home == w.in.Pkg || f.Parent() == nil && w.in.Lends != nil && w.in.Lends(f)
}

// mayJoin reports whether g's code may become part of f's. All packages that compile an instance of
// a generic function have to make the same of it, as the link takes one of theirs and all go by
// what they know of their own: so only other instances, which all have, are inlined into one.
func (w *inliner) mayJoin(f, g *mid.Func) bool {
	return w.has(g) && (declared(f).Pkg != nil || declared(g).Pkg == nil)
}

// sees reports whether call, in f, may get g's code: that of f's own package, which f has given to
// what was inlined into it, or of one which the source of the call imports. Others lend theirs for
// what calls it, which is all that gc knows of them, too.
func (w *inliner) sees(f *mid.Func, call *mid.Call, g *mid.Func) bool {
	to := declared(g).Pkg
	if home(f) == to {
		return true
	}
	if s := call.Site(); s != nil {
		f = s.Fn
	}
	from := home(f)
	return from == to || from == nil || to == nil || slices.Contains(from.Pkg.Imports(), to.Pkg)
}

// home is the package in whose source f is, nil if it is in none.
func home(f *mid.Func) *mid.Package {
	f = declared(f)
	if o := f.Origin(); o != nil {
		f = o
	}
	return f.Pkg
}

// declared returns the function at package level that f is or is in.
func declared(f *mid.Func) *mid.Func {
	for f.Parent() != nil {
		f = f.Parent()
	}
	return f
}

// candidate returns the call to inline for call, which is that or the one that made its iterator,
// what it calls, and what that has captured; a nil callee if there is none. size is f's.
func (w *inliner) candidate(f *mid.Func, call *mid.Call, size int) (*mid.Call, *mid.Func, []mid.Value) {
	room := maxInlined - size
	callee, bindings := known(call.Call.Value, call)
	switch {
	case callee == nil:
		if maker := makerOf(call); maker != nil && w.mayInline(f, maker, calleeOf(maker), min(room, maxMaker)) {
			return maker, calleeOf(maker), nil
		}
	case callee.Kind == mid.LoopBody:
		if w.mayInline(f, call, callee, min(room, maxBodies)) ||
			w.mayInline(f, call, callee, min(room, maxBody)) && calls(f, callee) == 1 {
			return call, callee, bindings
		}
	case passesLoop(call):
		if w.mayInline(f, call, callee, min(room, maxIterator)) {
			return call, callee, bindings
		}
	case w.isSmall(callee, size), w.asks(callee):
		if w.mayInline(f, call, callee, math.MaxInt) {
			return call, callee, bindings
		}
	case w.joinsHot(f, call, callee, size):
		if w.mayInline(f, call, callee, room) {
			return call, callee, bindings
		}
	case call.Site() != nil && callee.Parent() != nil:
		if w.mayInline(f, call, callee, min(room, maxLiteral)) {
			return call, callee, bindings
		}
	}
	return nil, nil, nil
}

// isSmall reports whether f is inlined into a function of that size wherever that calls it.
func (w *inliner) isSmall(f *mid.Func, size int) bool {
	if p := w.seen[f]; p == nil || !p.small() || size > bigFunc && p.cost > maxCostBig {
		return false
	}
	return true
}

// asks reports whether f asks to be inlined into every caller, and to look for their frames where
// it looks for its own.
func (w *inliner) asks(f *mid.Func) bool { return w.in.Asks != nil && w.in.Asks(f) }

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

// passesLoop reports whether an argument of call is the body of a loop.
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
		if len(a.Referrers()) > mid.MaxUses {
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

// mayInline reports whether callee's code may take the place of call in f, and has at most room
// instructions.
func (w *inliner) mayInline(f *mid.Func, call *mid.Call, callee *mid.Func, room int) bool {
	if !w.mayJoin(f, callee) || !w.sees(f, call, callee) || !callee.HasBody() || callee == f || callee.IsGeneric() ||
		len(callee.Body()[0].Preds) > 0 {
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
	return callee.Size() <= room && !w.stays(callee)
}

// dropUnused takes away what only inlined calls needed: closures, loads of them, and variables of
// inlined code that are only stored to.
func dropUnused(f *mid.Func) {
	for {
		gone := map[mid.Instr]bool{}
		for _, b := range f.Body() {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *mid.MakeClosure, *mid.MakeInterface, *mid.ChangeInterface, *mid.ChangeType, *mid.Extract, *mid.Phi:
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
