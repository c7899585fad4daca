package escape

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"

	"loam/internal/mid"
	"loam/internal/mid/syntax"
)

// program is a set of packages with everything that they import, analysed.
type program struct {
	roots []*mid.Package
	facts map[*mid.Package]*Facts
	fns   map[*mid.Package][]*mid.Func
	count int
	took  time.Duration
}

// loadProgram loads patterns from the installed GOROOT and analyses all packages in
// import order, as the driver does.
func loadProgram(t testing.TB, patterns ...string) *program {
	t.Helper()
	cfg := &packages.Config{
		Mode: packages.LoadAllSyntax,
		Env:  append(os.Environ(), "CGO_ENABLED=0"),
	}
	pkgs, err := packages.Load(cfg, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	u := syntax.NewUniverse(pkgs[0].Fset, amd64)
	packages.Visit(pkgs, nil, func(lp *packages.Package) { u.Add(lp.Types, lp.Syntax, lp.TypesInfo, true) })
	p := &program{facts: map[*mid.Package]*Facts{}, fns: map[*mid.Package][]*mid.Func{}}
	known := map[string]*Summary{}
	packages.Visit(pkgs, nil, func(lp *packages.Package) {
		pkg := u.View(lp.Types)
		if slices.Contains(pkgs, lp) {
			p.roots = append(p.roots, pkg)
		}
		fns := pkg.Functions()
		p.fns[pkg] = fns
		p.count += len(fns)
		start := time.Now()
		f := Analyze(pkg, fns, func(sym string) *Summary { return known[sym] }, amd64)
		p.took += time.Since(start)
		p.facts[pkg] = f
		for k, s := range f.Exported() {
			known[k] = s
		}
	})
	return p
}

// BenchmarkNetHTTP analyses all that net/http needs; loading is not part of the time.
func BenchmarkNetHTTP(b *testing.B) {
	var took time.Duration
	for range b.N {
		took += loadProgram(b, "net/http").took
	}
	b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), "ns/op")
}

// TestShare analyses all that net/http needs. A third of the objects is on the stack; a change
// that loses a tenth of those is a mistake.
func TestShare(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 200 packages")
	}
	p := loadProgram(t, "net/http")
	stack, heap := 0, 0
	reasons := map[string]int{}
	for _, f := range p.facts {
		for v, d := range f.objects {
			if a, ok := v.(*mid.Alloc); ok && !a.Heap {
				continue
			}
			kind := strings.TrimPrefix(fmt.Sprintf("%T", v), "*mid.")
			if d.why == whyNone {
				stack++
				reasons[kind+": on the stack"]++
			} else {
				heap++
				reasons[kind+": "+whyText[d.why]]++
			}
		}
	}
	t.Logf("%d functions, %v: %d objects on the stack, %d on the heap", p.count, p.took, stack, heap)
	var lines []string
	for r, n := range reasons {
		lines = append(lines, fmt.Sprintf("%7d %s", n, r))
	}
	sort.Sort(sort.Reverse(sort.StringSlice(lines)))
	t.Logf("\n%s", strings.Join(lines, "\n"))
	if share := float64(stack) / float64(stack+heap); share < 0.31 {
		t.Errorf("%.3f of the objects are on the stack", share)
	}
}

var (
	errorComment = regexp.MustCompile(`// ERROR (.*)$`)
	quoted       = regexp.MustCompile("\"([^\"]*)\"|`([^`]*)`")
)

// categories of gc's messages, the more special first.
var categories = []struct{ name, text string }{
	{"moved", "moved to heap"},
	{"content", "leaking param content"},
	{"result", `leaking param: .* to result`},
	{"leak", "leaking param"},
	{"heap", "escapes to heap"},
	{"stack", "does not escape"},
}

func category(msg string) string {
	for _, c := range categories {
		if ok, _ := regexp.MatchString(c.text, msg); ok {
			return c.name
		}
	}
	return ""
}

// TestAgreement compares with what gc says about GOROOT/test/escape*.go: the share of gc's expected
// messages for which we say the same kind of thing on the same line, and of those that our words
// match. They need not all agree: gc inlines first, and we are sometimes more precise.
func TestAgreement(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 30 programs")
	}
	files, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "test", "escape*.go"))
	total, same, exact, unsafeOnes := 0, 0, 0, 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil || !strings.HasPrefix(string(text), "// errorcheck") || !strings.Contains(strings.SplitN(string(text), "\n", 2)[0], "-m") {
			continue
		}
		p := loadProgram(t, name)
		ours := map[int][]string{}
		for _, root := range p.roots {
			f := p.facts[root]
			for _, m := range f.Messages(p.fns[root]) {
				line := f.fset.Position(m.Pos).Line
				ours[line] = append(ours[line], m.Text)
			}
		}
		fileTotal, fileSame := 0, 0
		for i, line := range strings.Split(string(text), "\n") {
			m := errorComment.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			for _, q := range quoted.FindAllStringSubmatch(m[1], -1) {
				want := category(strings.ReplaceAll(q[1]+q[2], `\`, ""))
				if want == "" {
					continue
				}
				fileTotal++
				found, words := false, false
				pattern, err := regexp.Compile(q[1] + q[2])
				for _, msg := range ours[i+1] {
					found = found || category(msg) == want
					words = words || err == nil && pattern.MatchString(msg)
				}
				if words {
					exact++
				}
				if found {
					fileSame++
				} else {
					// Where gc says heap and we do not, someone has to look.
					if want == "moved" || want == "heap" {
						unsafeOnes++
					}
					if os.Getenv("ESCAPE_DIFF") != "" {
						t.Logf("%s:%d: gc %q, we %q", filepath.Base(name), i+1, q[1]+q[2], ours[i+1])
					}
				}
			}
		}
		total, same = total+fileTotal, same+fileSame
		t.Logf("%-28s %4d of %4d", filepath.Base(name), fileSame, fileTotal)
	}
	t.Logf("in gc's words: %d of %d (%.1f %%)", exact, total, 100*float64(exact)/float64(total))
	t.Logf("agreement: %d of %d (%.1f %%); %d times gc says heap and we do not", same, total, 100*float64(same)/float64(total), unsafeOnes)
	if total > 0 && same*100 < total*88 {
		t.Errorf("agreement has fallen below 88 %%")
	}
}
