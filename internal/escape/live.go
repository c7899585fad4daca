package escape

import (
	"go/constant"

	"loam/internal/mid"
)

// Code behind a constant condition, such as `if race.Enabled`, is in the SSA form although it
// never runs. What it does with pointers does not count.

// liveBlocks tells by index which blocks of fn can run; nil means all.
func liveBlocks(fn *mid.Func) []bool {
	constant := false
	for _, b := range fn.Body() {
		constant = constant || onlySuccessor(b) != nil
	}
	if !constant {
		return nil
	}
	live := make([]bool, len(fn.Body()))
	var work []*mid.Block
	visit := func(b *mid.Block) {
		if b != nil && !live[b.Index] {
			live[b.Index] = true
			work = append(work, b)
		}
	}
	visit(fn.Body()[0])
	visit(fn.Recover())
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if s := onlySuccessor(b); s != nil {
			visit(s)
			continue
		}
		for _, s := range b.Succs {
			visit(s)
		}
	}
	return live
}

// onlySuccessor returns where a block goes that ends in a constant condition, otherwise nil.
func onlySuccessor(b *mid.Block) *mid.Block {
	if len(b.Instrs) == 0 {
		return nil
	}
	cond, ok := b.Instrs[len(b.Instrs)-1].(*mid.If)
	if !ok {
		return nil
	}
	c, ok := cond.Cond.(*mid.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Bool {
		return nil
	}
	if constant.BoolVal(c.Value) {
		return b.Succs[0]
	}
	return b.Succs[1]
}

// runs tells whether block b can run, given liveBlocks of its function.
func runs(live []bool, b *mid.Block) bool { return live == nil || live[b.Index] }
