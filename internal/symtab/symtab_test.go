package symtab

import (
	"debug/dwarf"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	table "loam/rt/symtab"
)

// program is a module in which the two outer functions are inlined into _start, as the compiler
// writes it.
const program = `
target triple = "x86_64-pc-linux-gnu"
$"main.g[int]" = comdat any
define void @main.leaf(ptr %p) "frame-pointer"="all" !dbg !10 {
  store volatile i32 1, ptr %p, !dbg !12
  ret void, !dbg !13
}
define void @main.f(ptr %p) "frame-pointer"="all" !dbg !20 {
  call void @main.leaf(ptr %p), !dbg !21
  call void @ext(ptr %p), !dbg !22
  ret void, !dbg !22
}
define linkonce_odr void @"main.g[int]"(ptr %p) "frame-pointer"="all" comdat !dbg !30 {
  call void @ext(ptr %p), !dbg !31
  ret void, !dbg !31
}
define void @_start() !dbg !40 {
  call void @"main.g[int]"(ptr null), !dbg !42
  call void @main.f(ptr null), !dbg !41
  ret void, !dbg !41
}
define void @ext(ptr %p) noinline "frame-pointer"="all" !dbg !50 {
  call void asm sideeffect "nop", ""(), !dbg !51
  ret void, !dbg !51
}
module asm ".type plain,@function"
module asm "plain: nop; ret"
module asm ".size plain, .-plain"
module asm ".globl plain"
module asm ".p2align 6, 0xcc"
module asm ".type unsized,@function"
module asm "unsized: nop; nop; ret"
module asm "nop"
module asm ".type next,@function"
module asm "next: ret"
module asm ".section more, \22axR\22, @progbits"
module asm ".type last,@function"
module asm "last: nop; ret"
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_Go, file: !1, producer: "loam", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: None)
!1 = !DIFile(filename: "main", directory: "")
!2 = !{i32 7, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIFile(filename: "/home/u/x.go", directory: "")
!5 = !DISubroutineType(types: !{})
!6 = !DIFile(filename: "y.go", directory: "/home/u")
!10 = distinct !DISubprogram(name: "main.leaf", scope: !4, file: !4, line: 3, type: !5, scopeLine: 3, spFlags: DISPFlagDefinition|DISPFlagOptimized, unit: !0)
!12 = !DILocation(line: 4, column: 2, scope: !10)
!13 = !DILocation(line: 5, column: 2, scope: !10)
!20 = distinct !DISubprogram(name: "main.f", scope: !4, file: !4, line: 8, type: !5, scopeLine: 8, spFlags: DISPFlagDefinition|DISPFlagOptimized, unit: !0)
!21 = !DILocation(line: 9, column: 2, scope: !20)
!22 = !DILocation(line: 10, column: 2, scope: !20)
!30 = distinct !DISubprogram(name: "main.g[...]", linkageName: "main.g[int]", scope: !6, file: !6, line: 18, type: !5, scopeLine: 18, spFlags: DISPFlagDefinition|DISPFlagOptimized, unit: !0)
!31 = !DILocation(line: 19, column: 2, scope: !30)
!40 = distinct !DISubprogram(name: "_start", scope: !4, file: !4, line: 28, type: !5, scopeLine: 28, spFlags: DISPFlagDefinition|DISPFlagOptimized, unit: !0)
!41 = !DILocation(line: 30, column: 2, scope: !40)
!42 = !DILocation(line: 29, column: 2, scope: !40)
!50 = distinct !DISubprogram(name: "main.ext", scope: !4, file: !4, line: 40, type: !5, scopeLine: 40, spFlags: DISPFlagDefinition|DISPFlagOptimized, unit: !0)
!51 = !DILocation(line: 41, column: 2, scope: !50)
`

// assembly is a file that is assembled with line tables.
const assembly = `#line 1 "/home/u/lined.gas"
	.text
	.globl lined
	.type lined,@function
lined:
	nop
	nop
	ret
	.size lined, .-lined
	.section .text.next, "ax", @progbits
	.globl behind
	.type behind,@function
behind:
	nop
	ret
	.size behind, .-behind
`

func build(t *testing.T) string { return buildOf(t, program) }

func buildOf(t *testing.T, program string) string {
	dir := t.TempDir()
	ll, obj, exe := filepath.Join(dir, "p.ll"), filepath.Join(dir, "p.o"), filepath.Join(dir, "p")
	lined, linedObj := filepath.Join(dir, "lined.S"), filepath.Join(dir, "lined.o")
	for name, text := range map[string]string{ll: program, lined: assembly} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"clang-19", "-O2", "-ffunction-sections", "-c", ll, "-o", obj},
		{"clang-19", "-g", "-fdebug-default-version=4", "-fdebug-compilation-dir=.", "-c", lined, "-o", linedObj},
		{"ld.lld-19", "--gc-sections", "-e", "_start", "-u", "plain", "-u", "lined", "-u", "behind", "--undefined=ext", obj, linedObj, "-o", exe},
	} {
		if _, err := exec.LookPath(args[0]); err != nil {
			t.Skip(err)
		}
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return exe
}

