package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// cutFiles are a package's own test file, what the suite gives, and external tests.
var cutFiles = map[string]string{
	"p/export_test.go": "package p\n\nfunc Inner() int { return 0 }\n\nfunc Given() {}\n\ntype Hidden struct{}\n",
	"given.go":         "package p_test\n\nfunc Given() {}\n",
	"p/a_test.go": `package p_test

import (
	"fmt"
	"p"
	"strings"
	"testing"
)

func TestInner(t *testing.T) { t.Log(strings.ToUpper("x"), p.Inner()) }

//go:noinline
func helper() int { return p.Inner() }

func TestHelper(t *testing.T) { helper() }

func TestGiven(t *testing.T) { p.Given(); fmt.Println(p.Public) }

func TestShadowed(t *testing.T) {
	p := struct{ Inner int }{}
	_ = p.Inner
}

type user struct{ h p.Hidden }

func (user) M() {}

func BenchmarkX(b *testing.B) {}
`,
	"p/dot_test.go": `package p_test

import (
	. "p"
	"testing"
)

func TestDot(t *testing.T) { Inner() }

func TestUser(t *testing.T) { user{}.M() }

func TestLocal(t *testing.T) { Inner := 1; _ = Inner }
`,
}

func TestCut(t *testing.T) {
	dir := t.TempDir()
	for name, text := range cutFiles {
		name = filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := newCutter(filepath.Join(dir, "p"), "p", filepath.Join(dir, "given.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !c.exclude("a_test.go", "TestShadowed", "for a reason") || c.exclude("a_test.go", "TestDot", "") {
		t.Error("exclude takes a test for another file's")
	}
	c.spread()
	want := "TestDot needs Inner of export_test.go\nTestHelper needs Inner of export_test.go\n" +
		"TestInner needs Inner of export_test.go\nTestShadowed for a reason\nTestUser needs Hidden of export_test.go\n"
	if got := c.explain(); got != want {
		t.Errorf("cut are\n%swant\n%s", got, want)
	}
	for i, want := range [][]string{{"TestGiven"}, {"TestLocal"}} {
		f := c.files[i]
		if got := f.tests(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: tests %v, want %v", f.name, got, want)
		}
		left := string(c.left(f))
		if strings.Count(left, "\n") != strings.Count(string(f.text), "\n") {
			t.Errorf("%s: lines have moved:\n%s", f.name, left)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), f.name, left, 0); err != nil {
			t.Errorf("%v:\n%s", err, left)
		}
	}
	left := string(c.left(c.files[0]))
	for _, want := range []string{"\t_ \"strings\"\n", "\t\"fmt\"\n", "\t\"p\"\n", "func TestGiven(t *testing.T) {   Given(); fmt"} {
		if !strings.Contains(left, want) {
			t.Errorf("%q is missing in\n%s", want, left)
		}
	}
	if strings.Contains(left, "noinline") || strings.Contains(left, "user") || strings.Contains(left, "Benchmark") {
		t.Errorf("too much is left:\n%s", left)
	}
	if left := string(c.left(c.files[1])); !strings.Contains(left, "\t_ \"p\"\n") {
		t.Errorf("an import that nobody uses is left:\n%s", left)
	}
	c.files[1].dropTests()
	if got := c.files[1].tests(); got != nil {
		t.Errorf("dropTests leaves %v", got)
	}
}
