package driver

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"loam/internal/pool"
	"loam/internal/reach"
	"loam/internal/store"
)

// What nothing leads to is not compiled. Once the front half of a package is done, its facts
// (internal/reach) say what each of its chunks refers to. Roots are the initialisers, the run-time
// system, what assembly mentions, and packages that are compiled for themselves. So most of the
// chunks that a program needs are known, and compiled, before the front half of its main package is
// done. The text of a chunk that waits is kept in the cache, for a program that needs it: then only
// clang has to run.

// demand finds the chunks that have to be compiled, and has that done.
type demand struct {
	g    *Graph
	w    *Wanted
	back *pool.Pool

	walk    *reach.Walk
	walked  []*unit
	waiting []*unit // that the walk has not come to
	asks    bool    // some chunk waits for being asked for
	busy    bool    // clang has something to do
}

func (g *Graph) newDemand(w *Wanted, back *pool.Pool) *demand {
	d := &demand{g: g, w: w, back: back}
	d.walk = reach.NewWalk(func(p, chunk int) { d.compile(d.walked[p], chunk) })
	return d
}

// begin has a unit compiled, as far as it is needed, whose front half is done. Where nothing waits
// so far, a chunk that is all of a package is taken to be needed: so it is after an edit. To find
// that out would take as long as the front half of a small package.
func (d *demand) begin(n *unit) {
	if len(n.pieces) == 1 && n.rec.Chunks == 1 && !d.asks && !d.busy {
		d.compile(n, n.pieces[0].chunk)
		return
	}
	d.asks = d.asks || len(n.pieces) > 0
	d.release(n)
}

// add notes that the unit's record is there.
func (d *demand) add(n *unit) error {
	d.waiting = append(d.waiting, n)
	if d.asks {
		return d.catchUp()
	}
	return nil
}

// catchUp has the walk come to what waits.
func (d *demand) catchUp() error {
	for len(d.waiting) > 0 {
		n := d.waiting[0]
		d.waiting = d.waiting[1:]
		facts, err := d.g.facts(n)
		if err != nil {
			return err
		}
		d.walked = append(d.walked, n)
		d.walk.Add(facts, d.whole(n) || wholly(n))
		if n.rec.HasInit {
			d.walk.Need(initSymbol(n))
		}
		if n.c != nil {
			for _, name := range n.c.Exports {
				d.walk.Need(name)
			}
		}
	}
	return nil
}

// facts are what the package's definitions refer to.
func (g *Graph) facts(n *unit) (*reach.Facts, error) {
	b := g.b
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.facts[n.rec.Reach]; f != nil {
		return f, nil
	}
	data, err := b.cache.Read(n.rec.Reach, "reach")
	if err != nil {
		return nil, err
	}
	f, err := reach.Decode(string(data))
	if err != nil {
		return nil, fmt.Errorf("facts of %s: %v", n.pkg.ImportPath, err)
	}
	b.facts[n.rec.Reach] = f
	return f, nil
}

// compile has a chunk compiled, unless its object is there.
func (d *demand) compile(n *unit, chunk int) {
	for i, p := range n.pieces {
		if p != nil && p.chunk == chunk {
			d.busy = true
			n.pieces[i] = nil
			d.g.compileLater(n, p, d.back)
			d.release(n)
			return
		}
	}
	if !slices.Contains(n.rec.missing, chunk) {
		return
	}
	d.busy = true
	n.rec.missing = slices.DeleteFunc(slices.Clone(n.rec.missing), func(c int) bool { return c == chunk })
	b := d.g.b
	b.print.Asked(chunkLimits.Least) // or as much as there is, which nobody knows
	d.back.Do(chunkLimits.Least, func() {
		defer b.print.Compiled(chunkLimits.Least)
		b.print.Begin(n.pkg.ImportPath)
		defer b.print.End(n.pkg.ImportPath)
		p, err := b.waitingPiece(n, chunk)
		if err == nil {
			err = d.g.compilePiece(n, p, "its text was in the cache")
		}
		if err != nil {
			n.failed.Store(true)
			d.g.report(n, err)
		}
	})
}

