package improve

import "loam/internal/machine/code"

// graph is a function, and how its blocks follow each other.
type graph struct {
	f     *code.Func
	order []int32 // reachable blocks
	place []int32 // of a block in order, -1: not reached
	preds [][]int32
	late  []bool  // blocks that a resume point leads to
	in    []int32 // of blocks: first and last number of what they dominate
	out   []int32
	exact bool // the frame may hold nothing dead, so what was computed is not kept for later
}

// arrange orders blocks and finds what dominates what.
func (w *graph) arrange() {
	f := w.f
	n := len(f.Blocks)
	w.place = make([]int32, n)
	for i := range w.place {
		w.place[i] = -1
	}
	for i := range f.Ins {
		if op := f.Ins[i].Op; op == code.ClearKept || op == code.ClearUnused {
			w.exact = true
		}
	}
	w.late = make([]bool, n)
	type visit struct{ block, next int32 }
	stack := []visit{{}}
	w.place[0] = 0
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		to := w.targets(v.block)
		if int(v.next) < len(to) {
			b := to[len(to)-1-int(v.next)]
			v.next++
			if w.place[b] < 0 {
				w.place[b] = 0
				stack = append(stack, visit{b, 0})
			}
			continue
		}
		w.order = append(w.order, v.block)
		stack = stack[:len(stack)-1]
	}
	for i, j := 0, len(w.order)-1; i < j; i, j = i+1, j-1 {
		w.order[i], w.order[j] = w.order[j], w.order[i]
	}
	w.preds = make([][]int32, n)
	for i, b := range w.order {
		w.place[b] = int32(i)
		for k, t := range w.targets(b) {
			w.preds[t] = append(w.preds[t], b)
			if k == 1 && w.last(b).Op == code.SaveResume {
				w.late[t] = true
			}
		}
	}
	w.dominators()
}

func (w *graph) last(b int32) *code.Ins { return &w.f.Ins[w.f.Blocks[b].End-1] }

// targets are where a block goes on.
func (w *graph) targets(b int32) []int32 {
	in, f := w.last(b), w.f
	switch in.Op {
	case code.Br:
		return f.Targets[in.Aux : in.Aux+1]
	case code.CondBr, code.SaveResume:
		return f.Targets[in.Aux : in.Aux+2]
	case code.Switch:
		return f.Targets[in.Aux : in.Aux+1+in.Scale]
	}
	return nil
}

// dominators numbers blocks so that a block dominates those whose numbers lie between its own two.
// The first block and those behind resume points have nothing above them.
func (w *graph) dominators() {
	const none = -1
	n := len(w.order)
	above := make([]int32, n) // by places, -1: nothing, -2: not known yet
	for i := range above {
		above[i] = -2
	}
	meet := func(x, y int32) int32 {
		for x != y {
			if x > y {
				x = above[x]
			} else {
				y = above[y]
			}
		}
		return x
	}
	for changed := true; changed; {
		changed = false
		for i, b := range w.order {
			d := int32(-2)
			if i == 0 || w.late[b] {
				d = none
			} else {
				for _, p := range w.preds[b] {
					if k := w.place[p]; above[k] != -2 {
						if d == -2 {
							d = k
						} else {
							d = meet(d, k)
						}
					}
				}
			}
			if d != above[i] {
				above[i], changed = d, true
			}
		}
	}
	below := make([][]int32, n)
	var tops []int32
	for i := range w.order {
		if above[i] < 0 {
			tops = append(tops, int32(i))
		} else {
			below[above[i]] = append(below[above[i]], int32(i))
		}
	}
	w.in, w.out = make([]int32, len(w.f.Blocks)), make([]int32, len(w.f.Blocks))
	count := int32(0)
	type visit struct{ at, next int32 }
	var stack []visit
	for _, top := range tops {
		stack = append(stack, visit{top, 0})
		w.in[w.order[top]] = count
		count++
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			if int(v.next) < len(below[v.at]) {
				k := below[v.at][v.next]
				v.next++
				w.in[w.order[k]] = count
				count++
				stack = append(stack, visit{k, 0})
				continue
			}
			w.out[w.order[v.at]] = count
			stack = stack[:len(stack)-1]
		}
	}
}

// dominates reports whether all ways to b go through a.
func (w *graph) dominates(a, b int32) bool { return w.in[a] <= w.in[b] && w.out[b] <= w.out[a] }
