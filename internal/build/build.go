package build

import (
	"errors"
	"fmt"
	"go/ast"
	"go/version"
	"io"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"loam/internal/escape"
	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/pgo"
	"loam/internal/reach"
	"loam/internal/store"
	"loam/internal/target"
	"loam/internal/timeline"
	"loam/internal/tools"
)

// Options is what one invocation of loam asks for.
type Options struct {
	Load       load.Config
	GoVersion  string                          // of the installed SDK, such as "go1.26.8"
	CompilerID string                          // changes when the compiler does
	Flags      func(*load.Package) lower.Flags // of the compiler, for a package
	Tier       Tier                            // of the packages that are being edited, "" as FullTier
	NoEscape   bool                            // every object goes to the heap: for finding bugs
	Parallel   int                             // clang runs at a time; 0 means one a CPU
	Verbose    bool                            // name packages as they are compiled
	Commands   bool                            // print the commands that are run
	// further flags of the assembler for a package, and what names of its .s files are to lack
	AsmFlags func(*load.Package) (words []string, trimPath string)
	// print the commands of clang and the linker and do not run them
	DryRun   bool
	KeepWork bool // keep intermediate files, and say where
	Progress bool // stderr is a terminal: show a progress line
	Linking
	Elsewhere
	// take nothing from the cache but what this invocation made
	Rebuild  bool
	Timeline *timeline.Log         // records what takes how long; nil if nobody asks
	Diagnose func(id, text string) // gets what is wrong with a package; nil prints it
	Stderr   io.Writer
	WorkDir  string // the user's working directory, for short file names
}

// Linking is what programs are linked with.
type Linking struct {
	Settings [][2]string // flags that the program says it was built with
	// programs have no symbol table, or no debug information (-ldflags=-s, -w)
	DropSymbols, DropDebug bool

	LinkVars map[string]string // -ldflags=-X: string variables, by symbol
	IDs      ProgramIDs
}

// Elsewhere is where files of the cache may be besides its directory, and how large that becomes.
type Elsewhere struct {
	Packs     []PackPlace
	CacheProg []string // the command of GOCACHEPROG, nil without
	CacheSize int64    // bytes that the directory has at most; 0: any
}

// A Builder builds packages and programs with one set of options.
type Builder struct {
	Options
	cache *store.Cache
	clang tools.Tool
	lld   tools.Tool
	march string
	work  string // directory for intermediate files, "" unless KeepWork
	print *printer
	lane  *timeline.Lane // of what is not done in the background
	base  string         // hash of everything that goes into every action's key

	mu       sync.Mutex
	profiles map[string]*pgo.Profile // that were read, by file
	reported map[string]bool         // texts, so that packages of several graphs are reported once
	made     map[string]bool         // keys and objects of this invocation
	lookups  map[lookupKey]*lookup   // of packages that were found
	facts    map[string]*reach.Facts // by key
	broken   atomic.Pointer[error]   // a tool does not work
	shown    string                  // package of the last command that was printed

	servers servers
}

// ErrReported says that a build failed and that the reasons are on stderr already.
var ErrReported = errors.New("build failed")

// New checks that the tools and the cache are there.
func New(o Options, cacheDir string) (*Builder, error) {
	b := &Builder{Options: o, reported: map[string]bool{}, profiles: map[string]*pgo.Profile{}, made: map[string]bool{}, lookups: map[lookupKey]*lookup{}, facts: map[string]*reach.Facts{"": reach.New(nil, 0, nil)}, lane: o.Timeline.Lane()}
	defer b.lane.Begin("", "open").End()
	if b.Parallel <= 0 {
		b.Parallel = runtime.NumCPU()
	}
	if b.Stderr == nil {
		b.Stderr = os.Stderr
	}
	b.print = &printer{w: b.Stderr, progress: o.Progress && !o.Commands && !o.DryRun}
	var err error
	if b.cache, err = store.Open(cacheDir); err != nil {
		return nil, err
	}
	b.cache.Limit = o.CacheSize
	if b.clang, err = tools.Find(b.cache, "LOAM_CLANG", "clang"); err != nil {
		return nil, err
	}
	if b.lld, err = tools.Find(b.cache, "LOAM_LLD", "ld.lld"); err != nil {
		return nil, err
	}
	if b.march, err = target.LevelFlag(); err != nil {
		return nil, err
	}
	if o.KeepWork {
		if b.work, err = os.MkdirTemp("", "loam-work-"); err != nil {
			return nil, err
		}
		fmt.Fprintf(b.Stderr, "WORK=%s\n", b.work)
	}
	if o.Commands && !o.KeepWork {
		fmt.Fprintf(b.Stderr, "WORK=%s\n", b.cache.TempDir())
	}
	h := store.NewHasher("loam action 1")
	h.Add("compiler", o.CompilerID)
	h.Add("go", o.GoVersion)
	h.Add("maps", fmt.Sprintf("%+v", b.mapLayout()))
	h.Add("escape", strconv.FormatBool(!o.NoEscape))
	h.Add("clang", b.clang.ID+strings.Join(b.clangFlags("-O2"), " "))
	h.Add("quick", strings.Join(b.quickRecipe().linkerFlags(), " ")+strings.Join(b.quickRecipe().toObject, " "))
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

// since tells whether the SDK is of that release or of a later one.
func (b *Builder) since(release string) bool { return version.Compare(b.Load.Release(), release) >= 0 }

// mapLayout is what the SDK says of maps.
func (b *Builder) mapLayout() lower.MapLayout {
	return lower.MapLayout{Strides: b.since("go1.27"), Split: b.Load.Experiment("mapsplitgroup")}
}

// Close ends the builder: it saves what speeds up the next build.
func (b *Builder) Close() {
	defer b.lane.Begin("", "close").End()
	b.print.clear()
	if l := b.servers.takeLinker(); l != nil {
		l.end()
	}
	b.servers.unwanted.Wait()
	if err := b.cache.Close(); err != nil && b.broken.Load() == nil {
		b.print.line(fmt.Sprintf("loam: %v", err))
	}
	b.cache.Trim()
	b.cache.SaveStamps()
}

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

	linked map[string]map[*unit][]bool // chunks that programs need, by id of the main package

	summaries  map[string]*escape.Summary // of functions, by symbol
	summarised map[*unit]bool             // whose summaries are among them
}

