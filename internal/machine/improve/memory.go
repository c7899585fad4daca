package improve

import "loam/internal/machine/code"

// content is what a place in memory holds.
type content struct {
	base  code.Operand
	disp  int64
	class code.Class
	value code.Operand
}

const mostContents = 12

// spot takes an address apart, and reports whether it is one of which something may be known.
func (w *walk) spot(o code.Operand, disp int64) (code.Operand, int64, bool) {
	for o >= 0 && w.def[o] >= 0 {
		in := &w.made[w.def[o]]
		if in.Op != code.Addr || in.Count != 1 {
			break
		}
		o, disp = w.now(w.f.Args[in.Args]), disp+in.Disp
	}
	return o, disp, o >= 0 || w.f.Consts[^o].Kind == code.SymbolAt
}

// access finds what a load loads. It reports whether nothing of the access is left to do.
func (w *walk) access(in *code.Ins, args []code.Operand) bool {
	switch in.Op {
	case code.MemSet:
		return w.clearPart(in, args)
	case code.Load:
		if in.Volatile {
			return false
		}
		if v, ok := w.loadPart(in, args[0]); ok {
			w.repl[in.Result] = v
			return true
		}
		base, disp, ok := w.spot(args[0], in.Disp)
		if !ok {
			return false
		}
		for _, c := range w.memory {
			if c.base == base && c.disp == disp && c.class == in.Class {
				w.repl[in.Result] = c.value
				return true
			}
		}
		w.add(*in)
		w.when[in.Result] = w.epoch
		w.remember(content{base, disp, in.Class, in.Result})
		return true
	}
	if in.Order {
		return false
	}
	if w.storePart(in, args) {
		return true
	}
	if in.Volatile {
		return false
	}
	base, disp, ok := w.spot(args[1], in.Disp)
	keep := w.memory[:0]
	for _, c := range w.memory {
		if ok && c.base == base && (c.disp+c.class.Size() <= disp || disp+in.Class.Size() <= c.disp) {
			keep = append(keep, c)
		}
	}
	w.memory = keep
	w.changed()
	w.add(*in)
	if ok && w.holds(args[0], in.Class) {
		w.remember(content{base, disp, in.Class, args[0]})
	}
	return true
}

// holds reports whether an operand can stand for what is loaded as that class.
func (w *walk) holds(o code.Operand, cl code.Class) bool {
	have := code.I64
	if o >= 0 {
		have = w.f.Classes[o]
	} else {
		have = w.f.Consts[^o].Class
	}
	return have == cl || !have.IsFloat() && !cl.IsFloat()
}

func (w *walk) remember(c content) {
	if w.exact {
		return
	}
	if len(w.memory) == mostContents {
		w.memory = append(w.memory[:0], w.memory[1:]...)
	}
	w.memory = append(w.memory, c)
}

// changes forgets what an instruction may change.
func (w *walk) changes(in *code.Ins) {
	switch in.Op {
	case code.ICmp, code.FCmp, code.Select, code.Phi, code.Br, code.CondBr, code.Switch, code.Ret, code.Unreachable, code.Copy, code.Alloca,
		code.Trap, code.Hint, code.ReturnSlot, code.FrameAddress, code.ReturnAddress, code.Prefetch, code.Barrier, code.RangeBarrier, code.Keep:
		return
	}
	w.memory = w.memory[:0]
	w.changed()
}
