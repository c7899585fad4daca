package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/methodexpr"
	"loam/internal/mid"
)

// fn is the lowering of one function.
type fn struct {
	*ir.Func
	m      *module
	f      *mid.Func
	sig    *fnSig
	vals   map[mid.Value]string
	tuples map[mid.Value][]string // components of values of tuple type
	blocks map[*mid.Block]*ir.Block
	exits  map[*mid.Block]*ir.Block    // LLVM block in which an SSA block ends
	edges  map[[2]*mid.Block]*ir.Block // LLVM blocks between SSA blocks, if there is one
	scope  string                      // debug metadata: the subprogram
	block  string                      // and the block that the current position is in
	pos    token.Pos                   // of what is being lowered
	site   *mid.Site                   // where what is being lowered was inlined from
	line   int
	file   string
	sites  map[*mid.Site]string // see inlinedAt
	traps  map[string]*ir.Block // shared panic blocks without arguments, by kind and position
	frame  string               // the DeferFrame slot, if the function defers
	defers deferStatements
	loops  map[*mid.Block]bool
	after  []int // by block index: smaller than the number of each block that leads to it and not back
	thunks int
	early  map[mid.Instr]bool // allocations emitted before the resume point
	area   string             // the result area, if the signature has one
	elide  map[mid.Value]bool // string additions folded into their user
	vars   *variables         // for debuggers, nil if not wanted
	shown  []string           // debug metadata of the parameters
	shades []string           // pointers stored whose write barrier is still to come

	unraced bool // go:norace

	returns []returning       // ends of the function that have one return instruction in common
	parts   map[string]string // parts of aggregates that flow into phis, see leafOf

	unevaluated map[mid.Instr]bool    // see literalData
	made        *escape.Frame         // in a second form: the objects that are in the caller's frame
	at          int                   // index in its block of the instruction being lowered
	room        int64                 // see hasRoom
	firstArrays int                   // see firstArray
	exact       *exactFrame           // nil: frames are scanned conservatively
	huge        bool                  // hugeFunc: optimised by passes of its own
	ranges      rangeLoads            // see findRangeLoads
	literals    map[*mid.Alloc]string // see literalData

	porches map[[2]*mid.Block]*porch // see entrance: by the way
	newest  map[*mid.Block]*porch    // by where it leads
	never   *ir.Block                // see cut

	chains  map[*mid.Block][]test // see findChains: by their first block
	chained map[*mid.Block]bool   // the others

	typeChains map[*mid.TypeAssert][]*mid.TypeAssert // see findTypeChains
	missed     map[*mid.Block]string                 // where their last tests lead that fail
}

// attrs of every function: see the design on stacks, tracebacks and undefined behaviour. No tail
// calls: a function that ends in a call must stay visible to recover and in tracebacks. What
// panics, waits, allocates or starts goroutines is nomerge (see noMerge): its line is in tracebacks
// and profiles.
const attributeGroups = `attributes #0 = { nounwind null_pointer_is_valid "frame-pointer"="all" "split-stack" "no-trapping-math"="true" "disable-tail-calls"="true" }
attributes #1 = { noreturn cold nomerge nounwind }
attributes #2 = { nounwind nomerge }
attributes #3 = { nounwind returns_twice }
attributes #4 = { nounwind nomerge allocsize(0) }
attributes #5 = { nounwind "frame-pointer"="non-leaf" }
attributes #6 = { nounwind memory(read) }
attributes #7 = { nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
`

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
	m.define(sym, func() string { return m.lowerFunc(f, sym) })
}

func (m *module) lowerFunc(f *mid.Func, sym string) string { return m.lowerForm(f, sym, nil) }

