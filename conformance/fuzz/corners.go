package main

import (
	"fmt"

	"strings"
)

// cornerPrelude has the declarations that corner uses.
const cornerPrelude = `
// Embedded interfaces: methods promoted through them, at any depth, and by pointers.
type Emb struct {
	I0
	n int
}

type Deep struct {
	*Emb
	tag string
}

type Over struct{ Deep }

func (o Over) M(n int) int { return o.Emb.M(n) + 1 }

// A tree whose constraint has operators, and a list that embeds an instance.
type Tree[K cmp.Ordered, V any] struct {
	left, right *Tree[K, V]
	k           K
	v           V
}

func (t *Tree[K, V]) Put(k K, v V) *Tree[K, V] {
	switch {
	case t == nil:
		return &Tree[K, V]{k: k, v: v}
	case k < t.k:
		t.left = t.left.Put(k, v)
	case k > t.k:
		t.right = t.right.Put(k, v)
	default:
		t.v = v
	}
	return t
}

func (t *Tree[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { t.walk(yield) }
}

func (t *Tree[K, V]) walk(yield func(K, V) bool) bool {
	return t == nil || t.left.walk(yield) && yield(t.k, t.v) && t.right.walk(yield)
}

type Tagged[E any] struct {
	Stack[E]
	tag E
}

type Alias[T any] = Pair[T, []T]

type Self[T any] interface{ Less(T) bool }

type Num int

func (n Num) Less(m Num) bool { return n < m }

func (n Num) String() string { return "#" + strconv.Itoa(int(n)) }

func largest[T interface {
	Self[T]
	~int
	fmt.Stringer
}](xs ...T) (best T, s string) {
	for i, x := range xs {
		if i == 0 || best.Less(x) {
			best = x
		}
	}
	return best, best.String() + fmt.Sprint(int(best)+len(xs))
}

func sizes[T any, S ~[]T](s S) string {
	switch any(s).(type) {
	case []int8, []uint8:
		return "bytes"
	case []T:
		return fmt.Sprintf("plain %T %d", *new(T), len(s))
	}
	return fmt.Sprintf("named %T", s)
}

func variadic(first int, rest ...any) (n int) {
	for i, r := range rest {
		switch r := r.(type) {
		case int:
			n += r * i
		case string:
			n += len(r)
		case nil:
			n--
		case error:
			n += 100
		}
	}
	return n*first + len(rest)
}

// probe ends with what a panic of f carried, or its result.
func probe(f func() any) {
	defer func() {
		if r := recover(); r != nil {
			recovered(r)
		}
	}()
	mixv("%v", f())
}
`

// corner writes one of the constructs that random composition of expressions and statements would
// hardly ever make.
func (f *fgen) corner(b *strings.Builder) {
	p := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	templates := []func(p func(string, ...any)){f.loopVars, f.oddKeys, f.embedded, f.constants, f.unsafeViews, f.bytesAndStrings,
		f.arrayRanges, f.ifaceEquality, f.conversions, f.genericTypes, f.deferLoop, f.selectLoop, f.panicChain, f.methodForms, f.variadics,
		f.specialFloats, f.structForms, f.pointerForms, f.rangeFuncs, f.shadows, f.bigLoops}
	p("{")
	scope := len(f.scope)
	pick(f.gen, templates)(p)
	f.scope = f.scope[:scope:scope]
	p("}")
}

// loopVars: each iteration has variables of its own, which closures keep.
func (f *fgen) loopVars(p func(string, ...any)) {
	t := pick(f.gen, integers)
	in := *f
	in.pure = true
	in.declared("i", t)
	p("var fs []func() %s\nfor i := %s(0); i < %d; i++ {", t.name, t.name, 2+f.r.IntN(5))
	switch f.r.IntN(4) {
	case 0:
		p("fs = append(fs, func() %s { i += %s; return i })\nif %s { i++ }", t.name, in.operand(t, 1), in.paren(tBool, 1))
	case 1:
		p("defer func() { mix(uint64(i)) }()\nif %s { continue }\nfs = append(fs, func() %s { i ^= 3; return i })", in.paren(tBool, 1), t.name)
	case 2:
		p("q := &i\nfs = append(fs, func() %s { *q += 2; return i })\n*q += %s & 1", t.name, in.operand(t, 1))
	default:
		p("j := i * 2\nfs = append(fs, func() %s { j += i; return j })\nif j > 4 { break }", t.name)
	}
	p("}\nfor _, g := range fs {\nmix(uint64(g()))\nmix(uint64(g()))\n}")
}

