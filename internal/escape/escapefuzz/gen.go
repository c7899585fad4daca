package main

import (
	"bytes"
	"fmt"
	"go/format"
	"math/rand/v2"
	"strings"
)

// The types of variables, parameters and results.
const (
	tInt   = "int"
	tNode  = "*N"
	tPInt  = "*int"
	tSlice = "[]*N"
	tFunc  = "func() *N"
	tAny   = "any"
	tPP    = "**N"
	tValue = "N"
	tIface = "I"
	tText  = "string"
	tBytes = "[]byte"
)

var allTypes = []string{tNode, tNode, tNode, tPInt, tSlice, tFunc, tAny, tPP, tValue, tIface, tText, tBytes}

type function struct {
	name    string
	params  []string
	results []string
	quiet   bool
}

type variable struct{ name, typ string }

type generator struct {
	r      *rand.Rand
	out    *bytes.Buffer
	funcs  []function
	makers []function // small functions that make and return, each calls only earlier ones
	fn     function
	vars   []variable
	next   int
	depth  int
	loops  int
	lits   int
	quiet  bool // the function being written lets little escape, so that loops decide
	maker  bool // the function being written is one of makers
}

// program writes the random program with this seed.
func program(seed uint64, size int) []byte {
	g := &generator{r: rand.New(rand.NewPCG(seed, 77)), out: &bytes.Buffer{}}
	g.out.WriteString(prelude)
	for i := range 1 + size/3 {
		g.makeMaker(fmt.Sprintf("m%d", i))
	}
	for i := range size {
		f := function{name: fmt.Sprintf("f%d", i)}
		for range 1 + g.r.IntN(4) {
			f.params = append(f.params, g.typ())
		}
		if i%3 == 0 {
			f.quiet = true
			f.params = []string{tNode}
		} else {
			for range g.r.IntN(3) {
				f.results = append(f.results, g.typ())
			}
		}
		g.funcs = append(g.funcs, f)
	}
	for _, f := range g.funcs {
		g.function(f)
	}
	fmt.Fprintf(g.out, "\nfunc start(n *N, k int) {\n")
	g.vars = []variable{{"n", tNode}, {"k", tInt}}
	g.fn, g.quiet = function{}, false
	for range 6 {
		g.callStmt()
		fmt.Fprintf(g.out, "stomp(5)\n")
	}
	fmt.Fprintf(g.out, "}\n")
	text, err := format.Source(g.out.Bytes())
	if err != nil {
		return g.out.Bytes()
	}
	return text
}

func (g *generator) typ() string { return allTypes[g.r.IntN(len(allTypes))] }

func (g *generator) p(format string, args ...any) { fmt.Fprintf(g.out, format+"\n", args...) }

func (g *generator) fresh() string {
	g.next++
	return fmt.Sprintf("x%d", g.next)
}

func zero(t string) string {
	switch t {
	case tInt:
		return "0"
	case tValue:
		return "N{}"
	case tText:
		return `""`
	}
	return "nil"
}

func (g *generator) function(f function) {
	g.fn, g.vars, g.depth, g.loops, g.lits, g.quiet = f, nil, 0, 0, 0, f.quiet
	if !g.maker && g.r.IntN(3) > 0 {
		g.p("\n//go:noinline")
	}
	var ps []string
	for i, t := range f.params {
		name := fmt.Sprintf("a%d", i)
		ps = append(ps, name+" "+t)
		g.vars = append(g.vars, variable{name, t})
	}
	named := g.r.IntN(4) == 0
	var rs, zs []string
	for i, t := range f.results {
		if named {
			rs = append(rs, fmt.Sprintf("r%d %s", i, t))
		} else {
			rs = append(rs, t)
		}
		zs = append(zs, zero(t))
	}
	g.p("func %s(%s) (%s) {", f.name, strings.Join(ps, ", "), strings.Join(rs, ", "))
	if named {
		for i, t := range f.results {
			g.vars = append(g.vars, variable{fmt.Sprintf("r%d", i), t})
		}
	}
	g.p("if fuel--; fuel < 0 {\nreturn %s\n}", strings.Join(zs, ", "))
	if g.maker {
		if g.r.IntN(4) > 0 {
			g.loops = 4 // no loop
		}
		g.block(g.r.IntN(3))
	} else {
		g.block(5 + g.r.IntN(8))
	}
	var vs []string
	for _, t := range f.results {
		if g.maker && g.r.IntN(5) > 0 {
			vs = append(vs, g.new(t))
		} else {
			vs = append(vs, g.value(t))
		}
	}
	g.p("return %s", strings.Join(vs, ", "))
	g.p("}")
}

