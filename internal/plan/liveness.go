package plan

import (
	"math/bits"
	"slices"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// # What is dead where
//
// A tracked value is a value with a home, or memory of the frame, of which is known where it is
// made and which instructions may read it. slotLiveness tells at an instruction which of them no
// later instruction reads, and which may hold something since they were last cleared.

// tracked is a value or slot of which it is asked where it is dead.
type tracked struct {
	def  mid.Instr   // makes it anew, nil if the function's entry does
	uses []mid.Instr // read it
	ends mid.Instr   // no use behind it, before def, reads it; nil if nothing is known to
}

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s bitset) remove(i int)   { s[i/64] &^= 1 << (i % 64) }
func (s bitset) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// join adds the members of t and reports whether any was new.
func (s bitset) join(t bitset) (changed bool) {
	for i, w := range t {
		if w&^s[i] != 0 {
			s[i] |= w
			changed = true
		}
	}
	return changed
}

// each calls f with each member, in order.
func (s bitset) each(f func(i int)) {
	for k, w := range s {
		for ; w != 0; w &= w - 1 {
			f(k*64 + bits.TrailingZeros64(w))
		}
	}
}

// slotLiveness is the answer for a function.
type slotLiveness struct {
	n      int
	blocks []*mid.Block
	defs   map[mid.Instr][]int
	ends   map[mid.Instr][]int
	uses   map[mid.Instr][]int
	out    map[*mid.Block]bitset // read behind the block
	always bitset                // read when a recovered panic goes on
}

// findLiveness computes what is read behind each block.
func findLiveness(f *mid.Func, list []tracked) *slotLiveness {
	l := &slotLiveness{n: len(list), blocks: runningBlocks(f), defs: map[mid.Instr][]int{}, ends: map[mid.Instr][]int{},
		uses: map[mid.Instr][]int{}, out: map[*mid.Block]bitset{}, always: newBitset(len(list))}
	for _, blk := range l.blocks {
		l.out[blk] = newBitset(l.n)
	}
	for i, t := range list {
		if t.def != nil {
			l.defs[t.def] = append(l.defs[t.def], i)
		}
		if t.ends != nil {
			l.ends[t.ends] = append(l.ends[t.ends], i)
		}
		for _, u := range t.uses {
			p, phi := u.(*mid.Phi)
			switch {
			case u.Block() == f.Recover():
				l.always.add(i)
			case phi:
				for _, pred := range p.Block().Preds {
					if out := l.out[pred]; out != nil {
						out.add(i)
					}
				}
			default:
				l.uses[u] = append(l.uses[u], i)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, blk := range slices.Backward(l.blocks) {
			in := slices.Clone(l.out[blk])
			for _, instr := range slices.Backward(blk.Instrs) {
				l.step(in, instr)
			}
			for _, pred := range blk.Preds {
				if out := l.out[pred]; out != nil && out.join(in) {
					changed = true
				}
			}
		}
	}
	return l
}

// step takes set, of what is read behind in, to what is read before it.
func (l *slotLiveness) step(set bitset, in mid.Instr) {
	for _, i := range l.defs[in] {
		set.remove(i)
	}
	for _, i := range l.ends[in] {
		set.remove(i)
	}
	for _, i := range l.uses[in] {
		set.add(i)
	}
}

// across returns what is read behind one of the instructions of which calls holds, and was made
// before it.
func (l *slotLiveness) across(calls func(mid.Instr) bool) bitset {
	found := slices.Clone(l.always)
	for _, blk := range l.blocks {
		set := slices.Clone(l.out[blk])
		for _, in := range slices.Backward(blk.Instrs) {
			for _, i := range l.defs[in] {
				set.remove(i)
			}
			if calls(in) {
				found.join(set)
			}
			for _, i := range l.uses[in] {
				set.add(i)
			}
		}
	}
	return found
}

// liveAt returns for each of the sites, which may also be what makes a value anew, what may be read
// behind its beginning. Where evaluated is false for a site it has still to read its own operands.
func (l *slotLiveness) liveAt(evaluated map[mid.Instr]bool) map[mid.Instr]bitset {
	live := map[mid.Instr]bitset{}
	for _, blk := range l.blocks {
		set := slices.Clone(l.out[blk])
		for _, in := range slices.Backward(blk.Instrs) {
			done, site := evaluated[in]
			if site && done {
				live[in] = slices.Clone(set)
				for _, i := range l.defs[in] {
					live[in].remove(i)
				}
				live[in].join(l.always)
			}
			l.step(set, in)
			if site && !done {
				live[in] = slices.Clone(set)
				live[in].join(l.always)
			}
		}
	}
	return live
}

// heldAt returns for each of the sites what may hold something there that has not been cleared
// since: at each site all is cleared that keeps does not have. fresh says what the function's entry
// leaves something in.
func (l *slotLiveness) heldAt(fresh bitset, keeps map[mid.Instr]bitset) map[mid.Instr]bitset {
	at := map[*mid.Block]bitset{}
	for _, blk := range l.blocks {
		at[blk] = newBitset(l.n)
	}
	if len(l.blocks) > 0 {
		at[l.blocks[0]].join(fresh)
	}
	held := map[mid.Instr]bitset{}
	for changed := true; changed; {
		changed = false
		for _, blk := range l.blocks {
			set := slices.Clone(at[blk])
			for _, in := range blk.Instrs {
				if keep, ok := keeps[in]; ok {
					held[in] = slices.Clone(set)
					for i := range set {
						set[i] &= keep[i]
					}
				}
				for _, i := range l.defs[in] {
					set.add(i)
				}
			}
			for _, s := range blk.Succs {
				if to := at[s]; to != nil && to.join(set) {
					changed = true
				}
			}
		}
	}
	return held
}

// runningBlocks lists the blocks of f that run, the first one first.
func runningBlocks(f *mid.Func) (list []*mid.Block) {
	s := shape.Of(f)
	for _, blk := range f.DomPreorder() {
		if s.Runs(blk) {
			list = append(list, blk)
		}
	}
	return list
}
