package amd64

import (
	"fmt"
	"slices"
	"strings"
)

// A Place is a scalar of a parameter or result, at an offset in ABI0's memory layout.
type Place struct {
	Off   int64
	Size  int64
	Float bool
	Bool  bool
	reg   string // where Loam's convention has it, "" for the stack
	stack int64  // offset among the stack arguments
}

// A Param is one parameter or result.
type Param struct {
	Off, Size int64
	Big       bool    // Loam's convention passes an address
	Places    []Place // scalars, or the one that holds the address
}

// Frame is a signature in Loam's convention and in ABI0.
type Frame struct {
	params, results []Param
	area            bool  // Loam's convention returns results in memory
	size            int64 // of ABI0's arguments and results
	resultsAt       int64
	resultsSize     int64
	stackArgs       int64 // bytes of arguments that Loam's convention passes on the stack
}

// NewFrame finds the registers and places on the stack that Loam's convention has for parameters
// and results. In ABI0 the results lie from resultsAt to end. area: Loam's convention returns them
// in memory.
func NewFrame(params, results []Param, area bool, resultsAt, end int64) *Frame {
	f := &Frame{params: params, results: results, area: area, size: (end + 15) &^ 15, resultsAt: resultsAt, resultsSize: end - resultsAt}
	ints, floats := intArgs, floatArgs
	take := func(p *Place) {
		regs := &ints
		if p.Float {
			regs = &floats
		}
		if len(*regs) == 0 {
			p.stack = f.stackArgs
			f.stackArgs += 8
			return
		}
		p.reg, *regs = (*regs)[0], (*regs)[1:]
	}
	if area {
		ints = ints[1:]
	}
	for _, p := range params {
		for i := range p.Places {
			take(&p.Places[i])
		}
	}
	ints, floats = intResults, floatResults
	for r := range results {
		if area {
			results[r].Places = nil // they are where the caller wants them
		}
		for i := range results[r].Places {
			take(&results[r].Places[i])
		}
	}
	return f
}

// WrapperSection is where the wrappers are.
const WrapperSection = `loam_rt_text,"ax",@progbits`

// beginFunction begins a function of the wrappers' text.
func beginFunction(w *strings.Builder, binding, sym string) {
	fmt.Fprintf(w, "\t.section %[3]s\n\t.p2align 4\n\t.%[2]s %[1]s\n\t.type %[1]s, @function\n%[1]s:\n", quote(sym), binding, WrapperSection)
}

func quote(sym string) string { return fmt.Sprintf("%q", sym) }

// Sizes of what is not ABI0's: registers that Loam's convention preserves, and what a call and
// alignment add.
const (
	savedBytes = 6 * 8
	margin     = 64
	// What is smaller than this has room below the stack limit (rt/stack).
	unchecked = 256
)

// Wrapper writes a function in Loam's convention around its code in assembly, as GNU assembly.
type Wrapper struct {
	*strings.Builder
	Symbol    string   // of the function
	Code      string   // of what it is around
	Need      int64    // stack that the code needs below its arguments
	Preserved []string // registers that Loam's convention preserves
	Changes   int      // those of them that the code may change, by bits
}

func (w *Wrapper) line(format string, args ...any) { fmt.Fprintf(w, "\t"+format+"\n", args...) }

// ABI0 writes the wrapper around code in ABI0. The stack is checked once for everything, as LLVM's
// prologues do it.
func (w *Wrapper) ABI0(fr *Frame) {
	line := w.line
	saved := w.enter(w.Need+fr.size, fr.stackArgs, w.Changes)
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
		for _, s := range p.Places {
			from := s.reg
			if from == "" {
				from = "rax"
				if s.Float {
					from = "xmm8"
					line("movsd\t%d(%%rbp), %%xmm8", 16+s.stack)
				} else {
					line("movq\t%d(%%rbp), %%rax", 16+s.stack)
				}
			}
			if p.Big {
				copyBytes(line, "%"+from, 0, "%rsp", p.Off, p.Size)
			} else {
				storeScalar(line, from, s, fmt.Sprintf("%d(%%rsp)", s.Off))
			}
		}
	}
	line("callq\t%s", quote(w.Code))
	if fr.area {
		line("movq\t%d(%%rsp), %%r11", fr.size)
		copyBytes(line, "%rsp", fr.resultsAt, "%r11", 0, fr.resultsSize)
	} else {
		for _, p := range fr.results {
			for _, s := range p.Places {
				loadScalar(line, fmt.Sprintf("%d(%%rsp)", s.Off), s, s.reg)
			}
		}
	}
	w.leave(local, saved)
}

