package lower

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"loam/internal/ir"
	"loam/internal/mid"
)

// defer, go and recover. A function that defers has a DeferFrame in its frame, linked into
// the goroutine's chain at G+16; each deferred call is a record {next, func()} pushed on
// it (docs/abi.md). Arguments are captured in a thunk: a closure of our own making.

const (
	deferFrameSize = 40
	gDeferOffset   = 16 // of the innermost DeferFrame in G
)

// currentG loads G relative to %fs. The load is volatile: after any call the code may run
// on another thread.
func (b *fn) currentG() string {
	return b.Op("load volatile ptr, ptr addrspace(257) inttoptr (i64 8 to ptr addrspace(257)), align 8")
}

// needsFrame tells whether f owns deferred calls. Those behind a constant condition that is false
// do not count (`if race.Enabled { defer race.Enable() }` in package sync).
func needsFrame(f *mid.Func) bool {
	for _, blk := range liveBlocks(f) {
		for _, in := range blk.Instrs {
			switch in := in.(type) {
			case *mid.Defer:
				if in.DeferStack == nil {
					return true
				}
			case *mid.Call:
				if bi, ok := in.Call.Value.(*mid.Builtin); ok && bi.Name() == "deferstack" {
					return true
				}
			}
		}
	}
	return false
}

// liveBlocks returns the blocks that f's entry leads to, following one way only where the condition
// is constant.
func liveBlocks(f *mid.Func) []*mid.Block {
	if !f.HasBody() {
		return nil
	}
	live := []*mid.Block{f.Body()[0]}
	seen := map[*mid.Block]bool{f.Body()[0]: true}
	for i := 0; i < len(live); i++ {
		succs := live[i].Succs
		if branch, ok := live[i].Instrs[len(live[i].Instrs)-1].(*mid.If); ok {
			if c, ok := branch.Cond.(*mid.Const); ok {
				if constant.BoolVal(c.Value) {
					succs = succs[:1]
				} else {
					succs = succs[1:]
				}
			}
		}
		for _, s := range succs {
			if !seen[s] {
				seen[s] = true
				live = append(live, s)
			}
		}
	}
	return live
}

// deferPrologue prepares the frame ahead of the first SSA block, and links it unless that is done
// later (linkPoint).
func (b *fn) deferPrologue() {
	if !needsFrame(b.f) {
		return
	}
	if b.m.noHeap {
		b.m.errorf(b.f.Pos(), "defer in run-time package")
	}
	b.frame = b.Alloca(deferFrameSize, 8)
	b.Cur = b.NewBlockFirst("prologue")
	b.Do("store ptr null, ptr %s, align 8", b.gep(b.frame, 8))
	b.resultVars()
	if b.linkPoint() == nil {
		b.settleParams() // what saveResume keeps of the registers is not looked at again
		b.linkFrame()
	}
	b.Term("br label %%b0")
}

// saveResume stores the resume point in the DeferFrame that rdi has: the stack and frame pointers,
// and the address of the block that label names.
const saveResume = `movq %rsp, 0x10($0)\0Amovq %rbp, 0x18($0)\0Amovq $$${1:l}, 0x20($0)`

// saveResumeConstraints says what the block finds: what saveResume stores is as it was, the
// other registers and memory are not.
const saveResumeConstraints = "{rdi},!i," + scratchRegisters + ",~{fpsr},~{dirflag},~{flags},~{memory}"

const scratchRegisters = "~{rax},~{rcx},~{rdx},~{rsi},~{r8},~{r9},~{r10},~{r11}," +
	"~{xmm0},~{xmm1},~{xmm2},~{xmm3},~{xmm4},~{xmm5},~{xmm6},~{xmm7}," +
	"~{xmm8},~{xmm9},~{xmm10},~{xmm11},~{xmm12},~{xmm13},~{xmm14},~{xmm15}," +
	"~{xmm16},~{xmm17},~{xmm18},~{xmm19},~{xmm20},~{xmm21},~{xmm22},~{xmm23}," +
	"~{xmm24},~{xmm25},~{xmm26},~{xmm27},~{xmm28},~{xmm29},~{xmm30},~{xmm31}," +
	"~{k0},~{k1},~{k2},~{k3},~{k4},~{k5},~{k6},~{k7}"

// resumedConstraints says what the code after the resume point finds: the frame in rdi, and nothing
// in the registers that a function has to keep for its caller. So LLVM saves all of them where the
// function begins, and takes them from there where it ends. It is not told that the frame is that
// which was linked: the register where it may have kept an address of that is lost.
const resumedConstraints = "={rdi},~{rbx},~{r12},~{r13},~{r14},~{r15},~{memory}"

