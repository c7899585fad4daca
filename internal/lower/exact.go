package lower

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"loam/internal/escape"
	"loam/internal/ir"
)

// # Exact frames
//
// The collector scans frames conservatively: a pointer that is not needed any more keeps its object alive until the
// register or spill slot it is in is used for something else. That is a matter of time for collections that
// come by themselves. But who calls runtime.GC wants to see what is dead: a finalizer run, a weak pointer empty, memory
// returned. So functions that call it, or that call a function of their package that does, have exact frames:
//
//   - A pointer that lives across a call lives in a slot of its own, its home, and nowhere else. (The slot's
//     address escapes, so LLVM can keep a copy in a register from one call to the next, but not across.)
//   - Before such a call all homes and all other slots of the frame whose value no later instruction can
//     read are cleared, and the callee-saved registers, which then hold nothing of this frame's. So is the stack below,
//     where calls that have returned left their frames: those of the call are made of clean memory.
//   - Where a deferred call collects, the same is done before each instruction that may panic.
//
// What remains inexact are the frames of callers in other packages.

// maxExact is the number of instructions up to which a function gets an exact frame.
const maxExact = 4000

// exactFrame is the bookkeeping of one function.
type exactFrame struct {
	homes map[ssa.Value]string
	lives map[ssa.Value]bool              // those with homes that have been stored there
	reads map[ssa.Value][]ssa.Instruction // what has been lowered with a load of the value's home: not always what uses it in go/ssa's form
	edges map[*ssa.Phi]map[int]string     // operands of phis, evaluated where their edges leave
	slots []ownedSlot
	// second holds the calls whose results may point into slots that belong to the call.
	second map[*ssa.Call]bool
	sites  []clearing
	defers bool                     // a deferred call collects
	at     ssa.Instruction          // the one that is being lowered, to which slots belong
	in     ssa.Instruction          // likewise, or the one before which debuggers are told of variables
	rounds map[*ssa.BasicBlock]bool // heads of the loops of a function that serves (waiting.go), nil if it calls a collector
}

// ownedSlot is memory of the frame that instruction owner uses.
type ownedSlot struct {
	name  string
	size  int64
	owner ssa.Instruction
}

// clearing is a place before an instruction at which dead slots are to be cleared.
type clearing struct {
	in          ssa.Instruction
	evaluated   bool      // in's operands have been evaluated: it does not need their slots any more
	block, next *ir.Block // the empty block for it, and the one that follows
}

// collectors are the functions whose callers want to see dead objects dead. A profile may be that of leaked goroutines, which
// wait for what is dead.
var collectors = map[string]bool{
	"runtime.GC":                            true,
	"runtime/debug.WriteHeapDump":           true,
	"runtime/debug.FreeOSMemory":            true,
	"runtime/debug.freeOSMemory":            true,
	"runtime/pprof.(*Profile).WriteTo":      true,
	"runtime/pprof.runtime_goroutineLeakGC": true,
}

// collects tells whether f calls a collector, itself or through functions of this package.
func (m *module) collects(f *ssa.Function) bool {
	if known, ok := m.collecting[f]; ok {
		return known
	}
	m.collecting[f] = false // what a recursive call adds is found by the others
	for _, blk := range f.Blocks {
		for _, in := range blk.Instrs {
			if c, ok := in.(ssa.CallInstruction); ok && m.collectingCall(f, c) {
				m.collecting[f] = true
				return true
			}
		}
	}
	return false
}

// helpsCollector tells whether f is a literal of a function that calls a collector, as goroutines of tests are. A deferred call
// of it may end that function's waiting for f, and f's frame is still there when the collection comes: so it is cleared before
// the deferred calls run.
func (m *module) helpsCollector(f *ssa.Function) bool {
	return f.Parent() != nil && m.collects(f.Parent())
}

// collectingCall tells whether call c of f, deferred or not, reaches a collector.
func (m *module) collectingCall(f *ssa.Function, c ssa.CallInstruction) bool {
	g := c.Common().StaticCallee()
	if _, started := c.(*ssa.Go); g == nil || m.rt || started {
		return false
	}
	return collectors[m.funcSym(g)] || g.Blocks != nil && declaredIn(g) != nil && declaredIn(g) == declaredIn(f) && m.collects(g)
}

// declaredIn returns the package whose source f is from, nil for wrappers.
func declaredIn(f *ssa.Function) *ssa.Package { return declaration(f).Pkg }

