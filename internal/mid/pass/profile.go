package pass

import (
	"go/token"

	"loam/internal/mid"
	"loam/internal/mid/shape"
	"loam/internal/pgo"
)

// A profile (internal/pgo) says which calls are hot. Their callees are inlined though they are not
// small: a call costs little beside what it does, but what is seen together is optimised together,
// and there are few such calls.

// maxHot is the cost up to which what a hot call reaches is inlined, gc's. That of what is inlined
// there counts, too.
const maxHot = 2000

// Guide is a profile, and what it takes to find a call in it.
type Guide struct {
	Profile *pgo.Profile
	Name    func(f *mid.Func) string // of f in profiles
	Line    func(pos token.Pos) int  // in the file that a //line directive names
	Start   func(f *mid.Func) int    // the line where f begins

	names map[*mid.Func]string
}

// name is f's name in profiles.
func (g *Guide) name(f *mid.Func) string {
	name, ok := g.names[f]
	if !ok {
		if g.names == nil {
			g.names = map[*mid.Func]string{}
		}
		name = g.Name(f)
		g.names[f] = name
	}
	return name
}

// reaches reports whether a hot call reaches f.
func (g *Guide) reaches(f *mid.Func) bool { return g != nil && g.Profile.HotCallee(g.name(f)) }

// site is where the profile has a call of f. What was inlined is at home where its source is.
func (g *Guide) site(f *mid.Func, call *mid.Call) pgo.Site {
	if s := call.Site(); s != nil {
		f = s.Fn
	}
	return pgo.Site{Caller: g.name(f), Offset: g.Line(call.Pos()) - g.Start(f)}
}

// isHot reports whether the profile says that a call of callee in f is hot. Names of function
// literals depend on what the profile's compiler inlined: any callee there is taken for them.
func (w *inliner) isHot(f *mid.Func, call *mid.Call, callee *mid.Func) bool {
	g := w.in.Guide
	if g == nil || !call.Pos().IsValid() || !w.heeds(f, call) {
		return false
	}
	at := g.site(f, call)
	if list := g.Profile.Callees(at); len(list) == 0 || callee.Parent() != nil {
		return len(list) > 0
	}
	return g.Profile.Hot(at, g.name(callee))
}

// mayBeHot reports whether a hot call reaches f somewhere.
func (w *inliner) mayBeHot(f *mid.Func) bool {
	return w.in.Guide != nil && (f.Parent() != nil || w.in.Guide.reaches(f))
}

// joinsHot reports whether the profile has a call of callee inlined in f, which has that size.
func (w *inliner) joinsHot(f *mid.Func, call *mid.Call, callee *mid.Func, size int) bool {
	p := w.seen[callee]
	return p != nil && !p.recursive && p.cost <= maxHot && size <= bigFunc && w.isHot(f, call, callee)
}

// maxUnrolled is the number of instructions up to which a recursive function gets its own code.
const maxUnrolled = 600

// unroll inlines f's hot calls of itself, one level of them: half the calls of a recursion that
// goes deep, most of one that branches. A loop within such a loop would have to keep the values of
// both, so calls in loops stay calls.
func (w *inliner) unroll(f *mid.Func, p *progress) {
	if w.in.Guide == nil || !p.recursive || p.cost > maxHot || f.Kind != mid.Declared {
		return
	}
	if len(f.AnonFuncs()) > 0 || len(f.Body()[0].Preds) > 0 {
		return
	}
	var hot []*mid.Call
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			call, ok := in.(*mid.Call)
			if ok && call.Site() == nil && call.Call.StaticCallee() == f && w.isHot(f, call, f) && !shape.Of(f).InLoop(b) {
				hot = append(hot, call)
			}
		}
	}
	if len(hot) == 0 || f.Size()*(1+len(hot)) > maxUnrolled {
		return
	}
	for _, call := range hot {
		w.note(p, call, f)
	}
	mid.InlineSelf(f, hot)
}

// heeds reports whether the profile is asked about a call of f: about those in the source of the
// package, of those whose code it may have, and of instances. An action's key has what it says of
// these.
func (w *inliner) heeds(f *mid.Func, call *mid.Call) bool {
	if s := call.Site(); s != nil {
		f = s.Fn
	}
	home := declared(f).Pkg
	return home == nil || home == w.in.Pkg || w.in.Lent[home.Pkg]
}
