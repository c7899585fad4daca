package x86

import "loam/internal/machine/code"

// intArgs are the registers of the first arguments that are no floats.
var intArgs = []Reg{RDI, RSI, RDX, RCX, R8, R9}

// flow is a function with its blocks in the order in which they are written, and which of its
// instructions are needed, and which are parts of others.
type flow struct {
	m *code.Module
	f *code.Func

	order   []int32 // reachable blocks
	place   []int32 // of a block in order, -1: not reached
	preds   [][]int32
	depth   []uint8
	owner   []int32 // of instructions: their blocks
	live    []bool  // instructions that are needed
	fusedAt []int32 // of instructions: the one that they are part of, -1: none
	def     []int32 // of values: the instruction that makes them
	home    []int32 // of values: the block that makes them
	allocas []int32 // by value: the place in the frame, 0 for others
	frame   int32   // bytes that are in use
	work    []int32
}

// loc is where a value is: a register, or a place relative to the frame pointer.
type loc int32

const (
	nowhere loc = -1
	inFrame loc = 1 << 28
)

func frameLoc(off int32) loc { return inFrame + loc(off) }
func (l loc) isReg() bool    { return l >= 0 && l < 32 }
func (l loc) mem() Mem       { return at(RBP, int32(l-inFrame)) }

func (c *flow) symbol(name string) int32 { return c.m.Symbol(name) }

// isConst returns the constant that an operand is.
func (c *flow) isConst(o code.Operand) (*code.Const, bool) {
	if o >= 0 {
		return nil, false
	}
	return &c.f.Consts[^o], true
}

func (c *flow) isInt(o code.Operand) (int64, bool) {
	if k, ok := c.isConst(o); ok && k.Kind == code.Int {
		return k.N, true
	}
	return 0, false
}

func (c *flow) args(in *code.Ins) []code.Operand {
	return c.f.Args[in.Args : in.Args+in.Count]
}

// targets are where a block goes on.
func (c *flow) targets(b int32) []int32 {
	in := &c.f.Ins[c.f.Blocks[b].End-1]
	switch in.Op {
	case code.Br:
		return c.f.Targets[in.Aux : in.Aux+1]
	case code.CondBr, code.SaveResume:
		return c.f.Targets[in.Aux : in.Aux+2]
	case code.Switch:
		return c.f.Targets[in.Aux : in.Aux+1+in.Scale]
	}
	return nil
}

// results is how many values an instruction makes.
func (c *flow) results(in *code.Ins) int32 {
	switch {
	case in.Result < 0:
		return 0
	case in.Op == code.Call:
		return c.f.Calls[in.Aux].Results
	case in.Op == code.AddCarry, in.Op == code.SubBorrow, in.Op == code.MulOverflow, in.Op == code.MulWide,
		in.Op == code.CmpXchg, in.Op == code.Divide:
		return 2
	}
	return 1
}

// operandClass is the class of an operand.
func (c *flow) operandClass(o code.Operand) code.Class {
	if k, ok := c.isConst(o); ok {
		return k.Class
	}
	return c.f.Classes[o]
}

// eachArg calls do for the arguments of a call, with the register that it travels in. Others have
// no place.
func (c *flow) eachArg(in *code.Ins, do func(o code.Operand, to loc)) {
	info := &c.f.Calls[in.Aux]
	args := c.args(in)
	first := 0
	if info.Symbol < 0 {
		first = 1
	}
	ints, xmm := 0, 0
	for k := first; k < len(args); k++ {
		o := args[k]
		to := nowhere
		switch {
		case int32(k) == info.Nest:
			to = loc(R10)
		case c.operandClass(o).IsFloat():
			if xmm < 8 {
				to = loc(XMM0) + loc(xmm)
			}
			xmm++
		default:
			if ints < 6 {
				to = loc(intArgs[ints])
			}
			ints++
		}
		do(o, to)
	}
}

func grow[T any](list []T, n int, v T) []T {
	if cap(list) < n {
		list = make([]T, n+n/2)
	}
	list = list[:n]
	for i := range list {
		list[i] = v
	}
	return list
}
