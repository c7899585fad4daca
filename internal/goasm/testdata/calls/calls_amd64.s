#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// func mix(a bool, b int8, c uint16, d int32, e uint64, f float32, k float64, h uintptr, i int64) (bool, int8, uint16, float32, float64)
TEXT ·mix(SB), NOSPLIT, $0-64
	MOVB a+0(FP), AX
	XORB $1, AX
	MOVB AX, ret+48(FP)
	MOVB b+1(FP), AX
	NEGB AX
	MOVB AX, ret1+49(FP)
	MOVW c+2(FP), AX
	ADDW $2, AX
	MOVW AX, ret2+50(FP)
	MOVSS f+16(FP), X0
	ADDSS X0, X0
	MOVSS X0, ret3+52(FP)
	MOVSD k+24(FP), X1
	MOVLQSX d+4(FP), AX
	ADDQ e+8(FP), AX
	ADDQ h+32(FP), AX
	ADDQ i+40(FP), AX
	CVTSQ2SD AX, X2
	ADDSD X2, X1
	MOVSD X1, ret4+56(FP)
	// Everything that Loam's convention preserves and ABI0 does not.
	MOVQ $1, BX
	MOVQ $2, R12
	MOVQ $3, R13
	MOVQ $4, R15
	RET

// func both(s string, b []byte) (n int, t string)
TEXT ·both(SB), NOSPLIT, $0-64
	MOVQ s_len+8(FP), AX
	ADDQ b_len+24(FP), AX
	ADDQ b_cap+32(FP), AX
	SUBQ b_len+24(FP), AX
	MOVQ b_len+24(FP), CX
	MOVQ s_len+8(FP), AX
	SHLQ $8, AX
	ADDQ CX, AX
	MOVQ AX, n+40(FP)
	MOVQ s_base+0(FP), AX
	INCQ AX
	MOVQ AX, t_base+48(FP)
	MOVQ $3, t_len+56(FP)
	RET

// func swap(p pair) pair
TEXT ·swap(SB), NOSPLIT, $0-32
	MOVBQZX p_small+0(FP), AX
	MOVQ p_big+8(FP), CX
	SHRQ $36, CX
	MOVB CX, ret_small+16(FP)
	MOVQ AX, ret_big+24(FP)
	RET

// func sum(b block) uint64
TEXT ·sum(SB), NOSPLIT, $0-48
	MOVQ b_0+0(FP), AX
	ADDQ b_1+8(FP), AX
	ADDQ b_2+16(FP), AX
	ADDQ b_3+24(FP), AX
	ADDQ b_4+32(FP), AX
	MOVQ AX, ret+40(FP)
	RET

// func double(b block) block
TEXT ·double(SB), NOSPLIT, $0-80
	XORQ CX, CX
	LEAQ b_0+0(FP), SI
	LEAQ ret_0+40(FP), DI
loop:
	MOVQ (SI)(CX*8), AX
	ADDQ AX, AX
	MOVQ AX, (DI)(CX*8)
	INCQ CX
	CMPQ CX, $5
	JB loop
	RET

// func iface(x any) any
TEXT ·iface(SB), NOSPLIT, $0-32
	MOVUPS x+0(FP), X0
	MOVUPS X0, ret+16(FP)
	RET

// func constants() (answer, size, offset int)
TEXT ·constants(SB), NOSPLIT, $0-24
	MOVQ $const_answer, answer+0(FP)
	MOVQ $pair__size, size+8(FP)
	MOVQ $pair_big, offset+16(FP)
	RET

// func deep(n uint64) uint64
TEXT ·deep(SB), 0, $4112-16
	NO_LOCAL_POINTERS
	MOVQ n+0(FP), AX
	MOVQ AX, buf-4096(SP)
	MOVQ AX, 0(SP)
	CALL twice<>(SB)
	MOVQ 8(SP), AX
	ADDQ buf-4096(SP), AX
	MOVQ AX, ret+8(FP)
	RET

TEXT twice<>(SB), NOSPLIT, $256-16
	MOVQ x+0(FP), AX
	MOVQ AX, y-256(SP)
	ADDQ y-256(SP), AX
	MOVQ AX, ret+8(FP)
	RET

// func callGo(x, y int, s string) (int, string)
TEXT ·callGo(SB), 0, $56-56
	NO_LOCAL_POINTERS
	MOVQ x+0(FP), AX
	MOVQ AX, 0(SP)
	MOVQ y+8(FP), AX
	MOVQ AX, 8(SP)
	MOVQ s_base+16(FP), AX
	MOVQ AX, 16(SP)
	MOVQ s_len+24(FP), AX
	MOVQ AX, 24(SP)
	CALL ·helper(SB)
	MOVQ 32(SP), AX
	MOVQ AX, ret+32(FP)
	MOVUPS 40(SP), X0
	MOVUPS X0, ret1+40(FP)
	RET

DATA primes<>+0(SB)/4, $2
DATA primes<>+4(SB)/4, $3
DATA primes<>+8(SB)/4, $5
DATA primes<>+12(SB)/4, $7
GLOBL primes<>(SB), RODATA|NOPTR, $16

DATA where<>+0(SB)/8, $primes<>(SB)
GLOBL where<>(SB), RODATA, $8

// func table(i int) uint32
TEXT ·table(SB), NOSPLIT, $0-12
	MOVQ where<>(SB), AX
	MOVQ i+0(FP), CX
	MOVL (AX)(CX*4), AX
	MOVL AX, ret+8(FP)
	RET

// func setCounter(n int)
TEXT ·setCounter(SB), NOSPLIT, $0-8
	MOVQ n+0(FP), AX
	MOVQ AX, ·counter(SB)
	RET

// func cplx(c complex128) complex128
TEXT ·cplx(SB), NOSPLIT, $0-32
	MOVSD c_real+0(FP), X0
	MOVSD c_imag+8(FP), X1
	MOVSD X1, ret_real+16(FP)
	MOVSD X0, ret_imag+24(FP)
	RET

// func nine(a, b, c, d, e, f, g, h, i float64, j bool) float64
TEXT ·nine(SB), NOSPLIT, $0-88
	MOVSD i+64(FP), X0
	MOVBQZX j+72(FP), AX
	CVTSQ2SD AX, X1
	ADDSD X1, X0
	MULSD h+56(FP), X0
	SUBSD a+0(FP), X0
	MOVSD X0, ret+80(FP)
	RET

// Used by the other file.
DATA squares+0(SB)/8, $4
DATA squares+8(SB)/8, $9
GLOBL squares(SB), RODATA|NOPTR, $16
