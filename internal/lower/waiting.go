package lower

import (
	"go/token"
	"go/types"
	"slices"

	"loam/internal/amd64"
	"loam/internal/ir"
	"loam/internal/mid"
	"loam/internal/mid/shape"
	"loam/internal/plan"
)

// # Frames that wait
//
// A function that may wait (waits.go) has an exact frame of its own kind. What is dead where it
// waits is cleared right there, and nowhere else: a wait costs more than a few stores.
//
//   - Only a value that is dead at such a place, and that lives across a call, has a home.
//     All homes are in one block of memory, which escapes where the function waits.
//   - Other accesses of memory are said to be apart from that block. So in a loop that calls
//     nothing LLVM keeps the value in a register, as if it had no home.
//   - What LLVM makes of addresses for a loop, and what it inlines, may lie in the registers that
//     a function keeps for its caller. They are cleared, too, where the frame has anything to
//     clear, or loops that do not wait.
//   - Slots that belong to instructions escape where they are cleared. A slot that a loop uses
//     which calls nothing is left alone: its parts had better be registers there.

// waitingFrame is a function whose frame is made exact where it waits.
type waitingFrame struct{ *code }

// makeExactForWaits gives b an exact frame if its function waits.
func (b waitingFrame) makeExactForWaits() {
	if plan.IsHuge(b.f) || b.m.in.Flags.NoOptimize || isWrapper(b.f) {
		return
	}
	waits := b.m.waitSites(b.f)
	if len(waits) == 0 {
		return
	}
	b.exact = &exactFrame{waits: waits, homes: map[mid.Value]ir.Value{}, lives: map[mid.Value]bool{}, reads: map[mid.Value][]mid.Instr{}, second: map[*mid.Call]bool{},
		edges: map[*mid.Phi]map[int]ir.Value{}, at8: map[mid.Value]int64{}}
	var values []mid.Value
	var list []tracked
	eachDefined(b.code, func(v mid.Value, def mid.Instr) {
		if mayHaveHome(b.code, v) {
			values = append(values, v)
			list = append(list, tracked{def: def, uses: v.Referrers()})
		}
	})
	values, list = b.acrossCalls(values, list)
	x := b.exact
	dead := b.deadSomewhere(values, list)
	if len(waits) == 0 {
		b.exact = nil
		return
	}
	x.quietLoop = b.hasQuietLoop()
	dead.each(func(i int) {
		x.at8[values[i]] = x.size
		x.size += (b.m.info(values[i].Type()).size + 7) &^ 7
	})
	if x.size > 0 {
		x.block = b.Func.Alloca(x.size, 8)
		b.AtEntry(func() {
			dead.each(func(i int) { x.homes[values[i]] = b.gep(x.block, x.at8[values[i]]) })
		})
		b.Apart = b.homeScope()
	}
}

// deadSomewhere returns those of list that may hold something at a place where they are dead and
// the function waits. Where the wait is brief what the function was given does not count, because
// most of it is its caller's. If nothing else is dead there, nothing is cleared.
func (b waitingFrame) deadSomewhere(values []mid.Value, list []tracked) bitset {
	l := findLiveness(b.f, list)
	evaluated := map[mid.Instr]bool{}
	for in := range b.exact.waits {
		evaluated[in] = isCall(in)
	}
	live := l.liveAt(evaluated)
	all := newBitset(len(list))
	fresh := newBitset(len(list))
	given := newBitset(len(list))
	for i := range list {
		all.add(i)
		if list[i].def == nil {
			fresh.add(i)
		}
		if isGiven(values[i]) {
			given.add(i)
		}
	}
	none := map[mid.Instr]bitset{}
	for in := range live {
		none[in] = all
	}
	dead := newBitset(len(list))
	for in, found := range l.heldAt(fresh, none) {
		brief, any := b.exact.waits[in] == briefWait, false
		for k := range dead {
			found[k] &^= live[in][k]
			if brief {
				found[k] &^= given[k]
			}
			any = any || found[k] != 0
		}
		if brief && !any {
			delete(b.exact.waits, in)
			continue
		}
		dead.join(found)
	}
	return dead
}

// isGiven reports whether v is a parameter, a captured variable, or an address in what that points
// to.
func isGiven(v mid.Value) bool {
	for {
		switch x := v.(type) {
		case *mid.FieldAddr:
			v = x.X
		case *mid.IndexAddr:
			v = x.X
		case *mid.Parameter, *mid.FreeVar:
			return true
		default:
			return false
		}
	}
}

// acrossCalls returns those of values, with the same of list, that live across a call: LLVM may
// have them in the frame. Others are in registers.
func (b waitingFrame) acrossCalls(values []mid.Value, list []tracked) (kept []mid.Value, keptList []tracked) {
	findLiveness(b.f, list).across(b.keepsFrame).each(func(i int) {
		kept = append(kept, values[i])
		keptList = append(keptList, list[i])
	})
	return kept, keptList
}

