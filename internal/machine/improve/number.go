package improve

import "loam/internal/machine/code"

// A key is what makes two instructions compute the same.
type key struct {
	op                code.Op
	class, from       code.Class
	pred              code.Pred
	count             uint8
	scale             int32
	disp              int64
	first, second, at code.Operand
}

// found is the value of an instruction, and its block.
type found struct {
	value, block int32
}

// pure reports whether an instruction computes the same wherever it stands. Compares are not among
// them: a branch that asks for itself needs no register.
func pure(op code.Op) bool {
	switch op {
	case code.Add, code.Sub, code.Mul, code.UDiv, code.SDiv, code.URem, code.SRem, code.Shl, code.LShr, code.AShr, code.And, code.Or, code.Xor,
		code.FAdd, code.FSub, code.FMul, code.FDiv, code.FNeg, code.ZExt, code.SExt, code.FPTrunc, code.FPExt, code.FPToSI, code.FPToUI,
		code.SIToFP, code.UIToFP, code.BitsOf, code.Addr, code.AddCarry, code.SubBorrow, code.MulOverflow, code.MulWide, code.Min, code.Max,
		code.CountLeading, code.CountTrailing, code.PopCount, code.ByteSwap, code.RotateLeft, code.RotateRight, code.FAbs, code.Sqrt,
		code.CopySign, code.TruncCPU, code.EqualBytes, code.SignBits:
		return true
	}
	return false
}

func commutes(op code.Op) bool {
	switch op {
	case code.Add, code.Mul, code.And, code.Or, code.Xor:
		return true
	}
	return false
}

// results is how many values an instruction makes.
func results(f *code.Func, in *code.Ins) int32 {
	switch in.Op {
	case code.Call:
		return f.Calls[in.Aux].Results
	case code.AddCarry, code.SubBorrow, code.MulOverflow, code.MulWide, code.CmpXchg, code.Divide:
		return 2
	}
	return 1
}

// one handles the next instruction of the old code.
func (w *walk) one(in code.Ins) {
	w.loc = in.Loc
	args := w.f.Args[in.Args : in.Args+in.Count]
	if in.Op != code.Phi {
		for k, o := range args {
			args[k] = w.same(w.now(o))
		}
	}
	switch in.Op {
	case code.Nop:
		return
	case code.Copy:
		if o := args[0]; o < 0 || w.f.Classes[o].IsFloat() == in.Class.IsFloat() {
			w.repl[in.Result] = o
			return
		}
	case code.Phi:
		if o, ok := w.trivial(&in); ok {
			w.repl[in.Result] = o
			return
		}
	case code.ICmp:
		if bit, ok := w.compare(&in, args); ok {
			w.repl[in.Result] = w.constant(code.I1, bit)
			return
		}
	case code.CondBr:
		w.branch(&in, args[0])
		return
	case code.Select:
		if o, ok := w.selects(args); ok {
			w.repl[in.Result] = o
			return
		}
	case code.Load, code.Store, code.MemSet:
		if w.access(&in, args) {
			return
		}
	case code.Alloca:
		if w.slots[in.Result] {
			return
		}
	}
	if pure(in.Op) {
		v := w.value(in, args)
		for r := range results(w.f, &in) {
			w.repl[in.Result+r] = v + r
			if v < 0 {
				w.repl[in.Result] = v
			}
		}
		return
	}
	w.changes(&in)
	w.add(in)
}

// add appends an instruction to the new code.
func (w *walk) add(in code.Ins) {
	if in.Result >= 0 {
		for r := range results(w.f, &in) {
			w.def[in.Result+r] = int32(len(w.made))
		}
	}
	w.made = append(w.made, in)
}

// same gives equal constants one operand.
func (w *walk) same(o code.Operand) code.Operand {
	if o >= 0 {
		return o
	}
	k := w.f.Consts[^o]
	if have, ok := w.consts[k]; ok {
		return have
	}
	w.consts[k] = o
	return o
}

func (w *walk) constant(cl code.Class, n int64) code.Operand {
	k := code.Const{Class: cl, N: n}
	if have, ok := w.consts[k]; ok {
		return have
	}
	w.f.Consts = append(w.f.Consts, k)
	o := ^code.Operand(len(w.f.Consts) - 1)
	w.consts[k] = o
	return o
}

// number returns the number that an operand is, with its sign, as an integer of that class.
func (w *walk) number(o code.Operand, cl code.Class) (int64, bool) {
	if o >= 0 {
		return 0, false
	}
	k := &w.f.Consts[^o]
	if k.Kind != code.Int || k.Class.IsFloat() || cl.IsFloat() {
		return 0, false
	}
	return signed(k.N, cl), true
}

func widthOf(cl code.Class) int {
	if cl == code.I1 {
		return 1
	}
	return int(cl.Size()) * 8
}

