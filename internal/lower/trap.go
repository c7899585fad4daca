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
func (b *fn) check(cond string, trap func()) {
	if b.Cur.Done {
		return
	}
	ok, bad := b.Label("ok"), b.Label("trap")
	b.Term("br i1 %s, label %%%s, label %%%s, !prof %s", cond, ok.Label, bad.Label, b.m.likely())
	b.Cur = bad
	trap()
	b.Cur = ok
}

// likely is the branch weight metadata for "the first way".
func (m *module) likely() string { return m.out.Meta(`!{!"branch_weights", i32 2000, i32 1}`) }

// trapCall emits a call of a run-time function that does not return.
func (b *fn) trapCall(name, args string) {
	b.DoDbg("call void %s(%s) #1", b.m.rtFunc(name), args)
	b.Term("unreachable")
}

// trapBlock returns the shared block that calls name(args), which are constants, at the current
// position.
func (b *fn) trapBlock(name, args string) *ir.Block {
	key := name + args + b.Dbg
	t, ok := b.traps[key]
	if !ok {
		cur := b.Cur
		t = b.Label("trap")
		b.traps[key] = t
		b.Cur = t
		b.trapCall(name, args)
		b.Cur = cur
	}
	return t
}

// guard goes on if cond holds and otherwise calls the run-time function name.
func (b *fn) guard(cond, name string) { b.guardWith(cond, name, "") }

// guardWith is guard for a function that takes arguments, which are constants.
func (b *fn) guardWith(cond, name, args string) {
	if b.Cur.Done {
		return
	}
	t := b.trapBlock(name, args)
	ok := b.Label("ok")
	b.Term("br i1 %s, label %%%s, label %%%s, !prof %s", cond, ok.Label, t.Label, b.m.likely())
	b.Cur = ok
}

// index as i64 for a bounds check: the value extended by its signedness.
func (b *fn) index64(v mid.Value) (op string, unsigned bool) {
	t := under(v.Type()).(*types.Basic)
	ti := b.m.info(v.Type())
	unsigned = t.Info()&types.IsUnsigned != 0
	op = b.operand(v)
	if ti.ll != "i64" {
		if c, ok := v.(*mid.Const); ok {
			return b.m.constant(c), false
		}
		ext := "sext"
		if unsigned {
			ext = "zext"
		}
		return b.Op("%s %s %s to i64", ext, ti.ll, op), false
	}
	return op, unsigned
}

// boundsCheck panics unless 0 <= i < n.
func (b *fn) boundsCheck(idx mid.Value, n string) string {
	i, u := b.index64(idx)
	if c, ok := idx.(*mid.Const); ok && fmt.Sprint(c.Int64()) == i {
		var k int64
		if _, err := fmt.Sscan(n, &k); err == nil && c.Int64() >= 0 && c.Int64() < k {
			return i
		}
	}
	name := "panicIndex"
	if u {
		name += "U"
	}
	b.check(b.Op("icmp ult i64 %s, %s", i, n), func() { b.trapCall(name, fmt.Sprintf("i64 %s, i64 %s", i, n)) })
	return i
}

func (b *fn) panicInstr(in *mid.Panic) {
	if b.rangePanic(in) {
		return
	}
	v := b.operand(in.X)
	b.trapCall("gopanic", fmt.Sprintf("ptr %s, ptr %s", b.extract(llIface, v, 0), b.extract(llIface, v, 1)))
}