// keepsFrame reports whether in calls something that returns.
func (b waitingFrame) keepsFrame(in mid.Instr) bool {
	switch in := in.(type) {
	case *mid.Alloc:
		return !b.onStack(in)
	case *mid.UnOp:
		return in.Op == token.ARROW
	case *mid.BinOp:
		return !isMachineValue(in.X.Type())
	case *mid.Convert:
		return !isMachineValue(in.Type()) || !isMachineValue(in.X.Type())
	case *mid.Call:
		switch in.Call.Builtin() {
		case mid.BuiltinLen, mid.BuiltinCap, mid.BuiltinMin, mid.BuiltinMax, mid.BuiltinReal, mid.BuiltinImag, mid.BuiltinComplex:
			return false
		}
	case *mid.Slice, *mid.Return, *mid.Panic:
		return false
	}
	return mayCall(in)
}

// isMachineValue reports whether values of t are numbers, addresses or booleans.
func isMachineValue(t types.Type) bool {
	switch u := under(t).(type) {
	case *types.Basic:
		return u.Info()&types.IsString == 0
	case *types.Pointer:
		return true
	}
	return false
}

func isCall(in mid.Instr) bool { _, ok := in.(*mid.Call); return ok }

// serving reports whether the exact frame is that of a function that waits.
func (b *code) serving() bool { return b.exact != nil && b.exact.waits != nil }

// clearsFrame reports whether the function's frame is cleared when it is entered: of one that
// serves, and of one that waits long itself, not only in what it calls. What its caller was done
// with may be in words of the frame that nobody writes.
func (b waitingFrame) clearsFrame() bool {
	if !b.serving() {
		return false
	}
	for in := range b.exact.waits {
		call, ok := in.(*mid.Call)
		if !ok || b.m.worldWaits(in) {
			return true
		}
		if g := call.Call.StaticCallee(); g != nil && b.m.has(g, parks) {
			return true
		}
	}
	return b.m.serves(b.f)
}

func (b waitingFrame) homeScope() ir.Meta { return b.m.out.AliasScope("homes") }

// inHome has access read or write a home.
func inHome(b *code, access func()) {
	if b.Apart == 0 {
		access()
		return
	}
	b.Within, b.Apart = b.Apart, 0
	access()
	b.Within, b.Apart = 0, b.Within
}

// apart says of a call, of which info is known, that it does not touch the homes.
func apart(b *code, info *ir.CallInfo) *ir.CallInfo {
	if b.Apart != 0 {
		if info == nil {
			info = &ir.CallInfo{}
		}
		info.Apart = b.Apart
	}
	return info
}

// beforeWait marks the place before in, which is to be lowered next, if the function waits there.
// Calls do so behind their operands.
func (b waitingFrame) beforeWait(in mid.Instr) {
	if b.serving() && b.exact.waits[in] != noWait && !isCall(in) {
		b.clearBefore(in, false)
	}
}

// beforeWaitingCall marks the place before the call that is being lowered, if the function waits
// there.
func (b waitingFrame) beforeWaitingCall() {
	if b.serving() && b.calling != nil && b.exact.waits[b.calling] != noWait {
		b.clearBefore(b.calling, true)
	}
}

// resultArea reserves memory for the results of the call that is being lowered.
func (b waitingFrame) resultArea(sig *fnSig) ir.Value {
	owned := b.ownedSlots()
	area := b.Alloca(sig.size, 8)
	if b.ownedSlots() > owned {
		b.exact.slots[owned].area = true
	}
	return area
}

// clearForWaits fills in the places that clearBefore has marked in a function that waits.
func (b waitingFrame) clearForWaits() {
	x := b.exact
	evaluated := map[mid.Instr]bool{}
	for _, site := range x.sites {
		evaluated[site.in] = site.evaluated
	}
	list, ranges := b.clearable()
	l := findLiveness(b.f, list)
	live := l.liveAt(evaluated)
	fresh := newBitset(len(list))
	for i := range list {
		fresh.add(i) // what the frame's memory held before
	}
	for i, r := range ranges {
		if !r.slot.IsSet() {
			continue
		}
		for in, set := range live { // a call may reach a slot through its arguments, or has them there
			if set.has(i) || slices.Contains(l.uses[in], i) || r.owner == in && !r.area {
				set.add(i)
				set.add(r.whole)
			}
		}
	}
	held := l.heldAt(fresh, live)
	for _, site := range x.sites {
		b.Cur, b.Loc = site.block, site.loc
		var homes []span
		var escape []ir.Value
		if x.block.IsSet() {
			escape = append(escape, x.block)
		}
		held[site.in].each(func(i int) {
			r := ranges[i]
			switch {
			case live[site.in].has(i) || r.slot.IsSet() && r.whole != i:
			case r.slot.IsSet():
				b.fillMem(r.slot, ir.Int(ir.I64, r.size), 8, false)
				escape = append(escape, r.slot)
			default:
				homes = append(homes, r)
			}
		})
		b.clearHomes(homes)
		for _, p := range escape {
			b.Asm(ir.Asm{Constraints: "r,~{memory}"}, ir.Void, p)
		}
		if x.size > 0 || len(list) > 0 || x.quietLoop && x.waits[site.in] == longWait {
			b.Asm(amd64.ClearKept, ir.Void)
		}
		b.Br(site.next)
	}
}

