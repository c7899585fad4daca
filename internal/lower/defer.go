package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"loam/internal/amd64"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// defer, go and recover. A function that defers has a DeferFrame in its frame, linked into
// the goroutine's chain at G+16; each deferred call is a record {next, func()} pushed on
// it (docs/abi.md). Arguments are captured in a thunk: a closure of our own making. Where the frame
// is linked if and only if the one call is to be made, there is no record, and the thunk is part of
// the frame (plan.Defers.Placed).

const (
	deferFrameSize = 32
	gDeferOffset   = 16 // of the innermost DeferFrame in G
)

// deferrals is code with calls that are made later.
type deferrals struct {
	*calls
	defers deferStatements
	thunks int
	early  map[mid.Instr]bool // allocations emitted before the resume point
	blocks map[*mid.Block]*ir.Block
}

func newDeferrals(c *calls) *deferrals {
	return &deferrals{calls: c, blocks: map[*mid.Block]*ir.Block{}}
}

// currentG loads G from the thread block. The load is volatile: after any call the code may run
// on another thread.
func (b *deferrals) currentG() ir.Value {
	return b.threadWord(8)
}

// deferPrologue prepares the frame ahead of the first SSA block, and links it unless that is done
// later (plan.Defers.Link).
func (b *deferrals) deferPrologue() {
	if !b.plan.Defers.Framed() {
		return
	}
	if b.m.noHeap {
		b.m.errorf(b.f.Pos(), "defer in run-time package")
	}
	placed := b.plan.Defers.Placed
	b.frame = b.Alloca(deferFrameSize+b.thunkSize(placed), 8)
	b.Cur = b.NewBlockFirst("prologue")
	if placed == nil {
		b.Store(ir.Null, b.gep(b.frame, 8), 8)
	}
	b.resultVars()
	b.settleParams() // what saveResume keeps of the registers is not looked at again
	if b.plan.Defers.Link == nil {
		b.linkFrame()
	}
	b.Br(b.blocks[b.f.Body()[0]])
}

// linkFrame puts the frame on the goroutine's chain and marks the point where a recovered panic
// resumes.
//
// LLVM knows a jump from here to there, but not that it comes late. It may have given the place
// of a value that only the resumed code needs to another value meanwhile, and holds the address of
// a slot in a register where returns become one. So that code takes what it needs, addresses of
// slots too, from variables in memory (reloadResults), and function calls with such a jump are not
// inlined.
func (b *deferrals) linkFrame() {
	if b.sig.area {
		b.defers.areaHome = b.keepForResume(resultsParam)
	}
	link := b.gep(b.currentG(), gDeferOffset)
	b.defers.outer = b.Load(ir.Ptr, link, 8)
	b.Store(b.defers.outer, b.frame, 8)
	b.StoreAs(b.frame, link, ir.Access{Align: 8, Volatile: true})
	resume, linked := b.NewBlock("resume"), b.NewBlock("linked")
	movable := b.m.in.Flags.Movable
	if code := b.defers.thunk; code.IsSet() {
		b.AsmBr(amd64.SaveResumeOnly(movable), 0, linked, resume, b.frame, code)
	} else {
		b.AsmBr(amd64.SaveResume(movable), 0, linked, resume, b.frame)
	}
	b.Cur = resume
	if b.f.Recover() != nil {
		b.Br(b.blocks[b.f.Recover()])
	} else { // without a recover block the results are not named: they are zero after recovery
		b.recoverEntry()
		b.zeroReturn()
	}
	b.Cur = linked
}

// resultVars allocates the result variables that the recover block reads ahead of the
// resume point, so that their addresses hold on both ways there.
func (b *deferrals) resultVars() {
	if b.f.Recover() == nil {
		return
	}
	b.early, b.defers.homes = map[mid.Instr]bool{}, map[mid.Value]ir.Value{}
	for _, in := range b.f.Recover().Instrs {
		for _, op := range in.Operands(nil) {
			if a, ok := (*op).(*mid.Alloc); ok && !b.early[a] {
				b.setPlace(a)
				b.alloc(a)
				// Or LLVM finds that nothing stored there is ever read.
				b.Asm(ir.Asm{Constraints: "r,~{memory}"}, ir.Void, b.vals[a])
				b.early[a] = true
				b.defers.homes[a] = b.keepForResume(b.vals[a])
			}
		}
	}
}

