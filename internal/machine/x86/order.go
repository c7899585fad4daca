package x86

import "loam/internal/machine/code"

// arrange finds the blocks that are reached, and puts them in an order in which what makes a value
// comes before what uses it. Blocks that end the program come last.
func (c *flow) arrange() {
	n := len(c.f.Blocks)
	c.place = grow(c.place, n, -1)
	c.order = c.order[:0]
	type visit struct{ block, next int32 }
	stack := []visit{{0, 0}}
	c.place[0] = 0
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		to := c.targets(v.block)
		if int(v.next) < len(to) {
			b := to[len(to)-1-int(v.next)]
			v.next++
			if c.place[b] < 0 {
				c.place[b] = 0
				stack = append(stack, visit{b, 0})
			}
			continue
		}
		c.order = append(c.order, v.block)
		stack = stack[:len(stack)-1]
	}
	hot, cold := make([]int32, 0, len(c.order)), []int32(nil)
	for i := len(c.order) - 1; i >= 0; i-- {
		b := c.order[i]
		if c.f.Ins[c.f.Blocks[b].End-1].Op == code.Unreachable && b != 0 {
			cold = append(cold, b)
		} else {
			hot = append(hot, b)
		}
	}
	c.order = append(append(c.order[:0], hot...), cold...)
	if cap(c.preds) < n {
		c.preds = make([][]int32, n)
	}
	c.preds = c.preds[:n]
	for i := range c.preds {
		c.preds[i] = c.preds[i][:0]
	}
	for i, b := range c.order {
		c.place[b] = int32(i)
	}
	c.depth = grow(c.depth, n, 0)
	for i, b := range c.order {
		for _, t := range c.targets(b) {
			c.preds[t] = append(c.preds[t], b)
			if at := c.place[t]; at <= int32(i) {
				for _, x := range c.order[at : i+1] {
					c.depth[x] = min(c.depth[x]+1, 6)
				}
			}
		}
	}
}

// hasEffect reports whether an instruction is needed even if nobody uses what it makes.
func hasEffect(in *code.Ins) bool {
	switch in.Op {
	case code.Load:
		return in.Volatile // lowering asks for nil pointers, so nobody misses another one
	case code.RMW, code.CmpXchg, code.Call, code.Store:
		return true
	case code.AddCarry, code.SubBorrow, code.MulOverflow, code.MulWide, code.Min, code.Max, code.CountLeading, code.CountTrailing,
		code.PopCount, code.ByteSwap, code.EqualBytes, code.SignBits, code.RotateLeft, code.RotateRight, code.FAbs, code.Sqrt,
		code.CopySign, code.TruncCPU,
		code.ReturnSlot, code.FrameAddress, code.ReturnAddress:
		return false
	}
	return in.Op >= code.Br
}

// need finds the instructions that are needed, and compares that are part of the branch behind.
func (c *flow) need() {
	f := c.f
	n := len(f.Ins)
	c.live = grow(c.live, n, false)
	c.owner = grow(c.owner, n, 0)
	c.fusedAt = grow(c.fusedAt, n, -1)
	c.def = grow(c.def, len(f.Classes), -1)
	c.home = grow(c.home, len(f.Classes), 0)
	c.allocas = grow(c.allocas, len(f.Classes), 0)
	counts := grow(c.work, len(f.Classes), 0)
	for _, b := range c.order {
		for i := f.Blocks[b].First; i < f.Blocks[b].End; i++ {
			in := &f.Ins[i]
			c.owner[i] = b
			for r := range c.results(in) {
				c.def[in.Result+r], c.home[in.Result+r] = i, b
			}
			if in.Op == code.Alloca {
				if in.Scale > 16 {
					code.Fail("a variable that is aligned to %d", in.Scale)
				}
				c.frame = (c.frame + int32(in.Disp) + in.Scale - 1) &^ (in.Scale - 1)
				if in.Disp > 1<<20 {
					code.Fail("a variable of %d bytes", in.Disp)
				}
				c.allocas[in.Result] = -c.frame
			}
		}
	}
	stack := make([]int32, 0, 64)
	mark := func(o code.Operand) {
		if o < 0 {
			return
		}
		counts[o]++
		if d := c.def[o]; d >= 0 && !c.live[d] {
			c.live[d] = true
			stack = append(stack, d)
		}
	}
	for _, b := range c.order {
		for i := f.Blocks[b].First; i < f.Blocks[b].End; i++ {
			if hasEffect(&f.Ins[i]) && !c.live[i] {
				c.live[i] = true
				stack = append(stack, i)
			}
			for len(stack) > 0 {
				d := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				c.eachOperand(&f.Ins[d], c.owner[d], mark)
			}
		}
	}
	c.fuseCompares(counts)
	c.fuseLoads(counts)
	c.work = counts
}

// An addr is an address, taken apart.
type addr struct {
	base, index code.Operand
	hasIndex    bool
	scale       int32
	disp        int64
}

// addressOf takes apart the address o + disp, which an instruction of block b uses.
func (c *flow) addressOf(o code.Operand, disp int64, b int32) addr {
	x := addr{base: o, disp: disp, scale: 1}
	for x.base >= 0 {
		d := c.def[x.base]
		if d < 0 {
			break
		}
		in := &c.f.Ins[d]
		if in.Op != code.Addr || x.disp+in.Disp != int64(int32(x.disp+in.Disp)) {
			break
		}
		if in.Count == 2 {
			if x.hasIndex || c.home[x.base] != b {
				break
			}
			if k, ok := c.isConst(c.f.Args[in.Args]); ok && k.Kind == code.Thread {
				break
			}
			x.hasIndex, x.index, x.scale = true, c.f.Args[in.Args+1], in.Scale
		}
		x.disp += in.Disp
		x.base = c.f.Args[in.Args]
	}
	return x
}

// memArg is which operand of an instruction is an address that it accesses, -1: none.
func memArg(in *code.Ins) int32 {
	switch in.Op {
	case code.Load, code.RMW, code.CmpXchg:
		return 0
	case code.Store:
		return 1
	}
	return -1
}

// eachOperand calls do for the values and constants that an instruction uses, addresses taken apart
// and a compare that is part of it included.
func (c *flow) eachOperand(in *code.Ins, b int32, do func(code.Operand)) {
	m := memArg(in)
	for k, o := range c.args(in) {
		if int32(k) == m {
			x := c.addressOf(o, in.Disp, b)
			do(x.base)
			if x.hasIndex {
				do(x.index)
			}
			continue
		}
		do(o)
	}
}
