package reach

// A Walk finds what can be reached in a program. Packages are added in the order in which they are
// linked. What has been reached stays so, thus chunks can be compiled while packages are still to
// come.
//
// A name that several packages define (merged) is followed into the first definition that is asked
// for. The linker takes the first that is in a chunk that is linked. So, once the name is reached,
// all definitions in such chunks are.
type Walk struct {
	want     func(p, chunk int) // called for each chunk once
	packages []*walked
	ids      map[string]int32
	symbols  []symbol
	work     []place
	methods  methods
}

// walked is a package of a walk.
type walked struct {
	*Facts
	ids     []int32 // of names
	reached []bool
	wanted  []bool    // chunks
	merges  [][]int32 // merged definitions of chunks
}

// place is a definition.
type place struct{ p, node int32 }

// symbol is what is known of a name.
type symbol struct {
	name    string
	reached bool
	defs    []place
}

// NewWalk returns a walk that calls want for each chunk that is needed.
func NewWalk(want func(p, chunk int)) *Walk {
	return &Walk{want: want, ids: map[string]int32{}, methods: methods{waiting: map[int32][]int32{}, needed: map[int32]bool{}}}
}

func (w *Walk) id(name string) int32 {
	n, ok := w.ids[name]
	if !ok {
		n = int32(len(w.symbols))
		w.ids[name] = n
		w.symbols = append(w.symbols, symbol{name: name})
	}
	return n
}

// Add adds a package, and finds what it needs, and what others need of it. With all that is
// everything.
func (w *Walk) Add(f *Facts, all bool) {
	p := int32(len(w.packages))
	x := &walked{
		Facts: f, ids: make([]int32, len(f.names)), reached: make([]bool, len(f.name)),
		wanted: make([]bool, f.chunks), merges: make([][]int32, f.chunks),
	}
	w.packages = append(w.packages, x)
	for i, s := range f.names {
		x.ids[i] = w.id(s)
	}
	for i, n := range f.name {
		c := f.chunk[i]
		if n < 0 || c < 0 {
			continue
		}
		s := &w.symbols[x.ids[n]]
		s.defs = append(s.defs, place{p, int32(i)})
		if f.merged[i] {
			x.merges[c] = append(x.merges[c], int32(i))
		}
		if s.reached && (!f.merged[i] || len(s.defs) == 1) {
			w.mark(place{p, int32(i)})
		}
	}
	for _, n := range f.roots {
		w.name(x.ids[n])
	}
	if all {
		for i, c := range f.chunk {
			if c >= 0 {
				w.mark(place{p, int32(i)})
			}
		}
	}
	w.run()
}

// Need finds what is needed for the symbol of that name.
func (w *Walk) Need(name string) {
	w.name(w.id(name))
	w.run()
}

// Wanted tells which chunks of the package that was added as the p-th are needed.
func (w *Walk) Wanted(p int) []bool { return w.packages[p].wanted }

// Reached are the names that were reached and are defined, in no order.
func (w *Walk) Reached() (names []string) {
	for name, id := range w.ids {
		if s := &w.symbols[id]; s.reached && len(s.defs) > 0 {
			names = append(names, name)
		}
	}
	return names
}

// mark notes that a definition is reached.
func (w *Walk) mark(at place) {
	x := w.packages[at.p]
	if x.reached[at.node] {
		return
	}
	x.reached[at.node] = true
	w.work = append(w.work, at)
}

// name notes that a name is reached.
func (w *Walk) name(id int32) {
	s := &w.symbols[id]
	if s.reached {
		return
	}
	s.reached = true
	w.about(id)
	s = &w.symbols[id]
	for i, d := range s.defs {
		// all that are the only ones of their kind: at most one, and weak ones beside it
		if i == 0 || !w.packages[d.p].merged[d.node] {
			w.mark(d)
		}
	}
	w.copies(s)
}

// copies marks the definitions of a reached name among which the linker chooses.
func (w *Walk) copies(s *symbol) {
	for _, d := range s.defs {
		x := w.packages[d.p]
		if x.merged[d.node] && x.wanted[x.chunk[d.node]] {
			w.mark(d)
		}
	}
}

func (w *Walk) run() {
	for len(w.work) > 0 {
		at := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		x := w.packages[at.p]
		if c := x.chunk[at.node]; c >= 0 && !x.wanted[c] {
			x.wanted[c] = true
			w.want(int(at.p), int(c))
			for _, m := range x.merges[c] {
				if w.symbols[x.ids[x.name[m]]].reached {
					w.mark(place{at.p, m})
				}
			}
		}
		if n := x.name[at.node]; n >= 0 && x.chunk[at.node] >= 0 {
			if s := &w.symbols[x.ids[n]]; !s.reached {
				s.reached = true
				w.about(x.ids[n])
				s = &w.symbols[x.ids[n]]
				w.copies(s)
				for _, d := range s.defs {
					if !w.packages[d.p].merged[d.node] {
						w.mark(d)
					}
				}
			}
		}
		for _, r := range x.refs.at(int(at.node)) {
			if n := x.name[r]; n >= 0 && x.merged[r] && w.symbols[x.ids[n]].reached {
				continue // another package's, or this one
			}
			w.mark(place{at.p, r})
		}
		for _, n := range x.out.at(int(at.node)) {
			w.name(x.ids[n])
		}
	}
}
