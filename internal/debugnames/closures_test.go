package debugnames

import (
	"debug/dwarf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// withClosures has a function with a closure, which may be inlined in another one, a function that
// makes interfaces, and a variable with types of its data's.
const withClosures = `
@v = global i64 1, !dbg !30
define INTERNAL void @literal() INLINE !dbg !5 {
  call void @far(), !dbg !6
  ret void, !dbg !6
}
declare void @far()
define void @_start() !dbg !7 {
  call void @literal(), !dbg !8
  KEEP
  ret void, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1, !2}
!0 = distinct !DICompileUnit(language: DW_LANG_Go, file: !3, emissionKind: FullDebug, splitDebugInlining: false, globals: !{!31})
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 7, !"Dwarf Version", i32 4}
!3 = !DIFile(filename: "a.go", directory: "/a")
!5 = distinct !DISubprogram(name: "literal", scope: !3, file: !3, line: 3, type: !9, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !{!10, !11})
!6 = !DILocation(line: 4, scope: !5)
!7 = distinct !DISubprogram(name: "start", scope: !3, file: !3, line: 6, type: !9, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !{!12})
!8 = !DILocation(line: 7, scope: !7)
!9 = !DISubroutineType(types: !{null})
!10 = !DILocalVariable(name: "·closure", scope: !5, type: !13)
!11 = !DILocalVariable(name: "·boxed", scope: !5, type: !16)
!12 = !DILocalVariable(name: "·boxed", scope: !7, type: !16)
!13 = !DICompositeType(tag: DW_TAG_structure_type, name: "·closure", size: 192, elements: !{!14, !15})
!14 = !DIDerivedType(tag: DW_TAG_member, name: "&x", baseType: !18, size: 64, offset: 64)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "n", baseType: !19, size: 64, offset: 128)
!16 = !DICompositeType(tag: DW_TAG_structure_type, name: "·boxed", elements: !{!17})
!17 = !DIDerivedType(tag: DW_TAG_member, baseType: !20)
!18 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*int", baseType: !19, size: 64)
!19 = !DIBasicType(name: "int", size: 64, encoding: DW_ATE_signed)
!20 = !DICompositeType(tag: DW_TAG_structure_type, name: "main.only", size: 64, elements: !{!14})
!21 = !DICompositeType(tag: DW_TAG_structure_type, name: "main.static", size: 64, elements: !{!14})
!30 = distinct !DIGlobalVariableExpression(var: !32, expr: !DIExpression())
!31 = !{}
!32 = distinct !DIGlobalVariable(name: "main.v", scope: !0, file: !3, line: 1, type: !19, templateParams: !{!33})
!33 = !DITemplateTypeParameter(type: !21)
`

// TestClosures: what closures hold is in a block without code of the function alone, and of what
// the compiler hid only the types are left, whether the function is inlined or not, or both.
func TestClosures(t *testing.T) {
	for _, of := range []struct{ inline, internal, keep, want string }{
		{"noinline", "", "", "literal{&x@8 n@16}"},
		{"alwaysinline", "", "call void @literal() noinline, !dbg !8", "literal{&x@8 n@16}"},
		{"alwaysinline", "internal", "", ""},
	} {
		name := fmt.Sprintf("%s %s", of.inline, of.internal)
		text := strings.NewReplacer("INLINE", of.inline, "INTERNAL", of.internal, "KEEP", of.keep, "globals: !{!31}", "globals: !{!30}",
			"!31 = !{}\n", "").Replace(withClosures)
		parts := linked(t, text)
		symbols := map[string]uint64{"type:main.only": 1 << 20, "type:main.static": 2 << 20}
		info, abbrev, err := Entries(parts[".debug_info"], parts[".debug_abbrev"], parts[".debug_str"], symbols, StartsOf(parts[".debug_frame"]))
		if err != nil {
			t.Fatal(err)
		}
		d, err := dwarf.New(abbrev, nil, nil, info, nil, nil, nil, parts[".debug_str"])
		if err != nil {
			t.Fatal(err)
		}
		got, known := closuresOf(t, d)
		if got != of.want {
			t.Errorf("%s: %q, want %q", name, got, of.want)
		}
		if known != "main.only@0x100000 main.static@0x200000" && known != "main.static@0x200000 main.only@0x100000" {
			t.Errorf("%s: types of interfaces are %q", name, known)
		}
	}
}

// linked returns the sections of a program.
func linked(t *testing.T, text string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.ll"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	for _, args := range [][]string{
		{"clang-19", "-c", "-O1", "--target=x86_64-unknown-linux-gnu", "-Wno-override-module", "a.ll"},
		{"ld.lld-19", "-static", "--unresolved-symbols=ignore-all", "-o", program, "a.o"},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	return debugSections(t, program)
}

// closuresOf returns what the functions' closures hold, and the types of interfaces.
func closuresOf(t *testing.T, d *dwarf.Data) (closures, known string) {
	t.Helper()
	var open []*dwarf.Entry
	r := d.Reader()
	for {
		e, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			return closures, strings.TrimSpace(known)
		}
		if e.Tag == 0 {
			if last := open[len(open)-1]; last.Tag == dwarf.TagLexDwarfBlock {
				closures = strings.TrimSpace(closures) + "}"
			}
			open = open[:len(open)-1]
			continue
		}
		name, _ := e.Val(dwarf.AttrName).(string)
		if isHidden(name) || e.Tag == dwarf.TagVariable && e.Children {
			t.Errorf("an entry %v", e)
		}
		if at, ok := e.Val(dwarf.Attr(0x2904)).(uint64); ok {
			known += fmt.Sprintf("%s@%#x ", name, at)
		}
		if e.Tag == dwarf.TagLexDwarfBlock {
			function := open[len(open)-1]
			if of, ok := function.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset); ok {
				at := d.Reader()
				at.Seek(of)
				if function, err = at.Next(); err != nil {
					t.Fatal(err)
				}
			}
			closures += function.Val(dwarf.AttrName).(string) + "{"
			if ranges, err := d.Ranges(e); err != nil || len(ranges) != 1 || ranges[0][0] != ranges[0][1] {
				t.Errorf("the block is at %v, %v", ranges, err)
			}
		}
		if offset, ok := e.Val(dwarf.Attr(0x2907)).(int64); ok {
			typ, err := d.Type(e.Val(dwarf.AttrType).(dwarf.Offset))
			if err != nil || typ.Size() != 8 {
				t.Errorf("%s is of type %v, %v", name, typ, err)
			}
			closures += fmt.Sprintf("%s@%d ", name, offset)
		}
		if e.Children {
			open = append(open, e)
		}
	}
}
