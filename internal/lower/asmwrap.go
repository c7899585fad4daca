package lower

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"loam/internal/importpath"
	"loam/internal/mid"
)

// AsmFuncs says which functions of a package Go assembly has (package goasm), and what assembly
// needs of the package.
type AsmFuncs struct {
	// Functions gives the stack that each needs below its arguments, in bytes.
	Functions map[string]int64
	// Registers are those that take their arguments in registers (ABIInternal).
	Registers map[string]bool
	// Changes gives the registers of Preserved, by bits, that each may change.
	Changes   map[string]int
	Preserved []string
	// Variables are defined by assembly, not by the package.
	Variables map[string]bool
	// Calls are the functions of the package that assembly calls.
	Calls []string
	// ABI0 gives the symbol of a function's ABI0 form, ABIInternal that of one in Registers.
	ABI0, ABIInternal func(symbol string) string
	// Bounds gives the labels before and behind the i-th of Output.AsmWrappers.
	Bounds func(i int) (begin, end string)
}

// A place is a scalar of a parameter or result, at an offset in ABI0's memory layout.
type place struct {
	off   int64
	size  int64
	float bool
	bool  bool
	reg   string // where Loam's convention has it, "" for the stack
	stack int64  // offset among the stack arguments
}

// A param is one parameter or result.
type asmParam struct {
	off, size int64
	big       bool    // Loam's convention passes an address
	places    []place // scalars, or the one that holds the address
}

// abi0Frame is a signature in both conventions.
type abi0Frame struct {
	params, results []asmParam
	area            bool  // Loam's convention returns results in memory
	size            int64 // of ABI0's arguments and results
	resultsAt       int64
	resultsSize     int64
	stackArgs       int64 // bytes of arguments that Loam's convention passes on the stack
}

var (
	asmIntRegs    = []string{"rdi", "rsi", "rdx", "rcx", "r8", "r9"}
	asmFloatRegs  = []string{"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7"}
	asmResultRegs = []string{"rax", "rdx", "rcx"}
)

// abi0Frame lays a signature out.
func (m *module) abi0Frame(s *types.Signature) *abi0Frame {
	sig := m.sigOf(s)
	f := &abi0Frame{area: sig.area}
	ints, floats := asmIntRegs, asmFloatRegs
	take := func(p *place) {
		regs := &ints
		if p.float {
			regs = &floats
		}
		if len(*regs) == 0 {
			p.stack = f.stackArgs
			f.stackArgs += 8
			return
		}
		p.reg, *regs = (*regs)[0], (*regs)[1:]
	}
	if f.area {
		ints = ints[1:]
	}
	off := int64(0)
	for _, t := range sig.params {
		ti := m.info(t)
		off = alignUp(off, ti.align)
		p := asmParam{off: off, size: ti.size, big: ti.big}
		if ti.big {
			p.places = []place{{size: 8}}
		} else {
			p.places = m.scalars(t, off, nil)
		}
		for i := range p.places {
			take(&p.places[i])
		}
		f.params = append(f.params, p)
		off += ti.size
	}
	off = alignUp(off, 8)
	f.resultsAt = off
	ints, floats = asmResultRegs, asmFloatRegs[:2]
	for _, t := range sig.results {
		ti := m.info(t)
		off = alignUp(off, ti.align)
		p := asmParam{off: off, size: ti.size, big: ti.big}
		if !f.area {
			p.places = m.scalars(t, off, nil)
			for i := range p.places {
				take(&p.places[i])
			}
		}
		f.results = append(f.results, p)
		off += ti.size
	}
	f.resultsSize = off - f.resultsAt
	f.size = alignUp(off, 16)
	return f
}

// scalars appends the scalars of a small type at off.
func (m *module) scalars(t types.Type, off int64, to []place) []place {
	word := func(i int64) { to = append(to, place{off: off + 8*i, size: 8}) }
	switch u := under(t).(type) {
	case *types.Struct:
		for i, o := range m.fieldOffsets(u) {
			to = m.scalars(u.Field(i).Type(), off+o, to)
		}
	case *types.Array:
		if u.Len() == 1 {
			to = m.scalars(u.Elem(), off, to)
		}
	case *types.Slice:
		word(0)
		word(1)
		word(2)
	case *types.Interface:
		word(0)
		word(1)
	case *types.Basic:
		size := m.sizes.Sizeof(u)
		switch {
		case u.Info()&types.IsString != 0:
			word(0)
			word(1)
		case u.Info()&types.IsComplex != 0:
			to = append(to, place{off: off, size: size / 2, float: true}, place{off: off + size/2, size: size / 2, float: true})
		default:
			to = append(to, place{off: off, size: size, float: u.Info()&types.IsFloat != 0, bool: u.Info()&types.IsBoolean != 0})
		}
	default:
		word(0)
	}
	return to
}