// oddKeys: NaN, zeros of both signs, and interfaces as keys.
func (f *fgen) oddKeys(p func(string, ...any)) {
	x := f.expr(tF64, 2)
	p("fl := map[float64]int{}\nnan := math.NaN()\nfor i, k := range []float64{nan, 0, math.Copysign(0, -1), %s, nan, math.Inf(1), %s} { fl[k] += i + 1 }", x, f.expr(tF64, 1))
	p("total, found := 0, 0\nfor k, e := range fl {\ntotal += e\nif k != k { found++ }\n}\nmix(uint64(total))\nmix(uint64(found))\nmix(uint64(len(fl)))\nmix(uint64(fl[0]))\nmix(uint64(fl[nan]))")
	p("delete(fl, nan)\nmix(uint64(len(fl)))\nclear(fl)\nmix(uint64(len(fl)))")
	p("an := map[any]string{}\nfor i, k := range []any{1, int8(1), \"1\", %s, nil, [2]any{1, \"x\"}, struct{ a any }{2.5}, 1.0, complex64(1), true, %s} { an[k] += strconv.Itoa(i) }", f.expr(pick(f.gen, integers), 2), f.expr(tString, 1))
	p("mixs(an[1] + an[int8(1)] + an[\"1\"] + an[nil] + an[[2]any{1, \"x\"}] + an[struct{ a any }{2.5}])\nmix(uint64(len(an)))")
	p("probe(func() any { return an[%s] })",
		pick(f.gen, []string{"[]int{1}", "[1]any{func() {}}", "map[int]int{}", "struct{ a any }{[]int{}}", "any(nil)", "int8(1)"}))
	p("type key struct {\nf float64\ns string\n_ int\n}\nst := map[key]int{{f: 0, s: \"a\"}: 1}\nst[key{f: math.Copysign(0, -1), s: \"a\"}] += %s\nmixv(\"%%v\", len(st))\nmix(uint64(st[key{s: \"a\"}]))", f.operand(tInt, 1))
}

// embedded: promotion through interfaces and pointers that may be nil.
func (f *fgen) embedded(p func(string, ...any)) {
	x := f.expr(f.ifaces[2], 2)
	f.risk = 0
	p("e := Emb{%s, %s}\nd := Deep{&e, \"t\"}\no := Over{d}\nn := %s", x, f.expr(tInt, 1), f.expr(tInt, 1))
	p("if e.I0 != nil {\nmix(uint64(e.M(n)))\nmix(uint64(d.M(n)))\nmix(uint64(o.M(n)))\nvar i I0 = d\nmix(uint64(i.M(n + 1)))\ni = &o\ng := i.M\no.Emb = &Emb{e, 1}\nmix(uint64(g(n)))\nh := I0.M\nmix(uint64(h(e, 3)))\nk := Over.M\nmix(uint64(k(o, 2)))\n}")
	p("probe(func() any { return Emb{}.M(n) })\nprobe(func() any { return Deep{}.M(n) })\nprobe(func() any { var i I0 = Over{}; return i.M == nil })\nprobe(func() any { var i I0; return i.M == nil })")
	p("e.n, d.n = d.n+1, e.n*2\nmix(uint64(e.n))\n_, ok := any(d).(I0)\nmixb(ok)\n_, ok = any(o).(I1)\nmixb(ok)")
}

// constants: arithmetic that only fits while it is constant.
func (f *fgen) constants(p func(string, ...any)) {
	a, s, k := 1+f.r.IntN(1000), 60+f.r.IntN(200), 3+f.r.IntN(40)
	p("const big = %d << %d\nconst back = big >> %d\nmix(uint64(back))\nmixf(float64(big))\nmixf(big / 3.0)\nmixb(big > math.MaxUint64)", a, s, s-f.r.IntN(20))
	p("const (\nfirst = iota * %d\nsecond\n_\nthird = 1 << (iota + %d)\nfourth\nname = \"c\" + \"d\"\nsize = len(name) + %d\n)\nmix(uint64(first + second + third + fourth + size))", k, k%9, k)
	p("mixf(float64(float32(%d.0 / 3)))\nmixf(1.0 / %d * 3)\nmixv(\"%%v\", 'a' + %d)\nmixv(\"%%v\", %d.5 + 2i*%d)\nmix(uint64(uint8(%d %% 256)))\nmix(uint64(^uint16(%d)))\nmix(uint64(int8(-128) / int8(opaque(-1))))", a, k, k, k, a, a, k)
	p("var sh uint = %s\nmix(uint64(1 << (sh & 31)))\nmix(uint64(int8(1) << (sh & 15)))\nmixf(float64(int64(1) << (sh & 63)))\nvar w int64 = 1 << (sh & 40)\nmix(uint64(w))", f.operand(tUint, 1))
}

