package build

import (
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"loam/internal/load"
	"loam/internal/mid"
)

// lending is what a record says of functions whose bodies other packages may need.
type lending struct {
	Lends   string   // their names, generic ones excepted, and numbers of packages in From (lent)
	From    []string // paths of types of packages whose functions they call, at any depth
	Borrows []string // import paths of dependencies that they call such functions of
}

// lending makes the record of the functions of n with those names. calls are those that they call
// and that others may have as well.
func (g *Graph) lending(n *unit, names []string, calls map[*mid.Func][]*mid.Func) (l lending) {
	byName := map[string]*mid.Func{}
	direct := map[*types.Package]bool{}
	for f, list := range calls {
		if o := f.Object(); o != nil {
			byName[load.Lent(o)] = f
		}
		for _, to := range list {
			if to.Pkg != nil && to.Pkg != f.Pkg {
				direct[to.Pkg.Pkg] = true
			}
		}
	}
	units := map[*types.Package]*unit{}
	for _, d := range n.deps {
		if c := g.u.Get(d.pkg); c != nil {
			units[c.Types] = d
			if direct[c.Types] {
				l.Borrows = append(l.Borrows, d.pkg.ImportPath)
			}
		}
	}
	needs := closures(calls, func(to *mid.Func, needs map[string]bool) {
		if d := units[to.Pkg.Pkg]; d != nil {
			needs[load.TypePath(d.pkg)] = true
			if o := to.Object(); o != nil {
				for _, path := range d.lent()[load.Lent(o)] {
					needs[path] = true
				}
			}
		}
	})
	var words []string
	for _, name := range names {
		var numbers []string
		for _, path := range sortedKeys(needs[byName[name]]) {
			at := slices.Index(l.From, path)
			if at < 0 {
				at = len(l.From)
				l.From = append(l.From, path)
			}
			numbers = append(numbers, strconv.Itoa(at))
		}
		if numbers != nil {
			name += ":" + strings.Join(numbers, ",")
		}
		words = append(words, name)
	}
	l.Lends = strings.Join(words, " ")
	return l
}

// closures returns what each function needs that it or one that it calls, at any depth, adds for a
// call of another package's function. Functions that call each other need the same. Calls are
// followed once: this is Tarjan's search for strongly connected components.
func closures(calls map[*mid.Func][]*mid.Func, add func(to *mid.Func, needs map[string]bool)) map[*mid.Func]map[string]bool {
	needs := map[*mid.Func]map[string]bool{}
	number, low := map[*mid.Func]int{}, map[*mid.Func]int{}
	var open []*mid.Func // functions whose component is not yet complete
	var visit func(f *mid.Func)
	visit = func(f *mid.Func) {
		at := len(open)
		open = append(open, f)
		number[f] = len(number) + 1
		low[f] = number[f]
		for _, to := range calls[f] {
			if to.Pkg != nil && to.Pkg != f.Pkg {
				continue
			}
			if number[to] == 0 {
				visit(to)
			}
			if needs[to] == nil {
				low[f] = min(low[f], low[to])
			}
		}
		if low[f] < number[f] {
			return
		}
		all := map[string]bool{}
		component := open[at:]
		open = open[:at]
		for _, g := range component {
			for _, to := range calls[g] {
				if to.Pkg != nil && to.Pkg != g.Pkg {
					add(to, all)
				} else {
					maps.Copy(all, needs[to])
				}
			}
		}
		for _, g := range component {
			needs[g] = all
		}
	}
	for f := range calls {
		if number[f] == 0 {
			visit(f)
		}
	}
	return needs
}

// lent returns the names of n's functions whose bodies others may need, each with the packages
// whose functions it calls.
func (n *unit) lent() map[string][]string {
	if n.lends == nil {
		n.lends = map[string][]string{}
		from := n.rec.Lending.From
		for _, word := range strings.Fields(n.rec.Lending.Lends) {
			name, numbers, _ := strings.Cut(word, ":")
			var list []string
			for number := range strings.SplitSeq(numbers, ",") {
				if at, err := strconv.Atoi(number); err == nil && at < len(from) {
					list = append(list, from[at])
				}
			}
			n.lends[name] = list
		}
	}
	return n.lends
}

// looks are what the compilation of a package has looked at in those that it imports, at any depth.
type looks struct {
	units    map[*types.Package]*unit
	packages map[*types.Package]bool // of which it has looked at a function that others may have
	likely   map[string]bool         // paths of types of those that such functions lead to
	stubs    map[*types.Package]bool // those that were read as stubs
	names    map[string]bool         // of functions that it has looked at, and others may have
	withheld bool                    // it has looked at one whose body universe has dropped
	universe *load.Universe
}

func (g *Graph) newLooks(n *unit) *looks {
	l := &looks{universe: g.u, units: map[*types.Package]*unit{}, packages: map[*types.Package]bool{}, likely: map[string]bool{}, names: map[string]bool{}, stubs: map[*types.Package]bool{}}
	for _, d := range g.closure(n) {
		if c := g.u.Get(d.pkg); c != nil && d != n && d.rec != nil {
			l.units[c.Types] = d
			l.stubs[c.Types] = !c.Export && !c.Bodies
		}
	}
	return l
}

// at notes that the compilation looks at a function of a package, or at declarations of it that it
// does not name.
func (l *looks) at(p *types.Package, f *types.Func) {
	d := l.units[p]
	if d == nil {
		return
	}
	if f == nil {
		l.packages[p] = true
		return
	}
	name := load.Lent(f)
	from, lends := d.lent()[name]
	if name == "" || lends {
		l.packages[p] = true
	}
	if lends {
		l.names[f.Name()] = true
		l.withheld = l.withheld || l.stubs[p] && l.universe.Withheld(f)
	}
	for _, path := range from {
		l.likely[path] = true
	}
}
