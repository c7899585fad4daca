source_filename = "p"
; the second check of an index is gone, the first one is part of the loop
define i64 @"p.sum"({ ptr, i64, i64 } %p.0) #8 align 32 {
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
  %v12 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicIndex\22", "{rax},{rdi},{rsi},~{memory}"(ptr %v12, i64 %v2, i64 %v4) #1
  unreachable
}
define i8 @"p.at"({ ptr, i64, i64 } %p.0, i8 %p.1) #8 align 32 {
entry:
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
