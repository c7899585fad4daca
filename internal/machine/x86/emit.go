package x86

import "loam/internal/machine/code"

// unchecked is the size of frames that have room below the stack limit.
const unchecked = 256

// emit writes the function: entry, blocks, and behind them what seldom runs.
func (c *Compiler) emit() {
	f := c.f
	c.outgoing = c.outgoingBytes()
	if c.resumes {
		for _, r := range kept {
			c.saved[r] = true
		}
	}
	c.frame = (c.frame + 7) &^ 7
	for _, r := range kept {
		if c.saved[r] {
			c.frame += 8
			c.keptAt[r] = -c.frame
		}
	}
	total := (c.frame + c.outgoing + 15) &^ 15
	c.bare = total == 0 && c.needsNoFrame()
	c.Lines = append(c.Lines, Line{0, -1})
	c.entry(total)
	for _, r := range kept {
		if c.saved[r] {
			c.store(code.I64, r, at(RBP, c.keptAt[r]))
		}
	}
	c.takeParams()
	c.blockAt = grow(c.blockAt, len(f.Blocks), -1)
	for _, b := range c.order {
		c.blockAt[b] = c.label()
	}
	c.lastLoc = -1
	for k, b := range c.order {
		next := int32(-1)
		if k+1 < len(c.order) {
			next = c.order[k+1]
		}
		c.bind(c.blockAt[b])
		c.block(b, next)
	}
	for i := 0; i < len(c.cold); i++ {
		c.cold[i]()
	}
}

// block writes the instructions of a block. next is the one that is written behind them.
func (c *Compiler) block(b, next int32) {
	f := c.f
	blk := f.Blocks[b]
	for i := blk.First; i < blk.End; i++ {
		in := &f.Ins[i]
		if c.pos[i] < 0 || c.fusedAt[i] >= 0 || in.Op == code.Phi {
			continue
		}
		if loc := c.lineOf(in); loc != c.lastLoc && loc >= 0 {
			c.lastLoc = loc
			c.Lines = append(c.Lines, Line{int32(len(c.B)), loc})
		}
		c.now = c.pos[i]
		if in.Op == code.Ret {
			c.ret(in)
			c.leave()
			c.Tops = append(c.Tops, Span{int32(len(c.B)), int32(len(c.B) + 1)})
			c.byte(0xC3)
			continue
		}
		if in.Op == code.Call && f.Calls[in.Aux].Tail && c.tail(in, i, blk.End) {
			break
		}
		if in.Op >= code.Br && in.Op <= code.Unreachable {
			c.branch(in, b, next)
			continue
		}
		c.instruction(in, b)
	}
}

// leave takes the frame down.
func (c *Compiler) leave() {
	if c.bare {
		return
	}
	for _, r := range kept {
		if c.saved[r] {
			c.load(code.I64, r, at(RBP, c.keptAt[r]))
		}
	}
	c.byte(0xC9) // leave
}

// needsNoFrame reports whether a function without variables in memory calls nothing, or does
// nothing but go on to another.
func (c *Compiler) needsNoFrame() bool {
	if !c.f.Attrs.Bare || c.f.Attrs.Clear || len(c.calls) > 0 && !c.forwards() || c.stackArgs() > 0 {
		return false
	}
	for i := range c.f.Ins {
		if op := c.f.Ins[i].Op; op == code.FrameAddress || op == code.ReturnAddress {
			return false
		}
	}
	return true
}

// forwards reports whether the function is one block with one call, to which it jumps.
func (c *Compiler) forwards() bool {
	if len(c.f.Blocks) != 1 || len(c.calls) != 1 {
		return false
	}
	b := c.f.Blocks[0]
	i := b.End - 2
	return i >= b.First && c.f.Ins[i].Op == code.Call && c.f.Calls[c.f.Ins[i].Aux].Tail && c.isTail(i, b.End)
}

// entry writes the stack check and makes the frame.
func (c *Compiler) entry(total int32) {
	if c.bare {
		c.Push = -1
		return
	}
	if c.f.Attrs.SplitStack {
		limit := Mem{Base: NoReg, Index: NoReg, Thread: true, Disp: 0x70, Symbol: -1}
		if total+8 < unchecked {
			c.aluRM(aluCmp, code.I64, RSP, limit)
		} else {
			c.rm(0x8D|wide, R11, at(RSP, -(total+8)))
			c.aluRM(aluCmp, code.I64, R11, limit)
		}
		more, back := c.label(), c.label()
		c.jcc(condBE, more)
		c.bind(back)
		nest, args := c.f.Nest >= 0, c.stackArgs()
		c.cold = append(c.cold, func() {
			c.Lines = append(c.Lines, Line{int32(len(c.B)), -1})
			c.bind(more)
			lo := int32(len(c.B))
			defer func() { c.Tops = append(c.Tops, Span{lo, int32(len(c.B))}) }()
			if nest {
				c.mov(RAX, R10)
			}
			c.constant(R10, int64(total+8))
			c.constant(R11, int64(args))
			c.call(c.symbol("__morestack"))
			c.byte(0xC3)
			if nest {
				c.mov(R10, RAX)
			}
			c.jmp(back)
		})
	}
	c.Push = int32(len(c.B))
	c.byte(0x55)
	c.mov(RBP, RSP)
	if total == 0 {
		return
	}
	if c.f.Attrs.Clear {
		c.constant(RAX, int64(total))
		c.call(c.symbol("loam.clear_frame"))
	}
	c.aluRI(aluSub, code.I64, RSP, total)
}

