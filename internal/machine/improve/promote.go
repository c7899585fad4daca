package improve

import "loam/internal/machine/code"

// Limits of variables that become values.
const (
	mostBytes = 128
	mostParts = 16
)

// A part is a scalar of a variable that needs no memory.
type part struct {
	class code.Class
	disp  int64
}

// A phi is one that a part needs.
type phi struct {
	value code.Operand
	part  int32
	args  []code.Operand
	from  []int32
}

// An opening is a phi without operands yet.
type opening struct {
	block int32
	index int
}

// A variable is what is known of one in the frame.
type variable struct {
	escapes  bool
	stored   bool // its address is
	loaded   bool
	resumed  bool // behind a resume point
	volatile bool // not all accesses may be moved
	parts    []part
	cleared  []span
}

type span struct{ low, high int64 }

// inVariable is a place in a variable.
type inVariable struct {
	v    code.Operand
	disp int64
}

// choose finds the variables that need no memory: those whose address is for loads and stores only,
// all of which take the same parts. Of those that nobody loads from nothing is left, unless a store
// is volatile: that keeps an object alive. What debuggers are shown stays if it is to be kept. Code
// behind a resume point finds values only in memory, so what is loaded there stays.
func (w *walk) choose() {
	w.afterResume()
	w.kept = map[code.Operand]bool{}
	if w.f.Attrs.Shown {
		for _, s := range w.f.Shown {
			w.kept[s.At] = true
		}
	}
	vars, at := w.inFrame()
	w.slots, w.partOf = map[code.Operand]bool{}, map[int64]int32{}
	for o, v := range vars {
		if v.escapes || w.kept[o] || v.loaded && (v.resumed || v.volatile || !v.whole()) {
			continue
		}
		w.slots[o] = true
		if v.loaded {
			for _, p := range v.parts {
				w.partOf[partKey(o, p.disp)] = int32(len(w.parts))
				w.parts = append(w.parts, p)
			}
		}
	}
	w.places = at
	w.current = make([]map[int32]code.Operand, len(w.f.Blocks))
	w.phis = make([][]phi, len(w.f.Blocks))
}

func partKey(o code.Operand, disp int64) int64 { return int64(o)<<16 | disp }

// afterResume finds the blocks that a resume point leads to, and those behind them.
func (w *walk) afterResume() {
	w.resumed = make([]bool, len(w.f.Blocks))
	var stack []int32
	for _, b := range w.order {
		if w.late[b] {
			w.resumed[b] = true
			stack = append(stack, b)
		}
	}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, t := range w.targets(b) {
			if !w.resumed[t] {
				w.resumed[t] = true
				stack = append(stack, t)
			}
		}
	}
}

// inFrame looks at all uses of variables of the frame. A variable whose address is only stored in
// others that nobody loads from, for debuggers, does not escape by that.
func (w *walk) inFrame() (vars map[code.Operand]*variable, at map[code.Operand]inVariable) {
	unread := map[code.Operand]bool{}
	vars, at = w.lookAll(unread)
	for o, v := range vars {
		if !v.escapes && !v.loaded && !w.kept[o] {
			unread[o] = true
		}
	}
	for _, v := range vars {
		if v.stored && v.escapes && len(unread) > 0 {
			return w.lookAll(unread)
		}
	}
	return vars, at
}

// lookAll looks at all uses, but for stores to variables that are known to be unread.
func (w *walk) lookAll(unread map[code.Operand]bool) (vars map[code.Operand]*variable, at map[code.Operand]inVariable) {
	f := w.f
	vars, at = map[code.Operand]*variable{}, map[code.Operand]inVariable{}
	for _, b := range w.order {
		blk := f.Blocks[b]
		for i := blk.First; i < blk.End; i++ {
			in := &f.Ins[i]
			if in.Op == code.Alloca {
				vars[in.Result], at[in.Result] = &variable{escapes: in.Disp > mostBytes}, inVariable{in.Result, 0}
			}
		}
	}
	if len(vars) == 0 {
		return vars, at
	}
	for _, b := range w.order {
		blk := f.Blocks[b]
		for i := blk.First; i < blk.End; i++ {
			w.look(&f.Ins[i], b, vars, at, unread)
		}
	}
	return vars, at
}

// look notes what an instruction does with variables.
func (w *walk) look(in *code.Ins, b int32, vars map[code.Operand]*variable, at map[code.Operand]inVariable, unread map[code.Operand]bool) {
	args := w.f.Args[in.Args : in.Args+in.Count]
	for k, o := range args {
		x, ok := at[o]
		if !ok {
			continue
		}
		v := vars[x.v]
		switch {
		case in.Op == code.Load:
			v.loaded, v.volatile = true, v.volatile || in.Volatile
			v.resumed = v.resumed || w.resumed[b]
			v.access(x.disp+in.Disp, in.Class)
		case in.Op == code.Store && k == 1 && !in.Order && !in.Volatile:
			v.access(x.disp+in.Disp, in.Class)
		case in.Op == code.MemSet && k == 0:
			n, ok := w.number(args[2], code.I64)
			zero, isNumber := w.number(args[1], code.I8)
			if !ok || !isNumber || zero != 0 {
				v.escapes = true
			}
			v.cleared = append(v.cleared, span{x.disp, x.disp + n})
		case in.Op == code.Addr && in.Count == 1, in.Op == code.Copy:
			at[in.Result] = inVariable{x.v, x.disp + in.Disp}
		case in.Op == code.Store && k == 0 && !in.Order && !in.Volatile:
			if y, ok := at[args[1]]; !ok || !unread[y.v] {
				v.escapes, v.stored = true, true
			}
		default:
			v.escapes = true
		}
	}
}

