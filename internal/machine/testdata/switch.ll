source_filename = "p"
; cases that lie close together: a table
define i64 @"p.dense"(i8 %p.0) #8 align 32 {
entry:
  switch i8 %p.0, label %other [ i8 97, label %a i8 98, label %b i8 99, label %a i8 101, label %b i8 102, label %a ]
a:
  ret i64 1
b:
  ret i64 2
other:
  ret i64 0
}
; and others: halves
define i64 @"p.sparse"(i64 %p.0) #8 align 32 {
entry:
  switch i64 %p.0, label %other [ i64 -1000000000000, label %a i64 5, label %b i64 100, label %a i64 1000, label %b i64 10000, label %a ]
a:
  ret i64 1
b:
  ret i64 2
other:
  ret i64 0
}
