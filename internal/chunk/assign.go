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
type Limits struct{ Least, Most int }

// chosen is one in how many names a cut may be before.
const chosen = 16

// assign gives each definition that is not copied an owner, and returns the chunks.
func (m *module) assign(l Limits) []*part {
	var parts []*part
	// functions of the package, in the order of its sources; literals behind the functions that
	// they are in, and never cut off them: a literal that is called once is inlined whatever its size
	var funcs []*definition
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
	parts = l.cut(parts, funcs)
	// functions that other packages may have, too: with the chunk that is the only one to use
	// them, or in the order of names
	follow(m.defs, func(d *definition) bool { return d.isFunc && d.mergeable })
	funcs = nil
	for _, d := range m.defs {
		switch {
		case !d.isFunc || !d.mergeable || d.foreign:
		case d.owner >= 0:
			parts[d.owner].own = append(parts[d.owner].own, d)
		default:
			funcs = append(funcs, d)
		}
	}
	slices.SortFunc(funcs, func(a, b *definition) int { return strings.Compare(a.name, b.name) })
	parts = l.cut(parts, funcs)
	// variables: likewise
	follow(m.defs, func(d *definition) bool { return !d.isFunc })
	var rest []*definition
	for _, d := range m.defs {
		switch {
		case d.isFunc || d.copied || d.tied != nil:
		case d.owner >= 0:
			parts[d.owner].own = append(parts[d.owner].own, d)
		default:
			rest = append(rest, d)
		}
	}
	parts = l.cut(parts, rest)
	for _, d := range m.defs {
		if d.tied != nil {
			d.owner = d.tied.owner
			parts[d.owner].own = append(parts[d.owner].own, d)
		}
	}
	return parts
}

// cut makes chunks of definitions in that order.
func (l Limits) cut(parts []*part, defs []*definition) []*part {
	size := 0
	var p *part
	for _, d := range defs {
		if p == nil || !(d.isFunc && d.local) && (size >= l.Most || size >= l.Least && choose(d.name)) {
			p, size = new(part), 0
			parts = append(parts, p)
		}
		d.owner = len(parts) - 1
		p.own = append(p.own, d)
		size += d.size
	}
	return parts
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
