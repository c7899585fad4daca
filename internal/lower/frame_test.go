package lower

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"loam/internal/escape"
)

// withEscape gives in what escape analysis finds of its package.
func withEscape(in *Input) { in.Escape = escape.Analyze(in.Pkg, in.Pkg.Functions(), nil, in.Sizes) }

// TestNeverEmpty: a part of a slice that has an element begins where its bound says.
func TestNeverEmpty(t *testing.T) {
	for text, selects := range map[string]int{
		"func f(b []byte, i int) []byte { return b[i:i+8] }":    0,
		"func f(b []byte, i uint8) []byte { return b[i-3:i] }":  0,
		"func f(b []byte) []byte { return b[len(b)-3:] }":       0,
		"func f(b, c []byte) []byte { return b[len(c)-3:] }":    1,
		"func f(s string, i int) string { return s[i:i+1] }":    0,
		"func f(b []byte) []byte { return b[8:16] }":            0,
		"func f(b []byte) []byte { return b[8:8] }":             1,
		"func f(b []byte, i, j int) []byte { return b[i:j] }":   1,
		"func f(b []byte, i, n int) []byte { return b[i:i+n] }": 1,
	} {
		body := lowered(t, text, "f")
		if got := strings.Count(body, "select i1"); got != selects {
			t.Errorf("%s: %d selects, not %d:\n%s", text, got, selects, body)
		}
	}
}

// TestFrameArrays: what is stored in an array of the frame needs no barrier.
func TestFrameArrays(t *testing.T) {
	const set = "type T struct { p *int; a [20]int }\nfunc f(p *int, i int, q *T) int { %s; l[i].p = p; l[i] = *q; return len(l) }"
	for made, barrier := range map[string]bool{
		"l := make([]T, 100)":                  false,
		"var a [100]T; l := a[:]":              false,
		"var a [100]T; l := a[3:]; l = l[2:7]": false,
		"l := make([]T, i)":                    true,
	} {
		body := loweredBy(t, strings.Replace(set, "%s", made, 1), "f", withEscape)
		if got := strings.Contains(body, "heap.marking"); got != barrier {
			t.Errorf("%s: barrier %v:\n%s", made, got, body)
		}
	}
}

// TestFirstArray: an append begins in the frame, once where it is in a loop.
func TestFirstArray(t *testing.T) {
	for text, want := range map[string]string{
		"func f(x int) int { var l []int; l = append(l, x); return len(l) + l[0] }":                      "first",
		"func f(x int) int { var l []int; for i := range x { l = append(l, i) }; return len(l) + l[0] }": "first once",
		"func f(x int) []int { var l []int; l = append(l, x); return l }":                                "",
		"func f(x []int) int { var l []int; l = append(l, x...); return len(l) + l[0] }":                 "",
		// too big:
		"func f(x [5]int) int { var l [][5]int; l = append(l, x); return len(l) + l[0][1] }":                   "",
		"func f(x int) int { var l []struct{}; for range x { l = append(l, struct{}{}) }; return len(l) }":     "",
		"func f(b []byte, s string) int { n := 0; for i, c := range []byte(s) { n += i + int(c) }; return n }": "",
		"func f(n int) int { m := make(map[int]int, n); m[1] = 2; return len(m) }":                             "",
	} {
		body := loweredBy(t, text, "f", withEscape)
		got := ""
		if strings.Contains(body, "grow.first") {
			got = "first"
			if strings.Contains(body, "store i8 1") {
				got += " once"
			}
		}
		if got != want {
			t.Errorf("%s: %q, not %q:\n%s", text, got, want, body)
		}
	}
}

