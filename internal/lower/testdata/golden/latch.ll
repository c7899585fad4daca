define i64 @"p.many"({ ptr, i64, i64 } %p.0) #0 align 64 {
entry:
  br label %b0
b0:
  br label %b1
b1:
  %t0 = phi i64 [ 0, %b0 ], [ %t20, %b17 ]
  %v1 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v2 = icmp slt i64 %t0, %v1
  br i1 %v2, label %b2, label %b18
b2:
  %v3 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v4 = icmp ult i64 %t0, %v3
  br i1 %v4, label %ok.5, label %trap.6
b3:
  %v11 = add i64 %t0, 2
  br label %b17
b17:
  %t20 = phi i64 [ %v11, %b3 ], [ %v13, %b5 ], [ %v15, %b7 ], [ %v17, %b9 ], [ %v19, %b11 ], [ %v21, %b13 ], [ %v23, %b15 ], [ %v24, %b16 ]
  br label %b1
b4:
  %v12 = icmp eq i8 %v9, 2
  br i1 %v12, label %b5, label %b6
b5:
  %v13 = add i64 %t0, 3
  br label %b17
b6:
  %v14 = icmp eq i8 %v9, 3
  br i1 %v14, label %b7, label %b8
b7:
  %v15 = add i64 %t0, 4
  br label %b17
b8:
  %v16 = icmp eq i8 %v9, 4
  br i1 %v16, label %b9, label %b10
b9:
  %v17 = add i64 %t0, 5
  br label %b17
b10:
  %v18 = icmp eq i8 %v9, 5
  br i1 %v18, label %b11, label %b12
b11:
  %v19 = add i64 %t0, 6
  br label %b17
b12:
  %v20 = icmp eq i8 %v9, 6
  br i1 %v20, label %b13, label %b14
b13:
  %v21 = add i64 %t0, 7
  br label %b17
b14:
  %v22 = icmp eq i8 %v9, 7
  br i1 %v22, label %b15, label %b16
b15:
  %v23 = add i64 %t0, 8
  br label %b17
b16:
  %v24 = add i64 %t0, 1
  br label %b17
b18:
  ret i64 0
ok.5:
  %v7 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v8 = getelementptr inbounds [1 x i8], ptr %v7, i64 %t0
  %v9 = load i8, ptr %v8, align 1
  %v10 = icmp eq i8 %v9, 1
  br i1 %v10, label %b3, label %b4
trap.6:
  call void @"runtime.panicIndex"(i64 %t0, i64 %v3) #1
  unreachable
}
define void @"p.turn"({ ptr, i64, i64 } %p.0) #0 align 64 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v2 = sub i64 %v1, 1
  br label %b1
b1:
  %t2 = phi i64 [ 0, %b0 ], [ %t21, %b7 ]
  %t3 = phi i64 [ %v2, %b0 ], [ %t22, %b7 ]
  %v3 = icmp slt i64 %t2, %t3
  br i1 %v3, label %b2, label %b8
b2:
  %v4 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v5 = icmp ult i64 %t2, %v4
  br i1 %v5, label %ok.6, label %trap.7
b3:
  %v12 = add i64 %t2, 1
  br label %b7
b7:
  %t21 = phi i64 [ %v12, %b3 ], [ %t2, %b5 ], [ %v48, %ok.44 ]
  %t22 = phi i64 [ %t3, %b3 ], [ %v21, %b5 ], [ %v49, %ok.44 ]
  br label %b1
b4:
  %v13 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v14 = icmp ult i64 %t3, %v13
  br i1 %v14, label %ok.15, label %trap.16
b5:
  %v21 = sub i64 %t3, 1
  br label %b7
b6:
  %v22 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v23 = icmp ult i64 %t2, %v22
  br i1 %v23, label %ok.24, label %trap.25
b8:
  ret void
ok.6:
  %v8 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v9 = getelementptr inbounds [1 x i8], ptr %v8, i64 %t2
  %v10 = load i8, ptr %v9, align 1
  %v11 = icmp eq i8 %v10, 10
  br i1 %v11, label %b3, label %b4
trap.7:
  call void @"runtime.panicIndex"(i64 %t2, i64 %v4) #1
  unreachable
ok.15:
  %v17 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v18 = getelementptr inbounds [1 x i8], ptr %v17, i64 %t3
  %v19 = load i8, ptr %v18, align 1
  %v20 = icmp eq i8 %v19, 10
  br i1 %v20, label %b5, label %b6
trap.16:
  call void @"runtime.panicIndex"(i64 %t3, i64 %v13) #1
  unreachable
ok.24:
  %v26 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v27 = getelementptr inbounds [1 x i8], ptr %v26, i64 %t2
  %v28 = load i8, ptr %v27, align 1
  %v29 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v30 = icmp ult i64 %t3, %v29
  br i1 %v30, label %ok.31, label %trap.32
trap.25:
  call void @"runtime.panicIndex"(i64 %t2, i64 %v22) #1
  unreachable
ok.31:
  %v33 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v34 = getelementptr inbounds [1 x i8], ptr %v33, i64 %t3
  %v35 = load i8, ptr %v34, align 1
  %v36 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v37 = icmp ult i64 %t2, %v36
  br i1 %v37, label %ok.38, label %trap.39
trap.32:
  call void @"runtime.panicIndex"(i64 %t3, i64 %v29) #1
  unreachable
ok.38:
  %v40 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v41 = getelementptr inbounds [1 x i8], ptr %v40, i64 %t2
  store i8 %v35, ptr %v41, align 1
  %v42 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v43 = icmp ult i64 %t3, %v42
  br i1 %v43, label %ok.44, label %trap.45
trap.39:
  call void @"runtime.panicIndex"(i64 %t2, i64 %v36) #1
  unreachable
ok.44:
  %v46 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v47 = getelementptr inbounds [1 x i8], ptr %v46, i64 %t3
  store i8 %v28, ptr %v47, align 1
  %v48 = add i64 %t2, 1
  %v49 = sub i64 %t3, 1
  br label %b7
trap.45:
  call void @"runtime.panicIndex"(i64 %t3, i64 %v42) #1
  unreachable
}
