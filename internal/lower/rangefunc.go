package lower

import (
	"loam/internal/ir"
	"loam/internal/mid"
)

// A loop over a function keeps its state in a variable: ready, busy while
// its body runs or after that panicked, done after the iterator has returned, or the number of the
// exit that the body took. When an iterator calls the body in another state than ready, or returns
// in state busy, the program panics. What mid says of it differs from gc in two ways that a program
// can tell (cmd/compile/internal/rangefunc's tests): it panics with strings of its own instead of a
// runtime.Error that says what was done wrong, and it leaves the state as it was, so that an
// iterator may recover from that panic and return as if nothing had happened, or call the body
// after it has returned and be told that the loop has ended early.

// The states that mid gives the variable.
const (
	jumpBusy = -1
	jumpDone = -2
)

// What the run-time system's panicrangestate is told: values of internal/abi.RF_State.
const (
	rangeDone         = 0 // the body has ended the loop
	rangePanicked     = 2 // the body runs, or has panicked
	rangeExhausted    = 3 // the iterator has returned
	rangeMissingPanic = 4 // the iterator returned though the body panicked
)

// nextRangeState stores the state that follows the one that in has read: at the beginning of the
// body it is busy in any case, so that an iterator that recovers from the panic about a wrong call
// is found out when it returns; after the iterator it is done, unless the body has panicked.
func (b *branches) nextRangeState(in *mid.UnOp) {
	switch {
	case b.plan.States.Entry[in]:
		b.Store(ir.Int(ir.I64, jumpBusy), b.operand(in.X), 0)
	case b.plan.States.Resume[in]:
		busy := b.ICmp(ir.EQ, b.operand(in), ir.Int(ir.I64, jumpBusy))
		b.Store(b.Select(busy, ir.Int(ir.I64, jumpBusy), ir.Int(ir.I64, jumpDone)), b.operand(in.X), 0)
	}
}

// rangePanic emits the panic of a loop over a function in place of mid's, and reports whether in
// is one.
func (b *branches) rangePanic(in *mid.Panic) bool {
	load, ok := b.plan.States.Panics[in]
	if !ok {
		return false
	}
	state := ir.Int(ir.I64, rangeMissingPanic)
	if b.plan.States.Entry[load] {
		read := b.operand(load)
		ended := b.Select(b.ICmp(ir.EQ, read, ir.Int(ir.I64, jumpDone)), ir.Int(ir.I64, rangeExhausted), ir.Int(ir.I64, rangeDone))
		state = b.Select(b.ICmp(ir.EQ, read, ir.Int(ir.I64, jumpBusy)), ir.Int(ir.I64, rangePanicked), ended)
	}
	b.trapCall("panicrangestate", state)
	return true
}
