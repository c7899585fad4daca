package driver

import (
	"fmt"
	"maps"
	"strings"

	"loam/internal/compile"
	"loam/internal/escape"
	"loam/internal/importpath"
	"loam/internal/load"
	"loam/internal/store"
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

// summaries are the escape summaries of the packages that a graph's units import. Those of a
// package are read when the first of them is asked for, which most are never.
type summaries struct {
	cache  *store.Cache
	known  map[string]*escape.Summary // by symbol
	unread map[string]*unit           // by the part of symbols that stands for the package
	listed map[*unit]bool             // units that are, or were, among these
	fault  error                      // of reading
}

func newSummaries(c *store.Cache) *summaries {
	return &summaries{cache: c, known: map[string]*escape.Summary{}, unread: map[string]*unit{}, listed: map[*unit]bool{}}
}

// list enters the packages that n, whose closure that is, imports.
func (s *summaries) list(closure []*unit, n *unit) {
	for _, d := range closure {
		if d != n && !s.listed[d] && d.rec != nil && d.rec.Facts != "" {
			s.listed[d] = true
			s.unread[importpath.Prefix(load.TypePath(d.pkg))] = d
		}
	}
}

// summary returns that of a function, nil if there is none.
func (s *summaries) summary(symbol string) *escape.Summary {
	// The first dot behind the last slash is in front of the name.
	end := strings.LastIndexByte(symbol, '/') + 1
	if dot := strings.IndexByte(symbol[end:], '.'); dot >= 0 {
		s.read(symbol[:end+dot])
	}
	return s.known[symbol]
}

// read reads a package's, unless they are known, and returns them.
func (s *summaries) read(prefix string) (of map[string]*escape.Summary) {
	d := s.unread[prefix]
	if d == nil {
		return nil
	}
	delete(s.unread, prefix)
	data, err := s.cache.Read(d.rec.Facts, "facts")
	if err == nil {
		of, err = escape.DecodeSummaries(data)
	}
	if err != nil {
		s.fault = fmt.Errorf("escape summaries of %s: %v", d.pkg.ImportPath, err)
		return nil
	}
	maps.Copy(s.known, of)
	return of
}
