package main

// A form is an operand together with something that changes it. $x is a variable of the case's
// own.
type form struct {
	name string
	typ  string
	decl string // declarations of variables, one a line
	expr string // the operand
	// change is what the call beside the operand does. Empty: the operand has an effect of its own.
	change string
	forms
}

// forms are the rarer things about a form.
type forms struct {
	first  string // the statement that stands after the declarations
	call   string // the call beside the operand, if it is not of a closure
	typed  string // the same, with a result of the operand's type
	params string // parameters of the case's function, and arguments
	args   string
	result bool   // the operand is the result r0
	types  string // type parameters and their arguments, "[T any]", "[int]"
	inst   string
	panics bool // the operand may panic by itself
	left   bool // the operand may stand on the left side of an assignment
	local  bool // there is no such form of package variables
}

var operands = concat(variables, callees, places, numbers, truths, texts, slices_, arrays, records, pointers, maps_, interfaces, functions,
	channels, generics)

// variables are the classes of variables.
var variables = []form{
	{"local captured", "int", "var $x int = 1", "$x", "$x = 9", forms{left: true}},
	{"local inc", "int", "var $x int = 1", "$x", "$x++", forms{left: true}},
	{"local by pointer", "int", "var $x int = 1\nvar $p *int = &$x", "$x", "*$p = 9", forms{left: true}},
	{"local by function", "int", "var $x int = 1", "$x", "", forms{left: true, call: "SetInt(&$x, 9)", local: true}},
	{"local escaping", "int", "var $x int = 1\nvar $p = func() *int { return &$x }", "$x", "*$p() = 9", forms{left: true}},
	{"local of call", "int", "var $x int = ID(1)", "$x", "$x = 9", forms{left: true}},
	{"local struct by method", "Pair", "var $x Pair = Pair{1, 2}", "$x", "", forms{left: true, call: "$x.Set(9)", local: true}},
	{"local field by method", "int", "var $x Pair = Pair{1, 2}", "$x.F", "", forms{left: true, call: "$x.Set(9)", local: true}},
	{"param", "int", "", "$x", "$x = 9", forms{left: true, params: "$x int", args: "1", local: true}},
	{"param by pointer", "int", "", "$x", "", forms{left: true, params: "$x int", args: "1", call: "SetInt(&$x, 9)", local: true}},
	{"result", "int", "", "r0", "r0 = 9", forms{left: true, result: true, first: "r0 = 1", local: true}},
	{"local literal call", "int", "var $x int = 1", "$x", "", forms{left: true, call: "func() int { $x = 9; return 5 }()", local: true}},
	{"local two words", "string", `var $x string = "old"`, "$x", `$x = "new"`, forms{left: true}},
	{"constant beside", "int", "var $x int = 1", "7", "$x = 9", forms{}},
}

// callees are the ways to call what changes a local variable. gc inlines many of them, and then the
// variable is its function's own.
var callees = []form{
	{"bool by literal call", "bool", "var $x = false", "$x", "", forms{left: true, call: "func() int { $x = true; return 5 }()"}},
	{"bool by pointer", "bool", "var $x = false", "$x", "", forms{left: true, call: "SetBool(&$x)", local: true}},
	{"bool by two", "bool", "var $x = false\nvar $f = func() int { $x = true; return 5 }", "$x", "",
		forms{call: "$f()", first: "if len(Keep()) > 3 { $f() }", local: true}},
	{"bool by alias", "bool", "var $x = false\nvar $f = func() int { $x = true; return 5 }\nvar $g = $f", "$x", "",
		forms{call: "$g()", local: true}},
	{"bool by set again", "bool", "var $x = false\nvar $f = func() int { $x = true; return 5 }", "$x", "",
		forms{call: "$f()", first: "$f = $f", local: true}},
	{"bool by addressed", "bool", "var $x = false\nvar $f = func() int { $x = true; return 5 }\nvar $p = &$f", "$x", "",
		forms{call: "(*$p)()", local: true}},
	{"bool by kept", "bool", "var $x = false\nvar $f = func() int { $x = true; return 5 }", "$x", "",
		forms{call: "$f()", first: "Keep($f)", local: true}},
	{"bool by deferred", "bool", "var $x = false\nvar $f = func() int { $x = true; return 5 }", "$x", "",
		forms{call: "$f()", first: "defer $f()", local: true}},
	{"bool by deferred literal", "bool", "var $x = false\nvar $f = func() int { $x = true; return 5 }", "$x", "",
		forms{call: "$f()", first: "defer func() { $f() }()", local: true}},
	{"bool by field", "bool", "var $x = false\nvar $f = struct{ F func() int }{func() int { $x = true; return 5 }}", "$x",
		"", forms{call: "$f.F()", local: true}},
	{"bool by nested", "bool", "var $x = false\nvar $f = func() int { return func() int { $x = true; return 5 }() }", "$x",
		"", forms{call: "$f()", local: true}},
	{"bool by chain", "bool", "var $x = false\nvar $g = func() { $x = true }\nvar $f = func() int { $g(); return 5 }",
		"$x", "", forms{call: "$f()", local: true}},
	{"bool by chain kept", "bool", "var $x = false\nvar $g = func() { $x = true }\nvar $f = func() int { $g(); return 5 }",
		"$x", "", forms{call: "$f()", first: "Keep($f)", local: true}},
	{"bool by argument", "bool", "var $x = false", "$x", "", forms{call: "Apply(func() int { $x = true; return 5 })", local: true}},
	{"bool by argument, variable", "bool", "var $x = false\nvar $f = func() int { $x = true; return 5 }", "$x", "",
		forms{call: "Apply($f)", local: true}},
	{"bool by argument, not inlined", "bool", "var $x = false", "$x", "",
		forms{call: "ApplyFar(func() int { $x = true; return 5 })", local: true}},
	{"bool by argument, in a loop", "bool", "var $x = false", "$x", "",
		forms{call: "ApplyTwice(func() int { $x = true; return 5 })", local: true}},
	{"bool by argument, kept", "bool", "var $x = false", "$x", "", forms{call: "ApplyKept(func() int { $x = true; return 5 })", local: true}},
	{"bool by argument, generic", "bool", "var $x = false", "$x", "", forms{call: "ApplyTo(func() int { $x = true; return 5 })", local: true}},
	{"bool by long", "bool", "var $x = false\nvar $f = func() int { $x = true; Keep(); Keep(); Keep(); Keep(); return 5 }",
		"$x", "", forms{call: "$f()", local: true}},
	{"bool by long two", "bool", "var $x = false\nvar $f = func() int { $x = true; Keep(); Keep(); Keep(); Keep(); return 5 }", "$x", "", forms{call: "$f()", first: "if len(Keep()) > 3 { $f() }", local: true}},
	{"bool by recovering", "bool", "var $x = false\nvar $f = func() int { defer func() { recover() }(); $x = true; return 5 }", "$x", "", forms{call: "$f()", local: true}},
	{"bool by recursion", "bool", "var $x = false\nvar $f func(int) int", "$x", "",
		forms{call: "$f(0)", first: "$f = func(n int) int { if n < 0 { return $f(n + 1) }; $x = true; return 5 }", local: true}},
	{"bool by method value", "bool", "var $x = Flag{}\nvar $f = $x.Set", "$x.F", "", forms{call: "$f()", local: true}},
	{"bool by method", "bool", "var $x = Flag{}", "$x.F", "", forms{left: true, call: "$x.Set()", local: true}},
	{"bool by parameter", "bool", "", "$x", "",
		forms{params: "$x bool", args: "false", call: "func() int { $x = true; return 5 }()", local: true}},
	{"bool by results", "bool", "var $x = false\nvar $f = func() (n int) { $x = true; return 5 }", "$x", "", forms{call: "$f()", local: true}},
	{"bool by two returns", "bool", "var $x = false\nvar $f = func() int { if $x { return 6 }; $x = true; return 5 }",
		"$x", "", forms{call: "$f()", local: true}},
	{"map by argument", "map[string]int", `var $x = map[string]int{"k": 1}`, "$x", "",
		forms{call: `Apply(func() int { $x = map[string]int{"k": 9}; return 5 })`, local: true}},
	{"struct by argument, kept", "Pair", "var $x = Pair{1, 2}", "$x", "",
		forms{call: `ApplyKept(func() int { $x = Pair{9, 8}; return 5 })`, local: true}},
}

