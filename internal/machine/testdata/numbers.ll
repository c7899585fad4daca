source_filename = "p"
define i64 @"p.tenth"(i64 %p.0) #8 align 32 {
entry:
  %v1 = udiv i64 %p.0, 10
  ret i64 %v1
}
define i32 @"p.half"(i32 %p.0) #8 align 32 {
entry:
  %v1 = sdiv i32 %p.0, 2
  ret i32 %v1
}
define double @"p.scale"(double %p.0) #8 align 32 {
entry:
  %v1 = fmul double %p.0, 0x3FF8000000000000
  %v2 = fadd double %v1, 0x3FF8000000000000
  ret double %v2
}
define i64 @"p.least"(i64 %p.0, i64 %p.1) #8 align 32 {
entry:
  %v1 = icmp slt i64 %p.0, %p.1
  %v2 = select i1 %v1, i64 %p.0, i64 %p.1
  ret i64 %v2
}