// access notes a part.
func (v *variable) access(disp int64, cl code.Class) {
	if disp < 0 || disp >= mostBytes {
		v.escapes = true
		return
	}
	for _, p := range v.parts {
		if p == (part{cl, disp}) {
			return
		}
	}
	v.parts = append(v.parts, part{cl, disp})
}

// whole reports whether no part is a part of another one.
func (v *variable) whole() bool {
	if len(v.parts) > mostParts {
		return false
	}
	for i, p := range v.parts {
		end := p.disp + p.class.Size()
		for _, q := range v.parts[:i] {
			if q.disp < end && p.disp < q.disp+q.class.Size() {
				return false
			}
		}
		for _, c := range v.cleared {
			if c.low < end && p.disp < c.high && (p.disp < c.low || end > c.high) {
				return false
			}
		}
	}
	return true
}

// variablePart returns the part that an access is to. none: the variable is gone, and has no parts.
func (w *walk) variablePart(o code.Operand, disp int64) (p int32, none, ok bool) {
	x, ok := w.places[o]
	if !ok || !w.slots[x.v] {
		return 0, false, false
	}
	p, ok = w.partOf[partKey(x.v, x.disp+disp)]
	return p, !ok, true
}

func (w *walk) loadPart(in *code.Ins, o code.Operand) (code.Operand, bool) {
	p, _, ok := w.variablePart(o, in.Disp)
	if !ok {
		return 0, false
	}
	return w.read(w.block, p), true
}

func (w *walk) storePart(in *code.Ins, args []code.Operand) bool {
	p, none, ok := w.variablePart(args[1], in.Disp)
	if ok && !none {
		w.write(w.block, p, args[0])
	}
	return ok
}

// clearPart clears the parts that a MemSet clears.
func (w *walk) clearPart(in *code.Ins, args []code.Operand) bool {
	x, ok := w.places[args[0]]
	if !ok || !w.slots[x.v] {
		return false
	}
	n, _ := w.number(args[2], code.I64)
	for d := x.disp; d < x.disp+n; d++ {
		if p, ok := w.partOf[partKey(x.v, d)]; ok {
			w.write(w.block, p, w.constant(w.parts[p].class, 0))
		}
	}
	return true
}

func (w *walk) write(b, p int32, o code.Operand) {
	if w.current[b] == nil {
		w.current[b] = map[int32]code.Operand{}
	}
	w.current[b][p] = o
}

// read returns what a part holds at the end of what was walked of a block.
func (w *walk) read(b, p int32) code.Operand {
	if o, ok := w.current[b][p]; ok {
		return w.now(o)
	}
	var o code.Operand
	switch before := w.preds[b]; len(before) {
	case 0:
		o = w.constant(w.parts[p].class, 0)
	case 1:
		o = w.read(before[0], p)
	default:
		o = code.Operand(len(w.f.Classes))
		w.f.Classes = append(w.f.Classes, w.parts[p].class)
		w.repl, w.def = append(w.repl, o), append(w.def, -1)
		w.open = append(w.open, opening{b, len(w.phis[b])})
		w.phis[b] = append(w.phis[b], phi{value: o, part: p})
	}
	w.write(b, p, o)
	return o
}

// close gives phis their operands. Those that have but one are that. It reports whether that is
// a constant for one of them.
func (w *walk) close() (constant bool) {
	for i := 0; i < len(w.open); i++ {
		x := w.open[i]
		part := w.phis[x.block][x.index].part
		var args []code.Operand
		var from []int32
		for _, p := range w.preds[x.block] {
			if !w.cutoff[edge{p, x.block}] {
				args, from = append(args, w.read(p, part)), append(from, p)
			}
		}
		f := &w.phis[x.block][x.index]
		f.args, f.from = args, from
	}
	for again := true; again; {
		again = false
		for _, x := range w.open {
			f := &w.phis[x.block][x.index]
			if w.now(f.value) != f.value {
				continue
			}
			one, many := code.Operand(f.value), false
			for _, o := range f.args {
				if o = w.now(o); o != f.value && o != one {
					many = many || one != f.value
					one = o
				}
			}
			if !many {
				if one == f.value {
					one = w.constant(w.parts[f.part].class, 0)
				}
				w.repl[f.value], again = one, true
				constant = constant || one < 0
			}
		}
	}
	return constant
}

// append appends the instruction of a phi, if it is needed.
func (w *walk) append(ins []code.Ins, b int32, f *phi) []code.Ins {
	if w.now(f.value) != f.value {
		return ins
	}
	c := w.f
	in := code.Ins{Op: code.Phi, Class: w.parts[f.part].class, Result: f.value, Loc: -1}
	in.Args, in.Aux, in.Count = int32(len(c.Args)), int32(len(c.Targets)), int32(len(f.args))
	for k, o := range f.args {
		c.Args, c.Targets = append(c.Args, w.now(o)), append(c.Targets, f.from[k])
	}
	return append(ins, in)
}