// takeParams moves parameters from where they come in to where they live.
func (c *Compiler) takeParams() {
	f := c.f
	var moves, late []move
	ints, xmm, off := 0, 0, int32(16)
	for i, v := range f.Params {
		from := nowhere
		switch {
		case int32(i) == f.Nest:
			from = loc(R10)
		case f.Classes[v].IsFloat():
			if xmm < 8 {
				from = loc(XMM0) + loc(xmm)
			}
			xmm++
		default:
			if ints < 6 {
				from = loc(intArgs[ints])
			}
			ints++
		}
		if from == nowhere {
			late = append(late, move{to: c.loc[v], from: frameLoc(off)})
			off += 8
			continue
		}
		moves = append(moves, move{to: c.loc[v], from: from})
	}
	c.parallel(moves, RAX)
	c.parallel(late, RAX)
}

// outgoingBytes is how much memory the arguments of calls need.
func (c *Compiler) outgoingBytes() (most int32) {
	for i := range c.f.Ins {
		in := &c.f.Ins[i]
		if in.Op == code.Call && c.pos[i] >= 0 {
			n := int32(0)
			c.eachArg(in, func(_ code.Operand, to loc) {
				if !to.isReg() {
					n += 8
				}
			})
			most = max(most, n)
		}
	}
	return most
}

// callArgs puts the arguments of a call into their places, and the callee into R11 if it is a
// value.
func (c *Compiler) callArgs(in *code.Ins) {
	var moves []move
	off := int32(0)
	c.eachArg(in, func(o code.Operand, to loc) {
		if to.isReg() {
			moves = append(moves, c.moveOf(to, o))
			return
		}
		if n, ok := c.imm(o, code.I64); ok {
			c.storeImm(code.I64, at(RSP, off), n)
		} else if c.operandClass(o).IsFloat() {
			c.store(code.F64, c.reg(o, XMM15), at(RSP, off))
		} else {
			c.store(code.I64, c.reg(o, RAX), at(RSP, off))
		}
		off += 8
	})
	if c.f.Calls[in.Aux].Symbol < 0 {
		c.copyTo(R11, c.args(in)[0])
	}
	c.parallel(moves, RAX)
}

var (
	intResults   = []Reg{RAX, RDX, RCX}
	floatResults = []Reg{XMM0, XMM1}
)

func (c *Compiler) callIns(in *code.Ins) {
	c.callArgs(in)
	c.clearSlots(c.clearingHere())
	info := &c.f.Calls[in.Aux]
	if info.Symbol < 0 {
		c.ext(0xFF, 2, R11)
	} else {
		c.call(info.Symbol)
	}
	ints, xmm := 0, 0
	var moves []move
	for r := range c.results(in) {
		v := in.Result + r
		var from Reg
		if c.f.Classes[v].IsFloat() {
			if xmm == len(floatResults) {
				code.Fail("results")
			}
			from = floatResults[xmm]
			xmm++
		} else {
			if ints == len(intResults) {
				code.Fail("results")
			}
			from = intResults[ints]
			ints++
		}
		moves = append(moves, move{to: c.loc[v], from: loc(from)})
	}
	c.parallel(moves, R11)
}

func (c *Compiler) ret(in *code.Ins) {
	ints, xmm := 0, 0
	var moves []move
	for k, o := range c.args(in) {
		if c.f.Results[k].IsFloat() {
			moves = append(moves, c.moveOf(loc(floatResults[xmm]), o))
			xmm++
		} else {
			moves = append(moves, c.moveOf(loc(intResults[ints]), o))
			ints++
		}
	}
	c.parallel(moves, R11)
}

// isTail reports whether the call at i is the last of its block, which ends at end, the function
// returns what it returns, and no argument is on the stack.
func (c *Compiler) isTail(i, end int32) bool {
	in := &c.f.Ins[i]
	if c.f.Attrs.SplitStack && len(c.allocaList()) > 0 || i != end-2 || c.f.Ins[i+1].Op != code.Ret {
		return false
	}
	for k, o := range c.args(&c.f.Ins[i+1]) {
		if o != in.Result+int32(k) {
			return false
		}
	}
	stack := false
	c.eachArg(in, func(_ code.Operand, to loc) { stack = stack || !to.isReg() })
	return !stack
}

