package improve

import "loam/internal/machine/code"

// A question is what a condition asks: whether the operands are equal, or the first one is less, or
// whether the first one, a bit, is set.
type question struct {
	kind  kind
	class code.Class
	x, y  code.Operand
}

type kind uint8

const (
	bit kind = iota
	equal
	below // without signs
	less  // with signs
)

// A fact is the answer to a question in a block and those that it dominates.
type fact struct {
	block int32
	yes   bool
}

// A bound says that a number without sign is above n in a block and those that it dominates.
type bound struct {
	block int32
	n     uint64
}

// ask takes a comparison apart: the condition holds if the answer to the question is yes, or no if
// not.
func ask(pred code.Pred, class code.Class, x, y code.Operand) (q question, not bool) {
	switch pred {
	case code.EQ, code.NE:
		if x < y {
			x, y = y, x
		}
		return question{equal, class, x, y}, pred == code.NE
	case code.ULT:
		return question{below, class, x, y}, false
	case code.UGE:
		return question{below, class, x, y}, true
	case code.UGT:
		return question{below, class, y, x}, false
	case code.ULE:
		return question{below, class, y, x}, true
	case code.SLT:
		return question{less, class, x, y}, false
	case code.SGE:
		return question{less, class, x, y}, true
	case code.SGT:
		return question{less, class, y, x}, false
	default:
		return question{less, class, y, x}, true
	}
}

// condition is the question that a bit answers.
func (w *walk) condition(o code.Operand) (question, bool) {
	if o >= 0 && w.def[o] >= 0 {
		if in := &w.made[w.def[o]]; in.Op == code.ICmp {
			args := w.f.Args[in.Args:]
			return ask(in.Pred, in.Class, args[0], args[1])
		}
	}
	return question{kind: bit, x: o}, false
}

// learn notes what a bit is in a block.
func (w *walk) learn(o code.Operand, b int32, yes bool) {
	q, not := w.condition(o)
	yes = yes != not
	note := func(q question, yes bool) { w.facts[q] = append(w.facts[q], fact{b, yes}) }
	note(q, yes)
	if q.class == code.I64 {
		w.above(q, b, yes)
	}
	if q.kind != bit {
		note(question{kind: bit, x: o}, yes != not)
	}
	if yes && (q.kind == below || q.kind == less) {
		note(question{q.kind, q.class, q.y, q.x}, false)
		e, _ := ask(code.EQ, q.class, q.x, q.y)
		note(e, false)
	}
}

// above notes what an answer says of how big a number is at least.
func (w *walk) above(q question, b int32, yes bool) {
	x, isLow := w.number(q.x, q.class)
	y, isHigh := w.number(q.y, q.class)
	switch {
	case q.kind == below && yes && isLow:
		w.bounds[q.y] = append(w.bounds[q.y], bound{b, unsigned(x, q.class)})
	case q.kind == less && yes && isLow && x >= 0:
		w.bounds[q.y] = append(w.bounds[q.y], bound{b, uint64(x)})
	case q.kind == below && !yes && isHigh && y != 0:
		w.bounds[q.x] = append(w.bounds[q.x], bound{b, unsigned(y, q.class) - 1})
	case q.kind == less && !yes && isHigh && y > 0:
		w.bounds[q.x] = append(w.bounds[q.x], bound{b, uint64(y) - 1})
	}
}

// least answers a question by how big a number is at least. Only whole words have bounds.
func (w *walk) least(q question) (yes, ok bool) {
	number, limit := q.x, q.y
	if q.x < 0 {
		number, limit = q.y, q.x
	}
	n, isNumber := w.number(limit, q.class)
	if !isNumber || number < 0 || q.class != code.I64 {
		return false, false
	}
	for _, x := range w.bounds[number] {
		if !w.dominates(x.block, w.block) {
			continue
		}
		switch {
		case q.kind == equal && uint64(n) <= x.n:
			return false, true
		case q.kind == below && number == q.y && uint64(n) <= x.n:
			return true, true
		case q.kind == below && number == q.x && uint64(n) <= x.n+1 && x.n+1 != 0:
			return false, true
		}
	}
	return false, false
}

