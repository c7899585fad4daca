package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// someHot calls some functions hot.
var someHot = &Universe{Hot: func(_ *Package, fd *ast.FuncDecl) bool { return len(fd.Name.Name)%8 == 0 }}

// stubOf returns what decodeStub makes of a file's stub.
func stubOf(t *testing.T, name string, text []byte) []byte {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	data := encodeStub(nil, text, someHot.blanks(nil, fset.File(f.FileStart), f, text))
	stub, rest, err := decodeStub(append(data, "more"...))
	if err != nil || string(rest) != "more" {
		t.Fatalf("%s: %v, rest %q", name, err, rest)
	}
	if len(stub) != len(text) {
		t.Fatalf("%s: %d bytes became %d", name, len(text), len(stub))
	}
	return stub
}

// outline says of a file all that other packages can see: declarations with their places, bodies
// that they may need, types of variables where they are written.
func outline(t *testing.T, name string, text []byte) string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	someHot.stripBodies(nil, f)
	var b strings.Builder
	fmt.Fprintln(&b, f.Name.Name, f.GoVersion)
	show := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				fmt.Fprint(&b, fset.Position(id.Pos()), " ", id.Name, "; ")
			}
			return n != nil
		})
		fmt.Fprintln(&b)
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			fmt.Fprintln(&b, fset.Position(d.Pos()), d.Name.Name, d.Body != nil, isNoinline(d))
			show(d.Type)
			if d.Body != nil {
				show(d.Body)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok || d.Tok != token.VAR {
					show(s)
					continue
				}
				for _, id := range v.Names {
					show(id)
				}
				if v.Type != nil {
					show(v.Type)
				}
			}
		}
	}
	return b.String()
}

func isNoinline(d *ast.FuncDecl) bool {
	return d.Doc != nil && strings.Contains(fmt.Sprint(d.Doc.List[len(d.Doc.List)-1].Text), "go:noinline")
}

// What other packages see of std's files is the same with and without what stubs leave out, and
// stands at the same places.
func TestStubOutline(t *testing.T) {
	var size, kept int
	for _, pkg := range []string{"fmt", "net", "net/http", "reflect", "unicode", "slices", "syscall", "time", "go/types",
		"math/big", "vendor/golang.org/x/text/unicode/norm", "crypto/x509"} {
		names, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", pkg, "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatal(pkg, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			stub := stubOf(t, name, text)
			if a, b := outline(t, name, text), outline(t, name, stub); a != b {
				t.Errorf("%s: outlines differ:\n%s", name, firstDifference(a, b))
			}
			size, kept = size+len(text), kept+len(bytes.Join(bytes.Fields(stub), nil))
		}
	}
	if kept*3 > size {
		t.Errorf("%d of %d bytes are left", kept, size)
	}
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return "- " + x[i] + "\n+ " + y[i]
		}
	}
	return "one is longer"
}

// Each variable of a stub has the type that it has in the source.
func TestStubTypes(t *testing.T) {
	const source = `package p

import "sync"

/* over
lines */ type T struct { A int; B string }

var counted = [...]T{{1, "a"}, {2, "b"}, {3, "c"}, {4, "d"}, {5, "e"},
	{6, "f"}, {7, "g"}} ; var after = 1

var keyed = [...]string{2: "two", 9: "nine", 4: "four"}
var few = [...]byte{1}
var nested = [...][2]string{{"a", "b"},
	{"c", "d"}}
var slice, m = []T{{1, "x"}}, map[string]*T{"a": {1, "b"}}
var pointer = &T{1, "` + "`" + `"}
var raw = ` + "`a\nb`" + `
var typed, other int = 1 +
	2, 3
var once sync.Once
var f = func() int { return 1 } // a comment
var g = func() any { type local struct{ x int }; return []local{{1}} }()

func hotloops(n int) (sum int) { top: for i := range n { for range 3 { if sum += i; sum > 9 { continue top } } }; switch any(n).(type) { case int: return 2 }; return n*77 }

func big(n int) (sum int) { for i := range n { defer println(i); sum += i }; return }; func small() int { return 1 }

//go:noinline
func quiet() int { return 2 }

func init() { println("init") }

func _() {}

type list []int

func (l list) add() { go println(len(l)) }

func generic[E any](e E) E { defer println(e); return e }
`
	describe := func(text []byte) string {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "p.go", text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		conf := types.Config{Error: func(error) {}, Importer: noImports{}}
		pkg, _ := conf.Check("p", fset, []*ast.File{f}, nil)
		var b strings.Builder
		for _, name := range pkg.Scope().Names() {
			object := pkg.Scope().Lookup(name)
			fmt.Fprintln(&b, fset.Position(object.Pos()), object)
		}
		return b.String()
	}
	for _, text := range []string{source, strings.ReplaceAll(source, "\n", "\r\n")} {
		stub := stubOf(t, "p.go", []byte(text))
		if a, b := describe([]byte(text)), describe(stub); a != b {
			t.Errorf("types differ: %s\nin\n%s", firstDifference(a, b), stub)
		}
		if !strings.Contains(text, "\r") && !bytes.Contains(stub, []byte("nine")) {
			t.Error("an array with keys lost its elements")
		}
		for _, gone := range []string{`"g"`, `"init"`, "println(i)", "over", `"x"`} {
			if !strings.Contains(text, "\r") && bytes.Contains(stub, []byte(gone)) {
				t.Errorf("the stub still has %s", gone)
			}
		}
		for _, stays := range []string{"type local", "//go:noinline", "return 1 }", "n*77", "defer println(e)"} {
			if !bytes.Contains(stub, []byte(stays)) {
				t.Errorf("the stub lacks %s", stays)
			}
		}
	}
}

type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) { return nil, fmt.Errorf("no %s", path) }

// A damaged stub is an error, wherever it was cut or changed.
func TestStubDamaged(t *testing.T) {
	text := []byte("package p\n\nfunc f() {\n\tdefer g()\n}\n\nfunc g() {}\n")
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	data := encodeStub(nil, text, someHot.blanks(nil, fset.File(f.FileStart), f, text))
	for i := range data {
		if _, _, err := decodeStub(data[:i]); err == nil {
			t.Errorf("cut at %d of %d: no error", i, len(data))
		}
		for _, b := range []byte{0, 0x7f, 0xff} {
			changed := bytes.Clone(data)
			changed[i] = b
			decodeStub(changed) // must return
		}
	}
}
