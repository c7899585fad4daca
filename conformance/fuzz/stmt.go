package main

import (
	"fmt"
	"strings"
)

// loop is an enclosing statement that break, continue or goto can name.
type loop struct {
	label string
	isFor bool // continue is allowed
	used  *bool
}

// inner is f for a function literal: it sees the variables, not the labels and results.
func (f *fgen) inner() *fgen {
	in := *f
	in.scope = append([]variable{}, f.scope...)
	in.loops = nil
	in.results = nil
	in.named = false
	in.risk = 0
	in.inFunc++
	return &in
}

// declared adds a variable to the scope.
func (f *fgen) declared(name string, t *typ) { f.scope = append(f.scope, variable{name: name, t: t}) }

// block generates n statements; what they declare is out of scope behind it.
func (f *fgen) block(b *strings.Builder, n int) {
	scope := len(f.scope)
	f.nest++
	for range n {
		f.statement(b)
	}
	f.nest--
	f.scope = f.scope[:scope:scope]
}

// closureBlock is the text of a function literal's body with statements in it.
func (f *fgen) closureBlock(in *fgen, n int) string {
	var b strings.Builder
	in.nest++
	for range n {
		in.statement(&b)
	}
	f.callees = in.callees
	return b.String()
}

func (f *fgen) statement(b *strings.Builder) {
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	n := f.r.IntN(100)
	f.risk = 1
	deep := f.nest > 2
	if f.collects && f.chance(8) {
		p("collect()")
	}
	switch {
	case n < 14:
		f.declare(b)
	case n < 32:
		f.assign(b)
	case n < 42:
		f.mix(b)
	case n < 50 && !deep:
		f.ifStmt(b)
	case n < 58 && !deep:
		f.loop(b)
	case n < 63 && !deep:
		f.switchStmt(b)
	case n < 66 && !deep:
		f.typeSwitch(b)
	case n < 74:
		f.callStmt(b)
	case n < 78 && !deep:
		f.closure(b)
	case n < 80:
		f.jump(b)
	case n < 83:
		f.mutate(b)
	case n < 86 && !deep && f.nest > 0 && f.inFunc < 2:
		f.deferStmt(b)
	case n < 87:
		p("if %s { panic(%s) }", f.paren(tBool, 2), f.panicValue())
	case n < 89 && !deep:
		f.gotoStmt(b)
	case n < 92 && f.inFunc == 0:
		f.concurrent(b)
	case n < 93:
		f.evalOrder(b)
	case n < 94:
		f.operands(b)
	case n < 96:
		f.genericCall(b)
	case n < 97 && f.inFunc == 0:
		f.bigFrame(b)
	case n < 98 && len(f.results) > 0:
		p("if %s { %s }", f.paren(tBool, 2), f.returnStmt())
	case !deep && f.inFunc == 0 && f.chance(50):
		f.deep(b)
	case !deep && f.inFunc == 0:
		f.corner(b)
	default:
		f.mix(b)
	}
}

func (f *fgen) returnStmt() string {
	if f.named && f.chance(30) {
		return "return"
	}
	// A panic while results are made may leave some of them set: gc writes composite values in
	// place.
	f.risk = 0
	if len(f.results) == 1 && f.results[0].kind <= kString {
		f.risk = 1
	}
	var s []string
	for _, r := range f.results {
		s = append(s, f.expr(r, 2))
	}
	return "return " + strings.Join(s, ", ")
}

func (f *fgen) declare(b *strings.Builder) {
	t := f.randType(2)
	v := f.fresh("v")
	switch f.r.IntN(6) {
	case 0:
		fmt.Fprintf(b, "var %s %s\n", v, t.name)
	case 1:
		// A pointer to another variable: an alias that is never nil.
		for range 10 {
			if x := pick(f.gen, f.scope); !x.fixed {
				fmt.Fprintf(b, "%s := &%s\n_ = %s\n", v, x.name, v)
				f.scope = append(f.scope, variable{name: v, t: f.ptrTo(x.t), fixed: true, nonnil: true})
				return
			}
		}
		fallthrough
	default:
		fmt.Fprintf(b, "var %s %s = %s\n", v, t.name, f.expr(t, 3))
	}
	fmt.Fprintf(b, "_ = %s\n", v)
	f.declared(v, t)
}

