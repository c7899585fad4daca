package sim

import "sync/atomic"

// Coverage is which decisions the runs of a hunt have come to, and what they tried there: a table
// in memory that all runs share. A decision is known by where it is (At); what can be tried is to
// go on or not at a point, or who goes on behind a turn. An entry is 0, or has 32 bits of the
// decision's name, 16 for what could be tried, and 16 for what was.
type Coverage []uint64

// CoverageEntries is how large the table is. What has no room in it is not counted.
const CoverageEntries = 1 << 15

// farthestEntry is how far from its place a decision may be.
const farthestEntry = 32

// note adds that the alternatives are there, one of which is taken: sets of bits.
func (c Coverage) note(kind, a, b, d uint64, alternatives, taken uint16) {
	name := finish(a ^ finish(b^finish(d<<2|kind)))
	tag := name>>32 | 1
	add := tag<<32 | uint64(alternatives)<<16 | uint64(taken)
	for i := range uint64(farthestEntry) {
		entry := &c[(name+i)%uint64(len(c))]
		for {
			old := atomic.LoadUint64(entry)
			if old != 0 && old>>32 != tag {
				break
			}
			if old|add == old || atomic.CompareAndSwapUint64(entry, old, old|add) {
				return
			}
		}
	}
}

// Count says how many decisions there are, and at how many of them everything was tried.
func (c Coverage) Count() (decisions, whole int) {
	for _, entry := range c {
		if entry != 0 {
			decisions++
			if uint16(entry>>16) == uint16(entry) {
				whole++
			}
		}
	}
	return decisions, whole
}

// pick notes who of the candidates went on.
func (c Coverage) pick(at At, of []Candidate, k int) {
	var all uint16
	for i := range of {
		all |= 1 << (of[i].ID % 16)
	}
	c.note(0, at.G, at.Op, at.Turn, all, 1<<(of[k].ID%16))
}

// point notes whether the goroutine was taken off behind an operation.
func (c Coverage) point(at At, off bool) { c.note(1, at.G, at.Op, 0, 3, 1<<b2u(off)) }
