#include "textflag.h"
#include "funcdata.h"

// func address() uintptr
TEXT ·address(SB), NOSPLIT, $0-8
	MOVQ (TLS), R14
	MOVQ R14, ret+0(FP)
	RET

// func id() uint64
TEXT ·id(SB), NOSPLIT, $0-8
	MOVQ TLS, CX
	MOVQ 0(CX)(TLS*1), R9
	MOVQ 152(R9), AX
	MOVQ AX, ret+0(FP)
	RET

// func checked(f func()) uint64: behind a stack check, and after a call
TEXT ·checked(SB), $256-16
	NO_LOCAL_POINTERS
	MOVQ f+0(FP), AX
	MOVQ AX, 0(SP)
	CALL ·call(SB)
	MOVQ (TLS), R15
	MOVQ 152(R15), AX
	MOVQ AX, ret+8(FP)
	RET
