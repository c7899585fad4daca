package build

import (
	"cmp"
	"errors"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"loam/internal/escape"
	"loam/internal/goasm"
	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/mid/pass"
	"loam/internal/mid/syntax"
	"loam/internal/scratch"
	"loam/internal/target"
)

// translate is the front half: check, make functions, lower. The record it returns lacks nothing
// but has not been written; objects are named by what they will be made from. A panic in all that
// is a bug of Loam; it is reported with the package's name and does not take the rest of the build
// with it.
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
	borrowed := g.lentTo(n)
	embeds, err := load.Embeds(n.pkg, c)
	if err != nil {
		return nil, nil, err
	}
	in := &lower.Input{
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
	looks := g.newLooks(n)
	out, passes, err := g.lower(n, c, in, looks)
	looked, missing := g.looked(n, c, looks)
	if err := cmp.Or(missing, err); err != nil {
		return nil, nil, err
	}
	if err := g.keepSources(n, looked); err != nil {
		return nil, nil, err
	}
	lent := g.lending(n, c.Lends, passes.Borrows)
	if in.Flags.Explain > 0 {
		out.Messages = append(g.inlineMessages(n, passes), out.Messages...)
	}
	if asm != nil {
		out.Messages = append(asm.Messages, out.Messages...)
		out.Asm = slices.Concat([]byte(splitStackNote), out.Asm, asm.Text, asm.DebugInfo(load.TypePath(n.pkg), out.AsmWrappers))
	}
	return g.summarise(n, c, out, lent, sources)
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

// lower makes the middle representation and lowers that. It also returns
// what the passes say they did. looks gets the functions that were looked at.
func (g *Graph) lower(n *unit, c *load.Checked, in *lower.Input, looks *looks) (out *lower.Output, passes *pass.Input, err error) {
	c.Code.Notes = g.b.describes(n.pkg)
	in.Pkg = syntax.NewPackage(c.Code, looks.at)
	passes = &pass.Input{Pkg: in.Pkg, Lends: in.Lender(g.hot), Lent: in.Lent, Stays: lower.Stays, Expands: lower.Expands, Guide: in.Guide(g.profile)}
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
func (g *Graph) summarise(n *unit, c *load.Checked, out *lower.Output, lent lending, sources string) (*lower.Output, *record, error) {
	defer g.b.lane.Begin(n.pkg.ImportPath, "summarise").End()
	data, err := g.u.WriteExport(c)
	if err != nil {
		return nil, nil, err
	}
	text := out.IR.Text()
	rec := &record{HasInit: out.HasInit, Text: len(text), Quick: g.b.tier(n.pkg).quick(len(text)), Linknames: out.Linknames, Messages: out.Messages, Generic: load.HasGenericCode(c.Files), Lending: lent,
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
	temp, err := scratch.Dir(g.b.cache.dir)
	if err != nil {
		return nil, err
	}
	words, _ := g.b.asmFlagsOf(n.pkg)
	shown := strings.TrimSuffix(load.ShortPath(g.b.WorkDir, g.names.Find(g.names.Show(filepath.Join(n.pkg.Dir, "x")))), "x")
	return goasm.Assemble(&goasm.Package{Show: show, Shown: shown, Types: c.Types, Sizes: &g.u.Sizes, Path: load.TypePath(n.pkg), Dir: n.pkg.Dir, PosPath: g.names.Show,
		Files: n.pkg.SFiles, Temp: temp, Flags: words, GOROOT: g.b.Load.GOROOT, Level: target.Level()})
}