// TestInlined checks every address of a function with three inlined calls against package
// debug/dwarf's line table, and the chain of inlined calls.
func TestInlined(t *testing.T) {
	exe := build(t)
	tab := tableOf(t, exe)
	f, err := elf.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lo, hi := symbolBounds(t, f, "_start")
	seen := map[string]bool{}
	var out [table.MaxInline]table.Frame
	for pc := lo; pc < hi; pc++ {
		n := tab.Lookup(pc, &out)
		if n == 0 {
			t.Fatalf("%#x: nothing", pc)
		}
		var chain []string
		for i := range out[:n] {
			chain = append(chain, out[i].Func)
		}
		seen[strings.Join(chain, "<")] = true
		checkLine(t, f, pc, &out[0])
		if last := out[n-1]; last.Func != "_start" || last.Entry != lo || last.End != hi || last.Inlined {
			t.Errorf("%#x: outermost %+v", pc, last)
		}
		switch strings.Join(chain, "<") {
		case "main.leaf<main.f<_start":
			if out[0].Line != 4 && out[0].Line != 5 || out[1].Line != 9 || out[2].Line != 30 || out[2].File != "/home/u/x.go" ||
				out[0].StartLine != 3 {
				t.Errorf("%#x: %+v", pc, out[:n])
			}
		case "main.g[...]<_start":
			if out[0].Linkage != "main.g[int]" || out[1].Linkage != "_start" || out[0].File != "/home/u/y.go" ||
				out[0].Line != 19 || out[1].Line != 29 {
				t.Errorf("%#x: %+v", pc, out[:n])
			}
		}
	}
	for _, want := range []string{"main.leaf<main.f<_start", "main.f<_start", "main.g[...]<_start"} {
		if !seen[want] {
			t.Errorf("no address in %s; seen: %v", want, seen)
		}
	}
	lo, _ = symbolBounds(t, f, "plain")
	if n := tab.Lookup(lo+1, &out); n != 1 || out[0].Func != "plain" || out[0].Entry != lo {
		t.Errorf("assembly: %d %+v", n, out[0])
	}
	lo, hi = symbolBounds(t, f, "lined")
	for pc := lo; pc < hi; pc++ {
		if n := tab.Lookup(pc, &out); n != 1 || out[0].Func != "lined" || out[0].File != "/home/u/lined.gas" ||
			out[0].Line != 5+int(pc-lo) || out[0].StartLine != 5 {
			t.Errorf("assembly with lines, +%d: %d %+v", pc-lo, n, out[0])
		}
	}
	lo, hi = symbolBounds(t, f, "behind") // the linker leaves no gap
	for pc := lo; pc < hi; pc++ {
		if n := tab.Lookup(pc, &out); n != 1 || out[0].Func != "behind" || out[0].Line != 13+int(pc-lo) {
			t.Errorf("assembly behind other assembly, +%d: %d %+v", pc-lo, n, out[0])
		}
	}
	checkAssembly(t, f, tab)
}

// checkAssembly looks at code that only has symbols: padding belongs to none that has a size; one
// without reaches to the next, and none beyond its section.
func checkAssembly(t *testing.T, f *elf.File, tab table.Table) {
	_, gap := symbolBounds(t, f, "plain")
	unsized, _ := symbolBounds(t, f, "unsized")
	next, _ := symbolBounds(t, f, "next")
	last, _ := symbolBounds(t, f, "last")
	more := f.Section("more")
	end := uintptr(more.Addr + more.Size)
	for _, want := range []struct {
		pc      uintptr
		name    string
		entry   uintptr
		codeEnd uintptr
	}{
		{gap, "", 0, 0},
		{unsized - 1, "", 0, 0},
		{unsized, "unsized", unsized, next},
		{next - 1, "unsized", unsized, next},
		{last, "last", last, end},
		{end - 1, "last", last, end},
		{end, "", 0, 0},
		{uintptr(f.Section(".eh_frame").Addr), "", 0, 0},
		{0x7fff00000000, "", 0, 0},
	} {
		var out [table.MaxInline]table.Frame
		n := tab.Lookup(want.pc, &out)
		if got := out[0]; n > 1 || n == 1 != (want.name != "") || got.Func != want.name || got.Entry != want.entry || got.End != want.codeEnd {
			t.Errorf("%#x: %d %+v, want %+v", want.pc, n, got, want)
		}
	}
}

func symbolBounds(t *testing.T, f *elf.File, name string) (lo, hi uintptr) {
	syms, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range syms {
		if s.Name == name {
			return uintptr(s.Value), uintptr(s.Value + s.Size)
		}
	}
	t.Fatalf("no symbol %s", name)
	return
}