// unit is a package and the state of its action.
type unit struct {
	pkg  *load.Package
	deps []*unit

	profile string // the file of the graph's, "" without

	lends map[string][]string // see lent

	action string       // hash of what its front half depends on
	key    string       // of rec in the cache
	rec    *record      // what the action made; nil until done
	pieces []*piece     // what clang has not compiled of it
	asm    []byte       // assembly of its own
	left   atomic.Int32 // parts of its back half that are still to be done
	// its front half is done; nothing waits for being asked for
	started, released bool
	failed            atomic.Bool // it or a dependency has errors, which are reported

	source int // bytes of its sources, for the account
}

// record is the outcome of a package's action, as the cache keeps it.
type record struct {
	Objects    []string // keys of object files, to be linked
	Chunks     int      // how many of them, from the first, are of LLVM text
	Huge       []bool   // of these: whether they have huge functions
	Reach      string   // key of what its definitions refer to
	Export     string   // key of the export data
	ExportHash string   // of all that importers depend on
	HasInit    bool
	Text       int    // bytes of LLVM text
	Quick      bool   // compiled by the quick tier
	Generic    bool   // importers need bodies: they read the sources too
	Inline     string // hash of its small functions, which others may want; "" without
	Lending    lending
	Facts      string // key of the escape summaries, "" without
	Linknames  map[string]string
	Strings    []string // see stringVars
	Messages   []string // of -gcflags=-m

	missing []int // chunks of which the cache has the text
}

// files are the files of the cache that the record names. Instead of the object of a chunk there
// may be its text.
func (r *record) files() []store.File {
	list := []store.File{{Key: r.Export, Kind: "x"}, {Key: r.Reach, Kind: "reach"}}
	if r.Facts != "" {
		list = append(list, store.File{Key: r.Facts, Kind: "facts"})
	}
	for _, o := range r.Objects {
		list = append(list, store.File{Key: o, Kind: "o"})
	}
	return list
}

// NewGraph returns the graph for pkgs, which are in dependency order and complete. profile is the
// file of the profile by which they are compiled, "" without.
func (b *Builder) NewGraph(pkgs []*load.Package, profile string) (*Graph, error) {
	g := &Graph{linked: map[string]map[*unit][]bool{}, lenders: map[*unit]bool{}, b: b, byID: map[string]*unit{}, summaries: map[string]*escape.Summary{}, summarised: map[*unit]bool{}}
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

// newUniverse gives the graph an empty universe.
func (g *Graph) newUniverse() {
	b := g.b
	g.u = load.NewUniverse()
	g.u.Debug = &load.DebugSettings{GOROOT: b.Load.GOROOT, Toolchain: b.GoVersion}
	g.u.Compiler = load.CompilerOf(b.Load.GOROOT)
	g.u.Lane, g.u.Stubs = b.lane, stubs{b, g.profile}
	if g.profile != nil {
		g.u.Hot = func(p *load.Package, fd *ast.FuncDecl) bool { return g.hot(load.TypePath(p), fd) }
	}
	g.u.Settings = func(p *load.Package) (allErrors bool, lang string) {
		flags := b.flagsOf(p)
		return flags.AllErrors, flags.Lang
	}
	g.u.Show = g.names.Show
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

// Compile brings the actions of what is wanted, and of all that it imports, up to date. Errors in
// sources are reported on stderr; the result is then ErrReported.
func (g *Graph) Compile(w Wanted) error {
	var roots []*unit
	for _, id := range w.Packages {
		n := g.byID[id]
		if n == nil {
			return fmt.Errorf("package %s is not part of the build", id)
		}
		roots = append(roots, n)
	}
	for _, id := range w.Programs {
		main, rt, _, err := g.parts(id)
		if err != nil {
			return err
		}
		roots = append(roots, main, rt)
	}
	return g.run(g.closure(roots...), &w)
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

// Link makes the program whose main package is id and writes it to out. Without out it says whether
// the program can be made.
func (g *Graph) Link(id, out string) error {
	main, rt, units, err := g.program(id)
	if err != nil {
		return err
	}
	linked := g.linked[id]
	if linked == nil {
		return fmt.Errorf("internal error: %s is linked before it is compiled", id)
	}
	return g.b.link(main, rt, units, linked, out)
}

// ProgramKey names the content of the program that Link would make, without making it.
func (g *Graph) ProgramKey(id string) (string, error) {
	main, rt, units, err := g.program(id)
	if err != nil {
		return "", err
	}
	return g.b.programKey(main, rt, units), nil
}

// program returns what is linked for the main package id.
func (g *Graph) program(id string) (main, rt *unit, units []*unit, err error) {
	if main, rt, units, err = g.parts(id); err == nil {
		err = g.checkLinkVars(main, units)
	}
	return main, rt, units, err
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

// sortedKeys returns m's keys in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
