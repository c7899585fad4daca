package main

// failing are operands that panic. Each stands beside a call that says it was made, and beside
// other operands that panic: which one does?
var failing = []form{
	{"index", "int", "var $s = []int{1, 2}\nvar $k = 5", "$s[$k]", "", forms{left: true}},
	{"index of array", "int", "var $a [2]int\nvar $k = 5", "$a[$k]", "", forms{left: true}},
	{"index of array pointer", "int", "var $a *[2]int", "$a[1]", "", forms{left: true}},
	{"index of string", "byte", "var $t = \"ab\"\nvar $k = 5", "$t[$k]", "", forms{}},
	{"index of captured", "int", "var $s = []int{1, 2}\nvar $k = 5\nvar $h = func() { $k++; $s = nil }", "$s[$k]", "", forms{left: true}},
	{"index constant", "int", "var $s = []int{1, 2}", "$s[4]", "", forms{left: true}},
	{"index of nil field", "int", "var $p *Rec", "$p.L[0]", "", forms{left: true}},
	{"index of field", "int", "var $p = &Rec{}", "$p.L[0]", "", forms{left: true}},
	{"bounds", "[]int", "var $s = []int{1, 2}\nvar $k = 5", "$s[$k:]", "", forms{}},
	{"bounds of string", "string", "var $t = \"ab\"\nvar $k = 5", "$t[$k:]", "", forms{}},
	{"bounds of array pointer", "[]int", "var $a *[2]int", "$a[:]", "", forms{}},
	{"nil deref", "int", "var $p *int", "*$p", "", forms{left: true}},
	{"nil field", "int", "var $p *Pair", "$p.G", "", forms{left: true}},
	{"nil field of field", "int", "var $p = &Rec{}", "$p.P.G", "", forms{left: true}},
	{"nil promoted", "int", "var $o Outer", "$o.F", "", forms{left: true}},
	{"nil struct", "Pair", "var $p *Pair", "*$p", "", forms{left: true}},
	{"nil big struct", "Big", "var $p *Big", "*$p", "", forms{left: true}},
	{"nil string", "string", "var $p *string", "*$p", "", forms{left: true}},
	{"nil interface field", "any", "var $p *Rec", "$p.Any", "", forms{left: true}},
	{"nil address", "*int", "var $p *Pair", "&$p.G", "", forms{}},
	{"nil address of element", "*int", "var $s []int", "&$s[0]", "", forms{}},
	{"nil any of field", "any", "var $p *Pair", "any($p.G)", "", forms{}},
	{"nil any of struct", "any", "var $p *Pair", "any(*$p)", "", forms{}},
	{"divide", "int", "var $z = 0", "8 / $z", "", forms{}},
	{"modulo", "int", "var $z = 0", "8 % $z", "", forms{}},
	{"divide unsigned", "byte", "var $z byte = 0", "8 / $z", "", forms{}},
	{"shift", "int", "var $n = -1", "int(8) << $n", "", forms{}},
	{"array of slice", "[2]int", "var $s = []int{1}", "[2]int($s)", "", forms{}},
	{"array pointer of slice", "*[2]int", "var $s = []int{1}", "(*[2]int)($s)", "", forms{}},
	{"assert int", "int", "var $i any = \"text\"", "$i.(int)", "", forms{}},
	{"assert string", "string", "var $i any = 1", "$i.(string)", "", forms{}},
	{"assert pointer", "*Pair", "var $i any = 1", "$i.(*Pair)", "", forms{}},
	{"assert struct", "Pair", "var $i any = 1", "$i.(Pair)", "", forms{}},
	{"assert interface", "error", "var $i any = 1", "$i.(error)", "", forms{}},
	{"nil slice field", "[]int", "var $p *Rec", "$p.L", "", forms{left: true}},
	{"index of slices", "[]int", "var $s = [][]int{{1}}\nvar $k = 5", "$s[$k]", "", forms{left: true}},
	{"nil slice", "[]int", "var $p *[]int", "*$p", "", forms{left: true}},
	{"nil func", "int", "var $f func() int", "$f()", "", forms{}},
	{"nil func argument", "int", "var $f func(int) int\nvar $s []int", "$f($s[0])", "", forms{}},
	{"nil interface method", "string", "var $e error", "$e.Error()", "", forms{}},
	{"nil interface method value", "func() string", "var $e error", "$e.Error", "", forms{}},
	{"nil receiver", "int", "var $p *Pair", "$p.Get(1)", "", forms{}},
	{"nil receiver value", "func(int) int", "var $p *Pair", "$p.Get", "", forms{}},
	{"nil receiver value of type parameter", "func(int) int", "var $p T = $a", "$p.Get", "",
		forms{types: "[T Getter]", inst: "[*Pair]", params: "$a T", args: "nil", local: true}},
	{"nil interface value of type parameter", "func(int) int", "var $p T = $a", "$p.Get", "",
		forms{types: "[T Getter]", inst: "[Getter]", params: "$a T", args: "nil", local: true}},
	{"nil promoted method", "int", "var $o Outer", "$o.Get(1)", "", forms{}},
	{"nil map write", "int", "var $m map[string]int", `$m["k"]`, "", forms{left: true}},
	{"unhashable key", "int", "var $m = map[any]int{1: 1}\nvar $u any = []int{}", "$m[$u]", "", forms{left: true}},
	{"uncomparable", "bool", "var $u any = []int{}", "$u == $u", "", forms{}},
	{"make negative", "[]int", "var $n = -1", "make([]int, $n)", "", forms{}},
	{"make chan negative", "chan int", "var $n = -1", "make(chan int, $n)", "", forms{}},
	{"unsafe slice", "[]int", "var $p *int\nvar $n = 1", "unsafe.Slice($p, $n)", "", forms{}},
	{"closed channel", "chan int", "var $c = Closed()", "$c", "", forms{left: true}},
	{"call that panics", "int", "", `func() int { Called(); panic("own") }()`, "", forms{}},
	{"any of index", "any", "var $s []int\nvar $k = 5", "any($s[$k])", "", forms{}},
	{"literal of index", "[]int", "var $s []int\nvar $k = 5", "[]int{1, $s[$k]}", "", forms{}},
	{"pointer literal of index", "*Pair", "var $s []int\nvar $k = 5", "&Pair{1, $s[$k]}", "", forms{}},
	{"string of index", "string", "var $s []string\nvar $k = 5", `"a" + $s[$k]`, "", forms{}},
	{"or of index", "bool", "var $s []bool\nvar $k = 5", "$s[$k] || $k == 5", "", forms{}},
}

// others are the operands that panic beside them.
var others = []form{
	{name: "index", decl: "var $so []int\nvar $ko = 7", expr: "$so[$ko]"},
	{name: "nil", decl: "var $po *Pair", expr: "$po.G"},
	{name: "divide", decl: "var $zo = 0", expr: "(8 / $zo)"},
	{name: "assert", decl: "var $io any", expr: "$io.(int)"},
	{name: "call", expr: `func() int { Called(); panic("other") }()`},
}

// panicking returns the forms that may panic: each beside a call, and beside the others.
func panicking() (list []form) {
	for _, f := range failing {
		f.panics = true
		called := f
		called.name, called.change = "panic "+f.name, "Called()"
		list = append(list, called)
		for _, o := range others {
			pair := f
			pair.name = "panic " + f.name + " and " + o.name
			pair.decl, pair.call = join(f.decl, o.decl), o.expr
			if f.typ == "int" {
				pair.typed = o.expr
			}
			list = append(list, pair)
		}
	}
	return list
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}