// cut bounds the size of what is stored.
func cut(t *typ, s string) string {
	switch t.kind {
	case kString:
		return "lim(" + s + ")"
	case kSlice:
		return "lims(" + s + ")"
	case kMap:
		return "limm(" + s + ")"
	}
	return s
}

// target draws something that can be assigned, and its type.
func (f *fgen) target() (string, *typ) {
	for range 20 {
		t := f.randType(2)
		if f.chance(50) {
			v := pick(f.gen, f.scope)
			t = v.t
			if t.kind == kStruct && len(t.fields) > 0 && f.chance(60) {
				t = pick(f.gen, t.fields).t
			}
		}
		if x, ok := f.path(t, true); ok {
			return x, t
		}
	}
	return "", nil
}

func (f *fgen) assign(b *strings.Builder) {
	x, t := f.target()
	if t == nil {
		f.mix(b)
		return
	}
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	switch n := f.r.IntN(10); {
	case n < 3 && isInteger(t):
		switch f.r.IntN(6) {
		case 0:
			p("%s%s", x, pick(f.gen, []string{"++", "--"}))
		case 1:
			p("%s %s= %s", x, pick(f.gen, []string{"<<", ">>"}), f.shiftCount(1))
		case 2:
			p("%s %s= %s", x, pick(f.gen, []string{"/", "%"}), f.nonzero(t))
		default:
			p("%s %s= %s", x, pick(f.gen, []string{"+", "-", "*", "^", "|", "&", "&^"}), f.expr(t, 2))
		}
	case n < 3 && (t.kind == kFloat || t.kind == kComplex):
		p("%s %s= %s", x, pick(f.gen, []string{"+", "-", "*"}), f.expr(t, 2))
	case n < 3 && t.kind == kSlice:
		// The appended elements may land in memory that other slices see, always or never.
		p("%s = append(%s, %s)", x, cut(t, x), f.expr(t.elem, 2))
	case n < 5 && len(f.scope) > 2:
		// Both sides in one statement, simple variables on the left.
		y := pick(f.gen, f.scope)
		z := pick(f.gen, f.scope)
		if y.fixed || z.fixed || y.name == z.name {
			p("%s = %s", x, cut(t, f.expr(t, 3)))
			break
		}
		p("%s, %s = %s, %s", y.name, z.name, cut(y.t, f.expr(y.t, 2)), cut(z.t, f.expr(z.t, 2)))
	default:
		p("%s = %s", x, cut(t, f.expr(t, 3)))
	}
}

// mix puts a value into the checksum.
func (f *fgen) mix(b *strings.Builder) {
	t := f.randType(2)
	var x string
	if f.chance(60) && len(f.scope) > 0 {
		v := pick(f.gen, f.scope)
		x, t = v.name, v.t
	} else {
		x = f.operand(t, 3)
	}
	b.WriteString(f.mixed(x, t) + "\n")
}