// places are what is read from memory.
var places = []form{
	{"field of local", "int", "var $x Pair = Pair{1, 2}", "$x.F", "$x.F = 9", forms{left: true}},
	{"field of local, whole", "int", "var $x Pair = Pair{1, 2}", "$x.G", "$x = Pair{8, 9}", forms{left: true}},
	{"field of pointer", "int", "var $p = &Pair{1, 2}", "$p.F", "$p.F = 9", forms{left: true}},
	{"field of pointer, pointer", "int", "var $p = &Pair{1, 2}", "$p.F", "$p = &Pair{9, 8}", forms{left: true}},
	{"field by method", "int", "var $p = &Pair{1, 2}", "$p.F", "", forms{left: true, call: "$p.Set(9)"}},
	{"field of field", "int", "var $p = &Rec{P: &Pair{1, 2}}", "$p.P.F", "$p.P = &Pair{9, 2}", forms{left: true}},
	{"field of chain", "int", "var $p = &Rec{Next: &Rec{N: 1}}", "$p.Next.N", "$p.Next.N = 9", forms{left: true}},
	{"promoted", "int", "var $o = Outer{&Pair{1, 2}, 3}", "$o.F", "$o.Pair = &Pair{9, 2}", forms{left: true}},
	{"promoted in place", "int", "var $o = Outer{&Pair{1, 2}, 3}", "$o.F", "$o.F = 9", forms{left: true}},
	{"promoted deep", "int", "var $o = &Deep{Outer{&Pair{1, 2}, 3}, 4}", "$o.F", "$o = &Deep{Outer{&Pair{9, 2}, 3}, 4}", forms{left: true}},
	{"deref", "int", "var $p = new(1)", "*$p", "*$p = 9", forms{left: true}},
	{"deref, pointer", "int", "var $p = new(1)", "*$p", "$p = new(9)", forms{left: true}},
	{"deref new", "int", "var $x = 1", "*new($x)", "$x = 9", forms{}},
	{"deref of deref", "int", "var $q = new(1)\nvar $p = &$q", "**$p", "*$p = new(9)", forms{left: true}},
	{"deref struct", "Pair", "var $p = &Pair{1, 2}", "*$p", "$p.F = 9", forms{left: true}},
	{"deref one", "One", "var $p = &One{1}", "*$p", "$p.F = 9", forms{left: true}},
	{"deref array", "[2]int", "var $p = &[2]int{1, 2}", "*$p", "$p[0] = 9", forms{left: true}},
	{"deref text", "string", "var $p = new(\"old\")", "*$p", "*$p = \"new\"", forms{left: true}},
	{"array element", "int", "var $a = [3]int{1, 2, 3}", "$a[0]", "$a[0] = 9", forms{left: true}},
	{"array element, index", "int", "var $a = [3]int{1, 9, 3}\nvar $k = 0", "$a[$k]", "$k = 1", forms{left: true}},
	{"array pointer element", "int", "var $a = &[3]int{1, 2, 3}", "$a[0]", "$a[0] = 9", forms{left: true}},
	{"array pointer, pointer", "int", "var $a = &[3]int{1, 2, 3}", "$a[0]", "$a = &[3]int{9, 8, 7}", forms{left: true}},
	{"slice element", "int", "var $s = []int{1, 2, 3}", "$s[0]", "$s[0] = 9", forms{left: true}},
	{"slice element, slice", "int", "var $s = []int{1, 2, 3}", "$s[0]", "$s = []int{9, 8, 7}", forms{left: true}},
	{"slice element, index", "int", "var $s = []int{1, 9, 3}\nvar $k = 0", "$s[$k]", "$k = 1", forms{left: true}},
	{"slice element, append", "int", "var $s = []int{1, 9, 3}", "$s[0]", "$s = append($s[:0], $s[1:]...)", forms{left: true}},
	{"slice element of field", "int", "var $p = &Rec{L: []int{1, 2}}", "$p.L[0]", "$p.L = []int{9, 8}", forms{left: true}},
	{"slice of slices", "int", "var $s = [][]int{{1}, {2}}", "$s[0][0]", "$s[0] = []int{9}", forms{left: true}},
	{"element of call", "int", "var $s = []int{1, 2}", "ID($s)[0]", "$s[0] = 9", forms{left: true}},
	{"map element", "int", `var $m = map[string]int{"k": 1}`, `$m["k"]`, `$m["k"] = 9`, forms{left: true}},
	{"map element, map", "int", `var $m = map[string]int{"k": 1}`, `$m["k"]`, `$m = map[string]int{"k": 9}`, forms{left: true}},
	{"map element, delete", "int", `var $m = map[string]int{"k": 1}`, `$m["k"]`, `delete($m, "k")`, forms{left: true}},
	{"map element, key", "int", `var $m = map[string]int{"k": 1, "l": 9}` + "\n" + `var $k = "k"`, `$m[$k]`, `$k = "l"`, forms{left: true}},
	{"map by int", "int", `var $m = map[int]int{1: 1}`, `$m[1]`, `$m[1] = 9`, forms{left: true}},
	{"map by int, key", "int", "var $m = map[int]int{1: 1, 2: 9}\nvar $k = 1", `$m[$k]`, `$k = 2`, forms{left: true}},
	{"map by struct", "int", `var $m = map[Key]int{{1, 2}: 1}`, `$m[Key{1, 2}]`, `$m[Key{1, 2}] = 9`, forms{left: true}},
	{"map by struct, key", "int", "var $m = map[Key]int{{1, 2}: 1, {3, 4}: 9}\nvar $k = Key{1, 2}", `$m[$k]`,
		`$k = Key{3, 4}`, forms{left: true}},
	{"map by struct, field", "int", "var $m = map[Key]int{{1, 2}: 1, {3, 2}: 9}\nvar $k = 1", `$m[Key{$k, 2}]`, `$k = 3`, forms{left: true}},
	{"map by any", "int", `var $m = map[any]int{1: 1}`, `$m[1]`, `$m[1] = 9`, forms{left: true}},
	{"map by any, key", "int", "var $m = map[any]int{1: 1, 2: 9}\nvar $k = 1", `$m[$k]`, `$k = 2`, forms{left: true}},
	{"map by bytes", "int", `var $m = map[string]int{"k": 1, "l": 9}` + "\n" + `var $k = []byte("k")`, `$m[string($k)]`,
		`$k[0] = 'l'`, forms{}},
	{"map by float", "int", "var $m = map[float64]int{1: 1, 2: 9}\nvar $k = 1.0", `$m[$k]`, `$k = 2`, forms{left: true}},
	{"map of structs", "Pair", `var $m = map[string]Pair{"k": {1, 2}}`, `$m["k"]`, `$m["k"] = Pair{9, 8}`, forms{left: true}},
	{"map of structs, field", "int", `var $m = map[string]Pair{"k": {1, 2}}`, `$m["k"].F`, `$m["k"] = Pair{9, 8}`, forms{}},
	{"map of big", "Big", `var $m = map[string]Big{"k": {}}`, `$m["k"]`, `$m["k"] = Big{[40]int{9}}`, forms{left: true}},
	{"map of maps", "int", `var $m = map[int]map[int]int{1: {1: 1}}`, `$m[1][1]`, `$m[1] = map[int]int{1: 9}`, forms{left: true}},
	{"map of pointers", "*Pair", `var $m = map[string]*Pair{"k": {1, 2}}`, `$m["k"]`, `$m["k"] = &Pair{9, 8}`, forms{left: true}},
	{"string index", "byte", `var $t = "abc"`, "$t[0]", `$t = "xyz"`, forms{}},
	{"string index, index", "byte", "var $t = \"abc\"\nvar $k = 0", "$t[$k]", `$k = 1`, forms{}},
}

