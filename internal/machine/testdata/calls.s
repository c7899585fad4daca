<p.twice>:
	cmpq %fs:0x70, %rsp
	jbe 0x54 <p.twice+0x54>
	pushq %rbp
	movq %rsp, %rbp
	subq $0x10, %rsp
	movq %rbx, -0x8(%rbp)
	movq %r12, -0x10(%rbp)
	movq %rdi, %rbx
	movq %rbx, %rdi
	callq 0x2a <p.twice+0x2a>
	R_X86_64_PLT32 p.g-0x4
	movq %rax, %r12
	movq %r12, %rdi
	movsd 0x0, %xmm0
	R_X86_64_32S p.twice+0x68
	callq 0x3e <p.twice+0x3e>
	R_X86_64_PLT32 p.g-0x4
	movq %rax, %rsi
	addq %r12, %rsi
	addq %rbx, %rsi
	movq %rsi, %rax
	movq -0x8(%rbp), %rbx
	movq -0x10(%rbp), %r12
	leave
	retq
	movl $0x18, %r10d
	movl $0x0, %r11d
	callq 0x65 <p.twice+0x65>
	R_X86_64_PLT32 __morestack-0x4
	retq
	jmp 0xf <p.twice+0xf>
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
<unknown>
<p.apply>:
	cmpq %fs:0x70, %rsp
	jbe 0x2a <p.apply+0x2a>
	pushq %rbp
	movq %rsp, %rbp
	movq (%rdi), %r8
	movq %r8, %r11
	movq %rdi, %r10
	movq %rsi, %rdi
	callq *%r11
	movq %rax, %rsi
	movq %rsi, %rax
	leave
	retq
	movl $0x8, %r10d
	movl $0x0, %r11d
	callq 0x3b <p.apply+0x3b>
	R_X86_64_PLT32 __morestack-0x4
	retq
	jmp 0xf <p.apply+0xf>
<p.many>:
	cmpq %fs:0x70, %rsp
	jbe 0x25 <p.many+0x25>
	pushq %rbp
	movq %rsp, %rbp
	movq 0x10(%rbp), %rsi
	movq %rdi, %rax
	subq %rsi, %rax
	movq %rax, %rsi
	movq %rsi, %rax
	leave
	retq
	movl $0x8, %r10d
	movl $0x8, %r11d
	callq 0x36 <p.many+0x36>
	R_X86_64_PLT32 __morestack-0x4
	retq
	jmp 0xf <p.many+0xf>