// enter begins a wrapper whose code changes the registers of a set and uses need bytes below the
// wrapper's own: it checks the stack, links the frame and saves registers, which it returns.
func (w *Wrapper) enter(need, stackArgs int64, changes int) (saved []string) {
	beginFunction(w.Builder, "globl", w.Symbol)
	line := w.line
	total := need + savedBytes + margin
	if total < unchecked {
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
	for i, r := range w.Preserved {
		if r != "rbp" && changes&(1<<i) != 0 {
			saved = append(saved, r)
			line("pushq\t%%%s", r)
		}
	}
	return saved
}

// leave ends the wrapper that enter began, whose local bytes lie below the saved registers.
func (w *Wrapper) leave(local int64, saved []string) {
	line := w.line
	line("addq\t$%d, %%rsp", local)
	for _, r := range slices.Backward(saved) {
		line("popq\t%%%s", r)
	}
	line("popq\t%%rbp")
	line("retq")
	fmt.Fprintf(w, "\t.size %[1]s, .-%[1]s\n", quote(w.Symbol))
}

// toInternal moves the integer arguments of Loam's convention to gc's registers, in an order in
// which none is overwritten before it is moved.
var toInternal = [][2]string{{"rdi", "rax"}, {"rsi", "rbx"}, {"rcx", "rdi"}, {"rdx", "rcx"}, {"r8", "rsi"}, {"r9", "r8"}}

// Registers writes the wrapper around code in gc's register convention (Go's
// src/cmd/compile/abi-internal.md): up to six integer arguments and no results, which is all that
// std has in assembly outside of what is bound to the official run-time system. That code may
// change every register; it finds zero in xmm15, and above its return address room for its
// arguments. ok is false if the function has other arguments.
func (w *Wrapper) Registers(fr *Frame) (ok bool) {
	ok = len(fr.results) == 0 && fr.stackArgs == 0
	for _, p := range fr.params {
		ok = ok && !p.Big && len(p.Places) == 1 && !p.Places[0].Float
	}
	if !ok {
		return false
	}
	line := w.line
	saved := w.enter(w.Need+fr.size, 0, 1<<len(w.Preserved)-1)
	local := fr.size
	if len(saved)%2 != 0 {
		local += 8 // keeps the stack aligned to 16
	}
	line("subq\t$%d, %%rsp", local)
	for _, move := range toInternal {
		line("movq\t%%%s, %%%s", move[0], move[1])
	}
	line("xorps\t%%xmm15, %%xmm15")
	line("callq\t%s", quote(w.Code))
	w.leave(local, saved)
	return true
}

// Thunk writes the ABI0 form, sym, of the function code of Loam's convention. ABI0 callers expect
// nothing of registers, and have checked the stack for their own frames only: here is room for the
// arguments of one call, as the function checks for itself.
func Thunk(w *strings.Builder, fr *Frame, sym, code string) {
	beginFunction(w, "weak", sym) // other packages' assembly may call it too
	line := func(format string, args ...any) { fmt.Fprintf(w, "\t"+format+"\n", args...) }
	line("pushq\t%%rbp")
	line("movq\t%%rsp, %%rbp")
	line("subq\t$%d, %%rsp", (fr.stackArgs+15)&^15)
	line("andq\t$-16, %%rsp")
	for _, p := range fr.params {
		for _, s := range p.Places {
			to := s.reg
			if to == "" {
				to = "rax"
				if s.Float {
					to = "xmm8"
				}
			}
			if p.Big {
				line("leaq\t%d(%%rbp), %%%s", 16+p.Off, to)
			} else {
				loadScalar(line, fmt.Sprintf("%d(%%rbp)", 16+s.Off), s, to)
			}
			switch {
			case s.reg != "":
			case s.Float:
				line("movsd\t%%xmm8, %d(%%rsp)", s.stack)
			default:
				line("movq\t%%rax, %d(%%rsp)", s.stack)
			}
		}
	}
	if fr.area {
		line("leaq\t%d(%%rbp), %%rdi", 16+fr.resultsAt)
	}
	line("callq\t%s", quote(code))
	for _, p := range fr.results {
		for _, s := range p.Places {
			storeScalar(line, s.reg, s, fmt.Sprintf("%d(%%rbp)", 16+s.Off))
		}
	}
	line("movq\t%%rbp, %%rsp")
	line("popq\t%%rbp")
	line("retq")
	fmt.Fprintf(w, "\t.size %[1]s, .-%[1]s\n", quote(sym))
}

// lowPart names the low part of an integer register.
func lowPart(reg string, size int64) string {
	low := map[string][4]string{
		"rax": {"al", "ax", "eax", "rax"}, "rcx": {"cl", "cx", "ecx", "rcx"}, "rdx": {"dl", "dx", "edx", "rdx"},
		"rsi": {"sil", "si", "esi", "rsi"}, "rdi": {"dil", "di", "edi", "rdi"},
		"r8": {"r8b", "r8w", "r8d", "r8"}, "r9": {"r9b", "r9w", "r9d", "r9"},
	}[reg]
	return low[map[int64]int{1: 0, 2: 1, 4: 2, 8: 3}[size]]
}

var suffixes = map[int64]string{1: "b", 2: "w", 4: "l", 8: "q"}

// storeScalar stores a scalar. Of a bool only the lowest bit is defined.
func storeScalar(line func(string, ...any), reg string, s Place, to string) {
	switch {
	case s.Float && s.Size == 4:
		line("movss\t%%%s, %s", reg, to)
	case s.Float:
		line("movsd\t%%%s, %s", reg, to)
	default:
		if s.Bool {
			line("andl\t$1, %%%s", lowPart(reg, 4))
		}
		line("mov%s\t%%%s, %s", suffixes[s.Size], lowPart(reg, s.Size), to)
	}
}

func loadScalar(line func(string, ...any), from string, s Place, reg string) {
	switch {
	case s.Float && s.Size == 4:
		line("movss\t%s, %%%s", from, reg)
	case s.Float:
		line("movsd\t%s, %%%s", from, reg)
	case s.Size < 4:
		line("movz%sl\t%s, %%%s", suffixes[s.Size], from, lowPart(reg, 4))
	default:
		line("mov%s\t%s, %%%s", suffixes[s.Size], from, lowPart(reg, s.Size))
	}
}

// copyBytes copies size bytes by way of r10, which passes nothing.
func copyBytes(line func(string, ...any), from string, fromOff int64, to string, toOff, size int64) {
	for i := int64(0); i < size; {
		n := int64(8)
		for n > size-i {
			n /= 2
		}
		r10 := map[int64]string{8: "r10", 4: "r10d", 2: "r10w", 1: "r10b"}[n]
		line("mov%s\t%d(%s), %%%s", suffixes[n], fromOff+i, from, r10)
		line("mov%s\t%%%s, %d(%s)", suffixes[n], r10, toOff+i, to)
		i += n
	}
}
