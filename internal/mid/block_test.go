package mid

import (
	"math/rand/v2"
	"testing"
)

// TestDominators compares the dominators of random functions with what leaving out a block cuts
// off.
func TestDominators(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		f := randomBlocks(r, 2+r.IntN(30))
		for _, a := range f.blocks {
			without := f.reachable(a)
			for _, b := range f.blocks {
				if got, want := a.Dominates(b), a == b || !without[b]; got != want {
					t.Fatalf("seed %d: block %d dominates block %d: %t", seed, a.Index, b.Index, got)
				}
			}
		}
		for _, b := range f.blocks {
			for _, a := range f.blocks {
				if a != b && a.Dominates(b) && !a.Dominates(b.Idom()) {
					t.Fatalf("seed %d: block %d is above block %d, which is not immediately above %d", seed, a.Index, b.Idom().Index, b.Index)
				}
			}
			if b.Idom() != nil && (b.Idom() == b || !b.Idom().Dominates(b)) {
				t.Fatalf("seed %d: block %d is not above block %d", seed, b.Idom().Index, b.Index)
			}
		}
	}
}

// randomBlocks makes a function of at most n blocks, all of which can be reached, from a place
// where it goes on after a panic as well.
func randomBlocks(r *rand.Rand, n int) *Func {
	f := &Func{name: "random"}
	blocks := make([]*Block, n)
	for i := range blocks {
		blocks[i] = NewBlock(Plain)
	}
	for i, b := range blocks {
		for range r.IntN(3) {
			link(b, blocks[r.IntN(n)])
		}
		if i+1 < n && r.IntN(4) > 0 {
			link(b, blocks[i+1])
		}
	}
	f.blocks = blocks
	if r.IntN(2) == 0 {
		f.recover = blocks[n-1]
	}
	reached := f.reachable(nil)
	var kept []*Block
	for _, b := range blocks {
		if reached[b] {
			kept = append(kept, b)
		}
	}
	for _, b := range kept {
		var preds []*Block
		for _, p := range b.Preds {
			if reached[p] {
				preds = append(preds, p)
			}
		}
		b.Preds = preds
	}
	f.SetBody(kept, f.recover)
	return f
}

// reachable returns the blocks that f gets to without going through one of them.
func (f *Func) reachable(without *Block) map[*Block]bool {
	seen := map[*Block]bool{}
	work := []*Block{f.blocks[0]}
	if f.recover != nil {
		work = append(work, f.recover)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b != without && !seen[b] {
			seen[b] = true
			work = append(work, b.Succs...)
		}
	}
	return seen
}

// TestLadder finds the dominators of cases that fall through to the next one: what walks up the
// tree for each of them takes minutes.
func TestLadder(t *testing.T) {
	const n = 100_000
	f := &Func{name: "ladder"}
	tests, bodies := make([]*Block, n), make([]*Block, n)
	for i := range n {
		tests[i], bodies[i] = NewBlock(Plain), NewBlock(Plain)
	}
	for i := range n {
		link(tests[i], bodies[i])
		if i+1 < n {
			link(tests[i], tests[i+1])
			link(bodies[i], bodies[i+1])
		}
	}
	f.SetBody(append(tests, bodies...), nil)
	for i := 1; i < n; i++ {
		if bodies[i].Idom() != tests[0] {
			t.Fatalf("body %d is below block %d", i, bodies[i].Idom().Index)
		}
	}
}
