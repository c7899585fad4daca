#include "textflag.h"
#include "funcdata.h"

// func f(x int) int
TEXT ·f(SB), $16-16
	GO_ARGS
	NO_LOCAL_POINTERS
	MOVQ x+0(FP), AX
	MOVQ AX, 0(SP)
	CALL ·F(SB)
	MOVQ 8(SP), AX
	ADDQ common<>(SB), AX
	MOVQ AX, ret+8(FP)
	RET

DATA common<>+0(SB)/8, $100
GLOBL common<>(SB), RODATA|NOPTR, $8

// Each of the three files has it, and any of them will do.
DATA shared+0(SB)/8, $7
GLOBL shared(SB), RODATA|NOPTR|DUPOK, $8
