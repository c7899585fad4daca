package driver

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"loam/internal/chunk"
	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/pool"
	"loam/internal/store"
	"loam/internal/toolchain"
	"loam/internal/typical"
)

// chunkLimits are how big the LLVM text of one run of clang gets: some two seconds of work. Smaller
// chunks would be of little use, for each needs descriptions of most of the package's types.
var chunkLimits = chunk.Limits{Least: 1 << 20, Most: 3 << 20, Small: 48 << 10}

// divide cuts the package's module, whose text is whole, into chunks, and names their objects by
// what they are made from. Those that the cache lacks are written to files: packages wait for clang
// much longer than it takes to make them, and all their texts are too much to hold in memory. The
// run-time system stays whole, for many of its functions have to be inlined.
func (g *Graph) divide(n *unit, out *lower.Output, whole []byte, rec *record) error {
	limits := chunkLimits
	if lower.IsRuntime(load.TypePath(n.pkg)) {
		limits.Most = len(whole)
	} else if n.pkg.Standard {
		limits.Class, limits.Classes = typical.Class, typical.Classes
	}
	division := chunk.Divide(out.IR, whole, limits)
	i := 0
	for part := range division.Chunks() {
		huge := out.Huge && part.Huge
		p := &piece{chunk: i, size: len(part.Text), recipe: g.b.recipe(n, huge), instant: rec.Instant}
		h := store.NewHasher("object")
		h.Add("clang", g.b.tools.Clang.ID)
		h.Add("flags", strings.Join(g.b.packageFlags(n), " "))
		if p.recipe != nil {
			g.b.tools.AddTo(h, p.recipe)
		}
		if p.instant {
			h.Add("instant", g.b.CompilerID)
		}
		h.Add("ir", string(part.Text))
		p.object = h.Sum()
		rec.Objects = append(rec.Objects, p.object)
		rec.Huge = append(rec.Huge, huge)
		cached := g.b.cache.Has(p.object, "o") && g.b.cache.Usable(p.object)
		if !cached || g.b.tools.Work != "" {
			suffix := ".ll"
			if i > 0 {
				suffix = fmt.Sprintf(".%d.ll", i)
			}
			var err error
			if p.file, err = g.b.tools.Intermediate(n.pkg.ImportPath, suffix, part.Text); err != nil {
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
	facts := division.Facts(roots(n, out.Asm))
	text := facts.Encode()
	h := store.NewHasher("reach")
	h.Add("facts", string(text))
	rec.Reach = h.Sum()
	g.b.mu.Lock()
	g.b.facts[rec.Reach] = facts
	g.b.mu.Unlock()
	return g.b.cache.Write(rec.Reach, "reach", text)
}

// roots are the symbols that the package's assembly may refer to.
func roots(n *unit, asm []byte) (names []string) {
	texts := [][]byte{asm}
	for _, gas := range n.pkg.GasFiles {
		if text, err := os.ReadFile(gas); err == nil { // or assembling it fails
			texts = append(texts, text)
		}
	}
	for _, text := range texts {
		for _, word := range asmWord.FindAll(text, -1) {
			name := string(word)
			if plain, err := strconv.Unquote(name); err == nil {
				name = plain
			}
			if strings.Contains(name, ".") && name[0] != '.' {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// asmWord matches symbols in assembly, and other words. Only quoted symbols have other characters.
var asmWord = regexp.MustCompile(`"[^"\n]+"|[\w.$·∕%-]+`)

// work has a part of the unit's back half done in the background. After the last one, all being
// there, its record is written.
func (g *Graph) work(n *unit, size int, back *pool.Pool, do func() error) {
	back.Do(size, func() {
		g.b.print.Begin(n.pkg.ImportPath)
		err := do()
		last := n.left.Add(-1) == 0
		if err == nil && last && !n.failed.Load() {
			err = g.finish(n, n.asm)
		}
		g.b.print.End(n.pkg.ImportPath)
		if err != nil {
			n.failed.Store(true)
			g.report(n, err)
		}
	})
}

// compileLater has a chunk compiled in the background.
func (g *Graph) compileLater(n *unit, p *piece, back *pool.Pool) {
	queued := time.Now()
	g.b.print.Asked(p.size)
	g.work(n, p.size, back, func() error {
		defer g.b.print.Compiled(p.size)
		note := fmt.Sprintf("after %.3f s in the queue", time.Since(queued).Seconds())
		if n.rec.Chunks > 1 {
			note += fmt.Sprintf(", chunk %d of %d", p.chunk+1, n.rec.Chunks)
		}
		return g.compilePiece(n, p, note)
	})
}

// compilePiece makes the object of a chunk.
func (g *Graph) compilePiece(n *unit, p *piece, note string) error {
	b := g.b
	lane := b.Timeline.Lane()
	defer lane.Free()
	if p.instant {
		during := lane.Begin(n.pkg.ImportPath, "machine")
		if note != "" {
			during.Note("%s", note)
		}
		made, err := b.compileInstant(n, p, during)
		during.End()
		if made || err != nil {
			return err
		}
	}
	clang := lane.Begin(n.pkg.ImportPath, "clang")
	defer clang.End()
	if note != "" {
		clang.Note("%s", note)
	}
	text := toolchain.Text{File: p.file, Flags: b.packageFlags(n), Recipe: p.recipe}
	return b.tools.Compile(n.pkg.ImportPath, p.object, text, clang)
}

// finish makes the objects of what is no LLVM text, and then, all being there, writes the record.
func (g *Graph) finish(n *unit, asm []byte) error {
	b := g.b
	lane := b.Timeline.Lane()
	defer lane.Free()
	objects := n.rec.Objects[n.rec.Chunks:]
	if len(asm) > 0 {
		if !b.cache.Has(objects[0], "o") || b.tools.Work != "" {
			if err := b.tools.Assemble(n.pkg.ImportPath, objects[0], toolchain.Assembly{Suffix: ".s", Text: asm}, lane); err != nil {
				return err
			}
		}
		objects = objects[1:]
	}
	if len(n.gas) > 0 && !(b.cache.Has(objects[0], "o") && b.cache.Usable(objects[0])) {
		a := toolchain.Assembly{Suffix: ".gas.s", Text: n.gas, Lines: true}
		if err := b.tools.Assemble(n.pkg.ImportPath, objects[0], a, lane); err != nil {
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
	b.cache.NoteMade(n.key)
	return b.cache.Write(n.key, "rec", data)
}
