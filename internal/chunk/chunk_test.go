package chunk

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// source is a module of n functions in two files, which call each other, with a variable of each
// kind.
func source(n, edited int) []byte {
	var b strings.Builder
	b.WriteString("; ModuleID = 'example.com/p'\nsource_filename = \"example.com/p\"\ntarget triple = \"x86_64-unknown-linux-gnu\"\n\nattributes #0 = { nounwind }\n\n")
	b.WriteString("$\"type:P\" = comdat any\n@\"type:P\" = linkonce_odr constant <{ i64, ptr }> <{ i64 1, ptr @p.f1 }>, comdat, align 8\n")
	b.WriteString("@typelink.0 = private constant ptr @\"type:P\", section \"loam_typelinks\", comdat($\"type:P\"), align 8, !associated !2\n")
	b.WriteString("@p.X = global [8 x i8] c\"a,b @p.f1\", align 8, !dbg !3\n@p.Y = global i64 0, align 8, !dbg !4\n")
	for i := range n {
		fmt.Fprintf(&b, "@str.%d = private unnamed_addr constant [4 x i8] c\"%04d\", align 1\n", i, i)
		fmt.Fprintf(&b, "@itab.%d = internal global [1 x ptr] [ptr null], align 8\n", i)
		fmt.Fprintf(&b, "@literal.%d = private unnamed_addr constant [3 x ptr] [ptr @str.%d, ptr @itab.%d, ptr @p.f1], align 8\n", i, i, i)
		number := i
		if i == edited {
			number = -1
		}
		fmt.Fprintf(&b, "define i64 @p.f%d(i64 %%p.0, ptr %%p.1) #0 align 16 !dbg !%d {\nentry:\n  %%l = load ptr, ptr @literal.%d\n", i, i+100, i)
		for k := range 60 {
			fmt.Fprintf(&b, "  %%v%d = add i64 %%p.0, %d, !dbg !%d\n  call void @g(ptr @str.%d)\n", k, number, i+100, i)
		}
		fmt.Fprintf(&b, "  %%a = load ptr, ptr @itab.%d\n  %%b = load ptr, ptr @itab.%d\n", i, i/5*5)
		fmt.Fprintf(&b, "  %%c = call i64 @p.f%d.func1(ptr nest @p.Y)\n  %%d = call i64 @p.small(ptr @\"type:P\")\n  ret i64 %%d\n}\n\n", i)
		fmt.Fprintf(&b, "define internal i64 @p.f%d.func1(ptr nest %%ctx) #0 align 16 !dbg !%d {\nentry:\n  ret i64 %d\n}\n\n", i, i+100, i)
	}
	b.WriteString("define i64 @p.small(ptr %p.0) #0 align 16 !dbg !100 {\nentry:\n  %a = load i64, ptr @\"type:P\"\n  %b = load ptr, ptr @itab.0\n  ret i64 %a\n}\n\n")
	b.WriteString("@llvm.compiler.used = appending global [1 x ptr] [ptr @typelink.0], section \"llvm.metadata\"\ndeclare void @g(ptr)\n")
	b.WriteString("!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!1}\n")
	b.WriteString("!0 = distinct !DICompileUnit(language: DW_LANG_Go, file: !98, emissionKind: FullDebug, globals: !{!3, !4})\n!1 = !{i32 2, !\"Debug Info Version\", i32 3}\n!2 = !{ptr @\"type:P\"}\n")
	for i := 3; i < 98; i++ {
		fmt.Fprintf(&b, "!%d = !DIGlobalVariableExpression(var: !99, expr: !DIExpression())\n", i)
	}
	b.WriteString("!98 = !DIFile(filename: \"a.go\", directory: \"/d\")\n!99 = distinct !DIGlobalVariable(name: \"X\", scope: !0, file: !98, line: 1)\n")
	for i := range n {
		fmt.Fprintf(&b, "!%d = distinct !DISubprogram(name: \"p.f%d\", scope: !98, file: !98, line: %d, unit: !0)\n", i+100, i, i+1)
	}
	return []byte(b.String())
}

var limits = Limits{Least: 8 << 10, Most: 24 << 10}

