<p.exact>:
	cmpq %fs:0x70, %rsp
	jbe 0x70 <p.exact+0x70>
	pushq %rbp
	movq %rsp, %rbp
	subq $0x30, %rsp
	movq %rbx, -0x10(%rbp)
	movq %r12, -0x18(%rbp)
	movq %r13, -0x20(%rbp)
	movq %r14, -0x28(%rbp)
	movq %r15, -0x30(%rbp)
	movq %rsi, -0x8(%rbp)
	callq 0x34 <p.exact+0x34>
	R_X86_64_PLT32 p.load-0x4
	movq %rax, %rdi
	callq 0x3c <p.exact+0x3c>
	R_X86_64_PLT32 loam.clear_unused-0x4
	xorl %eax, %eax
	xorl %ebx, %ebx
	xorl %r12d, %r12d
	xorl %r13d, %r13d
	xorl %r14d, %r14d
	xorl %r15d, %r15d
	callq 0x51 <p.exact+0x51>
	R_X86_64_PLT32 p.collect-0x4
	movq -0x8(%rbp), %rdi
	callq 0x5a <p.exact+0x5a>
	R_X86_64_PLT32 p.collect-0x4
	movq -0x10(%rbp), %rbx
	movq -0x18(%rbp), %r12
	movq -0x20(%rbp), %r13
	movq -0x28(%rbp), %r14
	movq -0x30(%rbp), %r15
	leave
	retq
	movl $0x38, %r10d
	movl $0x0, %r11d
	callq 0x81 <p.exact+0x81>
	R_X86_64_PLT32 __morestack-0x4
	retq
	jmp 0xf <p.exact+0xf>
<p.store>:
	cmpl $0x0, 0x0
	R_X86_64_32S internal/rt/heap.marking
	jne 0x12 <p.store+0x12>
	movq %rsi, (%rdi)
	retq
	testq %rsi, %rsi
	je 0x21 <p.store+0x21>
	pushq %rsi
	callq 0x21 <p.store+0x21>
	R_X86_64_PLT32 loam.shade-0x4
	jmp 0xe <p.store+0xe>
