package chunk

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"loam/internal/ir"
)

// source is a module of n functions in two files, which call each other, with a variable of each
// kind. more has another string, which the first function has before all others.
func source(n, edited int, more bool) *ir.Module {
	m := ir.NewModule()
	m.Path, m.Groups = "example.com/p", "attributes #0 = { nounwind }\n"
	unit, scopes := m.Reserve(), make([]ir.Meta, n)
	file := m.Node("DIFile", ir.Text("filename", "a.go"), ir.Text("directory", "/d"))
	m.Named("llvm.dbg.cu", unit)
	for i := range scopes {
		scopes[i] = m.Distinct("DISubprogram", ir.Text("name", fmt.Sprint("p.f", i)), ir.Node("scope", file),
			ir.Node("file", file), ir.Number("line", i+1), ir.Node("unit", unit))
	}
	desc, f := m.Ref("type:P"), func(i int) ir.Value { return m.Ref(fmt.Sprint("p.f", i)) }
	merged := func(at ir.Value, d ir.Definition) ir.Definition {
		d.Linkage, d.Comdat = ir.LinkOnce, m.Comdat(at, false)
		return d
	}
	m.Define(desc, func() ir.Definition {
		return merged(desc, ir.Definition{Const: true, Init: ir.Aggregate(ir.Packed(ir.I64, ir.Ptr), ir.Int(ir.I64, 1), f(1)), Align: 8})
	})
	link := m.PlainNumberedRef("typelink.", 0)
	m.Define(link, func() ir.Definition {
		return ir.Definition{Linkage: ir.Private, Const: true, Init: desc, Section: "loam_typelinks", Comdat: m.Group(desc),
			Align: 8, Associated: m.AddressNode(desc)}
	})
	var globals []ir.Meta
	variable := func(name string, init ir.Value) {
		v := m.Distinct("DIGlobalVariable", ir.Text("name", name), ir.Node("scope", unit))
		globals = append(globals, m.Node("DIGlobalVariableExpression", ir.Node("var", v), ir.Word("expr", "!DIExpression()")))
		m.Define(m.Ref("p."+name), func() ir.Definition { return ir.Definition{Init: init, Align: 8, Dbg: globals[len(globals)-1]} })
	}
	variable("X", ir.BytesConst("a,b @p.f1"))
	variable("Y", ir.Int(ir.I64, 0))
	shared := func(at, init ir.Value) {
		m.Define(at, func() ir.Definition {
			return ir.Definition{Linkage: ir.Private, UnnamedAddr: true, Const: true, Init: init, Align: 8}
		})
	}
	str := func(i int) ir.Value { return m.PlainNumberedRef("str.", i) }
	itab := func(i int) ir.Value { return m.PlainNumberedRef("itab.", i) }
	literal := func(i int) ir.Value { return m.PlainNumberedRef("literal.", i) }
	if more {
		shared(str(1000), ir.BytesConst("new"))
	}
	g := m.Ref("g")
	m.Declare(g, ir.Declaration{Ret: ir.Void, Params: []ir.DeclaredParam{{Type: ir.Ptr}}})
	for i := range n {
		shared(str(i), ir.BytesConst(fmt.Sprintf("%04d", i)))
		m.Define(itab(i), func() ir.Definition {
			return ir.Definition{Linkage: ir.Internal, Init: ir.Aggregate(ir.Array(1, ir.Ptr), ir.Null), Align: 8}
		})
		shared(literal(i), ir.Aggregate(ir.Array(3, ir.Ptr), str(i), itab(i), f(1)))
		number, text := i, str(i)
		if i == edited {
			number = -1
		}
		if i == 0 && more {
			text = str(1000)
		}
		context := ir.NamedValue("ctx", ir.Ptr)
		inner := m.Ref(fmt.Sprintf("p.f%d.func1", i))
		define := func(at ir.Value, linkage ir.Linkage, scope ir.Meta, line int, params []ir.Parameter, write func(b *ir.Func)) {
			m.Define(at, func() ir.Definition {
				b := &ir.Func{AllLoc: true, Loc: m.Location(line, scope, 0)}
				b.Cur = b.NewBlock("b0")
				write(b)
				return ir.Definition{Linkage: linkage, Align: 16, Dbg: scope,
					Func: &ir.FuncDef{Ret: ir.I64, Params: params, Group: 1, File: file, Line: line, Body: b}}
			})
		}
		x, y := ir.ParamValue(0, ir.I64), ir.ParamValue(1, ir.Ptr)
		define(f(i), ir.External, scopes[i], i+1, []ir.Parameter{{Value: x}, {Value: y}}, func(b *ir.Func) {
			b.Load(ir.Ptr, literal(i), 0)
			for range 60 {
				b.Add(x, ir.Int(ir.I64, number))
				b.Call(ir.Void, g, text)
			}
			b.Load(ir.Ptr, itab(i), 0)
			b.Load(ir.Ptr, itab(i/5*5), 0)
			b.Call(ir.I64, inner, m.Ref("p.Y"))
			b.Ret(b.Call(ir.I64, m.Ref("p.small"), desc))
		})
		define(inner, ir.Internal, scopes[i], i+1, []ir.Parameter{{Value: context, ParamAttr: ir.ParamAttr{Nest: true}}},
			func(b *ir.Func) { b.Ret(ir.Int(ir.I64, i)) })
		if i == n-1 {
			define(m.Ref("p.small"), ir.External, scopes[0], 1, []ir.Parameter{{Value: ir.ParamValue(0, ir.Ptr)}}, func(b *ir.Func) {
				v := b.Load(ir.I64, desc, 0)
				b.Load(ir.Ptr, itab(0), 0)
				b.Ret(v)
			})
		}
	}
	m.Define(m.Used(), func() ir.Definition {
		return ir.Definition{Linkage: ir.Appending, Init: ir.Aggregate(ir.Array(1, ir.Ptr), link), Section: "llvm.metadata"}
	})
	m.SetUnit(unit, true, globals, ir.Word("language", "DW_LANG_Go"), ir.Node("file", file))
	return m
}

