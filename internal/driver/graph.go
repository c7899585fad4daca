package driver

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"

	"loam/internal/importpath"
	"loam/internal/load"
	"loam/internal/pgo"
)

// A Graph is the packages of one link (or of several that share everything), with their
// actions.
type Graph struct {
	b     *Builder
	u     *load.Universe
	units []*unit // dependencies first
	byID  map[string]*unit
	names *load.Names

	profile *pgo.Profile // by which it is compiled, nil without

	lenders map[*unit]bool // whose small functions a package may get that has to be compiled: survey

	sources sources // which packages are read from sources

	linked  map[string]map[*unit][]bool // chunks that programs need, by id of the main package
	methods map[string][]string         // and the symbols of methods (internal/reach)

	summaries *summaries
}

// sources is what a graph knows of that.
type sources struct {
	all    bool               // every package whose functions others may have
	chosen map[*unit]bool     // these
	kept   map[*unit][]string // what the cache has for units that have to be compiled
	misses int                // how often something was missing

	waiting []*unit // those that may have to be compiled
	forAll  bool    // what any of them needs is chosen

	unnamed map[*unit]map[string]bool // functions that units have looked at, but do not name
}

// newUniverse gives the graph an empty universe.
func (g *Graph) newUniverse() {
	b := g.b
	g.u = load.NewUniverse()
	g.u.Code.FailsInCopy = !b.since("go1.27")
	g.u.Debug = &load.DebugSettings{GOROOT: b.Load.GOROOT, Toolchain: b.GoVersion}
	g.u.Compiler = load.CompilerOf(b.Load.GOROOT)
	g.u.Lane, g.u.Stubs = b.lane, stubs{b, g.profile}
	if g.profile != nil {
		g.u.Hot = func(p *load.Package, fd *ast.FuncDecl) bool { return g.hot(load.TypePath(p), fd) }
	}
	g.u.Wishes = func(p *load.Package) load.Wishes {
		flags := b.flagsOf(p)
		return load.Wishes{AllErrors: flags.AllErrors, FullNames: flags.FullNames, Lang: flags.Lang}
	}
	g.u.Show = g.names.Show
}

// hot reports whether the profile calls fd hot, which is declared in the package of that path.
func (g *Graph) hot(path string, fd *ast.FuncDecl) bool {
	return g.profile.HotCallee(pgo.Name(importpath.Prefix(path), fd))
}

// closure returns the units that roots depend on, themselves included, in build order.
func (g *Graph) closure(roots ...*unit) []*unit {
	seen := map[*unit]bool{}
	var visit func(*unit)
	visit = func(n *unit) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, d := range n.deps {
			visit(d)
		}
	}
	for _, r := range roots {
		visit(r)
	}
	var list []*unit
	for _, n := range g.units {
		if seen[n] {
			list = append(list, n)
		}
	}
	return list
}

// parts returns the packages that a program is made of.
func (g *Graph) parts(id string) (main, rt *unit, units []*unit, err error) {
	if main = g.byID[id]; main == nil {
		return nil, nil, nil, fmt.Errorf("package %s is not part of the build", id)
	}
	rt = g.byID["runtime"]
	for _, n := range g.closure(main) {
		if n.pkg.Path() == "runtime" {
			rt = n // a variant compiled for this test
		}
	}
	if rt == nil {
		return nil, nil, nil, errors.New("package runtime is not part of the build")
	}
	return main, rt, g.closure(main, rt), nil
}

// FirstFailed returns the first package with errors among those that ids depend on.
func (g *Graph) FirstFailed(ids ...string) string {
	var roots []*unit
	for _, id := range ids {
		if n := g.byID[id]; n != nil {
			roots = append(roots, n)
		}
	}
	for _, n := range g.closure(roots...) {
		if n.failed.Load() {
			return n.pkg.ImportPath
		}
	}
	return ""
}

// Release frees what only compiling needs; linking is still possible.
func (g *Graph) Release() { g.u, g.summaries = nil, nil }

// place is a position as messages have it.
func (g *Graph) place(pos token.Pos) string {
	p := g.u.Fset.Position(pos)
	return fmt.Sprintf("%s:%d:%d", load.ShortPath(g.b.WorkDir, g.names.Find(p.Filename)), p.Line, p.Column)
}
