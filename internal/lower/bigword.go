package lower

import (
	"strings"

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
	one func(b *fn, words []string) (z, result string)

	// few is assembly for two words and more. $0 is for the result, $1 and $2 are for its own use,
	// $4 is z and the others are the arguments behind it. Slices stand for their ends and $3 for
	// their length below zero; with down for their beginnings and their length. The loop may count
	// $3 down: nobody reads it afterwards.
	few string

	down  bool
	fixed string // constraints for $1 and $2, any register if empty
	last  string // constraint for the last argument, likewise
}

// bigWords are the functions that have it.
var bigWords = map[string]bigOp{
	"math/big.addVV": {
		one: func(b *fn, w []string) (z, result string) { return b.addWords(w[0], w[1]) },
		few: carryLoop("adcq"),
	},
	"math/big.subVV": {
		one: func(b *fn, w []string) (z, result string) {
			return b.Op("sub i64 %s, %s", w[0], w[1]), b.Op("zext i1 %s to i64", b.Op("icmp ult i64 %s, %s", w[0], w[1]))
		},
		few: carryLoop("sbbq"),
	},
	"math/big.lshVU": {
		one: func(b *fn, w []string) (z, result string) {
			return b.Op("shl i64 %s, %s", w[0], b.Op("and i64 %s, 63", w[1])), b.funnel("fshl", "0", w[0], w[1])
		},
		// z may lie above x in the same memory.
		few: `movq -8($5,$3,8), $1
			xorl ${0:k}, ${0:k}
			shldq %cl, $1, $0
			decq $3
			1: movq -8($5,$3,8), $2
			shldq %cl, $2, $1
			movq $1, ($4,$3,8)
			movq $2, $1
			decq $3
			jnz 1b
			shlq %cl, $1
			movq $1, ($4)`,
		down: true, last: "{rcx}",
	},
	"math/big.rshVU": {
		one: func(b *fn, w []string) (z, result string) {
			return b.Op("lshr i64 %s, %s", w[0], b.Op("and i64 %s, 63", w[1])), b.funnel("fshr", w[0], "0", w[1])
		},
		few: `movq ($5,$3,8), $1
			xorl ${0:k}, ${0:k}
			shrdq %cl, $1, $0
			incq $3
			1: movq ($5,$3,8), $2
			shrdq %cl, $2, $1
			movq $1, -8($4,$3,8)
			movq $2, $1
			incq $3
			jnz 1b
			shrq %cl, $1
			movq $1, -8($4)`,
		last: "{rcx}",
	},
	"math/big.mulAddVWW": {
		one: func(b *fn, w []string) (z, result string) { return b.mulAdd(w[0], w[1], w[2]) },
		few: productLoop("$5", "", "$6", "$7"), fixed: "=&{rax},=&{rdx}",
	},
	"math/big.addMulVVWW": {
		one: func(b *fn, w []string) (z, result string) {
			low, high := b.mulAdd(w[1], w[2], w[3])
			sum, carry := b.addWords(low, w[0])
			return sum, b.Op("add i64 %s, %s", high, carry)
		},
		few: productLoop("$6", "addq ($5,$3,8), $1; adcq $$0, $2;", "$7", "$8"), fixed: "=&{rax},=&{rdx}",
	},
}

// carryLoop adds or subtracts. What counts the rounds leaves the carry alone.
func carryLoop(op string) string {
	return `xorl ${0:k}, ${0:k}
		1: movq ($5,$3,8), $1
		` + op + ` ($6,$3,8), $1
		movq $1, ($4,$3,8)
		incq $3
		jnz 1b
		adcq $$0, $0`
}

// productLoop multiplies x by m and adds to each word of the product, in the registers $1 and $2,
// what plus says, and a.
func productLoop(x, plus, m, a string) string {
	return `movq ` + a + `, $0
		1: movq (` + x + `,$3,8), $1
		mulq ` + m + `
		` + plus + `
		addq $0, $1
		adcq $$0, $2
		movq $1, ($4,$3,8)
		movq $2, $0
		incq $3
		jnz 1b`
}

// addWords returns x+y and the carry.
func (b *fn) addWords(x, y string) (sum, carry string) {
	sum = b.Op("add i64 %s, %s", x, y)
	return sum, b.Op("zext i1 %s to i64", b.Op("icmp ult i64 %s, %s", sum, x))
}