// unsafeViews: the same memory as strings, slices and arrays.
func (f *fgen) unsafeViews(p func(string, ...any)) {
	t := pick(f.gen, integers)
	p("s := append(%s, 1, 2, 3)\nq := unsafe.SliceData(s)\nv := unsafe.Slice(q, len(s)-1)\nv[len(v)-1] ^= %s",
		f.expr(f.sliceOf(t), 2), f.operand(t, 1))
	p("mixv(\"%%v\", s)\nraw := unsafe.Slice((*byte)(unsafe.Pointer(q)), uintptr(len(s))*unsafe.Sizeof(s[0]))\nfor _, x := range raw { mix(uint64(x)) }\nmixs(unsafe.String(&raw[0], 3))")
	p("str := %s + \"x\"\nmix(uint64(*unsafe.StringData(str)))\nbs := []byte(str)\nmixb(unsafe.String(&bs[0], len(bs)) == str)\na := (*[2]%s)(unsafe.Pointer(&s[1]))\na[1]++\nmixv(\"%%v\", *a)", f.expr(tString, 1), t.name)
	p("var st struct { a byte; b %s; c int16 }\n*(*int16)(unsafe.Add(unsafe.Pointer(&st), unsafe.Offsetof(st.c))) = 77\nmix(uint64(st.c))\nmix(uint64(unsafe.Sizeof(st)))\nprobe(func() any { n := opaque(-1); return unsafe.Slice(q, n) })", t.name)
}

// bytesAndStrings: conversions whose copy gc avoids.
func (f *fgen) bytesAndStrings(p func(string, ...any)) {
	p("bs := []byte(%s)\nm := map[string]int{\"a\": 1, \"abc\": 2, \"\": 3, string(bs): 4}\nmix(uint64(m[string(bs)]))\nmixb(string(bs) == %s)\nmixb(string(bs) < \"b\")", f.expr(tString, 2), f.expr(tString, 1))
	p("for i, c := range []byte(%s) { mix(uint64(i) + uint64(c)) }\nfor i, c := range string(bs) { mix(uint64(i) * uint64(c)) }\nold := string(bs)\nif len(bs) > 0 { bs[0] ^= 0x80 }\nmixs(old)\nmixs(string(bs))\nmixs(\"<\" + string(bs) + \">\")", f.expr(tString, 2))
	p("m[string(bs)]++\nif len(bs) > 0 { bs[len(bs)-1]++ }\nmix(uint64(m[old]))\nmix(uint64(len(m)))\nswitch string(bs) {\ncase \"a\", \"abc\":\nmix(1)\ncase old:\nmix(2)\ncase \"\\xff\\xfe\":\nmix(3)\n}")
	p("rs := []rune(old)\nmixs(string(append(rs, 0x10ffff, -1, 0xd800, 'x')))\nacc := \"\"\nfor range %d {\nacc += old\nif len(acc) > 40 { acc = acc[1:3] }\n}\nmixs(acc)", 1+f.r.IntN(6))
}

// arrayRanges: a range over an array sees a copy, over its pointer or a slice the memory.
func (f *fgen) arrayRanges(p func(string, ...any)) {
	t := pick(f.gen, integers)
	n := 2 + f.r.IntN(5)
	a := f.arrayOf(n, t)
	over := pick(f.gen, []string{"a", "&a", "a[:]"})
	p("a := %s\nc := a\nfor i, x := range %s {\na[(i+1)%%%d] += x + 1\nc[i] ^= a[i]\nif x == %s { break }\n}\nmixv(\"%%v%%v\", [2]%s{a, c})\nmixb(a == c)", f.expr(a, 2), over, n, f.operand(t, 1), a.name)
	p("s := a[:1]\nfor i, x := range s {\ns = append(s, x, x+1)\nmix(uint64(i + len(s)))\n}\nmixv(\"%%v\", a)\nm := [2][3]%s{{1, 2}, {3}}\nfor i := range m {\nrow := m[i]\nrow[0]++\nm[1-i][2] += row[0] + m[i][1]\n}\nmixv(\"%%v\", m)", t.name)
	p("pa := &m[1]\nm[1] = [3]%s{9, 8, 7}\npb := pa\npb[1], pa[2] = pa[2], pb[0]\nmixv(\"%%v\", *pa)\nfor i := range len(m) { m[i], m[0] = m[0], m[i] }\nmixv(\"%%v\", m)", t.name)
}

