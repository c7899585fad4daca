package main

// A layout is where a construct stands. {D} is its declarations, {X} the expression, {T} its
// type, {S} the statement.
type layout struct {
	name string
	only string // the type of the expressions that fit, if not all do
	body string
	top  string // declarations beside the function
	sig  string // parameters and results of the function, if it has them
	own  bool   // it ends the process
}

// valued are layouts of expressions.
var valued = []layout{
	{name: "define", body: "{D}\nlv := {X}\nUse(lv)"},
	{name: "blank", body: "{D}\n_ = {X}"},
	{name: "var", body: "{D}\nvar lv any = {X}\nUse(lv)"},
	{name: "after branch", body: "{D}\nif Int(1) == 2 {\n\tUse(3)\n\treturn\n}\n\nlv := {X}\nUse(lv)"},
	{name: "in branch", body: "{D}\nif Int(1) == 1 {\n\tUse({X})\n} else {\n\tUse(4)\n}\nUse(5)"},
	{name: "in else", body: "{D}\nif Int(1) == 2 {\n\tUse(4)\n} else {\n\tUse({X})\n}\nUse(5)"},
	{name: "in loop", body: "{D}\nfor li := range 3 {\n\tUse(li)\n\tif li == 1 {\n\t\tUse({X})\n\t}\n}"},
	{name: "in switch", body: "{D}\nswitch Int(2) {\ncase 1:\n\tUse(1)\ncase 2:\n\tUse({X})\ndefault:\n\tUse(3)\n}"},
	{name: "argument", body: "{D}\nUse({X})"},
	{name: "arguments", body: "{D}\nUse3(\n\t1,\n\t{X},\n\t3,\n)"},
	{name: "arguments calls", body: "{D}\nUse3(\n\tInt(1),\n\t{X},\n\tInt(3),\n)"},
	{name: "variadic", body: "{D}\nUse[any](\n\tInt(1),\n\t{X},\n\tInt(3))"},
	{name: "nested calls", body: "{D}\nUse3(1,\n\tUse(\n\t\t{X}),\n\tInt(3))"},
	{name: "chain", body: "{D}\nlc := &Chain{}\nlc.Add(1).\n\tSmall(2).\n\tAdd({X}).\n\tAdd(3)"},
	{name: "return", body: "{D}\nreturn {X}", sig: "() {T}"},
	{name: "return lines", body: "{D}\nreturn Int(1),\n\t{X},\n\tInt(2)", sig: "() (int, any, int)"},
	{name: "return named", body: "{D}\nln = 1\nlv = {X}\nreturn", sig: "() (ln int, lv {T})"},
	{name: "sum", only: "int", body: "{D}\nlv := Int(1) +\n\t{X} +\n\tInt(2)\nUse(lv)"},
	{name: "sum of loads", only: "int", body: "{D}\nlw := &Pair{Int(1), Int(2)}\nlv := lw.F*\n\tlw.G +\n\t{X}\nUse(lv)"},
	{name: "add to", only: "int", body: "{D}\nln := Int(1)\nln +=\n\t{X}\nUse(ln)"},
	{name: "index", only: "int", body: "{D}\ntab := Ints(10)\nlv := tab[\n\t{X}]\nUse(lv)"},
	{name: "argument of func", only: "int", body: "{D}\nlv := l{id}(\n\t{X},\n\tInt(2))\nUse(lv)", top: "func l{id}(a, b int) int { return a + b }"},
	{name: "struct", body: "{D}\nlv := struct {\n\tA int\n\tB {T}\n\tC int\n}{\n\tA: 1,\n\tB: {X},\n\tC: Int(2),\n}\nUse(lv)"},
	{name: "struct pointer", body: "{D}\nlv := &struct {\n\tA int\n\tB any\n}{\n\tInt(1),\n\t{X},\n}\nUse(lv)"},
	{name: "slice", body: "{D}\nlv := []any{\n\t1,\n\t{X},\n\tInt(2),\n}\nUse(lv...)"},
	{name: "map", body: "{D}\nlv := map[string]any{\n\t\"a\": 1,\n\t\"b\": {X},\n\t\"c\": Int(2),\n}\nUse(lv)"},
	{name: "field", body: "{D}\nvar lr struct {\n\tA int\n\tB {T}\n}\nlr.A = Int(1)\nlr.B = {X}\nUse(lr)"},
	{name: "two", body: "{D}\nla, lb := Int(1),\n\t{X}\nUse3(la, lb, 1)"},
	{name: "if", body: "{D}\nif Int(1) == 1 &&\n\tYes({X}) {\n\tUse(1)\n}"},
	{name: "if init", body: "{D}\nif lv := ({X}); Yes(lv) {\n\tUse(1)\n}"},
	{name: "for", body: "{D}\nfor li := 0; Yes({X}); li++ {\n\tUse(li)\n}"},
	{name: "for post", body: "{D}\nfor li := 0; li < 5; li += Use({X}) {\n\tUse(li)\n}"},
	{name: "switch", body: "{D}\nswitch Int(3) {\ncase 1:\n\tUse(1)\ncase Use({X}):\n\tUse(2)\n}"},
	{name: "switch true", body: "{D}\nswitch {\ncase Int(1) == 2:\n\tUse(1)\ncase Yes({X}):\n\tUse(2)\n}"},
	{name: "range", body: "{D}\nfor _, lv := range List({X}) {\n\tUse(lv)\n}"},
	{name: "send", body: "{D}\nlc := make(chan any, 1)\nlc <- {X}\nUse(lc)"},
	{name: "select", body: "{D}\nlc := make(chan any, 1)\nselect {\ncase lc <- {X}:\n\tUse(1)\n}"},
	{name: "defer argument", body: "{D}\ndefer Use(\n\t{X})\nUse(1)"},
	{name: "deferred", body: "{D}\ndefer func() {\n\tUse(1)\n\tUse({X})\n}()\nUse(1)"},
	{name: "deferred second", body: "{D}\ndefer Use(1)\ndefer func() {\n\tUse({X})\n}()\nUse(1)\n"},
	{name: "with defer", body: "{D}\ndefer Use(1)\nlv := {X}\nUse(lv)\n"},
	{name: "closure", body: "{D}\nlf := func() {\n\tUse(1)\n\tUse({X})\n}\nlf()"},
	{name: "inlined closure", body: "{D}\nlv := func() {T} { return {X} }()\nUse(lv)"},
	{name: "leaf", body: "lv := l{id}()\nUse(lv)", top: "func l{id}() {T} {\n{D}\n\treturn {X}\n}"},
	{name: "leaf of leaf", body: "Use(1)\nUse(k{id}())", top: "func l{id}() {T} {\n{D}\n\treturn {X}\n}\n\nfunc k{id}() {T} {\n\treturn l{id}()\n}"},
	{name: "far leaf", body: "Use(1)\nUse(l{id}())", top: "//go:noinline\nfunc l{id}() {T} {\n{D}\n\treturn {X}\n}"},
	{name: "generic", body: "Use(l{id}(\"a\"))", top: "func l{id}[P any](lv P) P {\n{D}\n\tUse({X})\n\treturn lv\n}"},
	{name: "method", body: "var lm m{id}\nUse(lm.get(1))", top: "type m{id} struct{}\n\nfunc (m{id}) get(ln int) {T} {\n{D}\n\treturn {X}\n}"},
	{name: "interface method", body: "var lm interface{ get(int) {T} } = m{id}{}\nUse(lm.get(1))",
		top: "type m{id} struct{}\n\nfunc (m{id}) get(ln int) {T} {\n{D}\n\treturn {X}\n}"},
	{name: "range func", body: "{D}\nfor lv := range l{id} {\n\tUse(lv)\n\tUse({X})\n}", top: "func l{id}(yield func(int) bool) {\n\tyield(1)\n}"},
	{name: "go", body: "{D}\ngo func() {\n\tUse(1)\n\tUse({X})\n}()", own: true},
	{name: "go argument", body: "{D}\ngo Use(\n\tInt(1))\nUse({X})", own: true},
	{name: "end", body: "{D}\nlv := {X}\nUse(lv)", own: true},
}

