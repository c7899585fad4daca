package lower

import (
	"fmt"
	"go/types"
	"maps"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/plan"
)

// fn is the lowering of one function. What it consists of is a ladder, like module: each part is
// told of the function what it needs, and knows the parts below it.
type fn struct{ *branches }

// emitFunc lowers f and registers its definition.
func (m *module) emitFunc(f *mid.Func) {
	sym := m.funcSym(f)
	if !f.HasBody() {
		if m.emitIntrinsicBody(f, sym) {
			return
		}
		if f.Kind == mid.Declared || len(f.TypeArgs()) > 0 {
			m.declareFunc(f, sym)
		}
		if f.Pkg == m.pkg {
			m.used.bodyless = append(m.used.bodyless, f)
		}
		return
	}
	m.define(sym, func() ir.Definition { return m.lowerFunc(f, sym) })
}

func (m *module) lowerFunc(f *mid.Func, sym string) ir.Definition { return m.lowerForm(f, sym, nil) }

// lowerForm lowers f, or its second form if made is not nil.
func (m *module) lowerForm(f *mid.Func, sym string, made *escape.Frame) ir.Definition {
	var fb *fn
	defer func() {
		if r := recover(); r != nil {
			panic(m.crash(fb.pos, f, r))
		}
	}()
	c := newCode(m, f, m.sigOf(f.Signature))
	c.made = made
	fb = &fn{newBranches(newDeferrals(newCalls(newObjects(newValues(newChecks(newPlaces(c)))))))}
	fb.unraced = m.directives(f.Outermost()).norace
	fb.AllLoc = true
	name := m.displayName(f)
	switch { // how the runtime tells an inlined wrapper from the method of that name
	case f.IsGenericValue() || f.IsMethodExpr():
		name += "-lit"
	case f.IsWrapper() && f.Kind != mid.Bound:
		name += "-wrap"
	}
	at := funcPos(f)
	if f.IsGenericValue() {
		at = m.valueOf[f].Pos()
	}
	fb.scope, fb.line = m.dbg.reserveSubprogram(at)
	home := fb.line
	fb.Loc = m.dbg.location(fb.line, fb.scope, 0)
	fb.findVariables()
	if f == m.pkg.Func("init") {
		maps.Copy(fb.vals, m.staticVals)
	}
	m.noteLocalTypes(f)
	fb.plan = plan.New(f, fb.options())
	params := fb.params()
	fb.literalData()
	fb.makeHomes()
	fb.describeParams()
	fb.beginLate()
	for _, b := range f.DomPreorder() {
		fb.blocks[b] = fb.NewBlock(fmt.Sprintf("b%d", b.Index))
	}
	if f.Recover() != nil && fb.blocks[f.Recover()] == nil {
		fb.blocks[f.Recover()] = fb.NewBlock(fmt.Sprintf("b%d", f.Recover().Index))
	}
	fb.deferPrologue()
	order := f.DomPreorder()
	fb.namePhis(order)
	for _, b := range order {
		if !fb.plan.Chained[b] {
			fb.emitBlock(b)
		}
	}
	fb.emitPhis(order)
	fb.emitReturn()
	fb.clearSlots()
	fb.describeBoxed()
	typ := m.dbg.empty
	if fb.vars != nil {
		typ = m.dbg.signature(f.Signature)
	}
	m.dbg.setSubprogram(fb.scope, subprogram{name, m.profileName(f, name), home, typ, fb.shown, isNullary(f)})
	m.verify(fb.Func, name, params, fb.sig.ret)
	d := m.placement(f, sym, made != nil, fb)
	if frame := fb.plan.Frame; frame != nil && frame.Clean || m.directives(f).clear {
		d.Func.Clear = clearOnEntry
	}
	d.Dbg = fb.scope
	d.Func.Ret, d.Func.Params, d.Func.Body = fb.sig.ret, params, fb.Func
	m.dbg.place(d.Func, fb.scope, home)
	return d
}

// options are what the function's plan depends on.
func (b *fn) options() plan.Options {
	flags := b.m.in.Flags
	how := plan.Options{
		NoOptimize: flags.NoOptimize, Runtime: b.m.rt, Watched: flags.Points || b.m.tellsRaces(),
		Big: b.m.isBig, Pointers: func(t types.Type) bool { return b.m.info(t).ptrs }, InFrame: b.onStack, Bytes: b.frameBytes,
		Hidden: func(v mid.Value) bool { return b.m.in.Escape != nil && b.m.in.Escape.Hidden(v) },
		// In simulated runs a goroutine may be interrupted where a function is entered. So one that
		// others can see the effect of is entered by looking at the limit.
		Expands: func(f *mid.Func) bool { return Expands(f) && !isSync(f.Object().Pkg()) },
		Data:    func(in mid.Instr) bool { return b.m.skip[in] },
		Copied:  func(t types.Type) bool { ti := b.m.info(t); return !ti.big && ti.size > 0 },
	}
	if b.m.owns(b.f) {
		how.Frame = plan.FrameOf(b.f, b.m.calls, &how)
	}
	return how
}