func signed(n int64, cl code.Class) int64 {
	s := 64 - widthOf(cl)
	return n << s >> s
}

func unsigned(n int64, cl code.Class) uint64 {
	s := 64 - widthOf(cl)
	return uint64(n) << s >> s
}

// value returns what an instruction that is pure computes: something that is there already, or the
// instruction's own result, for which it is appended.
func (w *walk) value(in code.Ins, args []code.Operand) code.Operand {
	if len(args) == 2 && commutes(in.Op) && args[0] < 0 {
		args[0], args[1] = args[1], args[0]
	}
	if o, ok := w.simpler(&in, args); ok {
		return o
	}
	k := key{op: in.Op, class: in.Class, from: in.From, pred: in.Pred, count: uint8(in.Count), scale: in.Scale, disp: in.Disp}
	for i, o := range args {
		switch i {
		case 0:
			k.first = o
		case 1:
			k.second = o
		case 2:
			k.at = o
		}
	}
	if x, ok := w.seen[k]; ok && !w.exact && w.dominates(x.block, w.block) {
		return x.value
	}
	w.seen[k] = found{in.Result, w.block}
	w.add(in)
	return in.Result
}

// make returns the value of an instruction of this package's own.
func (w *walk) make(in code.Ins, args ...code.Operand) code.Operand {
	f := w.f
	in.Result = int32(len(f.Classes))
	for range results(f, &in) {
		f.Classes = append(f.Classes, in.Class)
		w.repl, w.def = append(w.repl, code.Operand(len(w.repl))), append(w.def, -1)
	}
	in.Args, in.Count, in.Loc = int32(len(f.Args)), int32(len(args)), w.loc
	f.Args = append(f.Args, args...)
	return w.value(in, f.Args[in.Args:])
}

func (w *walk) op(op code.Op, cl code.Class, x, y code.Operand) code.Operand {
	return w.make(code.Ins{Op: op, Class: cl}, x, y)
}

// simpler finds what computes the same with less.
func (w *walk) simpler(in *code.Ins, args []code.Operand) (code.Operand, bool) {
	cl := in.Class
	switch in.Op {
	case code.ZExt, code.SExt:
		if n, ok := w.number(args[0], in.From); ok {
			if in.Op == code.ZExt {
				n = int64(unsigned(n, in.From))
			}
			return w.constant(cl, n), true
		}
		return 0, false
	case code.Or:
		if o, ok := w.together(in, args); ok {
			return o, true
		}
	case code.Add, code.Sub, code.Mul, code.And, code.Xor, code.Shl, code.LShr, code.AShr, code.UDiv, code.SDiv, code.URem, code.SRem:
	case code.Addr:
		w.nearer(in, args)
		return 0, false
	default:
		return 0, false
	}
	y, ok := w.number(args[1], cl)
	if !ok {
		return 0, false
	}
	if x, ok := w.number(args[0], cl); ok {
		if n, ok := fold(in.Op, cl, x, y); ok {
			return w.constant(cl, signed(n, cl)), true
		}
		return 0, false
	}
	x := args[0]
	switch in.Op {
	case code.Add, code.Sub, code.Or, code.Xor, code.Shl, code.LShr, code.AShr:
		if y == 0 {
			return x, true
		}
	case code.And:
		if y == -1 {
			return x, true
		}
		if y == 0 {
			return w.constant(cl, 0), true
		}
	case code.Mul:
		return w.multiply(x, y, cl)
	case code.UDiv, code.URem, code.SDiv, code.SRem:
		return w.divide(in, x, y)
	}
	return 0, false
}

// nearer folds into an address what its parts add.
func (w *walk) nearer(in *code.Ins, args []code.Operand) {
	if len(args) != 2 || in.Scale >= 8 {
		return
	}
	if d := args[1]; d >= 0 && w.def[d] >= 0 {
		x := &w.made[w.def[d]]
		if x.Op != code.Shl || x.Class != code.I64 {
			return
		}
		y := w.f.Args[x.Args : x.Args+2]
		if n, ok := w.number(y[1], code.I64); ok && n >= 0 && n < 4 && in.Scale<<n <= 8 {
			args[1] = y[0]
			in.Scale <<= n
		}
	}
}

func fold(op code.Op, cl code.Class, x, y int64) (int64, bool) {
	switch op {
	case code.Add:
		return x + y, true
	case code.Sub:
		return x - y, true
	case code.Mul:
		return x * y, true
	case code.And:
		return x & y, true
	case code.Or:
		return x | y, true
	case code.Xor:
		return x ^ y, true
	case code.Shl, code.LShr, code.AShr:
		if y < 0 || int(y) >= widthOf(cl) {
			return 0, false
		}
		switch op {
		case code.Shl:
			return x << y, true
		case code.LShr:
			return int64(unsigned(x, cl) >> y), true
		}
		return x >> y, true
	}
	return 0, false
}