// mixed is a statement that puts x of type t into the checksum.
func (f *fgen) mixed(x string, t *typ) string {
	switch {
	case !printable(t):
		switch {
		case t.kind == kIface:
			return "mixi(" + x + ")"
		case t.kind == kPtr:
			if f.inFunc == 0 && f.chance(50) && printable(t.elem) {
				return fmt.Sprintf("if p := %s; p != nil { mixv(\"%%v\", *p) }", parenLit(x))
			}
			return "mixb(" + parenLit(x) + " != nil)"
		case t.kind == kFunc:
			return "mixb(" + x + " == nil)"
		case t.kind == kSlice || t.kind == kMap:
			return "mix(uint64(len(" + x + ")))"
		}
		return fmt.Sprintf("mixs(fmt.Sprintf(\"%%T\", %s))", x)
	case f.chance(25) && t.kind != kParam:
		verb := "%v"
		switch t.kind {
		case kInt, kUint:
			verb = pick(f.gen, []string{"%v", "%d", "%x", "%b", "%o", "%q", "%08d", "%+d", "%U", "%c"})
		case kFloat, kComplex:
			verb = pick(f.gen, []string{"%v", "%g", "%e", "%.3f", "%8.2f", "%G"})
		case kString:
			verb = pick(f.gen, []string{"%v", "%s", "%q", "%x", "%10s", "%+q"})
		default:
			verb = pick(f.gen, []string{"%v", "%+v", "%#v", "%v", "%T"})
		}
		return fmt.Sprintf("mixv(%q, %s)", verb, x)
	}
	switch t.kind {
	case kBool:
		return fmt.Sprintf("mixb(bool(%s))", x)
	case kInt, kUint, kParam:
		return fmt.Sprintf("mix(uint64(%s))", x)
	case kFloat:
		return fmt.Sprintf("mixf(float64(%s))", x)
	case kComplex:
		return fmt.Sprintf("mixc(complex128(%s))", x)
	case kString:
		return fmt.Sprintf("mixs(string(%s))", x)
	}
	return fmt.Sprintf("mixv(\"%%v\", %s)", x)
}

// parenLit protects composite literals in statement headers.
func parenLit(x string) string { return "(" + x + ")" }

func (f *fgen) ifStmt(b *strings.Builder) {
	fmt.Fprintf(b, "if %s {\n", f.paren(tBool, 3))
	f.block(b, 1+f.r.IntN(3))
	if f.chance(50) {
		fmt.Fprintf(b, "} else if %s {\n", f.paren(tBool, 2))
		f.block(b, 1+f.r.IntN(2))
	}
	if f.chance(50) {
		b.WriteString("} else {\n")
		f.block(b, 1+f.r.IntN(3))
	}
	b.WriteString("}\n")
}

// labelled runs body with a label that it may name, and writes the label if it did.
func (f *fgen) labelled(b *strings.Builder, isFor bool, head string, body func(in *strings.Builder)) {
	used := false
	label := f.fresh("L")
	f.loops = append(f.loops, loop{label: label, isFor: isFor, used: &used})
	var in strings.Builder
	body(&in)
	f.loops = f.loops[:len(f.loops)-1]
	if used {
		fmt.Fprintf(b, "%s:\n", label)
	}
	b.WriteString(head + " {\n" + in.String() + "}\n")
}

// loopBody is the body of a loop with its variables in scope.
func (f *fgen) loopBody(vars ...variable) func(*strings.Builder) {
	return func(in *strings.Builder) {
		scope := len(f.scope)
		for _, v := range vars {
			fmt.Fprintf(in, "_ = %s\n", v.name)
			f.scope = append(f.scope, v)
		}
		if v := vars[0]; v.t.kind <= kUint && f.chance(60) {
			limit := f.operand(v.t, 1)
			if v.t == tInt && f.chance(70) {
				limit = fmt.Sprintf("opaque(%d)", f.r.IntN(6)-3)
			}
			fmt.Fprintf(in, "mixb(%s %s %s)\n", v.name, pick(f.gen, []string{"<", "<", "<=", ">="}), limit)
		}
		in.WriteString("step()\n")
		f.block(in, 1+f.r.IntN(3))
		f.scope = f.scope[:scope:scope]
	}
}

