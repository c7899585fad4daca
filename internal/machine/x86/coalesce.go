package x86

import (
	"slices"
	"sort"

	"loam/internal/machine/code"
)

// mostMembers is how many values may share a place because phis join them.
const mostMembers = 8

// A member is what is known of a value that a phi joins with others.
type member struct {
	lead   int32   // whose place it shares; of that, itself
	with   []int32 // of the lead: all members
	from   int32   // where it alone begins to live
	blocks []int32 // at whose beginning it lives
	uses   []use
}

// join finds phis that may have the place of their operands, so that nothing needs to be moved: no
// two of them live at the same time. Values that share a place are one for the allocation of
// registers: the phi's.
func (c *lifetimes) join() {
	c.pairs = c.pairs[:0]
	if c.f.Attrs.Twice {
		return
	}
	type pair struct {
		phi, operand int32
		weight       float32
	}
	var pairs []pair
	for _, b := range c.order {
		blk := c.f.Blocks[b]
		for i := blk.First; i < blk.End; i++ {
			in := &c.f.Ins[i]
			if in.Op != code.Phi || c.pos[i] < 0 {
				continue
			}
			for k, o := range c.args(in) {
				p := c.f.Targets[in.Aux+int32(k)]
				if o >= 0 && o != in.Result && c.from[o] >= 0 && c.place[p] >= 0 && c.f.Classes[o].IsFloat() == in.Class.IsFloat() {
					pairs = append(pairs, pair{in.Result, o, float32(int(1) << (3 * c.depth[p]))})
				}
			}
		}
	}
	for _, p := range pairs {
		for _, v := range []int32{p.phi, p.operand} {
			if c.members[v] == nil {
				c.members[v] = &member{lead: v, with: []int32{v}, from: c.from[v]}
			}
		}
	}
	sort.SliceStable(pairs, func(i, j int) bool { return pairs[i].weight > pairs[j].weight })
	for _, p := range pairs {
		c.pairs = append(c.pairs, [2]int32{p.phi, p.operand})
	}
}

// merge joins the pairs whose values do not live at the same time.
func (c *lifetimes) merge() {
	for _, p := range c.pairs {
		x, y := c.members[p[0]].lead, c.members[p[1]].lead
		if x == y {
			continue
		}
		a, b := c.members[x], c.members[y]
		if len(a.with)+len(b.with) > mostMembers || c.anyTogether(a, b) {
			continue
		}
		a.with = append(a.with, b.with...)
		for _, v := range b.with {
			c.members[v].lead = x
		}
		c.from[x], c.to[x] = min(c.from[x], c.from[y]), max(c.to[x], c.to[y])
		c.weight[x] += c.weight[y]
		if c.hint[x] == NoReg {
			c.hint[x] = c.hint[y]
		}
	}
}

func (c *lifetimes) anyTogether(a, b *member) bool {
	for _, x := range a.with {
		for _, y := range b.with {
			if c.livesAt(x, y) || c.livesAt(y, x) || shareBlock(c.members[x].blocks, c.members[y].blocks) {
				return true
			}
		}
	}
	return false
}

func shareBlock(x, y []int32) bool {
	for _, b := range x {
		if slices.Contains(y, b) {
			return true
		}
	}
	return false
}

// livesAt reports whether x lives where y is made.
func (c *lifetimes) livesAt(x, y int32) bool {
	b, m, from := c.home[y], c.members[x], c.members[y].from
	if c.home[x] == b {
		if m.from == from {
			return true // phis of one block, results of one instruction
		}
		if m.from > from {
			return false
		}
	} else if !slices.Contains(m.blocks, b) {
		return false
	}
	for _, t := range c.targets(b) {
		if slices.Contains(m.blocks, t) {
			return true
		}
	}
	for _, u := range m.uses {
		if u.block == b && u.pos >= from {
			return true
		}
	}
	return false
}
