package lower

import (
	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// code is the code of one function that is being written: where the next instruction goes, and what
// has become of the values so far.
type code struct {
	*ir.Func
	m    *module
	f    *mid.Func  // nil in a thunk
	plan *plan.Func // what was decided before
	sig  *fnSig
	at   int // index in its block of the instruction being lowered

	vals        map[mid.Value]ir.Value
	tuples      map[mid.Value][]ir.Value // components of values of tuple type
	unevaluated map[mid.Instr]bool       // see literalData
	indexed     map[ir.Value]bool        // see noteIndexed

	frame    ir.Value      // the DeferFrame slot, if the function defers
	area     ir.Value      // the result area, if the signature has one
	made     *escape.Frame // in a second form: the objects that are in the caller's frame
	sizeless ir.Value      // where what has no size is in this frame
	exact    *exactFrame   // nil: frames are scanned conservatively
	calling  *mid.Call     // the call that is being lowered
	shades   []ir.Value    // pointers stored whose write barrier is still to come
	ends     ends
	never    *ir.Block // see cut
}

func newCode(m *module, f *mid.Func, sig *fnSig) *code {
	return &code{Func: m.out.NewFunc(), m: m, f: f, plan: new(plan.Func), sig: sig, area: resultsParam,
		vals: map[mid.Value]ir.Value{}, tuples: map[mid.Value][]ir.Value{}, unevaluated: map[mid.Instr]bool{}}
}

// folded reports whether in, an addition of strings, is part of what uses it, and no value.
func (b *code) folded(in *mid.BinOp) bool { return b.plan.Folded[in] && !b.m.skip[in] }

// isWritten reports whether in becomes code where it stands.
func (b *code) isWritten(in mid.Instr) bool { return !b.unevaluated[in] && !b.m.skip[in] }
