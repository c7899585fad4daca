source_filename = "p"
declare i64 @"p.g"(i64, double) #0
; values live across a call in registers that the callee keeps; the stack is checked
define i64 @"p.twice"(i64 %p.0, double %p.1) #0 align 32 {
entry:
  %v1 = call i64 @"p.g"(i64 %p.0, double %p.1)
  %v2 = call i64 @"p.g"(i64 %v1, double 0x4008000000000000)
  %v3 = add i64 %v1, %v2
  %v4 = add i64 %v3, %p.0
  ret i64 %v4
}
; a closure's context travels in r10
define i64 @"p.apply"(ptr %p.0, i64 %p.1) #0 align 32 {
entry:
  %v1 = load ptr, ptr %p.0, align 8
  %v2 = call i64 %v1(i64 %p.1, ptr nest %p.0)
  ret i64 %v2
}
; seven integers: one of them travels in memory
define i64 @"p.many"(i64 %p.0, i64 %p.1, i64 %p.2, i64 %p.3, i64 %p.4, i64 %p.5, i64 %p.6) #8 align 32 {
entry:
  %v1 = sub i64 %p.0, %p.6
  ret i64 %v1
}
