define void @"p.fill"(ptr %p.0, { ptr, i64 } %p.1) #8 align 32 {
entry:
  %slot.1 = alloca [32 x i8], align 8
  br label %b0
b0:
  call void @llvm.memset.p0.i64(ptr align 8 %slot.1, i8 0, i64 32, i1 false)
  %v2 = getelementptr inbounds i8, ptr %slot.1, i64 16
  store { ptr, i64 } %p.1, ptr %v2, align 8
  %v3 = load { ptr, i32, { ptr, i64 } }, ptr %slot.1, align 8
  %v4 = icmp ne ptr %p.0, null
  br i1 %v4, label %ok.7, label %trap.5
trap.5:
  %v6 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicnil\22", "{rax},{rdi},~{memory}"(ptr %v6, i64 0) #1
  unreachable
ok.7:
  %v8 = extractvalue { ptr, i32, { ptr, i64 } } %v3, 2
  %v9 = getelementptr inbounds i8, ptr %p.0, i64 16
  store { ptr, i64 } %v8, ptr %v9, align 8
  %v10 = getelementptr inbounds i8, ptr %v9, i64 16
  %v11 = extractvalue { ptr, i32, { ptr, i64 } } %v3, 1
  %v12 = getelementptr inbounds i8, ptr %p.0, i64 8
  %v13 = zext i32 %v11 to i64
  store i64 %v13, ptr %v12, align 4
  %v14 = extractvalue { ptr, i32, { ptr, i64 } } %v3, 0
  store ptr %v14, ptr %p.0, align 8
  %v15 = getelementptr inbounds i8, ptr %p.0, i64 8
  %v16 = extractvalue { ptr, i32, { ptr, i64 } } %v3, 0
  %v17 = extractvalue { ptr, i32, { ptr, i64 } } %v3, 2
  %v18 = extractvalue { ptr, i64 } %v17, 0
  call void asm sideeffect "cmpl $$0, \22internal/rt/heap.marking\22(%rip)\0A\09jne 2f\0A1:\0A\09.subsection 1\0A2:\09leaq -128(%rsp), %rsp\0A\09testq $0, $0\0A\09je 3f\0A\09pushq $0\0A\09callq loam.shade\0A3:\09testq $1, $1\0A\09je 3f\0A\09pushq $1\0A\09callq loam.shade\0A3:\09leaq 128(%rsp), %rsp\0A\09jmp 1b\0A\09.subsection 0", "r,r,~{dirflag},~{fpsr},~{flags}"(ptr %v16, ptr %v18) #6
  ret void
}
define void @"p.link"(ptr %p.0, ptr %p.1) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = icmp ne ptr %p.0, null
  br i1 %v1, label %ok.4, label %trap.2
trap.2:
  %v3 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicnil\22", "{rax},{rdi},~{memory}"(ptr %v3, i64 0) #1
  unreachable
ok.4:
  store ptr %p.1, ptr %p.0, align 8
  call void asm sideeffect "cmpl $$0, \22internal/rt/heap.marking\22(%rip)\0A\09jne 2f\0A1:\0A\09.subsection 1\0A2:\09leaq -128(%rsp), %rsp\0A\09testq $0, $0\0A\09je 3f\0A\09pushq $0\0A\09callq loam.shade\0A3:\09leaq 128(%rsp), %rsp\0A\09jmp 1b\0A\09.subsection 0", "r,~{dirflag},~{fpsr},~{flags}"(ptr %p.1) #6
  ret void
}
define i32 @"p.local"(ptr %p.0) #8 align 32 {
entry:
  %slot.1 = alloca [32 x i8], align 8
  br label %b0
b0:
  call void @llvm.memset.p0.i64(ptr align 8 %slot.1, i8 0, i64 32, i1 false)
  store ptr %p.0, ptr %slot.1, align 8
  %v2 = getelementptr inbounds i8, ptr %slot.1, i64 8
  store i32 3, ptr %v2, align 4
  %v3 = getelementptr inbounds i8, ptr %slot.1, i64 8
  %v4 = load i32, ptr %v3, align 4
  ret i32 %v4
}
