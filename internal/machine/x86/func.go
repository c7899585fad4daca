// Package x86 makes machine code for x86-64 of functions that package code has read.
//
// A function goes through five steps, each once over its instructions: blocks are put in order,
// what is needed is found and operands in memory are folded into what uses them (order.go,
// fuse.go),
// values get the stretch of code in which they live (live.go), then a register or a slot of the
// frame for all of it (registers.go), and instructions are encoded one by one (emit.go and others).
package x86

import "loam/internal/machine/code"

// A Compiler compiles functions one after another into one text.
type Compiler struct {
	operands
	outgoing int32     // bytes for arguments of calls
	keptAt   [16]int32 // where the frame has what registers held for the caller
	lastLoc  int32
	turning  bool // a block is written once more
	bare     bool // the function has no frame
	blockAt  []Label
	cold     []func() // write what seldom runs
	points   []func() // write what is behind the code
	Lines    []Line
	// Push is where the frame pointer is pushed, -1: nowhere. Tops are where the return address is on
	// top behind that.
	Push int32
	Tops []Span
}

// A Line says where code from a place on is in the source.
type Line struct {
	At  int32
	Loc int32
}

// A Span is a part of the code.
type Span struct{ Low, High int32 }

// NewCompiler returns a compiler of a module's functions.
func NewCompiler() *Compiler {
	c := &Compiler{}
	c.members = map[int32]*member{}
	return c
}

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

// InFrame is how far from the frame pointer a variable of the frame is; 0 if o is the address of
// none, or the function has no frame.
func (c *Compiler) InFrame(o code.Operand) int32 {
	if o < 0 || c.bare {
		return 0
	}
	return c.allocas[o]
}