// numbers are what is computed from what is read.
var numbers = []form{
	{"add", "int", "var $x = 1", "$x + 1", "$x = 9", forms{}},
	{"add two", "int", "var $x = 1\nvar $y = 2", "$x + $y", "$x = 5", forms{}},
	{"multiply", "int", "var $x = 1\nvar $y = 2", "$x * $y", "$x = 4", forms{}},
	{"divide", "int", "var $x = 8\nvar $y = 8", "$x / $y", "$y = 2", forms{}},
	{"negate", "int", "var $x = -1", "-$x", "$x = -9", forms{}},
	{"complement", "int", "var $x = -2", "^$x", "$x = -10", forms{}},
	{"shift", "int", "var $x = 1\nvar $y uint = 1", "$x << $y", "$y = 3", forms{}},
	{"shift by signed", "int", "var $x = 1\nvar $y = 1", "$x << $y", "$y = 3", forms{}},
	{"parenthesis", "int", "var $x = 1", "($x)", "$x = 9", forms{left: true}},
	{"len slice", "int", "var $s = make([]int, 1)", "len($s)", "$s = make([]int, 9)", forms{}},
	{"cap slice", "int", "var $s = make([]int, 1)", "cap($s)", "$s = make([]int, 9)", forms{}},
	{"len string", "int", `var $t = "a"`, "len($t)", `$t = "123456789"`, forms{}},
	{"len map", "int", "var $m = map[int]int{1: 1}", "len($m)", "$m[2] = 2", forms{}},
	{"len chan", "int", "var $c = Filled(1)", "len($c)", "$c <- 2", forms{}},
	{"len of bytes", "int", `var $t = "a"`, "len([]byte($t))", `$t = "123456789"`, forms{}},
	{"convert int", "int", "var $f = 1.5", "int($f)", "$f = 9.5", forms{}},
	{"convert byte", "int", "var $f byte = 1", "int($f)", "$f = 9", forms{}},
	{"convert named", "Int", "var $x = 1", "Int($x)", "$x = 9", forms{}},
	{"convert float", "float64", "var $x = 1", "float64($x)", "$x = 9", forms{}},
	{"convert narrow", "byte", "var $x = 1", "byte($x)", "$x = 9", forms{}},
	{"float", "float64", "var $x = 1.0", "$x * 2", "$x = 9", forms{}},
	{"complex", "complex128", "var $x = 1.0", "complex($x, 2)", "$x = 9", forms{}},
	{"real", "float64", "var $z = 1 + 2i", "real($z)", "$z = 9i", forms{}},
	{"min", "int", "var $x = 1", "min($x, 50)", "$x = 9", forms{}},
	{"max of two", "int", "var $x = 1\nvar $y = 2", "max($x, $y)", "$x = 9", forms{}},
	{"copy", "int", "var $s = []int{1, 2, 3}\nvar $t = []int{4, 5}", "copy($s, $t)", "$t = $t[:1]", forms{}},
	{"receive", "int", "var $c = Filled(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)", "<-$c", "<-$c", forms{}},
	{"receive, channel", "int", "var $c = Filled(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)", "<-$c",
		"$c = Filled(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)", forms{}},
	{"assert", "int", "var $i any = 1", "$i.(int)", "$i = 9", forms{}},
	{"call", "int", "var $x = 1", "ID($x)", "$x = 9", forms{}},
	{"call of closure", "int", "var $x = 1\nvar $f = func() int { return $x }", "$f()", "$x = 9", forms{}},
	{"call of variable", "int", "var $f = func() int { return 1 }", "$f()", "$f = func() int { return 9 }", forms{}},
	{"call of literal", "int", "var $x = 1", "func() int { return $x }()", "$x = 9", forms{}},
	{"call with effect", "int", "var $x = 1", "Inc(&$x) + $x", "$x = 9", forms{}},
	{"method", "int", "var $v = One{1}", "$v.Get(0)", "$v.F = 9", forms{}},
	{"pointer method", "int", "var $v = &One{1}", "$v.Ptr(0)", "$v = &One{9}", forms{}},
	{"interface method", "int", "var $i Getter = One{1}", "$i.Get(0)", "$i = One{9}", forms{}},
	{"method argument", "int", "var $x = 1\nvar $v = One{1}", "$v.Get($x)", "$x = 9", forms{}},
	{"unsafe load", "int", "var $x = 1", "*(*int)(unsafe.Pointer(&$x))", "$x = 9", forms{left: true}},
	{"field of literal", "int", "var $x = 1", "Pair{$x, 2}.F", "$x = 9", forms{}},
	{"field of pointer literal", "int", "var $x = 1", "(&Pair{$x, 2}).F", "$x = 9", forms{left: true}},
	{"element of literal", "int", "var $x = 1", "[]int{$x, 2}[0]", "$x = 9", forms{left: true}},
	{"element of array literal", "int", "var $x = 1\nvar $k = 0", "[2]int{$x, 2}[$k]", "$x = 9", forms{}},
	{"element of map literal", "int", "var $x = 1", "map[int]int{1: $x}[1]", "$x = 9", forms{}},
}

