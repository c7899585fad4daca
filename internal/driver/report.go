package driver

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"loam/internal/child"
	"loam/internal/load"
)

// report prints why a package could not be compiled.
func (g *Graph) report(n *unit, err error) {
	if child.Ending() || g.b.tools.Broken() != nil {
		return // the user knows, or gets to know at the end
	}
	var faults *load.Errors
	if errors.As(err, &faults) {
		for i := range faults.List {
			faults.List[i].Msg = g.names.FindIn(faults.List[i].Msg)
		}
		text := faults.Format(func(name string) string { return load.ShortPath(g.b.WorkDir, g.b.checkoutPath(g.names.Find(name))) })
		// gc reads std's positions from what was compiled with -trimpath.
		for _, before := range []string{"(declared at ", "\n\t"} {
			text = strings.ReplaceAll(text, before+g.b.Load.GOROOT+"/src/", before+"$GOROOT/src/")
		}
		if !n.pkg.Standard && !n.pkg.ByFiles() && missesName.MatchString(text) {
			text = strings.Join(append([]string{text}, g.b.Load.CgoFiles(n.pkg.Dir)...), "\n")
		}
		g.b.diagnose(n.pkg.ImportPath, text)
		return
	}
	g.b.diagnose(n.pkg.ImportPath, g.names.FindIn(fmt.Sprintf("# %s\n%v", n.pkg.ImportPath, err)))
}

// missesName matches what is said of names that another file of the package may have.
var missesName = regexp.MustCompile(`: undefined: |undefined \(type .* has no field or method |missing method `)

// replay repeats what the compiler had to say about the package.
func (g *Graph) replay(n *unit) {
	if len(n.rec.Messages) > 0 {
		g.b.print.Line("# " + n.pkg.ImportPath + "\n" + strings.Join(n.rec.Messages, "\n"))
	}
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
