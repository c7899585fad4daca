// Package improve makes functions better before a machine's backend sees them: variables that need no
// memory become values, what is computed twice is computed once, what a branch has decided is not
// asked again, and divisions by constants multiply.
//
// All of it is one walk over the blocks, in an order in which what makes a value comes before what
// uses it. A value has one definition, so that whatever was found before is still so wherever its
// block dominates. Code behind a resume point finds no values of before: it is entered late, with
// other registers.
package improve

import "loam/internal/machine/code"

// Func improves a function.
func Func(f *code.Func) {
	w := &walk{f: f}
	w.arrange()
	w.choose()
	w.run()
	w.finish()
}

// walk is what is known of a function.
type walk struct {
	f      *code.Func
	order  []int32 // reachable blocks
	place  []int32 // of a block in order, -1: not reached
	preds  [][]int32
	late   []bool // blocks that a resume point leads to
	in     []int32
	out    []int32 // of blocks: first and last number of what they dominate
	cutoff map[edge]bool
	exact  bool // the frame may hold nothing dead, so nothing that was computed is kept

	repl   []code.Operand // what stands for a value
	def    []int32        // of values: their instruction in made, -1: none
	consts map[code.Const]code.Operand
	seen   map[key]found
	facts  map[question][]fact
	made   []code.Ins // the new code
	first  []int32    // of blocks, in made
	end    []int32
	block  int32
	loc    int32

	memory  []content // what is known of memory
	ends    [][]content
	parts   []part          // of variables that need no memory
	partOf  map[int64]int32 // by the variable's value and the distance in it
	slots   map[code.Operand]bool
	places  map[code.Operand]inVariable
	current []map[int32]code.Operand // of blocks: what the parts hold at their end so far
	phis    [][]phi
	open    []opening
}

// An edge is a way from one block to another.
type edge struct{ from, to int32 }

// arrange orders blocks and finds what dominates what.
func (w *walk) arrange() {
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

func (w *walk) last(b int32) *code.Ins { return &w.f.Ins[w.f.Blocks[b].End-1] }

// targets are where a block goes on.
func (w *walk) targets(b int32) []int32 {
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
func (w *walk) dominators() {
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

// dominates reports whether whoever comes to b has been in a.
func (w *walk) dominates(a, b int32) bool { return w.in[a] <= w.in[b] && w.out[b] <= w.out[a] }

// run walks over all blocks.
func (w *walk) run() {
	f := w.f
	w.repl = make([]code.Operand, len(f.Classes))
	w.def = make([]int32, len(f.Classes))
	for i := range w.repl {
		w.repl[i], w.def[i] = code.Operand(i), -1
	}
	w.consts, w.seen, w.facts = map[code.Const]code.Operand{}, map[key]found{}, map[question][]fact{}
	w.cutoff = map[edge]bool{}
	w.first, w.end = make([]int32, len(f.Blocks)), make([]int32, len(f.Blocks))
	w.ends = make([][]content, len(f.Blocks))
	w.made = make([]code.Ins, 0, len(f.Ins))
	for _, b := range w.order {
		w.block = b
		w.first[b] = int32(len(w.made))
		w.enter(b)
		blk := f.Blocks[b]
		for i := blk.First; i < blk.End; i++ {
			w.one(f.Ins[i])
		}
		w.end[b] = int32(len(w.made))
		w.ends[b] = append([]content(nil), w.memory...)
	}
}

// enter begins a block with what is known from the only one before it.
func (w *walk) enter(b int32) {
	w.memory = w.memory[:0]
	if len(w.preds[b]) != 1 || w.late[b] {
		return
	}
	p := w.preds[b][0]
	w.memory = append(w.memory, w.ends[p]...)
	last := &w.made[w.end[p]-1]
	if last.Op != code.CondBr {
		return
	}
	to := w.f.Targets[last.Aux : last.Aux+2]
	if to[0] != to[1] {
		w.learn(w.f.Args[last.Args], b, to[0] == b)
	}
}

// finish completes phis, and makes the new code that of the function.
func (w *walk) finish() {
	f := w.f
	w.close()
	ins := make([]code.Ins, 0, len(w.made)+8)
	for _, b := range w.order {
		first := int32(len(ins))
		if w.phis != nil {
			for i := range w.phis[b] {
				ins = w.append(ins, b, &w.phis[b][i])
			}
		}
		for _, in := range w.made[w.first[b]:w.end[b]] {
			switch {
			case in.Op == code.Nop:
				continue
			case in.Op == code.Phi:
				w.cut(&in, b)
			}
			args := f.Args[in.Args : in.Args+in.Count]
			for k, o := range args {
				args[k] = w.now(o)
			}
			ins = append(ins, in)
		}
		f.Blocks[b].First, f.Blocks[b].End = first, int32(len(ins))
	}
	f.Ins = ins
}

// cut leaves out the operands of a phi for ways that no longer are.
func (w *walk) cut(in *code.Ins, b int32) {
	f := w.f
	from := f.Targets[in.Aux : in.Aux+in.Count]
	gone := false
	for _, p := range from {
		gone = gone || w.cutoff[edge{p, b}]
	}
	if !gone {
		return
	}
	args := f.Args[in.Args : in.Args+in.Count]
	in.Args, in.Aux, in.Count = int32(len(f.Args)), int32(len(f.Targets)), 0
	for k, p := range from {
		if !w.cutoff[edge{p, b}] {
			f.Args, f.Targets = append(f.Args, args[k]), append(f.Targets, p)
			in.Count++
		}
	}
}

// now is what stands for an operand.
func (w *walk) now(o code.Operand) code.Operand {
	for o >= 0 && w.repl[o] != o {
		o = w.repl[o]
	}
	return o
}