// truths are operands of type bool.
var truths = []form{
	{"bool", "bool", "var $b = false", "$b", "$b = true", forms{left: true}},
	{"not", "bool", "var $b = true", "!$b", "$b = false", forms{}},
	{"and", "bool", "var $b, $d = false, true", "$b && $d", "$b = true", forms{}},
	{"or", "bool", "var $b, $d = false, true", "$b || $d", "$d = false", forms{}},
	{"and of calls", "bool", "var $b, $d = false, true", "ID($b) && ID($d)", "$b = true", forms{}},
	{"equal", "bool", "var $x, $y = 1, 2", "$x == $y", "$x = 2", forms{}},
	{"less", "bool", "var $x, $y = 3, 2", "$x < $y", "$x = 1", forms{}},
	{"equal strings", "bool", `var $x, $y = "old", "new"`, "$x == $y", `$x = "new"`, forms{}},
	{"less strings", "bool", `var $x, $y = "old", "new"`, "$x < $y", `$x = "a"`, forms{}},
	{"equal interfaces", "bool", "var $i, $j any = 1, 2", "$i == $j", "$i = 2", forms{}},
	{"equal mixed", "bool", "var $i any = 1\nvar $x = 2", "$i == $x", "$i = 2", forms{}},
	{"equal mixed, value", "bool", "var $i any = 1\nvar $x = 2", "$i == $x", "$x = 1", forms{}},
	{"equal structs", "bool", "var $v, $w = Pair{1, 2}, Pair{3, 2}", "$v == $w", "$v.F = 3", forms{}},
	{"equal literal", "bool", "var $v = Pair{1, 2}", "$v == Pair{3, 2}", "$v.F = 3", forms{}},
	{"equal arrays", "bool", "var $v, $w = [4]int{1, 2}, [4]int{3, 2}", "$v == $w", "$v[0] = 3", forms{}},
	{"nil pointer", "bool", "var $p *int", "$p != nil", "$p = new(1)", forms{}},
	{"nil func", "bool", "var $f func()", "$f != nil", "$f = func() {}", forms{}},
	{"nil interface", "bool", "var $e error", "$e != nil", "$e = Err{}", forms{}},
	{"equal bytes", "bool", `var $l = []byte("old")`, `string($l) == "new"`, `copy($l, "new")`, forms{}},
}

