package driver

import (
	"fmt"
	"runtime/debug"
	"slices"

	"loam/internal/child"
	"loam/internal/pool"
)

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

// run brings units, in dependency order, up to date. The front halves run here, one after
// another; the back halves run in the background.
func (g *Graph) run(units []*unit, w *Wanted) error {
	guardHeap()
	back := pool.New(g.b.Parallel)
	defer g.b.tools.EndServers()
	g.b.print.Start()
	defer g.b.print.Clear()
	if failed, err := g.makeC(units); err != nil {
		return err
	} else if failed {
		return ErrReported
	}
	g.survey(units)
	g.openAccount(units)
	if g.refused(units) {
		return ErrReported
	}
	d := g.newDemand(w, back)
	for _, n := range units {
		if n.rec != nil {
			if err := d.add(n); err != nil {
				back.Wait()
				return err
			}
			continue
		}
		if err := g.b.cannotGoOn(); err != nil {
			back.Wait()
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
			back.Wait()
			return err
		}
	}
	err := d.rest(units)
	g.b.print.AllAsked()
	if d.busy {
		g.shrink()
		if len(w.Programs) > 0 {
			g.b.tools.ExpectLinker()
		}
	}
	waiting := g.b.lane.Begin("", "wait")
	back.Wait()
	waiting.End()
	if err := g.b.tools.Broken(); err != nil {
		return err
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

// front finds the unit's record in the cache, or does the front half of its action and hands
// the rest to back.
func (g *Graph) front(n *unit, d *demand) error {
	sources, err := g.lookup(n)
	if err != nil {
		return err
	}
	if n.rec != nil {
		g.b.print.Found(n.source)
		return nil
	}
	if g.b.Verbose {
		g.b.print.Line(n.pkg.ImportPath)
	}
	g.b.print.Begin(n.pkg.ImportPath)
	defer g.b.print.End(n.pkg.ImportPath)
	if g.tier(n.pkg) == FullTier {
		g.b.tools.Expect(g.b.packageFlags(n))
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
	g.b.print.Read(n.source)
	return nil
}

// shrink gives back the memory of the front halves, which are done, while clang works on the rest.
// All of it counts as long as clang and the linker run. What a build after an edit has is needed
// again behind the link, and costs more to fetch than it weighs.
func (g *Graph) shrink() {
	if heapSize() < heapKept {
		return
	}
	defer g.b.lane.Begin("", "shrink").End()
	g.newUniverse()
	g.summaries = newSummaries(g.b.cache)
	debug.FreeOSMemory()
}