// funcAlign is where functions begin. The processor takes code up by aligned pieces, so that
// a short function's time depends on where it begins. It keeps what it has decoded, and where
// branches lead, by lines of the cache. A loop's time depends on which lines it is in, by a tenth
// and more. So functions with loops begin with a line: their time is not another one whenever
// something before them has changed.
const (
	funcAlign = 32
	loopAlign = 64
)

// placement says how f, or its second form, is linked, where it lies and how it is inlined.
func (m *module) placement(f *mid.Func, sym string, second bool, fb *fn) ir.Definition {
	code := &ir.FuncDef{Group: ordinary}
	switch {
	case fb.plan.Jumps:
		code.Group = delegating
	case fb.plan.Frameless:
		code.Group = frameless
	}
	d := ir.Definition{Align: funcAlign, Func: code}
	switch {
	case m.rt && !m.in.Flags.NoOptimize && isRare(m.pkg.Pkg.Path(), m.fset.Position(f.Pos()).Filename):
		code.Small, d.Align = !fb.plan.Huge, 0
	case fb.plan.Shape.HasLoops():
		d.Align = loopAlign
	}
	switch {
	case m.directives(f).noinline || isDeclaredInit(f) || m.seesOwnFrame(f) || fb.frame.IsSet():
		code.NoInline = true
	case m.directives(f).inline || !m.in.Flags.NoOptimize && !m.in.Flags.NoInline && m.has(f, inLoops):
		code.AlwaysInline = true
	case m.in.Flags.NoInline && !m.rt && !delegates(f):
		code.NoInline = true
	}
	if fb.plan.Huge {
		code.OptNone, code.NoInline, code.AlwaysInline = true, true, false
		m.hasHuge = m.hasHuge || m.owns(f) && !m.in.Flags.NoOptimize
	}
	if !m.owns(f) {
		return ir.Definition{Linkage: ir.AvailableExternally, Func: code}
	}
	if delegates(f) || m.has(f, wraps) {
		d.Section = wrapSection
	} else if m.rt {
		d.Section = "loam_rt_text"
	}
	merged := false // with the same function of other packages
	switch {
	case m.shared(f) && m.rt:
		d.Linkage = ir.Internal
		merged = f.IsWrapper()
	case m.shared(f) && second:
		// what it makes, and where, is decided with what this package knows of the callees
		d.Linkage = ir.Internal
	case m.shared(f):
		merged = true
	case f.Parent() != nil:
		d.Linkage = ir.Internal
	}
	if merged {
		d.Linkage, d.Hidden, d.Comdat = ir.LinkOnce, true, m.comdat(sym)
	}
	return d
}

func (b *fn) emitBlock(blk *mid.Block) {
	b.Cur = b.blocks[blk]
	b.within = blk
	if b.exact != nil {
		b.exact.in = blk.Instrs[0]
	}
	if b.vars != nil {
		clear(b.vars.held)
	}
	if b.defers.late != nil {
		b.pending(b.defers.late.Behind[blk])
	} else if blk == b.f.Recover() {
		b.recoverEntry()
		defer b.reloadResults()()
	}
	b.settleEntry(blk)
	for i, in := range blk.Instrs {
		b.at = i
		if _, ok := in.(*mid.Phi); ok {
			continue
		}
		if b.plan.Huge && i%maxHugeBlock == maxHugeBlock-1 && !b.Cur.Done {
			b.cut()
		}
		if len(b.shades) > 0 && !b.quiet(in) {
			b.flushShades()
		}
		if b.exact != nil {
			b.exact.at, b.exact.in = nil, in // slots for debuggers belong to nobody
		}
		b.describeValues(in)
		if b.exact != nil {
			b.exact.at = in
			b.beforePanic(in)
		}
		b.setPlace(in)
		if b.m.skip[in] || b.early[in] || b.unevaluated[in] {
			continue
		}
		switch in.(type) {
		case *mid.Jump, *mid.If, *mid.Return, *mid.Panic:
			if len(blk.Succs) == 1 {
				b.bigPhiCopies(blk, blk.Succs[0])
			}
			b.leaveEdges(blk)
			if b.frame.IsSet() && in == b.plan.Defers.Link {
				b.linkFrame()
			}
		}
		b.beforeWait(in)
		b.instr(in)
		if v, ok := in.(mid.Value); ok {
			b.settle(v)
		}
	}
	b.exits[blk] = b.Cur
}

// emitSecond defines the second form of f.
func (m *module) emitSecond(f *mid.Func) {
	sym := secondSym(m.funcSym(f))
	m.define(sym, func() ir.Definition { return m.lowerForm(f, sym, m.made(f)) })
}
