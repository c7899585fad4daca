package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"loam/internal/importpath"
	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/store"
)

// Which of the packages that were compiled before have to be read from their sources is known only
// when a package has been compiled that imports them: those whose generic or small functions it has
// come to look at. Of a hundred that it might look at, these are some ten. So the cache keeps for
// each package which ones it was, and the others come from export data, which takes a tenth of the
// time. The package may have been edited since, or be new. If it looks at one that came from export
// data, it is compiled again with that from sources. If that happens a few times, or anything else
// goes wrong, it is compiled with all that it might look at from sources. What is compiled is
// therefore the same as if all had been read.
//
// After most edits one package is compiled, or a few: what others may know of it is the same as
// before. So what a package needs is read when it is compiled. If that is a package which was read
// from export data for another one, all are read anew, now for all packages that are left.
//
// Of those that are read from sources for one package, only the bodies are kept that it can come to
// look at (load.Universe.Limit), and those that it has looked at before. If it looks at another one
// all the same, it is compiled again with all bodies.

// unnamedMark comes before the full name of such a function in the cache's list of a unit.
const unnamedMark = "*"

// Limits of guessing: compiling again costs more than reading what is not needed.
const (
	maxMisses = 4
	maxNew    = 4 // packages of which nothing is known
)

// chooseSources begins to choose what is read from sources. Those of units that are not in the
// cache may have to be compiled.
func (g *Graph) chooseSources(units []*unit) {
	s := &g.sources
	*s = sources{chosen: map[*unit]bool{}, kept: map[*unit][]string{}, unnamed: map[*unit]map[string]bool{}}
	s.all = g.b.DryRun || g.b.Commands || lower.DebugPanics // nothing is to be done twice
	for _, n := range units {
		if n.rec == nil {
			s.waiting = append(s.waiting, n)
		}
	}
}

// chooseFor chooses what is read for n, which is about to be compiled.
func (g *Graph) chooseFor(n *unit) {
	s := &g.sources
	if s.all || s.forAll {
		return
	}
	if g.chooseOf(n) && !g.misread() && g.limit(n) {
		return
	}
	s.forAll = true
	unknown := 0
	for _, n := range s.waiting {
		if n.rec == nil && !g.chooseOf(n) {
			unknown++
		}
	}
	s.all = unknown > maxNew
	if g.misread() || g.u.Limited() {
		g.newUniverse() // a package enters it once
	}
}

// limit makes the universe drop what n does not want of the packages that it is about to read from
// sources. It returns false if some of that is missing that was read before.
func (g *Graph) limit(n *unit) bool {
	var stubs []*load.Package
	for _, d := range g.closure(n) {
		if d != n && g.u.Get(d.pkg) == nil && d.rec != nil && g.fromSource(d) {
			stubs = append(stubs, d.pkg)
		}
	}
	wants := load.Wants{Unnamed: g.sources.unnamed[n]}
	// Profiles name functions that no text names.
	if wants.Only = len(g.sources.waiting) == 1 && g.profile == nil; wants.Only {
		g.summaries.list(g.closure(n), n)
		for _, p := range stubs {
			for _, s := range g.summaries.read(importpath.Prefix(load.TypePath(p))) {
				wants.Types = append(wants.Types, s.Types()...)
			}
		}
	}
	ok, err := g.u.Limit(n.pkg, wants, stubs)
	return ok && err == nil // an error comes again when the packages are read
}

// misread reports whether a package is chosen that was read from its export data before.
func (g *Graph) misread() bool {
	return slices.ContainsFunc(g.units, func(d *unit) bool {
		c := g.u.Get(d.pkg)
		return c != nil && c.Export && d.rec != nil && g.fromSource(d)
	})
}

// chooseOf chooses what the cache says of n, if it does. Of a new package it is seen from export
// data, which takes little time, which functions it looks at.
func (g *Graph) chooseOf(n *unit) (known bool) {
	s := &g.sources
	list, err := g.b.cache.ReadIf(g.b.sourcesKey(n), "sources")
	if err != nil {
		return false
	}
	s.kept[n] = append([]string{}, strings.Fields(string(list))...)
	s.unnamed[n] = map[string]bool{}
	for _, id := range s.kept[n] {
		if name, ok := strings.CutPrefix(id, unnamedMark); ok {
			s.unnamed[n][name] = true
		} else if d := g.byID[id]; d != nil {
			s.chosen[d] = true
		}
	}
	return true
}

// sourcesKey names what the cache keeps for n. It is a guess at what an edited package looks at, so
// the package's content is no part of the name.
func (b *Builder) sourcesKey(n *unit) string {
	h := store.NewHasher("sources")
	h.Add("base", b.base)
	h.Add("id", n.pkg.ImportPath)
	h.Add("dir", n.pkg.Dir)
	return h.Sum()
}

// lendsCode reports whether d has functions that a package may get which has to be compiled.
func (g *Graph) lendsCode(d *unit) bool {
	return d.rec.Generic || d.rec.Inline != "" && g.lenders[d]
}

// fromSource reports whether d is to be read from its sources.
func (g *Graph) fromSource(d *unit) bool {
	return g.lendsCode(d) && (g.sources.all || g.sources.chosen[d])
}

// need brings the types of the unit and all that it imports into the universe.
func (g *Graph) need(n *unit) error {
	if g.u.Get(n.pkg) != nil {
		return nil
	}
	for _, d := range n.deps {
		if err := g.need(d); err != nil {
			return err
		}
	}
	if n.rec == nil {
		return fmt.Errorf("internal error: %s is needed before it is compiled", n.pkg.ImportPath)
	}
	if g.fromSource(n) {
		_, err := g.u.CheckSource(n.pkg, load.Stub)
		return err
	}
	data, err := g.b.cache.Read(n.rec.Export, "x")
	if err != nil {
		return err
	}
	_, err = g.u.ReadExport(n.pkg, data)
	return err
}

// errSources says that a package has looked at others of which only export data was read.
var errSources = errors.New("internal error: sources are missing")

// looked returns the packages, by import path, whose functions n has looked at, if others may have
// any of them. If one should have been read from sources, looked chooses it, with those that its
// functions lead to, and returns errSources. c is n's package.
func (g *Graph) looked(n *unit, c *load.Checked, l *looks) (list []string, err error) {
	for _, d := range g.closure(n) {
		if d == n || d.rec == nil || !d.rec.Generic && d.rec.Inline == "" {
			continue
		}
		from := g.u.Get(d.pkg)
		if from == nil || !l.packages[from.Types] {
			continue
		}
		if from.Export && g.lendsCode(d) {
			g.sources.chosen[d] = true
			err = errSources
		}
		list = append(list, d.pkg.ImportPath)
	}
	if l.withheld {
		err = errSources
	}
	names := g.sources.unnamed[n]
	if !g.u.Limited() {
		names = l.names
	}
	for _, name := range sortedKeys(names) {
		list = append(list, unnamedMark+name)
	}
	if err != nil {
		for _, d := range g.closure(n) {
			if l.likely[load.TypePath(d.pkg)] {
				g.sources.chosen[d] = true
			}
		}
	}
	return list, err
}

// keepSources keeps which packages n has looked at.
func (g *Graph) keepSources(n *unit, list []string) error {
	if kept, ok := g.sources.kept[n]; ok && slices.Equal(kept, list) || g.b.DryRun || g.b.cache.Writable() != nil {
		return nil
	}
	return g.b.cache.Write(g.b.sourcesKey(n), "sources", []byte(strings.Join(list, "\n")))
}
