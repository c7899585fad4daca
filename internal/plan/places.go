package plan

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"loam/internal/mid"
)

// # Homes that share memory
//
// Most homes are in use for a short while, and a frame that has a place for each is large: a
// goroutine leaves its cell for it, and what is called in a loop there hops each time. So homes
// that are never in use together share a place. What is asked of a home is where it is stored,
// behind what defines the value, and where it is loaded (Memory.Reads). The blocks lie one behind
// the other, dominators first, and a home is in use from the first point of that line at which it
// is stored or may still be loaded to the last one: linear scan, after Poletto and Sarkar. This is
// coarser than a graph of what is in use together, and takes no more than n log n.

// word is what homes are made of, in bytes.
const word = 8

// A span is where a home is in use: from one point of the line of blocks to another one.
// Instruction n loads at 2n and stores at 2n+1.
type span struct{ from, to int }

// entry is the point at which the function's entry stores.
const entry = -1

// ShareHomes gives homes their places: homes[i], whose size in bytes is given, lies at[i] bytes
// behind the beginning of memory of bytes bytes.
func (fr *Frame) ShareHomes(homes []Memory, sizes []int64) (at []int64, bytes int64) {
	spans := fr.spans(homes)
	order := make([]int, len(homes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(spans[i].from, spans[j].from) })
	at = make([]int64, len(homes))
	s := places{}
	for _, i := range order {
		words := (sizes[i] + word - 1) / word
		s.giveBack(spans[i].from)
		at[i] = s.take(words) * word
		heap.Push(&s.taken, taken{spans[i].to, at[i] / word, words})
	}
	return at, s.end * word
}

// spans returns where each home is in use.
func (fr *Frame) spans(homes []Memory) []span {
	asked := make([]tracked, len(homes))
	for i, m := range homes {
		asked[i] = tracked{def: defOf(m.Value), uses: m.Reads}
	}
	l := findLiveness(fr.f, asked)
	spans := make([]span, len(homes))
	for i := range spans {
		spans[i] = span{math.MaxInt, entry}
		if asked[i].def == nil {
			spans[i].from = entry
		}
	}
	extend := func(i, point int) {
		spans[i].from, spans[i].to = min(spans[i].from, point), max(spans[i].to, point)
	}
	seen := map[*mid.Block]bool{}
	everywhere := slices.Clone(l.always)
	point := 0
	for _, blk := range l.blocks {
		seen[blk] = true
		first := point
		for _, in := range blk.Instrs {
			for _, i := range l.uses[in] {
				extend(i, point)
			}
			for _, i := range l.defs[in] {
				extend(i, point+1)
			}
			point += 2
		}
		set := slices.Clone(l.out[blk])
		set.each(func(i int) { extend(i, point-1) })
		for _, in := range slices.Backward(blk.Instrs) {
			l.step(set, in)
		}
		set.each(func(i int) { extend(i, first) })
		if blk == fr.f.Recover() {
			everywhere.join(set) // control may come here from anywhere
		}
	}
	for i, t := range asked { // what is stored or loaded in no known place
		unseen := func(in mid.Instr) bool { return !seen[in.Block()] }
		if t.def != nil && unseen(t.def) || slices.ContainsFunc(t.uses, unseen) {
			everywhere.add(i)
		}
	}
	everywhere.each(func(i int) { spans[i] = span{entry, point} })
	return spans
}

// places is memory that is shared out, in words.
type places struct {
	end   int64 // so many words are there
	taken takenHeap
	free  [][]int64 // by number of words
}

// giveBack makes free what is not in use any more from point on.
func (s *places) giveBack(point int) {
	for len(s.taken) > 0 && s.taken[0].to < point {
		t := heap.Pop(&s.taken).(taken)
		s.setFree(t.at, t.words)
	}
}

func (s *places) setFree(at, words int64) {
	for int64(len(s.free)) <= words {
		s.free = append(s.free, nil)
	}
	s.free[words] = append(s.free[words], at)
}

// take returns where so many words are free: the smallest free piece, or new memory.
func (s *places) take(words int64) (at int64) {
	for n := words; n < int64(len(s.free)); n++ {
		if k := len(s.free[n]) - 1; k >= 0 {
			at, s.free[n] = s.free[n][k], s.free[n][:k]
			if n > words {
				s.setFree(at+words, n-words)
			}
			return at
		}
	}
	at = s.end
	s.end += words
	return at
}

// taken says that words at a place are in use up to a point.
type taken struct {
	to        int
	at, words int64
}

// takenHeap has the one first that is free first.
type takenHeap []taken

func (h takenHeap) Len() int           { return len(h) }
func (h takenHeap) Less(i, j int) bool { return h[i].to < h[j].to }
func (h takenHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *takenHeap) Push(x any)        { *h = append(*h, x.(taken)) }
func (h *takenHeap) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	*h = (*h)[:last]
	return t
}
