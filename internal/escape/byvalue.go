package escape

import (
	"go/types"
	"slices"
	"sync"
	"weak"

	"loam/internal/layout"
	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// maxByValue is the size in bytes up to which a captured variable may be copied.
const maxByValue = 128

var target layout.Incomplete

// ByValue reports whether a closure may hold a copy of the variable that v stands for
// instead of its address. That saves a heap object for each variable that an escaping
// closure only reads, as most do. mid captures every variable by its address: v's type
// is a pointer, and the function loads through it. If ByValue says so, the closure object
// has room for the value itself, MakeClosure copies the variable there, and v is the
// address of that copy.
//
// No one can tell the difference if the variable gets its value once, before the closure is
// made, and is never written afterwards: every instruction that uses its address is a load,
// but for one store that the closure comes after. The answer depends on nothing but the
// SSA form, so that all packages that compile the function agree.
func ByValue(v *mid.FreeVar) bool {
	if v.Capture.Decided {
		return v.Capture.ByValue
	}
	a := captured(v)
	return a != nil && setOnce(a, v)
}

// Constant returns the constant that the variable that v stands for always is where a closure
// sees it; nil if it is none, or if ByValue does not hold.
func Constant(v *mid.FreeVar) *mid.Const {
	if v.Capture.Decided {
		return v.Capture.Const
	}
	a := captured(v)
	if a == nil || !setOnce(a, v) {
		return nil
	}
	for _, r := range a.Referrers() {
		if s, ok := r.(*mid.Store); ok {
			c, _ := s.Val.(*mid.Const)
			return c
		}
	}
	return nil
}

// DecideCaptures decides on the captures of f, a function literal, by its form as it is now. What
// has been inlined shows more of some variables, but functions of the same name in other packages
// may not have been; all must hold closures alike.
func DecideCaptures(f *mid.Func) {
	for _, v := range f.FreeVars {
		v.Capture = mid.Capture{Decided: true, ByValue: ByValue(v), Const: Constant(v)}
	}
}

// OnlyStore returns the store that sets the variable a, if there is one, and what captures or loads
// it changes nothing.
func OnlyStore(a *mid.Alloc) *mid.Store {
	u := usage{fn: a.Parent()}
	if !u.readOnly(a, true) || len(u.stores) != 1 {
		return nil
	}
	return u.stores[0]
}

// Before reports whether a comes before b on every path to b.
func Before(a, b mid.Instr) bool { return before(a, b) }

// captured returns the variable that v stands for if one MakeClosure, and those of the closures
// around it, show which it is.
func captured(v *mid.FreeVar) *mid.Alloc {
	fn := v.Parent()
	if fn.Parent() == nil || fn.Kind != mid.Declared && fn.Kind != mid.LoopBody {
		return nil
	}
	var made *mid.MakeClosure
	for _, r := range fn.Referrers() {
		mc, ok := r.(*mid.MakeClosure)
		if !ok || made != nil && made != mc {
			return nil
		}
		made = mc
	}
	if made == nil || v.Index() >= len(made.Bindings) {
		return nil
	}
	switch b := made.Bindings[v.Index()].(type) {
	case *mid.Alloc:
		return b
	case *mid.FreeVar: // of a closure around this one
		return captured(b)
	}
	return nil
}

// answers remembers setOnce for variables with many uses, which as many closures may ask for. It
// does not keep the packages that they belong to.
var answers sync.Map // of weak.Pointer[mid.Alloc] to bool

// setOnce reports whether all closures that capture a, of which v's function is one, find its final
// value there.
func setOnce(a *mid.Alloc, v *mid.FreeVar) bool {
	const many = 32
	if len(a.Referrers()) < many {
		return isSetOnce(a, v)
	}
	key := weak.Make(a)
	if known, ok := answers.Load(key); ok {
		return known.(bool)
	}
	known := isSetOnce(a, v)
	answers.Store(key, known)
	return known
}

func isSetOnce(a *mid.Alloc, v *mid.FreeVar) bool {
	if n := target.Sizeof(a.Type().Underlying().(*types.Pointer).Elem()); n < 0 || n > maxByValue {
		return false
	}
	u := usage{fn: a.Parent(), near: v.Index()}
	if !u.readOnly(a, true) {
		return false
	}
	switch len(u.stores) {
	case 0:
		return true
	case 1:
	default:
		return false
	}
	s := u.stores[0]
	for _, c := range u.closures {
		if !before(s, c) {
			return false
		}
	}
	if s.Block() == a.Block() {
		return true
	}
	// One store for each variable: no loop around the store that is not around the variable.
	return shape.Of(a.Parent()).SameLoop(s.Block(), a.Block())
}

// usage collects what happens to a variable.
type usage struct {
	fn       *mid.Func
	near     int // where closures that capture the variable do so, most likely
	stores   []*mid.Store
	closures []*mid.MakeClosure // in fn
}

// readOnly reports whether the address v, which is that of the variable or of a part, is
// only used to load, to capture, and, if store, to store to the whole.
func (u *usage) readOnly(v mid.Value, store bool) bool {
	if !mid.IsLocal(v) {
		return false
	}
	for _, r := range v.Referrers() {
		switch r := r.(type) {
		case *mid.UnOp:
		case *mid.FieldAddr:
			if !u.readOnly(r, false) {
				return false
			}
		case *mid.IndexAddr:
			if r.X != v || !u.readOnly(r, false) {
				return false
			}
		case *mid.Store:
			if !store || r.Val == v {
				return false
			}
			u.stores = append(u.stores, r)
		case *mid.MakeClosure:
			fn := r.Fn
			if fn.Parent() == nil {
				return false // a method value
			}
			if r.Parent() == u.fn {
				u.closures = append(u.closures, r)
			}
			if !u.readOnly(fn.FreeVars[u.place(r, v)], false) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// place returns where c captures the variable v, which it does once.
func (u *usage) place(c *mid.MakeClosure, v mid.Value) int {
	if u.near < len(c.Bindings) && c.Bindings[u.near] == v {
		return u.near
	}
	return slices.Index(c.Bindings, v)
}

// before reports whether a comes before b on every path to b.
func before(a, b mid.Instr) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	for _, i := range a.Block().Instrs {
		if i == a {
			return true
		}
		if i == b {
			return false
		}
	}
	return false
}