func (f *fgen) loop(b *strings.Builder) {
	i, v := f.fresh("i"), f.fresh("e")
	switch f.r.IntN(12) {
	case 0, 1:
		t := pick(f.gen, integers)
		f.labelled(b, true, fmt.Sprintf("for %s := %s(%d); %s < %d; %s++", i, t.name, f.r.IntN(3), i, 3+f.r.IntN(8), i),
			f.loopBody(variable{name: i, t: t, fixed: true}))
	case 2:
		f.labelled(b, true, fmt.Sprintf("for %s := range %s & 7", i, f.operand(tInt, 1)),
			f.loopBody(variable{name: i, t: tInt, fixed: f.chance(50)}))
	case 3:
		t := pick(f.gen, []*typ{tByte, tInt16, tUint32})
		f.labelled(b, true, fmt.Sprintf("for %s := range %s & 7", i, f.operand(t, 1)), f.loopBody(variable{name: i, t: t}))
	case 4, 5:
		t := f.sliceOf(f.randType(1))
		if f.chance(40) {
			t = f.arrayOf(1+f.r.IntN(4), f.randType(1))
		}
		f.labelled(b, true, fmt.Sprintf("for %s, %s := range %s", i, v, f.paren(t, 2)),
			f.loopBody(variable{name: i, t: tInt}, variable{name: v, t: t.elem}))
	case 6:
		f.labelled(b, true, fmt.Sprintf("for %s, %s := range %s", i, v, f.paren(tString, 2)),
			f.loopBody(variable{name: i, t: tInt}, variable{name: v, t: tInt32}))
	case 7:
		f.mapLoop(b)
	case 8:
		f.labelled(b, true, fmt.Sprintf("for %s := range upto(%s & 7)", i, f.operand(tInt, 1)), f.loopBody(variable{name: i, t: tInt}))
	case 9:
		t := f.sliceOf(f.randType(1))
		f.labelled(b, true, fmt.Sprintf("for %s, %s := range each(%s)", i, v, f.expr(t, 2)),
			f.loopBody(variable{name: i, t: tInt}, variable{name: v, t: t.elem}))
	case 10:
		// No fuel, no calls: the optimiser's food.
		s := f.fresh("s")
		t := pick(f.gen, integers)
		fmt.Fprintf(b, "%s := %s\nfor %s := range %d {\n", s, f.operand(t, 1), i, 1+f.r.IntN(40))
		in := *f
		in.pure = true
		in.scope = append([]variable{{name: i, t: tInt}, {name: s, t: t}}, f.scope...)
		for range 1 + f.r.IntN(2) {
			fmt.Fprintf(b, "%s = %s\n", s, in.operand(t, 3))
		}
		fmt.Fprintf(b, "_ = %s\n}\n%s", i, f.mixed(s, t)+"\n")
		f.declared(s, t)
	default:
		f.labelled(b, true, fmt.Sprintf("for %s := %d; %s > 0 && %s; %s -= 2", i, 4+f.r.IntN(9), i, f.paren(tBool, 2), i),
			f.loopBody(variable{name: i, t: tInt, fixed: true}))
	}
}

// mapLoop visits a map with an operation that commutes.
func (f *fgen) mapLoop(b *strings.Builder) {
	t := f.mapOf(f.keyType(), pick(f.gen, scalars))
	m, s := f.fresh("m"), f.fresh("s")
	fmt.Fprintf(b, "%s := %s\n%s := uint64(0)\nfor k, e := range %s {\n%s += hashv(k)*3 ^ hashv(e)\n", m, f.expr(t, 3), s, m, s)
	if f.chance(40) {
		fmt.Fprintf(b, "if %s & 1 == 0 { delete(%s, k) }\n", f.operand(tInt, 0), m)
	}
	fmt.Fprintf(b, "}\nmix(%s)\nmixv(\"%%v\", %s)\n", s, m)
	f.declared(m, t)
}

