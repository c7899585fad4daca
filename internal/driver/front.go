package driver

import (
	"cmp"
	"errors"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"loam/internal/amd64"
	"loam/internal/compile"
	"loam/internal/goasm"
	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/scratch"
	"loam/internal/store"
	"loam/internal/toolchain"
)

// translate is the front half of an action: it checks the package, has it compiled, and stores what
// importers need. The record it returns lacks nothing but has not been written; objects are named
// by what they will be made from. A panic in all that is a bug of Loam; it is reported with the
// package's name and does not take the rest of the build with it.
func (g *Graph) translate(n *unit, sources string) (out *compile.Output, rec *record, err error) {
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
	c, err := g.u.CheckSource(n.pkg, load.Whole)
	if err != nil {
		return nil, nil, err
	}
	in, err := g.input(n, c)
	if err != nil {
		return nil, nil, err
	}
	assembling := g.b.lane.Begin(n.pkg.ImportPath, "assemble")
	asm, err := g.goAssembly(n, c)
	assembling.End()
	if err != nil {
		return nil, nil, err
	}
	if asm != nil {
		in.Lower.Asm = &lower.AsmFuncs{
			Functions: asm.Functions, Registers: asm.Registers, Changes: asm.Changes, Variables: asm.Variables, Calls: asm.Calls,
			Preserved: goasm.Preserved, ABI0: goasm.ABI0, ABIInternal: goasm.ABIInternal, Bounds: goasm.WrapperBounds,
		}
	}
	shown := midText{g: g, n: n, flag: in.Lower.Flags.Mid, page: in.Lower.Flags.MidPage}
	if shown.shows() {
		shown.show(in)
	}
	looks := g.newLooks(n)
	in.Looks = looks.at
	out, err = compile.Package(in)
	if err == nil {
		err = g.summaries.fault
	}
	if err != nil {
		err = sourceErrors(n.pkg, err)
	}
	looked, missing := g.looked(n, c, looks)
	if err := cmp.Or(missing, err); err != nil {
		return nil, nil, err
	}
	if err := g.keepSources(n, looked); err != nil {
		return nil, nil, err
	}
	texts, err := shown.finish()
	if err != nil {
		return nil, nil, err
	}
	var messages []string
	if asm != nil {
		messages = asm.Messages
		out.Asm = slices.Concat([]byte(toolchain.SplitStackNote), out.Asm, asm.Text, asm.DebugInfo(load.TypePath(n.pkg), out.AsmWrappers))
	}
	explain := in.Lower.Flags.Explain
	if explain > 0 {
		messages = append(messages, g.inlineMessages(n, in.Lower.Pkg, &out.Passes)...)
	}
	messages = append(append(messages, texts...), g.escapeMessages(out, explain)...)
	out.IR.Asm = splitStackIR
	if n.gas, err = g.gasText(n); err != nil {
		return nil, nil, err
	}
	rec, err = g.summarise(n, c, out, g.lending(n, c.Lends, out.Passes.Borrows), sources)
	if err != nil {
		return nil, nil, err
	}
	rec.Messages = messages
	return out, rec, nil
}

// input is what the unit's package is compiled from.
func (g *Graph) input(n *unit, c *load.Checked) (*compile.Input, error) {
	borrowed := g.lentTo(n)
	embeds, err := load.Embeds(n.pkg, c)
	if err != nil {
		return nil, err
	}
	low := &lower.Input{
		Info: c.Info, Files: c.Files, Fset: g.u.Fset, Sizes: &g.u.Sizes,
		Lent:              borrowed,
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
		if d != n {
			for local, remote := range d.rec.Linknames {
				low.ImportedLinknames[local] = remote
			}
		}
	}
	low.Describe = func(path string) bool { return byPath[path] != nil && g.b.describes(byPath[path]) }
	for name, files := range embeds {
		for _, f := range files {
			low.Embeds[name] = append(low.Embeds[name], lower.EmbedFile(f))
		}
	}
	c.Code.Notes = g.b.describes(n.pkg)
	in := &compile.Input{
		Code: c.Code, Lower: low, Alone: g.tier(n.pkg) != FullTier, Profile: g.profile, Hot: g.hot,
		Begin: func(step string) func() { return g.b.lane.Begin(n.pkg.ImportPath, step).End },
	}
	if !g.b.NoEscape {
		g.summaries.list(g.closure(n), n)
		in.Summary = g.summaries.summary
	}
	return in, nil
}

