package debugtest

import (
	"debug/dwarf"
	"debug/elf"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"loam/internal/loamtest"
	"loam/rt/symtab"
)

// build compiles the program and returns its name.
func build(t *testing.T, flags ...string) string {
	loam := loamtest.Command(t)
	exe := filepath.Join(t.TempDir(), "program")
	loamtest.Do(t, loam, append(append([]string{"build", "-o", exe}, flags...), "testdata/program.go")...)
	return exe
}

// entities are functions ("func") and variables by name; a variable's value is the name of its
// type.
type entities map[string]string

// read collects functions, parameters ("f(x)"), local variables ("f.x") and package variables of
// the program's own package with the names of their types.
func read(t *testing.T, exe string) (entities, *dwarf.Data) {
	f, err := elf.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, err := f.DWARF()
	if err != nil {
		t.Fatal(err)
	}
	found := entities{}
	r := d.Reader()
	var scope []string // names of the open subprograms, "" for other DIEs
	for {
		e, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			break
		}
		if e.Tag == 0 {
			scope = scope[:len(scope)-1]
			continue
		}
		name, _ := e.Val(dwarf.AttrName).(string)
		in := ""
		for _, s := range scope {
			if s != "" {
				in = s
			}
		}
		typ := ""
		if off, ok := e.Val(dwarf.AttrType).(dwarf.Offset); ok {
			ty, err := d.Type(off)
			if err != nil {
				t.Fatal(err)
			}
			if typ = ty.Common().Name; typ == "" {
				typ = ty.String()
			}
			typ = strings.ReplaceAll(typ, "struct ", "")
		}
		own := ""
		switch e.Tag {
		case dwarf.TagSubprogram:
			own = name
			if name != "" {
				found[name] = "func"
			}
		case dwarf.TagFormalParameter:
			if name != "" {
				found[in+"("+name+")"] = typ
			}
		case dwarf.TagVariable:
			if in == "" {
				found[name] = typ
			} else if name != "" {
				found[in+"."+name] = typ
			}
		case dwarf.TagCompileUnit:
			if lang, _ := e.Val(dwarf.AttrLanguage).(int64); strings.HasSuffix(name, "program.go") && lang != 0x16 {
				t.Errorf("language %#x of %s is not DW_LANG_Go", lang, name)
			}
		}
		if e.Children {
			scope = append(scope, own)
		}
	}
	return found, d
}

var described = entities{
	"main.counter":             "main.number",
	"main.table":               "map[string]int",
	"main.inspect":             "func",
	"main.inspect(name)":       "string",
	"main.inspect(numbers)":    "[]int",
	"main.inspect(p)":          "main.point",
	"main.inspect(t)":          "*main.tree",
	"main.inspect(f)":          "float64",
	"main.inspect(ok)":         "bool",
	"main.inspect(s)":          "main.speaker",
	"main.inspect(array)":      "[3]uint8",
	"main.inspect.total":       "int",
	"main.inspect.double":      "int",
	"main.inspect.name":        "string",
	"main.point.plus(q)":       "main.point",
	"main.(*list[...]).add(v)": "string",
	"main.(*list[...]).add(l)": "*main.list[string]",
	"main.main.t":              "*main.tree",
	"main.main.captured":       "main.point",
	"main.main.func1(by)":      "int",
}

// TestDWARF checks names and types of everything, without optimisation and, for parameters and
// package variables, with it.
func TestDWARF(t *testing.T) {
	for _, flags := range [][]string{{"-gcflags=all=-N -l"}, nil} {
		found, d := read(t, build(t, flags...))
		for name, want := range described {
			local := strings.Count(name, ".") > 1 && !strings.Contains(name, "(") // may be optimised away
			if have, ok := found[name]; have != want && (ok || flags != nil || !local) {
				t.Errorf("%v: %s is %q, want %q", flags, name, have, want)
			}
		}
		checkLayout(t, d)
	}
}

