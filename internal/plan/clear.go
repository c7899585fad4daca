package plan

import (
	"go/token"
	"go/types"
	"slices"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// Memory is memory of an exact frame that may be cleared: a home, or a slot of an instruction.
type Memory struct {
	Value mid.Value   // whose home it is; nil for a slot
	Reads []mid.Instr // what loads it: not always what uses the value in mid's form

	Owner mid.Instr // the instruction that uses the slot
	Made  bool      // it is for what a second form makes
	Area  bool      // Owner, a call, stores its results there
}

// Part is how much of some memory is dead.
type Part uint8

const (
	None    Part = iota
	Address      // of a string or slice, of which only the length is still asked
	Rest         // all but the address of a string or slice
	All
)

// DeadAt is how much of m no instruction can read behind site. evaluated: site's operands have been
// evaluated, it does not need their homes any more. second tells of calls of second forms, whose
// results may point into the slot for what is made.
func (fr *Frame) DeadAt(site mid.Instr, evaluated bool, m *Memory, second func(*mid.Call) bool) Part {
	if m.Value == nil {
		if m.Owner == site { // arguments and results
			return None
		}
		// What the call itself can reach through its arguments is in use, too.
		uses, known := fr.aliasUses(m.Owner, m.Made, second)
		if known && !slices.Contains(uses, site) && !usedAfter(site, m.Owner, uses) {
			return All
		}
		return None
	}
	dead := func(uses []mid.Instr) bool {
		return (evaluated || !slices.Contains(uses, site)) && !usedAfter(site, defOf(m.Value), uses)
	}
	switch {
	case dead(m.Reads):
		return All
	case hasLength(m.Value.Type()) && dead(slices.DeleteFunc(slices.Clone(m.Reads), isMeasure)):
		return Address
	}
	return None
}

// Clear says of a part of the memory of that index that it is cleared, or that it is not.
type Clear struct {
	Index int
	Part  Part
}

// Clearing is what a function that waits clears where it does.
type Clearing struct {
	At        map[mid.Instr][]Clear
	Kept      map[mid.Instr][]Clear // homes whose value is still read: others may share their places
	Registers map[mid.Instr]bool    // those that a function keeps for its caller are cleared, too
}

// ClearWaits says what of list is cleared at the sites, where the function waits. A site is true if
// its operands have been evaluated.
func (fr *Frame) ClearWaits(list []Memory, sites map[mid.Instr]bool, second func(*mid.Call) bool) Clearing {
	parts, asked := fr.clearable(list, second)
	l := findLiveness(fr.f, asked)
	live := l.liveAt(sites)
	fresh := newBitset(len(asked))
	for i := range asked {
		fresh.add(i) // what the frame's memory held before
	}
	for i, p := range parts {
		m := &list[p.Index]
		if m.Value != nil {
			continue
		}
		given := isCopyOfGiven(m.Owner)
		for in, set := range live { // a call may reach a slot through its arguments, or has it there
			if set.has(i) || given && fr.Waits[in] == BriefWait || slices.Contains(l.uses[in], i) || m.Owner == in && !m.Area {
				set.add(i)
				set.add(p.whole)
			}
		}
	}
	held := l.heldAt(fresh, live)
	c := Clearing{map[mid.Instr][]Clear{}, map[mid.Instr][]Clear{}, map[mid.Instr]bool{}}
	for site := range sites {
		if set := held[site]; set != nil {
			set.each(func(i int) {
				if p := parts[i]; !live[site].has(i) && (list[p.Index].Value != nil || p.whole == i) {
					c.At[site] = append(c.At[site], p.Clear)
				}
			})
		}
		if set := live[site]; set != nil { // control comes there
			c.Kept[site] = kept(parts, list, set)
		}
		c.Registers[site] = len(fr.Homes) > 0 || len(asked) > 0 || (fr.quietLoop || fr.links) && fr.Waits[site] == LongWait
	}
	return c
}

// isCopyOfGiven reports whether in makes a variable that holds what the function was given, and
// nothing else. LLVM reads most of those where the caller has them, unless they are cleared. A copy
// would be slow, too: it reads 16 bytes at a time what the caller has just written word by word,
// and the processor waits until that has reached the cache.
func isCopyOfGiven(in mid.Instr) bool {
	v, ok := in.(*mid.Alloc)
	return ok && holdsGiven(v)
}

// holdsGiven reports whether the memory at address p is only loaded, or stored to as a whole, and
// that from what the function was given.
func holdsGiven(p mid.Value) bool {
	return !slices.ContainsFunc(p.Referrers(), func(u mid.Instr) bool {
		switch u := u.(type) {
		case *mid.Store:
			return u.Addr != p || !isGiven(u.Val)
		case *mid.UnOp:
			return false
		case *mid.FieldAddr:
			return !holdsGiven(u)
		case *mid.IndexAddr:
			return !holdsGiven(u)
		}
		return true
	})
}

// kept lists of the homes in list what has a live part.
func kept(parts []clearPart, list []Memory, live bitset) (keep []Clear) {
	for i, p := range parts {
		if list[p.Index].Value == nil || p.Part != All || !live.has(i) {
			continue
		}
		part := All
		if hasLength(list[p.Index].Value.Type()) && !live.has(i+1) { // that part is the address
			part = Rest
		}
		keep = append(keep, Clear{p.Index, part})
	}
	return keep
}

// clearPart is a part of some memory. Of a slot it may stand for some of its uses.
type clearPart struct {
	Clear
	whole int // of a slot: the number of the part that stands for all
}

// clearable lists the parts of memory that may be cleared, and what is asked of each.
func (fr *Frame) clearable(list []Memory, second func(*mid.Call) bool) (parts []clearPart, asked []tracked) {
	quick := map[mid.Instr]bool{}
	for i := range list {
		m := &list[i]
		if m.Value != nil {
			asked = append(asked, tracked{def: defOf(m.Value), uses: m.Reads})
			parts = append(parts, clearPart{Clear: Clear{i, All}})
			if hasLength(m.Value.Type()) {
				asked = append(asked, tracked{def: defOf(m.Value), uses: slices.DeleteFunc(slices.Clone(m.Reads), isMeasure)})
				parts = append(parts, clearPart{Clear: Clear{i, Address}})
			}
			continue
		}
		uses, known := fr.aliases(m.Owner, m.Made, second)
		if !known {
			continue
		}
		hot, ok := quick[m.Owner]
		if !ok {
			hot = fr.quickLoop(m.Owner.Block()) ||
				slices.ContainsFunc(uses, func(u aliasUse) bool { return fr.quickLoop(u.in.Block()) })
			quick[m.Owner] = hot
		}
		if hot {
			continue
		}
		// What goes through a variable is over when that is made anew.
		whole := len(asked)
		through := []*mid.Alloc{nil}
		for _, u := range uses {
			if !slices.Contains(through, u.through) {
				through = append(through, u.through)
			}
		}
		for _, v := range through {
			part := tracked{def: m.Owner}
			if v != nil {
				part.ends = v
			}
			for _, u := range uses {
				if u.through == v {
					part.uses = append(part.uses, u.in)
				}
			}
			asked = append(asked, part)
			parts = append(parts, clearPart{Clear{i, All}, whole})
		}
	}
	return parts, asked
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

func defOf(v mid.Value) mid.Instr {
	in, _ := v.(mid.Instr)
	return in
}

// usedAfter reports whether one of uses can run after at without def, which makes the value anew,
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

// quickLoop reports whether blk is in a loop that calls nothing.
func (fr *Frame) quickLoop(blk *mid.Block) bool {
	if !shape.Of(fr.f).InLoop(blk) {
		return false
	}
	if fr.quick == nil {
		fr.quick = map[*mid.Block]bool{}
		for _, last := range fr.f.Body() {
			for _, head := range last.Succs {
				if !head.Dominates(last) {
					continue
				}
				body := naturalLoop(head, last)
				if !slices.ContainsFunc(body, func(blk *mid.Block) bool { return slices.ContainsFunc(blk.Instrs, callsOut) }) {
					for _, blk := range body {
						fr.quick[blk] = true
					}
				}
			}
		}
	}
	return fr.quick[blk]
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
