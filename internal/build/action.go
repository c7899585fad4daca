package build

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loam/internal/child"
	"loam/internal/load"
	"loam/internal/store"
	"loam/internal/target"
	"loam/internal/timeline"
)

// run brings units, in dependency order, up to date. The front halves run here, one after
// another; the back halves run in the background.
func (g *Graph) run(units []*unit, w *Wanted) error {
	guardHeap()
	back := newPool(g.b.Parallel)
	defer g.b.endServers()
	g.b.print.start()
	g.survey(units)
	g.openAccount(units)
	defer g.b.print.clear()
	if g.refused(units) {
		return ErrReported
	}
	d := g.newDemand(w, back)
	for _, n := range units {
		if n.rec != nil {
			if err := d.add(n); err != nil {
				back.wait()
				return err
			}
			continue
		}
		if err := g.b.cannotGoOn(); err != nil {
			back.wait()
			return err
		}
		for _, d := range n.deps {
			if d.failed.Load() {
				n.failed.Store(true)
			}
		}
		if n.failed.Load() {
			continue
		}
		if err := g.front(n, d); err != nil {
			n.failed.Store(true)
			g.report(n, err)
			if child.Ending() {
				break
			}
		} else if err := d.add(n); err != nil {
			back.wait()
			return err
		}
	}
	err := d.rest(units)
	g.b.print.account(func(a *account) { a.known = true })
	if d.busy {
		g.shrink()
		if len(w.Programs) > 0 {
			g.b.expectLinker()
		}
	}
	waiting := g.b.lane.Begin("", "wait")
	back.wait()
	waiting.End()
	if broken := g.b.broken.Load(); broken != nil {
		return *broken
	}
	if err != nil {
		return err
	}
	failed := false
	for _, n := range units {
		failed = failed || n.failed.Load()
	}
	if failed {
		return ErrReported
	}
	return nil
}

// refused reports packages that cannot be linked whatever is compiled: before anything is.
func (g *Graph) refused(units []*unit) (any bool) {
	pkgs := make([]*load.Package, len(g.units))
	for i, n := range g.units {
		pkgs[i] = n.pkg
	}
	pulls := load.NewPulls(&g.b.Load, pkgs)
	for _, n := range units {
		if n.rec == nil {
			if err := pulls.Check(n.pkg); err != nil {
				n.failed.Store(true)
				g.report(n, err)
				any = true
			}
		}
	}
	return any
}

// cannotGoOn is an error that concerns all packages that still have to be compiled.
func (b *Builder) cannotGoOn() error {
	if broken := b.broken.Load(); broken != nil {
		return *broken
	}
	if err := b.cache.Broken(); err != nil {
		b.broken.Store(&err)
		return err
	}
	return b.cache.Writable()
}

// report prints why a package could not be compiled.
func (g *Graph) report(n *unit, err error) {
	if child.Ending() || g.b.broken.Load() != nil {
		return // the user knows, or gets to know at the end
	}
	var faults *load.Errors
	if errors.As(err, &faults) {
		for i := range faults.List {
			faults.List[i].Msg = g.names.FindIn(faults.List[i].Msg)
		}
		text := faults.Format(func(name string) string { return load.ShortPath(g.b.WorkDir, g.b.checkoutPath(g.names.Find(name))) })
		// gc reads std's positions from what was compiled with -trimpath.
		text = strings.ReplaceAll(text, "(declared at "+g.b.Load.GOROOT+"/", "(declared at $GOROOT/")
		if !n.pkg.Standard && !byFiles(n.pkg) && missesName.MatchString(text) {
			text = strings.Join(append([]string{text}, g.b.Load.CgoFiles(n.pkg.Dir)...), "\n")
		}
		g.b.diagnose(n.pkg.ImportPath, text)
		return
	}
	g.b.diagnose(n.pkg.ImportPath, g.names.FindIn(fmt.Sprintf("# %s\n%v", n.pkg.ImportPath, err)))
}

// missesName matches what is said of names that another file of the package may have.
var missesName = regexp.MustCompile(`: undefined: |undefined \(type .* has no field or method |missing method `)

// diagnose passes on what is wrong with a package, once.
func (b *Builder) diagnose(id, text string) {
	b.mu.Lock()
	again := b.reported[text]
	b.reported[text] = true
	b.mu.Unlock()
	switch {
	case again:
	case b.Diagnose != nil:
		b.Diagnose(id, text)
	default:
		b.print.line(text)
	}
}