// linkFrame puts the frame on the goroutine's chain and marks the point where a recovered panic
// resumes.
//
// LLVM knows a jump from here to there, but not that it comes late. It may have given the place
// of a value that only the resumed code needs to another value meanwhile. So that code takes what
// it needs from variables in memory (reloadResults), and function calls with such a jump are not
// inlined.
func (b *fn) linkFrame() {
	if b.sig.area {
		b.defers.areaHome = b.keepForResume(resultsParam)
	}
	link := b.gep(b.currentG(), gDeferOffset)
	b.Do("store ptr %s, ptr %s, align 8", b.Op("load ptr, ptr %s, align 8", link), b.frame)
	b.Do("store volatile ptr %s, ptr %s, align 8", b.frame, link)
	resume, linked := b.NewBlock("resume"), b.NewBlock("linked")
	b.Term("callbr void asm sideeffect \"%s\", \"%s\"(ptr %s) to label %%linked [label %%resume]",
		saveResume, saveResumeConstraints, b.frame)
	b.Cur = resume
	if b.f.Recover() != nil {
		b.Term("br label %%%s", b.blocks[b.f.Recover()].Label)
	} else { // without a recover block the results are not named: they are zero after recovery
		b.recoverEntry()
		b.zeroReturn()
	}
	b.Cur = linked
}

// resultVars allocates the result variables that the recover block reads ahead of the
// resume point, so that their addresses hold on both ways there.
func (b *fn) resultVars() {
	if b.f.Recover() == nil {
		return
	}
	b.early, b.defers.homes = map[mid.Instr]bool{}, map[mid.Value]string{}
	for _, in := range b.f.Recover().Instrs {
		for _, op := range in.Operands(nil) {
			if a, ok := (*op).(*mid.Alloc); ok && !b.early[a] {
				b.setPlace(a)
				b.alloc(a)
				// Or LLVM finds that nothing stored there is ever read.
				b.Do("call void asm sideeffect \"\", \"r,~{memory}\"(ptr %s)", b.vals[a])
				b.early[a] = true
				if b.vals[a] == madeParam || !b.isFrameSlot(b.vals[a]) {
					b.defers.homes[a] = b.keepForResume(b.vals[a])
				}
			}
		}
	}
}

// keepForResume stores an address where the resumed code finds it.
func (b *fn) keepForResume(p string) (home string) {
	home = b.Alloca(8, 8)
	b.Do("store volatile ptr %s, ptr %s, align 8", p, home)
	return home
}

// reloadResults makes the code that follows, after the resume point, use the addresses that
// keepForResume has stored. Restore ends that.
func (b *fn) reloadResults() (restore func()) {
	vals, area := map[mid.Value]string{}, b.area
	reload := func(home string) string { return b.Op("load volatile ptr, ptr %s, align 8", home) }
	if b.defers.areaHome != "" {
		b.area = reload(b.defers.areaHome)
	}
	for _, in := range b.f.Recover().Instrs {
		for _, op := range in.Operands(nil) {
			if home := b.defers.homes[*op]; home != "" && vals[*op] == "" {
				vals[*op], b.vals[*op] = b.vals[*op], reload(home)
			}
		}
	}
	return func() {
		maps.Copy(b.vals, vals)
		b.area = area
	}
}

// recoverEntry begins the code of the resume point: it runs what is left of the frame's deferred
// calls after a recovered panic.
func (b *fn) recoverEntry() {
	frame := b.frame
	b.frame = b.Op(`call ptr asm sideeffect "", "%s"()`, resumedConstraints)
	b.runDefers(nil)
	b.frame = frame
}

func (b *fn) zeroReturn() {
	switch {
	case b.sig.area:
		b.zeroSlot(b.Op("load volatile ptr, ptr %s, align 8", b.defers.areaHome), b.sig.size, 8)
		b.Term("ret void")
	case len(b.sig.results) == 0:
		b.Term("ret void")
	case len(b.sig.results) == 1:
		b.Term("ret %s %s", b.sig.ret, b.m.zero(b.sig.results[0]))
	default:
		b.Term("ret %s zeroinitializer", b.sig.ret)
	}
}

// runDefers makes the frame's deferred calls at a return, before instruction at; nil: after a
// recovered panic.
func (b *fn) runDefers(at mid.Instr) {
	if b.frame == "" {
		return
	}
	b.setPos(exitPos(b.f))
	if at == nil || !b.inlineDefers(at) {
		b.DoDbg("call void %s(ptr %s)", b.m.rtFunc("rundefers"), b.frame)
	}
}