// hasQuietLoop reports whether the function has a loop in which it does not wait.
func (b waitingFrame) hasQuietLoop() bool {
	waits := map[*mid.Block]bool{}
	for in := range b.exact.waits {
		waits[in.Block()] = true
	}
	for _, last := range b.f.Body() {
		for _, head := range last.Succs {
			if head.Dominates(last) && !slices.ContainsFunc(naturalLoop(head, last), func(blk *mid.Block) bool { return waits[blk] }) {
				return true
			}
		}
	}
	return false
}

// span is memory that is cleared: of the block of homes, or a slot.
type span struct {
	at, size int64
	slot     ir.Value
	owner    mid.Instr
	area     bool
	whole    int // of a slot: the number of what stands for it; the others are some of its uses
}

// clearable lists what may be cleared, and where it is.
func (b waitingFrame) clearable() (list []tracked, where []span) {
	x := b.exact
	for _, v := range homeOrder(b.code) {
		if !x.lives[v] {
			continue
		}
		uses := x.reads[v]
		home := span{at: x.at8[v], size: b.m.info(v.Type()).size}
		list = append(list, tracked{def: defOf(v), uses: uses})
		where = append(where, home)
		if hasLength(v.Type()) {
			home.size = 8 // its address
			list = append(list, tracked{def: defOf(v), uses: slices.DeleteFunc(slices.Clone(uses), isMeasure)})
			where = append(where, home)
		}
	}
	quick := map[mid.Instr]bool{}
	for _, s := range x.slots {
		uses, known := aliases(b.code, s.owner, s.made)
		if !known {
			continue
		}
		hot, ok := quick[s.owner]
		if !ok {
			hot = b.quickLoop(s.owner.Block()) ||
				slices.ContainsFunc(uses, func(u aliasUse) bool { return b.quickLoop(u.in.Block()) })
			quick[s.owner] = hot
		}
		if hot {
			continue
		}
		// What goes through a variable is over when that is made anew.
		whole := len(list)
		through := []*mid.Alloc{nil}
		for _, u := range uses {
			if !slices.Contains(through, u.through) {
				through = append(through, u.through)
			}
		}
		for _, v := range through {
			part := tracked{def: s.owner}
			if v != nil {
				part.ends = v
			}
			for _, u := range uses {
				if u.through == v {
					part.uses = append(part.uses, u.in)
				}
			}
			list = append(list, part)
			where = append(where, span{size: s.size, slot: s.p, owner: s.owner, area: s.area, whole: whole})
		}
	}
	return list, where
}

// clearHomes clears parts of the block of homes, given in order.
func (b waitingFrame) clearHomes(parts []span) {
	slices.SortStableFunc(parts, func(x, y span) int { return int(x.at - y.at) })
	for i := 0; i < len(parts); {
		at, end := parts[i].at, parts[i].at+parts[i].size
		for i++; i < len(parts) && parts[i].at <= end; i++ {
			end = max(end, parts[i].at+parts[i].size)
		}
		inHome(b.code, func() { b.fillMem(b.gep(b.exact.block, at), ir.Int(ir.I64, (end-at+7)&^7), 8, false) })
	}
}

// quickLoop reports whether blk is in a loop that calls nothing.
func (b waitingFrame) quickLoop(blk *mid.Block) bool {
	if !shape.Of(b.f).InLoop(blk) {
		return false
	}
	if b.exact.quick == nil {
		b.exact.quick = map[*mid.Block]bool{}
		for _, last := range b.f.Body() {
			for _, head := range last.Succs {
				if !head.Dominates(last) {
					continue
				}
				body := naturalLoop(head, last)
				if !slices.ContainsFunc(body, func(blk *mid.Block) bool { return slices.ContainsFunc(blk.Instrs, callsOut) }) {
					for _, blk := range body {
						b.exact.quick[blk] = true
					}
				}
			}
		}
	}
	return b.exact.quick[blk]
}

// callsOut reports whether in's usual way leads through a call.
func callsOut(in mid.Instr) bool {
	switch in := in.(type) {
	case *mid.Call:
		switch in.Call.Builtin() {
		case mid.NoBuiltin, mid.BuiltinCopy, mid.BuiltinClear, mid.BuiltinDelete:
			return true
		}
		return false
	case *mid.UnOp:
		return in.Op == token.ARROW
	case *mid.BinOp, *mid.Convert, *mid.Slice, *mid.MakeInterface, *mid.TypeAssert, *mid.Return, *mid.Panic, *mid.Alloc:
		return false
	}
	return mayCall(in)
}
