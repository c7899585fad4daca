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

// rangeLoads are the two places of a loop over a function where its state is read.
type rangeLoads struct {
	entry  map[*mid.UnOp]bool       // in the body, at its beginning
	resume map[*mid.UnOp]bool       // after the iterator has returned
	panics map[*mid.Panic]*mid.UnOp // the panics of both, and what was read before
}

// findRangeLoads fills b.ranges. The blocks that panic are known by their roles;
// they follow the comparison with what was read.
func (b *fn) findRangeLoads() {
	for _, blk := range b.f.Body() {
		entry := blk.Role == mid.YieldInvalid
		if !entry && blk.Role != mid.LoopBusy || len(blk.Preds) != 1 {
			continue
		}
		branch, isIf := blk.Preds[0].Instrs[len(blk.Preds[0].Instrs)-1].(*mid.If)
		end, isPanic := blk.Instrs[len(blk.Instrs)-1].(*mid.Panic)
		if !isIf || !isPanic {
			continue
		}
		load := branch.Cond.(*mid.BinOp).X.(*mid.UnOp)
		if b.ranges.panics == nil {
			b.ranges = rangeLoads{map[*mid.UnOp]bool{}, map[*mid.UnOp]bool{}, map[*mid.Panic]*mid.UnOp{}}
		}
		b.ranges.panics[end] = load
		if entry {
			b.ranges.entry[load] = true
		} else {
			b.ranges.resume[load] = true
		}
	}
}

// nextRangeState stores the state that follows the one that in has read: at the beginning of the
// body it is busy in any case, so that an iterator that recovers from the panic about a wrong call
// is found out when it returns; after the iterator it is done, unless the body has panicked.
func (b *fn) nextRangeState(in *mid.UnOp) {
	switch {
	case b.ranges.entry[in]:
		b.Store(ir.Int(ir.I64, jumpBusy), b.operand(in.X), 0)
	case b.ranges.resume[in]:
		busy := b.ICmp(ir.EQ, b.operand(in), ir.Int(ir.I64, jumpBusy))
		b.Store(b.Select(busy, ir.Int(ir.I64, jumpBusy), ir.Int(ir.I64, jumpDone)), b.operand(in.X), 0)
	}
}

// rangePanic emits the panic of a loop over a function in place of mid's, and reports whether in
// is one.
func (b *fn) rangePanic(in *mid.Panic) bool {
	load, ok := b.ranges.panics[in]
	if !ok {
		return false
	}
	state := ir.Int(ir.I64, rangeMissingPanic)
	if b.ranges.entry[load] {
		read := b.operand(load)
		ended := b.Select(b.ICmp(ir.EQ, read, ir.Int(ir.I64, jumpDone)), ir.Int(ir.I64, rangeExhausted), ir.Int(ir.I64, rangeDone))
		state = b.Select(b.ICmp(ir.EQ, read, ir.Int(ir.I64, jumpBusy)), ir.Int(ir.I64, rangePanicked), ended)
	}
	b.trapCall("panicrangestate", state)
	return true
}