// funnel shifts two words as one; llvm.fshl gives the high word, llvm.fshr the low one.
func (b *fn) funnel(op, high, low, n string) string {
	b.m.declare("llvm."+op+".i64", "declare i64 @llvm."+op+".i64(i64, i64, i64)")
	return b.Op("call i64 @llvm.%s.i64(i64 %s, i64 %s, i64 %s)", op, high, low, n)
}

// mulAdd returns the two words of x*m + a.
func (b *fn) mulAdd(x, m, a string) (low, high string) {
	wide := func(v string) string { return b.Op("zext i64 %s to i128", v) }
	all := b.Op("add i128 %s, %s", b.Op("mul i128 %s, %s", wide(x), wide(m)), wide(a))
	return b.Op("trunc i128 %s to i64", all), b.Op("trunc i128 %s to i64", b.Op("lshr i128 %s, 64", all))
}

// callBigWord lowers in, a call of f with the lowered arguments args, if it is one of bigWords and
// assembly.
func (b *fn) callBigWord(in *mid.Call, f *mid.Func, args []string) bool {
	op, ok := bigWords[b.m.funcSym(f)]
	if !ok || f.HasBody() {
		return false
	}
	var results []edge
	n := b.extract(llSlice, b.operand(in.Call.Args[0]), 1)
	one, more, few, many, done := b.Label("one"), b.Label("more"), b.Label("few"), b.Label("many"), b.Label("done")
	b.Term("br i1 %s, label %%%s, label %%%s", b.Op("icmp eq i64 %s, 1", n), one.Label, more.Label)
	end := func(result string) {
		results = append(results, edge{result, b.Cur})
		b.Term("br label %%%s", done.Label)
	}
	b.Cur = one
	end(b.oneWord(op, in.Call.Args))
	b.Cur = more
	b.Term("br i1 %s, label %%%s, label %%%s", b.Op("icmp ult i64 %s, %d", b.Op("sub i64 %s, 2", n), maxFew-1), few.Label, many.Label)
	b.Cur = few
	end(b.fewWords(op, in.Call.Args, n))
	b.Cur = many
	end(b.callCommon(&in.Call, args, b.context(&in.Call))[0])
	b.Cur = done
	b.setResults(in, []string{b.join("i64", results...)})
	return true
}

// oneWord is op with slices of one word.
func (b *fn) oneWord(op bigOp, args []mid.Value) (result string) {
	var words []string
	for _, a := range args[1:] {
		v := b.operand(a)
		if b.m.lltype(a.Type()) == llSlice {
			v = b.Op("load i64, ptr %s, align 8", b.extract(llSlice, v, 0))
		}
		words = append(words, v)
	}
	z, result := op.one(b, words)
	b.Do("store i64 %s, ptr %s, align 8", z, b.extract(llSlice, b.operand(args[0]), 0))
	return result
}

// fewWords is op with slices of n words, which are at least two.
func (b *fn) fewWords(op bigOp, args []mid.Value, n string) (result string) {
	var in, inputs []string
	for i, a := range args {
		v, constraint := b.operand(a), "r"
		if b.m.lltype(a.Type()) == llSlice {
			v = b.extract(llSlice, v, 0)
			if !op.down {
				v = b.Op("getelementptr i64, ptr %s, i64 %s", v, n)
			}
			v = "ptr " + v
		} else {
			v = "i64 " + v
		}
		if i == len(args)-1 && op.last != "" {
			constraint = op.last
		}
		in, inputs = append(in, v), append(inputs, constraint)
	}
	if !op.down {
		n = b.Op("sub i64 0, %s", n)
	}
	in, inputs = append(in, "i64 "+n), append(inputs, "3")
	own := op.fixed
	if own == "" {
		own = "=&r,=&r"
	}
	code := strings.Join(strings.FieldsFunc(op.few, func(c rune) bool { return c == '\n' || c == '\t' }), "; ")
	const words = "{ i64, i64, i64, i64 }"
	r := b.Op(`call %s asm sideeffect "%s", "=&r,%s,=&r,%s,~{memory},~{flags}"(%s)`, words, code, own, strings.Join(inputs, ","), strings.Join(in, ", "))
	return b.extract(words, r, 0)
}