func (g *generator) block(n int) {
	mark := len(g.vars)
	for range n {
		g.stmt()
	}
	for _, v := range g.vars[mark:] {
		g.p("_ = %s", v.name)
	}
	if g.depth > 0 {
		g.vars = g.vars[:mark]
	}
}

// pick returns a variable of type t, "" if there is none.
func (g *generator) pick(t string) string {
	var have []string
	for _, v := range g.vars {
		if v.typ == t {
			have = append(have, v.name)
		}
	}
	if len(have) == 0 {
		return ""
	}
	// Newer ones more often.
	k := max(g.r.IntN(len(have)), g.r.IntN(len(have)))
	return have[k]
}

// node returns a variable of type *N.
func (g *generator) node() string {
	if v := g.pick(tNode); v != "" {
		return v
	}
	return g.declare(tNode, fmt.Sprintf("&N{v: tick(%d)}", g.r.IntN(100)))
}

func (g *generator) declare(t, value string) string {
	x := g.fresh()
	g.p("var %s %s = %s", x, t, value)
	g.vars = append(g.vars, variable{x, t})
	return x
}

// makeMaker writes a small function that makes something and returns it: one whose objects may
// be in the frames of its callers.
func (g *generator) makeMaker(name string) {
	types := append([]string{tText, tBytes}, allTypes...)
	f := function{name: name, quiet: true}
	for range g.r.IntN(3) {
		f.params = append(f.params, types[g.r.IntN(len(types))])
	}
	for range 1 + g.r.IntN(3)/2 {
		f.results = append(f.results, types[g.r.IntN(len(types))])
	}
	g.maker = true
	g.function(f)
	g.maker = false
	g.makers = append(g.makers, f)
}

// new returns an expression of type t that makes a new object, perhaps around others.
func (g *generator) new(t string) string {
	switch t {
	case tPInt:
		return "&" + g.declare(tInt, fmt.Sprint(g.r.IntN(90)))
	case tSlice:
		return fmt.Sprintf("[]*N{%s, %s}", g.new(tNode), g.value(tNode))
	case tFunc:
		return g.literal()
	case tAny:
		return "any(" + g.new(tValue) + ")"
	case tPP:
		return "&" + g.declare(tNode, g.new(tNode))
	case tIface:
		return "W{" + g.new(tNode) + "}"
	case tText, tBytes:
		return g.converted(t)
	}
	n := fmt.Sprintf("N{v: tick(%d), p: %s, i: %s, s: %s}", g.r.IntN(50), g.value(tNode), g.value(tPInt), g.value(tSlice))
	if t == tNode {
		return "&" + n
	}
	return n
}

// converted returns an expression of type t that makes a new string or slice of bytes.
func (g *generator) converted(t string) string {
	if t == tBytes {
		return "[]byte(" + g.words() + ")"
	}
	switch g.r.IntN(3) {
	case 0:
		if b := g.pick(tBytes); b != "" {
			return "string(" + b + ")"
		}
	case 1:
		return fmt.Sprintf("%s + %s", g.words(), g.words())
	}
	return fmt.Sprintf("%s + %q + %s", g.words(), "/+-"[g.r.IntN(4):], g.words())
}

// words returns a variable of type string, or an expression that no frame can have a buffer for.
func (g *generator) words() string {
	if v := g.pick(tText); v != "" && g.r.IntN(4) > 0 {
		return v
	}
	return fmt.Sprintf("word(%d)", g.r.IntN(50))
}

// made returns a call of a maker whose first result is of type t, "" if there is none.
func (g *generator) made(t string) string {
	var have []function
	for _, f := range g.makers {
		if f.results[0] == t {
			have = append(have, f)
		}
	}
	if len(have) == 0 {
		return ""
	}
	f := have[g.r.IntN(len(have))]
	var args []string
	for _, p := range f.params {
		arg := g.pick(p)
		if arg == "" {
			arg = zero(p)
		}
		args = append(args, arg)
	}
	call := fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", "))
	if len(f.results) == 1 {
		return call
	}
	x, y := g.fresh(), g.fresh()
	g.p("%s, %s := %s\n_, _ = %s, %s", x, y, call, x, y)
	g.vars = append(g.vars, variable{x, f.results[0]}, variable{y, f.results[1]})
	return x
}

