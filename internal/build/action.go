package build

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"loam/internal/child"
	"loam/internal/escape"
	"loam/internal/goasm"
	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/mid/fromssa"
	"loam/internal/mid/pass"
	"loam/internal/target"
	"loam/internal/timeline"
)

// run brings units, in dependency order, up to date. The front halves run here, one after
// another; the back halves run in the background.
func (g *Graph) run(units []*unit, w *Wanted) error {
	back := newPool(g.b.Parallel)
	defer g.b.endServers()
	g.b.print.start(0, len(units))
	g.survey(units)
	defer g.b.print.clear()
	if g.refused(units) {
		return ErrReported
	}
	d := g.newDemand(w, back)
	for _, n := range units {
		if n.rec != nil {
			g.b.print.step()
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
		boundHeap()
	}
	err := d.rest(units)
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
	if err := b.cache.broken(); err != nil {
		b.broken.Store(&err)
		return err
	}
	return b.cache.writable()
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
		named := n.pkg.ImportPath == "command-line-arguments" // by its files: nothing is left out
		if !n.pkg.Standard && !named && missesName.MatchString(text) {
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

// checkoutPath maps a file of rt/ or overlay/, which has no place in the installed GOROOT, to
// the checkout of Loam in the working directory, if that is where the user is.
func (b *Builder) checkoutPath(name string) string {
	rel, ok := strings.CutPrefix(name, filepath.Join(b.Load.GOROOT, "src")+"/")
	if !ok {
		return name
	}
	candidates := []string{filepath.Join(b.WorkDir, "overlay", rel)}
	if below, ok := strings.CutPrefix(rel, load.RuntimePrefix+"/"); ok {
		candidates = append(candidates, filepath.Join(b.WorkDir, "rt", below))
	}
	for _, c := range candidates {
		if _, err := os.Stat(c); err == nil {
			return c
		}
	}
	return name
}

// front finds the unit's record in the cache, or does the front half of its action and hands
// the rest to back.
func (g *Graph) front(n *unit, d *demand) error {
	sources, err := g.lookup(n)
	if err != nil {
		return err
	}
	if n.rec != nil {
		g.b.print.step()
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
	if len(d.w.Programs) > 0 {
		g.b.expectLinker()
	}
	out, rec, err := g.compile(n, sources)
	if err != nil {
		return err
	}
	n.rec = rec
	g.u.Forget(g.u.Get(n.pkg))
	g.replay(n)
	n.begin(out.Asm)
	d.active = true
	d.release(n)
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
			if slices.Contains(list[i].rec.Borrows, d.pkg.ImportPath) && !slices.Contains(list, d) {
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
	h := newHasher("sources")
	for _, files := range [][]string{p.GoFiles, p.SFiles, p.HFiles, p.GasFiles, p.GasHeaders, p.EmbedFiles} {
		h.add("files", fmt.Sprint(len(files)))
		for _, name := range files {
			sum, err := g.b.cache.hashFile(p, p.Source(name))
			if err != nil {
				return "", "", err
			}
			h.add(nameInPackage(p, name), string(sum[:]))
		}
	}
	sources = h.sum()
	h = newHasher("package")
	h.add("base", g.b.base)
	flags := g.b.flagsOf(p)
	flags.AllErrors = false // what is compiled without errors does not depend on it
	h.add("flags", fmt.Sprintf("%+v", flags))
	if digest := g.profileDigest(n); digest != "" {
		h.add("profile", digest)
	}
	h.add("id", p.ImportPath)
	h.add("name", p.Name)
	h.add("dir", g.u.Show(p.Dir)) // positions name it
	h.add("lang", g.u.LangOf(p))
	h.add("counters", fmt.Sprint(p.Counters, p.FuzzCounters))
	h.add("sources", sources)
	if words, trim := g.b.asmFlagsOf(p); words != nil || trim != "" {
		h.add("asmflags", fmt.Sprintf("%q %q", words, trim))
	}
	for _, path := range sortedKeys(p.ImportMap) {
		h.add("map "+path, p.ImportMap[path])
	}
	for _, d := range n.deps {
		h.add("import "+d.pkg.ImportPath, d.rec.ExportHash)
	}
	for _, d := range g.lent(n) {
		h.add("lent "+d.pkg.ImportPath, d.rec.Inline)
	}
	return h.sum(), sources, nil
}

// recordKey is where the outcome of an action is kept, for packages that are compiled quickly and
// for those that are not. The tier alone does not decide that: what is small is the same in all.
func recordKey(action string, quick bool) string {
	h := newHasher("record")
	h.add("action", action)
	h.add("quick", strconv.FormatBool(quick))
	return h.sum()
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
	data, err := b.cache.read(key, "rec")
	if err != nil {
		return nil
	}
	rec := new(record)
	if json.Unmarshal(data, rec) != nil || rec.Quick != tier.quick(rec.Text) {
		return nil
	}
	files := rec.files()
	b.cache.fetchAll(files)
	for _, f := range append(files, cacheFile{key, "rec"}) {
		if b.cache.has(f.key, f.kind) {
			continue
		}
		chunk := slices.Index(rec.Objects[:rec.Chunks], f.key)
		if f.kind != "o" || chunk < 0 || !b.cache.has(f.key, chunkText) {
			return nil
		}
		rec.missing = append(rec.missing, chunk)
	}
	return rec
}

// translate is the front half: check, build SSA, lower. The record it returns lacks nothing but has
// not been written; objects are named by what they will be made from. A panic in all that is a bug
// of Loam; it is reported with the package's name and does not take the rest of the build with it.
func (g *Graph) translate(n *unit, sources string) (out *lower.Output, rec *record, err error) {
	defer func() {
		if lower.DebugPanics {
			return
		}
		if r := recover(); r != nil {
			err = fmt.Errorf("internal compiler error: %v (LOAMPANIC=1 shows where in Loam)", r)
		}
	}()
	defer g.b.lane.Begin(n.pkg.ImportPath, "front").End()
	importing := g.b.lane.Begin(n.pkg.ImportPath, "import")
	for _, d := range n.deps {
		if err := g.need(d); err != nil {
			return nil, nil, err
		}
	}
	importing.End()
	c, err := g.u.CheckSource(n.pkg, false)
	if err != nil {
		return nil, nil, err
	}
	lent := map[*types.Package]bool{}
	for _, d := range g.lent(n) {
		c := g.u.Get(d.pkg)
		if c == nil {
			continue
		}
		lent[c.Types] = true
		if c.Files != nil {
			c.SSA.SetDebugMode(g.b.describes(d.pkg))
			c.SSA.Build()
			g.u.Forget(c)
		}
	}
	embeds, err := load.Embeds(n.pkg, c)
	if err != nil {
		return nil, nil, err
	}
	in := &lower.Input{
		Info: c.Info, Files: c.Files, Fset: g.u.Fset, Sizes: &g.u.Sizes,
		Lent:              lent,
		Embeds:            map[string][]lower.EmbedFile{},
		PosPath:           func(name string) string { return name }, // mapped when parsed
		ImportedLinknames: map[string]string{},
		Counters:          n.pkg.Counters,
		Maps:              g.b.mapLayout(),
		Go127:             g.b.since("go1.27"),
		Flags:             g.b.flagsOf(n.pkg),
		User:              !n.pkg.Standard,
	}
	byPath := map[string]*load.Package{}
	for _, d := range g.closure(n) {
		byPath[load.TypePath(d.pkg)] = d.pkg
	}
	in.Describe = func(path string) bool { return byPath[path] != nil && g.b.describes(byPath[path]) }
	for name, files := range embeds {
		for _, f := range files {
			in.Embeds[name] = append(in.Embeds[name], lower.EmbedFile(f))
		}
	}
	for _, d := range g.closure(n) {
		if d != n {
			for local, remote := range d.rec.Linknames {
				in.ImportedLinknames[local] = remote
			}
		}
	}
	assembling := g.b.lane.Begin(n.pkg.ImportPath, "assemble")
	asm, err := g.goAssembly(n, c)
	assembling.End()
	if err != nil {
		return nil, nil, err
	}
	if asm != nil {
		in.Asm = &lower.AsmFuncs{Functions: asm.Functions, Registers: asm.Registers, Changes: asm.Changes, Preserved: goasm.Preserved, Variables: asm.Variables, Calls: asm.Calls, ABI0: goasm.ABI0, ABIInternal: goasm.ABIInternal, Bounds: goasm.WrapperBounds}
	}
	used := map[*types.Package]bool{}
	out, passes, err := g.lower(n, c, in, used)
	looked, missing := g.looked(n, used)
	if err := cmp.Or(missing, err); err != nil {
		return nil, nil, err
	}
	if err := g.keepSources(n, looked); err != nil {
		return nil, nil, err
	}
	var borrows []string
	for _, d := range n.deps {
		if c := g.u.Get(d.pkg); c != nil && passes.Borrows[c.Types] {
			borrows = append(borrows, d.pkg.ImportPath)
		}
	}
	if in.Flags.Explain > 0 {
		out.Messages = append(g.inlineMessages(n, passes), out.Messages...)
	}
	if asm != nil {
		out.Messages = append(asm.Messages, out.Messages...)
		out.Asm = slices.Concat([]byte(splitStackNote), out.Asm, asm.Text, asm.DebugInfo(load.TypePath(n.pkg), out.AsmWrappers))
	}
	return g.summarise(n, c, out, borrows, sources)
}

// describes tells whether debug information describes the types and variables of a package: those
// of all packages without optimisation, of the user's own and their modules otherwise. For the
// standard library it would double the cold build's work and the program's size for something that
// gc's users do look at, but seldom in optimised code (docs/rationale.md has the figures).
func (b *Builder) describes(p *load.Package) bool {
	flags := b.flagsOf(p)
	return !flags.LinesOnly && (flags.NoOptimize || !p.Standard)
}

// flagsOf are the compiler flags for a package. The run-time system is always optimised: it may not
// use more stack than it reckons with, and nobody who looks at a program of their own is to wait
// for it.
func (b *Builder) flagsOf(p *load.Package) lower.Flags {
	flags := b.Flags(p)
	if lower.IsRuntime(load.TypePath(p)) {
		flags.NoOptimize, flags.NoInline, flags.NoChecks = false, false, false
	}
	if p.Standard && p.DepOnly && load.TypePath(p) != lower.MapsPath {
		flags.Points = false // what is tested is asked, what it is made of is not
	}
	flags.Race = flags.Race && lower.MayRace(load.TypePath(p))
	return flags
}

// lower builds the SSA, makes the middle representation of it and lowers that. It also returns
// what the passes say they did. used gets the packages whose functions were looked at.
func (g *Graph) lower(n *unit, c *load.Checked, in *lower.Input, used map[*types.Package]bool) (out *lower.Output, passes *pass.Input, err error) {
	building := g.b.lane.Begin(n.pkg.ImportPath, "ssa")
	c.SSA.SetDebugMode(g.b.describes(n.pkg))
	c.SSA.Build()
	building.End()
	in.Pkg = fromssa.Watched(c.SSA, func(p *types.Package) { used[p] = true })
	passes = &pass.Input{Pkg: in.Pkg, Info: c.Info, Files: c.Files, Sizes: in.Sizes, Lends: in.Lender(g.hot), Lent: in.Lent, Stays: lower.Stays, Guide: in.Guide(g.profile)}
	shown := midText{g: g, n: n, flag: in.Flags.Mid, page: in.Flags.MidPage}
	if shown.shows() {
		shown.show(passes)
	}
	pass.Install(passes)
	if flags := in.Flags; !flags.NoInline && !flags.NoOptimize && !lower.IsRuntime(load.TypePath(n.pkg)) {
		pass.InlineCalls(passes, in.Pkg.Functions())
	}
	var facts *escape.Facts
	var messages []string
	if !g.b.NoEscape {
		analysing := g.b.lane.Begin(n.pkg.ImportPath, "escape")
		if facts, messages, err = g.analyse(n, in.Pkg, in.Flags.Explain); err != nil {
			return nil, nil, err
		}
		in.Escape = facts
		analysing.End()
	}
	lowering := g.b.lane.Begin(n.pkg.ImportPath, "lower")
	if out, err = lower.Package(in); err != nil {
		return nil, nil, sourceErrors(n.pkg, err)
	}
	lowering.End()
	out.IR.Asm = splitStackIR
	if facts != nil {
		out.Facts = escape.EncodeSummaries(facts.Exported())
		out.Messages = append(messages, out.Messages...)
	}
	texts, err := shown.finish()
	out.Messages = append(texts, out.Messages...)
	return out, passes, err
}

// sourceErrors makes lowering's errors in p's sources ones that are printed like the type
// checker's.
func sourceErrors(p *load.Package, err error) error {
	var found lower.Errors
	if !errors.As(err, &found) {
		return err
	}
	faults := &load.Errors{Package: p}
	for _, e := range found {
		faults.Add(e.Pos, e.Msg)
	}
	return faults
}

// Every object says that its functions know split stacks. lld would otherwise rewrite the
// prologues of functions that call into assembly, or into packages without code of that kind,
// to ask for more stack; ours switch stacks themselves where they need it.
const splitStackNote = ".section .note.GNU-split-stack,\"\",@progbits\n.text\n"

var splitStackIR = strings.Split(strings.TrimSuffix(splitStackNote, "\n"), "\n")

// summarise stores the export data and makes the record.
func (g *Graph) summarise(n *unit, c *load.Checked, out *lower.Output, borrows []string, sources string) (*lower.Output, *record, error) {
	defer g.b.lane.Begin(n.pkg.ImportPath, "summarise").End()
	data, err := g.u.WriteExport(c)
	if err != nil {
		return nil, nil, err
	}
	text := out.IR.Text()
	rec := &record{HasInit: out.HasInit, Text: len(text), Quick: g.b.tier(n.pkg).quick(len(text)), Linknames: out.Linknames, Messages: out.Messages, Generic: load.HasGenericCode(c.Files), Borrows: borrows,
		Strings: stringVars(c.Types)}
	n.key = recordKey(n.action, rec.Quick)
	h := newHasher("export data")
	h.add("types", string(data))
	rec.Export = h.sum()
	if err := g.b.cache.write(rec.Export, "x", data); err != nil {
		return nil, nil, err
	}
	if len(out.Facts) > 0 {
		h = newHasher("facts")
		h.add("facts", string(out.Facts))
		rec.Facts = h.sum()
		if err := g.b.cache.write(rec.Facts, "facts", out.Facts); err != nil {
			return nil, nil, err
		}
	}
	if c.Inlinable != "" {
		h = newHasher("small functions")
		h.add("text", c.Inlinable)
		rec.Inline = h.sum()
	}
	h = newHasher("exports")
	h.add("types", rec.Export)
	h.add("facts", rec.Facts)
	for _, local := range sortedKeys(out.Linknames) {
		h.add("linkname "+local, out.Linknames[local])
	}
	if rec.Generic {
		h.add("sources", sources)
	}
	for _, d := range n.deps {
		h.add("import "+d.pkg.ImportPath, d.rec.ExportHash)
	}
	rec.ExportHash = h.sum()

	if err := g.divide(n, out, text, rec); err != nil {
		return nil, nil, err
	}
	if len(out.Asm) > 0 {
		h := newHasher("assembly")
		h.add("clang", g.b.clang.id)
		h.add("flags", strings.Join(g.b.asmFlags(n.pkg.Dir), " "))
		h.add("text", string(out.Asm))
		rec.Objects = append(rec.Objects, h.sum())
	}
	for _, gas := range n.pkg.GasFiles {
		sum, err := g.b.cache.hashFile(n.pkg, gas)
		if err != nil {
			return nil, nil, err
		}
		h := newHasher("assembly")
		h.add("clang", g.b.clang.id)
		h.add("flags", strings.Join(g.b.asmFlags(n.pkg.Dir), " "))
		h.add("note", splitStackNote)
		h.add("file", string(sum[:]))
		for _, header := range n.pkg.GasHeaders {
			sum, err := g.b.cache.hashFile(n.pkg, header)
			if err != nil {
				return nil, nil, err
			}
			h.add("header", string(sum[:]))
		}
		rec.Objects = append(rec.Objects, h.sum())
	}
	return out, rec, nil
}

// asmFlagsOf are the user's flags for the assembler, nil if p needs none.
func (b *Builder) asmFlagsOf(p *load.Package) (words []string, trimPath string) {
	if b.AsmFlags == nil || len(p.SFiles) == 0 {
		return nil, ""
	}
	return b.AsmFlags(p)
}

// goAssembly assembles the package's .s files, if it has any.
func (g *Graph) goAssembly(n *unit, c *load.Checked) (*goasm.Object, error) {
	if len(n.pkg.SFiles) == 0 {
		return nil, nil
	}
	var show func(name string, args ...string)
	if g.b.Commands || g.b.DryRun {
		show = func(name string, args ...string) { g.b.show(n, name, args...) }
	}
	words, _ := g.b.asmFlagsOf(n.pkg)
	shown := strings.TrimSuffix(load.ShortPath(g.b.WorkDir, g.names.Find(g.names.Show(filepath.Join(n.pkg.Dir, "x")))), "x")
	return goasm.Assemble(&goasm.Package{Show: show, Shown: shown, Types: c.Types, Sizes: &g.u.Sizes, Path: load.TypePath(n.pkg), Dir: n.pkg.Dir, PosPath: g.names.Show,
		Files: n.pkg.SFiles, Temp: g.b.cache.tempDir(), Flags: words, GOROOT: g.b.Load.GOROOT, Level: target.Level()})
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
		// Both keep branches: see branchFold.
		"-mllvm", branchFold, "-mllvm", target.KeepBranches,
		// The SLP vectorizer would read two neighbouring words as one vector, though they were
		// often written a moment before as two: then the CPU has to wait until they are in the
		// cache (docs/rationale.md).
		"-fno-slp-vectorize"}
}

// branchFold keeps A && B || C branches. LLVM would compute all of it to branch once, which suits
// conditions that cannot be predicted; in parsers and decoders nearly all can, and most are decided
// by their first part.
const branchFold = "-simplifycfg-branch-fold-threshold=0"

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
	text := fmt.Sprintf("%s#line 1 %q\n", splitStackNote, b.checkoutPath(b.Load.Shadow.UserPath(gas, "")))
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