// ifaceEquality: comparisons of interfaces, which may panic.
func (f *fgen) ifaceEquality(p func(string, ...any)) {
	values := []string{"1", "int64(1)", "\"1\"", "nil", "1.0", "math.NaN()", "[]int{1}", "[2]int{1, 2}", "[1]any{1}",
		"[1]any{[]int{}}", "struct{ a int; b any }{1, \"x\"}", "struct{ a int; b any }{2, []int{}}", "errors.New(\"e\")",
		"myErr{3}", "func() {}", "map[int]int{}", "complex(1, 0)", "byte(49)", "&struct{}{} == nil"}
	p("vs := []any{%s, %s, %s, %s, %s}", pick(f.gen, values), pick(f.gen, values), pick(f.gen, values),
		f.expr(pick(f.gen, scalars), 1), pick(f.gen, values))
	p("for _, x := range vs { for _, y := range vs { probe(func() any { return x == y }) } }")
	p("probe(func() any { return [2]any{vs[0], vs[1]} == [2]any{vs[0], vs[2]} })\nvar e1 error = myErr{%s}\nvar e2 any = myErr{3}\nmixb(e1 == e2)\nmixb(e2 == myErr{3})\nvar np *int\nvar ni any = np\nmixb(ni == nil)\nmixb(ni == (*int)(nil))", f.operand(tInt, 1))
	p("probe(func() any {\nswitch vs[1] {\ncase vs[0]:\nreturn \"first\"\ncase 1, \"1\":\nreturn \"one\"\ncase nil:\nreturn \"nil\"\n}\nreturn \"other\"\n})")
}

// conversions: between all widths, and of floats that do not fit.
func (f *fgen) conversions(p func(string, ...any)) {
	from, to, back := pick(f.gen, numbers), pick(f.gen, numbers), pick(f.gen, numbers)
	p("for _, x := range []%s{%s, %s, %s, %s} {\ny := %s(x)\nz := %s(y)", from.name, f.expr(from, 2), f.literal(from, 0),
		f.literal(from, 0), f.literal(from, 0), to.name, back.name)
	p("%s\n%s\nmixb(%s(z) == x)\nmix(uint64(int8(y)) + uint64(uint16(z)))\n}", f.mixed("y", to), f.mixed("z", back), from.name)
	p("for _, x := range []float64{1e19, -1e19, 9.3e18, 1.9e19, -1, -0.5, 4294967296, 2147483648, -2147483649, math.Inf(1), math.Inf(-1), math.NaN(), %s} {\nmix(uint64(x))\nmix(uint64(int64(x)))\nmix(uint64(uint32(x)))\nmix(uint64(int32(x)))\nmix(uint64(int8(x)))\nmix(uint64(uint8(float32(x))))\nmixf(float64(float32(x)))\n}", f.expr(tF64, 1))
	p("for _, x := range []uint64{1 << 63, 1<<64 - 1, 1<<53 + 1, 1<<24 + 1, %s} {\nmixf(float64(x))\nmixf(float64(float32(x)))\nmixf(float64(int64(x)))\nmixf(float64(float32(int64(x))))\n}", f.expr(tUint64, 1))
}