// declaration returns the function, generic if it is an instance, whose declaration f is or is in.
func declaration(f *ssa.Function) *ssa.Function {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if o := f.Origin(); o != nil {
		return o
	}
	return f
}

// makeExact gives b an exact frame if its function calls a collector. The parameters have their names.
func (b *fn) makeExact() {
	n := 0
	for _, blk := range b.f.Blocks {
		n += len(blk.Instrs)
	}
	if n > maxExact || b.m.rt || !b.m.owns(b.f) {
		return
	}
	var rounds map[*ssa.BasicBlock]bool
	if !b.m.collects(b.f) && !b.m.helpsCollector(b.f) {
		if rounds = b.m.rounds(b.f); rounds == nil {
			return
		}
	}
	b.exact = &exactFrame{rounds: rounds, homes: map[ssa.Value]string{}, lives: map[ssa.Value]bool{}, reads: map[ssa.Value][]ssa.Instruction{}, second: map[*ssa.Call]bool{}, edges: map[*ssa.Phi]map[int]string{}}
	for _, p := range b.f.Params {
		b.giveHome(p, nil)
	}
	for _, v := range b.f.FreeVars {
		if strings.HasPrefix(b.vals[v], "%fv.") && !strings.HasSuffix(b.vals[v], ".p") {
			b.giveHome(v, nil)
		}
	}
	for _, blk := range b.f.Blocks {
		for _, in := range blk.Instrs {
			if v, ok := in.(ssa.Value); ok {
				b.giveHome(v, in)
			}
			if d, ok := in.(*ssa.Defer); ok && b.m.collectingCall(b.f, d) {
				b.exact.defers = true
			}
		}
	}
}

// giveHome makes a home for v, which def defines (nil: the function's entry), if it holds pointers and lives across a call.
func (b *fn) giveHome(v ssa.Value, def ssa.Instruction) {
	if v.Type() == nil || v.Referrers() == nil {
		return
	}
	switch v.Type().(type) {
	case *types.Tuple:
		return
	}
	if isOpaque(v.Type()) {
		return
	}
	ti := b.m.info(v.Type())
	if ti.big || !ti.ptrs || !b.outlivesCall(v, def) {
		return
	}
	home := b.Func.Alloca(ti.size, max(ti.align, 8))
	b.expose(home, ti.size)
	b.exact.homes[v] = home
}

// expose clears a slot at the function's entry and lets its address escape, so that LLVM does not take the slot apart into
// values that it keeps, and spills, elsewhere.
func (b *fn) expose(slot string, size int64) {
	b.Entry("call void @llvm.memset.p0.i64(ptr align 8 %s, i8 0, i64 %d, i1 true)", slot, size)
	b.Entry("call void asm sideeffect \"\", \"r,~{memory}\"(ptr %s)", slot)
}

// isOpaque tells whether t is go/ssa's type of iterators and defer stacks, which have no memory layout.
func isOpaque(t types.Type) bool {
	switch types.Unalias(t).(type) {
	case *types.Basic, *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface, *types.Struct,
		*types.Array, *types.Named, *types.TypeParam:
		return false
	}
	return true
}

// outlivesCall tells whether v may be used after a call that comes after its definition.
func (b *fn) outlivesCall(v ssa.Value, def ssa.Instruction) bool {
	uses := *v.Referrers()
	if def == nil {
		return len(uses) > 0
	}
	left := 0
	for _, u := range uses {
		if _, phi := u.(*ssa.Phi); phi || b.blockOf(u) != b.blockOf(def) {
			return true
		}
		left++
	}
	seen := false
	for _, in := range b.blockOf(def).Instrs {
		if in == def {
			seen = true
			continue
		}
		if !seen {
			continue
		}
		for _, u := range uses {
			if u == in {
				left--
			}
		}
		if left == 0 {
			return false
		}
		if mayCall(in) {
			return true
		}
	}
	return false
}

// mayCall tells whether in's code contains a call.
func mayCall(in ssa.Instruction) bool {
	switch in.(type) {
	case *ssa.FieldAddr, *ssa.Field, *ssa.IndexAddr, *ssa.Index, *ssa.Extract, *ssa.Phi, *ssa.Store, *ssa.Jump, *ssa.If, *ssa.ChangeType, *ssa.DebugRef:
		return false
	}
	return true
}

