// Shared by the .gas files of internal/bytealg.
//
// Loam's calling convention is C's: integer arguments in rdi rsi rdx rcx r8 r9, a string or
// slice is its words in order, results in rax. Everything else used here (rax, r10, r11, all vector
// registers) is the caller's to save.

#define FUNC(name) \
	.globl	name; \
	.type	name, @function; \
	.p2align 4; \
	name:

#define END(name) .size name, . - name

// SPLAT(c, x) copies the low byte of register c to all 16 bytes of x.
#define SPLAT(c, x) \
	movd	c, x; \
	punpcklbw x, x; \
	pshuflw	$0, x, x; \
	punpcklqdq x, x

// OFFPAGE(p, tmp32, far) jumps to far when a 16-byte load at p would leave p's page.
#define OFFPAGE(p, tmp, tmp32, far) \
	mov	p, tmp; \
	and	$4095, tmp32; \
	cmp	$4080, tmp32; \
	ja	far
