#include "textflag.h"
#include "funcdata.h"
#include "macros.h"

TEXT ·look(SB), 0, $16-0
	NO_LOCAL_POINTERS
	NOP
	CALL ·callers(SB)
	RET

// func give()
TEXT ·give(SB), 0, $0-0
	CALL	·panics(SB)

	RET

TEXT ·idle(SB), NOSPLIT, $0-0
	RET

TEXT ·load(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ (AX), AX
	MOVQ AX, ret+8(FP)
	RET

// func nested(p *int) int
TEXT ·nested(SB), NOSPLIT, $24-16
	MOVQ p+0(FP), AX
	MOVQ AX, arg-24(SP)
	CALL within<>(SB)
	MOVQ AX, ret+8(FP)
	RET

TEXT within<>(SB), NOSPLIT, $24-8
	MOVQ p+0(FP), AX
	MOVQ 8(AX), AX
	RET

// func leaves(p *int) int
TEXT ·leaves(SB), NOSPLIT, $24-16
	MOVQ p+0(FP), AX
	CALL ·first(SB)
	MOVQ AX, ret+8(FP)
	RET

TEXT ·first(SB), NOSPLIT, $0-0
	CALL ·second(SB)
	RET

TEXT ·second(SB), NOSPLIT, $0-0
	PUSHQ BX
	CALL ·third(SB)
	POPQ BX
	RET

TEXT ·third(SB), NOSPLIT, $0-0
	MOVQ 16(AX), AX
	RET

TEXT ·sum(SB), NOSPLIT, $0-24
	SUM(a+0(FP), b+8(FP), ret+16(FP))
	RET
