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
  br i1 %v1, label %b1, label %b3
b1:
  ret i64 0
b3:
  %v2 = icmp sgt i64 %p.1, 63
  br i1 %v2, label %b1, label %b2
b2:
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
  %t0 = phi double [ 0x0000000000000000, %b0 ], [ %v14, %latch.4 ]
  %t1 = phi i64 [ -1, %b0 ], [ %v15, %latch.4 ]
  %v1 = add i64 %t1, 1
  %v2 = icmp ult i64 %v1, 100
  br i1 %v2, label %b2, label %b3
b2:
  %v3 = icmp slt i64 0, 50
  br i1 %v3, label %b4, label %latch.4
b4:
  %t5 = phi double [ %t0, %b2 ], [ %v11, %b4 ]
  %t6 = phi i64 [ 0, %b2 ], [ %v12, %b4 ]
  %v5 = add i64 %v1, %t6
  %v6 = add i64 %v1, %t6
  %v7 = add i64 %v6, 1
  %v8 = mul i64 %v5, %v7
  %v9 = udiv i64 %v8, 2
  %v10 = sitofp i64 %v9 to double
  %v11 = fadd double %t5, %v10
  %v12 = add i64 %t6, 1
  %v13 = icmp slt i64 %v12, 50
  br i1 %v13, label %b4, label %latch.4
b3:
  ret double %t0
latch.4:
  %v14 = phi double [ %t0, %b2 ], [ %v11, %b4 ]
  %v15 = phi i64 [ %v1, %b2 ], [ %v1, %b4 ]
  br label %b1
}
define i64 @"p.wraps"(i64 %p.0) #0 align 64 {
entry:
  br label %b0
b0:
  br label %b1
b1:
  %t0 = phi i64 [ 0, %b0 ], [ %v3, %b2 ]
  %t1 = phi i64 [ 0, %b0 ], [ %v4, %b2 ]
  %v1 = icmp sle i64 %t1, %p.0
  br i1 %v1, label %b2, label %b3
b2:
  %v2 = sdiv i64 %t1, 2
  %v3 = add i64 %t0, %v2
  %v4 = add i64 %t1, 7
  br label %b1
b3:
  ret i64 %t0
}