// genericTypes: instances of generic types with methods, aliases and embedded instances.
func (f *fgen) genericTypes(p func(string, ...any)) {
	k := pick(f.gen, []*typ{tString, tInt, tInt8, tUint16, tF64})
	v := f.randType(1)
	p("var t *Tree[%s, %s]\nfor range 3 { t = t.Put(%s, %s) }\nt = t.Put(%s, %s)", k.name, v.name, f.expr(k, 2),
		f.expr(v, 1), f.literal(k, 0), f.literal(v, 0))
	p("for k, v := range t.All() {\n%s\n_ = v\nif %s { break }\n}\nput := t.Put\nt = put(%s, %s)\nn := 0\nfor range t.All() { n++ }\nmix(uint64(n))", f.mixed("k", k), f.paren(tBool, 1), f.literal(k, 0), f.literal(v, 0))
	e := pick(f.gen, scalars)
	p("g := Tagged[%s]{tag: %s}\ng.Push(g.tag).Push(%s)\nx, ok := g.Pop()\nmixb(ok)\n%s\npop := g.Pop\nx, ok = pop()\n%s\nmixb(ok)\nvar al Alias[%s] = Pair[%s, []%s]{x, g.list}\nmix(uint64(len(al.Swap().k)))\nmixs(fmt.Sprintf(\"%%T\", al))", e.name, f.expr(e, 1), f.expr(e, 1), f.mixed("x", e), f.mixed("x", e), e.name, e.name, e.name)
	p("best, text := largest(Num(%s), Num(3), Num(%s))\nmix(uint64(best))\nmixs(text)\nmixs(sizes[%s]([]%s{}))\ntype own []%s\nmixs(sizes(own{}))\nmixs(strings.ReplaceAll(kindOf(own{}), \"own\", \"\"))", f.operand(tInt, 1), f.operand(tInt, 1), e.name, e.name, e.name)
}

// deferLoop: deferred calls from loops, which recover and panic again.
func (f *fgen) deferLoop(p func(string, ...any)) {
	in := *f
	in.pure = true
	in.declared("i", tInt)
	p("func() {\ndefer func() { recovered(recover()) }()\nfor i := range %d {\ndefer func() {\nmix(uint64(i) + 70)\nif r := recover(); r != nil {\nmixv(\"%%v\", r)\nif %s { panic(i) }\n}\nif %s { panic(\"new\") }\n}()\nif %s { panic(fmt.Sprint(\"p\", i)) }\nif %s { return }\n}\n}()", 1+f.r.IntN(5), in.paren(tBool, 1), in.paren(tBool, 1), in.paren(tBool, 1), in.paren(tBool, 1))
	p("r := func() (n int) {\ndefer func() { n *= 2 }()\nfor i := range upto(%d) {\ndefer func() { n += i }()\nif %s { return i * 100 }\n}\nreturn 5\n}()\nmix(uint64(r))", 1+f.r.IntN(5), in.paren(tBool, 1))
	p("func() {\ndefer func() { mixb(recover() == nil) }()\ndefer func() {\ndefer func() { recovered(recover()) }()\npanic(%s)\n}()\npanic(myErr{4})\n}()", f.panicValue())
}

// selectLoop: labels across select, switch and range over channels.
func (f *fgen) selectLoop(p func(string, ...any)) {
	in := *f
	in.pure = true
	in.declared("x", tInt)
	label := f.fresh("L")
	p("c, d := make(chan int, 8), make(chan string, 8)\nfor i := range %d { c <- i * 3 }\nclose(c)\nd <- %s\nn := 0",
		1+f.r.IntN(8), f.expr(tString, 1))
	p("%s:\nfor {\nstep()\nselect {\ncase x, ok := <-c:\nif !ok { break %s }\nswitch {\ncase %s:\ncontinue %s\ncase %s:\nbreak\ncase %s:\nbreak %s\ndefault:\nn += x\n}\nn++\nfor range 2 {\nif %s { continue %s }\n}\n}\nif n > 20 { goto %sout }\n}\nmix(1)\n%sout:\nmix(uint64(n))", label, label, in.paren(tBool, 1), label, in.paren(tBool, 1), in.paren(tBool, 1), label, in.paren(tBool, 1), label, label, label)
	p("select {\ncase s := <-d:\nmixs(s)\ndefault:\nmix(7)\n}\nselect {\ncase d <- \"y\":\ncase <-(chan int)(nil):\n}\nmix(uint64(len(d)))\nprobe(func() any { close(c); return 1 })\nprobe(func() any {\nselect {\ncase c <- 1:\ndefault:\n}\nreturn 2\n})\nvar never chan int\nprobe(func() any { close(never); return 1 })")
}

