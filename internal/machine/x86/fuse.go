package x86

import (
	"slices"

	"loam/internal/machine/code"
)

// fuseCompares has branches and selections make the compares that nobody else needs.
func (c *flow) fuseCompares(counts []int32) {
	f := c.f
	for _, b := range c.order {
		for i := f.Blocks[b].First; i < f.Blocks[b].End; i++ {
			in := &f.Ins[i]
			if in.Op != code.CondBr && in.Op != code.Select || !c.live[i] {
				continue
			}
			x := f.Args[in.Args]
			if x < 0 || counts[x] != 1 || c.home[x] != b {
				continue
			}
			if d := c.def[x]; d >= 0 && (f.Ins[d].Op == code.ICmp || f.Ins[d].Op == code.FCmp && in.Op == code.CondBr) {
				c.fusedAt[d] = i
			}
		}
	}
}

// mostOpen is how many loads are looked at for an instruction that may take one of them.
const mostOpen = 8

// fuseLoads has instructions take operands from memory that nobody else needs, if nothing behind
// the load could change the memory or fail before it.
func (c *flow) fuseLoads(counts []int32) {
	f := c.f
	// Loads, those that are part of a compare whose branch is still to come, and of others.
	var open, waiting, taken []int32
	for _, b := range c.order {
		open, waiting, taken = open[:0], waiting[:0], taken[:0]
		for i := f.Blocks[b].First; i < f.Blocks[b].End; i++ {
			in := &f.Ins[i]
			if !c.live[i] {
				continue
			}
			if k := c.takesMemory(in); k >= 0 {
				for n, l := range open {
					load := &f.Ins[l]
					if o := f.Args[in.Args+k]; o == load.Result && counts[o] == 1 && fits(in, load) {
						c.fusedAt[l] = i
						open = append(open[:n], open[n+1:]...)
						if c.fusedAt[i] >= 0 {
							waiting = append(waiting, l)
						} else {
							taken = append(taken, l)
						}
						break
					}
				}
			}
			if in.Op == code.Load && !in.Volatile {
				if len(open) == mostOpen {
					open = append(open[:0], open[1:]...)
				}
				open = append(open, i)
				continue
			}
			if !hasEffect(in) || in.Op >= code.Br && in.Op <= code.Unreachable {
				continue
			}
			if in.Op == code.Store {
				c.fuseStore(i, b, open, taken, counts)
			}
			for _, l := range waiting {
				c.fusedAt[l] = -1
			}
			open, waiting, taken = open[:0], waiting[:0], taken[:0]
		}
	}
}

// fuseStore has a store change what is in memory by what was computed from it, with nothing in
// between that needs to be in order: `n += x` is one instruction. A CPU forwards what such an
// instruction has stored to the next one much sooner than to one that only takes an operand.
func (c *flow) fuseStore(i, b int32, open, taken, counts []int32) {
	in := &c.f.Ins[i]
	v := c.args(in)[0]
	if in.Order || in.Volatile || v < 0 || counts[v] != 1 || c.home[v] != b || c.def[v] < 0 || in.Class.IsFloat() || in.Class == code.I1 {
		return
	}
	d := c.def[v]
	op := &c.f.Ins[d]
	if _, ok := aluOps[op.Op]; !ok || op.Class != in.Class || c.fusedAt[d] >= 0 {
		return
	}
	for k, o := range c.args(op) {
		if o < 0 || c.def[o] < 0 || k > 0 && op.Op == code.Sub {
			continue
		}
		l := c.def[o]
		load := &c.f.Ins[l]
		if load.Op != code.Load || counts[o] != 1 || load.Class != in.Class || load.Disp != in.Disp || c.args(load)[0] != c.args(in)[1] {
			continue
		}
		if slices.Contains(open, l) || c.fusedAt[l] == d && slices.Contains(taken, l) {
			c.fusedAt[l], c.fusedAt[d] = d, i
			return
		}
	}
}

// takesMemory is the operand of an instruction that may be in memory, -1: none.
func (c *flow) takesMemory(in *code.Ins) int32 {
	isLoad := func(k int32) bool {
		o := c.f.Args[in.Args+k]
		return o >= 0 && c.def[o] >= 0 && c.f.Ins[c.def[o]].Op == code.Load
	}
	constant := func(k int32) bool { return c.f.Args[in.Args+k] < 0 }
	switch in.Op {
	case code.ZExt, code.SExt:
		return 0
	case code.Add, code.And, code.Or, code.Xor, code.Mul:
		if isLoad(0) && !isLoad(1) && !constant(1) {
			args := c.args(in)
			args[0], args[1] = args[1], args[0]
		}
		if !constant(0) {
			return 1
		}
	case code.Sub, code.FAdd, code.FSub, code.FMul, code.FDiv:
		if !constant(0) {
			return 1
		}
	case code.ICmp:
		if isLoad(0) && !isLoad(1) {
			return 0
		}
		if !constant(0) {
			return 1
		}
	}
	return -1
}

// fits reports whether an instruction can take what is loaded as it is in memory.
func fits(in, load *code.Ins) bool {
	switch in.Op {
	case code.ZExt, code.SExt:
		return in.From == load.Class && load.Class != code.I1
	case code.ICmp:
		return in.Class == load.Class && in.Class != code.I1
	}
	return in.Class == load.Class && in.Class >= code.I32
}

// fused returns the load that an operand is part of the instruction by.
func (c *flow) fused(o code.Operand) (*code.Ins, bool) {
	if o < 0 || c.def[o] < 0 || c.fusedAt[c.def[o]] < 0 {
		return nil, false
	}
	in := &c.f.Ins[c.def[o]]
	return in, in.Op == code.Load
}

// lineOf is where an instruction is in the source: that of what it loads, which may fail.
func (c *flow) lineOf(in *code.Ins) int32 {
	for _, o := range c.args(in) {
		if o < 0 || c.def[o] < 0 || c.fusedAt[c.def[o]] < 0 {
			continue
		}
		x := &c.f.Ins[c.def[o]]
		if x.Op == code.Load {
			return x.Loc
		}
		for _, o := range c.args(x) {
			if load, ok := c.fused(o); ok {
				return load.Loc
			}
		}
	}
	return in.Loc
}
