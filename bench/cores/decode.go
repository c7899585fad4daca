package main

import (
	"fmt"
	"syscall"

	"golang.org/x/arch/x86/x86asm"
)

// decoder knows which instructions access memory, and how.
type decoder struct{ known map[uint64]x86asm.Inst }

// accesses returns what the instruction that a thread is about to make does to memory.
func (d *decoder) accesses(tid int, regs *syscall.PtraceRegs) ([]access, error) {
	inst, ok := d.known[regs.Rip]
	if !ok {
		var code [16]byte
		n, err := syscall.PtracePeekText(tid, uintptr(regs.Rip), code[:])
		if err != nil && n == 0 {
			return nil, err
		}
		if inst, err = x86asm.Decode(code[:], 64); err != nil {
			return nil, fmt.Errorf("at %#x, % x: %w", regs.Rip, code, err)
		}
		if d.known == nil {
			d.known = map[uint64]x86asm.Inst{}
		}
		d.known[regs.Rip] = inst
	}
	return ofInstruction(inst, regs), nil
}

// ofInstruction is accesses for an instruction that is decoded. Stacks are a thread's own, so that
// what PUSH, CALL and the like do there is left out.
func ofInstruction(inst x86asm.Inst, regs *syscall.PtraceRegs) (list []access) {
	switch inst.Op {
	case x86asm.LEA, x86asm.NOP, x86asm.PREFETCHT0, x86asm.PREFETCHT1, x86asm.PREFETCHT2, x86asm.PREFETCHNTA, x86asm.PREFETCHW:
		return nil
	case x86asm.STOSB, x86asm.STOSW, x86asm.STOSD, x86asm.STOSQ, x86asm.MOVSB, x86asm.MOVSW, x86asm.MOVSQ:
		// one element a step
		list = append(list, access{address: regs.Rdi, size: 8, kind: write})
		switch inst.Op {
		case x86asm.MOVSB, x86asm.MOVSW, x86asm.MOVSQ:
			list = append(list, access{address: regs.Rsi, size: 8, kind: read})
		}
		return list
	}
	locked := false
	for _, p := range inst.Prefix {
		locked = locked || p&0xff == x86asm.PrefixLOCK&0xff && p != 0
	}
	for i, arg := range inst.Args {
		m, ok := arg.(x86asm.Mem)
		if !ok {
			continue
		}
		a := access{address: addressOf(m, inst, regs), size: min(max(inst.MemBytes, 1), 8), kind: read}
		switch {
		case locked || inst.Op == x86asm.XCHG:
			a.kind = update
			a.swaps = inst.Op == x86asm.XCHG || inst.Op == x86asm.CMPXCHG
		case i == 0 && writes(inst.Op):
			a.kind = write
		}
		list = append(list, a)
	}
	return list
}

// writes reports whether an instruction writes its first operand.
func writes(op x86asm.Op) bool {
	switch op {
	case x86asm.CMP, x86asm.TEST, x86asm.BT, x86asm.PUSH, x86asm.CALL, x86asm.JMP, x86asm.MUL, x86asm.DIV, x86asm.IDIV,
		x86asm.IMUL, x86asm.UCOMISS, x86asm.UCOMISD, x86asm.COMISS, x86asm.COMISD, x86asm.PTEST:
		return false
	}
	return true
}

func addressOf(m x86asm.Mem, inst x86asm.Inst, regs *syscall.PtraceRegs) uint64 {
	address := uint64(m.Disp)
	if m.Base == x86asm.RIP {
		address += regs.Rip + uint64(inst.Len)
	} else if m.Base != 0 {
		address += register(m.Base, regs)
	}
	if m.Index != 0 {
		address += register(m.Index, regs) * uint64(m.Scale)
	}
	switch m.Segment {
	case x86asm.FS:
		address += regs.Fs_base
	case x86asm.GS:
		address += regs.Gs_base
	}
	return address
}

// register returns what an address register has: of 32 bits, if it is named so.
func register(r x86asm.Reg, regs *syscall.PtraceRegs) uint64 {
	all := [16]uint64{regs.Rax, regs.Rcx, regs.Rdx, regs.Rbx, regs.Rsp, regs.Rbp, regs.Rsi, regs.Rdi,
		regs.R8, regs.R9, regs.R10, regs.R11, regs.R12, regs.R13, regs.R14, regs.R15}
	switch {
	case x86asm.RAX <= r && r <= x86asm.R15:
		return all[r-x86asm.RAX]
	case x86asm.EAX <= r && r <= x86asm.R15L:
		return all[r-x86asm.EAX] & 0xffffffff
	}
	return 0
}