// texts are strings.
var texts = []form{
	{"concat", "string", `var $t = "old"`, `$t + "x"`, `$t = "new"`, forms{}},
	{"concat two", "string", `var $t, $w = "old", "b"`, `$t + $w`, `$w = "new"`, forms{}},
	{"concat many", "string", `var $t, $w = "old", "b"`, `$t + $w + "x" + $t + $w + $t`, `$w = "new"`, forms{}},
	{"string slice", "string", `var $t = "older"`, `$t[1:]`, `$t = "newer"`, forms{}},
	{"string slice to", "string", `var $t = "older"`, `$t[:3]`, `$t = "newer"`, forms{}},
	{"string slice, bound", "string", "var $t = \"older\"\nvar $k = 1", `$t[$k:]`, `$k = 2`, forms{}},
	{"string slice, field bounds", "string", "var $t = \"older\"\nvar $p = &Pair{1, 2}", `$t[$p.F:$p.G]`, `$p.G = 4`, forms{}},
	{"string of bytes", "string", `var $l = []byte("old")`, `string($l)`, `copy($l, "new")`, forms{}},
	{"string of bytes, slice", "string", `var $l = []byte("old")`, `string($l)`, `$l = []byte("new")`, forms{}},
	{"string of runes", "string", `var $l = []rune("old")`, `string($l)`, `$l[0] = 'n'`, forms{}},
	{"string of rune", "string", `var $r = 'o'`, `string($r)`, `$r = 'n'`, forms{}},
	{"string field", "string", `var $p = &Rec{S: "old"}`, `$p.S`, `$p.S = "new"`, forms{left: true}},
	{"string element", "string", `var $l = []string{"old"}`, `$l[0]`, `$l[0] = "new"`, forms{left: true}},
	{"string in map", "string", `var $m = map[int]string{1: "old"}`, `$m[1]`, `$m[1] = "new"`, forms{left: true}},
	{"string assert", "string", `var $i any = "old"`, `$i.(string)`, `$i = "new"`, forms{}},
	{"string error", "string", `var $e error = Err{"old"}`, `$e.Error()`, `$e = Err{"new"}`, forms{}},
	{"unsafe string", "string", `var $l = []byte("old")`, `unsafe.String(&$l[0], 3)`, `$l = []byte("new")`, forms{}},
	{"unsafe string, length", "string", "var $l = []byte(\"old\")\nvar $n = 1", `unsafe.String(&$l[0], $n)`, `$n = 3`, forms{}},
	{"named string", "Name", `var $t = "old"`, `Name($t)`, `$t = "new"`, forms{}},
}

// slices_ are slices.
var slices_ = []form{
	{"slice", "[]int", "var $s = []int{1, 2, 3}", "$s", "$s = []int{9, 8, 7}", forms{left: true}},
	{"slice in place", "[]int", "var $s = []int{1, 2, 3}", "$s", "$s[0] = 9", forms{left: true}},
	{"slice by append", "[]int", "var $s = []int{1, 2, 3}", "$s", "$s = append($s, 9)", forms{left: true}},
	{"slice from", "[]int", "var $s = []int{1, 2, 3}", "$s[1:]", "$s = []int{9, 8, 7}", forms{}},
	{"slice from, bound", "[]int", "var $s = []int{1, 2, 3}\nvar $k = 1", "$s[$k:]", "$k = 2", forms{}},
	{"slice to, bound", "[]int", "var $s = []int{1, 2, 3}\nvar $k = 1", "$s[:$k]", "$k = 2", forms{}},
	{"slice of three", "[]int", "var $s = []int{1, 2, 3}\nvar $k = 2", "$s[0:$k:3]", "$s = []int{9, 8, 7}", forms{}},
	{"slice of three, bound", "[]int", "var $s = []int{1, 2, 3}\nvar $k = 2", "$s[0:1:$k]", "$k = 3", forms{}},
	{"slice of field", "[]int", "var $p = &Rec{L: []int{1, 2, 3}}", "$p.L", "$p.L = []int{9, 8, 7}", forms{left: true}},
	{"slice of field, sliced", "[]int", "var $p = &Rec{L: []int{1, 2, 3}, N: 1}", "$p.L[$p.N:]", "$p.N = 2", forms{}},
	{"slice of array", "[]int", "var $a = [3]int{1, 2, 3}\nvar $k = 1", "$a[$k:]", "$k = 2", forms{}},
	{"slice of array pointer", "[]int", "var $a = &[3]int{1, 2, 3}", "$a[:]", "$a = &[3]int{9, 8, 7}", forms{}},
	{"slice of slice", "[]int", "var $s = []int{1, 2, 3, 4}\nvar $k = 1", "$s[$k:][:$k]", "$k = 2", forms{}},
	{"bytes of string", "[]byte", `var $t = "old"`, "[]byte($t)", `$t = "new"`, forms{}},
	{"runes of string", "[]rune", `var $t = "old"`, "[]rune($t)", `$t = "new"`, forms{}},
	{"bytes of concat", "[]byte", `var $t = "old"`, `[]byte($t + "x")`, `$t = "new"`, forms{}},
	{"append", "[]int", "var $s = make([]int, 1, 8)\nvar $x = 1", "append($s, $x)", "$x = 9", forms{}},
	{"append, slice", "[]int", "var $s = make([]int, 1, 8)", "append($s, 4)", "$s = []int{9, 8}", forms{}},
	{"append in place", "[]int", "var $s = []int{1, 2, 3, 4}", "append($s[:1], $s[2:]...)", "$s[3] = 9", forms{}},
	{"append call", "[]int", "var $s = make([]int, 1, 8)\nvar $x = 1", "append($s, ID($x), $x)", "$x = 9", forms{}},
	{"append string", "[]byte", "var $l = make([]byte, 1, 8)\nvar $t = \"old\"", "append($l, $t...)", "$t = \"new\"", forms{}},
	{"append make", "[]int", "var $s = []int{1}\nvar $n = 1", "append($s, make([]int, $n)...)", "$n = 3", forms{}},
	{"slice literal", "[]int", "var $x = 1", "[]int{$x, 2}", "$x = 9", forms{}},
	{"slice literal keyed", "[]int", "var $x = 1", "[]int{2: $x, 0: 7}", "$x = 9", forms{}},
	{"slice of any", "[]any", "var $x = 1", "[]any{$x, 2}", "$x = 9", forms{}},
	{"nested literal", "[][]int", "var $x = 1", "[][]int{{$x}, {2, $x}}", "$x = 9", forms{}},
	{"make", "[]int", "var $n = 1", "make([]int, $n)", "$n = 3", forms{}},
	{"make cap", "[]int", "var $n = 3", "make([]int, 2, $n)", "$n = 4", forms{}},
	{"unsafe slice", "[]int", "var $s = []int{1, 2, 3}\nvar $p = &$s[0]", "unsafe.Slice($p, 2)", "$p = &$s[1]", forms{}},
	{"unsafe slice, length", "[]int", "var $s = []int{1, 2, 3}\nvar $n = 1", "unsafe.Slice(&$s[0], $n)", "$n = 3", forms{}},
	{"unsafe slice data", "*int", "var $s = []int{1, 2, 3}", "unsafe.SliceData($s)", "$s = []int{9}", forms{}},
	{"unsafe add", "unsafe.Pointer", "var $s = []int{1, 2, 3}\nvar $n = 8", "unsafe.Add(unsafe.Pointer(&$s[0]), $n)", "$n = 16", forms{}},
}

