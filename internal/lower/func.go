package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/mid/interval"
	"loam/internal/plan"
)

// fn is the lowering of one function.
type fn struct {
	*ir.Func
	m      *module
	f      *mid.Func
	plan   *plan.Func // what was decided before
	sig    *fnSig
	vals   map[mid.Value]ir.Value
	tuples map[mid.Value][]ir.Value // components of values of tuple type
	blocks map[*mid.Block]*ir.Block
	exits  map[*mid.Block]*ir.Block    // LLVM block in which an SSA block ends
	edges  map[[2]*mid.Block]*ir.Block // LLVM blocks between SSA blocks, if there is one
	scope  ir.Meta                     // debug metadata: the subprogram
	block  ir.Meta                     // and the block that the current position is in
	pos    token.Pos                   // of what is being lowered
	site   *mid.Site                   // where what is being lowered was inlined from
	line   int
	file   string
	sites  map[*mid.Site]ir.Meta // see inlinedAt
	traps  map[trap]*ir.Block    // shared panic blocks
	frame  ir.Value              // the DeferFrame slot, if the function defers
	defers deferStatements
	thunks int
	early  map[mid.Instr]bool // allocations emitted before the resume point
	area   ir.Value           // the result area, if the signature has one
	elide  map[mid.Value]bool // string additions folded into their user
	vars   *variables         // for debuggers, nil if not wanted
	shown  []ir.Meta          // debug metadata of the parameters
	shades []ir.Value         // pointers stored whose write barrier is still to come

	unraced bool // go:norace

	returns []returning       // ends of the function that have one return instruction in common
	end     *ir.Block         // that instruction is there
	parts   map[flow]ir.Value // parts of aggregates that flow into phis, see leafOf

	unevaluated map[mid.Instr]bool      // see literalData
	made        *escape.Frame           // in a second form: the objects that are in the caller's frame
	at          int                     // index in its block of the instruction being lowered
	room        int64                   // see hasRoom
	sizeless    ir.Value                // where what has no size is in this frame
	firstArrays int                     // see firstArray
	exact       *exactFrame             // nil: frames are scanned conservatively
	frameless   bool                    // mayBeFrameless
	jumps       bool                    // module.jumps
	calling     *mid.Call               // the call that is being lowered
	passed      map[*mid.Return]bool    // see passesOn
	literals    map[*mid.Alloc]ir.Value // see literalData
	indexed     map[ir.Value]bool       // see noteIndexed

	porches map[[2]*mid.Block]*porch // see entrance: by the way
	newest  map[*mid.Block]*porch    // by where it leads
	never   *ir.Block                // see cut

	within    *mid.Block                 // the block that is being lowered
	intervals interval.Analysis          // of the function's integers
	solid     map[mid.Value][]*mid.Block // see mayBeNil: behind whose check a value is not nil

	missed map[*mid.Block]*ir.Block // of type chains: where their last tests lead that fail
}

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
			m.bodyless = append(m.bodyless, f)
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
	fb = &fn{Func: m.out.NewFunc(), m: m, f: f, frameless: m.mayBeFrameless(f), jumps: m.jumps(f), sig: m.sigOf(f.Signature),
		vals: map[mid.Value]ir.Value{}, tuples: map[mid.Value][]ir.Value{},
		blocks: map[*mid.Block]*ir.Block{}, exits: map[*mid.Block]*ir.Block{},
		pos: f.Pos(), traps: map[trap]*ir.Block{}, solid: map[mid.Value][]*mid.Block{}, elide: map[mid.Value]bool{}, unevaluated: map[mid.Instr]bool{}, passed: map[*mid.Return]bool{},
		made: made, area: resultsParam, unraced: m.directives(outermost(f)).norace}
	fb.AllLoc = true
	name := m.displayName(f)
	switch { // how the runtime tells an inlined wrapper from the method of that name
	case f.IsGenericValue() || f.IsMethodExpr():
		name += "-lit"
	case isWrapper(f) && f.Kind != mid.Bound:
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
	params := fb.params()
	fb.literalData()
	fb.describeParams()
	fb.makeExact()
	fb.plan = plan.New(f, fb.options())
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
	typ := m.dbg.empty
	if fb.vars != nil {
		typ = m.dbg.signature(f.Signature)
	}
	m.dbg.setSubprogram(fb.scope, subprogram{name, m.profileName(f, name), home, typ, fb.shown, isNullary(f)})
	m.verify(fb.Func, name, params, fb.sig.ret)
	d := m.placement(f, sym, made != nil, fb)
	if fb.exact != nil && !fb.serving() || (waitingFrame{fb}).clearsFrame() || m.directives(f).clear {
		d.Func.Clear = clearOnEntry
	}
	d.Dbg = fb.scope
	d.Func.Ret, d.Func.Params, d.Func.Body = fb.sig.ret, params, fb.Func
	m.dbg.place(d.Func, fb.scope, home)
	return d
}