// tail jumps to a function instead of calling it, if that can be done.
func (c *Compiler) tail(in *code.Ins, i, end int32) bool {
	if !c.isTail(i, end) {
		return false
	}
	c.callArgs(in)
	c.leave()
	lo := int32(len(c.B))
	defer func() { c.Tops = append(c.Tops, Span{lo, int32(len(c.B))}) }()
	if s := c.f.Calls[in.Aux].Symbol; s >= 0 {
		c.jmpSymbol(s)
	} else {
		c.ext(0xFF, 4, R11)
	}
	return true
}

func (c *Compiler) allocaList() (list []int32) {
	for v, off := range c.allocas {
		if off != 0 {
			list = append(list, int32(v))
		}
	}
	return list
}

// edge returns the moves that phis need where control goes from a block to another.
func (c *Compiler) edge(from, to int32) (moves []move) {
	blk := c.f.Blocks[to]
	for i := blk.First; i < blk.End; i++ {
		in := &c.f.Ins[i]
		if in.Op != code.Phi {
			if in.Op == code.Copy {
				continue
			}
			break
		}
		if c.pos[i] < 0 {
			continue
		}
		for k, o := range c.args(in) {
			if c.f.Targets[in.Aux+int32(k)] == from {
				m := c.moveOf(c.loc[in.Result], o)
				if m.to != nowhere && m.to != m.from {
					moves = append(moves, m)
				}
				break
			}
		}
	}
	return moves
}

// follow goes on at a block.
func (c *Compiler) follow(from, to, next int32) {
	c.parallel(c.edge(from, to), R11)
	switch {
	case to == next:
	case c.turns(from, to):
		c.turning = true
		c.block(to, next)
		c.turning = false
	default:
		c.jmp(c.blockAt[to])
	}
}

// mostRepeated is how many instructions of a loop's head are written once more at its end.
const mostRepeated = 6

// turns reports whether a loop goes back here to a short head that decides whether it ends. It is
// written once more in place of the jump: values are in the same places there.
func (c *Compiler) turns(from, to int32) bool {
	if c.turning || c.place[to] > c.place[from] {
		return false
	}
	blk, n := c.f.Blocks[to], 0
	if c.f.Ins[blk.End-1].Op != code.CondBr {
		return false
	}
	for i := blk.First; i < blk.End; i++ {
		if in := &c.f.Ins[i]; c.pos[i] >= 0 && in.Op != code.Phi {
			if in.Op == code.Call || in.Op >= code.MemSet {
				return false
			}
			n++
		}
	}
	return n <= mostRepeated
}

// way returns a label that leads to a block, behind the moves that phis need.
func (c *Compiler) way(from, to int32) Label {
	moves := c.edge(from, to)
	if len(moves) == 0 {
		return c.blockAt[to]
	}
	l := c.label()
	c.cold = append(c.cold, func() {
		c.bind(l)
		c.parallel(moves, R11)
		c.jmp(c.blockAt[to])
	})
	return l
}

// branch writes the end of a block.
func (c *Compiler) branch(in *code.Ins, b, next int32) {
	to := c.targets(b)
	switch in.Op {
	case code.Br:
		c.follow(b, to[0], next)
	case code.Unreachable:
		c.byte(0x0F, 0x0B)
	case code.CondBr:
		cc, both := c.condition(in)
		yes, no := to[0], to[1]
		if yes == next && both == plain && len(c.edge(b, yes)) == 0 {
			c.jcc(cc.not(), c.way(b, no))
			return
		}
		switch l := c.way(b, yes); both {
		case plain:
			c.jcc(cc, l)
		case orParity:
			c.jcc(condP, l)
			c.jcc(cc, l)
		case andNoParity:
			skip := c.label()
			c.jcc(condP, skip)
			c.jcc(cc, l)
			c.bind(skip)
		}
		c.follow(b, no, next)
	case code.Switch:
		c.choose(in, b, next)
	case code.SaveResume:
		c.saveResume(in, b, next)
	}
}

// saveResume notes in a DeferFrame where the function is to go on if it has recovered.
func (c *Compiler) saveResume(in *code.Ins, b, next int32) {
	args, to := c.args(in), c.targets(b)
	frame := c.reg(args[0], RCX)
	c.store(code.I64, RSP, at(frame, 0x10))
	c.extm(0xC7|wide, 0, at(frame, 0x18))
	point := len(c.Relocs)
	c.reloc(Abs32S, -1, 0)
	c.imm32(0)
	only := int64(len(args) - 1)
	resume := c.blockAt[to[1]]
	c.points = append(c.points, func() {
		for len(c.B)%8 != 0 {
			c.byte(0)
		}
		c.Relocs[point].Add = int64(len(c.B)) + only
		c.reloc(Abs64, -1, int64(c.labels[resume]))
		c.byte(0, 0, 0, 0, 0, 0, 0, 0)
		if only != 0 {
			k, ok := c.isConst(args[1])
			if !ok || k.Kind != code.SymbolAt {
				code.Fail("a resume point without the thunk's address")
			}
			c.reloc(Abs64, k.Symbol, k.N)
			c.byte(0, 0, 0, 0, 0, 0, 0, 0)
		}
	})
	c.follow(b, to[0], next)
}
