package main

import (
	"fmt"
	"strings"
)

// genericPrelude has the generic types and functions that genericCall uses.
const genericPrelude = `
type Pair[K, V any] struct {
	k K
	v V
}

func (p Pair[K, V]) Swap() Pair[V, K] { return Pair[V, K]{p.v, p.k} }

type Stack[E any] struct {
	list []E
	low  *Stack[E]
}

func (s *Stack[E]) Push(e E) *Stack[E] { s.list = append(s.list, e); return s }

func (s *Stack[E]) Pop() (e E, ok bool) {
	if n := len(s.list); n > 0 {
		e, s.list = s.list[n-1], s.list[:n-1]
		return e, true
	}
	if s.low != nil {
		return s.low.Pop()
	}
	return
}

func (s *Stack[E]) All() iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i, e := range s.list {
			if !yield(i, e) {
				return
			}
		}
		if s.low != nil {
			s.low.All()(yield)
		}
	}
}

func Map[S ~[]A, A, B any](s S, f func(A) B) []B {
	r := make([]B, 0, len(s))
	for _, a := range s {
		r = append(r, f(a))
	}
	return r
}

func Reduce[A, B any](s []A, b B, f func(B, A) B) B {
	for _, a := range s {
		b = f(b, a)
	}
	return b
}

func Count[K comparable](s []K) map[K]int {
	m := map[K]int{}
	for _, k := range s {
		m[k]++
	}
	return m
}

type methods interface{ M(int) int }

func callM[T methods](x T, n int) int { return x.M(n) }

func boundM[T methods](x T) func(int) int { return x.M }

func zeroM[T any, P interface {
	*T
	methods
}](n int) int {
	var t T
	return P(&t).M(n)
}

func kindOf[T any](x T) string {
	switch x := any(x).(type) {
	case int, int8:
		return "small " + fmt.Sprint(x)
	case string:
		return "string " + x
	case []T:
		return "slice"
	case Pair[T, T]:
		return "pair"
	case interface{ M(int) int }:
		return "method " + fmt.Sprint(x.M(3))
	}
	return fmt.Sprintf("%T", *new(T))
}

func equal[T comparable](a, b T) bool { return a == b }

func recurse[T integer](n int, x T, acc []T) (T, int) {
	step()
	if n == 0 {
		return x, len(acc)
	}
	y, l := recurse(n-1, x*3+T(n), append(acc, x))
	return y ^ x, l + 1
}

`

func (f *fgen) genericCall(b *strings.Builder) {
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	e := pick(f.gen, scalars)
	if f.chance(40) {
		e = f.randType(1)
	}
	if f.modern && f.chance(40) {
		f.modernCall(b)
		return
	}
	switch f.r.IntN(9) {
	case 0, 1, 2:
		if len(f.generics) == 0 {
			f.mix(b)
			return
		}
		g := pick(f.gen, f.generics)
		arg := pick(f.gen, f.gen.instances)
		for _, t := range f.gen.named {
			if isInteger(t) && f.chance(30) {
				arg = t
			}
		}
		var params, results []*typ
		for _, t := range g.params {
			params = append(params, f.substitute(t, arg))
		}
		for _, t := range g.results {
			results = append(results, f.substitute(t, arg))
		}
		instance := g.name + "[" + arg.name + "]"
		if g.recv != nil {
			f.callMethod(b, g, instance, params, results)
			return
		}
		f.callResults(b, instance, params, results)
	case 3:
		s, q, r := f.fresh("s"), f.fresh("q"), f.fresh("v")
		to := pick(f.gen, scalars)
		in := f.inner()
		in.declared(q, e)
		in.pure = true
		p("%s := %s\n%s := Map(%s, func(%s %s) %s { mix(8); return %s })", s, f.expr(f.sliceOf(e), 2), r, s, q, e.name, to.name, in.expr(to, 2))
		p("%s", f.mixed(r, f.sliceOf(to)))
		f.declared(r, f.sliceOf(to))
	case 4:
		s, v, ok := f.fresh("st"), f.fresh("v"), f.fresh("ok")
		p("%s := &Stack[%s]{low: (&Stack[%s]{}).Push(%s)}", s, e.name, e.name, f.expr(e, 1))
		p("%s.Push(%s).Push(%s)\nfor range 4 {\n%s, %s := %s.Pop()\nmixb(%s)\n%s\n}", s, f.expr(e, 2), f.expr(e, 1), v, ok, s, ok, f.mixed(v, e))
		i := f.fresh("i")
		p("for %s, %s := range %s.Push(%s).All() {\nmix(uint64(%s))\n_ = %s\n}", i, v, s, f.expr(e, 1), i, v)
	case 5:
		k := f.keyType()
		p("mixv(\"%%v\", Count([]%s{%s, %s, %s}))", k.name, f.expr(k, 1), f.expr(k, 1), f.expr(k, 1))
		p("mixb(equal(Pair[%s, %s]{%s, %s}, Pair[%s, %s]{%s, %s}.Swap()))", k.name, "int", f.expr(k, 1), f.expr(tInt, 1),
			"int", k.name, f.expr(tInt, 1), f.expr(k, 1))
	case 6:
		t := pick(f.gen, f.gen.named)
		f.risk = 0
		value, _ := implements(t, f.ifaces[2])
		if value {
			p("mix(uint64(callM(%s, %s)))\nmix(uint64(boundM(%s)(%s)))", f.expr(t, 2), f.expr(tInt, 1), f.expr(t, 1), f.expr(tInt, 1))
		}
		p("mix(uint64(zeroM[%s](%s)))", t.name, f.expr(tInt, 1))
	case 7:
		if printable(e) {
			p("mixs(kindOf(%s))\nmixs(kindOf(Pair[%s, int]{}))", f.expr(e, 2), e.name)
		}
	default:
		t := pick(f.gen, integers)
		v, n := f.fresh("v"), f.fresh("n")
		p("%s, %s := recurse(%d, %s, nil)\nmix(uint64(%s))\nmix(uint64(%s))", v, n, 1+f.r.IntN(300), f.operand(t, 2), v, n)
	}
}

