source_filename = "p"
declare ptr @"p.load"(ptr) #0
declare void @"p.collect"(ptr) #0
; the frame holds nothing dead where its function collects: what the call takes is not in it
define void @"p.exact"(ptr %p.0, ptr %p.1) #0 align 32 {
entry:
  %home = alloca [8 x i8], align 8
  store ptr %p.1, ptr %home, align 8
  %v1 = call ptr @"p.load"(ptr %p.0)
  call void asm sideeffect "callq loam.clear_unused; xorl %eax, %eax; xorl %ebx, %ebx; xorl %r12d, %r12d; xorl %r13d, %r13d; xorl %r14d, %r14d; xorl %r15d, %r15d", "~{rax},~{rbx},~{r12},~{r13},~{r14},~{r15},~{flags}"() #1
  call void @"p.collect"(ptr %v1)
  %v2 = load ptr, ptr %home, align 8
  call void @"p.collect"(ptr %v2)
  ret void
}
; a barrier tells a collection that marks of the pointer
define void @"p.store"(ptr %p.0, ptr %p.1) #8 align 32 {
entry:
  call void asm sideeffect "cmpl $$0, \22internal/rt/heap.marking\22(%rip)\0A\09jne 2f\0A1:\0A\09.subsection 1\0A2:\09leaq -128(%rsp), %rsp\0A\09testq $0, $0\0A\09je 3f\0A\09pushq $0\0A\09callq loam.shade\0A3:\09leaq 128(%rsp), %rsp\0A\09jmp 1b\0A\09.subsection 0", "r,~{dirflag},~{fpsr},~{flags}"(ptr %p.1) #1
  store ptr %p.1, ptr %p.0, align 8
  ret void
}