// panicChain: panics in deferred calls of calls, errors of the run-time system as values.
func (f *fgen) panicChain(p func(string, ...any)) {
	faults := []string{"var m map[int]int; m[1]++", "var q *[4]int; q[1]++", "var i any = 3; _ = i.(string)",
		"var e error; _ = e.Error()", "s := []int{1}; n := opaque(5); _ = s[n:]", "n := opaque(-1); _ = make([]int, n)",
		"n := opaque(0); mix(uint64(1 / n))", "s := \"abc\"; n := opaque(7); mix(uint64(s[n]))", "var g func(); g()",
		"s := []int{1, 2}; n := opaque(3); _ = [3]int(s[:n-1])", "n := opaque(-3); mix(1 << n)", "panic(nil)",
		"a := [3]int{}; n := opaque(3); a[n]++", "var i I0; _ = any(i).(I1)", "var i any = myErr{}; _ = i.(I0)"}
	p("func() {\ndefer func() {\nr := recover()\nrecovered(r)\nif e, ok := r.(error); ok { mixb(errors.As(e, new(runtime.Error))) }\n}()\ndefer func() {\nif %s { %s }\n}()\ndefer func() { recovered(recover()) }()\n%s\n}()", f.paren(tBool, 1), pick(f.gen, faults), pick(f.gen, faults))
	p("func() {\ndefer func() { recovered(recover()) }()\nfunc() {\ndefer mix(31)\n%s\n}()\nmix(32)\n}()\nprobe(func() any { %s; return 9 })", pick(f.gen, faults), pick(f.gen, faults))
}

// methodForms: go and defer of methods, method values and expressions of interfaces and instances.
func (f *fgen) methodForms(p func(string, ...any)) {
	x := f.expr(f.ifaces[2], 2)
	f.risk = 0
	p("var i I0 = %s\nif i == nil { i = Emb{nil, 1} }\nprobe(func() any {\ndefer i.M(%s)\nm := i.M\nn := m(%s)\ndefer I0.M(i, n)\nreturn n\n})", x, f.expr(tInt, 1), f.expr(tInt, 1))
	p("done := make(chan int)\ngo func(g func() any) { probe2 := 0; defer func() { recover(); done <- probe2 }(); probe2 = g().(int) }(func() any { return len(os.Args) * 2 })\nmix(uint64(<-done))")
	p("st := &Stack[int]{}\npush := st.Push\ndefer st.Push(1)\npush(%s).Push(4)\nfor _, e := range (*Stack[int]).All(st) { mix(uint64(e)) }\nf2 := (*Stack[int]).Pop\na, ok := f2(st)\nmix(uint64(a))\nmixb(ok)\nvar pop interface{ Pop() (int, bool) } = st\na, ok = pop.Pop()\nmix(uint64(a))\nmixs(Num.String(Num(%s)))", f.expr(tInt, 1), f.operand(tInt, 1))
}

func (f *fgen) variadics(p func(string, ...any)) {
	t := pick(f.gen, integers)
	p("xs := %s\nmix(uint64(sum(xs...)))\nmix(uint64(sum[%s]()))\nmix(uint64(variadic(2)))\nmix(uint64(variadic(3, nil)))\nmix(uint64(variadic(%s, %s, %s, nil, myErr{1}, 2.5)))\nmix(uint64(variadic(1, []any{1, \"a\"}...)))\nmix(uint64(variadic(1, []any{1, \"a\"})))", f.expr(f.sliceOf(t), 2), t.name, f.operand(tInt, 1), f.expr(tInt, 1), f.expr(tString, 1))
	p("change := func(ys ...%s) int { if len(ys) > 0 { ys[0]++ }; ys = append(ys, 1); return len(ys) }\nmix(uint64(change(xs...)))\nmix(uint64(change()))\n%s\nmixs(fmt.Sprintln(append([]any{1}, %s, len(xs))...))", t.name, f.mixed("xs", f.sliceOf(t)), f.expr(tString, 1))
}

// specialFloats: signs of zero, infinities and NaN through operators, min, max and comparisons.
func (f *fgen) specialFloats(p func(string, ...any)) {
	t := pick(f.gen, []*typ{tF64, tF32})
	x := f.expr(t, 2)
	p("zero := opaque[%s](0)\nfor _, x := range []%s{-zero, zero, 1 / zero, -1 / zero, zero / zero, %s, 1e-40, 3} {\nfor _, y := range []%s{zero, -zero, 1 / zero, zero / zero, 2.5, %s} {", t.name, t.name, x, t.name, f.literal(t, 0))
	p("mixf(float64(x + y))\nmixf(float64(x * y))\nmixf(float64(x / y))\nmixf(float64(x - y*x))\nmixf(float64(min(x, y)))\nmixf(float64(max(x, y, 1)))\nmixb(x < y)\nmixb(x == y)\nmixb(!(x >= y))\nmixb(x != x)\nmixf(1 / float64(-x))\nmixf(math.Copysign(float64(x), float64(y)))\nmixc(complex(float64(x), 1) * complex(float64(y), -1))\nmixb(x == x && math.Signbit(float64(-x)))\n}\n}")
	if f.chance(40) {
		p("c := complex(%s, %s)\nfor _, d := range []complex128{0, 1, 1i, complex(math.Inf(1), 0), complex(0, math.NaN()), c} {\nmixc(c / d)\nmixc(d * d)\nmixb(c == d)\nmixc(-d)\nmixf(real(d) + imag(c))\n}", f.expr(tF64, 1), f.expr(tF64, 1))
	}
}

