package pgo

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"loam/internal/pgo/pgotest"
)

// parse reads a profile that pgotest makes of text.
func parse(t *testing.T, text string) *Profile {
	t.Helper()
	p, err := Parse(bytes.NewReader(pgotest.Encode(text)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestHot: the heaviest edges that have 99 % of the weight are hot, whether a frame was inlined or
// not, a recursion counts once, and lines count from where the function begins.
func TestHot(t *testing.T) {
	p := parse(t, `
980 p.leaf+1 p.mid+2 main.main+3
10 ^p.leaf+1 p.mid+5 p.mid+5 p.mid+5 main.main+3
3 p.rare+1 p.mid+2 main.main+4`)
	for _, c := range []struct {
		site   Site
		callee string
		hot    bool
	}{
		{Site{"p.mid", 2}, "p.leaf", true},
		{Site{"main.main", 3}, "p.mid", true},
		{Site{"p.mid", 2}, "p.rare", false},
		{Site{"main.main", 4}, "p.mid", false},
		{Site{"p.mid", 1002}, "p.leaf", false}, // an absolute line
	} {
		if p.Hot(c.site, c.callee) != c.hot {
			t.Errorf("%v calls %s: hot is %v", c.site, c.callee, !c.hot)
		}
	}
	// 980+990 of 1976+20 are less than 99 %, so one of the two edges with 10 is hot, too: the first
	// by name.
	if !p.Hot(Site{"p.mid", 5}, "p.leaf") || p.Hot(Site{"p.mid", 5}, "p.mid") {
		t.Error("of edges of the same weight not the first is hot")
	}
	any := func(string) bool { return true }
	if name, ok := p.Dominant(Site{"p.mid", 2}, any); !ok || name != "p.leaf" {
		t.Errorf("most calls reach %q", name)
	}
	if !p.HotCallee("p.leaf") || p.HotCallee("p.rare") {
		t.Error("the callees of hot edges are others")
	}
}

// TestDominant: without a callee that most calls reach there is none to guess.
func TestDominant(t *testing.T) {
	p := parse(t, `
50 p.one+1 p.f+2
49 p.two+1 p.f+2
48 p.three+1 p.f+2`)
	if name, ok := p.Dominant(Site{"p.f", 2}, func(string) bool { return true }); ok {
		t.Errorf("%q is reached by a third of the calls", name)
	}
	if name, ok := p.Dominant(Site{"p.f", 2}, func(name string) bool { return name == "p.two" }); !ok || name != "p.two" {
		t.Errorf("of p.two only, %q is reached", name)
	}
}

// TestDigest: only what concerns a package changes its digest, and not how often it was seen.
func TestDigest(t *testing.T) {
	digest := func(weight int64, callee string, paths ...string) string {
		return parse(t, fmt.Sprintf("%d %s+1 ex/a.F+2 main.main+3", weight, callee)).Digest(paths)
	}
	base := digest(100, "ex/b.G", "ex/a")
	if base == "" || base != digest(200, "ex/b.G", "ex/a") || base != digest(100, "ex/b.G", "ex/a", "ex/c") {
		t.Error("the digest depends on more than which edges are hot")
	}
	if base == digest(100, "ex/b.H", "ex/a") {
		t.Error("another callee has the same digest")
	}
	if d := digest(100, "ex/b.G", "ex/b"); d == "" || d == base {
		t.Error("to the package of a function it is all the same whether hot calls reach it")
	}
	if d := digest(100, "ex/b.G", "ex", "ex/aa"); d != "" {
		t.Errorf("the profile says something of packages in which nothing is hot: %s", d)
	}
	// Each package that uses an instance compiles it.
	p := parse(t, "1 ex/b.G+1 ex/a.F[go.shape.int]+2")
	if p.Digest([]string{"ex/c"}) == "" {
		t.Error("what an instance calls concerns no package that may use it")
	}
}

// TestReached: declarations are found by their names in profiles, and packages' ones by the path.
func TestReached(t *testing.T) {
	p := parse(t, "1 ex/a.F+1 ex/a.(*T).M+1 ex/a.T.N+1 ex/ab.F+1 ex.F+1 ex/a/b.F+1 main.main+1")
	want := []string{"ex/a.(*T).M", "ex/a.F", "ex/a.T.N"}
	if got := p.Reached("ex/a"); !slices.Equal(got, want) {
		t.Errorf("%q are reached", got)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a; func F(); func (*T) M(); func (T) N(); func (t (*T)) O()", 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"ex/a.F", "ex/a.(*T).M", "ex/a.T.N", "ex/a.(*T).O"} {
		if got := Name("ex/a", file.Decls[i].(*ast.FuncDecl)); got != name {
			t.Errorf("%s is found as %s", name, got)
		}
	}
}

// TestEmpty: a file without anything, and a profile without samples, say nothing.
func TestEmpty(t *testing.T) {
	name := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, read := range []func() (*Profile, error){
		func() (*Profile, error) { return Read(name) },
		func() (*Profile, error) { return Parse(bytes.NewReader(pgotest.Encode(""))) },
	} {
		p, err := read()
		if err != nil {
			t.Fatal(err)
		}
		if p.Hot(Site{"main.main", 1}, "main.f") || p.Digest([]string{"main"}) != "" {
			t.Error("something is hot")
		}
	}
}