// lostRunDefers returns the instruction of blk ahead of which deferred calls have to run
// although there is no RunDefers, nil if there is none. go/ssa drops RunDefers from functions
// without a defer statement of their own, and forgets that the bodies of their loops over
// functions may have some. Where it stood, only loads of result variables followed.
func (b *fn) lostRunDefers(blk *mid.Block) mid.Instr {
	n := len(blk.Instrs) - 1
	ret, ok := blk.Instrs[n].(*mid.Return)
	if !ok || b.frame == "" || blk == b.f.Recover() {
		return nil
	}
	for _, other := range b.f.Body() {
		for _, in := range other.Instrs {
			if _, ok := in.(*mid.RunDefers); ok {
				return nil
			}
		}
	}
	for ; n > 0; n-- {
		load, ok := blk.Instrs[n-1].(*mid.UnOp)
		if !ok || load.Op != token.MUL || !slices.Contains(ret.Results, mid.Value(load)) {
			break
		}
		if _, ok := load.X.(*mid.Alloc); !ok {
			break
		}
	}
	return blk.Instrs[n]
}

// deferStmt pushes a deferred call on the frame's list. The record lives in the frame
// unless the statement can run more than once or pushes on another function's frame.
func (b *fn) deferStmt(in *mid.Defer) {
	if b.frame == "" && in.DeferStack == nil {
		return // in dead code
	}
	frame, stack := b.frame, !b.loops[in.Block()]
	if in.DeferStack != nil {
		frame, stack = b.operand(in.DeferStack), false
		if b.frame != "" && b.ownStack(in.DeferStack) {
			stack = !b.loops[in.Block()]
		}
	}
	fv, captured := b.thunk(&in.Call, in, stack, true)
	var rec string
	if stack {
		rec = b.recordOf(in)
		b.defers.captured[in] = captured
	} else {
		rec = b.heapAlloc(16, true, in.Pos())
	}
	head := b.gep(frame, 8)
	older := b.Op("load ptr, ptr %s, align 8", head)
	b.Do("store ptr %s, ptr %s, align 8", older, rec)
	b.Do("store ptr %s, ptr %s, align 8", fv, b.gep(rec, 8))
	if !stack {
		b.shadePointer(older)
		b.shadePointer(fv)
	}
	b.Do("store ptr %s, ptr %s, align 8", rec, head)
	if mid.Instr(in) == b.linkPoint() {
		b.linkFrame()
		return
	}
	b.settleMemory()
}

// ownStack tells whether a defer stack operand is that of this very function.
func (b *fn) ownStack(v mid.Value) bool {
	c, ok := v.(*mid.Call)
	return ok && c.Parent() == b.f
}

// goStmt starts a goroutine.
func (b *fn) goStmt(in *mid.Go) {
	if b.m.noHeap {
		b.m.errorf(in.Pos(), "go statement in run-time package")
	}
	fv, _ := b.thunk(&in.Call, in, false, false)
	b.DoDbg("call void %s(ptr %s)", b.m.rtFunc("newproc"), fv)
}

// thunkCall is a call that a go or defer statement has prepared: what is called, where that is a
// value, and the arguments.
type thunkCall struct {
	static       *mid.Func
	callee, args []string
}

