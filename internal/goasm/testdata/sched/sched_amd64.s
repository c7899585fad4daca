#include "textflag.h"

TEXT ·addresses(SB), NOSPLIT, $0-16
	LEAQ runtime·sched(SB), AX
	ADDQ $112, AX
	MOVQ AX, idle+0(FP)
	ADDQ $4, AX
	MOVQ AX, searching+8(FP)
	RET