// checkoutPath maps one of Loam's own files to the checkout of Loam in the working directory, if
// that is where the user is.
func (b *Builder) checkoutPath(name string) string {
	rel, ok := strings.CutPrefix(name, b.Load.Shadow.Root+"/")
	if !ok {
		return name
	}
	here := filepath.Join(b.WorkDir, rel)
	if _, err := os.Stat(here); err != nil {
		return name
	}
	return here
}

// front finds the unit's record in the cache, or does the front half of its action and hands
// the rest to back.
func (g *Graph) front(n *unit, d *demand) error {
	sources, err := g.lookup(n)
	if err != nil {
		return err
	}
	if n.rec != nil {
		g.accountFront(n, true)
		return nil
	}
	if g.b.Verbose {
		g.b.print.line(n.pkg.ImportPath)
	}
	g.b.print.begin(n.pkg.ImportPath)
	defer g.b.print.end(n.pkg.ImportPath)
	if g.b.tier(n.pkg) != QuickTier {
		g.b.expect(g.b.packageFlags(n))
	}
	out, rec, err := g.compile(n, sources)
	if err != nil {
		return err
	}
	n.rec = rec
	g.u.Forget(g.u.Get(n.pkg))
	g.replay(n)
	n.begin(out.Asm)
	d.begin(n)
	g.accountFront(n, false)
	return nil
}

// lookup computes the unit's key, for which all it imports must be done, and takes the record
// from the cache if it is there. It returns the hash of the package's own files.
func (g *Graph) lookup(n *unit) (sources string, err error) {
	looking := g.b.lane.Begin(n.pkg.ImportPath, "look up")
	defer looking.End()
	if n.pkg.ImportPath == "unsafe" {
		n.rec = unsafeRecord
		return "", nil
	}
	if sources, ok := g.b.lookedUp(n); ok {
		looking.Note("in the cache")
		g.replay(n)
		return sources, nil
	}
	if n.action, sources, err = g.action(n); err != nil {
		return "", err
	}
	if g.b.flagsOf(n.pkg).MidPage != "" {
		return sources, nil
	}
	tier := g.b.tier(n.pkg)
	for _, quick := range []bool{false, true} {
		if quick && tier == FullTier || !quick && tier == QuickTier {
			continue
		}
		key := recordKey(n.action, quick)
		if rec := g.b.cachedRecord(key, tier); rec != nil && g.b.usable(key) {
			n.key, n.rec = key, rec
			g.b.noteLookup(n, sources)
			looking.Note("in the cache")
			g.replay(n)
			break
		}
	}
	return sources, nil
}

// unsafeRecord is of package unsafe, which has no files.
var unsafeRecord = &record{ExportHash: "unsafe"}

// A lookup is what was found in the cache for a package of some graph. It holds in any other graph
// of the invocation in which the package's imports have the same records.
type lookup struct {
	action, sources, key string
	rec                  *record
	deps                 []*record
}

// lookupKey tells lookups apart.
type lookupKey struct {
	pkg     *load.Package
	profile string
}