// Alloca reserves a slot of the frame; with an exact frame it belongs to the instruction that is being lowered.
func (b *fn) Alloca(size, align int64) string {
	s := b.Func.Alloca(size, align)
	if x := b.exact; x != nil && x.at != nil && size >= 8 && !b.pointerFree(x.at) {
		x.slots = append(x.slots, ownedSlot{s, size, x.at})
		b.expose(s, size)
	}
	return s
}

// pointerFree tells whether in is a variable without pointers: nothing needs to be cleared there, however big it is.
func (b *fn) pointerFree(in ssa.Instruction) bool {
	a, ok := in.(*ssa.Alloc)
	return ok && !b.m.info(under(a.Type()).(*types.Pointer).Elem()).ptrs
}

// settle stores v's value in its home, if it has one. The address of a slot needs none: it is the same at all times.
func (b *fn) settle(v ssa.Value) {
	if b.exact == nil {
		return
	}
	home, val := b.exact.homes[v], b.vals[v]
	if home == "" || val == "" || strings.HasPrefix(val, "%slot.") {
		return
	}
	b.store(v.Type(), val, home)
	b.exact.lives[v] = true
}

// settleParams stores the parameters and captured variables in their homes.
func (b *fn) settleParams() {
	for _, p := range b.f.Params {
		b.settle(p)
	}
	for _, v := range b.f.FreeVars {
		b.settle(v)
	}
}

// settleEntry stores what exists at the start of blk in its homes: the parameters if it is the first
// block (and there was no prologue that did it), and its phis.
func (b *fn) settleEntry(blk *ssa.BasicBlock) {
	if b.exact == nil {
		return
	}
	if blk == b.f.Blocks[0] && b.frame == "" {
		b.settleParams()
	}
	for _, in := range blk.Instrs {
		p, ok := in.(*ssa.Phi)
		if !ok {
			return
		}
		if !b.m.isBig(p.Type()) {
			b.settle(p)
		}
	}
}

// serving tells whether the exact frame is that of a goroutine that serves.
func (b *fn) serving() bool { return b.exact != nil && b.exact.rounds != nil }

// startRound marks the place before in, the first instruction of blk but for phis, if blk starts a round of a goroutine that serves.
func (b *fn) startRound(blk *ssa.BasicBlock, in ssa.Instruction) {
	if b.serving() && b.exact.rounds[blk] {
		b.clearBefore(in, false)
	}
}

// leaveEdges evaluates the operands of the phis of blk's successors, at the end of blk.
func (b *fn) leaveEdges(blk *ssa.BasicBlock) {
	if b.exact == nil {
		return
	}
	for _, s := range blk.Succs {
		for _, in := range s.Instrs {
			p, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			for k, pred := range s.Preds {
				if pred == blk && !b.m.isBig(p.Type()) {
					if b.exact.edges[p] == nil {
						b.exact.edges[p] = map[int]string{}
					}
					b.exact.edges[p][k] = b.operand(p.Edges[k])
				}
			}
		}
	}
}

// edgeOperand returns operand i of phi p, which is v.
func (b *fn) edgeOperand(p *ssa.Phi, i int, v ssa.Value) string {
	if b.exact != nil {
		return b.exact.edges[p][i]
	}
	return b.operand(v)
}

// beforePanic marks the place before in, which is to be lowered next, if in may panic and a deferred call then collects.
func (b *fn) beforePanic(in ssa.Instruction) {
	if b.exact == nil || !b.exact.defers {
		return
	}
	switch in := in.(type) {
	case *ssa.Call:
		if b.m.collectingCall(b.f, in) {
			return // call does it
		}
	case *ssa.Alloc, *ssa.ChangeType, *ssa.Extract, *ssa.Phi, *ssa.Jump, *ssa.If, *ssa.Return, *ssa.MakeClosure, *ssa.MakeInterface, *ssa.DebugRef, *ssa.Defer:
		return
	}
	b.beforeCollection(in, false)
}

// clearBefore marks the place before in for clearSlots.
func (b *fn) clearBefore(in ssa.Instruction, evaluated bool) {
	clear, next := b.Label("clear"), b.Label("cleared")
	b.Term("br label %%%s", clear.Label)
	b.exact.sites = append(b.exact.sites, clearing{in, evaluated, clear, next})
	b.Cur = next
}

