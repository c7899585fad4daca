#include "textflag.h"

// func load(p *int) int
TEXT ·load(SB), NOSPLIT, $16-16
	MOVQ p+0(FP), AX
	MOVQ $0x123456789, BP
	MOVQ (AX), BX
	MOVQ BX, ret+8(FP)
	RET