// asmWrappers writes, as GNU assembly, the functions under their Go symbols whose code is
// assembly, and the ABI0 forms of the functions that assembly calls.
func (m *module) asmWrappers() (text []byte, symbols []string) {
	a := m.in.Asm
	if a == nil {
		return nil, nil
	}
	var w strings.Builder
	bounded := func(sym string, write func()) {
		begin, end := a.Bounds(len(symbols))
		fmt.Fprintf(&w, "\t.section %s\n\t.p2align 4\n%s:\n", asmSection, begin)
		write()
		fmt.Fprintf(&w, "%s:\n", end)
		symbols = append(symbols, sym)
	}
	for _, f := range m.bodyless {
		for _, sym := range []string{m.baseSym(f), m.funcSym(f)} {
			if need, ok := a.Functions[sym]; ok && a.Registers[sym] {
				bounded(sym, func() { m.registerWrapper(&w, f, sym, need) })
				break
			} else if ok {
				bounded(sym, func() { m.asmWrapper(&w, f, sym, need) })
				break
			}
		}
	}
	for _, sym := range a.Calls {
		dot := strings.LastIndexByte(sym, '.')
		pkg := m.pkg
		if path := importpath.Path(sym[:dot]); path != m.pkg.Pkg.Path() {
			pkg = m.prog.Package(path)
		}
		if pkg == nil || pkg.Func(sym[dot+1:]) == nil {
			panic("assembly calls " + sym + ", which has no SSA")
		}
		bounded(sym, func() { m.asmThunk(&w, pkg.Func(sym[dot+1:]), a.ABI0(sym)) })
	}
	return []byte(w.String()), symbols
}

// asmSection is where the wrappers are.
const asmSection = `loam_rt_text,"ax",@progbits`

// asmFunction begins a function of the wrappers' text.
func asmFunction(w *strings.Builder, binding, sym string) {
	fmt.Fprintf(w, "\t.section %[3]s\n\t.p2align 4\n\t.%[2]s %[1]s\n\t.type %[1]s, @function\n%[1]s:\n", asmQuote(sym), binding, asmSection)
}

func asmQuote(sym string) string { return fmt.Sprintf("%q", sym) }

// Sizes of what is not ABI0's: registers that Loam's convention preserves, and what a call and
// alignment add.
const (
	asmSaved  = 6 * 8
	asmMargin = 64
	// What is smaller than this has room below the stack limit (rt/stack).
	asmUnchecked = 256
)

// asmWrapper writes f in Loam's convention around its ABI0 form, which assembly calls sym. The
// stack is checked once for everything, as LLVM's prologues do it.
func (m *module) asmWrapper(w *strings.Builder, f *mid.Func, sym string, need int64) {
	fr := m.abi0Frame(f.Signature)
	line := func(format string, args ...any) { fmt.Fprintf(w, "\t"+format+"\n", args...) }
	saved := m.enterAsm(w, f, need+fr.size, fr.stackArgs, m.in.Asm.Changes[sym])
	local := fr.size
	if len(saved)%2 != 0 {
		local += 8 // keeps the stack aligned to 16
	}
	if fr.area {
		local += 16
	}
	line("subq\t$%d, %%rsp", local)
	if fr.area {
		line("movq\t%%rdi, %d(%%rsp)", fr.size)
	}
	for _, p := range fr.params {
		for _, s := range p.places {
			from := s.reg
			if from == "" {
				from = "rax"
				if s.float {
					from = "xmm8"
					line("movsd\t%d(%%rbp), %%xmm8", 16+s.stack)
				} else {
					line("movq\t%d(%%rbp), %%rax", 16+s.stack)
				}
			}
			if p.big {
				asmCopy(line, "%"+from, 0, "%rsp", p.off, p.size)
			} else {
				asmStore(line, from, s, fmt.Sprintf("%d(%%rsp)", s.off))
			}
		}
	}
	line("callq\t%s", asmQuote(m.in.Asm.ABI0(sym)))
	if fr.area {
		line("movq\t%d(%%rsp), %%r11", fr.size)
		asmCopy(line, "%rsp", fr.resultsAt, "%r11", 0, fr.resultsSize)
	} else {
		for _, p := range fr.results {
			for _, s := range p.places {
				asmLoad(line, fmt.Sprintf("%d(%%rsp)", s.off), s, s.reg)
			}
		}
	}
	m.leaveAsm(w, f, local, saved)
}

