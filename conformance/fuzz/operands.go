package main

import (
	"fmt"
	"strings"
)

// operandPrelude is what operands need: ways to call what changes them, and to be seen.
const operandPrelude = `
var keptFunc func() int

func applied(f func() int) int { return f() }

//go:noinline
func appliedFar(f func() int) int { return f() }

func passed[T any](x T) T { return x }

func seen(vs ...any) {
	for _, v := range vs {
		mixs(fmt.Sprintf("%v", v))
	}
}

// guarded has a panic end f alone.
func guarded(f func()) {
	defer func() {
		if e := recover(); e != nil {
			mixs(fmt.Sprint(e))
		}
	}()
	f()
}
`

// operands writes a statement with operands beside calls that change them, and operands that may
// panic beside calls that say that they were made. The language leaves the order open; gc's is
// what Loam follows (docs/order.md). Variables are the statement's own.
func (f *fgen) operands(b *strings.Builder) {
	o := operandGen{fgen: f, b: b}
	o.p("guarded(func() {")
	for range 2 + f.r.IntN(3) {
		o.variable()
	}
	for range 1 + f.r.IntN(2) {
		o.caller()
	}
	for range 1 + f.r.IntN(3) {
		o.statement()
	}
	for _, v := range o.vars {
		if v.typ == "func() int" {
			o.p("seen(%s == nil)", v.name)
			continue
		}
		o.p("seen(%s)", v.name)
	}
	for _, c := range o.named { // or they may be unused
		o.p("if idx > 99 { %s() }", c)
	}
	o.p("})")
}

// operandGen writes one of these statements.
type operandGen struct {
	*fgen
	b     *strings.Builder
	vars  []operandVar
	calls []string // calls of type int
	named []string // functions that have names
}

// operandVar is a variable: values are what it may be, and reads how it is read.
type operandVar struct {
	name, typ     string
	values, reads []string
}

func (o *operandGen) p(format string, args ...any) { fmt.Fprintf(o.b, format+"\n", args...) }

// operandKinds are the types of variables: V is the variable. A read that may panic has its index
// or divisor in another variable, I.
var operandKinds = []operandVar{
	{typ: "bool", values: []string{"true", "false"}, reads: []string{"V", "!V", "V || V", "any(V)", "V == (V != V)"}},
	{typ: "int", values: []string{"0", "1", "7", "-1"},
		reads: []string{"V", "V + 1", "-V", "any(V)", "passed(V)", "V == 1", "8 / I", "V << (I & 7)", "min(V, I)"}},
	{typ: "int8", values: []string{"0", "127", "-128", "3"},
		reads: []string{"V", "V + 1", "any(V)", "V < 1", "[4]int{1, 2, 3, 4}[V]", "list[V]", "list[V:]"}},
	{typ: "uint8", values: []string{"0", "255", "2"}, reads: []string{"V", "V - 1", "any(V)", "V / 3", "list[V]", "text[:V]", "text[V]"}},
	{typ: "int16", values: []string{"0", "-32768", "2"}, reads: []string{"V", "V * 3", "any(V)", "list[:V]", "text[V:]"}},
	{typ: "uint16", values: []string{"0", "65535", "1"}, reads: []string{"V", "^V", "any(V)", "list[V]", "len(make([]int, V))"}},
	{typ: "int32", values: []string{"0", "-1 << 31", "3"}, reads: []string{"V", "V - 1", "any(V)", "list[V]", "string(rune(V & 63))"}},
	{typ: "uint32", values: []string{"0", "1<<32 - 1", "1"}, reads: []string{"V", "V + 1", "any(V)", "list[V]", "list[V:V]"}},
	{typ: "int64", values: []string{"0", "-1 << 63", "2"}, reads: []string{"V", "V + 1", "any(V)", "list[V]", "list[1:V]", "text[V]"}},
	{typ: "uint64", values: []string{"0", "1<<64 - 1", "1 << 63", "3"},
		reads: []string{"V", "V >> 3", "any(V)", "list[V]", "list[:V]", "text[V:]"}},
	{typ: "uintptr", values: []string{"0", "1<<64 - 1", "2"}, reads: []string{"V", "any(V)", "list[V]", "list[:2:V]"}},
	{typ: "float64", values: []string{"0", "1.5", "-2"}, reads: []string{"V", "V * 2", "any(V)", "int(V)", "V > 1"}},
	{typ: "complex128", values: []string{"0", "1i", "2 - 1i"}, reads: []string{"V", "real(V)", "any(V)", "V == 1i"}},
	{typ: "string", values: []string{`""`, `"old"`, `"newer"`},
		reads: []string{"V", `V + "x"`, "any(V)", "len(V)", "V[I]", "V[I:]", "V[:I]", "[]byte(V)", "[]rune(V)", `V < "o"`}},
	{typ: "[]int", values: []string{"nil", "[]int{1, 2, 3}", "make([]int, 1, 8)"},
		reads: []string{"V", "len(V)", "any(V)", "V[I]", "V[:I]", "V[I:]", "append(V, 4)", "append(V[:0], V...)", "cap(V)",
			"copy(V, list)", "[2]int(V)", "V == nil"}},
	{typ: "[2]int", values: []string{"[2]int{}", "[2]int{1, 2}"},
		reads: []string{"V", "V[0]", "any(V)", "V[I&1]", "V == [2]int{1, 2}", "V[:]"}},
	{typ: "[1]bool", values: []string{"[1]bool{}", "[1]bool{true}"}, reads: []string{"V", "any(V)", "V[0]"}},
	{typ: "struct{ A, B int }", values: []string{"struct{ A, B int }{1, 2}", "struct{ A, B int }{}"},
		reads: []string{"V", "V.A", "any(V)", "(&V).B", "V == struct{ A, B int }{1, 2}"}},
	{typ: "struct{ S string }", values: []string{`struct{ S string }{"old"}`, "struct{ S string }{}"},
		reads: []string{"V", "V.S", "any(V)", "V.S[I:]"}},
	{typ: "*struct{ A, B int }", values: []string{"nil", "&struct{ A, B int }{1, 2}", "&struct{ A, B int }{3, 4}"},
		reads: []string{"V == nil", "V.A", "*V", "V != nil && V.B > 2", "any(V.B)"}},
	{typ: "map[string]int", values: []string{"nil", `map[string]int{"k": 1}`, `map[string]int{"k": 2, "l": 3}`},
		reads: []string{"V", `V["k"]`, "len(V)", "any(V)", `V["l"] + 1`}},
	{typ: "any", values: []string{"nil", "1", `"text"`, "[1]bool{true}"},
		reads: []string{"V", "V == any(1)", "V.(int)", "V != nil", "any(V)"}},
	{typ: "func() int", values: []string{"nil", "func() int { return 3 }", "func() int { mix(5); return 4 }"},
		reads: []string{"V == nil", "V()"}},
}