// keepForResume stores an address where the resumed code finds it. The place belongs to no
// instruction, not to the one either before which the frame is linked: it may not be cleared.
func (b *deferrals) keepForResume(p ir.Value) (home ir.Value) {
	home = b.Func.Alloca(8, 8)
	b.StoreAs(p, home, ir.Access{Align: 8, Volatile: true})
	return home
}

// reloadResults makes the code that follows, after the resume point, use the addresses that
// keepForResume has stored. Restore ends that.
func (b *deferrals) reloadResults() (restore func()) {
	vals, area := map[mid.Value]ir.Value{}, b.area
	reload := func(home ir.Value) ir.Value { return b.LoadAs(ir.Ptr, home, ir.Access{Align: 8, Volatile: true}) }
	if b.defers.areaHome.IsSet() {
		b.area = reload(b.defers.areaHome)
	}
	for _, in := range b.f.Recover().Instrs {
		for _, op := range in.Operands(nil) {
			if home := b.defers.homes[*op]; home.IsSet() && !vals[*op].IsSet() {
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
func (b *deferrals) recoverEntry() {
	frame := b.frame
	b.frame = b.Asm(amd64.Resumed, ir.Ptr)
	b.runDefers(nil)
	b.frame = frame
}

func (b *deferrals) zeroReturn() {
	switch {
	case b.sig.area:
		b.zeroSlot(b.LoadAs(ir.Ptr, b.defers.areaHome, ir.Access{Align: 8, Volatile: true}), b.sig.size, 8)
		b.Ret(ir.Value{})
	case len(b.sig.results) == 0:
		b.Ret(ir.Value{})
	case len(b.sig.results) == 1:
		b.Ret(b.m.zero(b.sig.results[0]))
	default:
		b.Ret(ir.Zero(b.sig.ret))
	}
}

// runDefers makes the frame's deferred calls at a return, before instruction at; nil: after a
// recovered panic.
func (b *deferrals) runDefers(at mid.Instr) {
	if b.defers.late != nil {
		b.runLate(at)
		return
	}
	if !b.frame.IsSet() {
		return
	}
	b.setPos(b.deferredPos(at))
	if at == nil || !b.inlineDefers(at) {
		b.CallAt(ir.Void, b.m.rtFunc("rundefers"), b.frame)
	}
}

// deferredPos is the position of the deferred calls that run at a return, before instruction at;
// nil: after a recovered panic. Callers and tracebacks show it, so it is gc's. Where gc writes the
// calls out at each return, it is that of the return statement; otherwise, the
// function's closing brace. So it is here after a recovered panic, too, where gc names the line of
// whatever code it has placed last.
func (b *deferrals) deferredPos(at mid.Instr) token.Pos {
	if at == nil || !at.Pos().IsValid() || !b.plan.Defers.Written {
		return exitPos(b.f)
	}
	return at.Pos()
}

// deferStmt pushes a deferred call on the frame's list. The record lives in the frame
// unless the statement can run more than once or pushes on another function's frame.
func (b *deferrals) deferStmt(in *mid.Defer) {
	if late := b.defers.late; late != nil {
		if in == late.Stmt { // others are in dead code
			b.deferLate(in)
		}
		return
	}
	if !b.frame.IsSet() && in.DeferStack == nil {
		return // in dead code
	}
	frame, stack := b.frame, !b.plan.Shape.InLoop(in.Block())
	if in.DeferStack != nil {
		frame, stack = b.operand(in.DeferStack), false
		if b.frame.IsSet() && b.ownStack(in.DeferStack) {
			stack = !b.plan.Shape.InLoop(in.Block())
		}
	}
	fv, captured := b.thunk(&in.Call, in, stack, true)
	if stack {
		if b.defers.captured == nil {
			b.defers.captured = map[*mid.Defer]thunkCall{}
		}
		b.defers.captured[in] = captured
	}
	if head := b.gep(frame, 8); in == b.plan.Defers.Placed {
		// The frame's link says all.
	} else if stack && b.plan.Defers.Only(in) {
		// an integer, since fv may be nil
		b.Store(b.Add(b.Cast(ir.PtrToInt, fv, ir.I64), ir.Int(ir.I64, onlyCall)), head, 8)
	} else {
		var rec ir.Value
		if stack {
			rec = b.recordOf(in)
		} else {
			rec = b.heapAlloc(16, true, in.Pos())
		}
		older := b.Load(ir.Ptr, head, 8)
		b.Store(older, rec, 8)
		b.Store(fv, b.gep(rec, 8), 8)
		if !stack {
			b.shadePointer(older)
			b.shadePointer(fv)
		}
		b.Store(rec, head, 8)
	}
	if mid.Instr(in) == b.plan.Defers.Link {
		b.linkFrame()
		return
	}
	b.settleMemory()
}

// ownStack reports whether a defer stack operand is that of this very function.
func (b *deferrals) ownStack(v mid.Value) bool {
	c, ok := v.(*mid.Call)
	return ok && c.Parent() == b.f
}

// goStmt starts a goroutine.
func (b *deferrals) goStmt(in *mid.Go) {
	if b.m.noHeap {
		b.m.errorf(in.Pos(), "go statement in run-time package")
	}
	fv, _ := b.thunk(&in.Call, in, false, false)
	b.CallAt(ir.Void, b.m.rtFunc("newproc"), fv)
}

// thunkCall is a call that a go or defer statement has prepared: what is called, where that is a
// value, and the arguments.
type thunkCall struct {
	static       *mid.Func
	callee, args []ir.Value
}

// thunk returns a func() value that makes the call later with arguments evaluated now. A
// call of a func() without arguments needs none of it.
func (b *deferrals) thunk(c *mid.CallCommon, at mid.Instr, stack, isDefer bool) (fv ir.Value, call thunkCall) {
	if plan.IsNullary(c) {
		v := b.operand(c.Value)
		if !isDefer {
			b.nilCheckGo(c.Value, v)
		}
		call.static = c.StaticCallee()
		if capturedCallee(c) > 0 {
			call.callee = []ir.Value{v}
		}
		return v, call
	}
	var vals []ir.Value
	switch capturedCallee(c) {
	case 2:
		code, data := b.methodCode(at, c, true)
		vals = append(vals, code, data)
	case 1:
		vals = append(vals, b.operand(c.Value)) // the thunk asks whether that is nil
	}
	call.static = c.StaticCallee()
	first := len(vals)
	for _, a := range c.Args {
		vals = append(vals, b.operand(a))
	}
	call.callee, call.args = vals[:first:first], vals[first:]
	word := "gowrap"
	if isDefer {
		word = "deferwrap"
	}
	ts := thunkTypes(c)
	code := b.thunkCode(c, at, word, ts, call)
	place := func(int64) (ir.Value, bool) { return ir.Value{}, false }
	if d, ok := at.(*mid.Defer); ok && d == b.plan.Defers.Placed {
		b.defers.thunk, code = code, ir.Value{}
		place = b.behindFrame
	} else if isDefer && stack {
		place = func(size int64) (ir.Value, bool) { return b.Alloca(size, 8), true }
	}
	return b.closureObject(code, vals, ts, at, place), call
}

// behindFrame is the place behind the DeferFrame.
func (b *deferrals) behindFrame(int64) (ir.Value, bool) { return b.gep(b.frame, deferFrameSize), true }

// capturedCallee is how many words a thunk has of what it calls: a method's code and receiver, or
// the func value, or nothing.
func capturedCallee(c *mid.CallCommon) int {
	if c.Builtin() != mid.NoBuiltin {
		return 0
	}
	if c.IsInvoke() {
		return 2
	}
	if static := c.StaticCallee(); static == nil || len(static.FreeVars) > 0 {
		return 1
	}
	return 0
}

// thunkTypes are the types of what a thunk captures.
func thunkTypes(c *mid.CallCommon) []types.Type {
	ts := slices.Repeat([]types.Type{types.Typ[types.UnsafePointer]}, capturedCallee(c))
	for _, a := range c.Args {
		ts = append(ts, a.Type())
	}
	return ts
}

// thunkCode returns the code of a thunk that makes call, which at has prepared. Its captures, of
// these types, are the callee, if that is a value, and the arguments.
func (b *deferrals) thunkCode(c *mid.CallCommon, at mid.Instr, word string, ts []types.Type, call thunkCall) ir.Value {
	b.thunks++
	name := fmt.Sprintf("%s.%s%d", b.m.displayName(b.f), word, b.thunks)
	sym := fmt.Sprintf("%s.%s%d", b.m.baseSym(b.f), word, b.thunks)
	first := len(call.callee)
	b.m.define(sym, func() ir.Definition {
		return b.m.thunkBody(sym, name, at.Pos(), b.m.shared(b.f), ts, func(t *deferrals, caps []ir.Value) {
			t.runThunk(c, thunkCall{call.static, caps[:first], caps[first:]})
		})
	})
	return b.m.ref(sym)
}

func (b *deferrals) nilCheckGo(v mid.Value, p ir.Value) {
	if !plan.NeverNil(v) {
		b.guard(b.ICmp(ir.NE, p, ir.Null), "gonilfunc")
	}
}

// runThunk makes the call that c's statement prepared: the body of a thunk.
func (t *deferrals) runThunk(c *mid.CallCommon, call thunkCall) {
	static, callee, args := call.static, call.callee, call.args
	if c.Builtin() != mid.NoBuiltin {
		t.builtinCall(c, args)
		return
	}
	sig := t.m.sigOf(withoutRecv(c.Signature()))
	switch {
	case c.IsInvoke():
		t.emitCall(sig, callee[0], ir.Value{}, append([]ir.Value{callee[1]}, args...))
	case static != nil:
		clo := ir.Value{}
		if len(callee) > 0 {
			clo = callee[0]
		} else if takesContext(static) {
			clo = ir.UndefOf(ir.Ptr)
		}
		if t.intrinsicArgs(static, args) {
			return
		}
		if c.FollowsHeld() {
			at := t.pos
			if t.f == nil { // the code of a thunk
				t.setPos(c.HeldAt)
			}
			t.nilGuard(args[0], 0)
			t.setPos(at)
		}
		t.emitCall(t.m.sigOf(static.Signature), t.m.funcRef(static), clo, args)
	default:
		t.nilGuard(callee[0], 0)
		t.emitCall(sig, t.Load(ir.Ptr, callee[0], 8), callee[0], args)
	}
}

// thunkBody writes a function void(ptr nest) that reloads the captures and runs body. It
// lies in the section of frames that recover looks through.
func (m *module) thunkBody(sym, name string, pos token.Pos, shared bool, ts []types.Type,
	body func(t *deferrals, caps []ir.Value)) ir.Definition {
	t := newDeferrals(newCalls(newObjects(newValues(newChecks(newPlaces(newCode(m, nil, &fnSig{ret: ir.Void})))))))
	t.scope, t.line = m.dbg.subprogram(name, pos, true)
	t.Loc = m.dbg.location(t.line, t.scope, 0)
	t.Cur = t.NewBlock("b0")
	off := int64(8)
	caps := make([]ir.Value, len(ts))
	for i, ty := range ts {
		ti := m.info(ty)
		off = alignUp(off, ti.align)
		caps[i] = t.load(ty, t.gep(contextParam, off))
		off += ti.size
	}
	body(t, caps)
	t.Ret(ir.Value{})
	m.verify(t.Func, name, []ir.Parameter{contextOf}, ir.Void)
	d := ir.Definition{Linkage: ir.Internal, Section: wrapSection, Dbg: t.scope,
		Func: &ir.FuncDef{Ret: ir.Void, Params: []ir.Parameter{contextOf}, Group: ordinary, NoInline: true, Body: t.Func}}
	m.dbg.place(d.Func, t.scope, t.line)
	if shared {
		d.Hidden = true
		return m.merged(sym, d)
	}
	d.Comdat = m.out.Comdat(m.ref(sym), true) // or the linker would keep all thunks of an object
	return d
}
