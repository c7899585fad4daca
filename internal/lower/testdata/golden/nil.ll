define i64 @"p.asked"(ptr %p.0) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = icmp eq ptr %p.0, null
  br i1 %v1, label %b1, label %b2
b1:
  ret i64 0
b2:
  %v2 = getelementptr inbounds i8, ptr %p.0, i64 8
  %v3 = load i64, ptr %v2, align 8
  ret i64 %v3
}
define i64 @"p.askedOtherwise"(ptr %p.0) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = icmp eq ptr %p.0, null
  %v2 = xor i1 %v1, true
  br i1 %v2, label %b1, label %b2
b1:
  store i64 1, ptr %p.0, align 8
  br label %b2
b2:
  %v3 = icmp ne ptr %p.0, null
  br i1 %v3, label %ok.6, label %trap.4
trap.4:
  %v5 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicnil\22", "{rax},{rdi},~{memory}"(ptr %v5, i64 8) #1
  unreachable
ok.6:
  %v7 = getelementptr inbounds i8, ptr %p.0, i64 8
  %v8 = load i64, ptr %v7, align 8
  ret i64 %v8
}
define i64 @"p.both"(ptr %p.0) #8 align 32 {
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
  %v5 = load i64, ptr %p.0, align 8
  %v6 = getelementptr inbounds i8, ptr %p.0, i64 8
  %v7 = load i64, ptr %v6, align 8
  %v8 = add i64 %v5, %v7
  ret i64 %v8
}
define i64 @"p.calls"(ptr %p.0) #0 align 32 {
entry:
  br label %b0
b0:
  %v1 = icmp ne ptr %p.0, null
  br i1 %v1, label %ok.3, label %trap.2
trap.2:
  call void @"runtime.panicnil"(i64 0) #1
  unreachable
ok.3:
  %v4 = load ptr, ptr %p.0, align 8
  %v5 = call i64 %v4(ptr nest nocapture readonly %p.0) nomerge
  %v6 = load ptr, ptr %p.0, align 8
  %v7 = call i64 %v6(ptr nest nocapture readonly %p.0) nomerge
  %v8 = add i64 %v5, %v7
  ret i64 %v8
}
define i64 @"p.elements"(ptr %p.0, i64 %p.1) #8 align 32 {
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
  %v5 = load i64, ptr %p.0, align 8
  %v6 = icmp ult i64 %p.1, 4
  br i1 %v6, label %ok.7, label %trap.8
ok.7:
  %v10 = getelementptr inbounds [8 x i8], ptr %p.0, i64 %p.1
  %v11 = load i64, ptr %v10, align 8
  %v12 = add i64 %v5, %v11
  %v13 = icmp ule i64 %p.1, 4
  br i1 %v13, label %ok.14, label %trap.15
trap.8:
  %v9 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicIndex\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v9, i64 %p.1, i64 4) #1
  unreachable
ok.14:
  %v17 = icmp ule i64 1, %p.1
  br i1 %v17, label %ok.18, label %trap.19
trap.15:
  %v16 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicSliceAlen\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v16, i64 %p.1, i64 4) #1
  unreachable
ok.18:
  %v21 = sub i64 %p.1, 1
  %v22 = sub i64 4, 1
  %v23 = icmp eq i64 %v22, 0
  %v24 = select i1 %v23, i64 0, i64 1
  %v25 = getelementptr inbounds [8 x i8], ptr %p.0, i64 %v24
  %v26 = insertvalue { ptr, i64, i64 } poison, ptr %v25, 0
  %v27 = insertvalue { ptr, i64, i64 } %v26, i64 %v21, 1
  %v28 = insertvalue { ptr, i64, i64 } %v27, i64 %v22, 2
  %v29 = extractvalue { ptr, i64, i64 } %v28, 1
  %v30 = add i64 %v12, %v29
  ret i64 %v30
trap.19:
  %v20 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicSliceB\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v20, i64 1, i64 %p.1) #1
  unreachable
}
define i64 @"p.inLoop"(ptr %p.0) #0 align 64 {
entry:
  br label %b0