// release has the unit finished once what was asked for is compiled, if nothing else waits.
func (d *demand) release(n *unit) {
	if n.released || slices.ContainsFunc(n.pieces, func(p *piece) bool { return p != nil }) {
		return
	}
	n.released = true
	d.g.work(n, 0, d.back, func() error { return nil })
}

// waitingPiece is a chunk whose text is in the cache.
func (b *Builder) waitingPiece(n *unit, chunk int) (*piece, error) {
	p := &piece{chunk: chunk, object: n.rec.Objects[chunk], recipe: b.recipe(n, n.rec.Huge[chunk])}
	p.instant = n.rec.Instant
	data, err := b.cache.Read(p.object, chunkText)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil, fmt.Errorf("the text of a chunk is damaged: %v", err)
	}
	p.size = len(text)
	p.file, err = b.tools.Intermediate(n.pkg.ImportPath, fmt.Sprintf(".%d.ll", chunk), text)
	return p, err
}

// keep stores the text of a chunk that nothing has asked for.
func (b *Builder) keep(p *piece) error {
	if b.DryRun {
		return nil
	}
	defer b.tools.Discard(p.file)
	text, err := os.ReadFile(p.file)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return err
	}
	w.Write(text)
	w.Close()
	return b.cache.Write(p.object, chunkText, packed.Bytes())
}

// rest finds what is left to be compiled, once all front halves are done, and has the units
// finished.
func (d *demand) rest(units []*unit) error {
	if d.asks {
		if err := d.catchUp(); err != nil {
			return err
		}
	}
	for _, id := range d.w.Programs {
		if err := d.program(id, units); err != nil {
			return err
		}
	}
	if err := d.wholePackages(); err != nil {
		return err
	}
	for _, n := range units {
		for _, p := range n.pieces {
			if p != nil {
				d.g.work(n, 0, d.back, func() error { return d.g.b.keep(p) })
			}
		}
		n.pieces = nil
		if n.started {
			d.release(n)
		}
	}
	return nil
}

// wholePackages has the chunks compiled of packages that are asked for themselves, and those that
// these need. A chunk may define nothing.
func (d *demand) wholePackages() error {
	if len(d.w.Packages) == 0 && !d.w.All {
		return nil
	}
	units := slices.Concat(d.walked, d.waiting)
	h := store.NewHasher("whole")
	for _, n := range units {
		addNeeding(h, n)
		if d.whole(n) {
			h.Add("whole", n.pkg.ImportPath)
		}
	}
	key, needs := h.Sum(), map[*unit][]bool{}
	if _, ok := d.known(key, units, needs); ok {
		return nil
	}
	if err := d.catchUp(); err != nil {
		return err
	}
	for i, n := range d.walked {
		needs[n] = slices.Clone(d.walk.Wanted(i))
		if d.whole(n) {
			for c := range n.rec.Chunks {
				d.compile(n, c)
				needs[n][c] = true
			}
		}
	}
	return d.note(key, units, needs, nil)
}

// addNeeding adds to h what the chunks that a unit needs, of itself and of others, depend on. Most
// edits leave that alone.
func addNeeding(h *store.Hasher, n *unit) {
	h.Add(n.pkg.ImportPath, n.rec.Reach)
	h.Add("chunks", fmt.Sprint(n.rec.Chunks, n.rec.HasInit, wholly(n)))
	if n.c != nil {
		h.Add("exports", fmt.Sprintf("%q", n.c.Exports))
	}
}

// known has the chunks compiled that the cache says are needed of units, and puts them into needs,
// if it says so under that key. It returns the methods that are needed.
func (d *demand) known(key string, units []*unit, needs map[*unit][]bool) (methods []string, ok bool) {
	data, err := d.g.b.cache.ReadIf(key, "needs")
	if err != nil {
		return nil, false
	}
	if methods, ok = readNeeds(string(data), units, needs); !ok {
		return nil, false
	}
	for _, n := range units {
		for c, needed := range needs[n] {
			if needed {
				d.compile(n, c)
			}
		}
	}
	return methods, true
}

