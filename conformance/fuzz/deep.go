package main

import (
	"fmt"
	"strings"
)

// deepPrelude has small functions that take, make and call functions, which inlining takes apart
// level by level, and iterators that are made of iterators.
const deepPrelude = `
type Option struct {
	n    int
	f    func(int) int
	tags []string
}

func WithN(n int) func(*Option) { return func(o *Option) { o.n += n } }

func WithF(f func(int) int) func(*Option) {
	return func(o *Option) { o.f = Compose(o.f, f) }
}

func WithTag(s string) func(*Option) { return func(o *Option) { o.tags = append(o.tags, s) } }

func NewOption(opts ...func(*Option)) *Option {
	o := &Option{n: 1}
	for _, set := range opts {
		set(o)
	}
	return o
}

func (o *Option) Apply(x int) int {
	if o.f == nil {
		return x + o.n
	}
	return o.f(x)*3 + o.n + len(o.tags)
}

// Compose is g after f, or g alone.
func Compose[A, B any](f func(A) A, g func(A) B) func(A) B {
	if f == nil {
		return g
	}
	return func(a A) B { return g(f(a)) }
}

func Addr[T any](x T) *T { return &x }

func Deref[T any](p *T) T { return *p }

func Swapped[A, B any](a A, b B) (B, A) { return b, a }

func Either[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

func Mapped[A, B any](s iter.Seq[A], f func(A) B) iter.Seq[B] {
	return func(yield func(B) bool) {
		for a := range s {
			if !yield(f(a)) {
				return
			}
		}
	}
}

func Filtered[A any](s iter.Seq[A], keep func(A) bool) iter.Seq[A] {
	return func(yield func(A) bool) {
		s(func(a A) bool { return !keep(a) || yield(a) })
	}
}

func Taken[A any](s iter.Seq[A], n int) iter.Seq[A] {
	return func(yield func(A) bool) {
		if n <= 0 {
			return
		}
		i := 0
		for a := range s {
			if i++; !yield(a) || i >= n {
				return
			}
		}
	}
}

func Chained[A any](seqs ...iter.Seq[A]) iter.Seq[A] {
	return func(yield func(A) bool) {
		for _, s := range seqs {
			for a := range s {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// Guarded has deferred calls around the body of the loop.
func Guarded[A any](s iter.Seq[A]) iter.Seq[A] {
	return func(yield func(A) bool) {
		defer mix(11)
		for a := range s {
			func() {
				defer mix(12)
				if !yield(a) {
					s = nil
				}
			}()
			if s == nil {
				return
			}
		}
	}
}

func Pulled[A any](s iter.Seq[A]) iter.Seq[A] {
	return func(yield func(A) bool) {
		next, stop := iter.Pull(s)
		defer stop()
		for {
			a, ok := next()
			if !ok || !yield(a) {
				return
			}
		}
	}
}

// Numbered has the numbers below n, the second half by recursion.
func Numbered(n int) iter.Seq[int] {
	return func(yield func(int) bool) { numbered(0, n, yield) }
}

func numbered(from, to int, yield func(int) bool) bool {
	if to-from < 2 {
		return to <= from || yield(from)
	}
	middle := (from + to) / 2
	return numbered(from, middle, yield) && numbered(middle, to, yield)
}
`

// deep writes what inlining, loops over functions and memory of the frame have most to do with.
func (f *fgen) deep(b *strings.Builder) {
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	p("{")
	scope := len(f.scope)
	pick(f.gen, []func(p func(string, ...any)){f.options, f.iterators, f.iterators, f.growing, f.byteOrder})(p)
	f.scope = f.scope[:scope:scope]
	p("}")
}

// within is f where the named integers are known, and nothing may panic.
func (f *fgen) within(names ...string) *fgen {
	in := *f
	in.pure = true
	for _, n := range names {
		in.scope = append([]variable{{name: n, t: tInt, fixed: true}}, in.scope...)
	}
	return &in
}

