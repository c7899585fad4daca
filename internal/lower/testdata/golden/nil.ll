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
  %v5 = icmp ule i64 %p.1, 4
  br i1 %v5, label %ok.6, label %trap.7
ok.6:
  %v9 = icmp ule i64 1, %p.1
  br i1 %v9, label %ok.10, label %trap.11
trap.7:
  %v8 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicSliceAlen\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v8, i64 %p.1, i64 4) #1
  unreachable
ok.10:
  %v13 = sub i64 %p.1, 1
  %v14 = sub i64 4, 1
  %v15 = icmp eq i64 %v14, 0
  %v16 = select i1 %v15, i64 0, i64 1
  %v17 = getelementptr inbounds [8 x i8], ptr %p.0, i64 %v16
  %v18 = insertvalue { ptr, i64, i64 } poison, ptr %v17, 0
  %v19 = insertvalue { ptr, i64, i64 } %v18, i64 %v13, 1
  %v20 = insertvalue { ptr, i64, i64 } %v19, i64 %v14, 2
  %v21 = extractvalue { ptr, i64, i64 } %v20, 1
  %v22 = load i64, ptr %p.0, align 8
  %v23 = icmp ult i64 %p.1, 4
  br i1 %v23, label %ok.24, label %trap.25
trap.11:
  %v12 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicSliceB\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v12, i64 1, i64 %p.1) #1
  unreachable
ok.24:
  %v27 = getelementptr inbounds [8 x i8], ptr %p.0, i64 %p.1
  %v28 = load i64, ptr %v27, align 8
  %v29 = add i64 %v22, %v28
  %v30 = add i64 %v29, %v21
  ret i64 %v30
trap.25:
  %v26 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicIndex\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v26, i64 %p.1, i64 4) #1
  unreachable
}
define i64 @"p.inLoop"(ptr %p.0) #0 align 64 {
entry:
  br label %b0
b0:
  br label %b1
b1:
  %t0 = phi ptr [ %p.0, %b0 ], [ %v7, %b2 ]
  %t1 = phi i64 [ 0, %b0 ], [ %v5, %b2 ]
  %v1 = icmp eq ptr %t0, null
  %v2 = xor i1 %v1, true
  br i1 %v2, label %b2, label %b3
b2:
  %v3 = getelementptr inbounds i8, ptr %t0, i64 8
  %v4 = load i64, ptr %v3, align 8
  %v5 = add i64 %t1, %v4
  %v6 = getelementptr inbounds i8, ptr %t0, i64 16
  %v7 = load ptr, ptr %v6, align 8
  br label %b1
b3:
  ret i64 %t1
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
