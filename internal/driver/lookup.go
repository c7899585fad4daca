package driver

import (
	"encoding/json"
	"slices"

	"loam/internal/load"
	"loam/internal/store"
)

// lookup computes the unit's key, for which all it imports must be done, and takes the record
// from the cache if it is there. It returns the hash of the package's own files.
func (g *Graph) lookup(n *unit) (sources string, err error) {
	looking := g.b.lane.Begin(n.pkg.ImportPath, "look up")
	defer looking.End()
	if n.pkg.ImportPath == "unsafe" {
		n.rec = unsafeRecord
		return "", nil
	}
	if sources, ok := g.b.lookedUp(n); ok {
		looking.Note("in the cache")
		g.replay(n)
		return sources, nil
	}
	if n.action, sources, err = g.action(n); err != nil {
		return "", err
	}
	if g.b.flagsOf(n.pkg).MidPage != "" {
		return sources, nil
	}
	for _, instant := range g.forms(n.pkg) {
		key := recordKey(n.action, instant)
		if rec := g.b.cachedRecord(key); rec != nil && g.b.cache.Usable(key) {
			n.key, n.rec = key, rec
			g.b.noteLookup(n, sources)
			looking.Note("in the cache")
			g.replay(n)
			break
		}
	}
	return sources, nil
}

// forms are those that a package is taken from the cache in, the first that is there: optimised, or
// instant.
func (g *Graph) forms(p *load.Package) (instant []bool) {
	tier := g.tier(p)
	switch {
	case tier == FullTier:
		return []bool{false}
	case !edited(p):
		return []bool{false, true}
	case tier == NowTier:
		return []bool{true, false}
	}
	return []bool{true}
}

// lookedUp completes the unit if it was found in another graph.
func (b *Builder) lookedUp(n *unit) (sources string, ok bool) {
	b.mu.Lock()
	l := b.lookups[lookupKey{n.pkg, n.profile}]
	b.mu.Unlock()
	if l == nil || !slices.EqualFunc(n.deps, l.deps, func(d *unit, rec *record) bool { return d.rec == rec }) {
		return "", false
	}
	n.action, n.key, n.rec = l.action, l.key, l.rec
	return l.sources, true
}

// noteLookup remembers that the unit was found.
func (b *Builder) noteLookup(n *unit, sources string) {
	l := &lookup{action: n.action, sources: sources, key: n.key, rec: n.rec}
	for _, d := range n.deps {
		l.deps = append(l.deps, d.rec)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lookups[lookupKey{n.pkg, n.profile}] = l
}

// cachedRecord returns the record under key if it and all files that it names are there.
func (b *Builder) cachedRecord(key string) *record {
	data, err := b.cache.Read(key, "rec")
	if err != nil {
		return nil
	}
	rec := new(record)
	if json.Unmarshal(data, rec) != nil {
		return nil
	}
	files := rec.files()
	b.cache.FetchAll(files)
	for _, f := range append(files, store.File{Key: key, Kind: "rec"}) {
		if b.cache.Has(f.Key, f.Kind) {
			continue
		}
		chunk := slices.Index(rec.Objects[:rec.Chunks], f.Key)
		if f.Kind != "o" || chunk < 0 || !b.cache.Has(f.Key, chunkText) {
			return nil
		}
		rec.missing = append(rec.missing, chunk)
	}
	return rec
}
