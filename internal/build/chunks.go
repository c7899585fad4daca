package build

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"loam/internal/chunk"
	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/timeline"
)

// chunkLimits are how big the LLVM text of one run of clang gets: some two seconds of work. Smaller
// chunks would be of little use, for each needs descriptions of most of the package's types.
var chunkLimits = chunk.Limits{Least: 1 << 20, Most: 3 << 20}

// A piece is a chunk of a package that has to be compiled.
type piece struct {
	object string  // its key
	recipe *recipe // nil without
	file   string  // of LLVM text
	size   int
}

// divide cuts the package's module, whose text is whole, into chunks, and names their objects by
// what they are made from. Those that the cache lacks are written to files: packages wait for clang
// much longer than it takes to make them, and all their texts are too much to hold in memory. The
// run-time system stays whole, for many of its functions have to be inlined.
func (g *Graph) divide(n *unit, out *lower.Output, whole []byte, rec *record) error {
	limits := chunkLimits
	if lower.IsRuntime(load.TypePath(n.pkg)) {
		limits.Most = len(whole)
	}
	i := 0
	for part := range chunk.Split(out.IR, whole, limits) {
		p := &piece{size: len(part.Text), recipe: g.b.recipe(n, rec.Quick, out.Huge && part.Huge)}
		h := newHasher("object")
		h.add("clang", g.b.clang.id)
		h.add("flags", strings.Join(g.b.packageFlags(n), " "))
		if p.recipe != nil {
			p.recipe.addTo(h, g.b.lld)
		}
		h.add("ir", string(part.Text))
		p.object = h.sum()
		rec.Objects = append(rec.Objects, p.object)
		cached := g.b.cache.has(p.object, "o") && g.b.usable(p.object)
		if !cached || g.b.work != "" {
			suffix := ".ll"
			if i > 0 {
				suffix = fmt.Sprintf(".%d.ll", i)
			}
			var err error
			if p.file, err = g.b.intermediate(n, suffix, part.Text); err != nil {
				return err
			}
		}
		if !cached {
			n.pieces = append(n.pieces, p)
		}
		i++
	}
	rec.Chunks = i
	out.IR = nil
	return nil
}

// back has the package's objects made in the background, and then its record written.
func (g *Graph) back(n *unit, asm []byte, pool *pool) {
	queued := time.Now()
	var left atomic.Int32
	left.Store(int32(max(len(n.pieces), 1)))
	do := func(size int, compile func() error) {
		pool.do(size, func() {
			g.b.print.begin(n.pkg.ImportPath)
			err := compile()
			last := left.Add(-1) == 0
			if err == nil && last && !n.failed.Load() {
				err = g.finish(n, asm)
			}
			g.b.print.end(n.pkg.ImportPath)
			if err != nil {
				n.failed.Store(true)
				g.report(n, err)
			}
			if last {
				g.b.print.step()
			}
		})
	}
	for i, p := range n.pieces {
		do(p.size, func() error {
			note := ""
			if i == 0 {
				note = fmt.Sprintf("after %.3f s in the queue", time.Since(queued).Seconds())
				if n.rec.Chunks > 1 {
					note += fmt.Sprintf(", %d of %d chunks", len(n.pieces), n.rec.Chunks)
				}
			}
			return g.compilePiece(n, p, note)
		})
	}
	if len(n.pieces) == 0 {
		do(0, func() error { return nil })
	}
}

// compilePiece makes the object of a chunk.
func (g *Graph) compilePiece(n *unit, p *piece, note string) error {
	b := g.b
	lane := b.Timeline.Lane()
	defer lane.Free()
	if b.work == "" {
		defer os.Remove(p.file)
	}
	clang := lane.Begin(n.pkg.ImportPath, "clang")
	defer clang.End()
	if note != "" {
		clang.Note("%s", note)
	}
	args := append(b.packageFlags(n), "-x", "ir", p.file)
	if r := p.recipe; r != nil {
		bitcode, err := b.prepare(n, r, p.file, clang)
		if err != nil {
			return err
		}
		defer os.Remove(bitcode)
		args = r.finish(bitcode)
	}
	return b.compileTo(n, p.object, args, clang)
}

// finish makes the objects of what is no LLVM text, and then, all being there, writes the record.
func (g *Graph) finish(n *unit, asm []byte) error {
	b := g.b
	lane := b.Timeline.Lane()
	defer lane.Free()
	objects := n.rec.Objects[n.rec.Chunks:]
	if len(asm) > 0 {
		if err := b.assembleText(n, asm, objects[0], lane); err != nil {
			return err
		}
		objects = objects[1:]
	}
	for i, gas := range n.pkg.GasFiles {
		object := objects[i]
		if b.cache.has(object, "o") && b.usable(object) {
			continue
		}
		if err := b.assemble(n, gas, object, lane); err != nil {
			return err
		}
	}
	if b.DryRun {
		return nil
	}
	data, err := json.Marshal(n.rec)
	if err != nil {
		return err
	}
	b.noteMade(n.key)
	return b.cache.write(n.key, "rec", data)
}

// assembleText makes the object of translated assembly.
func (b *Builder) assembleText(n *unit, text []byte, object string, lane *timeline.Lane) error {
	if b.cache.has(object, "o") && b.work == "" {
		return nil
	}
	name, err := b.intermediate(n, ".s", text)
	if err != nil {
		return err
	}
	if b.work == "" {
		defer os.Remove(name)
	}
	assembling := lane.Begin(n.pkg.ImportPath, "assemble")
	defer assembling.End()
	return b.compileTo(n, object, append(b.asmFlags(n.pkg.Dir), "-x", "assembler", name), assembling)
}