b0:
  br label %b3
b3:
  %t5 = phi ptr [ %p.0, %b0 ], [ %v7, %b1 ]
  %t6 = phi i64 [ 0, %b0 ], [ %v5, %b1 ]
  %v1 = icmp eq ptr %t5, null
  %v2 = xor i1 %v1, true
  br i1 %v2, label %b1, label %b2
b1:
  %v3 = getelementptr inbounds i8, ptr %t5, i64 8
  %v4 = load i64, ptr %v3, align 8
  %v5 = add i64 %t6, %v4
  %v6 = getelementptr inbounds i8, ptr %t5, i64 16
  %v7 = load ptr, ptr %v6, align 8
  br label %b3
b2:
  ret i64 %t6
}
define i64 @"p.methods"({ ptr, ptr } %p.0) #0 align 32 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, ptr } %p.0, 0
  %v2 = icmp ne ptr %v1, null
  br i1 %v2, label %ok.4, label %trap.3
trap.3:
  call void @"runtime.panicnil"(i64 24) #1
  unreachable
ok.4:
  %v5 = getelementptr inbounds i8, ptr %v1, i64 24
  %v6 = load ptr, ptr %v5, align 8
  %v7 = extractvalue { ptr, ptr } %p.0, 1
  %v8 = call i64 %v6(ptr %v7) nomerge
  %v9 = extractvalue { ptr, ptr } %p.0, 0
  %v10 = getelementptr inbounds i8, ptr %v9, i64 24
  %v11 = load ptr, ptr %v10, align 8
  %v12 = extractvalue { ptr, ptr } %p.0, 1
  %v13 = call i64 %v11(ptr %v12) nomerge
  %v14 = add i64 %v8, %v13
  ret i64 %v14
}
define i64 @"p.onOneWay"(ptr %p.0, i1 %p.1) #8 align 32 {
entry:
  br label %b0
b0:
  br i1 %p.1, label %b1, label %b2
b1:
  %v1 = icmp ne ptr %p.0, null
  br i1 %v1, label %ok.4, label %trap.2
b2:
  %v6 = icmp ne ptr %p.0, null
  br i1 %v6, label %ok.9, label %trap.7
trap.2:
  %v3 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicnil\22", "{rax},{rdi},~{memory}"(ptr %v3, i64 0) #1
  unreachable
ok.4:
  %v5 = load i64, ptr %p.0, align 8
  ret i64 %v5
trap.7:
  %v8 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicnil\22", "{rax},{rdi},~{memory}"(ptr %v8, i64 8) #1
  unreachable
ok.9:
  %v10 = getelementptr inbounds i8, ptr %p.0, i64 8
  %v11 = load i64, ptr %v10, align 8
  ret i64 %v11
}
define i64 @"p.onOneWayAndThen"(ptr %p.0, i1 %p.1) #8 align 32 {
entry:
  br label %b0
b0:
  br i1 %p.1, label %b1, label %b2
b1:
  %v1 = icmp ne ptr %p.0, null
  br i1 %v1, label %ok.4, label %trap.2
b2:
  %t2 = phi i64 [ 0, %b0 ], [ %v5, %ok.4 ]
  %v6 = icmp ne ptr %p.0, null
  br i1 %v6, label %ok.9, label %trap.7
trap.2:
  %v3 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicnil\22", "{rax},{rdi},~{memory}"(ptr %v3, i64 0) #1
  unreachable
ok.4:
  %v5 = load i64, ptr %p.0, align 8
  br label %b2
trap.7:
  %v8 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicnil\22", "{rax},{rdi},~{memory}"(ptr %v8, i64 8) #1
  unreachable
ok.9:
  %v10 = getelementptr inbounds i8, ptr %p.0, i64 8
  %v11 = load i64, ptr %v10, align 8
  %v12 = add i64 %t2, %v11
  ret i64 %v12
}
