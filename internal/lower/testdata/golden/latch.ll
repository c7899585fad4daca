define i64 @"p.many"({ ptr, i64, i64 } %p.0) #0 align 64 {
entry:
  br label %b0
b0:
  br label %b1
b1:
  %t0 = phi i64 [ 0, %b0 ], [ %v11, %b4 ], [ %v13, %b5 ], [ %v15, %b7 ], [ %v17, %b9 ], [ %v19, %b11 ], [ %v21, %b13 ], [ %v23, %b15 ], [ %v24, %b17 ]
  %v1 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v2 = icmp slt i64 %t0, %v1
  br i1 %v2, label %b2, label %b3
b2:
  %v3 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v4 = icmp ult i64 %t0, %v3
  br i1 %v4, label %ok.5, label %trap.6
b4:
  %v11 = add i64 %t0, 2
  br label %b1
b6:
  %v12 = icmp eq i8 %v9, 2
  br i1 %v12, label %b5, label %b8
b5:
  %v13 = add i64 %t0, 3
  br label %b1
b8:
  %v14 = icmp eq i8 %v9, 3
  br i1 %v14, label %b7, label %b10
b7:
  %v15 = add i64 %t0, 4
  br label %b1
b10:
  %v16 = icmp eq i8 %v9, 4
  br i1 %v16, label %b9, label %b12
b9:
  %v17 = add i64 %t0, 5
  br label %b1
b12:
  %v18 = icmp eq i8 %v9, 5
  br i1 %v18, label %b11, label %b14
b11:
  %v19 = add i64 %t0, 6
  br label %b1
b14:
  %v20 = icmp eq i8 %v9, 6
  br i1 %v20, label %b13, label %b16
b13:
  %v21 = add i64 %t0, 7
  br label %b1
b16:
  %v22 = icmp eq i8 %v9, 7
  br i1 %v22, label %b15, label %b17
b15:
  %v23 = add i64 %t0, 8
  br label %b1
b17:
  %v24 = add i64 %t0, 1
  br label %b1
b3:
  ret i64 0
ok.5:
  %v7 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v8 = getelementptr inbounds [1 x i8], ptr %v7, i64 %t0
  %v9 = load i8, ptr %v8, align 1
  %v10 = icmp eq i8 %v9, 1
  br i1 %v10, label %b4, label %b6
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
  %t2 = phi i64 [ 0, %b0 ], [ %v51, %latch.13 ]
  %t3 = phi i64 [ %v2, %b0 ], [ %v52, %latch.13 ]
  %v3 = icmp slt i64 %t2, %t3
  br i1 %v3, label %b2, label %b3
b2:
  %v4 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v5 = icmp ult i64 %t2, %v4
  br i1 %v5, label %ok.6, label %trap.7
b4:
  %v12 = add i64 %t2, 1
  br label %latch.13
b6:
  %v14 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v15 = icmp ult i64 %t3, %v14
  br i1 %v15, label %ok.16, label %trap.17
b5:
  %v22 = sub i64 %t3, 1
  br label %latch.13
b7:
  %v23 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v24 = icmp ult i64 %t3, %v23
  br i1 %v24, label %ok.25, label %trap.26
b3:
  ret void
ok.6:
  %v8 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v9 = getelementptr inbounds [1 x i8], ptr %v8, i64 %t2
  %v10 = load i8, ptr %v9, align 1
  %v11 = icmp eq i8 %v10, 10
  br i1 %v11, label %b4, label %b6
trap.7:
  call void @"runtime.panicIndex"(i64 %t2, i64 %v4) #1
  unreachable
latch.13:
  %v51 = phi i64 [ %v12, %b4 ], [ %t2, %b5 ], [ %v49, %ok.45 ]
  %v52 = phi i64 [ %t3, %b4 ], [ %v22, %b5 ], [ %v50, %ok.45 ]
  br label %b1
ok.16:
  %v18 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v19 = getelementptr inbounds [1 x i8], ptr %v18, i64 %t3
  %v20 = load i8, ptr %v19, align 1
  %v21 = icmp eq i8 %v20, 10
  br i1 %v21, label %b5, label %b7
trap.17:
  call void @"runtime.panicIndex"(i64 %t3, i64 %v14) #1
  unreachable
ok.25:
  %v27 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v28 = getelementptr inbounds [1 x i8], ptr %v27, i64 %t3
  %v29 = load i8, ptr %v28, align 1
  %v30 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v31 = icmp ult i64 %t2, %v30
  br i1 %v31, label %ok.32, label %trap.33
trap.26:
  call void @"runtime.panicIndex"(i64 %t3, i64 %v23) #1
  unreachable
ok.32:
  %v34 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v35 = getelementptr inbounds [1 x i8], ptr %v34, i64 %t2
  %v36 = load i8, ptr %v35, align 1
  %v37 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v38 = icmp ult i64 %t2, %v37
  br i1 %v38, label %ok.39, label %trap.40
trap.33:
  call void @"runtime.panicIndex"(i64 %t2, i64 %v30) #1
  unreachable
ok.39:
  %v41 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v42 = getelementptr inbounds [1 x i8], ptr %v41, i64 %t2
  store i8 %v29, ptr %v42, align 1
  %v43 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v44 = icmp ult i64 %t3, %v43
  br i1 %v44, label %ok.45, label %trap.46
trap.40:
  call void @"runtime.panicIndex"(i64 %t2, i64 %v37) #1
  unreachable
ok.45:
  %v47 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v48 = getelementptr inbounds [1 x i8], ptr %v47, i64 %t3
  store i8 %v36, ptr %v48, align 1
  %v49 = add i64 %t2, 1
  %v50 = sub i64 %t3, 1
  br label %latch.13
trap.46:
  call void @"runtime.panicIndex"(i64 %t3, i64 %v43) #1
  unreachable
}
