#include "textflag.h"

// func addresses() (handler, restorer uintptr)
TEXT ·addresses(SB), NOSPLIT, $0-16
	LEAQ hold<>(SB), AX
	MOVQ AX, handler+0(FP)
	LEAQ restore<>(SB), AX
	MOVQ AX, restorer+8(FP)
	RET

// hold is a handler of signals, which the kernel calls: it keeps its thread until the pipe's other
// end is closed.
TEXT hold<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVL $1, ·held(SB)
	SUBQ $24, SP
again:
	MOVQ ·gate(SB), DI
	MOVQ SP, SI
	MOVL $1, DX
	MOVL $0, AX // read
	SYSCALL
	CMPQ AX, $-4 // EINTR
	JEQ  again
	ADDQ $24, SP
	RET

TEXT restore<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVL $15, AX // rt_sigreturn
	SYSCALL
	INT  $3
