#include "textflag.h"

// func call(code, a, b, c uintptr) (result, x15 uintptr): calls code as gc's compiled code calls functions.
TEXT ·call(SB), NOSPLIT, $40-48
	MOVQ code+0(FP), R12
	MOVQ a+8(FP), AX
	MOVQ b+16(FP), BX
	MOVQ c+24(FP), CX
	MOVQ $-1, DI
	MOVQ $-1, SI
	MOVQ $-1, DX
	MOVQ DI, R10
	MOVQ BP, R13
	PXOR X15, X15
	CALL R12
	CMPQ BP, R13
	JNE wrong
	MOVQ AX, result+32(FP)
	MOVQ X15, AX
	MOVQ AX, x15+40(FP)
	RET
wrong:
	INT $3
	RET

// func cadd(): a C function, int (int *p) { return *p + 1; }
TEXT ·cadd(SB), NOSPLIT|NOFRAME, $0-0
	MOVL (DI), AX
	ADDL $1, AX
	RET

GLOBL ·caddCode(SB), RODATA, $8
DATA ·caddCode(SB)/8, $·cadd(SB)

// func barrier() bool
TEXT ·barrier(SB), NOSPLIT, $0-1
	MOVL runtime·writeBarrier(SB), AX
	CMPL AX, $2
	SETLT ret+0(FP)
	RET

// func clock(ts *[2]int64) int64: the kernel's function that reads clocks
TEXT ·clock(SB), NOSPLIT, $16-16
	MOVQ ts+0(FP), SI
	MOVQ $0, DI
	MOVQ runtime·vdsoClockgettimeSym(SB), AX
	MOVQ SP, BX
	ANDQ $~15, SP
	CALL AX
	MOVQ BX, SP
	MOVQ AX, ret+8(FP)
	RET
