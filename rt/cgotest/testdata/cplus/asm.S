	.globl thrice
	.type thrice,@function
thrice:
	leal	(%rdi,%rdi,2), %eax
	ret
	.section .note.GNU-stack,"",@progbits