// checkLayout compares the struct of a type with what Go says.
func checkLayout(t *testing.T, d *dwarf.Data) {
	r := d.Reader()
	for {
		e, err := r.Next()
		if err != nil || e == nil {
			t.Fatal("no main.tree", err)
		}
		if name, _ := e.Val(dwarf.AttrName).(string); e.Tag != dwarf.TagStructType || name != "main.tree" {
			continue
		}
		typ, err := d.Type(e.Offset)
		if err != nil {
			t.Fatal(err)
		}
		want := "struct main.tree {left *struct main.tree@0; right *struct main.tree@8; name struct string {str *uint8@0; len int@8}@16}"
		s := typ.(*dwarf.StructType)
		if have := s.Defn(); s.ByteSize != 32 ||
			!strings.Contains(have, "left *struct main.tree@0; right *struct main.tree@8; name struct string@16") {
			t.Errorf("main.tree has %d bytes: %s, want something like %s", s.ByteSize, have, want)
		}
		return
	}
}

// TestLinesOnly: -gcflags=-dwarf=false leaves functions and lines, and nothing else.
func TestLinesOnly(t *testing.T) {
	found, _ := read(t, build(t, "-gcflags=-dwarf=false"))
	if found["main.inspect"] != "func" || found["main.inspect(name)"] != "" || found["main.counter"] != "" {
		t.Errorf("inspect %q, its name %q, counter %q", found["main.inspect"], found["main.inspect(name)"], found["main.counter"])
	}
}

// gdb runs commands on the program; the test is skipped where there is no gdb.
func gdb(t *testing.T, exe string, commands ...string) string {
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("gdb is not installed")
	}
	args := []string{"-batch", "-nx", "-ex", "set debuginfod enabled off"}
	for _, c := range commands {
		args = append(args, "-ex", c)
	}
	return loamtest.Do(t, "gdb", append(args, exe)...)
}

func expect(t *testing.T, out string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !regexp.MustCompile(w).MatchString(out) {
			t.Errorf("gdb prints nothing like %s in\n%s", w, out)
		}
	}
}

// TestGDB: everything without optimisation.
func TestGDB(t *testing.T) {
	exe := build(t, "-gcflags=all=-N -l")
	out := gdb(t, exe, "break program.go:42", "break program.go:46", "break program.go:59", "run",
		"backtrace", "info args", "info locals", "print *t", "print t.left.name", "print numbers.array[2]",
		"print 'main.counter'", "up", "info locals",
		"continue", "print total", "print array", "ptype p", "continue", "backtrace", "info locals", "finish")
	expect(t, out,
		`Breakpoint 1, main\.inspect \(name=.*, numbers=.*, p=.*, t=0x\w+, f=2\.5, ok=true, s=.*, array=.*\) at .*program\.go:42`,
		`#1 .* in main\.main \(\) at .*program\.go:55`,
		`name = 0x\w+ "hello"`,
		`numbers = \{array = 0x\w+, len = 3, cap = 3\}`,
		`p = \{x = 1, y = 2\}`,
		`array = ("\\a\\b\\t"|\{7, 8, 9\})`,
		`name = 0x\w+ "inner"`,
		`double = 40`,
		`total = 20`,
		`\{left = 0x\w+, right = 0x0, name = 0x\w+ "root"\}`,
		`\$2 = 0x\w+ "leaf"`,
		`\$3 = 30`,
		`\$4 = 42`,
		`\$5 = 120`,
		`type = struct main\.point \{`,
		`Breakpoint 3, main\.main\.func1 \(by=5\) at .*program\.go:59`,
		`captured = \{x = 125, y = 6\}`)
}

