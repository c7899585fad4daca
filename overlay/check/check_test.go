// Package check finds the functions of the standard library, as Loam builds it, that nobody
// provides: declared without a body, and neither pushed by a go:linkname, nor defined in a .gas
// file or in one of the .s files that an asm rule keeps, nor expanded by the compiler. What other
// .s files provided must come from somewhere else.
//
//	go test ./overlay/check            fails if a program could meet one of them
//	go test ./overlay/check -v         says who provides each
//
// It reads sources only; no compiler is needed. (The package has no other files: directories of
// overlay/ with Go files are packages to be installed.)
package check

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"loam"
	"loam/internal/linkname"
	"loam/internal/load"
	"loam/internal/loamtest"
	"loam/internal/lower"
)

// unneeded are symbols without a provider that cannot be reached, each with the reason.
var unneeded = map[string]string{
	"time.registerLoadFromEmbeddedTZData":                   "as upstream: a program that wants time zone data imports time",
	"main.main":                                             "every program has one",
	"loam.boot":                                             "the driver's, with the table of initialisers",
	"runtime.reflectcall":                                   "declared by reflect, whose calls of it overlay.txt patches",
	"internal/runtime/sys.GetClosurePtr":                    "upstream's runtime only",
	"internal/runtime/startlinetest.AsmFunc":                "a test of upstream's assembler",
	"internal/runtime/gc/scan.ExpandAVX512":                 "upstream's collector only",
	"internal/runtime/gc/scan.FilterNilAVX512":              "upstream's collector only",
	"internal/runtime/gc/scan.scanSpanPackedAVX512":         "upstream's collector only",
	"crypto/internal/fips140/check/checktest.PtrStaticData": "a test of upstream's linker",
	"crypto/internal/fips140/check/checktest.PtrStaticText": "a test of upstream's linker",
}

// badlinkname.go files declare methods as functions to keep outsiders' go:linkname working.
var method = regexp.MustCompile(`\.\(?\*?\w+\)?\.\w+$`)

type want struct {
	pkg, symbol, pos string
	local            string // the function's own name, "" for a variable
}

type scan struct {
	wants     []want
	providers map[string][]string // symbol -> "package (how)"
	bodies    map[string]function // symbol -> the function in Go with that symbol
	imports   map[string][]string
	vars      map[string]bool // defined variables
	links     []want          // variables with a go:linkname to another package
}

func (s *scan) provide(symbol, pkg, how string) {
	by := pkg + " (" + how + ")"
	if !slices.Contains(s.providers[symbol], by) { // macros for begin and end name a symbol twice
		s.providers[symbol] = append(s.providers[symbol], by)
	}
}

// goFiles records what the Go files of a package declare and define.
func (s *scan) goFiles(t *testing.T, p *load.Package) {
	type decl struct {
		name string
		body bool
		pos  token.Position
	}
	var decls, vars []decl
	links := map[string]string{}
	fset := token.NewFileSet()
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range f.Comments {
			for _, c := range g.List {
				if w, ok := linkname.Parse(c.Text); ok && len(w) == 2 {
					links[w[0]] = w[1]
				}
			}
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, spec := range g.Specs {
					v := spec.(*ast.ValueSpec)
					for _, n := range v.Names {
						vars = append(vars, decl{n.Name, len(v.Values) > 0, fset.Position(n.Pos())})
					}
				}
			}
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			n := fd.Name.Name
			if fd.Recv != nil { // methods can be linkname targets
				r := fd.Recv.List[0].Type
				if star, ok := r.(*ast.StarExpr); ok {
					n = fmt.Sprintf("(*%s).%s", typeName(star.X), n)
				} else {
					n = typeName(r) + "." + n
				}
			}
			decls = append(decls, decl{n, fd.Body != nil, fset.Position(fd.Pos())})
		}
	}
	for _, v := range vars {
		link := links[v.name]
		if v.body && link != "" { // with a value: the storage is here, under the other name
			s.vars[link] = true
			continue
		}
		s.variable(p.ImportPath, v.name, link, fmt.Sprintf("%s:%d", v.pos.Filename, v.pos.Line))
	}
	for _, d := range decls {
		symbol := p.ImportPath + "." + d.name
		if l := links[d.name]; l != "" {
			symbol = l
		}
		switch {
		case d.body:
			s.provide(symbol, p.ImportPath, "Go")
			s.bodies[symbol] = function{p.ImportPath, d.name}
		default:
			s.wants = append(s.wants, want{p.ImportPath, symbol, fmt.Sprintf("%s:%d", d.pos.Filename, d.pos.Line), d.name})
		}
	}
}

// variable records those whose storage is elsewhere: a go:linkname to another package's variable.
// A name that is nobody else's is a push, and this package's own.
func (s *scan) variable(pkg, name, link, pos string) {
	if link == "" || strings.HasPrefix(link, pkg+".") {
		s.vars[pkg+"."+name] = true
		return
	}
	s.links = append(s.links, want{pkg, link, pos, ""})
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	}
	return "?"
}

