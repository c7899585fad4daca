define i8 @"p.at"({ ptr, i64, i64 } %p.0, i8 %p.1) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v2 = zext i8 %p.1 to i64
  %v3 = icmp ult i64 %v2, %v1
  br i1 %v3, label %ok.4, label %trap.5
ok.4:
  %v7 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v8 = getelementptr inbounds [1 x i8], ptr %v7, i64 %v2
  %v9 = load i8, ptr %v8, align 1
  ret i8 %v9
trap.5:
  %v6 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicIndex\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v6, i64 %v2, i64 %v1) #1
  unreachable
}
define { ptr, i64 } @"p.part"({ ptr, i64 } %p.0, i64 %p.1, i64 %p.2) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, i64 } %p.0, 0
  %v2 = extractvalue { ptr, i64 } %p.0, 1
  %v3 = icmp ule i64 %p.2, %v2
  br i1 %v3, label %ok.4, label %trap.5
ok.4:
  %v7 = icmp ule i64 %p.1, %p.2
  br i1 %v7, label %ok.8, label %trap.9
trap.5:
  %v6 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicSliceAlen\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v6, i64 %p.2, i64 %v2) #1
  unreachable
ok.8:
  %v11 = sub i64 %p.2, %p.1
  %v12 = icmp eq i64 %v11, 0
  %v13 = select i1 %v12, i64 0, i64 %p.1
  %v14 = getelementptr inbounds [1 x i8], ptr %v1, i64 %v13
  %v15 = insertvalue { ptr, i64 } poison, ptr %v14, 0
  %v16 = insertvalue { ptr, i64 } %v15, i64 %v11, 1
  ret { ptr, i64 } %v16
trap.9:
  %v10 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicSliceB\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v10, i64 %p.1, i64 %p.2) #1
  unreachable
}
define void @"p.pop"(ptr noalias %results, { ptr, i64, i64 } %p.0) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v2 = sub i64 %v1, 1
  %v3 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v4 = icmp ult i64 %v2, %v3
  br i1 %v4, label %ok.5, label %trap.6
ok.5:
  %v8 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v9 = getelementptr inbounds [8 x i8], ptr %v8, i64 %v2
  %v10 = load i64, ptr %v9, align 8
  %v11 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v12 = sub i64 %v11, 1
  %v13 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v14 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v15 = extractvalue { ptr, i64, i64 } %p.0, 2
  %v16 = icmp ult i64 %v12, %v14
  br i1 %v16, label %ok.17, label %trap.18
trap.6:
  %v7 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicIndex\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v7, i64 %v2, i64 %v3) #1
  unreachable
ok.17:
  %v20 = insertvalue { ptr, i64, i64 } poison, ptr %v13, 0
  %v21 = insertvalue { ptr, i64, i64 } %v20, i64 %v12, 1
  %v22 = insertvalue { ptr, i64, i64 } %v21, i64 %v15, 2
  store i64 %v10, ptr %results, align 8
  %v23 = getelementptr inbounds i8, ptr %results, i64 8
  store { ptr, i64, i64 } %v22, ptr %v23, align 8
  ret void
trap.18:
  %v19 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicSliceAcap\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v19, i64 %v12, i64 %v15) #1
  unreachable
}
define i64 @"p.sum"({ ptr, i64, i64 } %p.0) #0 align 64 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, i64, i64 } %p.0, 1
  br label %b1
b1:
  %t1 = phi i64 [ -1, %b0 ], [ %v2, %ok.6 ]
  %t2 = phi i64 [ 0, %b0 ], [ %v11, %ok.6 ]
  %v2 = add i64 %t1, 1
  %v3 = icmp ult i64 %v2, %v1
  br i1 %v3, label %b2, label %b3
b2:
  %v4 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v5 = icmp ult i64 %v2, %v4
  br i1 %v5, label %ok.6, label %trap.7
b3:
  ret i64 %t2
ok.6:
  %v8 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v9 = getelementptr inbounds [8 x i8], ptr %v8, i64 %v2
  %v10 = load i64, ptr %v9, align 8
  %v11 = add i64 %t2, %v10
  br label %b1
trap.7:
  call void @"runtime.panicIndex"(i64 %v2, i64 %v4) #1
  unreachable
}
define { ptr, i64, i64 } @"p.until"({ ptr, i64, i64 } %p.0, i64 %p.1) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v2 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v3 = extractvalue { ptr, i64, i64 } %p.0, 2
  %v4 = icmp ule i64 %p.1, %v3
  br i1 %v4, label %ok.5, label %trap.6
ok.5:
  %v8 = insertvalue { ptr, i64, i64 } poison, ptr %v1, 0
  %v9 = insertvalue { ptr, i64, i64 } %v8, i64 %p.1, 1
  %v10 = insertvalue { ptr, i64, i64 } %v9, i64 %v3, 2
  ret { ptr, i64, i64 } %v10
trap.6:
  %v7 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicSliceAcap\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v7, i64 %p.1, i64 %v3) #1
  unreachable
}