// stated are layouts of statements.
var stated = []layout{
	{name: "plain", body: "{D}\n{S}"},
	{name: "between", body: "{D}\nUse(1)\n{S}\nUse(2)"},
	{name: "after branch", body: "{D}\nif Int(1) == 2 {\n\tUse(3)\n\treturn\n}\n\n{S}"},
	{name: "in branch", body: "{D}\nif Int(1) == 1 {\n{S}\n} else {\n\tUse(4)\n}\nUse(5)"},
	{name: "in else", body: "{D}\nif Int(1) == 2 {\n\tUse(4)\n} else {\n{S}\n}"},
	{name: "in loop", body: "{D}\nfor li := range 3 {\n\tUse(li)\n{S}\n}\nUse(4)"},
	{name: "in switch", body: "{D}\nswitch Int(2) {\ncase 1:\n\tUse(1)\ncase 2:\n{S}\n}"},
	{name: "with defer", body: "{D}\ndefer Use(1)\n{S}\nUse(2)"},
	{name: "deferred", body: "{D}\ndefer func() {\n{S}\n}()\nUse(1)"},
	{name: "closure", body: "{D}\nlf := func() {\n\tUse(1)\n{S}\n}\nlf()"},
	{name: "leaf", body: "Use(0)\nl{id}()\nUse(1)", top: "func l{id}() {\n{D}\n{S}\n}"},
	{name: "far leaf", body: "Use(0)\nl{id}()\nUse(1)", top: "//go:noinline\nfunc l{id}() {\n{D}\n{S}\n}"},
	{name: "generic", body: "Use(0)\nl{id}(1.5)\nUse(1)", top: "func l{id}[P any](P) {\n{D}\n{S}\n}"},
	{name: "method", body: "Use(0)\nnew(m{id}).do()\nUse(1)", top: "type m{id} struct{}\n\nfunc (*m{id}) do() {\n{D}\n{S}\n}"},
	{name: "go", body: "go func() {\n{D}\n{S}\n}()", own: true},
	{name: "end", body: "{D}\n{S}", own: true},
}