// TestSmallArray: an array of unknown size is in the frame if it turns out to be short.
func TestSmallArray(t *testing.T) {
	for text, short := range map[string]bool{
		"func f(n int) int { l := make([]int, n); return len(l) + l[0] }":                   true,
		"func f(n, m int) int { l := make([]byte, n, m); l = append(l, 1); return cap(l) }": true,
		"func f(n int) []int { return make([]int, n) }":                                     false,
		"func f(n int) int { l := make([][5]int, n); return len(l) + l[0][1] }":             false,
		"func f(n int) int { l := make([]struct{}, n); return len(l) }":                     false,
	} {
		body := loweredBy(t, text, "f", withEscape)
		if got := strings.Contains(body, "make.short"); got != short {
			t.Errorf("%s: short %v:\n%s", text, got, body)
		}
	}
}

// TestReadBytes: the bytes of a string that are only read are the string's.
func TestReadBytes(t *testing.T) {
	for use, copied := range map[string]bool{
		"for i, c := range []byte(s) { n += i + int(c) }":     false,
		"b := []byte(s); n = len(b) + copy(d, b) + int(b[2])": false,
		"b := []byte(s); d = append(d, b...); n = len(d)":     false,
		"b := []byte(s); b[1]++; n = int(b[1])":               true,
		"b := []byte(s); b = append(b, 1); n = len(b)":        true,
		"b := []byte(s); n = copy(b, d)":                      true,
		"b := []byte(s); c := &b[1]; *c = 2; n = int(b[1])":   true,
		"b := []byte(s); b = b[1:]; b[0] = 1; n = len(b)":     true,
	} {
		body := lowered(t, "func f(s string, d []byte) (n int) { "+use+"; return n }", "f")
		if got := strings.Contains(body, "stringtoslicebyte"); got != copied {
			t.Errorf("%s: copied %v:\n%s", use, got, body)
		}
	}
}

// TestMapOfAnySize: a map that stays begins in the frame if its size turns out to be small.
func TestMapOfAnySize(t *testing.T) {
	for text, chosen := range map[string]bool{
		"func f(n int) int { m := make(map[int]int, n); m[1] = 2; return len(m) }":    true,
		"func f(n int) int { m := make(map[int]int, 8); m[1] = 2; return len(m) }":    false,
		"func f(n int) int { m := make(map[int]int, 9); m[1] = 2; return len(m) }":    false,
		"func f(n int) map[int]int { m := make(map[int]int, n); m[1] = 2; return m }": false,
	} {
		body := loweredBy(t, text, "f", withEscape)
		if got := strings.Contains(body, "select i1"); got != chosen {
			t.Errorf("%s: chosen %v:\n%s", text, got, body)
		}
	}
}

// TestCopyWords: copies of a variable go word by word where an element is written by index.
func TestCopyWords(t *testing.T) {
	for text, words := range map[string]int{
		"type T struct { n int; a [6]int }; func f(p, q *T, i int) { v := *p; v.a[i] = 1; *q = v }":        7,
		"type T struct { n int; a [6]int }; func f(p, q *T, i int) { v := *p; v.a[2] = i; *q = v }":        0,
		"type T struct { n int; a [6]int }; func f(p, q *T, i int) int { v := *p; *q = v; return v.a[i] }": 0,
		"func f(q *[4][2]int, i int) { var v [4][2]int; v[i][1] = 1; *q = v }":                             8,
		"func f(q *[4]struct{ a, b int }, i int) { var v [4]struct{ a, b int }; v[i].b++; *q = v }":        8,
		"func f(q *[20]int, i int) { var v [20]int; v[i] = 1; *q = v }":                                    0,
		"func f(q *[8]byte, i int) { var v [8]byte; v[i] = 1; *q = v }":                                    0,
	} {
		body := lowered(t, text, "f")
		if got := strings.Count(body, "= load volatile i64, ptr %"); got != words {
			t.Errorf("%s: %d words, not %d:\n%s", text, got, words, body)
		}
	}
}

