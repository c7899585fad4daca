package build

import (
	"fmt"
	"os"

	"loam/internal/load"
	"loam/internal/lower"
)

// An account is how much of a build is done, in bytes of LLVM text, by which clang's time goes. A
// count of packages would say nothing of the time: most of their text is compiled long after their
// front halves are done, and the greatest first.
type account struct {
	source, read    int  // bytes of sources to be compiled, and of those whose front halves are done
	asked, compiled int  // bytes of text
	known           bool // all is asked for

	percent float64 // the most that was said
}

// What a byte of sources costs, in bytes of text: the front half itself, and the text that programs
// need of it, as long as nobody knows better. The packages of a program with net/http have 10 MB of
// sources. Clang compiles 100 MB of text for it, which takes five times as long as the front
// halves.
const (
	frontCost = 2
	usualText = 10
)

// String is the account in front of the names of packages.
func (a *account) String() string {
	text := a.asked
	if !a.known {
		text = max(text, usualText*a.source)
	}
	all := frontCost*a.source + text
	if all == 0 {
		return ""
	}
	a.percent = max(a.percent, 100*float64(frontCost*a.read+a.compiled)/float64(all))
	return fmt.Sprintf("[%d%%] ", min(int(a.percent), 100))
}

// openAccount begins the account of units, which were looked up.
func (g *Graph) openAccount(units []*unit) {
	p := g.b.print
	if !p.progress {
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
	p.account(func(a *account) {
		a.source = source
		if note != "" {
			p.note = fmt.Sprintf("%s%d packages", note, library)
		}
	})
}

// purpose is what the library is compiled for, if that is not any program.
func (g *Graph) purpose(runtime *unit) string {
	switch flags := g.b.flagsOf(runtime.pkg); {
	case flags.Race:
		return " for runs that look for data races"
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

// accountFront notes that the front half of a unit is done, or was found in the cache after all.
func (g *Graph) accountFront(n *unit, found bool) {
	g.b.print.account(func(a *account) {
		if found {
			a.source -= n.source
		} else {
			a.read += n.source
		}
	})
}

// accountText notes that so much text is to be compiled, or, with compiled, that it is.
func (g *Graph) accountText(size int, compiled bool) {
	g.b.print.account(func(a *account) {
		if compiled {
			a.compiled += size
		} else {
			a.asked += size
		}
	})
}
