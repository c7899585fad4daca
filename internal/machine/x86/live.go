package x86

import "loam/internal/machine/code"

// Sizes up to which memory is cleared and copied in line.
const (
	mostCleared = 256
	mostCopied  = 64
)

// lifetimes are where the values of a function live.
type lifetimes struct {
	flow
	pos      []int32 // of instructions
	begin    []int32 // positions of blocks
	end      []int32
	from, to []int32 // where values live; from -1: nowhere
	weight   []float32
	calls    []int32 // positions that change registers
	all      []int32 // those that change what a function keeps for its caller
	clears   []clearing
	members  map[int32]*member
	pairs    [][2]int32
	values   []int32 // in the order in which they begin
	hint     []Reg
	uses     []use
	resumes  bool // registers that are kept for the caller get lost
}

// A use is of a value that another block makes.
type use struct{ value, block, pos int32 }

// lives finds from where to where in the order each value lives. Positions are even where an
// instruction reads, and odd where it writes.
func (c *lifetimes) lives() {
	f := c.f
	c.pos = grow(c.pos, len(f.Ins), -1)
	c.begin = grow(c.begin, len(f.Blocks), 0)
	c.end = grow(c.end, len(f.Blocks), 0)
	c.from = grow(c.from, len(f.Classes), -1)
	c.to = grow(c.to, len(f.Classes), -1)
	c.weight = grow(c.weight, len(f.Classes), 0)
	c.hint = grow(c.hint, len(f.Classes), NoReg)
	c.calls, c.all, c.values, c.uses = c.calls[:0], c.all[:0], c.values[:0], c.uses[:0]
	c.clears = c.clears[:0]
	clear(c.members)
	at, cleared := int32(2), int32(-1)
	for _, v := range f.Params {
		c.from[v], c.to[v] = 0, 1
		c.home[v] = 0
		c.values = append(c.values, v)
	}
	for _, b := range c.order {
		c.begin[b] = at
		at += 2
		for i := f.Blocks[b].First; i < f.Blocks[b].End; i++ {
			in := &f.Ins[i]
			if !c.live[i] || in.Op == code.Alloca {
				continue
			}
			c.pos[i] = at
			if c.fusedAt[i] >= 0 {
				continue
			}
			s := at + 1
			if in.Op == code.Phi {
				s = c.begin[b]
			}
			for r := range c.results(in) {
				v := in.Result + r
				c.from[v], c.to[v] = s, s
				c.values = append(c.values, v)
			}
			switch in.Op {
			case code.Resumed:
				c.calls = append(c.calls, at)
				c.all = append(c.all, at)
				c.resumes = true
			case code.ClearKept, code.ClearUnused:
				c.all = append(c.all, at)
				c.resumes = true
				c.clears = append(c.clears, clearing{b, at, map[int32]bool{}})
				cleared = b
			case code.Call:
				// What the call takes out of the frame is dead in it from then on.
				c.calls = append(c.calls, at)
				if cleared >= 0 && (cleared == b || len(c.preds[b]) == 1 && c.preds[b][0] == cleared) {
					c.clears = append(c.clears, clearing{b, at, map[int32]bool{}})
				}
				cleared = -1
			default:
				if c.isCall(in) {
					c.calls = append(c.calls, at)
				}
			}
			at += 2
		}
		c.end[b] = at
		at += 2
	}
	c.hints()
	c.join()
	for _, b := range c.order {
		w := float32(int(1) << (3 * c.depth[b]))
		for i := f.Blocks[b].First; i < f.Blocks[b].End; i++ {
			in := &f.Ins[i]
			if c.pos[i] < 0 {
				continue
			}
			if in.Op == code.Phi {
				for k, o := range c.args(in) {
					p := f.Targets[in.Aux+int32(k)]
					if c.place[p] >= 0 {
						c.used(o, p, c.end[p]-2, w)
					}
				}
				c.weight[in.Result] += w
				continue
			}
			p := c.pos[i]
			if j := c.fusedAt[i]; j >= 0 {
				for c.fusedAt[j] >= 0 {
					j = c.fusedAt[j]
				}
				p = c.pos[j] + 1
			} else if sharesNothing(in) {
				p++
			}
			c.eachOperand(in, b, func(o code.Operand) { c.used(o, b, p, w) })
		}
	}
	c.spread()
	c.merge()
}

