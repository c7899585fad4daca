package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// list is n values of f in a row.
func list(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

func nested(n int, open, middle, end string) string {
	return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
}

// numbered returns a function for list that formats i with f.
func numbered(f string) func(int) string {
	return func(i int) string { return strings.ReplaceAll(f, "#", fmt.Sprint(i)) }
}

// clauses is 700 clauses of a switch with what can be in a body; label is f of the clause's number.
func clauses(label string) string {
	bodies := []string{"r += #; if x%3 == 0 { break }; r++", "r += 5; fallthrough",
		"for range 3 { r++; if x%5 == 0 { break L } }", "return #", "", "defer func() { r += # }()", "r = x"}
	return list(700, func(i int) string {
		text := "case " + label + ":\n" + bodies[i%len(bodies)] + "\n"
		if i == 333 {
			text = "default:\nr = -1; if x%2 == 0 { break }; r--\n" + text
		}
		return numbered(text)(i)
	})
}

// TestExtreme compiles programs that no person writes. Each is either a program that runs as
// gc's or has gc's errors; the compiler must never fall over, nor take for ever.
func TestExtreme(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles big programs")
	}
	const limit = 40 * time.Minute // a very busy machine; idle, none takes 20 seconds
	dir := module(t, "-- go.mod --\nmodule example.com/x\n\ngo 1.26\n")
	for name, text := range map[string]string{
		"parentheses": "func main() { println(" + nested(10000, "(", "1", ")") + ") }",
		"blocks":      "var x = 1\nfunc main() {" + nested(1000, "{", "println(x)", "}") + "}",
		"ifs":         "var x = 1\nfunc main() {" + nested(1000, "if x > 0 {", "println(x)", "}") + "}",
		"loops":       "var x = 1\nfunc main() {" + nested(500, "for x < 10 {", "x++", "}") + "; println(x) }",
		"labels": "func main() { n := 0\n" + list(50,
			numbered("L#: for i# := range 2 { if n > 50 { break L0 }; if i# == 1 { continue L# }\n")) + nested(50, "", "n++",
			"}") + "; println(n) }",
		"closures": "var x = 1\nfunc main() {" + nested(12, "func() {", "println(x)", "}()") + "}",
		"literal":  "var a = []int{" + list(100000, numbered("#,")) + "}\nfunc main() { println(len(a), a[99999]) }",
		"allocated": "type T struct { n int; s string }\nfunc f() []*T { return []*T{" + list(10000, numbered("{#, `s#`},")) +
			"} }\nfunc main() { a := f(); println(len(a), a[9999].n) }",
		"elements": "type T struct { p *int; s string; q *T }\nvar n int\nvar t T\nfunc f() []T { return []T{" + list(100000,
			numbered("{&n, `s#`, &t},")) + "} }\nfunc main() { a := f(); println(len(a), a[99999].s) }",
		"structs": "type T struct { a int; b string; c *T }\nvar a = []T{" + list(5000, numbered("{#, `s#`, &T{a: #}},")) +
			"}\nfunc main() { println(len(a), a[4999].c.a) }",
		"map":       "var a = map[int]string{" + list(5000, numbered("#: `v#`,")) + "}\nfunc main() { println(len(a), a[4999]) }",
		"computed":  "func f(n int) []int { return []int{" + list(5000, numbered("n+#,")) + "} }\nfunc main() { println(f(1)[4999]) }",
		"switch":    "var x = 777\nfunc main() { switch x {\n" + list(2000, numbered("case #: println(#*2)\n")) + "} }",
		"manycases": "var x = 7777\nfunc main() { switch x {\n" + list(10000, numbered("case #: println(#*2)\n")) + "default: println(0) } }",
		"clauses": "var log int\nfunc side(n int) int { log = log*31 + n; return n }\n" +
			"func ints(x int) (r int) {\nL: switch y := x; y {\n" + clauses("#, # + 5000") + "}\nreturn r*3 + 1 }\n" +
			"func calls(x int) (r int) {\nL: switch side(x) {\n" + clauses("side(#), # + 900") + "}\nreturn r*3 + 1 }\n" +
			"func conds(x int) (r int) {\nL: switch {\n" + clauses("x == # || x == # + 800 && side(#) > 5") + "}\nreturn r*3 + 1 }\n" +
			"func generic[T int | string](x int, t T) (r int) {\nL: switch any(t) {\n" + clauses("any(#), `#`") + "}\nreturn r*3 + 1 }\n" +
			"func main() { for x := range 1700 { println(ints(x), calls(x), conds(x), generic(x, x), generic(x, `77`), log) } }",
		"strings":  "var x = `k777`\nfunc main() { switch x {\n" + list(1000, numbered("case `k#`: println(#)\n")) + "} }",
		"constant": "const s = `" + strings.Repeat("0123456789", 1000000) + "`\nfunc main() { println(len(s), s[9999999]) }",
		"long":     "var x, y = 1, 2\nfunc main() {\n" + list(1500, numbered("x += y * #; if x > # { y++ }\n")) + "println(x, y)\n}",
		"comments": list(100000, numbered("// "+strings.Repeat("c", 100)+"#\n")) + "func main() { println(1) }",
		"slices":   "var x " + strings.Repeat("[]", 500) + "int\nfunc main() { println(len(x)) }",
		"embedded": list(10, func(i int) string { return fmt.Sprintf("type T%d struct { T%d }\n", i, i+1) }) +
			"type T10 struct { x int }\nfunc (T10) M() int { return 7 }\nvar t T0\nfunc main() { println(t.M(), t.x) }",
		"nested": "type T0 struct { a, b int }\n" + list(40,
			func(i int) string { return fmt.Sprintf("type T%d struct { x int8; t [1]T%d }\n", i+1, i) }) +
			"var v T40\nfunc main() { println(len([1]T40{v}), v.x, v == T40{}) }",
		"parameters": "func f(" + list(500, numbered("a# int,")) + ") int { return a499 }\nfunc main() { println(f(" +
			list(500, numbered("#,")) + ")) }",

		"variable":  "var a [1 << 40]byte\nfunc main() { println(len(a)) }",
		"bits":      "const c = 1 << 100000\nfunc main() { println(c) }",
		"recursive": "type T struct { t T }\ntype I interface { I }\nfunc main() {}",
		"order":     "var a = b\nvar b = c()\nfunc c() int { return a }\nfunc main() {}",
		"instances": "type L[T any] struct { v T; n *L[L[T]] }\nfunc f[T any](n int) int { if n == 0 { return 0 }; return f[L[T]](n-1) }\nfunc main() { println(f[int](3)) }",
		"cut":       "func main() { println(((",
		"zero":      "func \x00main() {}",
		"garbled":   "func main() { println(\"a\xff\xfe\") }",
		"mark":      "func main() { println(\"a\ufeff\") }",
		"null":      "func main() { println(\"a\x00\") }",
		"exponent":  "const a = 1e1000000000\nfunc main() { println(a / 1e999999999) }",
		"product":   "const a = 1 << 511\nconst b = a * a\nfunc main() { println(b >> 1020) }",
		"comment":   "func main() {}\n/*",
		"cycle":     "import _ \"example.com/x/cycle\"\nfunc main() {}",
		"missing":   "import _ \"example.com/x/none\"\nfunc main() {}",
	} {
		t.Run(name, func(t *testing.T) {
			write(t, dir, "-- "+name+"/main.go --\npackage main\n\n"+text+"\n")
			build := func(command, out string) (string, bool) {
				cmd := exec.Command(command, "build", "-o", filepath.Join(dir, out), "./"+name)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "PWD="+dir)
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				timer := time.AfterFunc(limit, func() { cmd.Process.Kill() })
				defer timer.Stop()
				err := cmd.Run()
				return stderr.String(), err == nil
			}
			errors, ok := build(loam, name+".loam")
			gcErrors, gcOK := build("go", name+".gc")
			if name == "variable" {
				gcErrors = strings.Replace(gcErrors, ":4:22:", ":3:5:", 1) // gc names a use
			}
			if ok != gcOK || errors != gcErrors {
				t.Fatalf("compiles: %v, want %v\n%.2000s--- want\n%.2000s", ok, gcOK, errors, gcErrors)
			}
			if !ok {
				return
			}
			got, err := exec.Command(filepath.Join(dir, name+".loam")).CombinedOutput()
			want, _ := exec.Command(filepath.Join(dir, name+".gc")).CombinedOutput()
			if err != nil || string(got) != string(want) {
				t.Errorf("%v, %q, want %q", err, got, want)
			}
		})
	}
}
