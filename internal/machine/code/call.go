package code

import (
	"bytes"
	"strconv"
	"strings"
)

// call reads a call of a function, of one of LLVM's, or inline assembly.
func (r *reader) call(tail bool) {
	ret := r.typ()
	if r.take("asm") {
		r.asm(ret)
		return
	}
	r.space()
	info := CallInfo{Symbol: -1, Nest: -1, Tail: tail, Results: int32(len(ret.leaves))}
	var args []Operand
	if r.b[r.at] == '@' {
		info.Symbol = r.symbol()
		r.f.Attrs.Twice = r.f.Attrs.Twice || r.m.Symbols[info.Symbol].Twice
	} else {
		args = r.operand(fixed["ptr"], nil)
	}
	var classes []Class
	args, classes = r.arguments(args, &info.Nest)
	if info.Symbol >= 0 {
		if name := r.m.Symbols[info.Symbol].Name; strings.HasPrefix(name, "llvm.") && r.intrinsic(name, ret, args, classes) {
			return
		}
	}
	in := Ins{Op: Call, Class: None, Aux: int32(len(r.f.Calls)), Result: r.makes(ret)}
	if len(ret.leaves) > 0 {
		in.Class = ret.leaves[0].class
	}
	r.f.Calls = append(r.f.Calls, info)
	r.ins(in, args...)
}

// arguments reads what is between the parentheses of a call. nest becomes the argument that is the
// closure's context.
func (r *reader) arguments(args []Operand, nest *int32) ([]Operand, []Class) {
	var classes []Class
	r.expect("(")
	for !r.take(")") {
		t := r.typ()
		for {
			switch {
			case r.take("nest"):
				*nest = int32(len(args))
				continue
			case r.take("noalias"), r.take("nocapture"), r.take("readonly"):
				continue
			case r.take("align"):
				r.number()
				continue
			}
			break
		}
		args = r.operand(t, args)
		for _, l := range t.leaves {
			classes = append(classes, l.class)
		}
		r.take(",")
	}
	return args, classes
}

var simple = map[string]Ins{
	"uadd.with.overflow": {Op: AddCarry}, "usub.with.overflow": {Op: SubBorrow}, "umul.with.overflow": {Op: MulOverflow},
	"smin": {Op: Min, Pred: SLT}, "smax": {Op: Max, Pred: SGT}, "umin": {Op: Min, Pred: ULT}, "umax": {Op: Max, Pred: UGT},
	"ctlz": {Op: CountLeading}, "cttz": {Op: CountTrailing}, "ctpop": {Op: PopCount}, "bswap": {Op: ByteSwap},
	"fabs": {Op: FAbs}, "sqrt": {Op: Sqrt}, "copysign": {Op: CopySign}, "readcyclecounter": {Op: Cycles},
	"prefetch": {Op: Prefetch}, "x86.sse2.cvttsd2si64": {Op: TruncCPU}, "x86.sse2.cvttsd2si": {Op: TruncCPU},
	"frameaddress": {Op: FrameAddress}, "returnaddress": {Op: ReturnAddress}, "addressofreturnaddress": {Op: ReturnSlot},
	"fshl": {Op: RotateLeft}, "fshr": {Op: RotateRight},
}

// intrinsic makes an instruction of a call of one of LLVM's functions.
func (r *reader) intrinsic(name string, ret *Type, args []Operand, classes []Class) bool {
	base := strings.TrimPrefix(name, "llvm.")
	for _, suffix := range []string{".p0.p0.i64", ".p0.i64", ".p0", ".i8", ".i16", ".i32", ".i64", ".f32", ".f64"} {
		if s, ok := strings.CutSuffix(base, suffix); ok {
			base = s
			break
		}
	}
	switch base {
	case "memset":
		r.ins(Ins{Op: MemSet, Result: -1}, args[0], args[1], args[2])
		return true
	case "memmove", "memcpy":
		if !r.moveWords(args[0], args[1], args[2]) {
			r.ins(Ins{Op: MemMove, Result: -1}, args[0], args[1], args[2])
		}
		return true
	case "lifetime.start", "lifetime.end", "assume":
		return true
	}
	switch base {
	case "floor", "ceil", "trunc", "roundeven", "fma":
		r.library(base, ret, args)
		return true
	case "bitreverse":
		r.reverse(ret, args[0])
		return true
	case "fshl", "fshr":
		if args[0] != args[1] {
			r.funnel(base == "fshl", ret, args)
			return true
		}
	}
	in, ok := simple[base]
	if !ok {
		Fail("%s", name)
	}
	in.Result = -1
	if len(ret.leaves) > 0 {
		in.Class = ret.leaves[0].class
		in.Result = r.makes(ret)
	}
	switch in.Op {
	case CountLeading, CountTrailing, Prefetch, PopCount, ByteSwap:
		args = args[:1]
	case FrameAddress, ReturnAddress:
		if len(args) > 0 && !r.isZero(args[0]) {
			Fail("%s of a caller", name)
		}
		args = nil
	case RotateLeft, RotateRight:
		args = args[1:]
	case TruncCPU:
		in.From = F64
	}
	r.ins(in, args...)
	return true
}