// value returns an expression of type t, after statements that make what it needs.
func (g *generator) value(t string) string {
	if g.r.IntN(4) == 0 {
		if call := g.made(t); call != "" {
			return call
		}
	}
	if v := g.pick(t); v != "" && g.r.IntN(3) > 0 {
		return v
	}
	switch t {
	case tInt:
		return fmt.Sprint(g.r.IntN(50))
	case tValue:
		return fmt.Sprintf("N{v: tick(%d), p: %s}", g.r.IntN(50), g.node())
	case tNode:
		switch g.r.IntN(7) {
		case 0:
			return fmt.Sprintf("&N{v: tick(%d)}", g.r.IntN(50))
		case 1:
			return fmt.Sprintf("&N{v: tick(%d), p: %s, i: %s}", g.r.IntN(50), g.node(), g.value(tPInt))
		case 2:
			if v := g.pick(tValue); v != "" {
				return "&" + v
			}
		case 3:
			return g.guard(tNode, tFunc, "%s != nil", "%s()")
		case 4:
			return g.guard(tNode, tSlice, "len(%s) > 0", "%[1]s[len(%[1]s)-1]")
		case 5:
			return g.guard(tNode, tPP, "%s != nil", "*%s")
		}
		return g.guard(tNode, tNode, "%s != nil", "%s.p")
	case tPInt:
		if v := g.pick(tInt); v != "" && g.r.IntN(2) == 0 && v != "k" {
			return "&" + v
		}
		if g.r.IntN(2) == 0 {
			return "&" + g.declare(tInt, fmt.Sprint(g.r.IntN(90)))
		}
		return g.guard(tPInt, tNode, "%s != nil", []string{"%s.i", "&%s.v"}[g.r.IntN(2)])
	case tSlice:
		switch g.r.IntN(3) {
		case 0:
			return fmt.Sprintf("[]*N{%s, %s}", g.node(), g.node())
		case 1:
			return "make([]*N, 2, 4)"
		}
		return g.guard(tSlice, tNode, "%s != nil", "%s.s")
	case tFunc:
		if g.lits < 4 && (!g.quiet || g.maker && g.lits < 1) {
			return g.literal()
		}
		return g.guard(tFunc, tNode, "%s != nil", "%s.f")
	case tAny:
		switch g.r.IntN(6) {
		case 4:
			return "any(" + g.value(tText) + ")"
		case 5:
			return "any(" + g.value(tBytes) + ")"
		case 0:
			return g.node()
		case 1:
			return "any(" + g.value(tValue) + ")"
		case 2:
			return "any(W{" + g.node() + "})"
		}
		return fmt.Sprint(g.r.IntN(1000))
	case tPP:
		if g.r.IntN(2) == 0 {
			return "&" + g.node()
		}
		n := g.node()
		x := g.fresh()
		g.p("var %s **N\nif %s != nil { %s = &%s.p }", x, n, x, n)
		g.vars = append(g.vars, variable{x, tPP})
		return x
	case tIface:
		if g.r.IntN(2) == 0 {
			return "W{" + g.node() + "}"
		}
		return "I(" + g.node() + ")"
	case tText:
		if g.r.IntN(3) == 0 {
			return g.guard(tText, tNode, "%s != nil", "%s.t")
		}
		return g.converted(tText)
	case tBytes:
		switch g.r.IntN(4) {
		case 0:
			return g.guard(tBytes, tNode, "%s != nil", "%s.b")
		case 1:
			return g.guard(tBytes, tBytes, "len(%s) > 2", "%s[1:2]")
		}
		return g.converted(tBytes)
	}
	return zero(t)
}

// guard loads something through a variable of type from, if that is possible.
func (g *generator) guard(t, from, cond, expr string) string {
	v := g.pick(from)
	if v == "" {
		if from == tNode {
			v = g.node()
		} else {
			return zero(t)
		}
	}
	x := g.fresh()
	g.p("var %s %s", x, t)
	g.p("if "+cond+" { %s = "+expr+" }", append([]any{v}, x, v)[:]...)
	g.vars = append(g.vars, variable{x, t})
	return x
}