// Every way in which our .gas files make a global symbol: the directive, or a macro whose first
// argument is the name.
var gasSymbol = regexp.MustCompile(`(?m)^\s*(?:\.globl\s+|[A-Z][A-Z0-9_]*\(\s*)(?:"([^"]+)"|([\w.]+))`)

func (s *scan) gasFiles(t *testing.T, p *load.Package) {
	for _, name := range p.GasFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range gasSymbol.FindAllStringSubmatch(string(text), -1) {
			s.provide(m[1]+m[2], p.ImportPath, "gas")
		}
	}
}

// goText is a function of Go assembly that belongs to its package.
var goText = regexp.MustCompile(`(?m)^TEXT\s+·(\w+)(?:<ABIInternal>)?\(SB\)`)

func (s *scan) asmFiles(t *testing.T, p *load.Package) {
	for _, name := range p.SFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range goText.FindAllStringSubmatch(string(text), -1) {
			s.provide(p.ImportPath+"."+m[1], p.ImportPath, "asm")
		}
	}
}

// reach returns everything that a program importing pkg links.
func (s *scan) reach(pkg string) map[string]bool {
	seen := map[string]bool{}
	var visit func(string)
	visit = func(p string) {
		if !seen[p] {
			seen[p] = true
			for _, i := range s.imports[p] {
				visit(i)
			}
		}
	}
	visit("runtime")
	visit(pkg)
	return seen
}

// shadowOf returns the SDK of the test's environment and its shadow, with all rules for its release
// applied.
func shadowOf(t *testing.T) (*load.SDK, *load.Shadow) {
	t.Helper()
	sdk, err := load.FindSDK("")
	if err != nil {
		t.Skip(err) // of a newer release than the Go that has compiled this test
	}
	cache, err := load.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	shadow, err := load.MakeShadow(cache, sdk, loam.RuntimeSources())
	if err != nil {
		t.Fatal(err)
	}
	return sdk, shadow
}

func TestEveryFunctionIsProvided(t *testing.T) {
	loamtest.EachRelease(t, func(t *testing.T, release string) { everyFunctionIsProvided(t) })
}

func everyFunctionIsProvided(t *testing.T) {
	sdk, shadow := shadowOf(t)
	pkgs, err := load.List(&load.Config{SDK: sdk, Shadow: shadow, Dir: filepath.Join(shadow.Dir, "src")}, "std")
	if err != nil {
		t.Fatal(err)
	}
	s := &scan{providers: map[string][]string{}, bodies: map[string]function{}, imports: map[string][]string{}, vars: map[string]bool{}}
	for _, p := range pkgs {
		if p.ImportPath == "unsafe" {
			continue
		}
		for _, i := range p.Imports {
			if to := p.ImportMap[i]; to != "" {
				i = to
			}
			s.imports[p.ImportPath] = append(s.imports[p.ImportPath], i)
		}
		s.goFiles(t, p)
		s.gasFiles(t, p)
		s.asmFiles(t, p)
	}
	for _, n := range lower.RuntimeEntries() {
		s.wants = append(s.wants, want{"runtime", "runtime." + n, "internal/lower", ""})
	}
	sort.Slice(s.wants, func(i, k int) bool { return s.wants[i].symbol < s.wants[k].symbol })
	for _, w := range s.wants {
		if unneeded[w.symbol] != "" || method.MatchString(strings.TrimPrefix(w.symbol, w.pkg)) {
			continue
		}
		list := s.providers[w.symbol]
		if lower.IsIntrinsic(w.symbol) {
			t.Logf("%-60s expanded by the compiler", w.symbol)
			continue
		}
		if len(list) == 0 {
			t.Errorf("nobody provides %s, wanted by %s (%s)", w.symbol, w.pkg, shadow.UserPath(w.pos))
			continue
		}
		reached, ok := s.reach(w.pkg), false
		for _, p := range list {
			path, _, _ := strings.Cut(p, " ")
			ok = ok || reached[path]
		}
		if !ok {
			t.Errorf("%s, wanted by %s, is provided only by %s, which a program need not import", w.symbol, w.pkg, strings.Join(list, ", "))
		}
		if len(list) > 1 {
			t.Errorf("%s has several providers: %s", w.symbol, strings.Join(list, ", "))
		}
		t.Logf("%-60s %s", w.symbol, strings.Join(list, ", "))
	}
	s.compareShapes(t, declarations(t, &load.Config{SDK: sdk, Shadow: shadow}, "std"))
	for _, l := range s.links {
		pkg := l.symbol[:max(0, strings.LastIndex(l.symbol, "."))]
		switch {
		case s.vars[l.symbol]:
			t.Logf("variable %-51s %s", l.symbol, pkg)
		case s.imports[pkg] != nil:
			t.Errorf("nobody defines the variable %s, wanted by %s (%s)", l.symbol, l.pkg, shadow.UserPath(l.pos))
		default:
			t.Logf("variable %-51s %s (under that name)", l.symbol, l.pkg)
		}
	}
}