// mostMoved is how many words are loaded and stored one by one where memory is moved.
const mostMoved = 4

// moveWords loads and stores what is moved if that is few words or a part of one: a variable that
// is only copied into and loaded from needs no memory.
func (r *reader) moveWords(to, from, size Operand) bool {
	if size >= 0 || r.f.Consts[^size].Kind != Int {
		return false
	}
	n, class := r.f.Consts[^size].N, I64
	switch {
	case n == 1:
		class = I8
	case n == 2:
		class = I16
	case n == 4:
		class = I32
	case n <= 0 || n%8 != 0 || n > 8*mostMoved:
		return false
	}
	var words [mostMoved]Operand
	for i, disp := 0, int64(0); disp < n; i, disp = i+1, disp+class.Size() {
		words[i] = r.value(class)
		r.ins(Ins{Op: Load, Class: class, Disp: disp, Result: words[i]}, from)
	}
	for i, disp := 0, int64(0); disp < n; i, disp = i+1, disp+class.Size() {
		r.ins(Ins{Op: Store, Class: class, Disp: disp, Result: -1}, words[i], to)
	}
	return true
}

// library calls a function that does what LLVM's does (overlay/math/libm.gas).
func (r *reader) library(name string, ret *Type, args []Operand) {
	if ret.class == F32 {
		name += "f"
	}
	in := Ins{Op: Call, Class: ret.class, Aux: int32(len(r.f.Calls)), Result: r.makes(ret)}
	r.f.Calls = append(r.f.Calls, CallInfo{Symbol: r.m.symbolNamed(name), Nest: -1, Results: 1})
	r.ins(in, args...)
}

// compute appends an instruction of two operands, and returns its result.
func (r *fn) compute(op Op, c Class, x, y Operand) Operand {
	v := r.value(c)
	r.ins(Ins{Op: op, Class: c, Result: v}, x, y)
	return v
}

func (r *fn) int(c Class, n int64) Operand { return r.constOperand(Const{Class: c, N: n}) }

// reverse turns the bits of a number around: its bytes, and then halves of ever smaller parts.
func (r *reader) reverse(ret *Type, x Operand) {
	c := ret.class
	if c != I8 {
		v := r.value(c)
		r.ins(Ins{Op: ByteSwap, Class: c, Result: v}, x)
		x = v
	}
	for _, step := range []struct{ n, mask int64 }{{4, 0x0F0F0F0F0F0F0F0F}, {2, 0x3333333333333333}, {1, 0x5555555555555555}} {
		mask, n := r.int(c, step.mask<<(64-8*c.Size())>>(64-8*c.Size())), r.int(c, step.n)
		high := r.compute(And, c, r.compute(LShr, c, x, n), mask)
		x = r.compute(Or, c, high, r.compute(Shl, c, r.compute(And, c, x, mask), n))
	}
	r.is(ret, []Operand{x})
}

// funnel shifts two words as one, and keeps one.
func (r *reader) funnel(left bool, ret *Type, args []Operand) {
	c := ret.class
	if c != I64 {
		Fail("a funnel shift of %d bytes", c.Size())
	}
	n := r.compute(And, c, args[2], r.int(c, 63))
	rest := r.compute(Xor, c, n, r.int(c, 63))
	one := r.int(c, 1)
	var x, y Operand
	if left {
		x = r.compute(Shl, c, args[0], n)
		y = r.compute(LShr, c, r.compute(LShr, c, args[1], one), rest)
	} else {
		x = r.compute(LShr, c, args[1], n)
		y = r.compute(Shl, c, r.compute(Shl, c, args[0], one), rest)
	}
	r.is(ret, []Operand{r.compute(Or, c, x, y)})
}

// assembly reads the text and the constraints of inline assembly, as they are spelled.
func (r *reader) assembly() (text, constraints string) {
	r.take("sideeffect")
	read := func() string {
		r.space()
		r.at++
		n := bytes.IndexByte(r.b[r.at:], '"')
		s := string(r.b[r.at : r.at+n])
		r.at += n + 1
		return s
	}
	text = read()
	r.expect(",")
	return text, read()
}

const (
	barrierStart = `cmpl $$0, \22internal/rt/heap.marking\22(%rip)\0A\09jne 2f\0A1:\0A\09.subsection 1\0A2:\09leaq -128(%rsp), %rsp\0A`
	barrierEnd   = `\09leaq 128(%rsp), %rsp\0A\09jmp 1b\0A\09.subsection 0`
	rangeEnd     = `\0A\09pushq $0\0A\09callq loam.shade_range\0A`
)