func (f *fgen) switchStmt(b *strings.Builder) {
	t := pick(f.gen, append(append([]*typ{}, integers...), tString, tString, tBool))
	var head string
	withTag := t != tBool
	if withTag {
		tag := f.operand(t, 2)
		if isInteger(t) && f.chance(60) {
			tag += " & 7"
		}
		head = "switch " + parenLit(tag)
	} else {
		head = "switch"
	}
	f.labelled(b, false, head, func(in *strings.Builder) {
		seen := map[string]bool{}
		n := 1 + f.r.IntN(4)
		for i := range n {
			var cases []string
			for range 1 + f.r.IntN(3) {
				c := f.paren(tBool, 2)
				if withTag {
					if c = f.literal(t, 0); isInteger(t) && f.chance(70) {
						c = fmt.Sprintf("%s(%d)", t.name, f.r.IntN(9))
					}
				}
				if !seen[c] {
					cases = append(cases, c)
				}
				seen[c] = true
			}
			if len(cases) == 0 {
				continue
			}
			fmt.Fprintf(in, "case %s:\n", strings.Join(cases, ", "))
			f.block(in, 1+f.r.IntN(2))
			if i < n-1 && f.chance(10) {
				in.WriteString("fallthrough\ncase " + f.unused(t, withTag, seen) + ":\n")
			}
		}
		if f.chance(60) {
			in.WriteString("default:\n")
			f.block(in, 1)
		}
	})
}

// unused is a case that does not repeat a constant.
func (f *fgen) unused(t *typ, withTag bool, seen map[string]bool) string {
	if !withTag {
		return f.paren(tBool, 1)
	}
	return f.operand(t, 1)
}

func (f *fgen) typeSwitch(b *strings.Builder) {
	t := pick(f.gen, f.ifaces)
	v := f.fresh("y")
	f.labelled(b, false, fmt.Sprintf("switch %s := %s.(type)", v, f.operand(t, 2)), func(in *strings.Builder) {
		seen := map[*typ]bool{}
		for range 1 + f.r.IntN(6) {
			c := pick(f.gen, scalars)
			if f.chance(50) {
				c = f.randType(1)
			}
			if t != tAny {
				c = f.dynamicType(t)
			}
			if c == tAny || seen[c] {
				continue
			}
			seen[c] = true
			fmt.Fprintf(in, "case %s:\n_ = %s\n", c.name, v)
			scope := len(f.scope)
			f.declared(v, c)
			f.block(in, 1+f.r.IntN(2))
			f.scope = f.scope[:scope:scope]
		}
		if f.chance(40) {
			fmt.Fprintf(in, "case nil:\nmix(9)\n")
		}
		fmt.Fprintf(in, "default:\n%s\n", f.mixed(v, t))
	})
}

// dynamicType is a type that a value of the interface type t may have.
func (f *fgen) dynamicType(t *typ) *typ {
	for {
		c := pick(f.gen, f.gen.named)
		value, pointer := implements(c, t)
		switch {
		case value && f.chance(70):
			return c
		case pointer:
			return f.ptrTo(c)
		}
	}
}