// evalOrder writes statements in which calls log their number, where the specification fixes
// the order. The operands have no effects and do not panic.
func (f *fgen) evalOrder(b *strings.Builder) {
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	in := *f
	in.pure = true
	n := 0
	call := func(t *typ) string {
		n++
		return fmt.Sprintf("t(%d, %s)", n, in.operand(t, 2))
	}
	it := pick(f.gen, integers)
	v := f.fresh("v")
	switch f.r.IntN(9) {
	case 0:
		p("%s := %s + %s*%s - (%s ^ %s)\n%s", v, call(it), call(it), call(it), call(it), call(it), f.mixed(v, it))
	case 1:
		p("if %s && %s || %s && !%s { mix(21) }", call(tBool), call(tBool), call(tBool), call(tBool))
		return
	case 2:
		e := f.randType(1)
		it = f.sliceOf(e)
		p("%s := []%s{%s, %s, %s}\n%s[t(31, 0)], %s[t(32, 1)] = %s, %s\n%s", v, e.name, call(e), call(e), call(e), v, v,
			call(e), call(e), f.mixed(v, it))
	case 3:
		it = f.mapOf(tString, tInt)
		p("%s := %s{t(40, \"a\"): %s, t(41, \"b\"): %s}\n%s[%s] = %s\n%s", v, it.name, call(tInt), call(tInt), v,
			call(tString), call(tInt), f.mixed(v, it))
	case 4:
		it = f.arrayOf(4, tInt)
		p("var %s %s\n%s[%s&3] += %s\n%s[%s&3]++\n%s", v, it.name, v, call(tInt), call(tInt), v, call(tInt), f.mixed(v, it))
	case 5:
		p("%s := sum(%s, sum(%s, %s), %s)\n%s", v, call(it), call(it), call(it), call(it), f.mixed(v, it))
	case 6:
		p("func() {\ndefer deferred(%s, %s)\ndefer deferred(t(51, uint64(3)), %s)\n}()", call(tUint64), call(it), call(it))
		return
	case 7:
		i := f.fresh("i")
		it = f.arrayOf(3, tInt)
		p("%s, %s := 0, %s{4, 5, 6}\n%s, %s[%s] = 1, %s\n%s[0], %s[1], %s[2] = %s[1], %s[2], %s[0]\nmix(uint64(%s))\n%s", i,
			v, it.name, i, v, i, call(tInt), v, v, v, v, v, v, i, f.mixed(v, it))
	default:
		e := f.randType(1)
		it = f.structOf(1)
		p("switch %s {\ncase %s:\nmix(61)\ncase %s:\nmix(62)\n}", call(tInt16), call(tInt16), call(tInt16))
		p("%s := %s\n_ = any(%s)", v, f.expr(it, 2), call(e))
	}
	f.declared(v, it)
	p("_ = %s", v)
}

