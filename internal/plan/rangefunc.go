package plan

import "loam/internal/mid"

// LoopStates are the two places of a loop over a function where its state is read.
type LoopStates struct {
	Entry  map[*mid.UnOp]bool       // in the body, at its beginning
	Resume map[*mid.UnOp]bool       // after the iterator has returned
	Panics map[*mid.Panic]*mid.UnOp // the panics of both, and what was read before
}

// findLoopStates finds where f reads the states of its loops. The blocks that panic are known by
// their roles; they follow the comparison with what was read.
func findLoopStates(f *mid.Func) (s LoopStates) {
	for _, blk := range f.Body() {
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
		if s.Panics == nil {
			s = LoopStates{map[*mid.UnOp]bool{}, map[*mid.UnOp]bool{}, map[*mid.Panic]*mid.UnOp{}}
		}
		s.Panics[end] = load
		if entry {
			s.Entry[load] = true
		} else {
			s.Resume[load] = true
		}
	}
	return s
}