// beforeCollection has dead slots cleared before in, which may collect, and the stack below the frame and all registers, too.
func (b *fn) beforeCollection(in ssa.Instruction, evaluated bool) {
	b.clearBefore(in, evaluated)
	// A callee's entry may push rax to make room.
	b.Do(`call void asm sideeffect "callq loam.clear_unused; xorl %%eax, %%eax; xorl %%ebx, %%ebx; xorl %%r12d, %%r12d; xorl %%r13d, %%r13d; xorl %%r14d, %%r14d; xorl %%r15d, %%r15d", "~{rax},~{rbx},~{r12},~{r13},~{r14},~{r15},~{flags}"()`)
}

// clearSlots fills in the places that clearBefore has marked, now that all slots are known.
func (b *fn) clearSlots() {
	if b.exact == nil {
		return
	}
	for _, site := range b.exact.sites {
		b.Cur = site.block
		for _, v := range b.homeOrder() {
			uses := b.exact.reads[v]
			if b.exact.lives[v] && (site.evaluated || !slices.Contains(uses, site.in)) && !b.usedAfter(site.in, defOf(v), uses) {
				b.zeroVolatile(b.exact.homes[v], b.m.info(v.Type()).size)
			}
		}
		for _, s := range b.exact.slots {
			if s.owner == site.in { // arguments and results
				continue
			}
			// What the call itself can reach through its arguments is in use, too.
			if uses, known := b.aliasUses(s.owner); known && !slices.Contains(uses, site.in) && !b.usedAfter(site.in, s.owner, uses) {
				b.zeroVolatile(s.name, s.size)
			}
		}
		b.Term("br label %%%s", site.next.Label)
	}
}

// homeOrder lists the values with homes in the order of the function.
func (b *fn) homeOrder() (list []ssa.Value) {
	add := func(v ssa.Value) {
		if b.exact.homes[v] != "" {
			list = append(list, v)
		}
	}
	for _, p := range b.f.Params {
		add(p)
	}
	for _, v := range b.f.FreeVars {
		add(v)
	}
	for _, blk := range b.f.Blocks {
		for _, in := range blk.Instrs {
			if v, ok := in.(ssa.Value); ok {
				add(v)
			}
		}
	}
	return list
}

func defOf(v ssa.Value) ssa.Instruction {
	in, _ := v.(ssa.Instruction)
	return in
}

// holdExactly keeps pointers in slots of an exact frame, in which nothing is left of them after release.
func (b *fn) holdExactly(pointers []string) (release func()) {
	var slots []string
	for _, p := range pointers {
		slot := b.Func.Alloca(8, 8)
		b.Do("store volatile ptr %s, ptr %s", p, slot)
		slots = append(slots, slot)
	}
	return func() {
		for _, s := range slots {
			b.zeroVolatile(s, 8)
		}
	}
}

func (b *fn) zeroVolatile(p string, size int64) {
	b.Do("call void @llvm.memset.p0.i64(ptr align 1 %s, i8 0, i64 %d, i1 true)", p, size)
}