// arrays are arrays and pointers to arrays.
var arrays = []form{
	{"array", "[2]int", "var $a = [2]int{1, 2}", "$a", "$a[0] = 9", forms{left: true}},
	{"array of one", "[1]int", "var $a = [1]int{1}", "$a", "$a[0] = 9", forms{left: true}},
	{"array of slice", "[2]int", "var $s = []int{1, 2}", "[2]int($s)", "$s[0] = 9", forms{}},
	{"array of slice, slice", "[2]int", "var $s = []int{1, 2}", "[2]int($s)", "$s = []int{9, 8}", forms{}},
	{"array pointer of slice", "*[2]int", "var $s = []int{1, 2}", "(*[2]int)($s)", "$s = []int{9, 8}", forms{}},
	{"deref array pointer of slice", "[2]int", "var $s = []int{1, 2}", "*(*[2]int)($s)", "$s = []int{9, 8}", forms{left: true}},
	{"array literal", "[2]int", "var $x = 1", "[2]int{$x, 2}", "$x = 9", forms{}},
	{"array literal keyed", "[3]int", "var $x = 1", "[3]int{2: $x}", "$x = 9", forms{}},
	{"array field", "[2]int", "var $p = &Rec{A: [2]int{1, 2}}", "$p.A", "$p.A[0] = 9", forms{left: true}},
	{"array big", "Big", "var $a = Big{}", "$a", "$a.W[0] = 9", forms{left: true}},
}

// records are structs.
var records = []form{
	{"struct", "Pair", "var $v = Pair{1, 2}", "$v", "$v.F = 9", forms{left: true}},
	{"struct of one", "One", "var $v = One{1}", "$v", "$v.F = 9", forms{left: true}},
	{"struct literal", "Pair", "var $x = 1", "Pair{$x, 2}", "$x = 9", forms{}},
	{"struct literal keyed", "Pair", "var $x = 1", "Pair{G: $x}", "$x = 9", forms{}},
	{"struct literal nested", "Deep", "var $x = 1", "Deep{Outer{&Pair{$x, 2}, $x}, $x}", "$x = 9", forms{}},
	{"struct element", "Pair", "var $s = []Pair{{1, 2}}", "$s[0]", "$s[0].F = 9", forms{left: true}},
	{"struct element field", "int", "var $s = []Pair{{1, 2}}", "$s[0].F", "$s[0].F = 9", forms{left: true}},
	{"struct assert", "Pair", "var $i any = Pair{1, 2}", "$i.(Pair)", "$i = Pair{9, 2}", forms{}},
	{"struct convert", "struct{ F, G int }", "var $v = Pair{1, 2}", "struct{ F, G int }($v)", "$v.F = 9", forms{}},
	{"struct of call", "Pair", "var $v = Pair{1, 2}", "ID($v)", "$v.F = 9", forms{}},
}

