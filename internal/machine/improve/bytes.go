package improve

import (
	"sort"

	"loam/internal/machine/code"
)

// A portion is bytes of memory that stand in a number, from a bit on.
type portion struct {
	load  int32 // in made
	base  code.Operand
	disp  int64
	size  int64 // in bytes
	shift int64
	big   bool // the byte with the lowest address counts most
}

// together finds the number that an Or puts together of neighbouring bytes: one load of all of them
// takes the place of the loads, if memory is as it was at the first one.
func (w *walk) together(in *code.Ins, args []code.Operand) (code.Operand, bool) {
	if in.Class != code.I64 && in.Class != code.I32 {
		return 0, false
	}
	var list []portion
	if !w.portions(args[0], 0, &list) || !w.portions(args[1], 0, &list) {
		return 0, false
	}
	size := int64(0)
	for _, p := range list {
		size += p.size
	}
	cl, ok := map[int64]code.Class{2: code.I16, 4: code.I32, 8: code.I64}[size]
	if !ok || size > in.Class.Size() {
		return 0, false
	}
	sort.Slice(list, func(i, j int) bool { return list[i].disp < list[j].disp })
	big := list[0].shift > list[len(list)-1].shift
	at := list[0].disp
	for _, p := range list {
		shift := 8 * (at - list[0].disp)
		if big {
			shift = 8 * (size - (at - list[0].disp) - p.size)
		}
		if p.base != list[0].base || p.disp != at || p.shift != shift || p.size > 1 && p.big != big {
			return 0, false
		}
		at += p.size
	}
	return w.wide(in, list, cl, big), true
}

// wide loads portions as one number.
func (w *walk) wide(in *code.Ins, list []portion, cl code.Class, big bool) code.Operand {
	f := w.f
	load := code.Ins{Op: code.Load, Class: cl, Disp: list[0].disp, Result: int32(len(f.Classes)), Args: int32(len(f.Args)), Count: 1}
	load.Loc = w.made[list[0].load].Loc
	f.Classes, f.Args = append(f.Classes, cl), append(f.Args, list[0].base)
	w.repl, w.def = append(w.repl, code.Operand(len(w.repl))), append(w.def, -1)
	w.add(load)
	w.when[load.Result] = w.epoch
	x := code.Operand(load.Result)
	if big {
		x = w.make(code.Ins{Op: code.ByteSwap, Class: cl}, x)
	}
	if cl != in.Class {
		x = w.make(code.Ins{Op: code.ZExt, Class: in.Class, From: cl}, x)
	}
	return x
}

// portions takes a number apart. It reports whether nothing but bytes of memory is in it.
func (w *walk) portions(o code.Operand, shift int64, list *[]portion) bool {
	if o < 0 || w.def[o] < 0 || len(*list) > 8 {
		return false
	}
	in := &w.made[w.def[o]]
	args := w.f.Args[in.Args : in.Args+in.Count]
	switch in.Op {
	case code.Or:
		return w.portions(w.now(args[0]), shift, list) && w.portions(w.now(args[1]), shift, list)
	case code.Shl:
		n, ok := w.number(args[1], in.Class)
		return ok && n > 0 && n%8 == 0 && w.portions(w.now(args[0]), shift+n, list)
	case code.ZExt:
		return in.From >= code.I8 && w.loaded(w.now(args[0]), in.From, shift, list)
	case code.Load, code.ByteSwap:
		return w.loaded(o, in.Class, shift, list)
	}
	return false
}

// loaded appends what was loaded as a class, if memory is still so.
func (w *walk) loaded(o code.Operand, cl code.Class, shift int64, list *[]portion) bool {
	if o < 0 || w.def[o] < 0 {
		return false
	}
	in, big := &w.made[w.def[o]], false
	if in.Op == code.ByteSwap {
		if o = w.now(w.f.Args[in.Args]); o < 0 || w.def[o] < 0 {
			return false
		}
		in, big = &w.made[w.def[o]], true
	}
	if in.Op != code.Load || in.Class != cl || in.Volatile || cl.IsFloat() || cl == code.I1 || w.when[in.Result] != w.epoch {
		return false
	}
	base, disp, ok := w.spot(w.now(w.f.Args[in.Args]), in.Disp)
	*list = append(*list, portion{w.def[in.Result], base, disp, cl.Size(), shift, big})
	return ok
}

// changed notes that memory is no longer what it was.
func (w *walk) changed() {
	w.counter++
	w.epoch = w.counter
}