// callStmt calls something that may have effects. Arguments of methods do not panic: whether the
// receiver is followed before or after them is left open.
func (f *fgen) callStmt(b *strings.Builder) {
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	switch f.r.IntN(8) {
	case 0:
		for _, v := range f.scope {
			if v.t.kind == kFunc && f.chance(50) {
				f.callResults(b, v.name, v.t.params, v.t.results)
				return
			}
		}
	case 1:
		// Methods with pointer receivers, of variables and through pointers.
		for _, v := range f.scope {
			t := v.t
			if t.kind == kPtr {
				t = t.elem
			}
			if t.named && t.kind != kIface && t.hasM && f.chance(50) && !(v.fixed && v.t.kind != kPtr) {
				f.risk = 0
				p("mix(uint64(%s.M(%s)))", v.name, f.expr(tInt, 2))
				if t.hasN {
					p("mixs(%s.N(%s))", v.name, f.expr(tString, 1))
				}
				return
			}
		}
	case 2:
		x := f.fresh("x")
		t := pick(f.gen, f.ifaces[2:])
		f.risk = 0
		p("if %s := %s; %s != nil { mix(uint64(%s.M(%s))) }", x, f.paren(t, 2), x, x, f.expr(tInt, 1))
		return
	case 3:
		// Type assertions.
		t := pick(f.gen, f.ifaces)
		to := f.randType(1)
		if t != tAny {
			to = f.dynamicType(t)
		}
		v := f.fresh("a")
		if f.pure || f.chance(70) {
			ok := f.fresh("ok")
			p("%s, %s := %s.(%s)\nmixb(%s)\n_ = %s", v, ok, f.operand(t, 1), to.name, ok, v)
		} else {
			p("%s := %s.(%s)\n_ = %s", v, f.operand(t, 1), to.name, v)
		}
		f.declared(v, to)
		return
	case 4:
		f.methodValue(b)
		return
	}
	if len(f.funcs) == 0 {
		f.mix(b)
		return
	}
	c := pick(f.gen, f.funcs)
	f.callees = append(f.callees, c)
	f.callResults(b, c.name, c.params, c.results)
}

// callResults calls fn and keeps its results in new variables.
func (f *fgen) callResults(b *strings.Builder, fn string, params, results []*typ) {
	f.callWith(b, fn, "", params, results)
}

// callWith is callResults with the text of arguments in front of those for params.
func (f *fgen) callWith(b *strings.Builder, fn, before string, params, results []*typ) {
	call := fmt.Sprintf("%s(%s%s)", fn, before, f.args(params, 2))
	if len(results) == 0 {
		fmt.Fprintln(b, call)
		return
	}
	var vars []string
	for range results {
		vars = append(vars, f.fresh("r"))
	}
	fmt.Fprintf(b, "%s := %s\n", strings.Join(vars, ", "), call)
	for i, v := range vars {
		t := results[i]
		if s := cut(t, v); s != v {
			fmt.Fprintf(b, "%s = %s\n", v, s)
		}
		fmt.Fprintf(b, "_ = %s\n", v)
		f.declared(v, t)
	}
}

// methodValue binds and calls a method, as a value or as an expression.
func (f *fgen) methodValue(b *strings.Builder) {
	e := pick(f.gen, f.gen.named)
	if !e.hasM {
		f.mix(b)
		return
	}
	x, m := f.fresh("x"), f.fresh("m")
	fmt.Fprintf(b, "%s := %s\n", x, f.expr(e, 2))
	f.risk = 0
	if f.chance(50) {
		fmt.Fprintf(b, "%s := %s.M\n", m, x)
		if y, ok := f.path(e, false); ok {
			fmt.Fprintf(b, "%s = %s\n", x, y)
		}
		fmt.Fprintf(b, "mix(uint64(%s(%s)))\n", m, f.expr(tInt, 1))
	} else if e.ptrM {
		fmt.Fprintf(b, "%s := (*%s).M\nmix(uint64(%s(&%s, %s)))\n", m, e.name, m, x, f.expr(tInt, 1))
	} else {
		fmt.Fprintf(b, "%s := %s.M\nmix(uint64(%s(%s, %s)))\n", m, e.name, m, x, f.expr(tInt, 1))
	}
	f.declared(x, e)
}

// closure declares a function literal that changes captured variables, and calls it.
func (f *fgen) closure(b *strings.Builder) {
	v := f.fresh("c")
	in := f.inner()
	var params []string
	t := f.funcType([]*typ{f.randType(1), tInt}[:1+f.r.IntN(2)], []*typ{f.randType(1)})
	for _, p := range t.params {
		name := f.fresh("p")
		params = append(params, name+" "+p.name)
		in.declared(name, p)
	}
	result := ""
	if f.chance(50) {
		in.results, in.named = t.results, true
		result = f.fresh("r")
		in.declared(result, t.results[0])
	}
	fmt.Fprintf(b, "%s := func(%s) (%s %s) {\nstep()\n%s", v, strings.Join(params, ", "), result, t.results[0].name,
		f.closureBlock(in, 1+f.r.IntN(3)))
	fmt.Fprintf(b, "return %s\n}\n", in.expr(t.results[0], 2))
	for range 1 + f.r.IntN(2) {
		f.callResults(b, v, t.params, t.results)
	}
	f.scope = append(f.scope, variable{name: v, t: t, fixed: true})
}

