<p.fork>:
	cmpq %fs:0x70, %rsp
	jbe 0x16a <p.fork+0x16a>
	pushq %rbp
	movq %rsp, %rbp
	subq $0x50, %rsp
	movq %rbx, -0x30(%rbp)
	movq %r12, -0x38(%rbp)
	movq %r13, -0x40(%rbp)
	movq %r14, -0x48(%rbp)
	movq %r15, -0x50(%rbp)
	movq %rsi, %rbx
	callq 0x33 <p.fork+0x33>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, -0x8(%rbp)
	movq %rbx, %rdi
	callq 0x3f <p.fork+0x3f>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, %rbx
	movq %rbx, %rdi
	callq 0x4a <p.fork+0x4a>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, %r13
	movq %r13, %rdi
	callq 0x55 <p.fork+0x55>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, %r14
	movq %r14, %rdi
	callq 0x60 <p.fork+0x60>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, %r15
	movq %r15, %rdi
	callq 0x6b <p.fork+0x6b>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, %r12
	movq %r12, %rdi
	callq 0x76 <p.fork+0x76>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, -0x10(%rbp)
	callq 0x7f <p.fork+0x7f>
	R_X86_64_PLT32 p.twice-0x4
	movq %rax, %rsi
	testq %rsi, %rsi
	je 0xbb <p.fork+0xbb>
	movq -0x8(%rbp), %rsi
	addq %rbx, %rsi
	addq %r13, %rsi
	addq %r14, %rsi
	addq %r15, %rsi
	addq %r12, %rsi
	addq -0x10(%rbp), %rsi
	movq %rsi, %rax
	movq -0x30(%rbp), %rbx
	movq -0x38(%rbp), %r12
	movq -0x40(%rbp), %r13
	movq -0x48(%rbp), %r14
	movq -0x50(%rbp), %r15
	leave
	retq
	movl $0x0, %edi
	callq 0xc5 <p.fork+0xc5>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, -0x18(%rbp)
	movl $0x1, %edi
	callq 0xd3 <p.fork+0xd3>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, %r12
	movl $0x2, %edi
	callq 0xe0 <p.fork+0xe0>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, %r13
	movl $0x3, %edi
	callq 0xed <p.fork+0xed>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, %r14
	movl $0x4, %edi
	callq 0xfa <p.fork+0xfa>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, %r15
	movl $0x5, %edi
	callq 0x107 <p.fork+0x107>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, %rbx
	movl $0x6, %edi
	callq 0x114 <p.fork+0x114>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, -0x20(%rbp)
	movl $0x7, %edi
	callq 0x122 <p.fork+0x122>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, -0x28(%rbp)
	movl $0x8, %edi
	callq 0x130 <p.fork+0x130>
	R_X86_64_PLT32 p.other-0x4
	movq %rax, %rsi
	movq -0x18(%rbp), %rdi
	addq %r12, %rdi
	addq %r13, %rdi
	addq %r14, %rdi
	addq %r15, %rdi
	addq %rbx, %rdi
	addq -0x20(%rbp), %rdi
	addq -0x28(%rbp), %rdi
	addq %rdi, %rsi
	movq %rsi, %rax
	movq -0x30(%rbp), %rbx
	movq -0x38(%rbp), %r12
	movq -0x40(%rbp), %r13
	movq -0x48(%rbp), %r14
	movq -0x50(%rbp), %r15
	leave
	retq
	movl $0x58, %r10d
	movl $0x0, %r11d
	callq 0x17b <p.fork+0x17b>
	R_X86_64_PLT32 __morestack-0x4
	retq
	jmp 0xf <p.fork+0xf>
