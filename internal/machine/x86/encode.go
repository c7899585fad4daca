package x86

import "loam/internal/machine/code"

// A Reg is a register: 0 to 15 are those for integers, 16 to 31 those for floats.
type Reg uint8

// Registers, in the order of their numbers.
const (
	RAX Reg = iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
	XMM0
	XMM1
	XMM2
	XMM3
	XMM4
	XMM5
	XMM6
	XMM7
	XMM8
	XMM9
	XMM10
	XMM11
	XMM12
	XMM13
	XMM14
	XMM15
	NoReg Reg = 255
)

func (r Reg) isFloat() bool { return XMM0 <= r && r <= XMM15 }

// A Mem is a place in memory: what Base and Index hold, Disp, and the address of a symbol, added.
// Without Base and Index it is an absolute address.
type Mem struct {
	Base, Index Reg
	Scale       uint8
	Thread      bool // in the thread's segment
	Disp        int32
	Symbol      int32 // -1: none
}

// at is the place disp bytes behind what a register points to.
func at(base Reg, disp int32) Mem { return Mem{Base: base, Index: NoReg, Disp: disp, Symbol: -1} }

// A RelocKind is what the linker writes into a place.
type RelocKind uint8

// Kinds of relocations, by the machine's numbers.
const (
	Abs64  RelocKind = 1  // R_X86_64_64
	PLT32  RelocKind = 4  // R_X86_64_PLT32
	Abs32  RelocKind = 10 // R_X86_64_32
	Abs32S RelocKind = 11 // R_X86_64_32S
)

// A Reloc is a place in the code that the linker completes.
type Reloc struct {
	At     int32
	Kind   RelocKind
	Symbol int32 // -1: the function itself
	Add    int64
}

// A Label is a place in the code, which may be bound later.
type Label = int32

// A form is how an instruction is encoded.
type form uint32

// Parts of forms: the low byte is the opcode.
const (
	map0F   form = 1 << 8  // the opcode is behind 0F
	pre66   form = 1 << 10 // prefixes
	preF2   form = 1 << 11
	preF3   form = 1 << 12
	wide    form = 1 << 13 // REX.W
	byteReg form = 1 << 14 // the register is one of 8 bits
	byteRM  form = 1 << 15 // the other operand is
	lock    form = 1 << 16
)

// An Assembler collects machine code.
type Assembler struct {
	B      []byte
	Relocs []Reloc
	labels []int32 // where they are, -1: not bound
	fixups []fixup
}

// A fixup is a jump to a label, whose distance is written when all labels are bound.
type fixup struct {
	at    int32
	label Label
}

func (a *Assembler) reset() {
	a.B, a.Relocs, a.labels, a.fixups = a.B[:0], a.Relocs[:0], a.labels[:0], a.fixups[:0]
}

func (a *Assembler) byte(b ...byte) { a.B = append(a.B, b...) }

