source_filename = "p"
@"p.count" = global [8 x i8] c"\03\00\00\00\00\00\00\00", align 8, !dbg !30
define i64 @"p.f"(i64 %p.0) #0 align 32 !dbg !10 {
entry:
  %slot.1 = alloca [8 x i8], align 8
  #dbg_declare(ptr %slot.1, !12, !DIExpression(), !11)
  store i64 %p.0, ptr %slot.1, align 8
  %slot.2 = alloca [16 x i8], align 8
  #dbg_declare(ptr %slot.2, !20, !DIExpression(), !17)
  %slot.3 = alloca [8 x i8], align 8
  #dbg_declare(ptr %slot.3, !21, !DIExpression(DW_OP_deref), !17)
  br label %b0
b0:
  %v1 = call ptr @"p.new"(i64 %p.0), !dbg !13
  store ptr %v1, ptr %slot.2, align 8, !dbg !14
  %v2 = getelementptr i8, ptr %slot.2, i64 8
  store i64 %p.0, ptr %v2, align 8, !dbg !14
  store ptr %v1, ptr %slot.3, align 8, !dbg !14
  %v3 = add i64 %p.0, 1, !dbg !14
  ret i64 %v3, !dbg !18
}
declare ptr @"p.new"(i64) #0
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_Go, file: !1, producer: "loam", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "p.go", directory: "/p")
!2 = !DIBasicType(name: "int", size: 64, encoding: DW_ATE_signed)
!3 = !DIBasicType(name: "uint8", size: 8, encoding: DW_ATE_unsigned)
!4 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*uint8", baseType: !3, size: 64)
!5 = !DIDerivedType(tag: DW_TAG_member, name: "str", baseType: !4, size: 64, offset: 0)
!6 = !DIDerivedType(tag: DW_TAG_member, name: "len", baseType: !2, size: 64, offset: 64)
!7 = !DICompositeType(tag: DW_TAG_structure_type, name: "string", size: 128, elements: !{!5, !6})
!8 = !DISubrange(count: 4)
!9 = !DICompositeType(tag: DW_TAG_array_type, name: "[4]p.node", baseType: !22, size: 256, elements: !{!8})
!10 = distinct !DISubprogram(name: "p.f", scope: !1, file: !1, line: 3, type: !23, scopeLine: 3, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !24)
!11 = !DILocation(line: 3, scope: !10)
!12 = !DILocalVariable(name: "a", arg: 1, scope: !10, file: !1, line: 3, type: !2)
!13 = !DILocation(line: 4, scope: !10)
!14 = !DILocation(line: 6, scope: !16)
!15 = !DILocalVariable(name: "gone", arg: 2, scope: !10, file: !1, line: 3, type: !25)
!16 = distinct !DILexicalBlock(scope: !19, file: !1, line: 5, column: 2)
!17 = !DILocation(line: 5, scope: !16)
!18 = !DILocation(line: 8, scope: !10)
!19 = distinct !DILexicalBlock(scope: !10, file: !1, line: 4, column: 2)
!20 = !DILocalVariable(name: "s", scope: !16, file: !1, line: 5, type: !7)
!21 = !DILocalVariable(name: "nodes", scope: !16, file: !1, line: 5, type: !9)
!22 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "p.node", size: 64, elements: !26)
!23 = !DISubroutineType(types: !{!2, !2})
!24 = !{!12, !15}
!25 = !DIDerivedType(tag: DW_TAG_typedef, name: "p.handler", baseType: !27)
!26 = !{!28}
!27 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "func(int) int", baseType: !23, size: 64)
!28 = !DIDerivedType(tag: DW_TAG_member, name: "next", baseType: !29, size: 64, offset: 0)
!29 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*p.node", baseType: !22, size: 64)
!30 = !DIGlobalVariableExpression(var: !31, expr: !DIExpression())
!31 = distinct !DIGlobalVariable(name: "p.count", scope: !0, file: !1, line: 1, type: !2, isLocal: false, isDefinition: true)
