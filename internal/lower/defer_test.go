package lower

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"

	"loam/internal/ir"
	"loam/internal/mid/pass"
	"loam/internal/mid/syntax"
)

// lowerText lowers a package p of that text, which imports nothing, by an input that set has
// changed.
func lowerText(t *testing.T, text string, set func(*Input)) *ir.Module {
	t.Helper()
	return lowerPackage(t, "p", text, set)
}

// unsafeOnly imports package unsafe.
type unsafeOnly struct{}

func (unsafeOnly) Import(path string) (*types.Package, error) {
	if path != "unsafe" {
		return nil, fmt.Errorf("%s is not at hand", path)
	}
	return types.Unsafe, nil
}

// lowerPackage is lowerText for a package of that path.
func lowerPackage(t *testing.T, path, text string, set func(*Input)) *ir.Module {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package p\n"+text, 0)
	if err != nil {
		t.Fatal(err)
	}
	files, sizes := []*ast.File{file}, types.SizesFor("gc", "amd64")
	view, _, err := syntax.Check(&types.Config{Importer: unsafeOnly{}}, fset, path, files)
	if err != nil {
		t.Fatal(err)
	}
	pass.Install(&pass.Input{Pkg: view})
	in := &Input{Pkg: view, Files: files, Fset: fset, Sizes: sizes}
	set(in)
	out, err := Package(in)
	if err != nil {
		t.Fatal(err)
	}
	return out.IR
}

// lowered returns the LLVM text of function p.name of a package p that imports nothing.
func lowered(t *testing.T, text, name string) string {
	t.Helper()
	return loweredBy(t, text, name, func(*Input) {})
}

// loweredBy is lowered with an input that set has changed.
func loweredBy(t *testing.T, text, name string, set func(*Input)) string {
	t.Helper()
	all := string(lowerText(t, text, set).Text())
	start := strings.Index(all, `@"p.`+name+`"(`)
	if start < 0 {
		t.Fatalf("no function %s in\n%s", name, all)
	}
	body, _, _ := strings.Cut(all[start:], "\n}\n")
	return body
}

// TestDeferCost holds what a function does about its deferred calls where nothing panics.
func TestDeferCost(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// The one call is made when the frame is off the chain: nothing is taken off its list.
		{`func f(x *int) { defer g(); *x++ }; func g()`, "push link unlink g"},
		{`func f(n int) { defer g(n); h() }; func g(n int); func h()`, "link h unlink g"},
		{`func f(x *int) { defer func() { *x++ }(); *x++ }`, "link unlink f.func1"},
		// One return makes the call if it is to be made.
		{`func f(n int) { if n > 0 { defer g(n) }; h() }; func g(n int); func h()`, "push link h pop unlink"},
		// An early return does nothing.
		{`func f(x int) { if x == 0 { return }; defer g(); h() }; func g(); func h()`, "push link h unlink g"},
		{`func f() { h(); defer g(); defer h() }; func g(); func h()`, "h push link push pop h unlink g"},
		// Behind these statements only checks in line can panic: the call is made where they return.
		{`type T struct{ next *T }; func f(t *T) { h(); defer g(); t.next = nil }; func g(); func h()`, "h g"},
		{`type T struct{ next *T }; func f(t *T) { defer g(t); if t.next != nil { return }; t.next.next = t }; func g(t *T)`, "g g"},
		// There may be no memory behind what points to no pointers.
		{`func f(p *int) (n int) { defer g(); return *p }; func g()`, "push link unlink g"},
		{`func f(p []byte) byte { defer g(); return p[0] }; func g()`, "push link unlink g"},
		// One does not always run.
		{`type T struct{ next *T }; func f(t *T, c bool) { if c { defer g() }; t.next = nil }; func g()`, "push link pop unlink"},
		{`type T struct{ next *T }; func f(t *T) { defer g(); defer h(); t.next = nil }; func g(); func h()`, "push link push pop h unlink g"},
		{`type T struct{ next *T }; func f(t *T) { defer g(); h(); t.next = nil }; func g(); func h()`, "push link h unlink g"},
		// Statements that run more than once are left to the run-time system.
		{`func f(n int) { for range n { defer g() } }; func g()`, "link push rundefers"},
	} {
		body := lowered(t, c.text, "f")
		if got := strings.Join(deferEvents(body), " "); got != c.want {
			t.Errorf("%s: %s, want %s\n%s", c.text, got, c.want, body)
		}
	}
}

// TestWordLoops looks for a function of math/big in the loop that calls it.
func TestWordLoops(t *testing.T) {
	text := `func divWW(x uint) uint { return g(x) * 3 }; func g(x uint) uint; func f(x []uint, r uint) uint { for range x { r = divWW(r) }; return r }`
	for path, want := range map[string]bool{"math/big": true, "p": false} {
		for _, off := range []bool{false, true} {
			out := lowerPackage(t, path, text, func(in *Input) { in.Flags.NoOptimize = off })
			if got := strings.Contains(string(out.Text()), " alwaysinline "); got != (want && !off) {
				t.Errorf("%s, without optimisation %v: inlined %v", path, off, got)
			}
		}
	}
}

// deferEvents lists what a function does with its frame of deferred calls, and its calls, in the
// order of the text, but for what follows a recovered panic.
func deferEvents(body string) (events []string) {
	resumed := ""
	if m := regexp.MustCompile(`\nresume:\n  br label %(\w+)`).FindStringSubmatch(body); m != nil {
		resumed = m[1]
	}
	var head string // the address of the frame's list
	linked, skip := false, false
	called := regexp.MustCompile(`^  call .*@"(?:p|runtime)\.([\w.]+)"\(`)
	for _, line := range strings.Split(body, "\n") {
		if label, ok := strings.CutSuffix(line, ":"); ok {
			skip = label == resumed || label == "resume" || strings.HasPrefix(label, "trap.")
		}
		if m := regexp.MustCompile(`  (%v\d+) = getelementptr inbounds i8, ptr %slot.1, i64 8,`).FindStringSubmatch(line); m != nil {
			head = m[1]
		}
		switch call := called.FindStringSubmatch(line); {
		case skip:
		case strings.HasPrefix(line, "  callbr "):
			events, linked = append(events, "link"), true
		case strings.HasPrefix(line, "  store volatile ptr ") && linked:
			events = append(events, "unlink")
		case strings.HasPrefix(line, "  store i64 %v") && strings.Contains(line, ", ptr "+head+","):
			events = append(events, "push")
		case strings.HasPrefix(line, "  store ptr null, ptr "+head+",") && slices.Contains(events, "push"):
			events = append(events, "pop")
		case strings.HasPrefix(line, "  store ptr %slot.") && strings.Contains(line, ", ptr "+head+","):
			events = append(events, "push")
		case strings.HasPrefix(line, "  store ptr %v") && strings.Contains(line, ", ptr "+head+","):
			record, _, _ := strings.Cut(strings.TrimPrefix(line, "  store ptr "), ",")
			if strings.Contains(body, "  "+record+" = load ptr,") {
				events = append(events, "pop")
			} else {
				events = append(events, "push")
			}
		case call != nil:
			events = append(events, call[1])
		}
	}
	return events
}
