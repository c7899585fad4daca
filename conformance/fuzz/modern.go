package main

import (
	"fmt"
	"strings"
)

// What only the newest release has: generic methods, promoted fields as keys of literals, and
// functions whose type arguments follow from any place that they are put in. gc 1.27 does not
// compile generic methods without type arguments in literals and where they are sent or converted.

// modernRelease is the release from which on programs have that.
const modernRelease = "go1.27"

// modernPrelude has the generic methods that modernCall uses.
const modernPrelude = `
func (p Pair[K, V]) With[W any](w W) Pair[V, W] { return Pair[V, W]{p.v, w} }

func (s *Stack[E]) Recast[B any](f func(E) B) *Stack[B] {
	if s == nil {
		return nil
	}
	r := &Stack[B]{low: s.low.Recast(f)}
	for _, e := range s.list {
		r.Push(f(e))
	}
	return r
}

func (s *Stack[E]) Fold[B any](b B, f func(B, E) B) B {
	for _, e := range s.All() {
		b = f(b, e)
	}
	return b
}

type Tally struct{ n int }

func (t *Tally) Add[E any](xs ...E) int { t.n += len(xs); return t.n }

func (t Tally) Kind[E any](x E) string {
	type local struct{ x E }
	return fmt.Sprintf("%T %d", local{x}, t.n)
}

func (t Tally) Guard[E any](f func() E) (e E, text string) {
	defer t.caught[E](&text)
	return f(), "fine"
}

func (t Tally) caught[E any](text *string) {
	if r := recover(); r != nil {
		*text = fmt.Sprintf("%T", *new(E))
		recovered(r)
	}
}

type Holder struct {
	*Tally
	Pair[int, string]
}

`

// genericReceiver may make a method of the generic function p, whose text without "func " and name
// it returns.
func (f *fgen) genericReceiver(p *fn) string {
	if !f.modern || f.chance(40) {
		return ""
	}
	p.recv, p.ptr = pick(f.gen, f.gen.named), f.chance(50)
	if p.ptr {
		f.scope = append(f.scope, variable{name: "self", t: f.ptrTo(p.recv), fixed: true})
		return "(self *" + p.recv.name + ") "
	}
	f.declared("self", p.recv)
	return "(self " + p.recv.name + ") "
}

// callMethod calls an instance of the generic method m: directly, as a value or as an expression,
// perhaps through an embedded field.
func (f *fgen) callMethod(b *strings.Builder, m *fn, instance string, params, results []*typ) {
	t := m.recv
	for _, s := range f.gen.named {
		if s.kind == kStruct && len(s.fields) > 0 && s.fields[0].embedded && s.fields[0].t == m.recv && f.chance(40) {
			t = s
		}
	}
	x, v := f.fresh("x"), f.fresh("m")
	fmt.Fprintf(b, "%s := %s\n_ = %s\n", x, f.expr(t, 2), x)
	f.risk = 0
	switch f.r.IntN(4) {
	case 0:
		fmt.Fprintf(b, "%s := %s.%s\n", v, x, instance)
		if y, ok := f.path(t, false); ok {
			fmt.Fprintf(b, "%s = %s\n", x, y)
		}
		f.callResults(b, v, params, results)
	case 1:
		recv, first := t.name, x
		if m.ptr {
			recv, first = "(*"+t.name+")", "&"+x
		}
		f.callWith(b, recv+"."+instance, first+", ", params, results)
	default:
		f.callResults(b, x+"."+instance, params, results)
	}
	f.declared(x, t)
}

// modernCall uses modernPrelude, and generic functions whose type arguments follow from their
// places.
func (f *fgen) modernCall(b *strings.Builder) {
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	e, to := pick(f.gen, scalars), pick(f.gen, scalars)
	if f.chance(40) {
		e = f.randType(1)
	}
	v, s, q := f.fresh("v"), f.fresh("s"), f.fresh("q")
	in := f.inner()
	in.declared(q, e)
	in.pure = true
	switch f.r.IntN(6) {
	case 0:
		p("%s := &Stack[%s]{low: (&Stack[%s]{}).Push(%s)}\n%s.Push(%s)", s, e.name, e.name, f.expr(e, 1), s, f.expr(e, 2))
		p("%s := %s.Recast(func(%s %s) %s { mix(8); return %s }).Fold([]%s(nil), func(l []%s, x %s) []%s { return append(l, x) })", v, s, q, e.name, to.name, in.expr(to, 2), to.name, to.name, to.name, to.name)
		p("%s", f.mixed(v, f.sliceOf(to)))
		f.declared(v, f.sliceOf(to))
	case 1:
		p("%s := Pair[%s, int]{k: %s}.With[%s]\n_ = %s", s, e.name, f.expr(e, 2), to.name, s)
		p("%s := %s(%s).Swap().k\n%s", v, s, f.expr(to, 2), f.mixed(v, to))
		f.declared(v, to)
	case 2:
		p("%s := Holder{Tally: &Tally{n: 2}, k: %s, v: \"h\"}\nmix(uint64(%s.Add(%s, %s)))\n%s := %s.Add[%s]\nmix(uint64(%s(%s) + %s.n))", s, f.expr(tInt, 1), s, f.expr(e, 1), f.expr(e, 1), v, s, to.name, v, f.expr(to, 1), s)
		p("mixs(%s.Kind(%s.Pair))\nmixs(Holder.Kind[%s](%s, %s))", s, s, to.name, s, f.expr(to, 1))
	case 3:
		text := f.fresh("t")
		p("%s, %s := Tally{1}.Guard(func() %s { return %s })\nmixs(%s)\n%s", v, text, to.name, f.expr(to, 3), text, f.mixed(v, to))
		f.declared(v, to)
	case 4:
		p("for _, %s := range []func(%s) %s{id, opaque, 3: id} {\nif %s == nil { continue }\n%s := %s(%s)\n%s\n_ = %s\n}", s,
			e.name, e.name, s, v, s, f.expr(e, 2), f.mixed(v, e), v)
	default:
		p("%s := make(chan func(%s) %s, 1)\n%s <- opaque\n%s := (<-%s)((func(%s) %s)(id)(%s))\n%s\n_ = %s", s, e.name, e.name,
			s, v, s, e.name, e.name, f.expr(e, 2), f.mixed(v, e), v)
		f.declared(v, e)
	}
}

// promoted writes elements for the fields of the embedded struct type t in a literal that names the
// outer type, instead of one for t.
func (f *fgen) promoted(t *typ, value func(*typ) string) []string {
	var s []string
	for _, fd := range t.fields {
		switch {
		case fd.name == "_" || f.chance(30):
		case fd.embedded && fd.t.kind == kStruct && f.chance(60):
			s = append(s, f.promoted(fd.t, value)...)
		default:
			s = append(s, fd.name+": "+value(fd.t))
		}
	}
	return s
}