// TestLimits: the length of a slice decides where the capacity would need a check of its own.
func TestLimits(t *testing.T) {
	for code, length := range map[string]bool{
		"return s[:len(s)-1]":                      true,
		"return s[i:len(s)-3]":                     true,
		"return s[:len(s)+1]":                      false,
		"return s[:len(s)-i]":                      false,
		"return s[:len(r)-1]":                      false,
		"s[i] = 1; return s[:i]":                   true,
		"r[i] = 1; return s[:i]":                   false,
		"t := s[:i]; s[i] = 1; return t":           false,
		"if i > 7 { s[i] = 1 }; return s[:i]":      false,
		"if i < len(s) { r = s[:i] }; return r":    true,
		"if len(s) > i { r = s[:i] }; return r":    true,
		"if i < len(s) { r = nil }; return s[:i]":  false,
		"if i >= len(s) { r = s[:i] }; return r":   false,
		"if i < len(r) { r = s[:i] }; return r":    false,
		"for i := range s { r = s[:i] }; return r": true,
		"if i <= len(s) { r = s[:i:i] }; return r": false,
		"s[i] = 1; return s[:i:cap(s)]":            false,
	} {
		body := lowered(t, "func f(s, r []int, i int) []int { "+code+" }", "f")
		byCapacity := false
		for _, c := range regexp.MustCompile(`(%v\d+) = extractvalue { ptr, i64, i64 } %p.0, 2`).FindAllStringSubmatch(body, -1) {
			byCapacity = byCapacity || regexp.MustCompile("icmp ule i64 .*, "+c[1]+",").MatchString(body)
		}
		if byCapacity == length {
			t.Errorf("%s: limited by the length: %v:\n%s", code, !byCapacity, body)
		}
	}
}

// TestJumps: what delegates to a method may jump to it, and has no frame for its check for nil.
func TestJumps(t *testing.T) {
	const text = "type T struct { n int }\nfunc (t T) M(int) int\ntype I interface { M(int) int }\nfunc F(t *T) I { return t }"
	module := string(lowerPackage(t, "p", text, func(*Input) {}).Text())
	at := strings.Index(module, "define weak_odr hidden i64 @\"wrap:")
	if at < 0 {
		t.Fatalf("no wrapper:\n%s", module)
	}
	wrapper, _, _ := strings.Cut(module[at:], "\n}")
	if head, _, _ := strings.Cut(wrapper, "{"); !strings.Contains(head, "#9") || !strings.Contains(wrapper, "loam.trap.panicwrap") {
		t.Errorf("the wrapper is a function like others:\n%s", wrapper)
	}
	// LLVM inlines the method where the wrapper is inlined, but not into the wrapper.
	attributes := regexp.MustCompile(`attributes #9 = .*`).FindString(module)
	if strings.Contains(attributes, "null_pointer_is_valid") || strings.Contains(wrapper, "noinline") {
		t.Errorf("the method's place in the wrapper:\n%s\n%s", wrapper, attributes)
	}
}

// TestPassedResults: results that are returned as they come are stored where the caller wants them.
func TestPassedResults(t *testing.T) {
	const g = "type E interface { Error() string }; func g(x int) (string, E, int); func h(); "
	for text, passed := range map[string]bool{
		"func f(x int) (string, E, int) { return g(x + 1) }":                                                  true,
		"func f(x int) (string, E, int) { if x > 3 { return g(x) }; return \"\", nil, x }":                    true,
		"func f(x int) (string, E, int) { s, err, n := g(x); return s, err, n }":                              true,
		"func f(g func() (string, E, int)) (string, E, int) { return g() }":                                   true,
		"func f(x int) (string, E, int) { s, err, n := g(x); h(); return s, err, n }":                         false,
		"func f(x int) (string, E, int) { s, err, _ := g(x); return s, err, x }":                              false,
		"func f(x int) (string, E, int) { defer h(); return g(x) }":                                           false,
		"func f(x int) (s string, err E, n int) { defer h(); return g(x) }":                                   false,
		"func f(x int) (string, E, int, int) { s, err, n := g(x); return s, err, n, n }":                      false,
		"func k(x int) (string, E, uint); func f(x int) (int, E, string) { s, e, n := g(x); return n, e, s }": false,
	} {
		body := lowered(t, g+text, "f")
		_, code, _ := strings.Cut(body, "{\n")
		if got := regexp.MustCompile(`call void .*\(ptr %results`).MatchString(code); got != passed {
			t.Errorf("%s: passed %v:\n%s", text, got, body)
		}
	}
}

