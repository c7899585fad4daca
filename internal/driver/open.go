package driver

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"loam/internal/cgo"
	"loam/internal/load"
	"loam/internal/pgo"
	"loam/internal/progress"
	"loam/internal/reach"
	"loam/internal/store"
	"loam/internal/toolchain"
)

// New checks that the tools and the cache are there.
func New(o Options, cacheDir string) (*Builder, error) {
	b := &Builder{
		Options: o, lane: o.Timeline.Lane(), reported: map[string]bool{}, profiles: map[string]*pgo.Profile{},
		lookups: map[lookupKey]*lookup{}, cMade: map[*load.Package]*cgo.Made{}, facts: map[string]*reach.Facts{"": reach.New(nil, 0, nil)},
	}
	defer b.lane.Begin("", "open").End()
	if b.Parallel <= 0 {
		b.Parallel = runtime.NumCPU()
	}
	if b.Stderr == nil {
		b.Stderr = os.Stderr
	}
	b.print = progress.New(b.Stderr, o.Progress && !o.Commands && !o.DryRun)
	var err error
	if b.cache, err = store.Open(cacheDir); err != nil {
		return nil, err
	}
	b.cache.Limit = o.CacheSize
	b.cache.Rebuild = o.Rebuild
	if b.tools, err = toolchain.Find(b.cache, o.Linking.Mode); err != nil {
		return nil, err
	}
	b.tools.Print, b.tools.Commands, b.tools.DryRun = b.print, o.Commands, o.DryRun
	if o.KeepWork {
		if b.tools.Work, err = os.MkdirTemp("", "loam-work-"); err != nil {
			return nil, err
		}
		fmt.Fprintf(b.Stderr, "WORK=%s\n", b.tools.Work)
	}
	if o.Commands && !o.KeepWork {
		fmt.Fprintf(b.Stderr, "WORK=%s\n", b.cache.TempDir())
	}
	h := store.NewHasher("loam action 1")
	h.Add("compiler", o.CompilerID)
	h.Add("go", o.GoVersion)
	h.Add("maps", fmt.Sprintf("%+v", b.mapLayout()))
	h.Add("escape", strconv.FormatBool(!o.NoEscape))
	h.Add("clang", b.tools.Clang.ID+strings.Join(b.tools.Flags("-O2"), " "))
	b.base = h.Sum()
	if err := b.openPacks(); err != nil {
		return nil, err
	}
	if o.CacheProg != nil {
		if err := b.cache.StartProgram(o.CacheProg); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Close ends the builder: it saves what speeds up the next build.
func (b *Builder) Close() {
	defer b.lane.Begin("", "close").End()
	b.print.Clear()
	b.tools.Close()
	if err := b.cache.Close(); err != nil && b.tools.Broken() == nil {
		b.print.Line(fmt.Sprintf("loam: %v", err))
	}
	b.cache.Trim()
	b.cache.SaveStamps()
}

// NewGraph returns the graph for pkgs, which are in dependency order and complete. profile is the
// file of the profile by which they are compiled, "" without.
func (b *Builder) NewGraph(pkgs []*load.Package, profile string) (*Graph, error) {
	g := &Graph{
		b: b, byID: map[string]*unit{}, lenders: map[*unit]bool{}, linked: map[string]map[*unit][]bool{}, methods: map[string][]string{},
		summaries: newSummaries(b.cache),
	}
	var err error
	if g.profile, err = b.readProfile(profile); err != nil {
		return nil, err
	}
	g.names = b.Load.Names(pkgs, func(p *load.Package) (source, assembly load.Rewrites) {
		_, trim := b.asmFlagsOf(p)
		return load.ParseRewrites(b.flagsOf(p).TrimPath), load.ParseRewrites(trim)
	})
	g.newUniverse()
	for _, p := range pkgs {
		if g.byID[p.ImportPath] != nil {
			continue
		}
		n := &unit{pkg: p, profile: profile}
		for _, path := range p.Imports {
			if path == "unsafe" || path == "C" {
				continue
			}
			d := g.byID[path]
			if d == nil {
				return nil, fmt.Errorf("package %s imports %s, which go list did not name before it", p.ImportPath, path)
			}
			n.deps = append(n.deps, d)
		}
		g.units = append(g.units, n)
		g.byID[p.ImportPath] = n
	}
	return g, nil
}