// literal writes a function literal that captures what is in sight.
func (g *generator) literal() string {
	g.lits++
	x := g.fresh()
	g.p("%s := func() *N {\nif fuel--; fuel < 0 { return nil }", x)
	saved, results, depth, loops := g.vars, g.fn.results, g.depth, g.loops
	g.vars = append([]variable(nil), g.vars...)
	g.fn.results = []string{tNode}
	g.depth++
	for range g.r.IntN(3) {
		g.stmt()
	}
	v := g.value(tNode)
	for _, y := range g.vars[len(saved):] {
		g.p("_ = %s", y.name)
	}
	g.p("return %s\n}", v)
	g.vars, g.fn.results, g.depth, g.loops = saved, results, depth, loops
	g.vars = append(g.vars, variable{x, tFunc})
	return x
}

// quietStmt moves pointers between local variables and objects that are held by one.
func (g *generator) quietStmt() {
	types := []string{tNode, tNode, tNode, tPInt, tSlice, tAny, tValue, tText, tBytes}
	t := types[g.r.IntN(len(types))]
	switch g.r.IntN(9) {
	case 0, 1:
		g.declare(t, g.value(t))
	case 2, 3:
		v := g.value(t)
		if t == tNode && g.r.IntN(2) == 0 {
			v = fmt.Sprintf("&N{v: tick(%d), p: %s}", g.r.IntN(50), g.node())
		}
		if x := g.pick(t); x != "" {
			g.p("%s = %s", x, v)
		}
	case 4:
		x := g.declare(tNode, fmt.Sprintf("&N{v: tick(%d)}", g.r.IntN(100)))
		g.p("%s.p = %s", x, g.node())
	case 5:
		if g.loops < 4 {
			g.loop()
		}
	case 6:
		g.branch()
	case 7:
		g.textStmt()
	default:
		g.p("check(%s)", g.node())
	}
}

// textStmt looks at strings and bytes, or changes these.
func (g *generator) textStmt() {
	if b := g.pick(tBytes); b != "" && g.r.IntN(2) == 0 {
		if g.r.IntN(3) == 0 {
			// What room there is behind a converted value is the compiler's choice.
			g.p("%s = append(%s[:len(%s):len(%s)], %s...)", b, b, b, b, g.value([]string{tText, tBytes}[g.r.IntN(2)]))
		} else {
			g.p("if len(%s) > 0 { %s[len(%s)/2]++ }", b, b, b)
		}
		return
	}
	g.p("add(text(%s))", g.value(tText))
}

func (g *generator) stmt() {
	if g.quiet {
		g.quietStmt()
		return
	}
	switch g.r.IntN(24) {
	case 22, 23:
		g.textStmt()
	case 0, 1, 2:
		t := g.typ()
		v := g.value(t)
		g.declare(t, v)
	case 3, 4:
		t := g.typ()
		v := g.value(t)
		if x := g.pick(t); x != "" && x != "n" {
			g.p("%s = %s", x, v)
		}
	case 5, 6:
		v, n := g.value(tNode), g.node()
		g.p("if %s != nil { %s.p = %s }", n, n, v)
	case 7:
		v, n := g.value(tPInt), g.node()
		g.p("if %s != nil { %s.i = %s }", n, n, v)
	case 8:
		f := []struct{ field, typ string }{{"s", tSlice}, {"f", tFunc}, {"e", tAny}, {"t", tText}, {"b", tBytes}}[g.r.IntN(5)]
		v, n := g.value(f.typ), g.node()
		g.p("if %s != nil { %s.%s = %s }", n, n, f.field, v)
	case 9:
		if x := g.pick(tPP); x != "" {
			g.p("if %s != nil { *%s = %s }", x, x, g.node())
		}
	case 10:
		if x := g.pick(tSlice); x != "" {
			if g.r.IntN(2) == 0 {
				g.p("%s = append(%s, %s)", x, x, g.node())
			} else {
				g.p("if len(%s) > 0 { %s[0] = %s }", x, x, g.node())
			}
		}
	case 11:
		if x := g.pick(tIface); x != "" {
			if g.r.IntN(2) == 0 {
				g.p("if %s != nil { %s.put(%s) }", x, x, g.node())
			} else {
				g.guard(tNode, tIface, "%s != nil", "%s.get(nil)")
			}
		}
	case 12:
		if x := g.pick(tAny); x != "" {
			y := g.fresh()
			t := []string{tNode, tValue}[g.r.IntN(2)]
			g.p("%s, _ := %s.(%s)", y, x, t)
			g.vars = append(g.vars, variable{y, t})
		}
	case 13:
		g.global()
	case 14, 15:
		g.callStmt()
	case 16, 17:
		g.loop()
	case 18:
		g.branch()
	case 19:
		g.p("check(%s)", g.node())
	case 20:
		if g.depth == 0 || g.r.IntN(4) == 0 {
			n := g.node()
			g.p("defer func() { check(%s); if %s != nil { %s.v++ } }()", n, n, n)
		}
	case 21:
		if x := g.pick(tInt); x != "" && x != "k" {
			g.p("%s++", x)
		}
	}
}