// lentTo returns the types of the packages whose small functions may become part of n's code.
func (g *Graph) lentTo(n *unit) map[*types.Package]bool {
	defer g.b.lane.Begin(n.pkg.ImportPath, "borrow").End()
	lent := map[*types.Package]bool{}
	for _, d := range g.lent(n) {
		c := g.u.Get(d.pkg)
		if c == nil {
			continue
		}
		lent[c.Types] = true
		c.Code.Notes = g.b.describes(d.pkg)
		g.u.Forget(c)
	}
	return lent
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

// splitStackIR is the note in LLVM text.
var splitStackIR = strings.Split(strings.TrimSuffix(toolchain.SplitStackNote, "\n"), "\n")

// summarise stores the export data and makes the record.
func (g *Graph) summarise(n *unit, c *load.Checked, out *compile.Output, lent lending, sources string) (*record, error) {
	defer g.b.lane.Begin(n.pkg.ImportPath, "summarise").End()
	data, err := g.u.WriteExport(c)
	if err != nil {
		return nil, err
	}
	text := out.IR.Text()
	rec := &record{
		HasInit: out.HasInit, Linknames: out.Linknames,
		Generic: load.HasGenericCode(c.Files), Lending: lent, Strings: stringVars(c.Types),
	}
	rec.Instant = g.tier(n.pkg) != FullTier
	n.key = recordKey(n.action, rec.Instant)
	h := store.NewHasher("export data")
	h.Add("types", string(data))
	rec.Export = h.Sum()
	if err := g.b.cache.Write(rec.Export, "x", data); err != nil {
		return nil, err
	}
	if facts := out.Summaries(); len(facts) > 0 {
		h = store.NewHasher("facts")
		h.Add("facts", string(facts))
		rec.Facts = h.Sum()
		if err := g.b.cache.Write(rec.Facts, "facts", facts); err != nil {
			return nil, err
		}
	}
	if c.Inlinable != "" {
		h = store.NewHasher("small functions")
		h.Add("text", c.Inlinable)
		rec.Inline = h.Sum()
	}
	h = store.NewHasher("exports")
	h.Add("types", rec.Export)
	h.Add("facts", rec.Facts)
	for _, local := range sortedKeys(out.Linknames) {
		h.Add("linkname "+local, out.Linknames[local])
	}
	if rec.Generic {
		h.Add("sources", sources)
	}
	for _, d := range n.deps {
		h.Add("import "+d.pkg.ImportPath, d.rec.ExportHash)
	}
	rec.ExportHash = h.Sum()

	if err := g.divide(n, out.Output, text, rec); err != nil {
		return nil, err
	}
	if len(out.Asm) > 0 {
		h := store.NewHasher("assembly")
		h.Add("clang", g.b.tools.Clang.ID)
		h.Add("flags", strings.Join(g.b.tools.AsmFlags(), " "))
		h.Add("text", string(out.Asm))
		rec.Objects = append(rec.Objects, h.Sum())
	}
	if len(n.gas) > 0 {
		h := store.NewHasher("assembly")
		h.Add("clang", g.b.tools.Clang.ID)
		h.Add("flags", strings.Join(append(g.b.tools.AsmFlags(), toolchain.LineFlags...), " "))
		h.Add("text", string(n.gas))
		rec.Objects = append(rec.Objects, h.Sum())
	}
	return rec, nil
}

// goAssembly assembles the package's .s files, if it has any.
func (g *Graph) goAssembly(n *unit, c *load.Checked) (*goasm.Object, error) {
	if len(n.pkg.SFiles) == 0 {
		return nil, nil
	}
	var show func(name string, args ...string)
	if g.b.Commands || g.b.DryRun {
		show = func(name string, args ...string) { g.b.tools.Show(n.pkg.ImportPath, name, args...) }
	}
	temp, err := scratch.Dir(g.b.cache.Dir)
	if err != nil {
		return nil, err
	}
	words, _ := g.b.asmFlagsOf(n.pkg)
	shown := strings.TrimSuffix(load.ShortPath(g.b.WorkDir, g.names.Find(g.names.Show(filepath.Join(n.pkg.Dir, "x")))), "x")
	return goasm.Assemble(&goasm.Package{
		Show: show, Shown: shown, Types: c.Types, Sizes: &g.u.Sizes, Path: load.TypePath(n.pkg), Dir: n.pkg.Dir, PosPath: g.names.Show,
		Files: n.pkg.SFiles, Temp: temp, Flags: words, GOROOT: g.b.Load.GOROOT, Level: amd64.Level(), Library: g.b.Linking.Mode.Library(),
	})
}

// compile does the front half of the unit's action (translate).
func (g *Graph) compile(n *unit, hash string) (*compile.Output, *record, error) {
	g.chooseFor(n)
	for {
		out, rec, err := g.translate(n, hash)
		if err == nil || g.sources.all || isFinal(err) {
			return out, rec, err
		}
		g.sources.misses++
		g.sources.all = err != errSources || g.sources.misses >= maxMisses
		n.pieces = nil
		g.newUniverse()
	}
}

// isFinal tells of faults of a package that are the same however its imports were read: all that
// cannot name a place in an import, because export data has no columns.
func isFinal(err error) bool {
	var faults *load.Errors
	return errors.As(err, &faults) && !slices.ContainsFunc(faults.List, namesPlaces)
}

// namesPlaces tells of faults that say where something else is declared.
func namesPlaces(e load.SourceError) bool {
	return strings.Contains(e.Msg, "declar") || slices.ContainsFunc(e.Notes, namesPlaces)
}