// structForms: conversions between struct types, comparisons, blank and empty fields, copies.
func (f *fgen) structForms(p func(string, ...any)) {
	t, u := f.randType(1), pick(f.gen, scalars)
	p("type A struct {\nx %s\ny %s `json:\"y\"`\n_ [3]byte\nz struct{}\n}\ntype B struct {\nx %s\ny %s\n_ [3]byte\nz struct{}\n}", t.name, u.name, t.name, u.name)
	p("a := A{x: %s, y: %s}\nb := B(a)\nc := &a\nd := *c\nc.y = %s\n%s\n%s\n%s\nmixs(fmt.Sprintf(\"%%T\", b)[4:])",
		f.expr(t, 1), f.expr(u, 1), f.expr(u, 1), f.mixed("d.y", u), f.mixed("b.y", u), f.mixed("a.y", u))
	if comparable_(t) {
		p("mixb(a == A(b))\nmixb(d == *c)\nmixb([2]A{a, d} == [2]A{d, a})\nm := map[A]int{a: 1, d: 2}\nmix(uint64(len(m)) + uint64(m[A(b)]))")
	}
	p("arr := [4]A{1: a, 3: {y: %s}}\nfor i, e := range arr {\ne.y = arr[3-i].y\narr[i], arr[0] = arr[0], e\n}\n%s\n%s\nan := []struct{ A; n int }{{a, 1}, {n: 2}}\nan[1].A, an[0].n = an[0].A, an[1].n\n%s\nmix(uint64(an[0].n))", f.literal(u, 0), f.mixed("arr[0].y", u), f.mixed("arr[2].y", u), f.mixed("an[1].y", u))
}

// pointerForms: aliases of variables, elements and fields; swaps through them; lists.
func (f *fgen) pointerForms(p func(string, ...any)) {
	t := pick(f.gen, scalars)
	p("x, y := %s, %s\nps := []*%s{&x, &y, &x, new(%s)}\n*ps[0], *ps[1] = *ps[1], *ps[2]\n%s\n%s\npp := &ps[1]\n*pp = &x\n**pp = %s\n%s\nmixb(ps[0] == ps[1])\nmixb(pp == &ps[1])", f.expr(t, 2), f.expr(t, 1), t.name, t.name, f.mixed("x", t), f.mixed("y", t), f.expr(t, 1), f.mixed("x", t))
	p("type node struct {\nv %s\nnext *node\n}\nvar head *node\nfor i := range %d {\nhead = &node{next: head}\nif i%%2 == 0 { head.v = x }\n}\nn := 0\nfor q := &head; *q != nil; {\nif n++; n%%3 == 0 { *q = (*q).next } else { %s; q = &(*q).next }\n}\nmix(uint64(n))\nprobe(func() any { return head.next.next.next.next.next.next.next.next })", t.name, 1+f.r.IntN(7), f.mixed("(*q).v", t))
}

