package amd64

import (
	"fmt"
	"strings"

	"loam/internal/ir"
)

// Loop is assembly for a function of math/big on slices of two words and more. $0 is for the
// result, $1 and $2 are for its own use, $4 is the first argument, the slice that is written, and
// the others are those behind it. Slices stand for their ends and $3 for their length below zero;
// with Down for their beginnings and their length. The loop may count $3 down: nobody reads it
// afterwards.
type Loop struct {
	code  string
	Down  bool
	fixed string // constraints for $1 and $2, any register if empty
	last  string // constraint for the last argument, likewise
}

// Asm returns the loop's assembly for so many arguments.
func (l Loop) Asm(args int) ir.Asm {
	inputs := strings.Split(strings.TrimSuffix(strings.Repeat("r,", args), ","), ",")
	if l.last != "" {
		inputs[args-1] = l.last
	}
	inputs = append(inputs, "3")
	own := l.fixed
	if own == "" {
		own = "=&r,=&r"
	}
	code := strings.Join(strings.FieldsFunc(l.code, func(c rune) bool { return c == '\n' || c == '\t' }), "; ")
	return ir.Asm{Text: code, Constraints: fmt.Sprintf("=&r,%s,=&r,%s,~{memory},~{flags}", own, strings.Join(inputs, ","))}
}

// Loops are the functions that have one.
var Loops = map[string]Loop{
	"math/big.addVV": {
		code: carryLoop("adcq"),
	},
	"math/big.subVV": {
		code: carryLoop("sbbq"),
	},
	"math/big.lshVU": {
		// What is written may lie above what is read in the same memory.
		code: `movq -8($5,$3,8), $1
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
		Down: true, last: "{rcx}",
	},
	"math/big.rshVU": {
		code: `movq ($5,$3,8), $1
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
		code: productLoop("$5", "", "$6", "$7"), fixed: "=&{rax},=&{rdx}",
	},
	"math/big.addMulVVWW": {
		code: productLoop("$6", "addq ($5,$3,8), $1; adcq $$0, $2;", "$7", "$8"), fixed: "=&{rax},=&{rdx}",
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