// pointers are pointers.
var pointers = []form{
	{"pointer", "*int", "var $p = new(1)", "$p", "$p = new(9)", forms{left: true}},
	{"pointer to struct", "*Pair", "var $p = &Pair{1, 2}", "$p", "$p = &Pair{9, 2}", forms{left: true}},
	{"pointer field", "*Pair", "var $q = &Rec{P: &Pair{1, 2}}", "$q.P", "$q.P = &Pair{9, 2}", forms{left: true}},
	{"address of literal", "*Pair", "var $x = 1", "&Pair{$x, 2}", "$x = 9", forms{}},
	{"address of slice literal", "*[]int", "var $x = 1", "&[]int{$x, 2}", "$x = 9", forms{}},
	{"new value", "*int", "var $x = 1", "new($x)", "$x = 9", forms{}},
	{"address of element", "*int", "var $s = []int{1, 9}\nvar $k = 0", "&$s[$k]", "$k = 1", forms{}},
	{"address of element, slice", "*int", "var $s = []int{1, 9}", "&$s[0]", "$s = []int{9}", forms{}},
	{"address of field", "*int", "var $p = &Pair{1, 2}", "&$p.F", "$p = &Pair{9, 2}", forms{}},
	{"address of promoted", "*int", "var $o = Outer{&Pair{1, 2}, 3}", "&$o.F", "$o.Pair = &Pair{9, 2}", forms{}},
	{"pointer assert", "*Pair", "var $i any = &Pair{1, 2}", "$i.(*Pair)", "$i = &Pair{9, 2}", forms{}},
	{"unsafe pointer", "*int", "var $p = new(1)", "(*int)(unsafe.Pointer($p))", "$p = new(9)", forms{}},
}

// maps_ are maps.
var maps_ = []form{
	{"map", "map[string]int", `var $m = map[string]int{"k": 1}`, "$m", `$m = map[string]int{"k": 9}`, forms{left: true}},
	{"map field", "map[string]int", `var $p = &Rec{M: map[string]int{"k": 1}}`, "$p.M", `$p.M = map[string]int{"k": 9}`, forms{left: true}},
	{"map literal", "map[string]int", "var $x = 1", `map[string]int{"k": $x}`, "$x = 9", forms{}},
	{"map literal, key", "map[int]int", "var $x = 1", `map[int]int{$x: 3}`, "$x = 9", forms{}},
}

// interfaces are conversions to interfaces and between them.
var interfaces = []form{
	{"any", "any", "var $i any = 1", "$i", "$i = 9", forms{left: true}},
	{"error", "error", `var $e error = Err{"old"}`, "$e", `$e = Err{"new"}`, forms{left: true}},
	{"any field", "any", "var $p = &Rec{Any: 1}", "$p.Any", "$p.Any = 9", forms{left: true}},
	{"any of bool", "any", "var $x = false", "any($x)", "$x = true", forms{}},
	{"any of byte", "any", "var $x byte = 1", "any($x)", "$x = 9", forms{}},
	{"any of int", "any", "var $x = 1", "any($x)", "$x = 9", forms{}},
	{"any of int32", "any", "var $x int32 = 1", "any($x)", "$x = 9", forms{}},
	{"any of int16", "any", "var $x int16 = 1", "any($x)", "$x = 9", forms{}},
	{"any of float", "any", "var $x = 1.0", "any($x)", "$x = 9", forms{}},
	{"any of complex", "any", "var $x = 1i", "any($x)", "$x = 9", forms{}},
	{"any of string", "any", `var $x = "old"`, "any($x)", `$x = "new"`, forms{}},
	{"any of slice", "any", "var $x = []int{1}", "any($x)", "$x = []int{9}", forms{}},
	{"any of pointer", "any", "var $x = new(1)", "any($x)", "$x = new(9)", forms{}},
	{"any of map", "any", "var $x = map[int]int{1: 1}", "any($x)", "$x = map[int]int{1: 9}", forms{}},
	{"any of chan", "any", "var $x = Filled(1)", "any($x)", "$x = Filled(1, 2)", forms{}},
	{"any of func", "any", "var $x = func() int { return 1 }", "any($x)", "$x = func() int { return 9 }", forms{}},
	{"any of struct", "any", "var $x = Pair{1, 2}", "any($x)", "$x.F = 9", forms{}},
	{"any of one", "any", "var $x = One{1}", "any($x)", "$x.F = 9", forms{}},
	{"any of pointer struct", "any", "var $x = struct{ P *int }{new(1)}", "any($x)", "$x.P = new(9)", forms{}},
	{"any of array", "any", "var $x = [2]int{1, 2}", "any($x)", "$x[0] = 9", forms{}},
	{"any of array of one", "any", "var $x = [1]int{1}", "any($x)", "$x[0] = 9", forms{}},
	{"any of empty", "any", "var $x = struct{}{}", "any($x)", "$x = struct{}{}", forms{}},
	{"any of error", "any", `var $x error = Err{"old"}`, "any($x)", `$x = Err{"new"}`, forms{}},
	{"any of field", "any", "var $p = &Pair{1, 2}", "any($p.F)", "$p.F = 9", forms{}},
	{"any of deref", "any", "var $p = &Pair{1, 2}", "any(*$p)", "$p.F = 9", forms{}},
	{"any of deref one", "any", "var $p = &One{1}", "any(*$p)", "$p.F = 9", forms{}},
	{"any of element", "any", "var $s = []int{1}", "any($s[0])", "$s[0] = 9", forms{}},
	{"any of map element", "any", "var $m = map[int]int{1: 1}", "any($m[1])", "$m[1] = 9", forms{}},
	{"any of sum", "any", "var $x = 1", "any($x + 1)", "$x = 9", forms{}},
	{"any of small bits", "any", "var $x = 1", "any($x & 15)", "$x = 9", forms{}},
	{"any of comparison", "any", "var $x = 1", "any($x == 9)", "$x = 9", forms{}},
	{"any of literal", "any", "var $x = 1", "any(Pair{$x, 2})", "$x = 9", forms{}},
	{"any of call", "any", "var $x = 1", "any(ID($x))", "$x = 9", forms{}},
	{"any of constant", "any", "var $x = 1", "any(7)", "$x = 9", forms{}},
	{"any of big", "any", "var $x = Big{}", "any($x)", "$x.W[0] = 9", forms{}},
	{"getter of int", "Getter", "var $x Int = 1", "Getter($x)", "$x = 9", forms{}},
	{"getter of pointer", "Getter", "var $x = &Pair{1, 2}", "Getter($x)", "$x = &Pair{9, 2}", forms{}},
	{"getter of struct", "Getter", "var $x = Pair{1, 2}", "Getter($x)", "$x.F = 9", forms{}},
	{"getter assert", "Getter", "var $i any = Int(1)", "$i.(Getter)", "$i = Int(9)", forms{}},
	{"any assert error", "error", `var $i any = Err{"old"}`, "$i.(error)", `$i = Err{"new"}`, forms{}},
}