func (o *operandGen) variable() {
	if len(o.vars) == 0 {
		o.p("list, text, idx := []int{5, 6, 7, 8}, %q, %d", "abcdef", o.r.IntN(5))
		o.p("_, _, _ = list, text, idx")
	}
	v := pick(o.gen, operandKinds)
	v.name = o.fresh("o")
	o.p("var %s %s = %s", v.name, v.typ, pick(o.gen, v.values))
	if v.typ != "func() int" {
		o.p("_ = %s", v.name)
	}
	o.vars = append(o.vars, v)
}

// change is what a call does to a variable.
func (o *operandGen) change() string {
	v := pick(o.gen, o.vars)
	s := fmt.Sprintf("%s = %s", v.name, pick(o.gen, v.values))
	switch o.r.IntN(6) {
	case 0:
		s += "; mix(" + fmt.Sprint(o.r.IntN(99)) + ")"
	case 1:
		s += "; idx = " + fmt.Sprint(o.r.IntN(6))
	case 2:
		s = fmt.Sprintf("mix(%d)", o.r.IntN(99))
	case 3:
		s += "; " + o.change()
	}
	return s
}

// effect is a function literal that changes something.
func (o *operandGen) effect() string {
	if o.chance(15) {
		return fmt.Sprintf("func() (n int) { %s; return idx }", o.change())
	}
	return fmt.Sprintf("func() int { %s; return %d }", o.change(), o.r.IntN(4))
}

// caller declares a function to call, or only notes how one is called.
func (o *operandGen) caller() {
	name := o.fresh("c")
	n := len(o.calls)
	switch o.r.IntN(8) {
	case 0:
		o.calls = append(o.calls, o.effect()+"()")
	case 1:
		o.calls = append(o.calls, "applied("+o.effect()+")")
	case 2:
		o.calls = append(o.calls, "appliedFar("+o.effect()+")")
	case 3:
		o.p("%s := %s", name, o.effect())
		o.p("keptFunc = %s", name)
		o.calls = append(o.calls, name+"()")
	case 4:
		o.p("%s := %s", name, o.effect())
		o.calls = append(o.calls, "applied("+name+")")
	default:
		o.p("%s := %s", name, o.effect())
		o.calls = append(o.calls, name+"()")
	}
	if strings.Contains(o.calls[n], name) {
		o.named = append(o.named, name)
	}
}

func (o *operandGen) read() string {
	v := pick(o.gen, o.vars)
	s := pick(o.gen, v.reads)
	return strings.NewReplacer("V", v.name, "I", "idx").Replace(s)
}

// items is a list of operands with at least one call.
func (o *operandGen) items() string {
	list := []string{o.read(), pick(o.gen, o.calls)}
	for o.chance(40) {
		list = append(list, o.read())
	}
	if o.chance(30) {
		list = append(list, pick(o.gen, o.calls))
	}
	o.r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return strings.Join(list, ", ")
}

func (o *operandGen) statement() {
	switch o.r.IntN(12) {
	case 0, 1, 2:
		o.p("seen(%s)", o.items())
	case 3:
		o.p("seen([]any{%s}...)", o.items())
	case 4:
		o.p("{ a, b, c := %s, %s, %s; seen(a, b, c) }", o.read(), pick(o.gen, o.calls), o.read())
	case 5:
		o.p("{ var a, b any; a, b = %s, %s; seen(a, b) }", o.read(), pick(o.gen, o.calls))
	case 6:
		o.p("seen(func() (any, int, any) { return %s, %s, %s }())", o.read(), pick(o.gen, o.calls), o.read())
	case 7:
		o.p("seen(map[int]any{1: %s, 2: %s, 3: %s})", o.read(), pick(o.gen, o.calls), o.read())
	case 8:
		o.p("seen(struct{ A, B, C any }{%s, %s, %s})", o.read(), pick(o.gen, o.calls), o.read())
	case 9:
		o.p("{ l := make([]any, 4); l[%s&3], l[1] = %s, %s; seen(l...) }", pick(o.gen, o.calls), o.read(), o.read())
	case 10:
		o.p("{ c := make(chan any, 1); c <- [2]any{%s, %s}; seen(<-c) }", o.read(), pick(o.gen, o.calls))
	default:
		o.p("seen(append([]any{%s}, %s))", pick(o.gen, o.calls), o.items())
	}
}