// options: constructors that take functions, and calls that are known only after several others
// have been inlined.
func (f *fgen) options(p func(string, ...any)) {
	in := f.within("x")
	option := func() string {
		switch f.r.IntN(3) {
		case 0:
			return fmt.Sprintf("WithN(%s)", in.within().literal(tInt, 0))
		case 1:
			return fmt.Sprintf("WithF(func(x int) int { return x%s%s })", pick(f.gen, []string{"+", "^", "*", "-", "&^"}), in.operand(tInt, 1))
		}
		return fmt.Sprintf("WithTag(%q)", pick(f.gen, []string{"", "a", "tag"}))
	}
	var list []string
	for range f.r.IntN(4) {
		list = append(list, option())
	}
	p("o := NewOption(%s)\nfor x := range 3 {\nmix(uint64(o.Apply(x)))\n}", strings.Join(list, ", "))
	t := pick(f.gen, scalars)
	p("q, r := Swapped(Addr(%s), Addr(Addr(%s)))\n%s\nif *r == **q || true { *r = **q }\n%s", f.expr(t, 1), f.expr(t, 1),
		f.mixed("Deref(Deref(q))", t), f.mixed("Either(o.n > 2, *r, **q)", t))
	p("mix(uint64(Compose(Compose(nil, o.Apply), func(x int) int { return x %% 1000 })(%d)))", f.r.IntN(50))
}

// iterators: one made of others, in loops that are left in every way.
func (f *fgen) iterators(p func(string, ...any)) {
	var seq func(depth int) string
	seq = func(depth int) string {
		if depth == 0 {
			return pick(f.gen, []string{"upto(5)", "Numbered(7)", "each2([]int{3, 1, 4, 1, 5})", "slices.Values([]int{2, 7, 1})",
				"Numbered(1)", "upto(0)"})
		}
		s := seq(depth - 1)
		switch f.r.IntN(7) {
		case 0:
			return fmt.Sprintf("Mapped(%s, func(x int) int { step(); return x*%d + %s })", s, 1+f.r.IntN(3), f.within("x").operand(tInt, 0))
		case 1:
			return fmt.Sprintf("Filtered(%s, func(x int) bool { return x%%%d != %d })", s, 2+f.r.IntN(3), f.r.IntN(3))
		case 2:
			return fmt.Sprintf("Taken(%s, %d)", s, f.r.IntN(5))
		case 3:
			return fmt.Sprintf("Chained(%s, %s)", s, seq(0))
		case 4:
			return fmt.Sprintf("Guarded(%s)", s)
		case 5:
			return fmt.Sprintf("Pulled(%s)", s)
		}
		return s
	}
	label := f.fresh("L")
	in := f.within("x", "y")
	leave := func(v string) string {
		return pick(f.gen, []string{
			"break", "continue", "break " + label, "continue " + label, "return total", "return " + v,
			"total += " + v + "; continue", "defer func() { mix(uint64(" + v + ")) }()",
			"func() { defer func() { recover() }(); panic(" + v + ") }()", "panic(" + v + ")", "total ^= " + v,
		})
	}
	p("each2 := func(list []int) iter.Seq[int] {\nreturn func(yield func(int) bool) {\nfor _, x := range list {\nif !yield(x) { return }\n}\n}\n}\n_ = each2")
	loop := fmt.Sprintf("for x := range %s {\nstep()\nif %s { %s }\nfor y := range %s {\nstep()\nif y %%%d == %d { %s }\nif %s { %s }\ntotal = total*3 + x - y\n}\nif %s { %s }\n}",
		seq(f.r.IntN(4)), f.within("x").paren(tBool, 1), leave("x"), seq(f.r.IntN(3)), 2+f.r.IntN(3), f.r.IntN(2), leave("y"),
		in.paren(tBool, 1), leave("y"), f.within("x").paren(tBool, 1), leave("x"))
	if strings.Contains(loop, label) {
		loop = label + ":\n" + loop
	}
	p("loop := func() (total int) {\ndefer func() { mix(uint64(total)) }()\n%s\nreturn total\n}", loop)
	p("probe(func() any { return loop() })\nprobe(func() any { return loop() })")
}

// growing: slices that begin in the frame, outgrow it, are cut, and live beside others that the
// same code lets grow; maps of any size.
func (f *fgen) growing(p func(string, ...any)) {
	t := pick(f.gen, scalars)
	n := pick(f.gen, []int{1, 2, 3, 4, 5, 8, 9, 17, 40})
	in := f.within("i")
	value := in.expr(t, 1)
	p("var last, kept []%s\nfor i := range %d {\nvar list []%s\nfor range i %% %d {\nlist = append(list, %s)\n}", t.name,
		n, t.name, 2+f.r.IntN(9), value)
	switch f.r.IntN(4) {
	case 0:
		p("if len(last) > 1 { list = append(list, last[1:]...) }")
	case 1:
		p("if len(list) > 2 { kept = list[1:2:2]; kept = append(kept, %s) }", value)
	case 2:
		p("kept = append(kept, list...)\nif len(kept) > 20 { kept = kept[:0] }")
	default:
		p("list = append(list[:0:0], %s)", value)
	}
	p("for j, x := range last[:min(len(last), len(list))] {\nlist[j] = x\n}\nlast = list\n}")
	p("mixv(\"%%v\", last)\nmixv(\"%%v\", kept)")
	p("m := make(map[int]int, %s)\nfor i := range %d { m[i*i%%11] += i }\nmixv(\"%%v\", m)",
		pick(f.gen, []string{"len(last)", "len(kept)*7", "8", "9", "len(last) - 3"}), n)
	p("n := 0\nfor i, c := range []byte(fmt.Sprint(len(kept), \"bytes\")) { n += i * int(c) }\nmix(uint64(n))")
}