// functions are values of functions.
var functions = []form{
	{"func", "func(int) int", "var $f = func(n int) int { return n }", "$f", "$f = func(n int) int { return n + 90 }", forms{left: true}},
	{"func field", "func(int) int", "var $p = &struct{ F func(int) int }{func(n int) int { return n }}", "$p.F",
		"$p.F = func(n int) int { return n + 90 }", forms{left: true}},
	{"func element", "func(int) int", "var $l = []func(int) int{func(n int) int { return n }}", "$l[0]",
		"$l[0] = func(n int) int { return n + 90 }", forms{left: true}},
	{"method value", "func(int) int", "var $v = One{1}", "$v.Get", "$v.F = 9", forms{}},
	{"method value of deref", "func(int) int", "var $v = &One{1}", "$v.Get", "$v.F = 9", forms{}},
	{"method value of pointer", "func(int) int", "var $v = &One{1}", "$v.Ptr", "$v = &One{9}", forms{}},
	{"method value of variable", "func(int) int", "var $v = One{1}", "$v.Ptr", "$v.F = 9", forms{}},
	{"method value of interface", "func(int) int", "var $i Getter = Int(1)", "$i.Get", "$i = Int(9)", forms{}},
	{"method value of promoted", "func(int) int", "var $o = Outer{&Pair{1, 2}, 3}", "$o.Get", "$o.Pair = &Pair{9, 2}", forms{}},
	{"method expression", "int", "var $v = One{1}", "One.Get($v, 1)", "$v.F = 9", forms{}},
	{"method expression of pointer", "int", "var $v = &One{1}", "(*One).Ptr($v, 1)", "$v = &One{9}", forms{}},
	{"closure", "func(int) int", "var $x = 1", "func(n int) int { return $x + n }", "$x = 9", forms{}},
	{"instance", "func(int) int", "var $x = 1", "ID[int]", "$x = 9", forms{}},
}

// channels are channels.
var channels = []form{
	{"channel", "chan int", "var $c = Filled(1)", "$c", "$c = Filled(2, 3)", forms{left: true}},
	{"channel field", "chan int", "var $p = &struct{ C chan int }{Filled(1)}", "$p.C", "$p.C = Filled(2, 3)", forms{left: true}},
}

// generics are operands whose type is a parameter, or has one.
var generics = []form{
	{"type parameter", "T", "var $x T = $a", "$x", "$x = $b",
		forms{left: true, types: "[T any]", inst: "[int]", params: "$a, $b T", args: "1, 9", local: true}},
	{"any of type parameter", "any", "var $x T = $a", "any($x)", "$x = $b",
		forms{types: "[T any]", inst: "[int]", params: "$a, $b T", args: "1, 9", local: true}},
	{"any of type parameter struct", "any", "var $x T = $a", "any($x)", "$x = $b",
		forms{types: "[T any]", inst: "[Pair]", params: "$a, $b T", args: "Pair{1, 2}, Pair{9, 8}", local: true}},
	{"any of type parameter pointer", "any", "var $x *T = &$a", "any($x)", "$x = &$b",
		forms{types: "[T any]", inst: "[Pair]", params: "$a, $b T", args: "Pair{1, 2}, Pair{9, 8}", local: true}},
	{"field of generic struct", "T", "var $x = &Box[T]{$a}", "$x.V", "$x.V = $b",
		forms{left: true, types: "[T any]", inst: "[int]", params: "$a, $b T", args: "1, 9", local: true}},
	{"generic struct", "Box[T]", "var $x = Box[T]{$a}", "$x", "$x.V = $b",
		forms{left: true, types: "[T any]", inst: "[string]", params: "$a, $b T", args: `"old", "new"`, local: true}},
	{"generic method", "T", "var $x = Box[T]{$a}", "$x.Get(0)", "$x.V = $b",
		forms{types: "[T any]", inst: "[string]", params: "$a, $b T", args: `"old", "new"`, local: true}},
	{"generic method value", "func(int) int", "var $x T = $a", "$x.Get", "$x = $b",
		forms{types: "[T Getter]", inst: "[Int]", params: "$a, $b T", args: `1, 9`, local: true}},
	{"generic method value of pointer", "func(int) int", "var $x T = $a", "$x.Get", "$x = $b",
		forms{types: "[T Getter]", inst: "[*One]", params: "$a, $b T", args: `&One{1}, &One{9}`, local: true}},
	{"generic method value of interface", "func(int) int", "var $x T = $a", "$x.Get", "$x = $b",
		forms{types: "[T Getter]", inst: "[Getter]", params: "$a, $b T", args: `Int(1), Int(9)`, local: true}},
	{"generic method by constraint", "int", "var $x T = $a", "$x.Get(0)", "$x = $b",
		forms{types: "[T Getter]", inst: "[Int]", params: "$a, $b T", args: `1, 9`, local: true}},
	{"generic convert", "T", "var $x = 1", "T($x)", "$x = 9",
		forms{types: "[T ~int | ~float64]", inst: "[float64]", params: "", args: ``, local: true}},
}
