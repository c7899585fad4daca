define i32 @"p.divide"(i32 %p.0, i32 %p.1) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = icmp ne i32 %p.1, 0
  br i1 %v1, label %ok.4, label %trap.2
trap.2:
  %v3 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicdivide\22", "{rax},~{memory}"(ptr %v3) #1
  unreachable
ok.4:
  %v5 = icmp eq i32 %p.1, -1
  %v6 = select i1 %v5, i32 1, i32 %p.1
  %v7 = sdiv i32 %p.0, %v6
  %v8 = sub i32 0, %p.0
  %v9 = select i1 %v5, i32 %v8, i32 %v7
  ret i32 %v9
}
define { float, float } @"p.product"({ float, float } %p.0, { float, float } %p.1) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { float, float } %p.0, 0
  %v2 = extractvalue { float, float } %p.0, 1
  %v3 = extractvalue { float, float } %p.1, 0
  %v4 = extractvalue { float, float } %p.1, 1
  %v5 = fpext float %v1 to double
  %v6 = fpext float %v2 to double
  %v7 = fpext float %v3 to double
  %v8 = fpext float %v4 to double
  %v9 = fmul double %v5, %v7
  %v10 = fmul double %v6, %v8
  %v11 = fsub double %v9, %v10
  %v12 = fmul double %v5, %v8
  %v13 = fmul double %v6, %v7
  %v14 = fadd double %v12, %v13
  %v15 = fptrunc double %v11 to float
  %v16 = fptrunc double %v14 to float
  %v17 = insertvalue { float, float } poison, float %v15, 0
  %v18 = insertvalue { float, float } %v17, float %v16, 1
  ret { float, float } %v18
}
define i64 @"p.shift"(i64 %p.0, i64 %p.1) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = icmp sge i64 %p.1, 0
  br i1 %v1, label %ok.4, label %trap.2
trap.2:
  %v3 = call ptr @llvm.addressofreturnaddress.p0()
  call void asm sideeffect "callq \22loam.trap.panicshift\22", "{rax},~{memory}"(ptr %v3) #1
  unreachable
ok.4:
  %v5 = icmp uge i64 %p.1, 64
  %v6 = shl i64 %p.0, %p.1
  %v7 = select i1 %v5, i64 0, i64 %v6
  ret i64 %v7
}
define i8 @"p.toInt"(double %p.0) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = insertelement <2 x double> zeroinitializer, double %p.0, i32 0
  %v2 = call i32 @llvm.x86.sse2.cvttsd2si(<2 x double> %v1)
  %v3 = trunc i32 %v2 to i8
  ret i8 %v3
}