// TestGDBOptimized: functions, lines, and what LLVM keeps of the rest.
func TestGDBOptimized(t *testing.T) {
	exe := build(t)
	out := gdb(t, exe, "break main.inspect", "break main.point.plus", "run", "backtrace", "ptype t",
		"print 'main.counter'", "continue", "backtrace", "info args")
	expect(t, out,
		`Breakpoint 1, main\.inspect \(name=.*, numbers=.*, p=.*, t=.*, f=.*, ok=.*, s=.*, array=.*\) at .*program\.go:3[7-9]`,
		`#1 .* in main\.main \(\) at .*program\.go:55`,
		`type = struct main\.tree \{`,
		`\$1 = 42`,
		`Breakpoint 2, main\.point\.plus \(p=.*, q=.*\) at .*program\.go:2[4-8]`,
		`q = \{x = 1, y = 1\}`)
}

// TestGDBSimulated: a simulated run goes the same way under gdb, which stops in the order that the
// seed decides.
func TestGDBSimulated(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "program")
	loamtest.Do(t, loamtest.Command(t), "build", "-sim", "-gcflags=-N -l", "-o", exe, "testdata/order.go")
	stopped := regexp.MustCompile(`(?m)^\$\d+ = (\d)$`)
	orders := map[string]bool{}
	for _, seed := range []string{"1", "2", "3", "4"} {
		alone, state := loamtest.Run(t, time.Minute, []string{"LOAMSIM=report=2,seed=" + seed}, exe)
		if !state.Success() || !strings.Contains(alone, " hash ") {
			t.Fatalf("seed %s: %v\n%s", seed, state, alone)
		}
		var order [2]string
		for i := range order {
			out := gdb(t, exe, "set environment LOAMSIM report=2,seed="+seed, "break main.turn", "run",
				"print number", "continue", "print number", "continue", "print number", "continue", "print number", "continue")
			for _, line := range strings.Split(strings.TrimSpace(alone), "\n") { // with the hash
				if !strings.Contains(out, line) {
					t.Errorf("seed %s: no %q under gdb:\n%s", seed, line, out)
				}
			}
			for _, m := range stopped.FindAllStringSubmatch(out, -1) {
				order[i] += m[1]
			}
		}
		if len(order[0]) != 4 || order[0] != order[1] {
			t.Errorf("seed %s: gdb stops in the order %s, then %s", seed, order[0], order[1])
		}
		orders[order[0]] = true
	}
	if len(orders) < 2 {
		t.Errorf("all seeds have one order: %v", orders)
	}
}

// TestTable: the table that the run-time system reads says of each instruction what the debug
// information says.
func TestTable(t *testing.T) {
	for _, flags := range [][]string{nil, {"-gcflags=all=-N -l"}} {
		exe := build(t, flags...)
		f, err := elf.Open(exe)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		section := f.Section("loam_table")
		if section == nil {
			t.Fatal("the program has no table")
		}
		data, err := section.Data()
		if err != nil {
			t.Fatal(err)
		}
		_, d := read(t, exe)
		rows, wrong := 0, 0
		r := d.Reader()
		for {
			e, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if e == nil {
				break
			}
			lines, err := d.LineReader(e)
			r.SkipChildren()
			if err != nil || lines == nil {
				continue
			}
			var row, next dwarf.LineEntry
			for lines.Next(&next) == nil {
				// The last of several rows at one address holds; line 0 is code without a line, and
				// the reader of packages puts a directory in front of names that have none.
				if row.Address >= 64<<10 && row.Address != next.Address && !row.EndSequence && row.Line != 0 &&
					!strings.HasSuffix(row.File.Name, "<autogenerated>") {
					var out [symtab.MaxInline]symtab.Frame
					n := symtab.Table(data).Lookup(uintptr(row.Address), &out)
					if rows++; n == 0 || out[0].Line != row.Line || out[0].File != row.File.Name {
						if wrong++; wrong < 10 {
							t.Errorf("%v: %#x: %s:%d, the table says %+v", flags, row.Address, row.File.Name, row.Line, out[0])
						}
					}
				}
				row = next
			}
		}
		if rows < 10000 {
			t.Errorf("%v: %d rows", flags, rows)
		}
	}
}