// enterAsm begins the wrapper of f, whose code changes the registers of a set and uses need bytes
// below the wrapper's own: it checks the stack, links the frame and saves registers, which it
// returns.
func (m *module) enterAsm(w *strings.Builder, f *mid.Func, need, stackArgs int64, changes int) (saved []string) {
	asmFunction(w, "globl", m.funcSym(f))
	line := func(format string, args ...any) { fmt.Fprintf(w, "\t"+format+"\n", args...) }
	total := need + asmSaved + asmMargin
	if total < asmUnchecked {
		line("cmpq\t%%fs:112, %%rsp")
	} else {
		line("leaq\t-%d(%%rsp), %%r11", total)
		line("cmpq\t%%fs:112, %%r11")
	}
	line("ja\t1f")
	line("movl\t$%d, %%r10d", total)
	line("movl\t$%d, %%r11d", stackArgs)
	line("callq\t__morestack")
	line("retq")
	fmt.Fprintf(w, "1:")
	line("pushq\t%%rbp")
	line("movq\t%%rsp, %%rbp")
	for i, r := range m.in.Asm.Preserved {
		if r != "rbp" && changes&(1<<i) != 0 {
			saved = append(saved, r)
			line("pushq\t%%%s", r)
		}
	}
	return saved
}

// leaveAsm ends the wrapper that enterAsm began, whose local bytes lie below the saved registers.
func (m *module) leaveAsm(w *strings.Builder, f *mid.Func, local int64, saved []string) {
	line := func(format string, args ...any) { fmt.Fprintf(w, "\t"+format+"\n", args...) }
	line("addq\t$%d, %%rsp", local)
	for _, r := range slices.Backward(saved) {
		line("popq\t%%%s", r)
	}
	line("popq\t%%rbp")
	line("retq")
	fmt.Fprintf(w, "\t.size %[1]s, .-%[1]s\n", asmQuote(m.funcSym(f)))
}

// toInternal moves the integer arguments of Loam's convention to gc's registers, in an order in
// which none is overwritten before it is moved.
var toInternal = [][2]string{{"rdi", "rax"}, {"rsi", "rbx"}, {"rcx", "rdi"}, {"rdx", "rcx"}, {"r8", "rsi"}, {"r9", "r8"}}

// registerWrapper writes f in Loam's convention around its code in gc's register convention (Go's
// src/cmd/compile/abi-internal.md): up to six integer arguments and no results, which is all that
// std has in assembly outside of what is bound to the official run-time system. That code may
// change every register; it finds zero in xmm15, and above its return address room for its
// arguments.
func (m *module) registerWrapper(w *strings.Builder, f *mid.Func, sym string, need int64) {
	fr := m.abi0Frame(f.Signature)
	simple := len(fr.results) == 0 && fr.stackArgs == 0
	for _, p := range fr.params {
		simple = simple && !p.big && len(p.places) == 1 && !p.places[0].float
	}
	if !simple {
		m.errorf(f.Pos(), "assembly function %s takes other arguments than integers and pointers in registers: not supported", f.Name())
		return
	}
	line := func(format string, args ...any) { fmt.Fprintf(w, "\t"+format+"\n", args...) }
	saved := m.enterAsm(w, f, need+fr.size, 0, 1<<len(m.in.Asm.Preserved)-1)
	local := fr.size
	if len(saved)%2 != 0 {
		local += 8 // keeps the stack aligned to 16
	}
	line("subq\t$%d, %%rsp", local)
	for _, move := range toInternal {
		line("movq\t%%%s, %%%s", move[0], move[1])
	}
	line("xorps\t%%xmm15, %%xmm15")
	line("callq\t%s", asmQuote(m.in.Asm.ABIInternal(sym)))
	m.leaveAsm(w, f, local, saved)
}

