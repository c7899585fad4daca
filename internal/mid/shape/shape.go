// Package shape says how the blocks of a function lie to each other: which of them are in loops,
// which run at all, and which come before others. What is computed of a body is kept with it, until
// the body changes.
package shape

import (
	"go/constant"

	"loam/internal/mid"
)

// Shape is what is known of a body's blocks. Each part is computed when it is asked for.
type Shape struct {
	f      *mid.Func
	after  []int32 // by index: see After; nil until it is asked for
	loops  []bool  // by index: the block is in a loop
	looped bool    // a block is

	live    []bool // by index: see Runs; nil if all do
	settled bool   // live is known

	heads     []*mid.Block // by index: see Head; nil until it is asked for
	irregular bool         // a loop has more than one entry
}

// Of returns the shape of f's body.
func Of(f *mid.Func) *Shape {
	f.Body()
	s, ok := f.Derived().(*Shape)
	if !ok {
		s = &Shape{f: f}
		f.SetDerived(s)
	}
	return s
}

// InLoop reports whether control gets from b to b again: what b makes, it may make more than once
// in an activation.
func (s *Shape) InLoop(b *mid.Block) bool {
	s.findLoops()
	return s.loops[b.Index]
}

// HasLoops reports whether a block is in a loop.
func (s *Shape) HasLoops() bool {
	s.findLoops()
	return s.looped
}

// After returns a number that is smaller than that of each block that leads to b and that b does
// not lead to.
func (s *Shape) After(b *mid.Block) int {
	s.findLoops()
	return int(s.after[b.Index])
}

// findLoops finds the sets of blocks that lead to each other.
func (s *Shape) findLoops() {
	if s.after != nil {
		return
	}
	blocks := s.f.Body()
	s.after, s.loops = make([]int32, len(blocks)), make([]bool, len(blocks))
	var edges []int32
	from := make([]int32, 1, len(blocks)+1) // where the edges of each block begin
	for _, b := range blocks {
		for _, to := range b.Succs {
			edges = append(edges, int32(to.Index))
			s.loops[b.Index] = s.loops[b.Index] || to == b
		}
		from = append(from, int32(len(edges)))
		s.looped = s.looped || s.loops[b.Index]
	}
	components := int32(0)
	Components(len(blocks), func(v int32) []int32 { return edges[from[v]:from[v+1]] }, func(members []int32) {
		components++
		for _, v := range members {
			s.after[v] = components
			s.loops[v] = s.loops[v] || len(members) > 1
		}
		s.looped = s.looped || len(members) > 1
	})
}

// Runs reports whether control can get to b. Code behind a constant condition that is false, such
// as `if race.Enabled`, is in the body although it never runs.
func (s *Shape) Runs(b *mid.Block) bool {
	if !s.settled {
		s.settled = true
		s.findLive()
	}
	return s.live == nil || s.live[b.Index]
}

func (s *Shape) findLive() {
	constant := false
	for _, b := range s.f.Body() {
		constant = constant || onlyWay(b) != nil
	}
	if !constant {
		return
	}
	s.live = make([]bool, len(s.f.Body()))
	var work []*mid.Block
	visit := func(b *mid.Block) {
		if b != nil && !s.live[b.Index] {
			s.live[b.Index] = true
			work = append(work, b)
		}
	}
	visit(s.f.Body()[0])
	visit(s.f.Recover())
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if to := onlyWay(b); to != nil {
			visit(to)
			continue
		}
		for _, to := range b.Succs {
			visit(to)
		}
	}
}

// onlyWay returns where a block goes on that ends in a constant condition, otherwise nil.
func onlyWay(b *mid.Block) *mid.Block {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*mid.If)
	if !ok {
		return nil
	}
	c, ok := branch.Cond.(*mid.Const)
	if !ok {
		return nil
	}
	if constant.BoolVal(c.Value) {
		return b.Succs[0]
	}
	return b.Succs[1]
}

// Leads reports whether control can get from one block to another.
func Leads(from, to *mid.Block) bool {
	seen := map[*mid.Block]bool{from: true}
	for work := []*mid.Block{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		for _, next := range b.Succs {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return false
}
