package main_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// TestLexicalFaults: what is wrong with characters and literals is told as gc tells it, beside the
// errors of types, wherever they stand: literals and characters by places.
func TestLexicalFaults(t *testing.T) {
	literals := []string{
		`1p10`, `0x1p`, `0x`, `0b12`, `0o8`, `08`, `1__0`, `0_`, `1e`, `0x1.2`, `0b1.0`, `1_.5`, `09.5e`,
		`"abc`, `"\q"`, `"\xz1"`, `"\400"`, `"\uD800"`, `"\U00110000"`, `"\8"`, "`a\xffb`", `"a` + "\x00" + `b"`, `"a` + "\ufeff" + `b"`,
		`''`, `'ab'`, `'a`, `'\`, `'\q'`, `'\400'`, `'''`, `"\`,
		`a#`, `a$b`, `@`, `1 ? 2`, `a“b”`, `“hello”`, `é‘`, `٣x`, `a` + "\x01", `x` + "\u00a0" + `y`,
	}
	places := []string{
		"const c# = LIT", "var v# int = LIT", "var s# string = LIT", "var a# [LIT\n]int", "var l# = []int{1, LIT\n}",
		"var m# = map[string]int{LIT\n: 1}",
		"var b# = 1 +\n LIT", "func f#() int { return LIT\n }", "func g#(x int) { switch x { case LIT\n: } }",
		"func h#(a, é int) {\n\tfmt.Println(LIT\n)\n}",
		"func i#(x []int) int { return x[LIT\n] }", "func k#() { z := LIT\n }", "type t# struct { f int LIT\n }",
		"func r#() { for range LIT\n { undefined#() } }",
		"const a# int = true", "var d# = 1 /* never\n ends", "func w#() { LIT\n }", "var j# = f(LIT\n, nowhere)",
	}
	var files strings.Builder
	files.WriteString("-- go.mod --\nmodule example.com/l\n\ngo 1.26\n")
	for i, literal := range literals {
		all := ""
		for j, place := range places {
			text := strings.NewReplacer("LIT", literal, "#", strconv.Itoa(j)).Replace(place)
			if !strings.Contains(place, "/*") {
				all += text + "\n"
			}
			fmt.Fprintf(&files, "-- p%d/q%d/p.go --\npackage p\n\nimport \"fmt\"\n\n%s\n", i, j, text)
		}
		fmt.Fprintf(&files, "-- p%d/p.go --\npackage p\n\nimport \"fmt\"\n\n%s", i, all)
	}
	dir := module(t, files.String())
	var whole []string // the packages with all places: there gc stops after ten errors
	for i := range literals {
		whole = append(whole, fmt.Sprintf("./p%d", i))
	}
	for flags, packages := range map[string][]string{"-gcflags=-e": {"./..."}, "-gcflags=": whole} {
		sameFaults(t, dir, flags, packages)
	}
}
