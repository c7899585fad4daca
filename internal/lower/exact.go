package lower

import (
	"go/types"
	"slices"

	"loam/internal/amd64"
	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// # Exact frames
//
// The collector scans frames conservatively: a pointer that is not needed any more keeps its object
// alive until the register or spill slot it is in is used for something else. That is a matter of
// time for collections that come by themselves. But who calls runtime.GC wants to see what is dead:
// a finalizer run, a weak pointer empty, memory returned. So functions that call it, or that call a
// function of their package that does, have exact frames:
//
//   - A pointer that lives across a call lives in a slot of its own, its home, and nowhere else.
//     (The slot's address escapes, so LLVM can keep a copy in a register from one call to the next,
//     but not across.)
//   - Before such a call all homes and all other slots of the frame whose value no later
//     instruction can read are cleared, and the callee-saved registers, which then hold nothing of
//     this frame's. So is the stack below, where calls that have returned left their frames: those
//     of the call are made of clean memory.
//   - Where a deferred call collects, the same is done before each instruction that may panic.
//   - The frame is cleared when it is entered: it has words for alignment that nobody writes, and a
//     goroutine that leaves its P at the entry, which is after the caller has cleared the stack,
//     puts the caller's registers there.
//
// What remains inexact are the frames of callers in other packages.

// maxExact is the number of instructions up to which a function gets an exact frame.
const maxExact = 4000

// exactFrame is the bookkeeping of one function.
type exactFrame struct {
	homes map[mid.Value]ir.Value
	lives map[mid.Value]bool // those with homes that have been stored there
	// what has been lowered with a load of the value's home: not always what uses it in mid's form
	reads map[mid.Value][]mid.Instr
	edges map[*mid.Phi]map[int]ir.Value // operands of phis, evaluated where their edges leave
	slots []ownedSlot
	// second holds the calls of second forms, whose results may point into the slot for what is made.
	second map[*mid.Call]bool
	sites  []clearing
	defers bool      // a deferred call collects
	at     mid.Instr // the one that is being lowered, to which slots belong
	in     mid.Instr // likewise, or the one before which debuggers are told of variables
	// where a function waits (waiting.go), nil if it calls a collector
	waits map[mid.Instr]wait
	block ir.Value            // the memory of the homes of a function that waits, one behind the other
	at8   map[mid.Value]int64 // where in it each home is
	size  int64
	// quietLoop: there is a loop in which the function does not wait.
	quietLoop bool
	quick     map[*mid.Block]bool // see quickLoop, nil if it is not known yet
}

// ownedSlot is memory of the frame that instruction owner uses.
type ownedSlot struct {
	p     ir.Value
	size  int64
	owner mid.Instr
	made  bool // it is for what a second form makes
	area  bool // owner, a call, stores its results there
}

// clearing is a place before an instruction at which dead slots are to be cleared.
type clearing struct {
	in          mid.Instr
	evaluated   bool      // in's operands have been evaluated: it does not need their slots any more
	block, next *ir.Block // the empty block for it, and the one that follows
	loc         ir.Meta   // where it is in the source
}

// makeExact gives b an exact frame if its function calls a collector. The parameters have their
// names.
func (b *code) makeExact() {
	n := 0
	for _, blk := range b.f.Body() {
		n += len(blk.Instrs)
	}
	if n > maxExact || b.m.rt || !b.m.owns(b.f) {
		return
	}
	if !b.m.collects(b.f) && !b.m.helpsCollector(b.f) {
		waitingFrame{b}.makeExactForWaits()
		return
	}
	b.exact = &exactFrame{homes: map[mid.Value]ir.Value{}, lives: map[mid.Value]bool{}, reads: map[mid.Value][]mid.Instr{}, second: map[*mid.Call]bool{}, edges: map[*mid.Phi]map[int]ir.Value{}}
	eachDefined(b, func(v mid.Value, def mid.Instr) { giveHome(b, v, def) })
	for _, blk := range b.f.Body() {
		for _, in := range blk.Instrs {
			if d, ok := in.(*mid.Defer); ok && b.m.collectingCall(b.f, d) {
				b.exact.defers = true
			}
		}
	}
}

// eachDefined calls give with all values that may have homes, and what defines them, nil for those
// that exist at the function's entry.
func eachDefined(b *code, give func(v mid.Value, def mid.Instr)) {
	for _, p := range b.f.Params {
		give(p, nil)
	}
	for _, v := range b.f.FreeVars {
		if !b.vals[v].IsSlot() && (escape.ByValue(v) || !b.m.isBig(v.Type())) {
			give(v, nil)
		}
	}
	for _, blk := range b.f.Body() {
		for _, in := range blk.Instrs {
			if v, ok := in.(mid.Value); ok {
				give(v, in)
			}
		}
	}
}

// giveHome makes a home for v, which def defines (nil: the function's entry), if it holds pointers
// and lives across a call.
func giveHome(b *code, v mid.Value, def mid.Instr) {
	if !wantsHome(b, v, def) {
		return
	}
	ti := b.m.info(v.Type())
	home := b.Func.Alloca(ti.size, max(ti.align, 8))
	b.expose(home, ti.size)
	b.exact.homes[v] = home
}

// wantsHome reports whether v, which def defines, holds pointers and lives across a call.
func wantsHome(b *code, v mid.Value, def mid.Instr) bool {
	return mayHaveHome(b, v) && outlivesCall(v, def)
}

// mayHaveHome reports whether v holds pointers, and is small enough.
func mayHaveHome(b *code, v mid.Value) bool {
	if v.Type() == nil || !mid.IsLocal(v) {
		return false
	}
	switch v.Type().(type) {
	case *types.Tuple:
		return false
	}
	if isOpaque(v.Type()) {
		return false
	}
	ti := b.m.info(v.Type())
	return !ti.big && ti.ptrs
}

// expose clears a slot at the function's entry and lets its address escape, so that LLVM does not
// take the slot apart into values that it keeps, and spills, elsewhere.
func (b *code) expose(slot ir.Value, size int64) {
	b.AtEntry(func() {
		b.fillMem(slot, ir.Int(ir.I64, size), 8, true)
		b.Asm(ir.Asm{Constraints: "r,~{memory}"}, ir.Void, slot)
	})
}

// isOpaque tells whether t is the type of iterators, which has no memory layout.
func isOpaque(t types.Type) bool {
	switch types.Unalias(t).(type) {
	case *types.Basic, *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface, *types.Struct,
		*types.Array, *types.Named, *types.TypeParam:
		return false
	}
	return true
}

// outlivesCall tells whether v may be used after a call that comes after its definition.
func outlivesCall(v mid.Value, def mid.Instr) bool {
	uses := v.Referrers()
	if def == nil {
		return len(uses) > 0
	}
	left := 0
	for _, u := range uses {
		if _, phi := u.(*mid.Phi); phi || u.Block() != def.Block() {
			return true
		}
		left++
	}
	seen := false
	for _, in := range def.Block().Instrs {
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
func mayCall(in mid.Instr) bool {
	switch in.(type) {
	case *mid.FieldAddr, *mid.Field, *mid.IndexAddr, *mid.Index, *mid.Extract, *mid.Phi, *mid.Store, *mid.Jump, *mid.If, *mid.ChangeType:
		return false
	}
	return true
}

// Alloca reserves a slot of the frame; with an exact frame it belongs to the instruction that is
// being lowered.
func (b *code) Alloca(size, align int64) ir.Value {
	s := b.Func.Alloca(size, align)
	if x := b.exact; x != nil && x.at != nil && size >= 8 && !pointerFree(b, x.at) {
		x.slots = append(x.slots, ownedSlot{p: s, size: size, owner: x.at})
		if !b.serving() {
			b.expose(s, size)
		}
	}
	return s
}

// ownedSlots counts the slots of an exact frame that belong to instructions.
func (b *code) ownedSlots() int {
	if b.exact == nil {
		return 0
	}
	return len(b.exact.slots)
}

// pointerFree tells whether what in keeps in memory of the frame are values without pointers:
// nothing needs to be cleared there, however big it is.
func pointerFree(b *code, in mid.Instr) bool {
	var t types.Type
	switch in := in.(type) {
	case *mid.Alloc:
		t = under(in.Type()).(*types.Pointer).Elem()
	case *mid.Send:
		t = in.X.Type()
	case *mid.UnOp:
		c, ok := under(in.X.Type()).(*types.Chan)
		if !ok {
			return false
		}
		t = c.Elem()
	default:
		return false
	}
	return !b.m.info(t).ptrs
}

// settle stores v's value in its home, if it has one. The address of a slot needs none: it is the
// same at all times.
func (b *code) settle(v mid.Value) {
	if b.exact == nil {
		return
	}
	home, val := b.exact.homes[v], b.vals[v]
	if !home.IsSet() || !val.IsSet() || val.IsSlot() {
		return
	}
	inHome(b, func() { b.store(v.Type(), val, home) })
	b.exact.lives[v] = true
}

// settleParams stores the parameters and captured variables in their homes.
func (b *code) settleParams() {
	for _, p := range b.f.Params {
		b.settle(p)
	}
	for _, v := range b.f.FreeVars {
		b.settle(v)
	}
}

// settleEntry stores what exists at the start of blk in its homes: the parameters if it is the
// first block (and there was no prologue that did it), and its phis.
func (b *code) settleEntry(blk *mid.Block) {
	if b.exact == nil {
		return
	}
	if blk == b.f.Body()[0] && !b.frame.IsSet() {
		b.settleParams()
	}
	for _, in := range blk.Instrs {
		p, ok := in.(*mid.Phi)
		if !ok {
			return
		}
		if !b.m.isBig(p.Type()) {
			b.settle(p)
		}
	}
}

// leaveEdges evaluates the operands of the phis of blk's successors, at the end of blk.
func (b *code) leaveEdges(blk *mid.Block) {
	if b.exact == nil {
		return
	}
	for _, s := range blk.Succs {
		for _, in := range s.Instrs {
			p, ok := in.(*mid.Phi)
			if !ok {
				break
			}
			for k, pred := range s.Preds {
				if pred == blk && !b.m.isBig(p.Type()) {
					if b.exact.edges[p] == nil {
						b.exact.edges[p] = map[int]ir.Value{}
					}
					b.exact.edges[p][k] = b.operand(p.Edges[k])
				}
			}
		}
	}
}

// edgeOperand returns operand i of phi p, which is v.
func (b *code) edgeOperand(p *mid.Phi, i int, v mid.Value) ir.Value {
	if b.exact != nil {
		return b.exact.edges[p][i]
	}
	return b.operand(v)
}

// beforePanic marks the place before in, which is to be lowered next, if in may panic and a
// deferred call then collects.
func (b *code) beforePanic(in mid.Instr) {
	if b.exact == nil || !b.exact.defers {
		return
	}
	switch in := in.(type) {
	case *mid.Call:
		if b.m.collectingCall(b.f, in) {
			return // call does it
		}
	case *mid.Alloc, *mid.ChangeType, *mid.Extract, *mid.Phi, *mid.Jump, *mid.If, *mid.Return, *mid.MakeClosure, *mid.MakeInterface, *mid.Defer:
		return
	}
	b.beforeCollection(in, false)
}

// clearBefore marks the place before in for clearSlots.
func (b *code) clearBefore(in mid.Instr, evaluated bool) {
	clear, next := b.Label("clear"), b.Label("cleared")
	b.Br(clear)
	b.exact.sites = append(b.exact.sites, clearing{in, evaluated, clear, next, b.Loc})
	b.Cur = next
}

// beforeCollection has dead slots cleared before in, which may collect, and the stack below the
// frame and all registers, too.
func (b *code) beforeCollection(in mid.Instr, evaluated bool) {
	b.clearBefore(in, evaluated)
	b.Asm(amd64.ClearUnused, ir.Void)
}

// clearSlots fills in the places that clearBefore has marked, now that all slots are known.
func (b *code) clearSlots() {
	if b.exact == nil {
		return
	}
	if b.serving() {
		waitingFrame{b}.clearForWaits()
		return
	}
	for _, site := range b.exact.sites {
		b.Cur, b.Loc = site.block, site.loc
		for _, v := range homeOrder(b) {
			dead := func(uses []mid.Instr) bool {
				return (site.evaluated || !slices.Contains(uses, site.in)) && !usedAfter(site.in, defOf(v), uses)
			}
			switch uses := b.exact.reads[v]; {
			case !b.exact.lives[v]:
			case dead(uses):
				b.zeroVolatile(b.exact.homes[v], b.m.info(v.Type()).size)
			case hasLength(v.Type()) && dead(slices.DeleteFunc(slices.Clone(uses), isMeasure)):
				b.zeroVolatile(b.exact.homes[v], 8) // its address
			}
		}
		for _, s := range b.exact.slots {
			if s.owner == site.in { // arguments and results
				continue
			}
			// What the call itself can reach through its arguments is in use, too.
			if uses, known := aliasUses(b, s.owner, s.made); known && !slices.Contains(uses, site.in) && !usedAfter(site.in, s.owner, uses) {
				b.zeroVolatile(s.p, s.size)
			}
		}
		b.Br(site.next)
	}
}

// hasLength reports whether values of type t are an address and words without pointers behind it.
func hasLength(t types.Type) bool {
	switch u := under(t).(type) {
	case *types.Slice:
		return true
	case *types.Basic:
		return u.Info()&types.IsString != 0
	}
	return false
}

// isMeasure reports whether in takes the length or capacity of its operand, and nothing else of it.
func isMeasure(in mid.Instr) bool {
	call, ok := in.(*mid.Call)
	if !ok {
		return false
	}
	id := call.Call.Builtin()
	return id == mid.BuiltinLen || id == mid.BuiltinCap
}

// homeOrder lists the values with homes in the order of the function.
func homeOrder(b *code) (list []mid.Value) {
	add := func(v mid.Value) {
		if b.exact.homes[v].IsSet() {
			list = append(list, v)
		}
	}
	for _, p := range b.f.Params {
		add(p)
	}
	for _, v := range b.f.FreeVars {
		add(v)
	}
	for _, blk := range b.f.Body() {
		for _, in := range blk.Instrs {
			if v, ok := in.(mid.Value); ok {
				add(v)
			}
		}
	}
	return list
}

func defOf(v mid.Value) mid.Instr {
	in, _ := v.(mid.Instr)
	return in
}

func (b *code) zeroVolatile(p ir.Value, size int64) {
	b.fillMem(p, ir.Int(ir.I64, size), 1, true)
}

// usedAfter tells whether one of uses can run after at without def, which makes the value anew,
// running before it. def is nil for what the function's entry makes.
func usedAfter(at, def mid.Instr, uses []mid.Instr) bool {
	used := map[mid.Instr]bool{}
	phis := map[*mid.Block][]*mid.Block{} // by block: where its phi operands come from
	for _, u := range uses {
		if u.Block() == u.Parent().Recover() {
			return true // runs after a recovered panic
		}
		if p, ok := u.(*mid.Phi); ok {
			phis[p.Block()] = append(phis[p.Block()], p.Block().Preds...)
			continue
		}
		used[u] = true
	}
	// walk looks through instrs; stop: the value is made anew.
	walk := func(instrs []mid.Instr) (found, stop bool) {
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
	seen := map[*mid.Block]bool{}
	var work []*mid.Block
	leave := func(blk *mid.Block) bool {
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
	blk := at.Block()
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

// aliasUse is an instruction that may use memory of the frame.
type aliasUse struct {
	in mid.Instr
	// through is the variable in which it finds the memory's address, nil if it has that itself.
	through *mid.Alloc
}

// aliasUses returns the instructions that may use memory of the frame that belongs to owner: the
// uses of owner's value, and of everything that may be an address computed from it. made: the
// memory is for what a second form makes, so that its results may point there. known is false if
// the memory's uses cannot be told.
func aliasUses(b *code, owner mid.Instr, made bool) (uses []mid.Instr, known bool) {
	list, known := aliases(b, owner, made)
	for _, u := range list {
		uses = append(uses, u.in)
	}
	return uses, known
}

// aliases is aliasUses, with the variables that the uses go through.
func aliases(b *code, owner mid.Instr, made bool) (uses []aliasUse, known bool) {
	switch owner.(type) {
	case *mid.Defer, *mid.Go, *mid.RunDefers:
		return nil, false
	}
	first, ok := owner.(mid.Value)
	if !ok {
		return nil, true // not a value: what it used is used up
	}
	type member struct {
		v      mid.Value
		stored bool // v is the address of memory in which an address was stored
		// through is the variable in which that was stored last
		through *mid.Alloc
	}
	seen := map[member]bool{}
	work := []member{{first, made, nil}} // what a second form makes may hold each other's addresses
	var through *mid.Alloc
	add := func(v mid.Value, stored bool) {
		if w := (member{v, stored, through}); !seen[w] {
			seen[w] = true
			work = append(work, w)
		}
	}
	// isResult tells whether v is what the call or select that the memory belongs to returned in it,
	// a value without pointers to it.
	isResult := func(v mid.Value) bool {
		if x, ok := v.(*mid.Extract); ok {
			v = x.Tuple
		}
		switch v.(type) {
		case *mid.Call, *mid.Select:
			return v == first && !made
		}
		return false
	}
	for len(work) > 0 {
		d := work[len(work)-1]
		work = work[:len(work)-1]
		if !mid.IsLocal(d.v) {
			return nil, false
		}
		for _, r := range d.v.Referrers() {
			uses = append(uses, aliasUse{r, d.through})
			through = nil
			switch r.(type) {
			case *mid.FieldAddr, *mid.IndexAddr, *mid.Slice:
				through = d.through // an address in the variable; what else makes may hold what is there
			}
			switch r := r.(type) {
			case *mid.Store:
				if r.Val == d.v && (d.stored || !isAggregate(d.v.Type())) { // aggregates are copied
					root := rootOf(r.Addr)
					if root == nil {
						return nil, false
					}
					through = root
					add(root, true)
				}
			case *mid.Send:
				if d.stored || !isAggregate(d.v.Type()) { // aggregates are copied
					return nil, false
				}
			case *mid.MapUpdate: // the map itself takes no address of itself up
				if (r.Key == d.v || r.Value == d.v) && (d.stored || !isAggregate(d.v.Type())) {
					return nil, false
				}
			case *mid.Defer, *mid.Go, *mid.Panic, *mid.Return, *mid.Select:
				return nil, false
			case *mid.Extract:
				if !isResult(d.v) || b.m.isBig(r.Type()) {
					add(r, d.stored)
				}
			case *mid.Call:
				if r.Call.Builtin() == mid.BuiltinCopy && d.stored && r.Call.Args[1] == d.v {
					return nil, false // the address is in the memory that is copied to, too
				}
				if mayBeAddress(r.Type()) {
					add(r, d.stored || b.exact.second[r]) // what a second form makes may hold the address
				}
			case *mid.MakeClosure:
				if !copies(r, d.v) || d.stored {
					add(r, d.stored)
				}
			case *mid.UnOp:
				if d.stored || holdsAddress(r.X.Type(), r.Type()) {
					add(r, d.stored)
				}
			case mid.Value:
				if mayBeAddress(r.Type()) {
					add(r, d.stored)
				}
			}
		}
	}
	return uses, true
}

// copies tells whether closure c takes the value of variable v with it rather than its address.
func copies(c *mid.MakeClosure, v mid.Value) bool {
	for i, x := range c.Bindings {
		if x == v && !escape.ByValue(c.Fn.FreeVars[i]) {
			return false
		}
	}
	return true
}

// holdsAddress tells whether the value of type t that is read through an address of type from may
// be the memory itself, as big values are.
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
func rootOf(addr mid.Value) *mid.Alloc {
	if a, ok := addr.(*mid.Alloc); ok {
		return a
	}
	return mid.Base(addr)
}
