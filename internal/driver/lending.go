package driver

import (
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"loam/internal/load"
	"loam/internal/mid"
	"loam/internal/mid/shape"
)

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
// call of another package's function. Functions that call each other need the same.
func closures(calls map[*mid.Func][]*mid.Func, add func(to *mid.Func, needs map[string]bool)) map[*mid.Func]map[string]bool {
	var list []*mid.Func
	number := map[*mid.Func]int32{}
	numbered := func(f *mid.Func) int32 {
		n, ok := number[f]
		if !ok {
			n = int32(len(list))
			number[f], list = n, append(list, f)
		}
		return n
	}
	for f := range calls {
		numbered(f)
	}
	var own [][]int32 // by number: the functions of the package that it calls
	for i := 0; i < len(list); i++ {
		var to []int32
		for _, g := range calls[list[i]] {
			if !foreign(list[i], g) {
				to = append(to, numbered(g))
			}
		}
		own = append(own, to)
	}
	needs := map[*mid.Func]map[string]bool{}
	shape.Components(len(list), func(v int32) []int32 { return own[v] }, func(members []int32) {
		all := map[string]bool{}
		for _, v := range members {
			for _, to := range calls[list[v]] {
				if foreign(list[v], to) {
					add(to, all)
				} else {
					maps.Copy(all, needs[to])
				}
			}
		}
		for _, v := range members {
			needs[list[v]] = all
		}
	})
	return needs
}

// foreign reports whether to, which f calls, is another package's.
func foreign(f, to *mid.Func) bool { return to.Pkg != nil && to.Pkg != f.Pkg }

// looks are what the compilation of a package has looked at in those that it imports, at any depth.
type looks struct {
	units    map[*types.Package]*unit
	packages map[*types.Package]bool // of which it has looked at a function that others may have
	likely   map[string]bool         // paths of types of those that such functions lead to
	stubs    map[*types.Package]bool // those that were read as stubs
	names    map[string]bool         // full names of such functions
	withheld bool                    // it has looked at one whose body universe has dropped
	universe *load.Universe
}

func (g *Graph) newLooks(n *unit) *looks {
	l := &looks{
		universe: g.u, units: map[*types.Package]*unit{}, packages: map[*types.Package]bool{}, stubs: map[*types.Package]bool{},
		likely: map[string]bool{}, names: map[string]bool{},
	}
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
		l.names[load.FullName(f)] = true
		l.withheld = l.withheld || l.stubs[p] && l.universe.Withheld(f)
	}
	for _, path := range from {
		l.likely[path] = true
	}
}
