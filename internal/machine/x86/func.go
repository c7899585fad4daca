// Package x86 makes machine code for x86-64 of functions that package code has read.
//
// A function goes through five steps, each once over its instructions: blocks are put in order,
// what is needed is found and addresses are folded into what uses them (order.go), values get the
// stretch of code in which they live (live.go), then a register or a slot of the frame for all of it
// (registers.go), and instructions are encoded one by one (emit.go and its neighbours).
package x86

import "loam/internal/machine/code"

// A Compiler compiles functions one after another into one text.
type Compiler struct {
	Assembler
	m *code.Module
	f *code.Func

	order    []int32 // reachable blocks
	place    []int32 // of a block in order, -1: not reached
	preds    [][]int32
	depth    []uint8
	owner    []int32 // of instructions: their blocks
	live     []bool  // instructions that are needed
	def      []int32
	home     []int32 // of values: the block that makes them
	fusedAt  []int32 // of instructions: the one that they are part of, -1: none
	pos      []int32 // of instructions
	begin    []int32 // positions of blocks
	end      []int32
	from, to []int32 // where values live; from -1: nowhere
	weight   []float32
	calls    []int32 // positions that change registers
	all      []int32 // those of them that change all
	clears   []clearing
	members  map[int32]*member
	pairs    [][2]int32
	values   []int32 // in the order in which they begin
	loc      []loc
	hint     []Reg
	uses     []use
	work     []int32
	allocas  []int32 // by value: the place in the frame, 0 for others
	frame    int32
	outgoing int32
	saved    [16]bool
	keptAt   [16]int32 // where the frame has what they held
	lastLoc  int32
	turning  bool // a block is written once more
	bare     bool // the function has no frame
	resumes  bool
	blockAt  []Label
	cold     []func()
	Lines    []Line
	points   []func()
	numbers  []number
	// Push is where the frame pointer is pushed, -1: nowhere, and Tops where the return address is on top behind that.
	Push int32
	now  int32 // position of the instruction that is written
	Tops []Span
}

// A Line says where code from a place on is in the source.
type Line struct {
	At  int32
	Loc int32
}

// A Span is a part of the code.
type Span struct{ Low, High int32 }

// A use is of a value that another block makes.
type use struct{ value, block, pos int32 }

// loc is where a value is: a register, or a place relative to the frame pointer.
type loc int32

const (
	nowhere loc = -1
	inFrame loc = 1 << 28
)

func frameLoc(off int32) loc { return inFrame + loc(off) }
func (l loc) isReg() bool    { return l >= 0 && l < 32 }
func (l loc) mem() Mem       { return at(RBP, int32(l-inFrame)) }

// NewCompiler returns a compiler of a module's functions.
func NewCompiler() *Compiler { return &Compiler{members: map[int32]*member{}} }

// Function compiles a function. Code, relocations and lines are in c until the next one. size is
// where the code ends and constants begin.
func (c *Compiler) Function(m *code.Module, f *code.Func) (size int32) {
	c.m, c.f = m, f
	c.reset()
	c.cold, c.Lines, c.points = c.cold[:0], c.Lines[:0], c.points[:0]
	c.Tops, c.numbers = c.Tops[:0], c.numbers[:0]
	c.frame, c.outgoing, c.resumes = 0, 0, false
	c.saved = [16]bool{}
	c.arrange()
	c.need()
	c.lives()
	c.allocate()
	c.emit()
	size = int32(len(c.B))
	for _, p := range c.points {
		p()
	}
	c.writeNumbers()
	c.resolve()
	return size
}

func (c *Compiler) symbol(name string) int32 { return c.m.Symbol(name) }

// isConst returns the constant that an operand is.
func (c *Compiler) isConst(o code.Operand) (*code.Const, bool) {
	if o >= 0 {
		return nil, false
	}
	return &c.f.Consts[^o], true
}

func (c *Compiler) isInt(o code.Operand) (int64, bool) {
	if k, ok := c.isConst(o); ok && k.Kind == code.Int {
		return k.N, true
	}
	return 0, false
}

func (c *Compiler) args(in *code.Ins) []code.Operand {
	return c.f.Args[in.Args : in.Args+in.Count]
}

// targets are where a block goes on.
func (c *Compiler) targets(b int32) []int32 {
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
func (c *Compiler) results(in *code.Ins) int32 {
	switch {
	case in.Result < 0:
		return 0
	case in.Op == code.Call:
		return c.f.Calls[in.Aux].Results
	case in.Op == code.AddCarry, in.Op == code.SubBorrow, in.Op == code.MulOverflow, in.Op == code.MulWide, in.Op == code.CmpXchg, in.Op == code.Divide:
		return 2
	}
	return 1
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
