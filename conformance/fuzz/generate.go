package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// gen generates one program.
type gen struct {
	r         *rand.Rand
	out       strings.Builder
	counter   int // of fresh names
	interned  map[string]*typ
	named     []*typ
	ifaces    []*typ
	pures     []*fn // without effects: may be called in expressions
	funcs     []*fn
	generics  []*fn // type parameter T in their types
	globals   []variable
	tparam    *typ
	instances []*typ // type arguments of generic functions
	modern    bool   // the language is that of modernRelease
	huge      int    // the number of the function that is huge, -1 if none is
	collects  bool   // functions call the collector: their frames are exact (internal/lower/exact.go)
}

// fn is a function that later ones can call.
type fn struct {
	name            string
	params, results []*typ
	recv            *typ // of generic methods
	ptr             bool // the receiver is a pointer
}

func (g *gen) printf(format string, args ...any) { fmt.Fprintf(&g.out, format, args...) }

// fresh returns a new name.
func (g *gen) fresh(prefix string) string {
	g.counter++
	return fmt.Sprintf("%s%d", prefix, g.counter)
}

// generate returns the program of a seed, with n functions that it runs; a modern one uses what
// modernRelease has.
func generate(seed uint64, n int, modern bool) string {
	g := &gen{r: rand.New(rand.NewPCG(seed, 0x5eed)), interned: map[string]*typ{}, modern: modern, collects: seed%8 == 3, huge: -1}
	for _, t := range scalars {
		g.interned[t.name] = t
	}
	for range 4 {
		g.instances = append(g.instances, pick(g, integers))
	}
	g.tparam = &typ{kind: kParam, name: "T", bits: 8}
	g.printf("// Seed %d of conformance/fuzz.\npackage main\n\n%s%s%s%s", seed, imports, prelude, genericPrelude,
		cornerPrelude+deepPrelude+operandPrelude)
	if modern {
		g.printf("%s", modernPrelude)
	}
	g.declareTypes()
	for range 12 {
		g.pureFunc()
	}
	g.globalVars()
	for range 4 {
		g.genericFunc()
	}
	if seed%3 == 1 {
		g.huge = g.r.IntN(n)
	}
	for i := range n {
		g.function(i)
	}
	g.mainFunc(n)
	return g.out.String()
}

func (g *gen) newFunc(pure bool) *fgen {
	return &fgen{gen: g, pure: pure, risk: 1, scope: append([]variable{}, g.globals...)}
}

// signature draws parameters, declares them in f, and returns the text in parentheses.
func (f *fgen) signature(params []*typ) string {
	var s []string
	for _, t := range params {
		v := f.fresh("p")
		s = append(s, v+" "+t.name)
		f.declared(v, t)
	}
	return "(" + strings.Join(s, ", ") + ")"
}

// method declares M or N of t: a pure one with a value receiver, or one with effects.
func (g *gen) method(t *typ, name string, value *typ) {
	f := g.newFunc(true)
	arg := f.fresh("p")
	pure := g.chance(50)
	pointer := !pure && g.chance(70)
	if name == "M" {
		t.hasM, t.pureM, t.ptrM = true, pure, pointer
	} else {
		t.hasN, t.ptrN = true, pointer
	}
	recv := t.name
	if pointer {
		recv = "*" + recv
	}
	f.declared(arg, value)
	if pointer {
		f.scope = append(f.scope, variable{name: "self", t: g.ptrTo(t), fixed: true})
	} else {
		f.declared("self", t)
	}
	if g.chance(30) {
		g.printf("//go:noinline\n")
	}
	g.printf("func (self %s) %s(%s %s) %s {\n", recv, name, arg, value.name, value.name)
	if !pure {
		f.pure = false
		g.printf("step()\n")
		var b strings.Builder
		f.nest = 2
		if len(g.named) > 0 {
			f.block(&b, 2)
		}
		g.printf("%s", b.String())
	}
	g.printf("return %s\n}\n\n", f.expr(value, 3))
}

func (g *gen) pureFunc() {
	f := g.newFunc(true)
	p := &fn{name: g.fresh("pure"), results: []*typ{pick(g, scalars)}}
	for range 1 + g.r.IntN(4) {
		p.params = append(p.params, g.randType(1))
	}
	if g.chance(30) {
		g.printf("//go:noinline\n")
	}
	sig := f.signature(p.params)
	g.printf("func %s%s %s {\nif %s { return %s }\nreturn %s\n}\n\n", p.name, sig, p.results[0].name, f.paren(tBool, 2),
		f.expr(p.results[0], 3), f.expr(p.results[0], 4))
	g.pures = append(g.pures, p)
}

// globalVars declares package variables: constants, literals that become data, and expressions
// of other variables in an order that initialisation has to find.
func (g *gen) globalVars() {
	var lines, resets []string
	for range 24 {
		t := g.randType(3)
		f := g.newFunc(true)
		f.scope = append([]variable{}, g.globals...)
		v := g.fresh("g")
		e := f.literal(t, 0)
		if g.chance(40) {
			e = f.expr(t, 3)
		}
		lines = append(lines, fmt.Sprintf("var %s %s = %s\n\n", v, t.name, e))
		resets = append(resets, fmt.Sprintf("%s = %s\n", v, e))
		g.globals = append(g.globals, variable{name: v, t: t, global: true})
	}
	g.r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	g.printf("%s", strings.Join(lines, ""))
	// Each function starts with the same values, so that a difference stays where it is.
	g.printf("func reset() {\n%s}\n\nfunc mixGlobals() {\n", strings.Join(resets, ""))
	f := g.newFunc(true)
	for _, v := range g.globals {
		g.printf("%s\n", f.mixed(v.name, v.t))
	}
	g.printf("}\n\n")
}

