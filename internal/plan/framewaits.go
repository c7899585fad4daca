package plan

import (
	"go/token"
	"go/types"
	"slices"

	"loam/internal/mid"
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

// waits plans the frame of a function that waits, and reports whether it is one.
func (fr *Frame) waits(p *Package) bool {
	if fr.how.NoOptimize || IsHuge(fr.f) || fr.f.IsWrapper() {
		return false
	}
	fr.Waits = p.waitSites(fr.f)
	if len(fr.Waits) == 0 {
		return false
	}
	fr.links = fr.defers()
	var values []mid.Value
	var list []tracked
	fr.eachDefined(func(v mid.Value, def mid.Instr) {
		if fr.mayHaveHome(v) {
			values = append(values, v)
			list = append(list, tracked{def: def, uses: v.Referrers()})
		}
	})
	values, list = fr.acrossCalls(values, list)
	dead := fr.deadSomewhere(values, list)
	if len(fr.Waits) == 0 {
		return false
	}
	fr.quietLoop = fr.hasQuietLoop()
	dead.each(func(i int) { fr.Homes = append(fr.Homes, values[i]) })
	fr.Clean = fr.waitsLong(p)
	return true
}

// deadSomewhere returns those of list that may hold something at a place where they are dead and
// the function waits. Where the wait is brief what the function was given does not count, because
// most of it is its caller's. If nothing else is dead there, nothing is cleared, unless the
// function waits long elsewhere: then slots may hold what it has received.
func (fr *Frame) deadSomewhere(values []mid.Value, list []tracked) bitset {
	l := findLiveness(fr.f, list)
	evaluated := map[mid.Instr]bool{}
	for in := range fr.Waits {
		evaluated[in] = IsCall(in)
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
	long := false
	for in := range live {
		none[in] = all
		long = long || fr.Waits[in] == LongWait
	}
	dead := newBitset(len(list))
	for in, found := range l.heldAt(fresh, none) {
		brief, any := fr.Waits[in] == BriefWait, false
		for k := range dead {
			found[k] &^= live[in][k]
			if brief {
				found[k] &^= given[k]
			}
			any = any || found[k] != 0
		}
		if brief && !any && !long {
			delete(fr.Waits, in)
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
// have them in the frame. Others are in registers. Where a function defers calls, what it was given
// lives across the link of its frame, of which LLVM knows that control may come back to it.
func (fr *Frame) acrossCalls(values []mid.Value, list []tracked) (kept []mid.Value, keptList []tracked) {
	across := findLiveness(fr.f, list).across(fr.keepsFrame)
	if fr.links {
		for i := range list {
			if list[i].def == nil {
				across.add(i)
			}
		}
	}
	across.each(func(i int) {
		kept = append(kept, values[i])
		keptList = append(keptList, list[i])
	})
	return kept, keptList
}

// defers reports whether the function has a defer statement of its own.
func (fr *Frame) defers() bool {
	for _, blk := range fr.f.Body() {
		for _, in := range blk.Instrs {
			if d, ok := in.(*mid.Defer); ok && d.DeferStack == nil {
				return true
			}
		}
	}
	return false
}

// keepsFrame reports whether in calls something that returns.
func (fr *Frame) keepsFrame(in mid.Instr) bool {
	switch in := in.(type) {
	case *mid.Alloc:
		return !fr.how.InFrame(in)
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

// hasQuietLoop reports whether the function has a loop in which it does not wait.
func (fr *Frame) hasQuietLoop() bool {
	waits := map[*mid.Block]bool{}
	for in := range fr.Waits {
		waits[in.Block()] = true
	}
	for _, last := range fr.f.Body() {
		for _, head := range last.Succs {
			if head.Dominates(last) && !slices.ContainsFunc(naturalLoop(head, last), func(blk *mid.Block) bool { return waits[blk] }) {
				return true
			}
		}
	}
	return false
}

// waitsLong reports whether the function serves, or waits long itself, not only in what it calls.
// What its caller was done with may be in words of the frame that nobody writes.
func (fr *Frame) waitsLong(p *Package) bool {
	for in := range fr.Waits {
		call, ok := in.(*mid.Call)
		if !ok || p.waitsForWorld(in) {
			return true
		}
		if g := call.Call.StaticCallee(); g != nil && p.about.Parks(g) {
			return true
		}
	}
	return p.serves(fr.f)
}

// IsCall reports whether in is a call that is made at once.
func IsCall(in mid.Instr) bool { _, ok := in.(*mid.Call); return ok }