// sharesNothing reports whether the result of an instruction must not be where an operand is.
func sharesNothing(in *code.Ins) bool {
	switch in.Op {
	case code.Copy, code.Load, code.Add, code.Sub, code.Mul, code.And, code.Or, code.Xor, code.Addr, code.ICmp, code.ZExt, code.SExt,
		code.Call, code.Ret, code.Br, code.CondBr, code.Store, code.Shl, code.LShr, code.AShr:
		return false
	}
	return true
}

// used notes that an operand is used in a block.
func (c *lifetimes) used(o code.Operand, b, pos int32, w float32) {
	if o < 0 || c.from[o] < 0 {
		return
	}
	c.weight[o] += w
	c.to[o] = max(c.to[o], pos)
	c.needed(o, b, pos)
	if m := c.members[o]; m != nil {
		m.uses = append(m.uses, use{o, b, pos})
	}
	if c.home[o] != b || pos < c.from[o] {
		c.uses = append(c.uses, use{o, b, pos})
	}
}

// A clearing is a place where a frame may hold nothing but the values that live there.
type clearing struct {
	block, pos int32
	live       map[int32]bool
}

// needed notes that a value lives from where it is made, or from the beginning of block b, up to a
// position in b.
func (c *lifetimes) needed(v, b, pos int32) {
	for i := range c.clears {
		if x := &c.clears[i]; x.block == b && x.pos < pos && (c.home[v] != b || c.from[v] <= x.pos) {
			x.live[v] = true
		}
	}
}

// spread has values live through all blocks between where they are made and used.
func (c *lifetimes) spread() {
	if len(c.uses) == 0 {
		return
	}
	heads := grow(c.work, len(c.f.Classes), -1)
	next := make([]int32, len(c.uses))
	for i := range c.uses {
		v := c.uses[i].value
		next[i], heads[v] = heads[v], int32(i)
	}
	mark := make([]int32, len(c.f.Blocks))
	for i := range mark {
		mark[i] = -1
	}
	var stack []int32
	for v := range heads {
		if heads[v] < 0 {
			continue
		}
		home := c.home[v]
		for u := heads[v]; u >= 0; u = next[u] {
			b := c.uses[u].block
			if mark[b] == int32(v) {
				continue
			}
			mark[b] = int32(v)
			stack = append(stack, b)
		}
		for len(stack) > 0 {
			b := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			c.to[v] = max(c.to[v], c.begin[b]+1)
			if m := c.members[int32(v)]; m != nil {
				m.blocks = append(m.blocks, b)
			}
			for _, p := range c.preds[b] {
				c.to[v] = max(c.to[v], c.end[p])
				c.needed(int32(v), p, c.end[p])
				if p != home && mark[p] != int32(v) {
					mark[p] = int32(v)
					stack = append(stack, p)
				}
			}
		}
	}
	c.work = heads
}

// isCall reports whether an instruction changes the registers that callees may change.
func (c *lifetimes) isCall(in *code.Ins) bool {
	switch in.Op {
	case code.Call, code.Syscall:
		return true
	case code.MemSet:
		n, ok := c.isInt(c.args(in)[2])
		v, zero := c.isInt(c.args(in)[1])
		return !ok || !zero || v != 0 || n > mostCleared
	case code.MemMove:
		n, ok := c.isInt(c.args(in)[2])
		return !ok || n > mostCopied
	}
	return in.Op.IsWords()
}

// hints say where parameters come in, and where arguments of calls go.
func (c *lifetimes) hints() {
	for i := range c.f.Ins {
		if in := &c.f.Ins[i]; in.Op == code.Call && c.pos[i] >= 0 {
			c.eachArg(in, func(o code.Operand, to loc) {
				if o >= 0 && to.isReg() && c.hint[o] == NoReg {
					c.hint[o] = Reg(to)
				}
			})
		}
	}
	ints, xmm := 0, 0
	for i, v := range c.f.Params {
		switch {
		case int32(i) == c.f.Nest:
			c.hint[v] = R10
		case c.f.Classes[v].IsFloat():
			if xmm < 8 {
				c.hint[v] = XMM0 + Reg(xmm)
			}
			xmm++
		default:
			if ints < 6 {
				c.hint[v] = intArgs[ints]
			}
			ints++
		}
	}
}
