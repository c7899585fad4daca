package build

import (
	"fmt"
	"go/token"

	"loam/internal/escape"
	"loam/internal/load"
	"loam/internal/mid"
)

// analyse runs escape analysis on a package. It needs the summaries of
// everything that the package imports, and its own become part of what it exports. explain is how
// much to say about it.
func (g *Graph) analyse(n *unit, pkg *mid.Package, explain int) (*escape.Facts, []string, error) {
	if err := g.knowSummaries(n); err != nil {
		return nil, nil, err
	}
	fns := pkg.Functions()
	facts := escape.Analyze(pkg, fns, func(sym string) *escape.Summary { return g.summaries[sym] }, &g.u.Sizes)
	var messages []string
	if explain > 0 {
		for _, m := range facts.Messages(fns) {
			if !m.Pos.IsValid() {
				continue
			}
			messages = append(messages, g.place(m.Pos)+": "+m.Text)
			if explain > 1 && m.Why != "" {
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
	return fmt.Sprintf("%s:%d:%d", load.ShortPath(g.b.WorkDir, g.names.Find(p.Filename)), p.Line, p.Column)
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
