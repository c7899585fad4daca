<p.f>:
	cmpq %fs:0x70, %rsp
	jbe 0x33 <p.f+0x33>
	pushq %rbp
	movq %rsp, %rbp
	subq $0x10, %rsp
	movq %rbx, -0x8(%rbp)
	movq %rdi, %rbx
	movq %rbx, %rdi
	callq 0x26 <p.f+0x26>
	R_X86_64_PLT32 p.new-0x4
	leaq 0x1(%rbx), %rsi
	movq %rsi, %rax
	movq -0x8(%rbp), %rbx
	leave
	retq
	movl $0x18, %r10d
	movl $0x0, %r11d
	callq 0x44 <p.f+0x44>
	R_X86_64_PLT32 __morestack-0x4
	retq
	jmp 0xf <p.f+0xf>