// TestResultWords: results in memory are loaded as they were stored, word by word.
func TestResultWords(t *testing.T) {
	const text = "type V struct { x, y, z float64 }; func g() V; func f() float64 { v := g(); return v.x * v.y * v.z }"
	body := lowered(t, text, "f")
	if n := strings.Count(body, "load atomic double"); n != 3 {
		t.Errorf("%d loads:\n%s", n, body)
	}
}

// TestAppendArray: no slice is made of what append lists, so LLVM sees all that its array is for.
func TestAppendArray(t *testing.T) {
	for text, made := range map[string]bool{
		"func f(l []int, x int) []int { return append(l, x, 3) }":                   false,
		"func f(l []error, x error) []error { return append(append(l, x), x) }":     false,
		"func f(l []int, x int) []int { s := []int{x, 3}; return append(l, s...) }": true,
	} {
		body := loweredBy(t, text, "f", withEscape)
		if got := strings.Contains(body, "insertvalue { ptr, i64, i64 } poison, ptr %slot"); got != made {
			t.Errorf("%s: made %v:\n%s", text, got, body)
		}
	}
}

// TestAppendData: what append lists may be data.
func TestAppendData(t *testing.T) {
	module := string(lowerText(t, `var l = append([]string{}, "a", "b", "c")`, func(*Input) {}).Text())
	if !strings.Contains(module, "loam.move_pointers") {
		t.Errorf("nothing is moved:\n%s", module)
	}
}

// TestAppendBarriers: what is appended has barriers of its own if it is little, and none if it is
// known to be outside of the heap.
func TestAppendBarriers(t *testing.T) {
	for text, want := range map[string]string{
		`func f(l []string) []string { return append(l, "x") }`:               "",
		"func f(l []int) []int { return append(l, 1) }":                       "",
		"func f(l []error) []error { return append(l, nil) }":                 "",
		"func f(l []string, s string) []string { return append(l, s) }":       "shade",
		"func f(l []*int, p, q *int) []*int { return append(l, p, q) }":       "shade loam.shade",
		"func f(l []*int, p, q, r *int) []*int { return append(l, p, q, r) }": "shade_range",
		"func f(l []T, v T) []T { return append(l, v) }; type T [9]*int":      "shade_range",
		"func f(l, m []*int) []*int { return append(l, m...) }":               "move_pointers",
	} {
		body := loweredBy(t, text, "f", withEscape)
		got := strings.Join(regexp.MustCompile(`loam\.(shade|move)\w*`).FindAllString(body, -1), " ")
		if got != strings.TrimSuffix("loam."+want, "loam.") {
			t.Errorf("%s: %q, not %q:\n%s", text, got, want, body)
		}
	}
}

// TestNoFrame: a short function that only computes has no frame, whatever it computes by.
func TestNoFrame(t *testing.T) {
	const text = "func Mul64(x, y uint64) (hi, lo uint64)\nfunc g(a, b uint64) (uint64, uint64)\nfunc F(p *uint64) uint64 { h, l := %s(*p, 3); return h ^ l }"
	for call, frameless := range map[string]bool{"Mul64": true, "g": false} {
		module := string(lowerPackage(t, "math/bits", fmt.Sprintf(text, call), func(*Input) {}).Text())
		if got := strings.Contains(module, "loam.trap.panicnil"); got != frameless {
			t.Errorf("%s: frameless %v:\n%s", call, got, module)
		}
	}
}
