package lower

import (
	"fmt"
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
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
	b.CallWithAt(&ir.CallInfo{Group: noReturn}, ir.Void, b.m.rtFunc(name), args...)
	b.Unreachable()
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
	if c, ok := i.Int64(); ok && c >= 0 {
		if k, ok := n.Int64(); ok && c < k {
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
