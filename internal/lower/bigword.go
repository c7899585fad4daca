package lower

import "golang.org/x/tools/go/ssa"

// Arithmetic of math/big on numbers of one word.
//
// math/big computes in assembly, which gets its slices on the stack (asmwrap.go). For numbers of one word, which most are, that way is
// longer than the work; the code for these is where the assembly is called.

// bigWords are the functions that have it. It gets the arguments behind z, of slices their only word, and returns z's word and the
// result.
var bigWords = map[string]func(b *fn, words []string) (z, result string){
	"math/big.addVV": func(b *fn, w []string) (z, result string) { return b.addWords(w[0], w[1]) },
	"math/big.subVV": func(b *fn, w []string) (z, result string) {
		return b.Op("sub i64 %s, %s", w[0], w[1]), b.Op("zext i1 %s to i64", b.Op("icmp ult i64 %s, %s", w[0], w[1]))
	},
	"math/big.lshVU":     func(b *fn, w []string) (z, result string) { return b.shiftWord("shl", "lshr", w[0], w[1]) },
	"math/big.rshVU":     func(b *fn, w []string) (z, result string) { return b.shiftWord("lshr", "shl", w[0], w[1]) },
	"math/big.mulAddVWW": func(b *fn, w []string) (z, result string) { return b.mulAdd(w[0], w[1], w[2]) },
	"math/big.addMulVVWW": func(b *fn, w []string) (z, result string) {
		low, high := b.mulAdd(w[1], w[2], w[3])
		sum, carry := b.addWords(low, w[0])
		return sum, b.Op("add i64 %s, %s", high, carry)
	},
}

// addWords returns x+y and the carry.
func (b *fn) addWords(x, y string) (sum, carry string) {
	sum = b.Op("add i64 %s, %s", x, y)
	return sum, b.Op("zext i1 %s to i64", b.Op("icmp ult i64 %s, %s", sum, x))
}

// shiftWord returns x shifted by n, which is from 1 to 63, and what was shifted out, as back leaves it.
func (b *fn) shiftWord(shift, back, x, n string) (z, out string) {
	n = b.Op("and i64 %s, 63", n)
	return b.Op("%s i64 %s, %s", shift, x, n), b.Op("%s i64 %s, %s", back, x, b.Op("and i64 %s, 63", b.Op("sub i64 0, %s", n)))
}

// mulAdd returns the two words of x*m + a.
func (b *fn) mulAdd(x, m, a string) (low, high string) {
	wide := func(v string) string { return b.Op("zext i64 %s to i128", v) }
	all := b.Op("add i128 %s, %s", b.Op("mul i128 %s, %s", wide(x), wide(m)), wide(a))
	return b.Op("trunc i128 %s to i64", all), b.Op("trunc i128 %s to i64", b.Op("lshr i128 %s, 64", all))
}

// callBigWord lowers in, a call of f with the lowered arguments args, if it is one of bigWords and assembly.
func (b *fn) callBigWord(in *ssa.Call, f *ssa.Function, args []string) bool {
	word := bigWords[b.m.funcSym(f)]
	if word == nil || f.Blocks != nil {
		return false
	}
	z := b.operand(in.Call.Args[0])
	small, other, done := b.Label("word"), b.Label("words"), b.Label("worded")
	b.Term("br i1 %s, label %%%s, label %%%s", b.Op("icmp eq i64 %s, 1", b.extract(llSlice, z, 1)), small.Label, other.Label)
	b.Cur = small
	var words []string
	for _, a := range in.Call.Args[1:] {
		v := b.operand(a)
		if b.m.lltype(a.Type()) == llSlice {
			v = b.Op("load i64, ptr %s, align 8", b.extract(llSlice, v, 0))
		}
		words = append(words, v)
	}
	first, result := word(b, words)
	b.Do("store i64 %s, ptr %s, align 8", first, b.extract(llSlice, z, 0))
	small = b.Cur
	b.Term("br label %%%s", done.Label)
	b.Cur = other
	results := b.callCommon(&in.Call, args)
	other = b.Cur
	b.Term("br label %%%s", done.Label)
	b.Cur = done
	b.setResults(in, []string{b.join("i64", edge{result, small}, edge{results[0], other})})
	return true
}
