define i64 @"p.bucket"(ptr %p.0, i32 %p.1, i64 %p.2) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = zext i32 %p.1 to i64
  %v2 = urem i64 %v1, 8
  %v3 = icmp ne ptr %p.0, null
  br i1 %v3, label %ok.6, label %trap.4
trap.4:
  %v5 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicnil\22", "{rax},{rdi},~{memory}"(ptr %v5, i64 0) #1
  unreachable
ok.6:
  %v7 = getelementptr inbounds [8 x i8], ptr %p.0, i64 %v2
  %v8 = load i64, ptr %v7, align 8
  %v9 = and i64 %p.2, 7
  %v10 = getelementptr inbounds [8 x i8], ptr %p.0, i64 %v9
  %v11 = load i64, ptr %v10, align 8
  %v12 = add i64 %v8, %v11
  ret i64 %v12
}
define i64 @"p.half"({ ptr, i64, i64 } %p.0) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v2 = udiv i64 %v1, 2
  ret i64 %v2
}
define i64 @"p.parts"(i64 %p.0, i64 %p.1) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = icmp slt i64 %p.1, 2
  br i1 %v1, label %b1, label %b2
b1:
  ret i64 %p.0
b2:
  %v2 = sdiv i64 %p.0, %p.1
  %v3 = srem i64 %p.0, %p.1
  %v4 = add i64 %v2, %v3
  ret i64 %v4
}
define i64 @"p.shifted"(i64 %p.0, i64 %p.1) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = icmp slt i64 %p.1, 0
  br i1 %v1, label %b2, label %b1
b2:
  ret i64 0
b1:
  %v2 = icmp sgt i64 %p.1, 63
  br i1 %v2, label %b2, label %b3
b3:
  %v3 = shl i64 %p.0, %p.1
  %v4 = udiv i64 %p.1, 2
  %v5 = ashr i64 %p.0, %v4
  %v6 = or i64 %v3, %v5
  ret i64 %v6
}
define double @"p.triangle"(ptr %p.0) #0 align 64 {
entry:
  br label %b0
b0:
  br label %b1
b1:
  %t0 = phi i64 [ -1, %b0 ], [ %v1, %b2 ]
  %t1 = phi double [ 0x0000000000000000, %b0 ], [ %v9, %b2 ]
  %v1 = add i64 %t0, 1
  %v2 = icmp ult i64 %v1, 100
  br i1 %v2, label %b2, label %b3
b2:
  %t4 = phi i64 [ 0, %b1 ], [ %v10, %b2 ]
  %t5 = phi double [ %t1, %b1 ], [ %v9, %b2 ]
  %v3 = add i64 %v1, %t4
  %v4 = add i64 %v1, %t4
  %v5 = add i64 %v4, 1
  %v6 = mul i64 %v3, %v5
  %v7 = sdiv i64 %v6, 2
  %v8 = sitofp i64 %v7 to double
  %v9 = fadd double %t5, %v8
  %v10 = add i64 %t4, 1
  %v11 = icmp slt i64 %v10, 50
  br i1 %v11, label %b2, label %b1
b3:
  ret double %t1
}
define i64 @"p.wraps"(i64 %p.0) #0 align 64 {
entry:
  br label %b0
b0:
  br label %b1
b1:
  %t0 = phi i64 [ 0, %b0 ], [ %v4, %b2 ]
  %t1 = phi i64 [ 0, %b0 ], [ %v3, %b2 ]
  %v1 = icmp sle i64 %t0, %p.0
  br i1 %v1, label %b2, label %b3
b2:
  %v2 = sdiv i64 %t0, 2
  %v3 = add i64 %t1, %v2
  %v4 = add i64 %t0, 7
  br label %b1
b3:
  ret i64 %t1
}
