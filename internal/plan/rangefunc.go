package plan

import "loam/internal/mid"

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
