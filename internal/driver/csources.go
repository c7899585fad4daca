package driver

import (
	"fmt"
	"slices"
	"sync"

	"loam/internal/cgo"
	"loam/internal/load"
)

// Packages with C. Before anything is looked up, each of them becomes Go sources, objects and flags
// for the linker (package cgo). A program that has one is linked with the C library.

// makeC does that for units, and tells whether there are errors, which it reports.
func (g *Graph) makeC(units []*unit) (failed bool, err error) {
	list := slices.DeleteFunc(slices.Clone(units), func(n *unit) bool { return len(n.pkg.CgoFiles) == 0 })
	if len(list) == 0 {
		return false, nil
	}
	kit, err := g.b.kit()
	if err != nil {
		return false, err
	}
	made, faults := make([]*cgo.Made, len(list)), make([]error, len(list))
	var all sync.WaitGroup
	turns := make(chan bool, g.b.Parallel)
	for i, n := range list {
		if n.c = g.b.ofC(n.pkg); n.c != nil {
			continue
		}
		all.Go(func() {
			turns <- true
			defer func() { <-turns }()
			lane := g.b.Timeline.Lane()
			defer lane.Free()
			defer lane.Begin(n.pkg.ImportPath, "cgo").End()
			g.b.print.Begin(n.pkg.ImportPath)
			defer g.b.print.End(n.pkg.ImportPath)
			made[i], faults[i] = kit.Make(n.pkg)
		})
	}
	all.Wait()
	for i, n := range list {
		switch {
		case faults[i] != nil:
			n.failed.Store(true)
			failed = true
			g.b.diagnose(n.pkg.ImportPath, g.names.FindIn(fmt.Sprintf("# %s\n%v", n.pkg.ImportPath, faults[i])))
		case made[i] != nil:
			n.c = made[i]
			g.b.noteC(n.pkg, n.c)
		}
		if n.c != nil {
			g.names.NameC(n.c.GoFiles)
		}
	}
	return failed, nil
}

// kit is what packages with C are made with.
func (b *Builder) kit() (*cgo.Kit, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cKit == nil {
		kit, err := cgo.NewKit(b.cache, &b.Load)
		if err != nil {
			return nil, err
		}
		kit.Parallel, kit.Mode = b.Parallel, b.Linking.Mode
		b.cKit = kit
	}
	return b.cKit, nil
}

// ofC is what a package was made into before, nil if it was not.
func (b *Builder) ofC(p *load.Package) *cgo.Made {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cMade[p]
}

// noteC gives a package the sources that it became.
func (b *Builder) noteC(p *load.Package, made *cgo.Made) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cMade[p] = made
	p.GoFiles = slices.Concat(made.GoFiles, p.GoFiles)
	p.SFiles = nil // the C compiler has them
}