// global lets something escape, or brings it back.
func (g *generator) global() {
	switch g.r.IntN(11) {
	case 9:
		g.p("gT = %s", g.value(tText))
	case 10:
		g.p("gB = %s", g.value(tBytes))
	case 0:
		g.p("gN = %s", g.node())
	case 1:
		g.p("gI = %s", g.value(tPInt))
	case 2:
		g.p("gS = append(gS, %s)", g.node())
	case 3:
		g.p("gF = %s", g.value(tFunc))
	case 4:
		g.p("gE = %s", g.value(tAny))
	case 5:
		g.p("gM[%d] = %s", g.r.IntN(4), g.node())
	case 6:
		g.declare(tNode, fmt.Sprintf("gM[%d]", g.r.IntN(4)))
	case 7:
		g.declare(tNode, "gN")
	case 8:
		// Another goroutine.
		n := g.node()
		c := g.fresh()
		g.p("%s := make(chan *N)\ngo func() { stomp(3); %s <- %s }()", c, c, n)
		g.declare(tNode, "<-"+c)
	}
}

func (g *generator) callStmt() {
	f := g.funcs[g.r.IntN(len(g.funcs))]
	var args []string
	for _, t := range f.params {
		args = append(args, g.value(t))
	}
	call := fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", "))
	if len(f.results) == 0 {
		g.p("%s", call)
		return
	}
	var names []string
	for _, t := range f.results {
		x := g.fresh()
		names = append(names, x)
		g.vars = append(g.vars, variable{x, t})
	}
	g.p("%s := %s", strings.Join(names, ", "), call)
	for _, x := range names {
		g.p("_ = %s", x)
	}
	g.p("stomp(4)")
}

func (g *generator) loop() {
	if g.depth > 3 || g.loops > 3 {
		return
	}
	g.loops++
	i := g.fresh()
	mark := len(g.vars)
	if g.r.IntN(2) == 0 {
		g.p("for %s := range 3 {", i)
	} else {
		g.p("for %s := 0; %s < 3; %s++ {", i, i, i)
	}
	g.depth++
	// Its address may be taken, but it must keep counting.
	j := g.fresh()
	g.p("%s := %s", j, i)
	g.vars = append(g.vars, variable{j, tInt})
	if !g.quiet && g.r.IntN(2) == 0 {
		x := g.fresh()
		g.p("%s := func() *N { return &N{v: tick(%s), i: &%s} }", x, i, i)
		g.vars = append(g.vars, variable{x, tFunc})
	}
	g.block(2 + g.r.IntN(4))
	g.p("if fuel--; fuel < 0 { break }")
	for _, v := range g.vars[mark:] {
		g.p("_ = %s", v.name)
	}
	g.depth--
	g.vars = g.vars[:mark]
	g.p("}")
}

func (g *generator) branch() {
	if g.depth > 4 {
		return
	}
	g.depth++
	g.p("if fuel%%%d == 0 {", 2+g.r.IntN(3))
	g.block(1 + g.r.IntN(3))
	if g.r.IntN(2) == 0 {
		g.p("} else {")
		g.block(1 + g.r.IntN(3))
	}
	g.p("}")
	g.depth--
}
