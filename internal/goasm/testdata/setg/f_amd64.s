#include "textflag.h"

TEXT ·set(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), AX
	MOVQ TLS, CX
	MOVQ AX, 0(CX)(TLS*1)
	RET