func (a *Assembler) imm32(n int32) {
	a.B = append(a.B, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
}

// start writes prefixes and the opcode. r, x and b are the numbers of the registers in ModRM's
// register field, the index and the base.
func (a *Assembler) start(f form, r, x, b Reg) {
	if f&lock != 0 {
		a.byte(0xF0)
	}
	if f&pre66 != 0 {
		a.byte(0x66)
	}
	if f&preF2 != 0 {
		a.byte(0xF2)
	}
	if f&preF3 != 0 {
		a.byte(0xF3)
	}
	rex := byte(0)
	if f&wide != 0 {
		rex = 0x48
	}
	if r != NoReg && r&8 != 0 {
		rex |= 0x44
	}
	if x != NoReg && x&8 != 0 {
		rex |= 0x42
	}
	if b != NoReg && b&8 != 0 {
		rex |= 0x41
	}
	if f&byteReg != 0 && r >= RSP && r <= RDI || f&byteRM != 0 && b >= RSP && b <= RDI {
		rex |= 0x40
	}
	if rex != 0 {
		a.byte(rex)
	}
	if f&map0F != 0 {
		a.byte(0x0F)
	}
	a.byte(byte(f))
}

// rr writes an instruction of two registers: the one in ModRM's register field first.
func (a *Assembler) rr(f form, reg, rm Reg) {
	a.start(f, reg, NoReg, rm)
	a.byte(0xC0 | byte(reg&7)<<3 | byte(rm&7))
}

// ext writes an instruction of one register, with an extension of the opcode.
func (a *Assembler) ext(f form, n byte, rm Reg) {
	a.start(f, NoReg, NoReg, rm)
	a.byte(0xC0 | n<<3 | byte(rm&7))
}

// rm writes an instruction of a register and memory.
func (a *Assembler) rm(f form, reg Reg, m Mem) { a.memory(f, reg, byte(reg&7), m) }

// extm writes an instruction of memory, with an extension of the opcode.
func (a *Assembler) extm(f form, n byte, m Mem) { a.memory(f, NoReg, n, m) }

func (a *Assembler) memory(f form, reg Reg, field byte, m Mem) {
	if m.Thread {
		a.byte(0x64)
	}
	base := m.Base
	rmf := f &^ byteRM // the registers of an address are whole
	a.start(rmf, reg, m.Index, base)
	field <<= 3
	if base == NoReg {
		a.byte(field|4, m.sib(5))
		a.disp32(m)
		return
	}
	mod := byte(0x80)
	switch {
	case m.Symbol >= 0:
	case m.Disp == 0 && base&7 != RBP:
		mod = 0
	case m.Disp == int32(int8(m.Disp)):
		mod = 0x40
	}
	if m.Index == NoReg && base&7 != RSP {
		a.byte(mod | field | byte(base&7))
	} else {
		a.byte(mod|field|4, m.sib(byte(base&7)))
	}
	switch mod {
	case 0x40:
		a.byte(byte(m.Disp))
	case 0x80:
		a.disp32(m)
	}
}

func (m Mem) sib(base byte) byte {
	if m.Index == NoReg {
		return 4<<3 | base
	}
	scale := byte(0)
	for s := m.Scale; s > 1; s >>= 1 {
		scale++
	}
	return scale<<6 | byte(m.Index&7)<<3 | base
}

func (a *Assembler) disp32(m Mem) {
	if m.Symbol >= 0 {
		a.reloc(Abs32S, m.Symbol, int64(m.Disp))
		a.imm32(0)
		return
	}
	a.imm32(m.Disp)
}

func (a *Assembler) reloc(kind RelocKind, symbol int32, add int64) {
	a.Relocs = append(a.Relocs, Reloc{int32(len(a.B)), kind, symbol, add})
}

// label makes a label, which bind gives its place.
func (a *Assembler) label() Label {
	a.labels = append(a.labels, -1)
	return Label(len(a.labels) - 1)
}

func (a *Assembler) bind(l Label) { a.labels[l] = int32(len(a.B)) }

// A cond is a condition of a jump, by the machine's numbers.
type cond byte

const (
	condO  cond = 0
	condB  cond = 2
	condAE cond = 3
	condE  cond = 4
	condNE cond = 5
	condBE cond = 6
	condA  cond = 7
	condS  cond = 8
	condNS cond = 9
	condP  cond = 10
	condNP cond = 11
	condL  cond = 12
	condGE cond = 13
	condLE cond = 14
	condG  cond = 15
)

func (c cond) not() cond { return c ^ 1 }

// jcc jumps to a label if a condition holds.
func (a *Assembler) jcc(c cond, l Label) {
	if to := a.labels[l]; to >= 0 && int(to)-len(a.B)-2 >= -128 {
		a.byte(0x70|byte(c), byte(int(to)-len(a.B)-2))
		return
	}
	a.byte(0x0F, 0x80|byte(c))
	a.fixup(l)
}

// jmp jumps to a label.
func (a *Assembler) jmp(l Label) {
	if to := a.labels[l]; to >= 0 && int(to)-len(a.B)-2 >= -128 {
		a.byte(0xEB, byte(int(to)-len(a.B)-2))
		return
	}
	a.byte(0xE9)
	a.fixup(l)
}

func (a *Assembler) fixup(l Label) {
	a.fixups = append(a.fixups, fixup{int32(len(a.B)), l})
	a.imm32(0)
}

// resolve writes the distances of jumps.
func (a *Assembler) resolve() {
	for _, f := range a.fixups {
		to := a.labels[f.label]
		if to < 0 {
			panic("x86: label without a place")
		}
		d := to - f.at - 4
		a.B[f.at], a.B[f.at+1], a.B[f.at+2], a.B[f.at+3] = byte(d), byte(d>>8), byte(d>>16), byte(d>>24)
	}
}

// call calls a symbol.
func (a *Assembler) call(symbol int32) {
	a.byte(0xE8)
	a.reloc(PLT32, symbol, -4)
	a.imm32(0)
}

func (a *Assembler) jmpSymbol(symbol int32) {
	a.byte(0xE9)
	a.reloc(PLT32, symbol, -4)
	a.imm32(0)
}

// sized is a form for an integer class: 8 bits have the opcode below, 16 a prefix, 64 REX.W.
func sized(f form, c code.Class) form {
	switch c {
	case code.I1, code.I8:
		return f - 1 | byteReg | byteRM
	case code.I16:
		return f | pre66
	case code.I64:
		return f | wide
	}
	return f
}

// w is REX.W for 64 bits.
func w(c code.Class) form {
	if c == code.I64 {
		return wide
	}
	return 0
}

// mov copies a whole register, whichever the kinds are.
func (a *Assembler) mov(to, from Reg) {
	switch {
	case to == from:
	case to.isFloat() && from.isFloat():
		a.rr(0x28|map0F, to, from) // movaps
	case to.isFloat():
		a.rr(0x6E|map0F|pre66|wide, to, from)
	case from.isFloat():
		a.rr(0x7E|map0F|pre66|wide, from, to)
	default:
		a.rr(0x8B|wide, to, from)
	}
}

// load reads a value of a class.
func (a *Assembler) load(c code.Class, to Reg, m Mem) {
	switch c {
	case code.I1, code.I8:
		a.rm(0xB6|map0F, to, m)
	case code.I16:
		a.rm(0xB7|map0F, to, m)
	case code.I32:
		a.rm(0x8B, to, m)
	case code.I64:
		a.rm(0x8B|wide, to, m)
	case code.F32:
		a.rm(0x10|map0F|preF3, to, m)
	case code.F64:
		a.rm(0x10|map0F|preF2, to, m)
	}
}

// store writes a value of a class.
func (a *Assembler) store(c code.Class, from Reg, m Mem) {
	switch c {
	case code.F32:
		a.rm(0x11|map0F|preF3, from, m)
	case code.F64:
		a.rm(0x11|map0F|preF2, from, m)
	default:
		a.rm(sized(0x89, c), from, m)
	}
}

// constant puts a number into a register; it leaves the flags alone.
func (a *Assembler) constant(to Reg, n int64) {
	switch {
	case n == int64(uint32(n)):
		a.start(form(0xB8|byte(to&7)), NoReg, NoReg, to)
		a.imm32(int32(n))
	case n == int64(int32(n)):
		a.ext(0xC7|wide, 0, to)
		a.imm32(int32(n))
	default:
		a.start(form(0xB8|byte(to&7))|wide, NoReg, NoReg, to)
		a.imm32(int32(n))
		a.imm32(int32(n >> 32))
	}
}

// address puts the address of a symbol into a register.
func (a *Assembler) address(to Reg, symbol int32, add int64) {
	a.start(form(0xB8|byte(to&7)), NoReg, NoReg, to)
	a.reloc(Abs32, symbol, add)
	a.imm32(0)
}

// ALU operations, by the extension of the opcode.
const (
	aluAdd = 0
	aluOr  = 1
	aluAnd = 4
	aluSub = 5
	aluXor = 6
	aluCmp = 7
)

// aluRR, aluRM and aluMR do an ALU operation of a class with registers and memory.
func (a *Assembler) aluRR(op byte, c code.Class, to, from Reg) {
	a.rr(sized(form(op<<3|3), c), to, from)
}

func (a *Assembler) aluRM(op byte, c code.Class, to Reg, m Mem) {
	a.rm(sized(form(op<<3|3), c), to, m)
}

func (a *Assembler) aluMR(op byte, c code.Class, m Mem, from Reg) {
	a.rm(sized(form(op<<3|1), c), from, m)
}

// aluRI does an ALU operation with a number.
func (a *Assembler) aluRI(op byte, c code.Class, to Reg, n int32) {
	if op == aluCmp && n == 0 {
		a.rr(sized(0x85, c), to, to) // test
		return
	}
	switch {
	case c == code.I8 || c == code.I1:
		a.ext(0x80|byteRM, op, to)
		a.byte(byte(n))
	case n == int32(int8(n)):
		a.ext(sized(0x83, c), op, to)
		a.byte(byte(n))
	case c == code.I16:
		a.ext(sized(0x81, c), op, to)
		a.byte(byte(n), byte(n>>8))
	default:
		a.ext(sized(0x81, c), op, to)
		a.imm32(n)
	}
}

// aluMI does an ALU operation with memory and a number.
func (a *Assembler) aluMI(op byte, c code.Class, m Mem, n int32) {
	switch {
	case c == code.I8 || c == code.I1:
		a.extm(0x80, op, m)
		a.byte(byte(n))
	case n == int32(int8(n)):
		a.extm(sized(0x83, c)&^byteRM, op, m)
		a.byte(byte(n))
	case c == code.I16:
		a.extm(sized(0x81, c), op, m)
		a.byte(byte(n), byte(n>>8))
	default:
		a.extm(sized(0x81, c), op, m)
		a.imm32(n)
	}
}

// storeImm writes a number to memory.
func (a *Assembler) storeImm(c code.Class, m Mem, n int32) {
	switch c {
	case code.I1, code.I8:
		a.extm(0xC6, 0, m)
		a.byte(byte(n))
	case code.I16:
		a.extm(0xC7|pre66, 0, m)
		a.byte(byte(n), byte(n>>8))
	default:
		a.extm(sized(0xC7, c), 0, m)
		a.imm32(n)
	}
}

// zeroExtend and signExtend widen the low bits of a register.
func (a *Assembler) zeroExtend(from code.Class, to, x Reg) {
	switch from {
	case code.I1:
		if to != x {
			a.rr(0x8B, to, x)
		}
		a.aluRI(aluAnd, code.I32, to, 1)
	case code.I8:
		a.rr(0xB6|map0F|byteRM, to, x)
	case code.I16:
		a.rr(0xB7|map0F, to, x)
	case code.I32:
		a.rr(0x8B, to, x)
	default:
		a.mov(to, x)
	}
}

func (a *Assembler) signExtend(from code.Class, to, x Reg) {
	switch from {
	case code.I1:
		if to != x {
			a.rr(0x8B, to, x)
		}
		a.aluRI(aluAnd, code.I32, to, 1)
		a.ext(0xF7|wide, 3, to) // neg
	case code.I8:
		a.rr(0xBE|map0F|byteRM|wide, to, x)
	case code.I16:
		a.rr(0xBF|map0F|wide, to, x)
	case code.I32:
		a.rr(0x63|wide, to, x)
	default:
		a.mov(to, x)
	}
}

// set makes a bit of a condition.
func (a *Assembler) set(c cond, to Reg) { a.ext(form(0x90|byte(c))|map0F|byteRM, 0, to) }
