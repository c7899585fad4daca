package driver

import (
	"fmt"
	"os"

	"loam/internal/load"
	"loam/internal/lower"
)

// openAccount begins the account of units, which were looked up.
func (g *Graph) openAccount(units []*unit) {
	p := g.b.print
	if !p.Shows() {
		return
	}
	source, library, note := 0, 0, ""
	for _, n := range units {
		if n.rec != nil {
			continue
		}
		n.source = sourceSize(n.pkg)
		source += n.source
		if n.pkg.Standard {
			library++
		}
		if n.pkg.ImportPath == "runtime" {
			note = "loam: compiling the standard library" + g.purpose(n) + ", once: "
		}
	}
	if note != "" {
		note = fmt.Sprintf("%s%d packages", note, library)
	}
	p.Open(source, note)
}

// purpose is what the library is compiled for, if that is not any program.
func (g *Graph) purpose(runtime *unit) string {
	switch flags := g.b.flagsOf(runtime.pkg); {
	case g.b.Flags(runtime.pkg).Race:
		return " to look for data races"
	case flags.Points:
		return " for simulated runs"
	case flags != (lower.Flags{}):
		return " with these flags"
	}
	return ""
}

// sourceSize is how many bytes of Go the package has.
func sourceSize(p *load.Package) (size int) {
	for _, name := range p.GoFiles {
		if st, err := os.Stat(p.Source(name)); err == nil {
			size += int(st.Size())
		}
	}
	return size
}
