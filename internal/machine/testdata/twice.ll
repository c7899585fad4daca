source_filename = "p"
; The child of a vfork runs in the same frame: what the parent needs is not under what the child has.
define i64 @"p.fork"(i64 %p.0, i64 %p.1) #8 align 32 {
entry:
  %a = call i64 @"p.other"(i64 %p.0)
  %b = call i64 @"p.other"(i64 %p.1)
  %c = call i64 @"p.other"(i64 %b)
  %d = call i64 @"p.other"(i64 %c)
  %e = call i64 @"p.other"(i64 %d)
  %f = call i64 @"p.other"(i64 %e)
  %g = call i64 @"p.other"(i64 %f)
  %pid = call i64 @"p.twice"()
  %z = icmp ne i64 %pid, 0
  br i1 %z, label %parent, label %child
parent:
  %s1 = add i64 %a, %b
  %s2 = add i64 %s1, %c
  %s3 = add i64 %s2, %d
  %s4 = add i64 %s3, %e
  %s5 = add i64 %s4, %f
  %s6 = add i64 %s5, %g
  ret i64 %s6
child:
  %v0 = call i64 @"p.other"(i64 0)
  %v1 = call i64 @"p.other"(i64 1)
  %v2 = call i64 @"p.other"(i64 2)
  %v3 = call i64 @"p.other"(i64 3)
  %v4 = call i64 @"p.other"(i64 4)
  %v5 = call i64 @"p.other"(i64 5)
  %v6 = call i64 @"p.other"(i64 6)
  %v7 = call i64 @"p.other"(i64 7)
  %v8 = call i64 @"p.other"(i64 8)
  %u1 = add i64 %v0, %v1
  %u2 = add i64 %u1, %v2
  %u3 = add i64 %u2, %v3
  %u4 = add i64 %u3, %v4
  %u5 = add i64 %u4, %v5
  %u6 = add i64 %u5, %v6
  %u7 = add i64 %u6, %v7
  %u8 = add i64 %u7, %v8
  ret i64 %u8
}
declare i64 @"p.other"(i64)
declare i64 @"p.twice"() #3
