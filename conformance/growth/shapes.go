package main

import (
	"fmt"
	"strings"
)

// A shape makes a package that grows with n in one respect.
type shape struct {
	name string
	size int // n at first
	text func(n int) string
}

// lines joins what f makes of 0 to n-1.
func lines(n int, f string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.NewReplacer("{i}", fmt.Sprint(i), "{j}", fmt.Sprint(i+1), "{k}", fmt.Sprint(i%7), "{p}",
			fmt.Sprint(max(i-1, 0))).Replace(f))
	}
	return b.String()
}

// nest puts n times before and after around the middle.
func nest(n int, before, middle, after string) string {
	return lines(n, before) + middle + strings.Repeat(after, n)
}

var shapes = []shape{
	{"branches", 600, func(n int) string {
		return "func F(x int) int {\n" + lines(n, "if x == {i} { x += {j}*3 }\n") + "return x }"
	}},
	{"locals", 600, func(n int) string {
		return "func F(x int) int {\nv0 := x\n" + lines(n, "v{j} := v{i}*3 + x\n") + "return " + strings.TrimSuffix(lines(n, "v{j}+"), "+") + " }"
	}},
	{"captured locals", 300, func(n int) string {
		return "func F(x int) func() int {\n" + lines(n, "v{i} := x + {i}\n") + "return func() int { x++; " + lines(n,
			"v{i} += x; ") + " return v0 } }"
	}},
	{"closures", 200, func(n int) string {
		return "func F(x int) int {\n" + lines(n, "f{i} := func() { x += {i} }; f{i}()\n") + "return x }"
	}},
	{"functions", 300, func(n int) string {
		return lines(n, "func F{i}(x int) int { if x > {i} { return F{p}(x-1) }; return x }\n")
	}},
	{"call chain", 300, func(n int) string {
		return "func F0(x int) int { return x }\n" + lines(n, "func F{j}(x int) int { return F{i}(x+1)*2 + F{i}(x) }\n")
	}},
	{"calls", 400, func(n int) string {
		return "//go:noinline\nfunc g(x, y int) int { return x }\nfunc F(x int) int {\n" + lines(n, "x = g(x, {i})\n") + "return x }"
	}},
	{"inlined calls", 200, func(n int) string {
		return "func g(x, y int) int { if x > y { return x*2 }; return y }\nfunc F(x int) int {\n" + lines(n, "x = g(x, {i})\n") + "return x }"
	}},
	{"methods", 200, func(n int) string {
		return "type T struct{ a int }\n" + lines(n, "func (t *T) M{i}() int { return t.a + {i} }\n") +
			"type I interface {\n" + lines(n, "M{i}() int\n") + "}\nvar V I = &T{1}"
	}},
	{"promoted methods", 100, func(n int) string {
		return "type T struct{ a int }\n" + lines(n, "func (t T) M{i}() int { return t.a + {i} }\n") +
			"type U struct{ *T; b int }\ntype I interface {\n" +
			lines(n, "M{i}() int\n") + "}\nvar V I = U{}\nvar W I = &U{}"
	}},
	{"flat literal", 4000, func(n int) string { return "var V = []int{" + lines(n, "{i}, ") + "}" }},
	{"local literal", 800, func(n int) string { return "func F(x int) []int { return []int{" + lines(n, "x+{i}, ") + "} }" }},
	{"array literal", 800, func(n int) string {
		return fmt.Sprintf("func F(x int) [%d]int { return [...]int{%s} }", n, lines(n, "x+{i}, "))
	}},
	{"struct literals", 800, func(n int) string {
		return "type T struct { a int; s string; f []int }\nvar V = []T{\n" + lines(n, "{a: {i}, s: \"s{i}\"},\n") + "}"
	}},
	{"nested literals", 150, func(n int) string {
		return "type P struct { f string; a, b int }\ntype B struct { at P; free []string }\ntype T struct { B; name string; kids []T; deep *T }\nvar V = []T{\n" +
			lines(n, "{B: B{at: P{\"f\", {i}, 1}, free: []string{\"std\"}}, name: \"n{i}\", deep: &T{B: B{at: P{\"g\", {i}, 2}}, kids: []T{{name: \"k{i}\"}}}},\n") + "}"
	}},
	{"literals of calls", 200, func(n int) string {
		return "//go:noinline\nfunc g(x int) int { return x }\ntype T struct { a, b int; p *T }\nvar V = []T{\n" +
			lines(n, "{a: g({i}), p: &T{b: g({i})}},\n") + "}"
	}},
	{"local nested literals", 100, func(n int) string {
		return "type T struct { a, b int; p *T; l []T }\nfunc F(x int) []T { return []T{\n" + lines(n,
			"{a: x, p: &T{b: x, l: []T{{a: {i}}, {b: x}}}},\n") + "} }"
	}},
	{"deep literal", 60, func(n int) string {
		return "type T struct { a int; p *T }\nfunc F(x int) *T { return " + nest(n, "&T{x + {i}, ", "nil", "}") + " }"
	}},
	{"deep variable", 60, func(n int) string { return "type T struct { a int; p *T }\nvar V = " + nest(n, "&T{{i}, ", "nil", "}") }},
	{"pointer literals", 400, func(n int) string { return "type T struct { a int }\nvar V = []*T{\n" + lines(n, "{{i}},\n") + "}" }},
	{"map literal", 500, func(n int) string { return "var V = map[string]int{\n" + lines(n, "\"k{i}\": {i},\n") + "}" }},
	{"map of structs", 150, func(n int) string {
		return "type T struct { a int; l []int }\nvar V = map[string]T{\n" + lines(n, "\"k{i}\": {{i}, []int{{i}}},\n") + "}"
	}},
	{"map of maps", 100, func(n int) string {
		return "var V = map[string]map[int]string{\n" + lines(n, "\"k{i}\": {{i}: \"a\", {j}: \"b\"},\n") + "}"
	}},
	{"local map", 200, func(n int) string {
		return "func F(x int) map[int]int { return map[int]int{\n" + lines(n, "{i}: x,\n") + "} }"
	}},
	{"func literals", 300, func(n int) string {
		return "var V = []func(int) int{\n" + lines(n, "func(x int) int { return x + {i} },\n") + "}"
	}},
	{"fields", 300, func(n int) string {
		return "type T struct {\n" + lines(n, "F{i} int\n") + "}\nfunc F(t *T) int { return " +
			strings.TrimSuffix(lines(n, "t.F{i}+"), "+") + " }\nvar V any = T{}\nfunc E(a, b T) bool { return a == b }"
	}},
	{"mixed fields", 150, func(n int) string {
		return "type T struct {\n" + lines(n, "F{i} string; G{i} any; H{i} []int\n") + "}\nvar V = new(T)\nfunc F(t T) T { return t }"
	}},
	{"types", 200, func(n int) string { return lines(n, "type T{i} struct { a int; b *T{p} }\nvar V{i} any = T{i}{}\n") }},
	{"type chain", 100, func(n int) string {
		return "type T0 struct{ a int }\n" + lines(n, "type T{j} struct { p *T{i}; b int }\n") + fmt.Sprintf("var V any = new(T%d)", n)
	}},
	{"embedding chain", 30, func(n int) string {
		return "type T0 struct{ a int }\n" + lines(n, "type T{j} struct { *T{i}; b{j} int }\n") +
			fmt.Sprintf("func F(t *T%d) int { return t.a }", n)
	}},
	{"interface embedding", 60, func(n int) string {
		return lines(n, "type I{i} interface { M{i}() int }\n") + "type I interface {\n" + lines(n, "I{i}\n") +
			"}\nfunc F(i I) int { return i.M0() }"
	}},
	{"struct embedding", 60, func(n int) string {
		return lines(n, "type T{i} struct { a{i} int }\nfunc (T{i}) M{i}() int { return {i} }\n") + "type T struct {\n" +
			lines(n, "T{i}\n") + "}\nvar V any = T{}"
	}},
	{"switch", 600, func(n int) string {
		return "func F(x int) int { switch x {\n" + lines(n, "case {i}*3: return {j}\n") + "}; return 0 }"
	}},
	{"switch through", 400, func(n int) string {
		return "func F(x int) (y int) { switch x {\n" + lines(n, "case {i}: y += {j}; fallthrough\n") + "default: y++ }; return }"
	}},
	{"string switch", 400, func(n int) string {
		return "func F(x string) int { switch x {\n" + lines(n, "case \"word{i}\": return {j}\n") + "}; return 0 }"
	}},
	{"type switch", 150, func(n int) string {
		return lines(n, "type T{i} struct { a int }\n") + "func F(x any) int { switch x := x.(type) {\n" + lines(n,
			"case T{i}: return x.a\ncase *T{i}: return x.a\n") + "}; return 0 }"
	}},
	{"state machine", 150, func(n int) string {
		return "func F(s []int) int { a, b, c, state := 0, 0, 0, 0\nfor _, x := range s { switch state {\n" +
			lines(n, "case {i}: a += x; if a > b { b, c = c, a; state = {j} } else { state = {p} }\n") + "} }; return a+b+c }"
	}},
	{"loops", 150, func(n int) string {
		return "func F(s []int) int { a := 0\n" + lines(n, "for i := range s { a += s[i] * {i} }\n") + "return a }"
	}},
	{"loop of branches", 200, func(n int) string {
		return "func F(s []int) int { a, b, c, d := 0, 0, 0, 0\nfor i := range s {\n" +
			lines(n, "if s[i] == {i} { a, b = b, a+{i} } else if c > {i} { c, d = d, a }\n") + "}\nreturn a+b+c+d }"
	}},
	{"loop of variables", 60, func(n int) string {
		return "func F(s []int) int {\n" + lines(n, "v{i} := {i}\n") + "for i := range s {\n" + lines(n, "if s[i] > v{i} { v{i} = s[i] }\n") +
			"}\nreturn " + strings.TrimSuffix(lines(n, "v{i}+"), "+") + " }"
	}},
	{"nested loops", 12, func(n int) string {
		return "func F(x int) int { a := 0\n" + nest(n, "for i{i} := range x {\na += i{i}\n", "", "}\n") + "return a }"
	}},
	{"range functions", 60, func(n int) string {
		return "func g(yield func(int) bool) { yield(1) }\nfunc F() int { a := 0\n" + lines(n,
			"for v := range g { a += v; if a > {i} { break } }\n") + "return a }"
	}},
	{"instances", 100, func(n int) string {
		return "func G[T any](v T) T { var l []T; l = append(l, v); return l[0] }\n" + lines(n,
			"type T{i} struct { a [{j}]int }\nfunc F{i}(v T{i}) T{i} { return G(v) }\n")
	}},
	{"instance chain", 100, func(n int) string {
		return "func G0[T any](v T) T { return v }\n" + lines(n, "func G{j}[T any](v T) T { return G{i}(v) }\n") +
			fmt.Sprintf("func F(x int) int { return G%d(x) }", n)
	}},
	{"nested blocks", 60, func(n int) string {
		return "func F(x int) int {\n" + nest(n, "if x > {i} { x++\n", "", "}\n") + "return x }"
	}},
	{"nested else", 200, func(n int) string {
		return "func F(x int) int {\n" + lines(n, "if x == {i} { return {j} } else ") + "{ return 0 } }"
	}},
	{"nested expression", 200, func(n int) string { return "func F(x int) int { return " + nest(n, "({k} + x*", "x", ")") + " }" }},
	{"nested calls", 100, func(n int) string {
		return "//go:noinline\nfunc g(x, y int) int { return x }\nfunc F(x int) int { return " + nest(n, "g(x, ", "x", ")") + " }"
	}},
	{"nested closures", 20, func(n int) string {
		return "func F(x int) int { return " + nest(n, "func() int { x++; return ", "x", "}()") + " }"
	}},
	{"concat", 300, func(n int) string {
		return "func F(s string) string { return \"a\"" + lines(n, " + s + \"b{i}\"") + " }"
	}},
	{"concat statements", 300, func(n int) string {
		return "func F(s string) string { r := \"\"\n" + lines(n, "r += s + \"b{i}\"\n") + "return r }"
	}},
	{"sum", 600, func(n int) string { return "func F(x, y int) int { return 0" + lines(n, " + x*{i} - y") + " }" }},
	{"and", 300, func(n int) string { return "func F(x int) bool { return true" + lines(n, " && x != {i}") + " }" }},
	{"or of loads", 200, func(n int) string {
		return "func F(s []int) bool { return false" + lines(n, " || s[{i}] == {i}") + " }"
	}},
	{"and condition", 300, func(n int) string {
		return "func F(x int) int { if true" + lines(n, " && x != {i}") + " { return 1 }; return 0 }"
	}},
	{"gotos", 300, func(n int) string {
		return "func F(x int) int {\n" + lines(n, "L{i}: if x == {i} { x += 3; goto L{i} } else if x == -{i} { goto L{p} }\n") + "return x }"
	}},
	{"defers", 100, func(n int) string { return "func g(int) {}\nfunc F(x int) {\n" + lines(n, "defer g(x + {i})\n") + "}" }},
	{"deferred closures", 60, func(n int) string {
		return "func F(x int) (r int) {\n" + lines(n, "defer func() { r += x + {i} }()\n") + "return }"
	}},
	{"select", 40, func(n int) string {
		return "func F(c []chan int) int { select {\n" + lines(n, "case v := <-c[{i}]: return v + {i}\n") + "} }"
	}},
	{"selects", 60, func(n int) string {
		return "func F(c, d chan int) (x int) {\n" + lines(n, "select { case v := <-c: x += v; case d <- {i}: }\n") + "return }"
	}},
	{"constants", 1000, func(n int) string { return "const (\n" + lines(n, "C{i} = iota*2 + {k}\n") + ")" }},
	{"constant chain", 200, func(n int) string { return "const C0 = 1\n" + lines(n, "const C{j} = C{i} + 1\n") }},
	{"variable chain", 200, func(n int) string {
		return "//go:noinline\nfunc g(x int) int { return x }\nvar V0 = g(1)\n" + lines(n, "var V{j} = g(V{i}) + {i}\n")
	}},
	{"variables", 300, func(n int) string {
		return "//go:noinline\nfunc g(x int) int { return x }\n" + lines(n, "var V{i} = g({i})\n")
	}},
	{"inits", 300, func(n int) string { return "var x int\n" + lines(n, "func init() { x += {i} }\n") }},
	{"parameters", 100, func(n int) string {
		return "//go:noinline\nfunc g(" + lines(n, "a{i} int, ") + ") int { return a0 }\nfunc F(x int) int { return g(" +
			lines(n, "x + {i}, ") + ") }"
	}},
	{"results", 60, func(n int) string {
		return "func F(x int) (" + lines(n, "r{i} int, ") + ") { " + lines(n, "r{i} = x*{i}; ") + " return }\nfunc G() int { " +
			strings.TrimSuffix(lines(n, "a{i}, "), ", ") + " := F(1); return " + strings.TrimSuffix(lines(n, "a{i}+"), "+") + " }"
	}},
	{"returns", 200, func(n int) string {
		return "func F(x int) (r int, e error) { defer func() { r++ }()\n" + lines(n, "if x == {i} { return {i}, nil }\n") + "return }"
	}},
	{"long string", 20000, func(n int) string { return "const C = \"" + lines(n, "text {k} ") + "\"\nvar V = []byte(C)" }},
	{"stores", 500, func(n int) string { return "func F(s []int, x int) {\n" + lines(n, "s[{i}] = x * {i}\n") + "}" }},
	{"interfaces", 200, func(n int) string {
		return "func g(v ...any) {}\nfunc F(x int, s string) {\n" + lines(n, "g(x, s, {i}, \"t{i}\")\n") + "}"
	}},
	{"assertions", 200, func(n int) string {
		return "func F(v any) (x int) {\n" + lines(n, "if w, ok := v.(int); ok && w > {i} { x += w }\n") + "return }"
	}},
	{"map writes", 200, func(n int) string { return "func F(m map[string]int) {\n" + lines(n, "m[\"k{i}\"] += {i}\n") + "}" }},
	{"appends", 200, func(n int) string {
		return "func F(s []int) []int {\n" + lines(n, "s = append(s, {i}, len(s))\n") + "return s }"
	}},
	{"pointers", 300, func(n int) string {
		return "type T struct { a int; p *T }\nfunc F(t *T) {\n" + lines(n, "t.p = &T{{i}, t.p}; t = t.p\n") + "}"
	}},
	{"address taken", 200, func(n int) string {
		return "//go:noinline\nfunc g(*int) {}\nfunc F() (x int) {\n" + lines(n, "v{i} := {i}; g(&v{i}); x += v{i}\n") + "return }"
	}},
	{"struct copies", 200, func(n int) string {
		return "type T struct { a, b, c int; s string }\nfunc F(s []T) {\n" + lines(n, "s[{i}] = s[{j}]; s[{i}].a = {i}\n") + "}"
	}},
}
