package x86

import (
	"sort"

	"loam/internal/machine/code"
)

// places are where values are.
type places struct {
	lifetimes
	loc   []loc
	saved [16]bool
	now   int32 // position of the instruction that is written
}

// Registers that values may have for all their life, in order of preference. RAX, RCX, RDX and
// R11, and XMM12 to XMM15, are for what instructions need in between.
var (
	passing = []Reg{RSI, RDI, R8, R9, R10}
	kept    = []Reg{RBX, R12, R13, R14, R15}
	floats  = []Reg{XMM0, XMM1, XMM2, XMM3, XMM4, XMM5, XMM6, XMM7, XMM8, XMM9, XMM10, XMM11}
)

// crosses reports whether one of the positions lies within the life of v.
func (c *places) crosses(list []int32, v int32) bool {
	i := sort.Search(len(list), func(i int) bool { return list[i] >= c.from[v] })
	return i < len(list) && list[i] < c.to[v]
}

// allocate gives each value a register or a slot, by one walk over the values in the order in which
// they begin to live. Where no register is free, the value with the fewest uses for its length gets
// a slot.
func (c *places) allocate() {
	f := c.f
	c.loc = grow(c.loc, len(f.Classes), nowhere)
	sort.SliceStable(c.values, func(i, j int) bool { return c.from[c.values[i]] < c.from[c.values[j]] })
	var holder [32]int32
	for i := range holder {
		holder[i] = -1
	}
	var spilled []int32
	for _, v := range c.values {
		s := c.from[v]
		if c.weight[v] == 0 {
			continue // nobody reads it
		}
		if m := c.members[v]; m != nil && m.lead != v {
			continue
		}
		var lists [2][]Reg
		crossing := c.crosses(c.calls, v)
		switch {
		case f.Classes[v].IsFloat():
			if !crossing {
				lists[0] = floats
			}
		case crossing:
			if !c.crosses(c.all, v) {
				lists[0] = kept
			}
		case c.crosses(c.all, v):
			lists[0] = passing
		default:
			lists = [2][]Reg{passing, kept}
		}
		free := func(r Reg) bool { return holder[r] < 0 || c.to[holder[r]] < s }
		got := NoReg
		if h := c.hint[v]; h != NoReg && free(h) && within(lists, h) {
			got = h
		}
		if got == NoReg {
		search:
			for _, list := range lists {
				for _, r := range list {
					if free(r) {
						got = r
						break search
					}
				}
			}
		}
		if got == NoReg {
			worst, at := c.worth(v), NoReg
			for _, list := range lists {
				for _, r := range list {
					if x := c.worth(holder[r]); x < worst {
						worst, at = x, r
					}
				}
			}
			if at == NoReg {
				spilled = append(spilled, v)
				continue
			}
			spilled = append(spilled, holder[at])
			c.loc[holder[at]] = nowhere
			got = at
		}
		holder[got] = v
		c.loc[v] = loc(got)
		if got == RBX || got >= R12 && got <= R15 {
			c.saved[got] = true
		}
		c.pass(v, got)
	}
	c.slots(spilled)
	c.share()
}

func within(lists [2][]Reg, r Reg) bool {
	for _, list := range lists {
		for _, x := range list {
			if x == r {
				return true
			}
		}
	}
	return false
}

func (c *places) worth(v int32) float32 { return c.weight[v] / float32(c.to[v]-c.from[v]+4) }

// pass hints that values which are copied from or to v want its register.
func (c *places) pass(v int32, r Reg) {
	d := c.def[v]
	if d < 0 {
		return
	}
	in := &c.f.Ins[d]
	if in.Op != code.Phi {
		return
	}
	for _, o := range c.args(in) {
		if o >= 0 && c.hint[o] == NoReg {
			c.hint[o] = r
		}
	}
}

// slots gives values words of the frame. Values that do not live at the same time may share one,
// but not where a call may return a second time: the values that live then may have died for the
// code that ran in between.
func (c *places) slots(spilled []int32) {
	sort.Slice(spilled, func(i, j int) bool { return c.from[spilled[i]] < c.from[spilled[j]] })
	c.frame = (c.frame + 7) &^ 7
	type slot struct{ off, free int32 }
	var heap []slot // the one that is free first is first
	stackParams := c.stackParams()
	for _, v := range spilled {
		if off, ok := stackParams[v]; ok {
			c.loc[v] = frameLoc(off)
			continue
		}
		if len(heap) > 0 && heap[0].free < c.from[v] && !c.f.Attrs.Twice {
			heap[0].free = c.to[v]
			c.loc[v] = frameLoc(heap[0].off)
			i := 0
			for {
				k := 2*i + 1
				if k >= len(heap) {
					break
				}
				if k+1 < len(heap) && heap[k+1].free < heap[k].free {
					k++
				}
				if heap[i].free <= heap[k].free {
					break
				}
				heap[i], heap[k] = heap[k], heap[i]
				i = k
			}
			continue
		}
		c.frame += 8
		c.loc[v] = frameLoc(-c.frame)
		heap = append(heap, slot{-c.frame, c.to[v]})
		for i := len(heap) - 1; i > 0 && heap[i].free < heap[(i-1)/2].free; i = (i - 1) / 2 {
			heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
		}
	}
}

// stackParams are the parameters that come in memory, with their places.
func (c *places) stackParams() map[int32]int32 {
	var places map[int32]int32
	ints, xmm, off := 0, 0, int32(16)
	for i, v := range c.f.Params {
		n, most := &ints, 6
		if c.f.Classes[v].IsFloat() {
			n, most = &xmm, 8
		}
		if int32(i) == c.f.Nest {
			continue
		}
		if *n++; *n > most {
			if places == nil {
				places = map[int32]int32{}
			}
			places[v] = off
			off += 8
		}
	}
	return places
}

// stackArgs is how many bytes of parameters come in memory.
func (c *places) stackArgs() int32 { return int32(8 * len(c.stackParams())) }

// share gives values the places of those that they are joined with.
func (c *places) share() {
	for v, m := range c.members {
		if m.lead != v {
			c.loc[v] = c.loc[m.lead]
		}
	}
}
