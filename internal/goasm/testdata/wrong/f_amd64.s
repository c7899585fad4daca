TEXT ·f(SB), 4, $0-8
	MOVQ AX, nonsense
	FROB AX
	RET