// lowerForm lowers f, or its second form if made is not nil.
func (m *module) lowerForm(f *mid.Func, sym string, made *escape.Frame) string {
	var fb *fn
	defer func() {
		if r := recover(); r != nil {
			panic(m.crash(fb.pos, f, r))
		}
	}()
	fb = &fn{Func: &ir.Func{AllDbg: true}, m: m, f: f, huge: hugeFunc(f), sig: m.sigOf(f.Signature),
		vals: map[mid.Value]string{}, tuples: map[mid.Value][]string{},
		blocks: map[*mid.Block]*ir.Block{}, exits: map[*mid.Block]*ir.Block{},
		pos: f.Pos(), traps: map[string]*ir.Block{}, elide: map[mid.Value]bool{}, unevaluated: map[mid.Instr]bool{},
		made: made, area: resultsParam, unraced: m.directives(outermost(f)).norace}
	name := m.displayName(f)
	switch { // how the runtime tells an inlined wrapper from the method of that name
	case f.IsGenericValue() || methodexpr.Is(f.Syntax()):
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
	fb.Dbg = m.dbg.location(fb.line, fb.scope, "")
	fb.findVariables()
	if f == m.pkg.Func("init") {
		maps.Copy(fb.vals, m.staticVals)
	}
	m.noteLocalTypes(f)
	params := fb.params()
	fb.findRangeLoads()
	fb.literalData()
	fb.describeParams()
	fb.makeExact()
	fb.findLoops()
	for _, b := range f.DomPreorder() {
		fb.blocks[b] = fb.NewBlock(fmt.Sprintf("b%d", b.Index))
	}
	if f.Recover() != nil && fb.blocks[f.Recover()] == nil {
		fb.blocks[f.Recover()] = fb.NewBlock(fmt.Sprintf("b%d", f.Recover().Index))
	}
	fb.deferPrologue()
	order := f.DomPreorder()
	fb.namePhis(order)
	fb.findChains()
	fb.findTypeChains()
	for _, b := range order {
		if !fb.chained[b] {
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
	m.dbg.setSubprogram(fb.scope, subprogram{name, m.profileName(f, name), home, typ, fb.shown, len(f.Params) == 0})
	var w strings.Builder
	linkage, tail := m.linkage(f, sym, made != nil)
	if fb.serving() || m.directives(f).clear {
		tail = " " + clearOnEntry + tail
	}
	fmt.Fprintf(&w, "define %s%s %s(%s) #0%s !dbg %s {\n%s}\n", linkage, fb.sig.ret, quote(sym), strings.Join(params, ", "), tail, fb.scope, fb.Body())
	return w.String()
}

// reflectWrapper names the functions between a call of a function value made by reflect and the
// code that it stands for: recover sees through them as it does through compiler-made wrappers.
var reflectWrapper = map[string]bool{
	"reflect.makeFuncEntry": true, "reflect.methodValueEntry": true,
	"reflect.callReflect": true, "reflect.callMethod": true, "reflect.callFrame": true,
}

// wrapSection is the text section of functions that are not in the source: docs/abi.md.
const wrapSection = "loam_wrap"

// linkage returns linkage and the attributes that follow the parameter list, of f or of its second
// form.
func (m *module) linkage(f *mid.Func, sym string, second bool) (linkage, tail string) {
	var t []string
	if m.directives(f).noinline || m.seesOwnFrame(f) || needsFrame(f) {
		t = append(t, "noinline")
	} else if m.directives(f).inline {
		t = append(t, "alwaysinline")
	}
	if hugeFunc(f) {
		t = append(t, "optnone")
		m.hasHuge = m.hasHuge || m.owns(f) && !m.in.Flags.NoOptimize
		if !slices.Contains(t, "noinline") {
			t = append(t, "noinline")
		}
	}
	section := ""
	if delegates(f) || reflectWrapper[sym] {
		section = wrapSection
	} else if m.rt {
		section = "loam_rt_text"
	}
	merged := false // with the same function of other packages
	switch {
	case !m.owns(f):
		return "available_externally ", strings.Join(append([]string{""}, t...), " ")
	case m.shared(f) && m.rt:
		linkage = "internal "
		merged = isWrapper(f)
	case m.shared(f) && second:
		// what it makes, and where, is decided with what this package knows of the callees
		linkage = "internal "
	case m.shared(f):
		merged = true
	case f.Parent() != nil:
		linkage = "internal "
	}
	if section != "" { // sections and comdats stand behind the attributes
		t = append(t, fmt.Sprintf("section %q", section))
	}
	if merged {
		linkage = "linkonce_odr hidden "
		m.comdat(sym)
		t = append(t, "comdat")
	}
	t = append(t, "align 16")
	return linkage, " " + strings.Join(t, " ")
}

// params names the parameters and loads the free variables from the closure context.
func (b *fn) params() []string {
	var ps []string
	if len(b.f.FreeVars) > 0 {
		off := int64(8)
		for i, v := range b.f.FreeVars {
			if escape.ByValue(v) {
				ti := b.m.info(under(v.Type()).(*types.Pointer).Elem())
				off = alignUp(off, ti.align)
				b.vals[v] = fmt.Sprintf("%%fv.%d", i)
				b.Entry("%s = getelementptr i8, ptr %%ctx, i64 %d", b.vals[v], off)
				if !ti.big && ti.size > 0 {
					// A copy in the frame, which becomes registers: nobody else has its address, so no
					// call or store makes LLVM load it again.
					slot := b.Alloca(ti.size, ti.align)
					b.Entry("call void @llvm.memmove.p0.p0.i64(ptr %s, ptr %s, i64 %d, i1 false)", slot, b.vals[v], ti.size)
					b.vals[v] = slot
				}
				off += ti.size
				continue
			}
			ti := b.m.info(v.Type())
			off = alignUp(off, ti.align)
			n := fmt.Sprintf("%%fv.%d", i)
			b.Entry("%s.p = getelementptr i8, ptr %%ctx, i64 %d", n, off)
			switch {
			case ti.big:
				n += ".p"
			case ti.ll == "i1":
				b.Entry("%s.b = load i8, ptr %s.p", n, n)
				b.Entry("%s = trunc i8 %s.b to i1", n, n)
			default:
				b.Entry("%s = load %s, ptr %s.p, align %d", n, ti.ll, n, ti.align)
			}
			b.vals[v] = n
			off += ti.size
		}
	}
	if b.sig.area {
		ps = append(ps, "ptr noalias "+resultsParam)
	}
	for i, p := range b.f.Params {
		n := fmt.Sprintf("%%p.%d", i)
		ps = append(ps, b.m.lltype(p.Type())+" "+n)
		b.vals[p] = n
	}
	if b.made != nil {
		ps = append(ps, "ptr "+madeParam)
	}
	if takesContext(b.f) {
		ps = append(ps, "ptr nest %ctx")
	}
	return ps
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

// findLoops marks the blocks that can run more than once in an activation: a stack slot made there
// is zeroed anew each time, and a deferred call made there needs the heap. These are the blocks of
// the strongly connected components (Tarjan's algorithm, with a stack of its own: functions can
// have hundreds of thousands of blocks), which finds a component after all those that it leads to.
func (b *fn) findLoops() {
	b.loops = map[*mid.Block]bool{}
	n := len(b.f.Body())
	rank, low := make([]int, n), make([]int, n) // rank: when found, from 1
	onStack := make([]bool, n)
	next := make([]int, n) // successor to look at
	var stack, path []*mid.Block
	found, components := 0, 0
	b.after = make([]int, n)
	enter := func(blk *mid.Block) {
		found++
		rank[blk.Index], low[blk.Index], onStack[blk.Index] = found, found, true
		stack, path = append(stack, blk), append(path, blk)
	}
	for _, root := range b.f.Body() {
		if rank[root.Index] == 0 {
			enter(root)
		}
		for len(path) > 0 {
			blk := path[len(path)-1]
			i := blk.Index
			if next[i] < len(blk.Succs) {
				s := blk.Succs[next[i]]
				next[i]++
				switch {
				case s == blk:
					b.loops[blk] = true
				case rank[s.Index] == 0:
					enter(s)
				case onStack[s.Index]:
					low[i] = min(low[i], rank[s.Index])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				up := path[len(path)-1].Index
				low[up] = min(low[up], low[i])
			}
			if low[i] == rank[i] {
				at := len(stack) - 1
				for stack[at] != blk {
					at--
				}
				components++
				for _, member := range stack[at:] {
					onStack[member.Index] = false
					b.after[member.Index] = components
					if len(stack)-at > 1 {
						b.loops[member] = true
					}
				}
				stack = stack[:at]
			}
		}
	}
}

func (b *fn) setPos(pos token.Pos) {
	if !pos.IsValid() {
		return
	}
	b.pos = pos
	scope := b.scopeAt(pos)
	if file, line := b.m.dbg.position(pos); line > 0 && (line != b.line || file != b.file || scope != b.block) {
		b.line, b.file, b.block = line, file, scope
		b.Dbg = b.m.dbg.location(line, b.m.dbg.within(scope, file), b.inlinedAt(b.site))
	}
}

// setPlace is setPos for an instruction, which may have been inlined. Where it has no position and
// the one before comes from another place, it is at the end of that place's function.
func (b *fn) setPlace(in mid.Instr) {
	pos := in.Pos()
	if s := in.Site(); s != b.site {
		b.site, b.line = s, 0
		if !pos.IsValid() {
			at := b.f
			if s != nil {
				at = s.Fn
			}
			if pos = exitPos(at); !pos.IsValid() {
				pos = funcPos(at)
			}
		}
	}
	b.setPos(pos)
}

// inlinedAt returns the metadata of the place where s's code was inlined, "" for the function's
// own.
func (b *fn) inlinedAt(s *mid.Site) string {
	if s == nil {
		return ""
	}
	if ref, ok := b.sites[s]; ok {
		return ref
	}
	file, line := b.m.dbg.position(s.Pos)
	scope := b.scope
	if s.Outer != nil {
		scope = b.m.inlinedScope(s.Outer.Fn)
	} else if b.vars != nil {
		scope = b.scopeRef(b.vars.top.Innermost(s.Pos))
	}
	at := ""
	if outer := b.inlinedAt(s.Outer); outer != "" {
		at = ", inlinedAt: " + outer
	}
	ref := b.m.out.DistinctMeta(fmt.Sprintf("distinct !DILocation(line: %d, scope: %s%s)", line, b.m.dbg.within(scope, file), at))
	if b.sites == nil {
		b.sites = map[*mid.Site]string{}
	}
	b.sites[s] = ref
	return ref
}

// inlinedScope returns the subprogram of f for code that was inlined from it.
func (m *module) inlinedScope(f *mid.Func) string {
	ref, ok := m.inlined[f]
	if !ok {
		name := m.displayName(f)
		var line int
		ref, line = m.dbg.reserveSubprogram(funcPos(f))
		typ, params := m.dbg.empty, []string(nil)
		if m.describes(f) {
			typ, params = m.dbg.signature(f.Signature), m.dbg.params(f, ref)
		}
		m.dbg.setSubprogram(ref, subprogram{name: name, profileName: m.profileName(f, name), line: line, typ: typ, params: params, nullary: len(f.Params) == 0})
		m.inlined[f] = ref
		m.noteLocalTypes(f)
	}
	return ref
}

func (b *fn) emitBlock(blk *mid.Block) {
	b.Cur = b.blocks[blk]
	if b.exact != nil {
		b.exact.in = blk.Instrs[0]
	}
	if b.vars != nil {
		clear(b.vars.held)
	}
	if blk == b.f.Recover() {
		b.recoverEntry()
		defer b.reloadResults()()
	}
	b.settleEntry(blk)
	lost := b.lostRunDefers(blk)
	started := false
	for i, in := range blk.Instrs {
		b.at = i
		if _, ok := in.(*mid.Phi); ok {
			continue
		}
		if !started {
			b.startRound(blk, in)
			started = true
		}
		if b.huge && i%maxHugeBlock == maxHugeBlock-1 && !b.Cur.Done {
			b.cut()
		}
		if len(b.shades) > 0 && !b.quiet(in) {
			b.flushShades()
		}
		if in == lost {
			b.runDefers(in)
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
			if b.frame != "" && in == b.linkPoint() {
				b.linkFrame()
			}
		}
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
				b.vals[p] = "%" + p.Name()
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
	src := make([]string, len(phis))
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
func (b *fn) branch(blk *mid.Block, cond string) {
	var to [2]string
	for i, s := range blk.Succs {
		to[i] = b.entrance(blk, s)
		switch {
		case i == 1 && b.missed[blk] != "":
			to[i] = b.missed[blk]
		case len(b.bigPhis(s)) == 0:
		case blk.Succs[0] != blk.Succs[1]:
			to[i] = b.edge(blk, i)
		case i == 0:
			b.bigPhiCopies(blk, s)
		}
	}
	b.Term("br i1 %s, label %%%s, label %%%s", cond, to[0], to[1])
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
			var edges []edge
			var ways []*mid.Block
			for i, e := range p.Edges {
				from := b.edges[[2]*mid.Block{blk.Preds[i], blk}]
				if from == nil {
					from = b.exits[blk.Preds[i]]
				}
				if from == nil { // of a long chain, a test for a constant that an earlier one has found
					continue
				}
				edges = append(edges, edge{b.edgeOperand(p, i, e), from})
				ways = append(ways, blk.Preds[i])
			}
			b.phi(b.blocks[blk], b.vals[p], ti.ll, b.throughPorches(blk, ti.ll, edges, ways))
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
		b.vals[in] = b.Op(`call %[1]s asm "", "=r,0"(%[1]s %[2]s)`, b.m.lltype(in.Type()), b.operand(in.X))
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
		b.Term("br label %%%s", b.entrance(in.Block(), in.Block().Succs[0]))
	case *mid.If:
		if tests := b.chains[in.Block()]; tests != nil {
			b.switchChain(tests)
			break
		}
		b.branch(in.Block(), b.operand(in.Cond))
	case *mid.Return:
		b.ret(in)
	case *mid.RunDefers:
		if b.exact != nil && !b.serving() && !b.exact.defers && b.frame != "" {
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
	case *mid.MapUpdate:
		b.mapUpdate(in)
	default:
		panic(fmt.Sprintf("lower: instruction %T", in))
	}
}

func (b *fn) ret(in *mid.Return) {
	switch {
	case b.sig.area:
		// All results are read before the first is written: an operand may be the old
		// content of the area's source.
		for i, r := range in.Results {
			b.store(r.Type(), b.operand(r), b.gep(b.area, b.sig.offsets[i]))
		}
		b.Term("ret void")
	case len(in.Results) == 0:
		b.Term("ret void")
	default:
		vals := make([]string, len(in.Results))
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
			if bi, ok := c.Call.Value.(*mid.Builtin); ok && bi.Name() == "recover" {
				return true
			}
			if g := c.Call.StaticCallee(); g != nil && !g.HasBody() && frameIntrinsic[m.funcSym(g)] {
				return true
			}
		}
	}
	return false
}