// genericFunc declares a function with a type parameter.
func (g *gen) genericFunc() {
	f := g.newFunc(false)
	T := g.tparam
	p := &fn{name: g.fresh("gen")}
	choices := []*typ{T, T, g.sliceOf(T), g.arrayOf(3, T), tInt, g.mapOf(T, tInt), g.ptrTo(T), g.funcType([]*typ{T}, []*typ{T}), tString}
	p.params = []*typ{T}
	for range g.r.IntN(4) {
		p.params = append(p.params, pick(g, choices))
	}
	p.results = []*typ{pick(g, choices[:4]), T}
	recv := f.genericReceiver(p)
	sig := f.signature(p.params)
	var b strings.Builder
	fmt.Fprintf(&b, "func %s%s[T integer]%s (%s) {\nstep()\n", recv, p.name, sig, names(p.results))
	f.results = p.results
	v := f.fresh("v")
	fmt.Fprintf(&b, "%s := %s\n_ = %s\nfor range 3 {\nif %s {\n%s = %s\n}\n", v, f.operand(T, 2), v, f.paren(tBool, 2), v, f.operand(T, 1))
	f.declared(v, T)
	fmt.Fprintf(&b, "%s = %s\n}\n", v, f.operand(T, 3))
	f.block(&b, 3)
	fmt.Fprintf(&b, "%s\n}\n\n", f.returnStmt())
	g.printf("%s", b.String())
	g.generics = append(g.generics, p)
}

// substitute replaces the type parameter in t.
func (g *gen) substitute(t, arg *typ) *typ {
	switch {
	case t.kind == kParam:
		return arg
	case t.kind == kSlice:
		return g.sliceOf(g.substitute(t.elem, arg))
	case t.kind == kArray:
		return g.arrayOf(t.n, g.substitute(t.elem, arg))
	case t.kind == kPtr:
		return g.ptrTo(g.substitute(t.elem, arg))
	case t.kind == kMap:
		return g.mapOf(g.substitute(t.key, arg), t.elem)
	case t.kind == kFunc:
		return g.funcType([]*typ{g.substitute(t.params[0], arg)}, []*typ{g.substitute(t.results[0], arg)})
	}
	return t
}

// function declares function number i.
func (g *gen) function(i int) {
	f := g.newFunc(false)
	p := &fn{name: fmt.Sprintf("f%d", i)}
	p.params = []*typ{pick(g, integers)}
	for range g.r.IntN(4) {
		p.params = append(p.params, g.randType(2))
	}
	for range 1 + g.r.IntN(3) {
		p.results = append(p.results, g.randType(2))
	}
	sig := f.signature(p.params)
	results := "(" + names(p.results) + ")"
	f.results, f.named = p.results, g.chance(50)
	if f.named {
		var s []string
		for j, t := range p.results {
			v := fmt.Sprintf("r%d", j)
			s = append(s, v+" "+t.name)
			f.declared(v, t)
		}
		results = "(" + strings.Join(s, ", ") + ")"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func %s%s %s {\nstep()\n", p.name, sig, results)
	if g.chance(35) {
		f.deferStmt(&b)
	}
	// Most functions are small: a difference shows as well there, and compiling is what costs.
	f.nest = 1
	n := 1 + g.r.IntN(5)/4
	if g.chance(12) {
		f.nest, n = 0, 2+g.r.IntN(4)
	}
	if g.chance(5) {
		f.corner(&b)
	}
	if g.chance(8) {
		f.deep(&b)
	}
	if i == g.huge {
		f.huge(&b)
	}
	f.block2(&b, n)
	fmt.Fprintf(&b, "%s\n}\n\n", f.returnStmt())
	if g.chance(10) {
		g.printf("//go:noinline\n")
	}
	g.printf("%s", b.String())
	g.funcs = append(g.funcs, p)
}

// block2 is the outermost block, whose variables the return statement still sees.
func (f *fgen) block2(b *strings.Builder, n int) {
	f.nest++
	for range n {
		f.statement(b)
	}
}

// mainFunc runs each function with a few sets of arguments.
func (g *gen) mainFunc(n int) {
	g.printf("func main() {\ntraced = os.Getenv(\"FUZZTRACE\") != \"\"\nrun(\"globals\", mixGlobals)\n")
	for _, p := range g.funcs {
		f := &fgen{gen: g, pure: true, inFunc: 1}
		g.printf("reset()\nrun(%q, func() {\n", p.name)
		for range 1 + g.r.IntN(5)/4 {
			var s []string
			for _, t := range p.params {
				s = append(s, f.literal(t, 0))
			}
			var vars, mixes []string
			for i, t := range p.results {
				v := fmt.Sprintf("r%d", i)
				vars = append(vars, v)
				mixes = append(mixes, f.mixed(v, t))
			}
			g.printf("try(func() {\n%s := %s(%s)\n%s\n})\n", strings.Join(vars, ", "), p.name, strings.Join(s, ", "), strings.Join(mixes, "\n"))
		}
		g.printf("})\n")
	}
	g.printf("}\n")
}
