package chunk

import (
	"hash/fnv"
	"slices"
	"strings"
)

// Owners of definitions that are not (yet) of a certain chunk.
const (
	none = -1 - iota // nobody refers to it
	many             // several chunks do
)

// Limits are the sizes of chunks, in bytes of text. A chunk ends before a function that the hash of
// its name chooses, once it has Least bytes, and before any once it has Most.
//
// Definitions of different classes are in different chunks, unless a class has less than Small
// bytes, which is not worth a chunk. A chunk of a class is compiled for few programs if Class says
// so by a high number: those that need something of it.
type Limits struct {
	Least, Most, Small int
	Class              func(symbol string) int // from 0 to Classes-1; nil: all are alike
	Classes            int
}

// chosen is one in how many names a cut may be before.
const chosen = 16

// classify finds the classes of definitions, and how many classes there are. Function literals are
// with the functions that they are in. Variables that only the package knows are with what refers
// to them.
func (m *module) classify(l *Limits) int {
	if l.Class == nil {
		return 1
	}
	last := l.Classes - 1
	for _, d := range m.defs {
		d.class = last
		if !d.local {
			d.class = l.Class(d.global.Name())
		}
	}
	outer := 0
	for _, d := range m.functions() {
		if d.local {
			d.class = outer
		}
		outer = d.class
	}
	for changed := true; changed; {
		changed = false
		for _, d := range m.defs {
			for _, r := range d.refs {
				if r.local && !r.isFunc && !r.copied && d.class < r.class {
					r.class, changed = d.class, true
				}
			}
		}
	}
	size := make([]int, l.Classes)
	for _, d := range m.defs {
		if !d.copied && !d.foreign {
			size[d.class] += d.size
		}
	}
	become := make([]int, l.Classes)
	join := func(from, to int) {
		size[to] += size[from]
		size[from] = 0
		for i := range become {
			if become[i] == from {
				become[i] = to
			}
		}
	}
	for c := range become {
		become[c] = c
	}
	for c := last; c > 0; c-- { // to what is needed more often
		if size[c] < l.Small {
			join(c, c-1)
		}
	}
	classes := 0
	for c := range size {
		if size[c] == 0 {
			continue
		}
		if size[c] < l.Small { // the first of all: to what needs it
			for to := c + 1; to <= last; to++ {
				if size[to] > 0 {
					join(c, to)
					break
				}
			}
		}
		if size[c] > 0 {
			classes++
		}
	}
	for _, d := range m.defs {
		d.class = become[d.class]
	}
	return max(classes, 1)
}

// functions are the package's own, in the order of its sources; literals behind the functions that
// they are in.
func (m *module) functions() (funcs []*definition) {
	for _, d := range m.defs {
		if d.isFunc && !d.mergeable && !d.foreign {
			funcs = append(funcs, d)
		}
	}
	slices.SortStableFunc(funcs, func(a, b *definition) int {
		if c := strings.Compare(a.file, b.file); c != 0 {
			return c
		}
		return a.line - b.line
	})
	return funcs
}

// assign gives each definition that is not copied an owner, and returns the chunks.
func (m *module) assign(l Limits) []*part {
	c := &cutter{Limits: l, open: map[int]*opened{}}
	// literals are never cut off: one that is called once is inlined whatever its size
	c.cut(m.functions())
	// functions that other packages may have, too: with the chunk that is the only one to use
	// them, or in the order of names
	follow(m.defs, func(d *definition) bool { return d.isFunc && d.mergeable })
	var rest []*definition
	for _, d := range m.defs {
		switch {
		case !d.isFunc || !d.mergeable || d.foreign:
		case d.owner >= 0:
			c.parts[d.owner].own = append(c.parts[d.owner].own, d)
		default:
			rest = append(rest, d)
		}
	}
	slices.SortFunc(rest, func(a, b *definition) int { return strings.Compare(a.name, b.name) })
	c.close()
	c.cut(rest)
	// variables: likewise
	follow(m.defs, func(d *definition) bool { return !d.isFunc })
	rest = nil
	for _, d := range m.defs {
		switch {
		case d.isFunc || d.copied || d.tied != nil:
		case d.owner >= 0:
			c.parts[d.owner].own = append(c.parts[d.owner].own, d)
		default:
			rest = append(rest, d)
		}
	}
	c.close()
	c.cut(rest)
	for _, d := range m.defs {
		if d.tied != nil {
			d.owner = d.tied.owner
			c.parts[d.owner].own = append(c.parts[d.owner].own, d)
		}
	}
	return c.parts
}

// cutter makes chunks.
type cutter struct {
	Limits
	parts []*part
	open  map[int]*opened // by class
}

// opened is the chunk of a class that is not full yet.
type opened struct{ owner, size int }

// cut makes chunks of definitions in that order.
func (c *cutter) cut(defs []*definition) {
	for _, d := range defs {
		o := c.open[d.class]
		if o == nil || !(d.isFunc && d.local) && (o.size >= c.Most || o.size >= c.Least && choose(d.name)) {
			o = &opened{owner: len(c.parts)}
			c.open[d.class] = o
			c.parts = append(c.parts, new(part))
		}
		d.owner = o.owner
		c.parts[o.owner].own = append(c.parts[o.owner].own, d)
		o.size += d.size
	}
}

// close ends chunks that have enough: what comes then is of another kind, and would move cuts.
func (c *cutter) close() {
	for class, o := range c.open {
		if c.Class == nil || o.size >= c.Least {
			delete(c.open, class)
		}
	}
}

func choose(name string) bool {
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32()%chosen == 0
}

// follow finds the owners of the definitions that can go wherever they are needed: those of all
// that refer to them, if these are of one chunk.
func follow(defs []*definition, can func(*definition) bool) {
	where := map[*definition]int{} // of what can, or is copied
	owner := func(d *definition) int {
		if at, ok := where[d]; ok && d.owner == none {
			return at
		}
		return d.owner
	}
	moves := func(d *definition) bool {
		return d.owner == none && d.tied == nil && (d.copied || d.foreign || can(d))
	}
	work := slices.Clone(defs)
	for len(work) > 0 {
		d := work[len(work)-1]
		work = work[:len(work)-1]
		at := owner(d)
		if d.tied != nil {
			at = owner(d.tied)
		}
		if at == none {
			if moves(d) {
				continue // nobody is known to need it
			}
			at = many // it is not placed yet, but will be somewhere
		}
		for _, r := range d.refs {
			if !moves(r) {
				continue
			}
			old, ok := where[r]
			switch {
			case !ok:
				where[r] = at
			case old == at || old == many:
				continue
			default:
				where[r] = many
			}
			work = append(work, r)
		}
	}
	for _, d := range defs {
		if at, ok := where[d]; ok && can(d) && at >= 0 && moves(d) && !d.copied && !d.foreign {
			d.owner = at
		}
	}
}