// options are what the function's plan depends on. Its frame is exact or not already.
func (b *fn) options() plan.Options {
	flags := b.m.in.Flags
	return plan.Options{
		Exact: b.exact != nil && !b.serving(), Waits: b.serving(), NoOptimize: flags.NoOptimize, Watched: flags.Points || flags.Race,
		Big: b.m.isBig, Pointers: func(t types.Type) bool { return b.m.info(t).ptrs }, InFrame: b.onStack,
	}
}

// wrapSection is the text section of functions that are not in the source: docs/abi.md.
const wrapSection = "loam_wrap"

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
	case fb.jumps:
		code.Group = delegating
	case fb.frameless:
		code.Group = frameless
	}
	d := ir.Definition{Align: funcAlign, Func: code}
	if fb.plan.Shape.HasLoops() {
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
		merged = isWrapper(f)
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

// params names the parameters and loads the free variables from the closure context.
func (b *fn) params() []ir.Parameter {
	var ps []ir.Parameter
	if len(b.f.FreeVars) > 0 {
		off := int64(8)
		for i, v := range b.f.FreeVars {
			if escape.ByValue(v) {
				ti := b.m.info(under(v.Type()).(*types.Pointer).Elem())
				off = alignUp(off, ti.align)
				p := b.atContext(fmt.Sprintf("fv.%d", i), off)
				if !ti.big && ti.size > 0 {
					// A copy in the frame, which becomes registers: nobody else has its address, so no
					// call or store makes LLVM load it again.
					slot := b.Alloca(ti.size, ti.align)
					b.AtEntry(func() { b.moveMem(slot, p, ir.Int(ir.I64, ti.size), 0) })
					p = slot
				}
				b.vals[v] = p
				off += ti.size
				continue
			}
			ti := b.m.info(v.Type())
			off = alignUp(off, ti.align)
			b.vals[v] = b.captured(fmt.Sprintf("fv.%d", i), ti, off)
			off += ti.size
		}
	}
	if b.sig.area {
		ps = append(ps, ir.Parameter{Value: resultsParam, ParamAttr: ir.ParamAttr{NoAlias: true}})
	}
	for i, p := range b.f.Params {
		v := ir.ParamValue(i, b.m.lltype(p.Type()))
		ps = append(ps, ir.Parameter{Value: v})
		b.vals[p] = v
	}
	if b.made != nil {
		ps = append(ps, ir.Parameter{Value: madeParam})
	}
	if takesContext(b.f) {
		ps = append(ps, contextOf)
	}
	return ps
}

// atContext returns, under a name, the address of what is at off in the closure.
func (b *fn) atContext(name string, off int64) (p ir.Value) {
	p = ir.NamedValue(name, ir.Ptr)
	b.AtEntry(func() { b.Define(p, func() { b.Index(ir.I8, contextParam, ir.Int(ir.I64, off)) }) })
	return p
}

// captured returns, under a name, the captured variable at off in the closure.
func (b *fn) captured(name string, ti *typeInfo, off int64) ir.Value {
	p := b.atContext(name+".p", off)
	if ti.big {
		return p
	}
	v := ir.NamedValue(name, ti.ll)
	b.AtEntry(func() {
		if ti.ll != ir.I1 {
			b.Define(v, func() { b.Load(ti.ll, p, ti.align) })
			return
		}
		raw := ir.NamedValue(name+".b", ir.I8)
		b.Define(raw, func() { b.Load(ir.I8, p, 0) })
		b.Define(v, func() { b.Cast(ir.Trunc, raw, ir.I1) })
	})
	return v
}

// contextOf is the parameter for the closure, as it is declared.
var contextOf = ir.Parameter{Value: contextParam, ParamAttr: ir.ParamAttr{Nest: true}}

// verify checks a function's code if that is asked for.
func (m *module) verify(f *ir.Func, name string, params []ir.Parameter, ret *ir.Type) {
	if !Verify {
		return
	}
	if err := f.Verify(params, ret); err != nil {
		panic(fmt.Errorf("%s: %v", name, err))
	}
}

// takesContext tells whether f's code declares the closure context: function literals do, with
// captures or without, because LLVM must see the same signature at definition and call, or it takes
// a local function for one that nobody calls. A declared function becomes a func value through a
// forwarder (funcValue).
func takesContext(f *mid.Func) bool { return f.Parent() != nil || len(f.FreeVars) > 0 }

func alignUp(n, a int64) int64 {
	if a <= 1 {
		return n
	}
	return (n + a - 1) / a * a
}

func (b *fn) emitBlock(blk *mid.Block) {
	b.Cur = b.blocks[blk]
	b.beginBlock(blk)
	if b.exact != nil {
		b.exact.in = blk.Instrs[0]
	}
	if b.vars != nil {
		clear(b.vars.held)
	}
	if b.defers.late != nil {
		b.defers.late.pending = b.defers.late.Behind[blk]
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
		waitingFrame{b}.beforeWait(in)
		b.instr(in)
		if v, ok := in.(mid.Value); ok {
			b.settle(v)
		}
	}
	b.exits[blk] = b.Cur
}

// namePhis gives every phi its name before any use is lowered. A big phi is a slot.
func (b *fn) namePhis(order []*mid.Block) {
	for _, blk := range order {
		for _, in := range blk.Instrs {
			p, ok := in.(*mid.Phi)
			if !ok {
				break
			}
			if ti := b.m.info(p.Type()); ti.big {
				b.vals[p] = b.Alloca(ti.size, ti.align)
			} else {
				b.vals[p] = ir.NamedValue(p.Name(), ti.ll)
			}
		}
	}
}

// bigPhis returns the phis of s that are slots.
func (b *fn) bigPhis(s *mid.Block) (phis []*mid.Phi) {
	for _, in := range s.Instrs {
		p, ok := in.(*mid.Phi)
		if !ok {
			break
		}
		if b.m.isBig(p.Type()) {
			phis = append(phis, p)
		}
	}
	return phis
}

// bigPhiCopies assigns the big phis of s on the way there from blk. If there are several, their
// operands go through slots of their own, because the phis of a block are assigned all at once.
func (b *fn) bigPhiCopies(blk, s *mid.Block) {
	phis := b.bigPhis(s)
	if len(phis) == 0 {
		return
	}
	k := predIndex(s, blk)
	src := make([]ir.Value, len(phis))
	for i, p := range phis {
		src[i] = b.operand(p.Edges[k])
		if len(phis) > 1 {
			ti := b.m.info(p.Type())
			t := b.Alloca(ti.size, ti.align)
			b.copyMem(t, src[i], ti)
			src[i] = t
		}
	}
	for i, p := range phis {
		b.copyMem(b.vals[p], src[i], b.m.info(p.Type()))
	}
}

// branch ends blk with a branch to one of two successors. Big phis are assigned on the way to
// theirs: the other way may lead to uses of what they were before.
func (b *fn) branch(blk *mid.Block, cond ir.Value) {
	var to [2]*ir.Block
	for i, s := range blk.Succs {
		to[i] = b.entrance(blk, s)
		switch {
		case i == 1 && b.missed[blk] != nil:
			to[i] = b.missed[blk]
		case len(b.bigPhis(s)) == 0:
		case blk.Succs[0] != blk.Succs[1]:
			to[i] = b.edge(blk, i)
		case i == 0:
			b.bigPhiCopies(blk, s)
		}
	}
	b.CondBr(cond, to[0], to[1])
}

func predIndex(s, pred *mid.Block) int {
	for i, p := range s.Preds {
		if p == pred {
			return i
		}
	}
	panic("lower: not a predecessor")
}

// emitPhis writes the phis, now that the blocks in which their predecessors end are known.
func (b *fn) emitPhis(order []*mid.Block) {
	for _, blk := range order {
		for _, in := range blk.Instrs {
			p, ok := in.(*mid.Phi)
			if !ok {
				break
			}
			ti := b.m.info(p.Type())
			if ti.big {
				continue
			}
			var edges []ir.Edge
			var ways []*mid.Block
			for i, e := range p.Edges {
				from := b.edges[[2]*mid.Block{blk.Preds[i], blk}]
				if from == nil {
					from = b.exits[blk.Preds[i]]
				}
				if from == nil { // of a long chain, a test for a constant that an earlier one has found
					continue
				}
				edges = append(edges, ir.Edge{Value: b.edgeOperand(p, i, e), From: from})
				ways = append(ways, blk.Preds[i])
			}
			b.phi(b.blocks[blk], b.vals[p], b.throughPorches(blk, ti.ll, edges, ways))
		}
	}
}

// instr lowers one instruction.
func (b *fn) instr(in mid.Instr) {
	b.point(in)
	b.race(in)
	switch in := in.(type) {
	case *mid.Alloc:
		b.alloc(in)
		b.describeAlloc(in)
	case *mid.BinOp:
		b.binop(in)
	case *mid.UnOp:
		b.unop(in)
	case *mid.Call:
		b.call(in)
	case *mid.ChangeType:
		// ChangeType: operand() looks through it
	case *mid.Convert:
		b.vals[in] = b.convert(in, in.X, in.X.Type(), in.Type())
	case *mid.Whole:
		b.vals[in] = b.PureAsm(ir.Asm{Constraints: "=r,0"}, b.m.lltype(in.Type()), b.operand(in.X))
	case *mid.ChangeInterface:
		if !onlyCompared(in) {
			b.vals[in] = b.changeInterface(in)
		}
	case *mid.SliceToArrayPointer:
		b.sliceToArrayPointer(in)
	case *mid.MakeInterface:
		b.vals[in] = b.makeInterface(in)
	case *mid.MakeClosure:
		b.vals[in] = b.makeClosure(in)
	case *mid.MakeMap:
		b.makeMap(in)
	case *mid.MakeChan:
		b.makeChan(in)
	case *mid.MakeSlice:
		b.makeSlice(in)
	case *mid.Slice:
		b.slice(in)
	case *mid.FieldAddr:
		b.fieldAddr(in)
	case *mid.Field:
		b.field(in)
	case *mid.IndexAddr:
		b.indexAddr(in)
	case *mid.Index:
		b.index(in)
	case *mid.Lookup:
		b.lookup(in)
	case *mid.Select:
		b.selectStmt(in)
	case *mid.Range:
		b.rangeStart(in)
	case *mid.Next:
		b.next(in)
	case *mid.TypeAssert:
		b.typeAssert(in)
	case *mid.Extract:
		b.vals[in] = b.tuples[in.Tuple][in.Index]
	case *mid.Jump:
		b.Br(b.entrance(in.Block(), in.Block().Succs[0]))
	case *mid.If:
		if tests := b.plan.Chains[in.Block()]; tests != nil {
			b.switchChain(tests)
			break
		}
		b.branch(in.Block(), b.operand(in.Cond))
	case *mid.Return:
		b.ret(in)
	case *mid.RunDefers:
		if b.exact != nil && !b.serving() && !b.exact.defers && b.frame.IsSet() {
			b.beforeCollection(in, true)
		}
		b.runDefers(in)
	case *mid.Panic:
		b.panicInstr(in)
	case *mid.Go:
		b.goStmt(in)
	case *mid.Defer:
		b.deferStmt(in)
	case *mid.Send:
		b.send(in)
	case *mid.Store:
		b.storeInstr(in)
		b.pointBehind(in)
	case *mid.MapUpdate:
		b.mapUpdate(in)
	default:
		panic(fmt.Sprintf("lower: instruction %T", in))
	}
}

func (b *fn) ret(in *mid.Return) {
	switch {
	case b.passed[in]:
		b.Ret(ir.Value{})
	case b.sig.area:
		// All results are read before the first is written: an operand may be the old
		// content of the area's source.
		for i, r := range in.Results {
			b.store(r.Type(), b.operand(r), b.gep(b.area, b.sig.offsets[i]))
		}
		b.Ret(ir.Value{})
	case len(in.Results) == 0:
		b.Ret(ir.Value{})
	default:
		vals := make([]ir.Value, len(in.Results))
		for i, r := range in.Results {
			vals[i] = b.operand(r)
		}
		b.leave(vals)
	}
}

// directives of a function declaration that matter here.
type directives struct {
	noinline bool
	norace   bool
	inline   bool // run-time packages: into every caller
	clear    bool // likewise: its frame is cleared when it is entered
}

// seesOwnFrame tells whether f calls something that speaks of the frame it is in, which
// inlining would make another function's.
func (m *module) seesOwnFrame(f *mid.Func) bool {
	for _, blk := range f.Body() {
		for _, in := range blk.Instrs {
			c, ok := in.(*mid.Call)
			if !ok {
				continue
			}
			if c.Call.Builtin() == mid.BuiltinRecover {
				return true
			}
			if g := c.Call.StaticCallee(); g != nil && !g.HasBody() && m.has(g, seesFrame) {
				return true
			}
		}
	}
	return false
}