// asm reads inline assembly, each form of which is an operation.
func (r *reader) asm(ret *Type) {
	text, constraints := r.assembly()
	nest := int32(-1)
	args, _ := r.arguments(nil, &nest)
	in := Ins{Result: -1}
	switch {
	case strings.HasPrefix(text, barrierStart):
		slow := strings.TrimSuffix(strings.TrimPrefix(text, barrierStart), barrierEnd)
		in.Op = Barrier
		if what, ok := strings.CutSuffix(slow, rangeEnd); ok {
			in.Op = RangeBarrier
			if n, ok := strings.CutPrefix(what, `\09pushq $$`); ok {
				size, err := strconv.ParseInt(n, 10, 32)
				if err != nil {
					Fail("barrier %s", what)
				}
				in.Disp = size
			} else if what != `\09pushq $1` {
				Fail("barrier %s", what)
			}
		} else if strings.Count(slow, "callq loam.shade\\0A") != len(args) {
			Fail("barrier %s", slow)
		}
	case strings.HasPrefix(text, `callq \22loam.trap.`):
		in.Op = Trap
		in.Aux = int32(len(r.f.Calls))
		name := strings.TrimSuffix(strings.TrimPrefix(text, `callq \22`), `\22`)
		r.f.Calls = append(r.f.Calls, CallInfo{Symbol: r.m.symbolNamed(name)})
	case text == "" && strings.HasPrefix(constraints, "={rdi},"):
		in.Op, in.Class, in.Result = Resumed, I64, r.makes(ret)
	case text == "" && constraints == "~{memory}":
		return
	case text == "" && constraints == "=r,0":
		in.Op, in.Class, in.Result = Copy, ret.class, r.makes(ret)
	case text == "" && !strings.Contains(constraints, "="):
		in.Op = Keep
	case text == "xorl ${0:k}, ${0:k}" && constraints == "=r,0,~{flags}":
		r.ins(Ins{Op: Keep, Result: -1}, args...)
		in.Op, in.Class, in.Result = Copy, ret.class, r.makes(ret)
		args = []Operand{r.constOperand(Const{Class: ret.class})}
	case strings.HasPrefix(text, "callq loam.clear_unused;"):
		in.Op = ClearUnused
	case strings.HasPrefix(text, "xorl %ebx, %ebx;"):
		in.Op = ClearKept
	case text == "syscall":
		in.Op, in.Class, in.Result = Syscall, I64, r.makes(ret)
	case text == "divq $4":
		in.Op, in.Class, in.Result = Divide, I64, r.makes(ret)
	case text == "pause":
		in.Op = Pause
	case text == "nop":
		in.Op = Hint
	default:
		for begin, op := range wordLoops {
			if strings.HasPrefix(text, begin) {
				in.Op = op
			}
		}
		if in.Op == 0 {
			Fail("assembly %.60s", text)
		}
		in.Class, in.Result = I64, r.makes(ret)
	}
	r.ins(in, args...)
}

// wordLoops are what loops over numbers of several words begin with.
var wordLoops = map[string]Op{
	"xorl ${0:k}, ${0:k}; 1: movq ($5,$3,8), $1; adcq ($6,$3,8), $1;": AddWords,
	"xorl ${0:k}, ${0:k}; 1: movq ($5,$3,8), $1; sbbq ($6,$3,8), $1;": SubWords,
	"movq -8($5,$3,8), $1; xorl ${0:k}, ${0:k}; shldq %cl, $1, $0;":   ShiftUp,
	"movq ($5,$3,8), $1; xorl ${0:k}, ${0:k}; shrdq %cl, $1, $0;":     ShiftDown,
	"movq $7, $0; 1: movq ($5,$3,8), $1; mulq $6;":                    MulWords,
	"movq $8, $0; 1: movq ($6,$3,8), $1; mulq $7;":                    MulAddWords,
}

// callbr reads the resume point. Where the text is empty nothing goes to the second block.
func (r *reader) callbr() {
	r.expect("void")
	r.expect("asm")
	text, _ := r.assembly()
	nest := int32(-1)
	args, _ := r.arguments(nil, &nest)
	if r.take("#") {
		r.number()
	}
	r.expect("to")
	at := int32(len(r.f.Targets))
	r.target()
	r.expect("[")
	r.target()
	switch {
	case text == "":
		r.ins(Ins{Op: Br, Aux: at, Result: -1})
	case strings.HasPrefix(text, `movq %rsp, 0x10($0)\0A\09movq $$3f+0, 0x18($0)`) && len(args) == 1,
		strings.HasPrefix(text, `movq %rsp, 0x10($0)\0A\09movq $$3f+1, 0x18($0)`) && len(args) == 2:
		r.ins(Ins{Op: SaveResume, Aux: at, Result: -1}, args...)
	default:
		Fail("assembly %.60s", text)
	}
}
