#define SUM(a, b, to) \
	MOVQ a, AX \
	ADDQ b, AX \
	MOVQ AX, to