// asmThunk writes the ABI0 form of f around its code. ABI0 callers expect nothing of registers, and
// have checked the stack for their own frames only: here is room for the arguments of one call, as
// f checks for itself.
func (m *module) asmThunk(w *strings.Builder, f *mid.Func, sym string) {
	fr := m.abi0Frame(f.Signature)
	asmFunction(w, "weak", sym) // other packages' assembly may call it too
	line := func(format string, args ...any) { fmt.Fprintf(w, "\t"+format+"\n", args...) }
	line("pushq\t%%rbp")
	line("movq\t%%rsp, %%rbp")
	line("subq\t$%d, %%rsp", alignUp(fr.stackArgs, 16))
	line("andq\t$-16, %%rsp")
	for _, p := range fr.params {
		for _, s := range p.places {
			to := s.reg
			if to == "" {
				to = "rax"
				if s.float {
					to = "xmm8"
				}
			}
			if p.big {
				line("leaq\t%d(%%rbp), %%%s", 16+p.off, to)
			} else {
				asmLoad(line, fmt.Sprintf("%d(%%rbp)", 16+s.off), s, to)
			}
			switch {
			case s.reg != "":
			case s.float:
				line("movsd\t%%xmm8, %d(%%rsp)", s.stack)
			default:
				line("movq\t%%rax, %d(%%rsp)", s.stack)
			}
		}
	}
	if fr.area {
		line("leaq\t%d(%%rbp), %%rdi", 16+fr.resultsAt)
	}
	line("callq\t%s", asmQuote(m.funcSym(f)))
	for _, p := range fr.results {
		for _, s := range p.places {
			asmStore(line, s.reg, s, fmt.Sprintf("%d(%%rbp)", 16+s.off))
		}
	}
	line("movq\t%%rbp, %%rsp")
	line("popq\t%%rbp")
	line("retq")
	fmt.Fprintf(w, "\t.size %[1]s, .-%[1]s\n", asmQuote(sym))
}

// asmLow names the low part of an integer register.
func asmLow(reg string, size int64) string {
	low := map[string][4]string{
		"rax": {"al", "ax", "eax", "rax"}, "rcx": {"cl", "cx", "ecx", "rcx"}, "rdx": {"dl", "dx", "edx", "rdx"},
		"rsi": {"sil", "si", "esi", "rsi"}, "rdi": {"dil", "di", "edi", "rdi"},
		"r8": {"r8b", "r8w", "r8d", "r8"}, "r9": {"r9b", "r9w", "r9d", "r9"},
	}[reg]
	return low[map[int64]int{1: 0, 2: 1, 4: 2, 8: 3}[size]]
}

var asmSuffix = map[int64]string{1: "b", 2: "w", 4: "l", 8: "q"}

// asmStore stores a scalar. Of a bool only the lowest bit is defined.
func asmStore(line func(string, ...any), reg string, s place, to string) {
	switch {
	case s.float && s.size == 4:
		line("movss\t%%%s, %s", reg, to)
	case s.float:
		line("movsd\t%%%s, %s", reg, to)
	default:
		if s.bool {
			line("andl\t$1, %%%s", asmLow(reg, 4))
		}
		line("mov%s\t%%%s, %s", asmSuffix[s.size], asmLow(reg, s.size), to)
	}
}

func asmLoad(line func(string, ...any), from string, s place, reg string) {
	switch {
	case s.float && s.size == 4:
		line("movss\t%s, %%%s", from, reg)
	case s.float:
		line("movsd\t%s, %%%s", from, reg)
	case s.size < 4:
		line("movz%sl\t%s, %%%s", asmSuffix[s.size], from, asmLow(reg, 4))
	default:
		line("mov%s\t%s, %%%s", asmSuffix[s.size], from, asmLow(reg, s.size))
	}
}

// asmCopy copies size bytes by way of r10, which passes nothing.
func asmCopy(line func(string, ...any), from string, fromOff int64, to string, toOff, size int64) {
	for i := int64(0); i < size; {
		n := int64(8)
		for n > size-i {
			n /= 2
		}
		r10 := map[int64]string{8: "r10", 4: "r10d", 2: "r10w", 1: "r10b"}[n]
		line("mov%s\t%d(%s), %%%s", asmSuffix[n], fromOff+i, from, r10)
		line("mov%s\t%%%s, %d(%s)", asmSuffix[n], r10, toOff+i, to)
		i += n
	}
}