func (f *fgen) jump(b *strings.Builder) {
	if len(f.loops) == 0 {
		f.mix(b)
		return
	}
	l := pick(f.gen, f.loops)
	inner := f.loops[len(f.loops)-1]
	kw := "break"
	if l.isFor && f.chance(50) {
		kw = "continue"
	}
	label := " " + l.label
	if l == inner && f.chance(50) {
		label = ""
	} else {
		*l.used = true
	}
	fmt.Fprintf(b, "if %s { %s%s }\n", f.paren(tBool, 2), kw, label)
}

// mutate changes memory through copy, append, clear, delete and friends.
func (f *fgen) mutate(b *strings.Builder) {
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	e := f.randType(1)
	t := f.sliceOf(e)
	switch f.r.IntN(7) {
	case 0:
		x, y := f.fresh("v"), f.fresh("v")
		p("%s := %s\n%s := append(%s, %s)\n_ = %s", x, f.expr(t, 2), y, x, f.expr(e, 1), y)
		p("%s = append(%s[:len(%s)/2], %s)", x, x, x, f.expr(e, 1))
		f.declared(x, t)
		f.declared(y, t)
		p("%s\n%s", f.mixed(x, t), f.mixed(y, t))
	case 1:
		x := f.fresh("v")
		p("%s := make(%s, 4, 9)\nmix(uint64(copy(%s[%d:], %s)))", x, t.name, x, f.r.IntN(4), f.expr(t, 2))
		p("mix(uint64(copy(%s[%d:], %s)))\n%s", x, f.r.IntN(3), x, f.mixed(x, t))
		f.declared(x, t)
	case 2:
		x := f.fresh("v")
		p("%s := []byte(%s)\nmix(uint64(copy(%s, %s)))\n%s = append(%s, %s...)\n%s", x, f.expr(tString, 2), x,
			f.expr(tString, 1), x, x, f.expr(tString, 1), f.mixed(x, f.sliceOf(tByte)))
		f.declared(x, f.sliceOf(tByte))
	case 3:
		if x, ok := f.path(t, false); ok {
			p("clear(%s)", x)
		}
	case 4:
		k := f.keyType()
		m := f.mapOf(k, e)
		x := f.fresh("m")
		p("%s := make(%s)\n%s[%s] = %s", x, m.name, x, f.expr(k, 2), f.expr(e, 2))
		p("%s[%s] = %s\ndelete(%s, %s)\nmix(uint64(len(%s)))", x, f.expr(k, 1), f.expr(e, 1), x, f.expr(k, 1), x)
		v, ok := f.fresh("v"), f.fresh("ok")
		p("%s, %s := %s[%s]\nmixb(%s)\n_ = %s", v, ok, x, f.expr(k, 1), ok, v)
		if isInteger(e) {
			p("%s[%s] += %s\n%s[%s]++", x, f.expr(k, 1), f.expr(e, 1), x, f.literal(k, -4))
		}
		f.declared(x, m)
		f.declared(v, e)
	case 5:
		x := f.fresh("v")
		a := f.arrayOf(2+f.r.IntN(4), e)
		p("var %s %s = %s", x, a.name, f.expr(a, 2))
		y := f.fresh("v")
		p("%s := %s[%d:]\n%s[0] = %s\n%s[%d] = %s\n%s\n%s", y, x, 1, y, f.expr(e, 2), x, a.n-1, f.expr(e, 1), f.mixed(x, a), f.mixed(y, t))
		f.declared(x, a)
		f.declared(y, t)
	default:
		if x, ok := f.path(t, true); ok {
			p("%s = %s", x, cut(t, fmt.Sprintf("append(%s, %s...)", x, f.expr(t, 1))))
		}
	}
}

