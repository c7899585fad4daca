// Package improve makes functions better before a machine's backend sees them: variables that need
// no memory become values, what is computed twice is computed once, what a branch has decided is
// not asked again, and divisions by constants multiply.
//
// All of it is one walk over the blocks, in an order in which what makes a value comes before what
// uses it. A value has one definition, so that whatever was found before is still so wherever its
// block dominates. Code behind a resume point finds no values of before: it is entered late, with
// other registers.
package improve

import "loam/internal/machine/code"

// Func improves a function. If a variable turns out to be the same number wherever a loop may
// change it, which is known at the loop's end only, the function is walked once more: what asked
// for it is decided then. So the states of loops over functions go.
func Func(f *code.Func) {
	for range 2 {
		w := &walk{graph: graph{f: f}}
		w.arrange()
		w.choose()
		w.run()
		if again := w.finish(); !again {
			return
		}
	}
}

// variables are those of the frame that need no memory.
type variables struct {
	resumed []bool                // blocks that are run behind a resume point
	kept    map[code.Operand]bool // for debuggers
	slots   map[code.Operand]bool
	places  map[code.Operand]inVariable
	parts   []part                   // of those that somebody loads from
	partOf  map[int64]int32          // by the variable's value and the distance in it
	current []map[int32]code.Operand // of blocks: what the parts hold at their end so far
	phis    [][]phi
	open    []opening
}

// states number what memory is: it is the same as long as the number is.
type states struct {
	epoch, counter int32
	atEnd          []int32         // of blocks
	when           map[int32]int32 // of values: the number when they were loaded
}

// walk is what is known of a function on the way through it.
type walk struct {
	graph
	variables
	repl   []code.Operand // what stands for a value
	def    []int32        // of values: their instruction in made, -1: none
	consts map[code.Const]code.Operand
	seen   map[key]found
	facts  map[question][]fact
	bounds map[code.Operand][]bound
	made   []code.Ins // the new code
	first  []int32    // of blocks, in made
	end    []int32
	block  int32
	loc    int32
	cutoff map[edge]bool
	memory []content // what is known of memory
	ends   [][]content
	states
}

// An edge is a way from one block to another.
type edge struct{ from, to int32 }

// run walks over all blocks.
func (w *walk) run() {
	f := w.f
	w.repl = make([]code.Operand, len(f.Classes))
	w.def = make([]int32, len(f.Classes))
	for i := range w.repl {
		w.repl[i], w.def[i] = code.Operand(i), -1
	}
	w.consts, w.seen, w.facts = map[code.Const]code.Operand{}, map[key]found{}, map[question][]fact{}
	w.bounds = map[code.Operand][]bound{}
	w.cutoff = map[edge]bool{}
	w.first, w.end = make([]int32, len(f.Blocks)), make([]int32, len(f.Blocks))
	w.ends = make([][]content, len(f.Blocks))
	w.atEnd, w.when = make([]int32, len(f.Blocks)), map[int32]int32{}
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
		w.atEnd[b] = w.epoch
	}
}

// enter begins a block with what is known from the only one before it.
func (w *walk) enter(b int32) {
	w.memory = w.memory[:0]
	w.changed()
	if len(w.preds[b]) != 1 || w.late[b] {
		return
	}
	p := w.preds[b][0]
	w.memory = append(w.memory, w.ends[p]...)
	w.epoch = w.atEnd[p]
	last := &w.made[w.end[p]-1]
	if last.Op != code.CondBr {
		return
	}
	to := w.f.Targets[last.Aux : last.Aux+2]
	if to[0] != to[1] {
		w.learn(w.f.Args[last.Args], b, to[0] == b)
	}
}

// finish completes phis, and makes the new code that of the function. It reports whether a phi has
// become a number.
func (w *walk) finish() (number bool) {
	f := w.f
	number = w.close()
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
	return number
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
