package lower

import (
	"fmt"
	"go/types"

	"loam/internal/amd64"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/mid/interval"
)

// Run-time checks. Each check branches to a block that calls a run-time function which
// panics; LLVM removes the checks it can prove. Panic calls are `nomerge`, so that each
// keeps its own source position.

// checks is code that panics where the language says so.
type checks struct {
	*places
	traps   map[trap]*ir.Block                 // shared panic blocks
	failing func(name string, args []ir.Value) // what a check does that fails; nil: it panics
	unraced bool                               // go:norace

	within    *mid.Block        // the block that is being lowered
	intervals interval.Analysis // of the function's integers
}

func newChecks(p *places) *checks {
	return &checks{places: p, traps: map[trap]*ir.Block{}}
}

// check goes on if cond holds and otherwise runs trap, which must not return.
func (b *checks) check(cond ir.Value, trap func()) {
	if b.Cur.Done {
		return
	}
	ok, bad := b.Label("ok"), b.Label("trap")
	b.CondBrWeighed(cond, ok, bad, b.m.likely())
	b.Cur = bad
	trap()
	b.Cur = ok
}

// trapCall emits a call of a run-time function that panics.
func (b *checks) trapCall(name string, args ...ir.Value) {
	if b.failing != nil {
		b.failing(name, args)
		return
	}
	if b.plan.Frameless && traps[name] {
		slot := b.Call(ir.Ptr, b.m.intrinsic("llvm.addressofreturnaddress.p0", ir.Ptr))
		b.AsmWith(amd64.Trap(name, len(args)), noReturn, ir.Void, append([]ir.Value{slot}, args...)...)
	} else {
		b.CallWithAt(&ir.CallInfo{Group: noReturn}, ir.Void, b.m.rtFunc(name), args...)
		if b.m.in.Flags.NoOptimize {
			// Debuggers look for a return address in the function, also behind its last call.
			b.Asm(amd64.Nop, ir.Void)
		}
	}
	b.Unreachable()
}

// traps are the functions that checks in line call, each of which has a stub (runtime/traps.gas)
// for functions without a frame. The call of a stub is not one to LLVM.
var traps = map[string]bool{
	"panicnil": true, "panicwrap": true, "panicdivide": true, "panicshift": true, "panicoverflow": true,
	"panicdottypeE": true, "panicnildottype": true,
	"panicIndex": true, "panicIndexU": true,
	"panicSliceAlen": true, "panicSliceAlenU": true, "panicSliceAcap": true, "panicSliceAcapU": true,
	"panicSliceB": true, "panicSliceBU": true,
	"panicSlice3Alen": true, "panicSlice3AlenU": true, "panicSlice3Acap": true, "panicSlice3AcapU": true,
	"panicSlice3B": true, "panicSlice3BU": true, "panicSlice3C": true, "panicSlice3CU": true,
	"panicSliceConvert": true,
}

// trap is a panic block that checks share: what it calls with which constants, and where.
type trap struct {
	name, args string
	loc        ir.Meta
	late       bool // a deferred call is pending
}

// trapBlock returns the shared block that calls name(args), which are constants, at the current
// position.
func (b *checks) trapBlock(name string, args []ir.Value) *ir.Block {
	key := trap{name, fmt.Sprint(args), b.Loc, b.failing != nil}
	t, ok := b.traps[key]
	if !ok {
		cur := b.Cur
		t = b.Label("trap")
		b.traps[key] = t
		b.Cur = t
		b.trapCall(name, args...)
		b.Cur = cur
	}
	return t
}

// guard goes on if cond holds and otherwise calls the run-time function name with arguments, which
// are constants.
func (b *checks) guard(cond ir.Value, name string, args ...ir.Value) {
	if b.Cur.Done {
		return
	}
	t := b.trapBlock(name, args)
	ok := b.Label("ok")
	b.CondBrWeighed(cond, ok, t, b.m.likely())
	b.Cur = ok
}

// index as i64 for a bounds check: the value extended by its signedness.
func (b *checks) index64(v mid.Value) (op ir.Value, unsigned bool) {
	t := under(v.Type()).(*types.Basic)
	ti := b.m.info(v.Type())
	unsigned = t.Info()&types.IsUnsigned != 0
	op = b.operand(v)
	if ti.ll != ir.I64 {
		if c, ok := v.(*mid.Const); ok {
			return intConst(c.Value, ir.I64), false
		}
		ext := ir.SExt
		if unsigned {
			ext = ir.ZExt
		}
		return b.Cast(ext, op, ir.I64), false
	}
	return op, unsigned
}

// boundsCheck panics unless 0 <= i < n.
func (b *checks) boundsCheck(idx mid.Value, n ir.Value) ir.Value {
	i, u := b.index64(idx)
	if b.m.in.Flags.NoChecks {
		return i
	}
	if k, ok := n.Int64(); ok {
		if at := b.rangeOf(idx, b.within); at.Lo >= 0 && at.Hi < k {
			return i
		}
	}
	name := "panicIndex"
	if u {
		name += "U"
	}
	b.check(b.ICmp(ir.ULT, i, n), func() { b.trapCall(name, i, n) })
	return i
}
