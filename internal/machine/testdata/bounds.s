<p.sum>:
	movq $-0x1, %r8
	movl $0x0, %r9d
	addq $0x1, %r8
	cmpq %rsi, %r8
	jae 0x27 <p.sum+0x27>
	addq (%rdi,%r8,8), %r9
	addq $0x1, %r8
	cmpq %rsi, %r8
	jb 0x1a <p.sum+0x1a>
	movq %r9, %rax
	retq
<p.at>:
	movq %rcx, %r8
	movzbl %r8b, %r8d
	cmpq %rsi, %r8
	jae 0x19 <p.at+0x19>
	movzbl (%rdi,%r8), %edi
	movq %rdi, %rax
	retq
	movq %rsp, %rdi
	movq %rdi, %rax
	movq %r8, %rdi
	callq 0x27 <p.at+0x27>
	R_X86_64_PLT32 loam.trap.panicIndex-0x4
	ud2