// usedAfter tells whether one of uses can run after at without def, which makes the value anew, running before it. def is nil
// for what the function's entry makes.
func (b *fn) usedAfter(at, def ssa.Instruction, uses []ssa.Instruction) bool {
	used := map[ssa.Instruction]bool{}
	phis := map[*ssa.BasicBlock][]*ssa.BasicBlock{} // by block: where its phi operands come from
	for _, u := range uses {
		if u.Block() == u.Parent().Recover {
			return true // runs after a recovered panic
		}
		if p, ok := u.(*ssa.Phi); ok {
			phis[p.Block()] = append(phis[p.Block()], p.Block().Preds...)
			continue
		}
		used[u] = true
	}
	// walk looks through instrs; stop: the value is made anew.
	walk := func(instrs []ssa.Instruction) (found, stop bool) {
		for _, in := range instrs {
			if used[in] {
				return true, false
			}
			if in == def {
				return false, true
			}
		}
		return false, false
	}
	seen := map[*ssa.BasicBlock]bool{}
	var work []*ssa.BasicBlock
	leave := func(blk *ssa.BasicBlock) bool {
		for _, s := range blk.Succs {
			if len(phis[s]) > 0 {
				return true
			}
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
		return false
	}
	blk := b.blockOf(at)
	for i, in := range blk.Instrs {
		if in == at {
			if found, stop := walk(blk.Instrs[i+1:]); found || stop {
				return found
			}
		}
	}
	if leave(blk) {
		return true
	}
	for len(work) > 0 {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		found, stop := walk(blk.Instrs)
		if found || !stop && leave(blk) {
			return true
		}
	}
	return false
}

// aliasUses returns the instructions that may use memory of the frame that belongs to owner: the uses of owner's value, and of
// everything that may be an address computed from it. known is false if the memory's uses cannot be told.
func (b *fn) aliasUses(owner ssa.Instruction) (uses []ssa.Instruction, known bool) {
	switch owner.(type) {
	case *ssa.Defer, *ssa.Go, *ssa.RunDefers, *ssa.Select:
		return nil, false
	}
	first, ok := owner.(ssa.Value)
	if !ok {
		return nil, true // not a value: what it used is used up
	}
	type member struct {
		v      ssa.Value
		stored bool // v is the address of memory in which an address was stored
	}
	seen := map[member]bool{}
	maker, _ := first.(*ssa.Call)
	work := []member{{first, b.exact.second[maker]}} // what a second form makes may hold each other's addresses
	add := func(v ssa.Value, stored bool) {
		if w := (member{v, stored}); !seen[w] {
			seen[w] = true
			work = append(work, w)
		}
	}
	// isResult tells whether v is what the call that the memory belongs to returned in it, a value without pointers to it.
	isResult := func(v ssa.Value) bool {
		if x, ok := v.(*ssa.Extract); ok {
			v = x.Tuple
		}
		call, ok := v.(*ssa.Call)
		return ok && v == first && !b.exact.second[call]
	}
	for len(work) > 0 {
		d := work[len(work)-1]
		work = work[:len(work)-1]
		if d.v.Referrers() == nil {
			return nil, false
		}
		for _, r := range *d.v.Referrers() {
			uses = append(uses, r)
			switch r := r.(type) {
			case *ssa.Store:
				if r.Val == d.v && !(isResult(d.v) && isAggregate(d.v.Type())) { // aggregates are copied
					root := rootOf(r.Addr)
					if root == nil {
						return nil, false
					}
					add(root, true)
				}
			case *ssa.Send, *ssa.MapUpdate:
				if d.stored || !isAggregate(d.v.Type()) { // aggregates are copied
					return nil, false
				}
			case *ssa.Defer, *ssa.Go, *ssa.Panic, *ssa.Return, *ssa.Select:
				return nil, false
			case *ssa.Extract:
				if !isResult(d.v) || b.m.isBig(r.Type()) {
					add(r, d.stored)
				}
			case *ssa.Call:
				if f, ok := r.Call.Value.(*ssa.Builtin); ok && f.Name() == "copy" && d.stored && r.Call.Args[1] == d.v {
					return nil, false // the address is in the memory that is copied to, too
				}
				if mayBeAddress(r.Type()) {
					add(r, d.stored || b.exact.second[r]) // what a second form makes may hold the address
				}
			case *ssa.MakeClosure:
				if !copies(r, d.v) || d.stored {
					add(r, d.stored)
				}
			case *ssa.UnOp:
				if d.stored || holdsAddress(r.X.Type(), r.Type()) {
					add(r, d.stored)
				}
			case ssa.Value:
				if mayBeAddress(r.Type()) {
					add(r, d.stored)
				}
			}
		}
	}
	return uses, true
}

// copies tells whether closure c takes the value of variable v with it rather than its address.
func copies(c *ssa.MakeClosure, v ssa.Value) bool {
	for i, x := range c.Bindings {
		if x == v && !escape.ByValue(c.Fn.(*ssa.Function).FreeVars[i]) {
			return false
		}
	}
	return true
}

// holdsAddress tells whether the value of type t that is read through an address of type from may be the memory itself, as
// big values are.
func holdsAddress(from, t types.Type) bool {
	_, pointer := under(from).(*types.Pointer)
	return !pointer || isAggregate(t)
}

func isAggregate(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// mayBeAddress tells whether a value of type t can hold an address; numbers cannot.
func mayBeAddress(t types.Type) bool {
	basic, ok := types.Unalias(t).Underlying().(*types.Basic)
	return !ok || basic.Kind() == types.Uintptr || basic.Kind() == types.UnsafePointer || basic.Info()&types.IsString != 0
}

// rootOf returns the local variable that addr is in, or nil.
func rootOf(addr ssa.Value) *ssa.Alloc {
	if a, ok := addr.(*ssa.Alloc); ok {
		return a
	}
	return literalOf(addr)
}
