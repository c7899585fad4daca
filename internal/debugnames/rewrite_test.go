package debugnames

import (
	"debug/dwarf"
	"debug/elf"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// twoUnits is a program of two units, with the same names and with different ones.
var twoUnits = map[string]string{
	"a.ll": `
define void @_start() !dbg !5 {
  call void @b(), !dbg !6
  ret void, !dbg !6
}
declare void @b()
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1, !2}
!0 = distinct !DICompileUnit(language: DW_LANG_Go, file: !3, emissionKind: LineTablesOnly)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 7, !"Dwarf Version", i32 4}
!3 = !DIFile(filename: "a.go", directory: "/$ROOT/a")
!4 = !DIFile(filename: "inlined.go", directory: "/$ROOT/other")
!5 = distinct !DISubprogram(name: "a", file: !3, line: 3, type: !7, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 7, scope: !8)
!7 = !DISubroutineType(types: !{null})
!8 = !DILexicalBlockFile(scope: !5, file: !4, discriminator: 0)
`,
	"b.ll": `
define void @b() !dbg !5 {
  ret void, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1, !2}
!0 = distinct !DICompileUnit(language: DW_LANG_Go, file: !3, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 7, !"Dwarf Version", i32 4}
!3 = !DIFile(filename: "b.go", directory: "/stays")
!5 = distinct !DISubprogram(name: "b", file: !3, line: 3, type: !7, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 5, scope: !5)
!7 = !DISubroutineType(types: !{null})
`,
}

// rows are the line tables' rows that code has, "file:line" each.
func rows(t *testing.T, parts map[string][]byte) string {
	t.Helper()
	d, err := dwarf.New(parts[".debug_abbrev"], nil, nil, parts[".debug_info"], parts[".debug_line"], nil, nil, parts[".debug_str"])
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for r := d.Reader(); ; {
		e, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			return strings.Join(list, " ")
		}
		if e.Tag != dwarf.TagCompileUnit {
			continue
		}
		list = append(list, e.Val(dwarf.AttrCompDir).(string))
		lines, err := d.LineReader(e)
		if err != nil {
			t.Fatal(err)
		}
		for {
			var row dwarf.LineEntry
			if err := lines.Next(&row); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if !row.EndSequence && row.File != nil {
				list = append(list, row.File.Name)
			}
		}
	}
}

// TestRewrite: names get longer and shorter, and all else stays.
func TestRewrite(t *testing.T) {
	dir := t.TempDir()
	tool := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
	}
	for name, text := range twoUnits {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		tool("clang-19", "-c", "-O0", "--target=x86_64-unknown-linux-gnu", "-Wno-override-module", name)
	}
	program := filepath.Join(dir, "program")
	for _, root := range []string{"/$ROOT", "/r", "/somewhere/" + strings.Repeat("long/", 60) + "go", ""} {
		tool("ld.lld-19", "-static", "-o", program, "a.o", "b.o")
		parts := debugSections(t, program)
		if err := Rewrite(parts, func(name string) string { return strings.Replace(name, "/$ROOT", root, 1) }); err != nil {
			t.Fatal(err)
		}
		want := strings.ReplaceAll("/$ROOT/a /$ROOT/a/a.go /$ROOT/other/inlined.go /$ROOT/other/inlined.go /stays /stays/b.go", "/$ROOT", root)
		if got := rows(t, parts); squeeze(got) != squeeze(want) {
			t.Errorf("%s: %s\nwant %s", root, got, want)
		}
	}
	// what is cut short is an error, not a loop or a crash
	for i := range debugSections(t, program)[".debug_line"] {
		damaged := debugSections(t, program)
		damaged[".debug_line"][i] = 0xFF
		if err := Rewrite(damaged, func(name string) string { return name }); i < 4 && err == nil {
			t.Errorf("byte %d of .debug_line: no error", i)
		}
	}
}

// TestLeftOut: the functions that the linker left out have no lines and no frames, the others have
// theirs, and what is common to frames is of a version that delve reads.
func TestLeftOut(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(twoUnits["b.ll"], "define void @b()",
		"define void @unused() nounwind !dbg !8 {\n  ret void, !dbg !9\n}\ndefine void @_start() nounwind", 1) +
		"!8 = distinct !DISubprogram(name: \"unused\", scope: !3, file: !3, line: 9, type: !7, unit: !0, spFlags: DISPFlagDefinition)\n" +
		"!9 = !DILocation(line: 10, scope: !8)\n"
	if err := os.WriteFile(filepath.Join(dir, "b.ll"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	for _, args := range [][]string{
		{"clang-19", "-c", "-O0", "--target=x86_64-unknown-linux-gnu", "-ffunction-sections",
			"-fno-asynchronous-unwind-tables", "-Wno-override-module", "b.ll"},
		{"ld.lld-19", "-static", "--gc-sections", "-o", program, "b.o"},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	parts := debugSections(t, program)
	if got := strings.Count(rows(t, parts), "b.go"); got != 2 {
		t.Fatalf("%d rows", got)
	}
	frames := Frames(parts[".debug_frame"], StartsOf(parts[".debug_frame"]))
	if before := len(parts[".debug_frame"]); before == 0 || len(frames) >= before {
		t.Errorf("%d bytes of frames, then %d", before, len(frames))
	}
	if len(frames) < 9 || frames[8] != 3 {
		t.Errorf("frames begin with % x", frames[:min(len(frames), 12)])
	}
	if err := Rewrite(parts, func(name string) string { return name }); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(rows(t, parts), "b.go"); got != 1 {
		t.Errorf("%d rows are left: %s", got, rows(t, parts))
	}
}

// debugSections are a program's sections of debug information.
func debugSections(t *testing.T, program string) map[string][]byte {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	parts := map[string][]byte{}
	for _, s := range f.Sections {
		if strings.HasPrefix(s.Name, ".debug_") {
			if parts[s.Name], err = s.Data(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return parts
}

// squeeze leaves out repeated words.
func squeeze(text string) string {
	var list []string
	for _, word := range strings.Fields(text) {
		if len(list) == 0 || list[len(list)-1] != word {
			list = append(list, word)
		}
	}
	return strings.Join(list, " ")
}
