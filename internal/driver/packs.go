package driver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"loam/internal/amd64"
	"loam/internal/install"
	"loam/internal/pack"
	"loam/internal/store"
)

// openPacks opens the packs that are of use here, and says which of those that the user named are
// not.
func (b *Builder) openPacks() error {
	for _, place := range b.Packs {
		files := []string{place.Name}
		st, err := os.Stat(place.Name)
		if err != nil {
			return fmt.Errorf("LOAMPACK: %w", err)
		}
		if st.IsDir() {
			files, _ = filepath.Glob(filepath.Join(place.Name, "*.pack"))
		}
		var unfit []string
		for _, name := range files {
			p, err := pack.Open(name)
			if err != nil {
				return fmt.Errorf("LOAMPACK: %w", err)
			}
			why := b.unfit(&p.Made)
			if why == "" {
				b.cache.AddPack(p)
				continue
			}
			p.Close()
			unfit = append(unfit, name+" "+why)
		}
		switch {
		case !place.Asked || len(unfit) < len(files):
		case len(files) == 0:
			b.print.Line("loam: LOAMPACK: no packs (*.pack) in " + place.Name)
		case len(files) == 1:
			b.print.Line("loam: LOAMPACK: not used: " + unfit[0])
		default:
			b.print.Line(fmt.Sprintf("loam: LOAMPACK: none of the %d packs in %s fits: %s", len(files), place.Name, unfit[0]))
		}
	}
	return nil
}

// packMade says what packs are for that this builder makes, and that it can use.
func (b *Builder) packMade(packages []string) *pack.Made {
	return &pack.Made{Compiler: b.CompilerID, Go: b.GoVersion, Level: amd64.Level(), Clang: b.tools.Clang.ID, Packages: packages}
}

// PackName is the name of a pack of std for this builder.
func (b *Builder) PackName() string { return b.GoVersion + "-" + amd64.Level() + ".pack" }

// unfit says why a pack is of no use here, "" if it is.
func (b *Builder) unfit(made *pack.Made) string {
	own := b.packMade(nil)
	switch {
	case made.Compiler != own.Compiler:
		return "was made by another version of loam"
	case made.Go != own.Go:
		return fmt.Sprintf("is for %s, not for %s", made.Go, own.Go)
	case made.Level != own.Level:
		return fmt.Sprintf("is for GOAMD64=%s, not for %s", made.Level, own.Level)
	case made.Clang != own.Clang:
		return fmt.Sprintf("is for %s, not for %s", made.Clang, own.Clang)
	}
	return ""
}

// WritePack writes a pack with all that was compiled for the packages with these ids and what they
// import, which Compile has brought up to date, and returns its size. The packages are named in it
// as given.
func (g *Graph) WritePack(file string, packages []string, ids ...string) (size int64, err error) {
	contents := map[string]store.File{}
	var roots []*unit
	for _, id := range ids {
		roots = append(roots, g.byID[id])
	}
	for _, n := range g.closure(roots...) {
		if n.pkg.ImportPath == "unsafe" {
			continue
		}
		for _, f := range append(n.rec.files(), store.File{Key: n.key, Kind: "rec"}) {
			contents[store.FileName(f.Key, f.Kind)] = f
		}
	}
	tmp, err := g.b.cache.Temp(".pack")
	if err != nil {
		return 0, err
	}
	defer os.Remove(tmp)
	f, err := os.Create(tmp)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w, err := pack.NewWriter(f)
	if err != nil {
		return 0, err
	}
	for _, name := range sortedKeys(contents) {
		data, err := g.b.cache.Read(contents[name].Key, contents[name].Kind)
		if err != nil {
			return 0, err
		}
		if err := w.Add(name, data); err != nil {
			return 0, err
		}
	}
	if err := w.Close(g.b.packMade(packages)); err != nil {
		return 0, err
	}
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return st.Size(), install.File(tmp, file, 0o666)
}

// ErrUnfit is a pack that was made for something else.
var ErrUnfit = errors.New("the pack is of no use here")

// Unpack writes the contents of a pack to the cache, all of them or, if one is damaged, none, and
// returns the pack's description. With dryRun it only looks whether all is well.
func (b *Builder) Unpack(name string, dryRun bool) (*pack.Pack, error) {
	p, err := pack.Open(name)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if why := b.unfit(&p.Made); why != "" {
		return nil, fmt.Errorf("%w: %s %s", ErrUnfit, name, why)
	}
	for _, write := range []bool{false, true} {
		if write && dryRun {
			break
		}
		for _, file := range p.Names() {
			data, err := p.Read(file)
			if err == nil && write {
				key, kind, _ := strings.Cut(file, ".")
				err = b.cache.Write(key, kind, data)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}
