package build

import (
	"fmt"
	"go/token"
	"go/types"
	"sort"

	"golang.org/x/tools/go/ssa"

	"loam/internal/escape"
	"loam/internal/load"
)

// analyse runs escape analysis on a package whose SSA is built. It needs the summaries of
// everything that the package imports, and its own become part of what it exports.
func (g *Graph) analyse(n *unit, c *load.Checked) (*escape.Facts, []string, error) {
	if err := g.knowSummaries(n); err != nil {
		return nil, nil, err
	}
	fns := packageFunctions(c.SSA)
	facts := escape.Analyze(c.SSA, fns, func(sym string) *escape.Summary { return g.summaries[sym] }, &g.u.Sizes)
	var messages []string
	if g.b.Flags.Explain > 0 {
		for _, m := range facts.Messages(fns) {
			if !m.Pos.IsValid() {
				continue
			}
			messages = append(messages, g.place(m.Pos)+": "+m.Text)
			if g.b.Flags.Explain > 1 && m.Why != "" {
				why := m.Why
				if m.WhyPos.IsValid() {
					why += " at " + g.place(m.WhyPos)
				}
				messages = append(messages, g.place(m.Pos)+":   from "+why)
			}
		}
	}
	return facts, messages, nil
}

// place is a position as messages have it.
func (g *Graph) place(pos token.Pos) string {
	p := g.u.Fset.Position(pos)
	return fmt.Sprintf("%s:%d:%d", load.ShortPath(g.b.WorkDir, p.Filename), p.Line, p.Column)
}

// knowSummaries reads the summaries of the packages that n imports.
func (g *Graph) knowSummaries(n *unit) error {
	for _, d := range g.closure(n) {
		if d == n || g.summarised[d] || d.rec == nil || d.rec.Facts == "" {
			continue
		}
		g.summarised[d] = true
		data, err := g.b.cache.read(d.rec.Facts, "facts")
		if err != nil {
			return err
		}
		m, err := escape.DecodeSummaries(data)
		if err != nil {
			return fmt.Errorf("escape summaries of %s: %v", d.pkg.ImportPath, err)
		}
		for sym, s := range m {
			g.summaries[sym] = s
		}
	}
	return nil
}

// packageFunctions returns the functions with bodies that the package's module will contain,
// as far as that can be seen before lowering: declared ones, methods, function literals, and
// the wrappers and instances that these use. Analysis takes what is missing for unknown,
// which is safe.
func packageFunctions(pkg *ssa.Package) []*ssa.Function {
	seen := map[*ssa.Function]bool{}
	var list []*ssa.Function
	var visit func(f *ssa.Function)
	visit = func(f *ssa.Function) {
		if f == nil || seen[f] {
			return
		}
		seen[f] = true
		if len(f.Blocks) == 0 {
			return
		}
		list = append(list, f)
		for _, anon := range f.AnonFuncs {
			visit(anon)
		}
		var operands []*ssa.Value
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				operands = instr.Operands(operands[:0])
				for _, op := range operands {
					if callee, ok := (*op).(*ssa.Function); ok && (callee.Pkg == nil || callee.Pkg == pkg) {
						visit(callee)
					}
				}
			}
		}
	}
	names := make([]string, 0, len(pkg.Members))
	for name := range pkg.Members {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		switch m := pkg.Members[name].(type) {
		case *ssa.Function:
			if m.TypeParams().Len() == 0 {
				visit(m)
			}
		case *ssa.Type:
			for _, f := range declaredMethods(pkg, m) {
				visit(f)
			}
		}
	}
	return list
}

// declaredMethods returns the methods that are declared for a named type, if neither it nor they are
// generic.
func declaredMethods(pkg *ssa.Package, t *ssa.Type) []*ssa.Function {
	named, ok := types.Unalias(t.Type()).(*types.Named)
	if !ok || named.Obj().Pkg() != pkg.Pkg || named.TypeParams().Len() > 0 {
		return nil
	}
	var list []*ssa.Function
	for m := range named.Methods() {
		if m.Signature().TypeParams().Len() == 0 {
			list = append(list, pkg.Prog.FuncValue(m))
		}
	}
	return list
}