func checkLine(t *testing.T, f *elf.File, pc uintptr, got *table.Frame) {
	d, err := f.DWARF()
	if err != nil {
		t.Fatal(err)
	}
	cu, err := d.Reader().Next()
	if err != nil {
		t.Fatal(err)
	}
	lr, err := d.LineReader(cu)
	if err != nil {
		t.Fatal(err)
	}
	var e dwarf.LineEntry
	if err := lr.SeekPC(uint64(pc), &e); err != nil {
		t.Fatalf("%#x: %v", pc, err)
	}
	if e.Line != 0 && (e.Line != got.Line || e.File.Name != got.File) {
		t.Errorf("%#x: %s:%d, debug/dwarf says %s:%d", pc, got.File, got.Line, e.File.Name, e.Line)
	}
}

// TestOutlines: a table made of what objects give is that made of the linked program, also if the
// linker left debug information out. Outlines of other objects are refused.
func TestOutlines(t *testing.T) {
	// Of functions that nobody unwinds LLVM puts the frames into .debug_frame.
	exe := buildOf(t, regexp.MustCompile(`(?m)^define.*\)`).ReplaceAllString(program, "$0 nounwind"))
	want := tableOf(t, exe)
	var outlines [][]byte
	for _, name := range []string{"p.o", "lined.o"} {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(exe), name))
		if err != nil {
			t.Fatal(err)
		}
		outline, ok, err := Outline(data, func(name string) string { return name })
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", name, ok, err)
		}
		outlines = append(outlines, outline)
	}
	got := func(outlines ...[]byte) (table.Table, error) {
		p := programOf(t, exe)
		p.Info, p.Abbrev, p.Line, p.Str, p.Ranges = nil, nil, nil, nil, nil
		return p.OutlinedTable(outlines)
	}
	if b, err := got(outlines...); err != nil || !slices.Equal(b, want) {
		t.Errorf("the tables differ: %v", err)
	}
	for _, wrong := range [][][]byte{nil, {outlines[1]}, {outlines[0], outlines[0]}} {
		if _, err := got(wrong...); err == nil {
			t.Errorf("%d outlines that are not the program's make a table", len(wrong))
		}
	}
	seed := uint64(1)
	for range 3000 { // damage is an error, or makes another table
		bad := slices.Clone(outlines[0])
		seed = seed*6364136223846793005 + 1442695040888963407
		bad[seed>>33%uint64(len(bad))] = byte(seed >> 20)
		got(bad, outlines[1])
	}
}

// TestNoOutline: what cannot be found again in a program has none.
func TestNoOutline(t *testing.T) {
	dir := t.TempDir()
	source, obj := filepath.Join(dir, "local.S"), filepath.Join(dir, "local.o")
	if err := os.WriteFile(source, []byte(strings.ReplaceAll(assembly, "\t.globl", "\t.local")), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("clang-19", "-g", "-fdebug-default-version=4", "-c", source, "-o", obj)
	if cmd.Err != nil {
		t.Skip(cmd.Err)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(obj)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := Outline(data, func(name string) string { return name }); ok || err != nil {
		t.Errorf("assembly without a global symbol: %v, %v", ok, err)
	}
	if _, _, err := Outline(data[:len(data)/2], func(name string) string { return name }); err == nil {
		t.Error("half an object has an outline")
	}
}

// TestDamaged checks that arbitrary damage to the table never faults.
func TestDamaged(t *testing.T) {
	whole := tableOf(t, build(t))
	var out [table.MaxInline]table.Frame
	seed := uint64(1)
	for range 3000 {
		bad := slices.Clone(whole)
		for range 4 {
			seed = seed*6364136223846793005 + 1442695040888963407
			bad[seed>>33%uint64(len(bad))] = byte(seed >> 20)
		}
		for pc := uintptr(0x201100); pc < 0x201300; pc += 7 {
			bad.Lookup(pc, &out)
			bad.Nullary(pc)
			bad.ReturnSlot(pc)
		}
	}
}

// tableOf makes the table of a program.
func tableOf(t *testing.T, name string) table.Table {
	t.Helper()
	b, err := programOf(t, name).Table()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// programOf is what a program's file has.
func programOf(t *testing.T, name string) *Program {
	t.Helper()
	f, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := &Program{Sections: f.Sections, Real: func(name string) string { return name }}
	for name, to := range map[string]*[]byte{
		".debug_info": &p.Info, ".debug_abbrev": &p.Abbrev, ".debug_line": &p.Line, ".debug_str": &p.Str, ".debug_ranges": &p.Ranges,
		".debug_frame": &p.Frame, ".symtab": &p.Symbols, ".strtab": &p.Strings,
	} {
		if s := f.Section(name); s != nil {
			if *to, err = s.Data(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return p
}
