package lower

import (
	"loam/internal/amd64"
	"loam/internal/ir"
	"loam/internal/mid"
)

// Arithmetic of math/big on numbers of one word and of few.
//
// math/big computes in assembly, which gets its slices on the stack (asmwrap.go). For numbers of up
// to maxFew words that way is longer than the work; the code for these is where the assembly is
// called. That for one word is LLVM's to optimise with what is around it, that for more is a loop
// of the instructions that a compiler does not find: carries stay in the flag from round to round.

// maxFew is the length up to which it is; from there on math/big's own assembly, which has unrolled
// loops, is the faster one.
const maxFew = 16

// bigOp is the code for a function of math/big.
type bigOp struct {
	// one gets the arguments behind z, of slices their only word, and returns z's word and the result.
	one func(b *calls, words []ir.Value) (z, result ir.Value)
}

// bigWords are the functions that have it.
var bigWords = map[string]bigOp{
	"math/big.addVV": {
		one: func(b *calls, w []ir.Value) (z, result ir.Value) { return b.addWords(w[0], w[1]) },
	},
	"math/big.subVV": {
		one: func(b *calls, w []ir.Value) (z, result ir.Value) {
			return b.Sub(w[0], w[1]), b.Cast(ir.ZExt, b.ICmp(ir.ULT, w[0], w[1]), ir.I64)
		},
	},
	"math/big.lshVU": {
		one: func(b *calls, w []ir.Value) (z, result ir.Value) {
			return b.Shl(w[0], b.And(w[1], ir.Int(ir.I64, 63))), b.funnel("fshl", ir.Int(ir.I64, 0), w[0], w[1])
		},
	},
	"math/big.rshVU": {
		one: func(b *calls, w []ir.Value) (z, result ir.Value) {
			return b.LShr(w[0], b.And(w[1], ir.Int(ir.I64, 63))), b.funnel("fshr", w[0], ir.Int(ir.I64, 0), w[1])
		},
	},
	"math/big.mulAddVWW": {
		one: func(b *calls, w []ir.Value) (z, result ir.Value) { return b.mulAdd(w[0], w[1], w[2]) },
	},
	"math/big.addMulVVWW": {
		one: func(b *calls, w []ir.Value) (z, result ir.Value) {
			low, high := b.mulAdd(w[1], w[2], w[3])
			sum, carry := b.addWords(low, w[0])
			return sum, b.Add(high, carry)
		},
	},
}

// addWords returns x+y and the carry.
func (b *calls) addWords(x, y ir.Value) (sum, carry ir.Value) {
	sum = b.Add(x, y)
	return sum, b.Cast(ir.ZExt, b.ICmp(ir.ULT, sum, x), ir.I64)
}

// funnel shifts two words as one; llvm.fshl gives the high word, llvm.fshr the low one.
func (b *calls) funnel(op string, high, low, n ir.Value) ir.Value {
	return b.Call(ir.I64, b.m.intrinsic(overloaded(op, ir.I64), ir.I64, typed(ir.I64, ir.I64, ir.I64)...), high, low, n)
}

// mulAdd returns the two words of x*m + a.
func (b *calls) mulAdd(x, m, a ir.Value) (low, high ir.Value) {
	wide := func(v ir.Value) ir.Value { return b.Cast(ir.ZExt, v, ir.I128) }
	all := b.Add(b.Mul(wide(x), wide(m)), wide(a))
	return b.Cast(ir.Trunc, all, ir.I64), b.Cast(ir.Trunc, b.LShr(all, ir.Int(ir.I128, 64)), ir.I64)
}

// callBigWord lowers in, a call of f with the lowered arguments args, if it is one of bigWords and
// assembly.
func (b *calls) callBigWord(in *mid.Call, f *mid.Func, args []ir.Value) bool {
	op, ok := bigWords[b.m.funcSym(f)]
	if !ok || f.HasBody() {
		return false
	}
	var results []ir.Edge
	n := b.extract(b.operand(in.Call.Args[0]), 1)
	one, more, few, many, done := b.Label("one"), b.Label("more"), b.Label("few"), b.Label("many"), b.Label("done")
	b.CondBr(b.ICmp(ir.EQ, n, ir.Int(ir.I64, 1)), one, more)
	end := func(result ir.Value) {
		results = append(results, ir.Edge{Value: result, From: b.Cur})
		b.Br(done)
	}
	b.Cur = one
	end(b.oneWord(op, in.Call.Args))
	b.Cur = more
	b.CondBr(b.ICmp(ir.ULT, b.Sub(n, ir.Int(ir.I64, 2)), ir.Int(ir.I64, maxFew-1)), few, many)
	b.Cur = few
	end(b.fewWords(amd64.Loops[b.m.funcSym(f)], in.Call.Args, n))
	b.Cur = many
	end(b.callCommon(in, &in.Call, args, b.context(&in.Call))[0])
	b.Cur = done
	b.setResults(in, []ir.Value{b.join(ir.I64, results...)})
	return true
}

// oneWord is op with slices of one word.
func (b *calls) oneWord(op bigOp, args []mid.Value) (result ir.Value) {
	var words []ir.Value
	for _, a := range args[1:] {
		v := b.operand(a)
		if b.m.lltype(a.Type()) == llSlice {
			v = b.Load(ir.I64, b.extract(v, 0), 8)
		}
		words = append(words, v)
	}
	z, result := op.one(b, words)
	b.Store(z, b.extract(b.operand(args[0]), 0), 8)
	return result
}

// fewWords is op with slices of n words, which are at least two.
func (b *calls) fewWords(loop amd64.Loop, args []mid.Value, n ir.Value) (result ir.Value) {
	in := make([]ir.Value, len(args), len(args)+1)
	for i, a := range args {
		v := b.operand(a)
		if b.m.lltype(a.Type()) == llSlice {
			v = b.extract(v, 0)
			if !loop.Down {
				v = b.Index(ir.I64, v, n)
			}
		}
		in[i] = v
	}
	if !loop.Down {
		n = b.Sub(ir.Int(ir.I64, 0), n)
	}
	words := ir.Struct(ir.I64, ir.I64, ir.I64, ir.I64)
	return b.extract(b.Asm(loop.Asm(len(args)), words, append(in, n)...), 0)
}