// rangeFuncs: bodies of loops over functions that leave in all ways, nested, with deferred calls
// between.
func (f *fgen) rangeFuncs(p func(string, ...any)) {
	outer := *f
	outer.pure = true
	outer.scope = append([]variable{{name: "i", t: tInt}}, f.scope...)
	in := outer
	in.scope = append([]variable{{name: "j", t: tInt}}, outer.scope...)
	label := f.fresh("L")
	p("r := func() (res int) {\ndefer func() { mix(uint64(res)) }()\n%s:\nfor i := range upto(4) {\nstep()\nfor _, j := range each([]int{1, %s, 3}) {\nstep()\nswitch {\ncase %s:\ncontinue %s\ncase %s:\nbreak %s\ncase %s:\nreturn i*10 + j\ncase %s:\ndefer func() { mix(uint64(i + j)) }()\ncase %s:\nif j > 2 { goto out }\ncase %s:\npanic(j)\n}\nres += j\n}\nres++\n}\nout:\nreturn res\n}", label, f.operand(tInt, 1), in.paren(tBool, 1), label,
		in.paren(tBool, 1), label, in.paren(tBool, 1), in.paren(tBool, 1), in.paren(tBool, 1), in.paren(tBool, 1))
	p("probe(func() any { return r() })")
	p("twice := func(yield func(int) bool) {\ndefer mix(3)\nfor i := range 2 {\nif !yield(i) { return }\n}\n}\nprobe(func() any {\nn := 0\nfor i := range twice {\nfor k := range twice {\nif %s && k == 1 { break }\nn += k + i\n}\n}\nreturn n\n})\nbad := func(yield func(int) bool) { yield(1); yield(2) }\nprobe(func() any {\nfor i := range bad {\nif i == 1 { break }\n}\nreturn 1\n})", outer.paren(tBool, 1))
	p("seq := maps.Keys(map[int]bool{4: true})\nfor k := range seq { mix(uint64(k)) }\nfor i, x := range slices.Backward([]int{1, 2, 3}) {\nmix(uint64(i * x))\nif x == 2 { continue }\n}\nmixv(\"%%v\", slices.Sorted(maps.Values(map[int]int{1: %s, 2: 5})))", f.operand(tInt, 1))
}

// bigLoops: arrays and structs that loops carry as values, with the one of the round before still
// in use. Nothing looks at a part of them there, which would need them in memory.
func (f *fgen) bigLoops(p func(string, ...any)) {
	t := f.arrayOf(2+f.r.IntN(6), pick(f.gen, integers))
	change := fmt.Sprintf("x[uint(i)%%%d] += %s(i) + 1", t.n, t.elem.name)
	in := *f
	in.pure = true
	in.scope = append([]variable{{name: "i", t: tInt}}, f.scope...)
	if f.chance(40) {
		t = f.structOf(1)
		change = fmt.Sprintf("if i%%2 == %d { x = %s }", f.r.IntN(2), in.expr(t, 2))
	}
	cond := func() string {
		return pick(f.gen, []string{in.paren(tBool, 1), fmt.Sprintf("i%%3 == %d", f.r.IntN(3)), fmt.Sprintf("i > %d", f.r.IntN(6))})
	}
	p("next := func(x %s, i int) (%s, bool) {\nstep()\n%s\nreturn x, i%%%d == 0\n}", t.name, t.name, change, 2+f.r.IntN(2))
	// With a post statement a loop goes on somewhere else than it begins.
	loop := pick(f.gen, []string{"for i := 0; i < %d; i++ {", "i := -1\nfor {\nif i++; i >= %d { break }",
		"i := -1\nfor {\nif i++; i >= %d { return y, x }"})
	p("walk := func(x, y %s) (%s, %s) {\n"+loop+
		"\nold := x\nvar more bool\nx, more = next(x, i)\nswitch {\ncase more:\ncontinue\ncase %s:\nx, y = y, x\ncontinue\ncase %s:\nreturn old, x\n}\ny, x = old, y\n}\nreturn x, y\n}", t.name, t.name, t.name, 2+f.r.IntN(8), cond(), cond())
	p("a, b := walk(%s, %s)\n%s\n%s\na, b = walk(b, a)\n%s", f.expr(t, 2), f.expr(t, 1), f.mixed("a", t), f.mixed("b", t), f.mixed("a", t))
}

// shadows: names declared again in inner blocks, in headers of statements and as results.
func (f *fgen) shadows(p func(string, ...any)) {
	t := pick(f.gen, scalars)
	p("x := %s\nif x := %s; x == x {\nx := []%s{x}\n_ = x\n}\n%s\nfunc(x ...%s) { mix(uint64(len(x))) }(x, x)\nfor x := 0; x < 2; x++ {\nx := x * 2\nmix(uint64(x))\n}\nswitch x := any(x).(type) {\ncase %s:\n%s\n}\nlen := func(s string) int { return %d }\nmix(uint64(len(\"abc\")))\ntype string int\nvar s string = 3\nmix(uint64(s))\ntrue := false\nmixb(true)", f.expr(t, 2), f.expr(t, 1), t.name, f.mixed("x", t), t.name, t.name, f.mixed("x", t), f.r.IntN(100))
	p("y, err := strconv.Atoi(%q)\nif z, err := strconv.Atoi(\"7\"); err == nil { y += z }\nmix(uint64(y))\nmixb(err == nil)", fmt.Sprint(f.r.IntN(2000)-1000)+pick(f.gen, []string{"", "x"}))
}
