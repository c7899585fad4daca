package x86

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"loam/internal/machine/code"
)

var names = [4][16]string{
	{"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"},
	{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"},
	{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"},
	{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"},
}

func name(c code.Class, r Reg) string {
	if r.isFloat() {
		return fmt.Sprintf("%%xmm%d", r-XMM0)
	}
	return "%" + names[map[code.Class]int{code.I1: 0, code.I8: 0, code.I16: 1, code.I32: 2, code.I64: 3}[c]][r]
}

func spell(m Mem) string {
	s := ""
	if m.Thread {
		s = "%fs:"
	}
	if m.Disp != 0 || m.Base == NoReg {
		if m.Disp < 0 {
			s += fmt.Sprintf("-0x%x", -int64(m.Disp))
		} else {
			s += fmt.Sprintf("0x%x", m.Disp)
		}
	}
	if m.Base == NoReg && m.Index == NoReg {
		return s
	}
	s += "("
	if m.Base != NoReg {
		s += name(code.I64, m.Base)
	}
	if m.Index != NoReg {
		s += "," + name(code.I64, m.Index)
		if m.Scale > 1 {
			s += fmt.Sprintf(",%d", m.Scale)
		}
	}
	return s + ")"
}

// TestEncoder has every form written with all registers, places and numbers that are encoded in
// different ways, and compares what a disassembler reads with what was meant.
func TestEncoder(t *testing.T) {
	tool, err := exec.LookPath("llvm-objdump-19")
	if err != nil {
		t.Skip("there is no disassembler")
	}
	var a Assembler
	var want []string
	add := func(text string, write func()) {
		write()
		want = append(want, text)
	}
	suffix := map[code.Class]string{code.I8: "b", code.I16: "w", code.I32: "l", code.I64: "q"}
	var ints, xmms []Reg
	for r := RAX; r <= R15; r++ {
		ints = append(ints, r)
		xmms = append(xmms, XMM0+r)
	}
	places := []Mem{{Base: NoReg, Index: NoReg, Disp: 0x70, Symbol: -1, Thread: true}, {Base: NoReg, Index: NoReg, Disp: 0x1234, Symbol: -1}}
	for _, base := range ints {
		for _, disp := range []int32{0, 8, -128, 127, 128, -129, 1 << 20} {
			places = append(places, at(base, disp))
		}
		for _, index := range ints {
			if index != RSP {
				places = append(places, Mem{Base: base, Index: index, Scale: 4, Disp: 16, Symbol: -1},
					Mem{Base: base, Index: index, Scale: 1, Symbol: -1})
			}
		}
	}
	alu := map[byte]string{aluAdd: "add", aluOr: "or", aluAnd: "and", aluSub: "sub", aluXor: "xor", aluCmp: "cmp"}
	classes := []code.Class{code.I8, code.I16, code.I32, code.I64}
	for _, c := range classes {
		for op, n := range alu {
			for _, x := range ints {
				for _, y := range ints {
					add(n+suffix[c]+" "+name(c, y)+", "+name(c, x), func() { a.aluRR(op, c, x, y) })
				}
				for _, k := range []int32{1, -1, 100} {
					text := fmt.Sprintf("%s%s $%s, %s", n, suffix[c], hex(k), name(c, x))
					add(text, func() { a.aluRI(op, c, x, k) })
				}
			}
			for _, m := range places {
				add(n+suffix[c]+" "+spell(m)+", "+name(c, R9), func() { a.aluRM(op, c, R9, m) })
				add(n+suffix[c]+" "+name(c, RSI)+", "+spell(m), func() { a.aluMR(op, c, m, RSI) })
				add(n+suffix[c]+" $0x7, "+spell(m), func() { a.aluMI(op, c, m, 7) })
			}
		}
		for _, m := range places {
			for _, r := range []Reg{RAX, RSI, R10} {
				add("mov"+suffix[c]+" "+name(c, r)+", "+spell(m), func() { a.store(c, r, m) })
			}
			add("mov"+suffix[c]+" $0x5, "+spell(m), func() { a.storeImm(c, m, 5) })
		}
	}
	for _, m := range places {
		for _, r := range ints {
			add("movzbl "+spell(m)+", "+name(code.I32, r), func() { a.load(code.I8, r, m) })
			add("movzwl "+spell(m)+", "+name(code.I32, r), func() { a.load(code.I16, r, m) })
			add("movl "+spell(m)+", "+name(code.I32, r), func() { a.load(code.I32, r, m) })
			add("movq "+spell(m)+", "+name(code.I64, r), func() { a.load(code.I64, r, m) })
			add("leaq "+spell(Mem{Base: m.Base, Index: m.Index, Scale: m.Scale, Disp: m.Disp})+", "+name(code.I64, r), func() {
				m := m
				m.Thread = false
				a.rm(0x8D|wide, r, m)
			})
		}
		for _, r := range xmms {
			add("movss "+spell(m)+", "+name(code.F32, r), func() { a.load(code.F32, r, m) })
			add("movsd "+spell(m)+", "+name(code.F64, r), func() { a.load(code.F64, r, m) })
			add("movsd "+name(code.F64, r)+", "+spell(m), func() { a.store(code.F64, r, m) })
		}
	}
	for _, x := range ints {
		for _, y := range ints {
			if x != y {
				add("movq "+name(code.I64, y)+", "+name(code.I64, x), func() { a.mov(x, y) })
			}
			add("movzbl "+name(code.I8, y)+", "+name(code.I32, x), func() { a.zeroExtend(code.I8, x, y) })
			add("movsbq "+name(code.I8, y)+", "+name(code.I64, x), func() { a.signExtend(code.I8, x, y) })
			add("movslq "+name(code.I32, y)+", "+name(code.I64, x), func() { a.signExtend(code.I32, x, y) })
			add("movq "+name(code.I64, y)+", "+name(code.F64, XMM0+x), func() { a.mov(XMM0+x, y) })
			add("movq "+name(code.F64, XMM0+y)+", "+name(code.I64, x), func() { a.mov(x, XMM0+y) })
			add("imulq "+name(code.I64, y)+", "+name(code.I64, x), func() { a.rr(0xAF|map0F|wide, x, y) })
			add("ucomisd "+name(code.F64, XMM0+y)+", "+name(code.F64, XMM0+x), func() { a.rr(0x2E|map0F|pre66, XMM0+x, XMM0+y) })
		}
		add("sete "+name(code.I8, x), func() { a.set(condE, x) })
		add("movl $0x7, "+name(code.I32, x), func() { a.constant(x, 7) })
		add("movq $-0x2, "+name(code.I64, x), func() { a.constant(x, -2) })
		add("movabsq $0x123456789ab, "+name(code.I64, x), func() { a.constant(x, 0x123456789ab) })
	}
	check(t, tool, a.B, want)
}

func hex(n int32) string {
	if n < 0 {
		return fmt.Sprintf("-0x%x", -n)
	}
	return fmt.Sprintf("0x%x", n)
}

// check compares what a disassembler reads with what is wanted.
func check(t *testing.T, tool string, b []byte, want []string) {
	got := disassemble(t, tool, b)
	for i := range want {
		if i >= len(got) {
			t.Fatalf("%d instructions, want %d", len(got), len(want))
		}
		if got[i] != want[i] {
			t.Fatalf("instruction %d is %q, want %q", i, got[i], want[i])
		}
	}
}

func normal(line string) string { return strings.Join(strings.Fields(line), " ") }
