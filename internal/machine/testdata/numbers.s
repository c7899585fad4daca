<p.tenth>:
	movq %rdi, %rsi
	shrq $0x1, %rsi
	movabsq $-0x3333333333333333, %rcx # imm = 0xCCCCCCCCCCCCCCCD
	movq %rsi, %rax
	mulq %rcx
	movq %rdx, %rdi
	movq %rdi, %rsi
	shrq $0x2, %rsi
	movq %rsi, %rax
	retq
<p.half>:
	movq %rdi, %rsi
	sarl $0x1f, %esi
	shrl $0x1f, %esi
	addl %edi, %esi
	sarl $0x1, %esi
	movq %rsi, %rax
	retq
<p.scale>:
	movaps %xmm0, %xmm1
	mulsd 0x0, %xmm1
	R_X86_64_32S p.scale+0x20
	movaps %xmm1, %xmm0
	addsd 0x0, %xmm0
	R_X86_64_32S p.scale+0x20
	retq
	...
	addb %bh, %al
<unknown>
<p.least>:
	cmpq %rsi, %rdi
	movq %rsi, %r8
	cmovlq %rdi, %r8
	movq %r8, %rax
	retq
