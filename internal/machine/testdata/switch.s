<p.dense>:
	movsbq %dil, %rax
	leal -0x61(%rax), %eax
	cmpl $0x5, %eax
	ja 0x19 <p.dense+0x19>
	movl %eax, %eax
	jmpq *(,%rax,8)
	R_X86_64_32S p.dense+0x30
	movl $0x0, %eax
	retq
	movl $0x2, %eax
	retq
	movl $0x1, %eax
	retq
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
	R_X86_64_64 p.dense+0x25
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
	R_X86_64_64 p.dense+0x1f
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
	R_X86_64_64 p.dense+0x25
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
	R_X86_64_64 p.dense+0x19
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
	R_X86_64_64 p.dense+0x1f
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
	R_X86_64_64 p.dense+0x25
	addb %al, (%rax)
	addb %al, (%rax)
	addb %al, (%rax)
<unknown>
<p.sparse>:
	cmpq $0x64, %rdi
	jge 0x2c <p.sparse+0x2c>
	movabsq $-0xe8d4a51000, %r11 # imm = 0xFFFFFF172B5AF000
	cmpq %r11, %rdi
	je 0x61 <p.sparse+0x61>
	cmpq $0x5, %rdi
	je 0x5b <p.sparse+0x5b>
	jmp 0x55 <p.sparse+0x55>
	cmpq $0x64, %rdi
	je 0x61 <p.sparse+0x61>
	cmpq $0x3e8, %rdi # imm = 0x3E8
	je 0x5b <p.sparse+0x5b>
	cmpq $0x2710, %rdi # imm = 0x2710
	je 0x61 <p.sparse+0x61>
	jmp 0x55 <p.sparse+0x55>
	movl $0x0, %eax
	retq
	movl $0x2, %eax
	retq
	movl $0x1, %eax
	retq
