package lower

import (
	"fmt"
	"go/types"

	"loam/internal/amd64"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// Run-time checks. Each check branches to a block that calls a run-time function which
// panics; LLVM removes the checks it can prove. Panic calls are `nomerge`, so that each
// keeps its own source position.

// check goes on if cond holds and otherwise runs trap, which must not return.
func (b *fn) check(cond ir.Value, trap func()) {
	if b.Cur.Done {
		return
	}
	ok, bad := b.Label("ok"), b.Label("trap")
	b.CondBrWeighed(cond, ok, bad, b.m.likely())
	b.Cur = bad
	trap()
	b.Cur = ok
}

// likely is the branch weight metadata for "the first way".
func (m *module) likely() ir.Meta { return m.out.Tuple(`!"branch_weights", i32 2000, i32 1`) }

// trapCall emits a call of a run-time function that panics.
func (b *fn) trapCall(name string, args ...ir.Value) {
	if b.defers.late != nil && b.defers.late.pending {
		b.panicLate(name, args)
		return
	}
	if b.frameless && traps[name] {
		slot := b.Call(ir.Ptr, b.m.intrinsic("llvm.addressofreturnaddress.p0", ir.Ptr))
		b.AsmWith(amd64.Trap(name, len(args)), noReturn, ir.Void, append([]ir.Value{slot}, args...)...)
	} else {
		b.CallWithAt(&ir.CallInfo{Group: noReturn}, ir.Void, b.m.rtFunc(name), args...)
	}
	b.Unreachable()
}

// maxFrameless is how many instructions a function has at most that may have no frame.
const maxFrameless = 60

// mayBeFrameless tells whether f has no frame, and does not look at the stack's limit, if it calls
// nothing: if it is short. A longer one would not gain by it, and could need the frame pointer's
// register for something else.
func (m *module) mayBeFrameless(f *mid.Func) bool {
	if m.jumps(f) {
		return true
	}
	if m.rt || f.Recover() != nil || f.Size() > maxFrameless {
		return false
	}
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			if call, ok := in.(*mid.Call); ok {
				if call.Call.Builtin() != mid.NoBuiltin {
					continue
				}
				// In simulated runs a goroutine may be interrupted where a function is entered. So one
				// that others can see the effect of is entered by looking at the limit.
				if g := call.Call.StaticCallee(); g == nil || !Expands(g) || isSync(g.Object().Pkg()) {
					return false
				}
			}
		}
	}
	return !shape.Of(f).HasLoops()
}

// jumps tells whether f may jump to what it ends in calling, as it does where it needs no frame for
// something else: tracebacks do not show it, and recover sees through it. That is so of a wrapper
// as long as nothing is inlined into it: a method would be missing where it calls something.
func (m *module) jumps(f *mid.Func) bool {
	if !isWrapper(f) || m.rt || m.in.Flags.NoOptimize {
		return false
	}
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			if in.Site() != nil {
				return false
			}
		}
	}
	return true
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
func (b *fn) trapBlock(name string, args []ir.Value) *ir.Block {
	key := trap{name, fmt.Sprint(args), b.Loc, b.defers.late != nil && b.defers.late.pending}
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
func (b *fn) guard(cond ir.Value, name string, args ...ir.Value) {
	if b.Cur.Done {
		return
	}
	t := b.trapBlock(name, args)
	ok := b.Label("ok")
	b.CondBrWeighed(cond, ok, t, b.m.likely())
	b.Cur = ok
}

// index as i64 for a bounds check: the value extended by its signedness.
func (b *fn) index64(v mid.Value) (op ir.Value, unsigned bool) {
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
func (b *fn) boundsCheck(idx mid.Value, n ir.Value) ir.Value {
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

func (b *fn) panicInstr(in *mid.Panic) {
	if b.rangePanic(in) {
		return
	}
	v := b.operand(in.X)
	b.trapCall("gopanic", b.extract(v, 0), b.extract(v, 1))
}