func (f *fgen) panicValue() string {
	switch f.r.IntN(6) {
	case 0:
		return "myErr{" + f.operand(tInt, 1) + "}"
	case 1:
		return "errors.New(" + f.expr(tString, 1) + ")"
	case 2:
		return f.expr(tString, 1)
	case 3:
		return "nil"
	}
	t := pick(f.gen, scalars)
	if t.kind == kFloat || t.kind == kComplex {
		t = tInt16
	}
	return f.expr(t, 1)
}

func (f *fgen) deferStmt(b *strings.Builder) {
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	switch f.r.IntN(7) {
	case 0:
		e := pick(f.gen, scalars)
		p("defer deferred(%d, %s)", f.r.IntN(100), f.expr(e, 2))
	case 1:
		e := pick(f.gen, f.gen.named)
		if e.hasM {
			x := f.fresh("x")
			value := f.expr(e, 2)
			f.risk = 0
			p("%s := %s\ndefer %s.M(%s)", x, value, x, f.expr(tInt, 1))
			f.declared(x, e)
		}
	case 2:
		p("defer func() { recovered(recover()) }()")
	case 3:
		// A new panic in place of the old one.
		p("defer func() { if r := recover(); r != nil { mix(77); panic(fmt.Sprint(\"again \", r)) } }()")
	default:
		in := f.inner()
		r := f.fresh("r")
		p("defer func() {\n")
		if f.chance(70) {
			p("%s := recover()\nrecovered(%s)\nif %s != nil {", r, r, r)
		} else {
			p("{")
		}
		b.WriteString(f.closureBlock(in, 1+f.r.IntN(2)))
		p("}\n}()")
	}
}

// gotoStmt jumps forward over a block or backward to repeat one.
func (f *fgen) gotoStmt(b *strings.Builder) {
	label := f.fresh("G")
	if f.chance(50) {
		fmt.Fprintf(b, "if %s { goto %s }\n{\n", f.paren(tBool, 2), label)
		f.block(b, 2)
		if f.chance(30) {
			fmt.Fprintf(b, "if %s { goto %s }\n", f.paren(tBool, 1), label)
		}
		fmt.Fprintf(b, "}\n%s:\nmix(11)\n", label)
		return
	}
	n := f.fresh("n")
	fmt.Fprintf(b, "%s := 0\n%s:\nstep()\n{\n", n, label)
	f.block(b, 2)
	fmt.Fprintf(b, "}\nif %s++; %s < 4 && %s { goto %s }\n", n, n, f.paren(tBool, 2), label)
}

// bigFrame uses an array far bigger than a stack segment.
func (f *fgen) bigFrame(b *strings.Builder) {
	t := pick(f.gen, scalars)
	v, n := f.fresh("big"), 100+f.r.IntN(5000)
	fmt.Fprintf(b, "var %s [%d]%s\n%s[uint(%s)%%%d] = %s\n", v, n, t.name, v, f.operand(tInt, 1), n, f.expr(t, 2))
	fmt.Fprintf(b, "%s[%d] = %s\n%s\n", v, f.r.IntN(n), f.expr(t, 1), f.mixed(fmt.Sprintf("%s[uint(%s)%%%d]", v, f.operand(tInt, 1), n), t))
	if n < 600 && printable(t) {
		w := f.fresh("big")
		fmt.Fprintf(b, "%s := %s\n%s[1] = %s\nmixb(%s == %s)\n", w, v, w, f.literal(t, 0), v, w)
	}
}
