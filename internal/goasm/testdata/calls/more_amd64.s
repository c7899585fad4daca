#include "textflag.h"

// The other file has symbols<> of these names, too.

// func mixed(i int) uint64
TEXT ·mixed(SB), NOSPLIT, $24-16
	MOVQ i+0(FP), AX
	LEAQ primes<>(SB), CX
	MOVBLZX (CX)(AX*1), AX
	MOVQ AX, 0(SP)
	CALL twice<>(SB)
	LEAQ squares(SB), CX
	MOVQ 8(SP), AX
	ADDQ 8(CX), AX
	MOVQ AX, ret+8(FP)
	RET

TEXT twice<>(SB), NOSPLIT, $0-16
	MOVQ n+0(FP), AX
	SHLQ $1, AX
	ADDQ $1000, AX
	MOVQ AX, ret+8(FP)
	RET

DATA primes<>+0(SB)/8, $0x171311
GLOBL primes<>(SB), RODATA|NOPTR, $8

// For packages that include this file: nothing here has the variable that it uses.
TEXT ·elsewhere(SB), NOSPLIT, $0-8
	MOVQ ·absent(SB), AX
	MOVQ AX, ret+0(FP)
	RET
