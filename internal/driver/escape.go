package driver

import (
	"fmt"

	"loam/internal/compile"
	"loam/internal/escape"
)

// escapeMessages is what -gcflags=-m says about objects; explain is how much to say.
func (g *Graph) escapeMessages(out *compile.Output, explain int) (messages []string) {
	if explain == 0 || out.Escape == nil {
		return nil
	}
	for _, m := range out.Escape.Messages(out.Functions) {
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
	return messages
}

// knowSummaries reads the summaries of the packages that n imports.
func (g *Graph) knowSummaries(n *unit) error {
	for _, d := range g.closure(n) {
		if d == n || g.summarised[d] || d.rec == nil || d.rec.Facts == "" {
			continue
		}
		g.summarised[d] = true
		data, err := g.b.cache.Read(d.rec.Facts, "facts")
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
