package amd64

import (
	"fmt"
	"strings"

	"loam/internal/ir"
)

// Instructions that read or write what LLVM does not know of.
var (
	// Pause tells the CPU that it waits for another.
	Pause = ir.Asm{Text: "pause", Constraints: "~{memory}"}
	// Syscall enters the kernel: number and six arguments, one result.
	Syscall = ir.Asm{Text: "syscall", Constraints: "={rax},{rax},{rdi},{rsi},{rdx},{r10},{r8},{r9},~{rcx},~{r11},~{memory}"}
	// Divide divides two words, the low one first, by one, and returns quotient and remainder. It
	// traps where the quotient has more than a word.
	Divide = ir.Asm{Text: "divq $4", Constraints: "={rax},={rdx},0,1,r,~{flags}"}
	// Forget clears the register that its operand is in.
	Forget = ir.Asm{Text: "xorl ${0:k}, ${0:k}", Constraints: "=r,0,~{flags}"}
	// Use does nothing with a pointer, but wants it.
	Use = ir.Asm{Constraints: "r"}
)

// ClearUnused clears the stack below the frame, and all registers that a function keeps for its
// caller. A callee's entry may push rax to make room.
var ClearUnused = ir.Asm{
	Text:        "callq loam.clear_unused; xorl %eax, %eax; xorl %ebx, %ebx; xorl %r12d, %r12d; xorl %r13d, %r13d; xorl %r14d, %r14d; xorl %r15d, %r15d",
	Constraints: "~{rax},~{rbx},~{r12},~{r13},~{r14},~{r15},~{flags}",
}

// ClearKept clears all registers that a function keeps for its caller.
var ClearKept = ir.Asm{
	Text:        "xorl %ebx, %ebx; xorl %r12d, %r12d; xorl %r13d, %r13d; xorl %r14d, %r14d; xorl %r15d, %r15d",
	Constraints: "~{rbx},~{r12},~{r13},~{r14},~{r15},~{flags}",
}

// SaveResume stores the stack pointer in the DeferFrame that rdi has, and the address of its
// DeferPoint, which lies behind the function's code and leads to the block that SaveResume may jump
// to. That finds the stack pointer and the frame pointer as they were, other registers and memory
// are not. The point of SaveResumeOnly has the code of the thunk behind the frame, too, and the
// frame says that this call is to be made. In a movable program, which may lie anywhere, the words
// of a point count from the point.
func SaveResume(movable bool) ir.Asm {
	if movable {
		return saveResume("0", true, `.quad ${1:l}-3b`, "!i")
	}
	return saveResume("0", false, `.quad ${1:l}`, "!i")
}

// SaveResumeOnly is SaveResume where the call of the operand's thunk is all that is deferred.
func SaveResumeOnly(movable bool) ir.Asm {
	if movable {
		return saveResume("1", true, `.quad ${2:l}-3b, ${1:c}-3b`, "i,!i")
	}
	return saveResume("1", false, `.quad ${2:l}, ${1:c}`, "i,!i")
}

func saveResume(mark string, movable bool, point, constraints string) ir.Asm {
	store := `movq $$3f+` + mark + `, 0x18($0)`
	if movable {
		store = `leaq 3f+` + mark + `(%rip), %rax\0A\09movq %rax, 0x18($0)`
	}
	text := `movq %rsp, 0x10($0)\0A\09` + store + `\0A\09.subsection 1\0A\09.p2align 3\0A3:\09` + point + `\0A\09.subsection 0`
	return ir.Asm{Text: text, Constraints: "{rdi}," + constraints + "," + scratchRegisters + ",~{fpsr},~{dirflag},~{flags},~{memory}"}
}

const scratchRegisters = "~{rax},~{rcx},~{rdx},~{rsi},~{r8},~{r9},~{r10},~{r11}," +
	"~{xmm0},~{xmm1},~{xmm2},~{xmm3},~{xmm4},~{xmm5},~{xmm6},~{xmm7}," +
	"~{xmm8},~{xmm9},~{xmm10},~{xmm11},~{xmm12},~{xmm13},~{xmm14},~{xmm15}," +
	"~{xmm16},~{xmm17},~{xmm18},~{xmm19},~{xmm20},~{xmm21},~{xmm22},~{xmm23}," +
	"~{xmm24},~{xmm25},~{xmm26},~{xmm27},~{xmm28},~{xmm29},~{xmm30},~{xmm31}," +
	"~{k0},~{k1},~{k2},~{k3},~{k4},~{k5},~{k6},~{k7}"

// Resumed returns what the code after the resume point finds: the frame in rdi, and nothing in the
// registers that a function has to keep for its caller. So LLVM saves all of them where the
// function begins, and takes them from there where it ends. It is not told that the frame is that
// which was linked: the register where it may have kept an address of that is lost.
var Resumed = ir.Asm{Constraints: "={rdi},~{rbx},~{r12},~{r13},~{r14},~{r15},~{memory}"}

// Nop is an instruction that does nothing.
var Nop = ir.Asm{Text: "nop"}

// Trap goes to the run-time function of that name, which panics. Its operands are the address of
// the return address of the function it is in, and the n arguments. To LLVM that is no call.
func Trap(name string, n int) ir.Asm {
	text := `callq \22loam.trap.` + name + `\22`
	return ir.Asm{Text: text, Constraints: "{rax}," + []string{"", "{rdi},", "{rdi},{rsi},", "{rdi},{rsi},{rdx},"}[n] + "~{memory}"}
}

const (
	barrierFlag = `\22internal/rt/heap.marking\22(%rip)`
	barrierEnds = "~{dirflag},~{fpsr},~{flags}"
)

// barrier is the write barrier with that slow path, which finds 128 bytes below SP skipped.
func barrier(slow, constraints string) ir.Asm {
	text := `cmpl $$0, ` + barrierFlag + `\0A\09jne 2f\0A1:\0A\09.subsection 1\0A2:\09leaq -128(%rsp), %rsp\0A` +
		slow + `\09leaq 128(%rsp), %rsp\0A\09jmp 1b\0A\09.subsection 0`
	return ir.Asm{Text: text, Constraints: constraints + barrierEnds}
}

// Barrier is the write barrier of n pointers, those that are nil left out.
func Barrier(n int) ir.Asm {
	var slow strings.Builder
	for i := range n {
		fmt.Fprintf(&slow, `\09testq $%d, $%d\0A\09je 3f\0A\09pushq $%d\0A\09callq loam.shade\0A3:`, i, i, i)
	}
	return barrier(slow.String(), strings.Repeat("r,", n))
}

// RangeBarrier is the write barrier of memory: its operands are an address and a length in bytes.
func RangeBarrier() ir.Asm {
	return barrier(`\09pushq $1\0A\09pushq $0\0A\09callq loam.shade_range\0A`, "r,r,")
}

// FixedRangeBarrier is RangeBarrier for a length that an instruction can hold, which ok tells.
func FixedRangeBarrier(size int64) (asm ir.Asm, ok bool) {
	return barrier(fmt.Sprintf(`\09pushq $$%d\0A\09pushq $0\0A\09callq loam.shade_range\0A`, size), "r,"), int64(int32(size)) == size
}
