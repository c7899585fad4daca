define i8 @"p.at"({ ptr, i64, i64 } %p.0, i8 %p.1) #0 align 32 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v2 = zext i8 %p.1 to i64
  %v3 = icmp ult i64 %v2, %v1
  br i1 %v3, label %ok.4, label %trap.5
ok.4:
  %v6 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v7 = getelementptr inbounds [1 x i8], ptr %v6, i64 %v2
  %v8 = load i8, ptr %v7, align 1
  ret i8 %v8
trap.5:
  call void @"runtime.panicIndex"(i64 %v2, i64 %v1) #1
  unreachable
}
define { ptr, i64 } @"p.part"({ ptr, i64 } %p.0, i64 %p.1, i64 %p.2) #0 align 32 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, i64 } %p.0, 0
  %v2 = extractvalue { ptr, i64 } %p.0, 1
  %v3 = icmp ule i64 %p.2, %v2
  br i1 %v3, label %ok.4, label %trap.5
ok.4:
  %v6 = icmp ule i64 %p.1, %p.2
  br i1 %v6, label %ok.7, label %trap.8
trap.5:
  call void @"runtime.panicSliceAlen"(i64 %p.2, i64 %v2) #1
  unreachable
ok.7:
  %v9 = sub i64 %p.2, %p.1
  %v10 = icmp eq i64 %v9, 0
  %v11 = select i1 %v10, i64 0, i64 %p.1
  %v12 = getelementptr inbounds [1 x i8], ptr %v1, i64 %v11
  %v13 = insertvalue { ptr, i64 } poison, ptr %v12, 0
  %v14 = insertvalue { ptr, i64 } %v13, i64 %v9, 1
  ret { ptr, i64 } %v14
trap.8:
  call void @"runtime.panicSliceB"(i64 %p.1, i64 %p.2) #1
  unreachable
}
define i64 @"p.sum"({ ptr, i64, i64 } %p.0) #0 align 32 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, i64, i64 } %p.0, 1
  br label %b1
b1:
  %t1 = phi i64 [ 0, %b0 ], [ %v11, %ok.6 ]
  %t2 = phi i64 [ -1, %b0 ], [ %v2, %ok.6 ]
  %v2 = add i64 %t2, 1
  %v3 = icmp ult i64 %v2, %v1
  br i1 %v3, label %b2, label %b3
b2:
  %v4 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v5 = icmp ult i64 %v2, %v4
  br i1 %v5, label %ok.6, label %trap.7
b3:
  ret i64 %t1
ok.6:
  %v8 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v9 = getelementptr inbounds [8 x i8], ptr %v8, i64 %v2
  %v10 = load i64, ptr %v9, align 8
  %v11 = add i64 %t1, %v10
  br label %b1
trap.7:
  call void @"runtime.panicIndex"(i64 %v2, i64 %v4) #1
  unreachable
}