// concurrent writes goroutines whose results do not depend on how they interleave.
func (f *fgen) concurrent(b *strings.Builder) {
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	e := f.randType(1)
	ch, arg, i := f.fresh("ch"), f.fresh("p"), f.fresh("i")
	// What runs in a goroutine sees its parameters only.
	in := &fgen{gen: f.gen, pure: true, inFunc: 2}
	in.declared(arg, e)
	in.declared(i, tInt)
	saved := f.pures
	f.gen.pures = nil // they may read package variables
	value := in.expr(e, 3)
	bit := in.operand(tUint32, 2)
	f.gen.pures = saved
	switch f.r.IntN(8) {
	case 0:
		p("{\n%s := make(chan %s, %d)\ngo func(%s %s) {\ndefer close(%s)\nfor %s := range 5 {\n_ = %s\n%s <- %s\n_ = %s\n}\n}(%s)", ch, e.name, f.r.IntN(4), arg, e.name, ch, i, i, ch, value, arg, f.expr(e, 2))
		p("for %s := range %s {\n%s\n_ = %s\n}\n}", arg, ch, f.mixed(arg, e), arg)
	case 1:
		p("{\nvar wg sync.WaitGroup\nvar total atomic.Uint32\nfor range %d {\nwg.Add(1)\ngo func(%s %s) {\ndefer wg.Done()\n%s := 1\n_ = %s\ntotal.Add(%s)\n_ = %s\n}(%s)\n}\nwg.Wait()\nmix(uint64(total.Load()))\n}", 1+f.r.IntN(9), arg, e.name, i, i, bit, arg, f.expr(e, 2))
	case 2:
		p("{\nres := make([]%s, 6)\nvar wg sync.WaitGroup\nfor %s := range res {\nwg.Go(func() {\n%s := res[(%s+1)%%1]\n_ = %s\nif %s > 0 { res[%s] = %s }\n})\n}\nwg.Wait()\n%s\n}", e.name, i, arg, i, arg, i, i, value, f.mixed("res", f.sliceOf(e)))
	case 3:
		p("{\na, c := make(chan %s), make(chan uint32)\ngo func() {\nfor %s := range a {\n_ = %s\n%s := 3\n_ = %s\nc <- %s\n}\nclose(c)\n}()", e.name, arg, arg, i, i, bit)
		p("for range 3 {\na <- %s\nmix(uint64(<-c))\n}\nclose(a)\n_, ok := <-c\nmixb(ok)\n}", f.expr(e, 2))
	case 4:
		p("{\na, c := make(chan %s, 3), make(chan uint64)\nvar null chan int\ns := uint64(0)\ngo func() {\nfor k := range uint64(6) { c <- k }\nclose(c)\n}()\na <- %s\na <- %s\nclose(a)", e.name, f.expr(e, 2), f.expr(e, 1))
		p("for live := 2; live > 0; {\nselect {\ncase x, ok := <-a:\nif !ok { a = nil; live--; continue }\ns += 5\n%s\ncase x, ok := <-c:\nif !ok { c = nil; live--; break }\ns += x\ncase <-null:\nmix(99)\n}\n}\nmix(s)\n}", "_ = x")
	case 5:
		p("{\nc := make(chan %s, 1)\nselect {\ncase x := <-c:\n_ = x\nmix(1)\ndefault:\nmix(2)\n}\nselect {\ncase c <- %s:\nmix(3)\ndefault:\nmix(4)\n}\nselect {\ncase c <- %s:\nmix(5)\ncase x, ok := <-c:\n%s\nmixb(ok)\n}\nmix(uint64(len(c)))\n}", e.name, f.expr(e, 2), f.expr(e, 1), f.mixed("x", e)+"\n_ = x")
	case 6:
		x := f.expr(e, 2)
		p("{\nnext, stop := iter.Pull2(each([]%s{%s, %s}))\n_, x, ok := next()\nmixb(ok)\n%s\n_ = x\n_, _, ok = next()\nif %s { stop() }\n_, _, ok = next()\nmixb(ok)\nstop()\n}", e.name, x, f.expr(e, 1), f.mixed("x", e), f.paren(tBool, 1))
	default:
		p("{\nerrs := make(chan any)\ngo func() {\ndefer func() { errs <- recover() }()\n%s := []int{1, 2}\n%s[uint(%s)&3]++\n}()\nr := <-errs\nrecovered(r)\nvar once sync.Once\nfor range 3 { once.Do(func() { mix(12) }) }\n}", arg, arg, "len(os.Args)+3")
	}
	_ = bit
}
