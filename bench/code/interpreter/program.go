// Package interpreter is a bytecode interpreter in one function, made by bench/code/generate: a
// switch with hundreds of cases in a loop.
package interpreter

import "fmt"

type kind uint8

const (
	isNil kind = iota
	isInt
	isFloat
	isBool
)

type value struct {
	kind kind
	n    int64
	f    float64
}

type instr struct {
	op      uint8
	a, b, c uint16
}

type frame struct{ pc, base int }

type fault struct {
	pc  int
	why string
}

func (f *fault) Error() string { return fmt.Sprintf("%d: %s", f.pc, f.why) }

// Run interprets a program that sieves, mixes integers and floats, and calls.
func Run() int {
	num := func(n int64) value { return value{kind: isInt, n: n} }
	consts := []value{num(0), num(1), num(2), num(3), num(2000), num(65537), num(31), {kind: isFloat, f: 0.5}, num(40), num(7)}
	globals := make([]value, 16)
	array := make([]value, 2001)
	for i := range globals {
		globals[i] = num(int64(i))
	}
	code := []instr{
		{opLoad, 0, 0, 0}, // 0: r0 = 0, the round
		{opLoad, 1, 2, 0}, // 1: r1 = 2, clears the array
		{opLoad, 2, 0, 0},
		{opSetItem, 2, 0, 1}, // 3
		{opAddRK, 1, 1, 1},
		{opJumpLtRK, 3, 1, 4},
		{opLoad, 1, 2, 0},    // 6: r1 = 2, the number
		{opGetItem, 2, 0, 1}, // 7
		{opJumpNeRK, 14, 2, 0},
		{opAddRR, 3, 1, 1}, // 9: r3 = 2*r1, the multiple
		{opJumpGeRK, 14, 3, 4},
		{opSetItem, 1, 0, 3}, // 11
		{opAddRR, 3, 3, 1},
		{opJumpLtRK, 11, 3, 4},
		{opMulRK, 4, 4, 6}, // 14: r4 = (r4*31 + r1) % 65537
		{opAddRR, 4, 4, 1},
		{opModRK, 4, 4, 5},
		{opMulRK, 5, 4, 7}, // a float
		{opSetLtRR, 6, 5, 1},
		{opPush, 5, 0, 0},
		{opPush, 4, 0, 0},
		{opSubSS, 0, 0, 0},
		{opPop, 7, 0, 0},
		{opXorGK, 8, 3, 6},
		{opMaxRG, 8, 8, 5},
		{opSetGlobal, 3, 8, 0},
		{opCall, 32, 16, 0},
		{opAddRK, 1, 1, 1},
		{opJumpLtRK, 7, 1, 4}, // 28
		{opAddRK, 0, 0, 1},
		{opJumpLtRK, 1, 0, 8},
		{opHalt, 0, 0, 0},
		{opMinKR, 0, 9, 0}, // 32: a function
		{opShlRK, 1, 0, 1},
		{opOrRR, 0, 0, 1},
		{opReturn, 0, 0, 0},
	}
	return mustRun(code, consts, globals, array)
}

func mustRun(code []instr, consts, globals, array []value) int {
	for _, r := range []int{4, 16, 17} { // registers that are read before they are written
		code = append([]instr{{opLoad, uint16(r), 0, 0}}, code...)
	}
	for i := range code {
		switch code[i].op {
		case opJump, opCall, opJumpLtRK, opJumpNeRK, opJumpGeRK:
			code[i].a += 3
		}
	}
	steps, err := run(code, consts, globals, array)
	if err != nil {
		panic(err)
	}
	return steps
}