// thunk returns a func() value that makes the call later with arguments evaluated now. A
// call of a func() without arguments needs none of it.
func (b *fn) thunk(c *mid.CallCommon, at mid.Instr, stack, isDefer bool) (fv string, call thunkCall) {
	_, isBuiltin := c.Value.(*mid.Builtin)
	if !isBuiltin && !c.IsInvoke() && len(c.Args) == 0 && c.Signature().Results().Len() == 0 {
		v := b.operand(c.Value)
		if !isDefer {
			b.nilCheckGo(c.Value, v)
		}
		call.static = c.StaticCallee()
		if call.static == nil || len(call.static.FreeVars) > 0 {
			call.callee = []string{v}
		}
		return v, call
	}
	var vals []string
	var ts []types.Type
	capture := func(v string, t types.Type) {
		vals = append(vals, v)
		ts = append(ts, t)
	}
	ptr := types.Typ[types.UnsafePointer]
	switch {
	case isBuiltin:
	case c.IsInvoke():
		code, data := b.methodCode(c)
		capture(code, ptr)
		capture(data, ptr)
	default:
		if call.static = c.StaticCallee(); call.static == nil || len(call.static.FreeVars) > 0 {
			v := b.operand(c.Value)
			if !isDefer {
				b.nilCheckGo(c.Value, v)
			}
			capture(v, ptr)
		}
	}
	first := len(vals)
	for _, a := range c.Args {
		capture(b.operand(a), a.Type())
	}
	call.callee, call.args = vals[:first:first], vals[first:]
	b.thunks++
	word := "gowrap"
	if isDefer {
		word = "deferwrap"
	}
	name := fmt.Sprintf("%s.%s%d", b.m.displayName(b.f), word, b.thunks)
	sym := fmt.Sprintf("%s.%s%d", b.m.baseSym(b.f), word, b.thunks)
	b.m.define(sym, func() string {
		return b.m.thunkBody(sym, name, at.Pos(), b.m.shared(b.f), ts, func(t *fn, caps []string) {
			t.runThunk(c, thunkCall{call.static, caps[:first], caps[first:]})
		})
	})
	place := func(int64) (string, bool) { return "", false }
	if isDefer && stack {
		place = func(size int64) (string, bool) { return b.Alloca(size, 8), true }
	}
	return b.closureObject(quote(sym), vals, ts, at, place), call
}

func (b *fn) nilCheckGo(v mid.Value, p string) {
	if !neverNil(v) {
		b.guard(b.Op("icmp ne ptr %s, null", p), "gonilfunc")
	}
}

// runThunk makes the call that c's statement prepared: the body of a thunk.
func (t *fn) runThunk(c *mid.CallCommon, call thunkCall) {
	static, callee, args := call.static, call.callee, call.args
	if bi, ok := c.Value.(*mid.Builtin); ok {
		t.builtinCall(bi, c, args)
		return
	}
	typed := make([]string, len(args))
	for i, a := range args {
		typed[i] = t.m.lltype(c.Args[i].Type()) + " " + a
	}
	sig := t.m.sigOf(withoutRecv(c.Signature()))
	switch {
	case c.IsInvoke():
		t.emitCall(sig, callee[0], "", append([]string{"ptr " + callee[1]}, typed...))
	case static != nil:
		clo := ""
		if len(callee) > 0 {
			clo = callee[0]
		} else if takesContext(static) {
			clo = "undef"
		}
		if t.intrinsicArgs(static, args) {
			return
		}
		t.emitCall(t.m.sigOf(static.Signature), t.m.funcRef(static), clo, typed)
	default:
		t.nilGuard(callee[0], 0)
		t.emitCall(sig, t.Op("load ptr, ptr %s, align 8", callee[0]), callee[0], typed)
	}
}

// thunkBody writes a function void(ptr nest) that reloads the captures and runs body. It
// lies in the section of frames that recover looks through.
func (m *module) thunkBody(sym, name string, pos token.Pos, shared bool, ts []types.Type, body func(t *fn, caps []string)) string {
	t := &fn{Func: &ir.Func{}, m: m, sig: &fnSig{ret: "void"}, vals: map[mid.Value]string{}, traps: map[string]*ir.Block{}}
	t.scope, t.line = m.dbg.subprogram(name, pos, true)
	t.Dbg = m.dbg.location(t.line, t.scope, "")
	t.Cur = t.NewBlock("b0")
	off := int64(8)
	caps := make([]string, len(ts))
	for i, ty := range ts {
		ti := m.info(ty)
		off = alignUp(off, ti.align)
		caps[i] = t.load(ty, t.gep("%ctx", off))
		off += ti.size
	}
	body(t, caps)
	t.Term("ret void")
	linkage, tail := "internal ", ""
	if shared {
		linkage, tail = "linkonce_odr hidden ", " comdat"
		m.comdat(sym)
	}
	return fmt.Sprintf("define %svoid %s(ptr nest %%ctx) #0 noinline section \"loam_wrap\"%s !dbg %s {\n%s}\n", linkage, quote(sym), tail, t.scope, t.Body())
}

// recoverCall lowers recover(): the run-time system decides by this frame's caller.
func (b *fn) recoverCall() string {
	b.m.declare("llvm.frameaddress.p0", "declare ptr @llvm.frameaddress.p0(i32 immarg)")
	fp := b.Op("ptrtoint ptr %s to i64", b.Op("call ptr @llvm.frameaddress.p0(i32 0)"))
	return b.OpDbg("call %s %s(i64 %s)", llIface, b.m.rtFunc("gorecover"), fp)
}
