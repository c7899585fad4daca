#include "textflag.h"
#include "funcdata.h"

// func f(x int) int
TEXT ·f(SB), $16-16
	GO_ARGS
	NO_LOCAL_POINTERS
	MOVQ x+0(FP), AX
	MOVQ AX, 0(SP)
	CALL ·Add(SB)
	MOVQ 8(SP), AX
	ADDQ shared(SB), AX
	MOVQ AX, ret+8(FP)
	RET

DATA shared+0(SB)/8, $7
GLOBL shared(SB), RODATA|NOPTR|DUPOK, $8

// func Half(x float64) float64: the constant has a name of its content, too.
TEXT ·Half(SB), NOSPLIT, $0-16
	MOVSD x+0(FP), X0
	MULSD $(0.5), X0
	MOVSD X0, ret+8(FP)
	RET