var limits = Limits{Least: 8 << 10, Most: 24 << 10}

// split returns the texts of a module's chunks.
func split(m *ir.Module, l Limits) (texts []string) {
	for c := range Divide(m, m.Text(), l).Chunks() {
		texts = append(texts, string(c.Text))
	}
	return texts
}

var (
	// defined matches the beginnings of definitions, declared those of declarations.
	defined  = regexp.MustCompile(`(?m)^(?:define ((?:internal |hidden |weak_odr )*)(?:i64|ptr|void) @([^(]+)\(|@(\S+) = ((?:hidden |weak_odr |private |internal |linkonce_odr )*)(?:unnamed_addr )?(?:global|constant) )`)
	declared = regexp.MustCompile(`(?m)^(?:declare .*?|define available_externally .*?|)@([^( ]+)(?:\(| = (?:external|available_externally|appending))`)
	strs     = regexp.MustCompile(`c"[^"]*"`)
	mention  = regexp.MustCompile(`@("[^"]*"|[-.$\w]+)`)
	node     = regexp.MustCompile(`!(\d+)`)
)

// TestSplit: each symbol that others may see is defined once, local ones as often as they are
// needed, and what a chunk refers to it defines or declares; of a variable, before it.
func TestSplit(t *testing.T) {
	parts := split(source(200, -1, false), limits)
	if len(parts) < 20 {
		t.Fatalf("%d chunks", len(parts))
	}
	bare := func(name string) string { return strings.Trim(name, `"`) }
	times := map[string]int{}
	for i, text := range parts {
		text := strs.ReplaceAllString(text, "")
		there := map[string]bool{}
		for _, m := range defined.FindAllStringSubmatch(text, -1) {
			name, linkage := bare(m[2]+m[3]), m[1]+m[4]
			there[name] = true
			if !strings.Contains(linkage, "private") && !strings.Contains(linkage, "internal") {
				times[name]++
			}
		}
		for _, m := range declared.FindAllStringSubmatch(text, -1) {
			there[bare(m[1])] = true
		}
		nodes := strings.Count(text, "\n!") - strings.Count(text, "\n!llvm.")
		above := map[string]bool{}
		for _, line := range strings.Split(text, "\n") {
			for k, m := range mention.FindAllStringSubmatch(line, -1) {
				name := bare(m[1])
				if !there[name] {
					t.Errorf("chunk %d: %.40s refers to %s, which is neither defined nor declared", i, line, name)
				}
				if variable := line[0] == '@' && !strings.Contains(line, "appending"); variable && k == 0 {
					above[name] = true
				} else if variable && strings.Contains(text, "\n@"+m[1]+" = ") && !above[name] {
					t.Errorf("chunk %d: %.40s refers to %s, which comes later", i, line, name)
				}
			}
			for _, m := range node.FindAllStringSubmatch(line, -1) {
				var n int
				if fmt.Sscan(m[1], &n); n >= nodes {
					t.Errorf("chunk %d: %.40s refers to metadata that is not there", i, line)
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
	all := strings.Join(parts, "")
	for _, want := range []string{
		// to be inlined, and to be read
		"define available_externally i64 @\"p.small\"(ptr %p.0) #0 !dbg",
		"@\"type:P\" = available_externally constant <{ i64, ptr }> <{ i64 1, ptr @\"p.f1\" }>, align 8\n",
		"@\"type:P\" = weak_odr constant",
		"declare i64 @\"p.f1\"(i64 %p.0, ptr %p.1) #0\n",
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
	before := split(source(200, -1, false), limits)
	for what, after := range map[string]*ir.Module{"another number": source(200, 77, false), "another string": source(200, -1, true)} {
		changed := 0
		for _, text := range split(after, limits) {
			if !slices.Contains(before, text) {
				changed++
			}
		}
		if changed != 1 {
			t.Errorf("%s: %d chunks of %d changed", what, changed, len(before))
		}
	}
}

// TestWhole: a module of the size of a chunk stays as it is.
func TestWhole(t *testing.T) {
	m := source(10, -1, false)
	text := string(m.Text())
	if parts := split(m, Limits{Least: len(text), Most: len(text)}); len(parts) != 1 || parts[0] != text {
		t.Errorf("%d chunks", len(parts))
	}
}

// TestForwards: functions are lent to code that may inline them, not to a table of func values, and
// not to the jumps that func values lead to.
func TestForwards(t *testing.T) {
	const n = 100
	m := ir.NewModule()
	m.Path, m.Groups = "example.com/p", "attributes #0 = { nounwind }\n"
	define := func(name string, forwards bool, write func(b *ir.Func)) {
		at := m.Ref(name)
		m.Define(at, func() ir.Definition {
			b := &ir.Func{}
			b.Cur = b.NewBlock("b0")
			write(b)
			b.Ret(ir.Value{})
			d := ir.Definition{Func: &ir.FuncDef{Ret: ir.Void, Group: 1, Forwards: forwards, Body: b}}
			if forwards {
				d.Linkage, d.Comdat = ir.LinkOnce, m.Comdat(at, false)
			}
			return d
		})
	}
	jump := func(i int) ir.Value { return m.Ref(fmt.Sprint("jump", i)) }
	value := func(i int) ir.Value { return m.Ref(fmt.Sprint("value", i)) }
	var values []ir.Value
	for i := range n {
		name := fmt.Sprint("f", i)
		define(name, false, func(b *ir.Func) { b.Load(ir.I64, m.Ref("X"), 0) })
		define(fmt.Sprint("jump", i), true, func(b *ir.Func) { b.Call(ir.Void, m.Ref(name)) })
		m.Define(value(i), func() ir.Definition {
			return ir.Definition{Linkage: ir.LinkOnce, Comdat: m.Comdat(value(i), false), Const: true,
				Init: ir.Aggregate(ir.Struct(ir.Ptr), jump(i))}
		})
		values = append(values, value(i))
	}
	m.Define(m.Ref("table"), func() ir.Definition { return ir.Definition{Init: ir.Aggregate(ir.Array(n, ir.Ptr), values...)} })
	m.Define(m.Ref("X"), func() ir.Definition { return ir.Definition{Init: ir.Int(ir.I64, 0)} })
	define("caller", false, func(b *ir.Func) {
		b.Load(ir.Ptr, m.Ref("table"), 0)
		b.Call(ir.Void, b.Load(ir.Ptr, value(0), 0))
	})
	lent := regexp.MustCompile(`(?m)^define available_externally \S+ @"(\w+)"`)
	for i, text := range split(m, Limits{Least: 100, Most: 100}) {
		for _, copied := range lent.FindAllStringSubmatch(text, -1) {
			if copied[1] != "jump0" || !strings.Contains(text, "@\"caller\"(") {
				t.Errorf("chunk %d has a copy of %s:\n%s", i, copied[1], text)
			}
		}
		if strings.Contains(text, "\ndefine void @\"caller\"(") && !strings.Contains(text, "define available_externally void @\"jump0\"") {
			t.Errorf("the chunk that calls jump0 has no copy of it:\n%s", text)
		}
	}
}