// known returns the answer to a question, if there is one in this block.
func (w *walk) known(q question) (yes, ok bool) {
	if q.kind == equal || q.kind == below {
		if yes, ok := w.least(q); ok {
			return yes, ok
		}
	}
	for _, f := range w.facts[q] {
		if w.dominates(f.block, w.block) {
			return f.yes, true
		}
	}
	return false, false
}

// compare finds the result of a comparison.
func (w *walk) compare(in *code.Ins, args []code.Operand) (int64, bool) {
	q, not := ask(in.Pred, in.Class, args[0], args[1])
	yes, ok := w.known(q)
	if x, isNumber := w.number(q.x, q.class); !ok && isNumber {
		if y, isNumber := w.number(q.y, q.class); isNumber {
			ok = true
			switch q.kind {
			case equal:
				yes = x == y
			case below:
				yes = unsigned(x, q.class) < unsigned(y, q.class)
			case less:
				yes = x < y
			}
		}
	}
	if !ok {
		return 0, false
	}
	if yes != not {
		return 1, true
	}
	return 0, true
}

// bit returns the bit that an operand is here.
func (w *walk) bit(o code.Operand) (yes, ok bool) {
	if n, isNumber := w.number(o, code.I1); isNumber {
		return n&1 != 0, true
	}
	return w.known(question{kind: bit, x: o})
}

// branch goes the way that is known already.
func (w *walk) branch(in *code.Ins, o code.Operand) {
	f := w.f
	to := f.Targets[in.Aux : in.Aux+2]
	if x, ok := w.negated(o); ok {
		at := int32(len(f.Targets))
		f.Targets = append(f.Targets, to[1], to[0])
		f.Args[in.Args] = x
		in.Aux, o, to = at, x, f.Targets[at:]
	}
	yes, ok := w.bit(o)
	if to[0] == to[1] || !ok {
		w.add(*in)
		return
	}
	go1, other := to[0], to[1]
	if !yes {
		go1, other = other, go1
	}
	w.cutoff[edge{w.block, other}] = true
	f.Targets = append(f.Targets, go1)
	w.add(code.Ins{Op: code.Br, Aux: int32(len(f.Targets) - 1), Result: -1, Loc: in.Loc})
}

// negated returns the bit whose opposite an operand is.
func (w *walk) negated(o code.Operand) (code.Operand, bool) {
	if o < 0 || w.def[o] < 0 {
		return 0, false
	}
	in := &w.made[w.def[o]]
	if in.Op != code.Xor || in.Class != code.I1 {
		return 0, false
	}
	args := w.f.Args[in.Args:]
	n, ok := w.number(args[1], code.I1)
	return args[0], ok && n != 0
}

// selects finds which operand is selected.
func (w *walk) selects(args []code.Operand) (code.Operand, bool) {
	if args[1] == args[2] {
		return args[1], true
	}
	yes, ok := w.bit(args[0])
	switch {
	case !ok:
		return 0, false
	case yes:
		return args[1], true
	}
	return args[2], true
}

// trivial finds the one operand that a phi has.
func (w *walk) trivial(in *code.Ins) (code.Operand, bool) {
	args := w.f.Args[in.Args : in.Args+in.Count]
	one, have := code.Operand(0), false
	for k, o := range args {
		p := w.f.Targets[in.Aux+int32(k)]
		if w.place[p] < 0 || w.cutoff[edge{p, w.block}] {
			continue
		}
		if w.place[p] >= w.place[w.block] {
			return 0, false // not known yet
		}
		o = w.same(w.now(o))
		if have && o != one {
			return 0, false
		}
		one, have = o, true
	}
	return one, have
}