// note keeps in the cache which chunks of units are needed, and which methods.
func (d *demand) note(key string, units []*unit, needs map[*unit][]bool, methods []string) error {
	if d.g.b.cache.Writable() != nil {
		return nil
	}
	return d.g.b.cache.Write(key, "needs", []byte(writeNeeds(units, needs, methods)))
}

// whole reports whether all of the package is compiled.
func (d *demand) whole(n *unit) bool {
	return d.w.All || slices.Contains(d.w.Packages, n.pkg.ImportPath)
}

// program finds the chunks that a program needs.
func (d *demand) program(id string, units []*unit) error {
	main, rt, own, err := d.g.parts(id)
	if err != nil || slices.ContainsFunc(own, func(n *unit) bool { return n.rec == nil || n.failed.Load() }) {
		return err
	}
	linked := map[*unit][]bool{}
	d.g.linked[id] = linked
	h := store.NewHasher("needs")
	for _, n := range own {
		addNeeding(h, n)
	}
	h.Add("main", main.pkg.ImportPath)
	h.Add("runtime", rt.pkg.ImportPath)
	key := h.Sum()
	file := os.Getenv("LOAMREACHED") // for internal/typical/list
	if file == "" {
		if methods, ok := d.known(key, own, linked); ok {
			d.g.methods[id] = methods
			return nil
		}
	}
	walk := d.walk
	if len(d.w.Programs) > 1 || len(d.w.Packages) > 0 || d.w.All || !slices.Equal(own, units) {
		if walk, err = d.walkProgram(own, linked); err != nil {
			return err
		}
	} else {
		if err := d.catchUp(); err != nil {
			return err
		}
		for i, n := range d.walked {
			linked[n] = d.walk.Wanted(i)
		}
		if file != "" {
			return os.WriteFile(file, []byte(strings.Join(d.walk.Reached(), "\n")), 0o666)
		}
	}
	d.g.methods[id] = walk.Methods()
	return d.note(key, own, linked, walk.Methods())
}

// walkProgram walks through a program that is not the only one.
func (d *demand) walkProgram(own []*unit, linked map[*unit][]bool) (*reach.Walk, error) {
	single := &demand{g: d.g, w: &Wanted{}, back: d.back, waiting: own}
	single.walk = reach.NewWalk(func(p, chunk int) { d.compile(own[p], chunk) })
	if err := single.catchUp(); err != nil {
		return nil, err
	}
	for i, n := range own {
		linked[n] = single.walk.Wanted(i)
	}
	return single.walk, nil
}

// writeNeeds writes which chunks of each unit are linked: a line a unit, a digit a chunk. Behind
// these come lines with methods.
func writeNeeds(units []*unit, linked map[*unit][]bool, methods []string) string {
	var s strings.Builder
	for _, n := range units {
		for _, needed := range linked[n] {
			if needed {
				s.WriteByte('1')
			} else {
				s.WriteByte('0')
			}
		}
		s.WriteByte('\n')
	}
	for _, m := range methods {
		s.WriteString(m + "\n")
	}
	return s.String()
}

// readNeeds reads what writeNeeds wrote, and reports whether it fits the units.
func readNeeds(text string, units []*unit, linked map[*unit][]bool) (methods []string, ok bool) {
	lines := strings.Split(text, "\n")
	if len(lines) < len(units)+1 {
		return nil, false
	}
	for i, n := range units {
		if len(lines[i]) != n.rec.Chunks {
			return nil, false
		}
		needs := make([]bool, n.rec.Chunks)
		for c := range needs {
			needs[c] = lines[i][c] == '1'
		}
		linked[n] = needs
	}
	return lines[len(units) : len(lines)-1], true
}
