package shape

import "loam/internal/mid"

// Head returns the block that is entered first in each turn of the innermost loop around b: it
// dominates the loop. It returns nil if b is in no loop, or if the function has a loop with more
// than one entry.
func (s *Shape) Head(b *mid.Block) *mid.Block {
	s.findHeads()
	if s.irregular {
		return nil
	}
	return s.heads[b.Index]
}

// SameLoop reports whether the loops around two blocks are the same. In a function that has a loop
// with more than one entry it does not know, and says no.
func (s *Shape) SameLoop(a, b *mid.Block) bool {
	s.findHeads()
	return !s.irregular && s.heads[a.Index] == s.heads[b.Index]
}

func (s *Shape) findHeads() {
	if s.heads != nil {
		return
	}
	s.heads = make([]*mid.Block, len(s.f.Body()))
	latches := map[*mid.Block][]*mid.Block{} // by head: the blocks that go back to it
	state := make([]uint8, len(s.f.Body()))
	if !search(s.f.Body()[0], state, latches) || s.f.Recover() != nil && !search(s.f.Recover(), state, latches) {
		s.irregular = true
		return
	}
	if len(latches) == 0 {
		return
	}
	// Outer loops first, so that inner ones overwrite.
	for _, head := range s.f.DomPreorder() {
		if len(latches[head]) > 0 {
			s.mark(head, latches[head])
		}
	}
}

// search walks depth first and notes the edges that go back to a block on the path. It reports
// whether all of them go to a block that dominates the one that they come from.
func search(root *mid.Block, state []uint8, latches map[*mid.Block][]*mid.Block) bool {
	const onPath, done = 1, 2
	type step struct {
		b    *mid.Block
		next int
	}
	if state[root.Index] != 0 {
		return true
	}
	state[root.Index] = onPath
	path := []step{{root, 0}}
	for len(path) > 0 {
		at := &path[len(path)-1]
		if at.next == len(at.b.Succs) {
			state[at.b.Index] = done
			path = path[:len(path)-1]
			continue
		}
		to := at.b.Succs[at.next]
		at.next++
		switch state[to.Index] {
		case 0:
			state[to.Index] = onPath
			path = append(path, step{to, 0})
		case onPath:
			if !to.Dominates(at.b) {
				return false
			}
			latches[to] = append(latches[to], at.b)
		}
	}
	return true
}

// mark makes head the innermost one of the blocks in its loop.
func (s *Shape) mark(head *mid.Block, latches []*mid.Block) {
	s.heads[head.Index] = head
	work := append([]*mid.Block(nil), latches...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if s.heads[b.Index] != head {
			s.heads[b.Index] = head
			work = append(work, b.Preds...)
		}
	}
}
