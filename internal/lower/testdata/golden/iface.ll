define { ptr, ptr } @"p.box"(i64 %p.0) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = icmp ult i64 %p.0, 256
  %v2 = getelementptr i64, ptr @"loam.bytes", i64 %p.0
  br i1 %v1, label %box.done.4, label %box.3
box.3:
  %v5 = call ptr @"runtime.allocnoscan"(i64 8)
  store i64 %p.0, ptr %v5, align 8
  br label %box.done.4
box.done.4:
  %v6 = phi ptr [ %v2, %b0 ], [ %v5, %box.3 ]
  %v7 = insertvalue { ptr, ptr } poison, ptr @"type:int", 0
  %v8 = insertvalue { ptr, ptr } %v7, ptr %v6, 1
  ret { ptr, ptr } %v8
}
define i64 @"p.kind"({ ptr, ptr } %p.0) #8 align 32 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, ptr } %p.0, 0
  %v2 = icmp eq ptr %v1, @"type:int"
  %v3 = extractvalue { ptr, ptr } %p.0, 1
  br i1 %v2, label %assert.4, label %assert.done.5
b1:
  ret i64 %v7
b2:
  %v8 = extractvalue { ptr, ptr } %p.0, 0
  %v9 = icmp eq ptr %v8, @"type:string"
  %v10 = extractvalue { ptr, ptr } %p.0, 1
  br i1 %v9, label %assert.11, label %assert.done.12
b3:
  %v20 = extractvalue { ptr, i64 } %v14, 1
  ret i64 %v20
b4:
  ret i64 -1
assert.4:
  %v6 = load i64, ptr %v3, align 8
  br label %assert.done.5
assert.done.5:
  %v7 = phi i64 [ 0, %b0 ], [ %v6, %assert.4 ]
  br i1 %v2, label %b1, label %b2
assert.11:
  %v13 = load { ptr, i64 }, ptr %v10, align 8
  %v15 = extractvalue { ptr, i64 } %v13, 0
  %v18 = extractvalue { ptr, i64 } %v13, 1
  br label %assert.done.12
assert.done.12:
  %v16 = phi ptr [ null, %b2 ], [ %v15, %assert.11 ]
  %v19 = phi i64 [ 0, %b2 ], [ %v18, %assert.11 ]
  %v17 = insertvalue { ptr, i64 } poison, ptr %v16, 0
  %v14 = insertvalue { ptr, i64 } %v17, i64 %v19, 1
  br i1 %v9, label %b3, label %b4
}
define double @"p.total"({ ptr, i64, i64 } %p.0) #0 align 64 {
entry:
  br label %b0
b0:
  %v1 = extractvalue { ptr, i64, i64 } %p.0, 1
  br label %b1
b1:
  %t1 = phi i64 [ -1, %b0 ], [ %v2, %ok.14 ]
  %t2 = phi double [ 0x0000000000000000, %b0 ], [ %v19, %ok.14 ]
  %v2 = add i64 %t1, 1
  %v3 = icmp ult i64 %v2, %v1
  br i1 %v3, label %b2, label %b3
b2:
  %v4 = extractvalue { ptr, i64, i64 } %p.0, 1
  %v5 = icmp ult i64 %v2, %v4
  br i1 %v5, label %ok.6, label %trap.7
b3:
  ret double %t2
ok.6:
  %v8 = extractvalue { ptr, i64, i64 } %p.0, 0
  %v9 = getelementptr inbounds [16 x i8], ptr %v8, i64 %v2
  %v10 = load { ptr, ptr }, ptr %v9, align 8
  %v11 = extractvalue { ptr, ptr } %v10, 0
  %v12 = icmp ne ptr %v11, null
  br i1 %v12, label %ok.14, label %trap.13
trap.7:
  call void @"runtime.panicIndex"(i64 %v2, i64 %v4) #1
  unreachable
trap.13:
  call void @"runtime.panicnil"(i64 24) #1
  unreachable
ok.14:
  %v15 = getelementptr inbounds i8, ptr %v11, i64 24
  %v16 = load ptr, ptr %v15, align 8
  %v17 = extractvalue { ptr, ptr } %v10, 1
  %v18 = call double %v16(ptr %v17) nomerge
  %v19 = fadd double %t2, %v18
  br label %b1
}