var defined = regexp.MustCompile(`(?m)^(?:define ((?:internal |hidden |weak_odr )*)(?:i64|ptr|void) @([^(]+)\(|@(\S+) = ((?:hidden |weak_odr |private |internal |linkonce_odr )*)(?:unnamed_addr )?(?:global|constant) )`)

// TestSplit: each symbol that others may see is defined once, local ones as often as they are
// needed, and what a chunk refers to it defines or declares; of a variable, before it.
func TestSplit(t *testing.T) {
	parts := slices.Collect(Split(source(200, -1), limits))
	if len(parts) < 20 {
		t.Fatalf("%d chunks", len(parts))
	}
	times := map[string]int{}
	for i, text := range parts {
		local := map[string]bool{}
		for _, m := range defined.FindAllSubmatch(text, -1) {
			name, linkage := string(m[2])+string(m[3]), string(m[1])+string(m[4])
			if strings.Contains(linkage, "private") || strings.Contains(linkage, "internal") {
				local[name] = true
			} else {
				times[name]++
			}
		}
		m := parse(text)
		for _, d := range m.defs {
			for _, k := range d.text.tokens {
				if name := d.text.name(k); k.kind == '@' && m.byName[name] == nil && m.declare[name] == nil {
					t.Errorf("chunk %d: %s refers to %s, which is neither defined nor declared", i, d.name, name)
				}
				if r := m.byName[d.text.name(k)]; k.kind == '@' && !d.isFunc && r != nil && r.index > d.index && d.name != "llvm.compiler.used" {
					t.Errorf("chunk %d: %s refers to %s, which comes later", i, d.name, r.name)
				}
				if k.kind == '!' && leadingNumber(d.text.source[k.from:]) >= len(m.nodes) {
					t.Errorf("chunk %d: %s refers to metadata that is not there", i, d.name)
				}
			}
		}
	}
	for name, n := range times {
		if n != 1 {
			t.Errorf("%s is defined %d times", name, n)
		}
	}
	for i := range 200 {
		if name := fmt.Sprintf("p.f%d", i); times[name] != 1 {
			t.Errorf("%s is defined %d times", name, times[name])
		}
	}
	all := string(bytes.Join(parts, nil))
	for _, want := range []string{
		// to be inlined, and to be read
		"define available_externally i64 @p.small(ptr %p.0) #0 !dbg",
		"@\"type:P\" = available_externally constant <{ i64, ptr }> <{ i64 1, ptr @p.f1 }>, align 8\n",
		"@\"type:P\" = weak_odr constant",
		"declare i64 @p.f1(i64 %p.0, ptr %p.1) #0\n",
		"@p.Y = external global i64, align 8\n",
		"globals: !{!",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no chunk has %s", want)
		}
	}
	if n := strings.Count(all, "@llvm.compiler.used"); n != 1 {
		t.Errorf("%d lists of what is used", n)
	}
}

// TestEdit: the change of a function changes its chunk and no other, and one that is added near the
// front does not renumber the rest.
func TestEdit(t *testing.T) {
	before := map[string]bool{}
	for text := range Split(source(200, -1), limits) {
		before[string(text)] = true
	}
	changed := 0
	for text := range Split(source(200, 77), limits) {
		if !before[string(text)] {
			changed++
		}
	}
	if changed != 1 {
		t.Errorf("%d chunks of %d changed", changed, len(before))
	}
	changed = 0
	more := bytes.Replace(source(200, -1), []byte("@str.0 = "), []byte("@str.1000 = private unnamed_addr constant [3 x i8] c\"new\", align 1\n@str.0 = "), 1)
	more = bytes.Replace(more, []byte("(ptr @str.0)"), []byte("(ptr @str.1000)"), 1)
	for text := range Split(more, limits) {
		if !before[string(text)] {
			changed++
		}
	}
	if changed != 1 {
		t.Errorf("another string: %d chunks of %d changed", changed, len(before))
	}
}

// TestWhole: a module of the size of a chunk stays as it is.
func TestWhole(t *testing.T) {
	text := source(10, -1)
	if parts := slices.Collect(Split(text, Limits{len(text), len(text)})); len(parts) != 1 || !bytes.Equal(parts[0], text) {
		t.Errorf("%d chunks", len(parts))
	}
}