// noteLookup remembers that the unit was found.
func (b *Builder) noteLookup(n *unit, sources string) {
	l := &lookup{action: n.action, sources: sources, key: n.key, rec: n.rec}
	for _, d := range n.deps {
		l.deps = append(l.deps, d.rec)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lookups[lookupKey{n.pkg, n.profile}] = l
}

// lookedUp completes the unit if it was found in another graph.
func (b *Builder) lookedUp(n *unit) (sources string, ok bool) {
	b.mu.Lock()
	l := b.lookups[lookupKey{n.pkg, n.profile}]
	b.mu.Unlock()
	if l == nil || !slices.EqualFunc(n.deps, l.deps, func(d *unit, rec *record) bool { return d.rec == rec }) {
		return "", false
	}
	n.action, n.key, n.rec = l.action, l.key, l.rec
	return l.sources, true
}

// survey takes from the cache what can be had before anything is compiled, and notes whose
// small bodies may be wanted: those that lent returns for a package which may have to be
// compiled. (Where the record of one of them is not there yet, its own turn notes what it leads
// to.)
// That must be known before the first types are read, because a package
// enters the universe once, with bodies or without, and what is inlined may not depend on who
// asked for it first.
func (g *Graph) survey(units []*unit) {
	for _, n := range units {
		if n.rec == nil && !slices.ContainsFunc(n.deps, func(d *unit) bool { return d.rec == nil }) {
			g.lookup(n) // an error comes again when it is the unit's turn
		}
		if n.rec == nil {
			for _, d := range g.lent(n) {
				g.lenders[d] = true
			}
		}
	}
	g.chooseSources(units)
}

// lent returns the packages whose small functions may become part of n's code: those that it
// imports, those that small functions of these call small functions of, and so on. Records say so,
// thus it is the same in every build.
func (g *Graph) lent(n *unit) []*unit {
	list := slices.Clone(n.deps)
	for i := 0; i < len(list); i++ {
		if list[i].rec == nil {
			continue
		}
		for _, d := range list[i].deps {
			if slices.Contains(list[i].rec.Lending.Borrows, d.pkg.ImportPath) && !slices.Contains(list, d) {
				list = append(list, d)
			}
		}
	}
	return list
}

// replay repeats what the compiler had to say about the package.
func (g *Graph) replay(n *unit) {
	if len(n.rec.Messages) > 0 {
		g.b.print.line("# " + n.pkg.ImportPath + "\n" + strings.Join(n.rec.Messages, "\n"))
	}
}

// action returns the hash of all that the front half of the unit's action depends on, and that of
// the package's own files, which is part of it.
func (g *Graph) action(n *unit) (action, sources string, err error) {
	p := n.pkg
	h := store.NewHasher("sources")
	for i, files := range [][]string{p.GoFiles, p.SFiles, p.HFiles, p.GasFiles, p.GasHeaders, p.EmbedFiles} {
		h.Add("files", fmt.Sprint(len(files)))
		for _, name := range files {
			sum, err := g.b.cache.Hash(p, p.Source(name), i == 0)
			if err != nil {
				return "", "", err
			}
			h.Add(nameInPackage(p, name), string(sum[:]))
		}
	}
	sources = h.Sum()
	h = store.NewHasher("package")
	h.Add("base", g.b.base)
	flags := g.b.flagsOf(p)
	flags.AllErrors = false // what is compiled without errors does not depend on it
	h.Add("flags", fmt.Sprintf("%+v", flags))
	if digest := g.profileDigest(n); digest != "" {
		h.Add("profile", digest)
	}
	h.Add("id", p.ImportPath)
	h.Add("name", p.Name)
	h.Add("dir", g.u.Show(p.Dir)) // positions name it
	h.Add("lang", g.u.LangOf(p))
	h.Add("counters", fmt.Sprint(p.Counters, p.FuzzCounters))
	h.Add("sources", sources)
	if words, trim := g.b.asmFlagsOf(p); words != nil || trim != "" {
		h.Add("asmflags", fmt.Sprintf("%q %q", words, trim))
	}
	for _, path := range sortedKeys(p.ImportMap) {
		h.Add("map "+path, p.ImportMap[path])
	}
	for _, d := range n.deps {
		h.Add("import "+d.pkg.ImportPath, d.rec.ExportHash)
	}
	for _, d := range g.lent(n) {
		h.Add("lent "+d.pkg.ImportPath, d.rec.Inline)
	}
	return h.Sum(), sources, nil
}

// recordKey is where the outcome of an action is kept, for packages that are compiled quickly and
// for those that are not. The tier alone does not decide that: what is small is the same in all.
func recordKey(action string, quick bool) string {
	h := store.NewHasher("record")
	h.Add("action", action)
	h.Add("quick", strconv.FormatBool(quick))
	return h.Sum()
}

// nameInPackage is the part of a file's name that the package's code may depend on: of an embedded
// file the path below the package's directory, of others the last element, because their directory
// can be a temporary one.
func nameInPackage(p *load.Package, name string) string {
	if slices.Contains(p.EmbedFiles, name) {
		return strings.TrimPrefix(name, p.Dir+string(filepath.Separator))
	}
	return filepath.Base(name)
}

// usable tells whether something in the cache may be used: with -a, only what this invocation
// has made.
func (b *Builder) usable(key string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.Rebuild || b.made[key]
}

func (b *Builder) noteMade(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.made[key] = true
}

// cachedRecord returns the record under key if the tier asks for it, and it and all files that it
// names are there.
func (b *Builder) cachedRecord(key string, tier Tier) *record {
	data, err := b.cache.Read(key, "rec")
	if err != nil {
		return nil
	}
	rec := new(record)
	if json.Unmarshal(data, rec) != nil || rec.Quick != tier.quick(rec.Text) {
		return nil
	}
	files := rec.files()
	b.cache.FetchAll(files)
	for _, f := range append(files, store.File{Key: key, Kind: "rec"}) {
		if b.cache.Has(f.Key, f.Kind) {
			continue
		}
		chunk := slices.Index(rec.Objects[:rec.Chunks], f.Key)
		if f.Kind != "o" || chunk < 0 || !b.cache.Has(f.Key, chunkText) {
			return nil
		}
		rec.missing = append(rec.missing, chunk)
	}
	return rec
}

// clangFlags are the flags that turn LLVM text into an object at that level of optimisation.
func (b *Builder) clangFlags(level string) []string {
	return []string{"-c", level, target.TripleFlag, b.march, "-fno-pic", "-fno-pie",
		"-ffunction-sections", "-fdata-sections", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables",
		"-Wno-override-module",
		// Loop strength reduction may keep nothing but an address before or past an object in a loop,
		// which does not keep the object alive (rt/heap/doc.go). Indexed addressing costs nothing
		// on this machine: six kernels ran as fast without the pass.
		"-mllvm", "-disable-lsr",
		// The processor takes code up by aligned pieces, so that a short loop's time depends on where
		// it begins.
		"-falign-loops=32",
		// They keep branches: see branchFold.
		"-mllvm", branchFold, "-mllvm", phiFold, "-mllvm", target.KeepBranches,
		"-mllvm", target.KeepMoves,
		// A loop that copies stays a loop: see copyLoops.
		"-mllvm", copyLoops,
		// The SLP vectorizer would read two neighbouring words as one vector, though they were
		// often written a moment before as two: then the CPU has to wait until they are in the
		// cache (docs/rationale.md).
		"-fno-slp-vectorize"}
}

// branchFold keeps A && B || C branches. LLVM would compute all of it to branch once, which suits
// conditions that cannot be predicted; in parsers and decoders nearly all can, and most are decided
// by their first part.
const branchFold = "-simplifycfg-branch-fold-threshold=0"

// phiFold is the cost up to which both sides of a branch are computed. LLVM takes a root and
// a division of floats for as cheap as an addition, and would compute one where nobody wants it.
const phiFold = "-two-entry-phi-node-folding-threshold=2"

// copyLoops has loops that copy an element at a time stay loops. LLVM would call memmove, or where
// it knows the length move pairs of words that were written a moment before one by one. Short loops
// are faster as they are, and long ones, which are vectorized, take as long as memmove.
const copyLoops = "-disable-loop-idiom-memcpy"

// packageFlags are the clangFlags for the unit's package. The counters for fuzzing are LLVM's; the
// linker lays them side by side (link.go), and nothing runs LLVM's code that would register them.
func (b *Builder) packageFlags(n *unit) []string {
	level := "-O2"
	if b.flagsOf(n.pkg).NoOptimize {
		level = "-O0"
	}
	flags := b.clangFlags(level)
	if !b.describes(n.pkg) {
		// Where no variable is described, looking for their places finds nothing and takes a fiftieth
		// of clang's time. The older search does so at once; objects are the same.
		flags = append(flags, olderLocations...)
	}
	if n.pkg.FuzzCounters {
		flags = append(flags, "-fsanitize-coverage=inline-8bit-counters")
	}
	return flags
}

// asmFlags are the flags for a .gas file. Its directory is searched for headers, and is not
// part of any key: no package keeps headers elsewhere.
func (b *Builder) asmFlags(string) []string {
	return []string{"-c", target.TripleFlag, b.march, "-Wno-unused-command-line-argument",
		"-fdebug-default-version=4"} // of line tables, which rt/symtab reads
}

// assemble makes the object of a .gas file, with the note in front.
func (b *Builder) assemble(n *unit, gas, object string, lane *timeline.Lane) error {
	assembling := lane.Begin(n.pkg.ImportPath, "assemble")
	defer assembling.End()
	text := fmt.Sprintf("%s#line 1 %q\n", splitStackNote, b.checkoutPath(b.Load.Shadow.UserPath(gas)))
	source, err := os.ReadFile(gas)
	if err != nil {
		return err
	}
	name, err := b.intermediate(n, "."+filepath.Base(gas)+".S", append([]byte(text), source...))
	if err != nil {
		return err
	}
	if b.work == "" {
		defer os.Remove(name)
	}
	return b.compileTo(n, object, append(b.asmFlags(n.pkg.Dir), "-I"+n.pkg.Dir, "-x", "assembler-with-cpp", name), assembling)
}