// byteOrder: numbers that are put together of parts, stored and loaded byte by byte.
func (f *fgen) byteOrder(p func(string, ...any)) {
	a, b := f.operand(tInt, 1), f.operand(tInt, 1)
	order := pick(f.gen, []string{"big", "little"})
	at := func(i int) int {
		if order == "big" {
			return 7 - i
		}
		return i
	}
	var stores, loads []string
	for i := range 8 {
		stores = append(stores, fmt.Sprintf("s[%d] = byte(v >> %d)", at(i), 8*i))
		loads = append(loads, fmt.Sprintf("uint64(s[%d])<<%d", at(i), 8*i))
	}
	f.r.Shuffle(len(stores), func(i, j int) { stores[i], stores[j] = stores[j], stores[i] })
	p("v := uint64(%s)<<%d | uint64(uint32(%s))<<%d", a, 20+f.r.IntN(44), b, f.r.IntN(20))
	p("if v %% 3 == 0 { v = uint64(uint16(v)) << 8 }\ns := make([]byte, %d)\nprobe(func() any {\n%s\nreturn 1\n})",
		pick(f.gen, []int{8, 8, 8, 9, 7, 3}), strings.Join(stores[:3+f.r.IntN(6)], "\n"))
	p("mixv(\"%%v\", s)\nprobe(func() any { return %s })\nk := int(v %% 5)\nprobe(func() any { return string(s[k:k+4]) + string(s[len(s)-3:]) })", strings.Join(loads, " | "))
}

// huge writes a machine of so many states in one function that LLVM's usual passes leave it out.
func (f *fgen) huge(b *strings.Builder) {
	const states = 600
	in := f.within("c", "d")
	fmt.Fprintf(b, "{\nstate, c, d := %d, int(7), int(1)\nvar regs [8]int\nvar text string\nfor range 200 {\nstep()\nswitch state {\n", f.r.IntN(states))
	for i := range states {
		fmt.Fprintf(b, "case %d:\n", i)
		for range 1 + f.r.IntN(3) {
			switch k := f.r.IntN(8); f.r.IntN(9) {
			case 0:
				fmt.Fprintf(b, "c = %s\n", in.operand(tInt, 2))
			case 1:
				fmt.Fprintf(b, "regs[%d] = regs[c&7]*5 + d\n", k)
			case 2:
				fmt.Fprintf(b, "regs[uint(d)%%8] ^= c<<%d | regs[%d]>>1\n", f.r.IntN(9), k)
			case 3:
				fmt.Fprintf(b, "if %s { c, d = d, c+%d }\n", in.paren(tBool, 1), k)
			case 4:
				fmt.Fprintf(b, "*Deref(Addr(&regs[%d])) += *Addr(c)\n", k)
			case 5:
				fmt.Fprintf(b, "text += string(rune('a' + regs[%d]&15))\nif len(text) > 30 { text = text[20:] }\n", k)
			case 6:
				fmt.Fprintf(b, "for j := range %d { d += j*c }\n", 1+f.r.IntN(4))
			case 7:
				fmt.Fprintf(b, "switch d & 3 {\ncase 1: c++\ncase 2: c ^= len(text)\n}\n")
			default:
				fmt.Fprintf(b, "d += regs[%d] %% %d\n", k, 2+f.r.IntN(99))
			}
		}
		switch f.r.IntN(5) {
		case 0:
			fmt.Fprintf(b, "state = %d + c&7\n", f.r.IntN(states-8))
		case 1:
			fmt.Fprintf(b, "if state = %d; d&1 == 0 { state = %d }\n", f.r.IntN(states), f.r.IntN(states))
		case 2:
			fmt.Fprintf(b, "state = %d\ncontinue\n", f.r.IntN(states))
		default:
			fmt.Fprintf(b, "state = %d\n", f.r.IntN(states))
		}
	}
	b.WriteString("}\nd++\n}\nmix(uint64(c)); mix(uint64(d)); mixs(text); mixv(\"%v\", regs)\n}\n")
}
