package build

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"loam/internal/cacheprog"
	"loam/internal/pack"
	"loam/internal/target"
)

// elsewhere is where files of the cache are that its directory lacks: packs, and a program
// (GOCACHEPROG). Both serve what they have in place. Only the linker wants objects as files, so
// those of packs are written to the directory when a program needs them. What is made here goes to
// the program, too.
type elsewhere struct {
	packs   []*pack.Pack
	program *cacheprog.Client

	damage error             // of a pack; guarded by the cache's lock, as found and fault
	found  map[string]string // files by name, outside of the directory; "" for what the program lacks
	fault  error             // the first that storing something has met
	stores sync.WaitGroup
	slots  chan struct{} // of those that store at a time
}

// storesAtOnce bounds the contents that are on their way to the program.
const storesAtOnce = 8

// cacheFile is a file of the cache.
type cacheFile struct{ key, kind string }

// fileName is the name that a file of the cache has in its directory, and in packs.
func fileName(key, kind string) string { return key + "." + kind }

// startProgram has the cache use the program of GOCACHEPROG, a command with its arguments.
func (c *Cache) startProgram(words []string) (err error) {
	c.slots = make(chan struct{}, storesAtOnce)
	c.program, err = cacheprog.Start(words, os.Stderr)
	return err
}

// broken is why the cache is of no use any more.
func (c *Cache) broken() error {
	c.mu.Lock()
	err := c.damage
	c.mu.Unlock()
	if err == nil && c.program != nil {
		err = c.program.Broken()
	}
	return err
}

// noteDamage remembers that a pack is damaged. Nothing else is compiled then.
func (c *Cache) noteDamage(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.damage == nil {
		c.damage = fmt.Errorf("%w (LOAMPACK=off does without packs)", err)
	}
}

// packOf returns the pack that has the file, nil if none has.
func (c *Cache) packOf(name string) *pack.Pack {
	for _, p := range c.packs {
		if p.Has(name) {
			return p
		}
	}
	return nil
}

// findElsewhere tells whether a file that the directory lacks can be had.
func (c *Cache) findElsewhere(name string) bool {
	if c.packOf(name) != nil {
		return true
	}
	file, _ := c.fetch(name)
	return file != ""
}

// fetch asks the program, once, for a file. What it serves has to be what was put there. Whatever
// is wrong with an answer, the file is made here then, unless the program is broken, which broken
// says.
func (c *Cache) fetch(name string) (file string, err error) {
	c.mu.Lock()
	file, known := c.found[name]
	c.mu.Unlock()
	if known || c.program == nil {
		return file, nil
	}
	file, output, err := c.program.Get(actionID(name))
	if err == nil && file != "" {
		var data []byte
		if data, err = os.ReadFile(file); err == nil && sha256.Sum256(data) != output {
			err = fmt.Errorf("%s does not hold what was put there", file)
		}
	}
	if err != nil {
		c.noteFault(err)
		file = ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found[name] = file
	return file, err
}

// actionID is the name under which the program keeps a file: it may keep those of other tools, too.
func actionID(name string) cacheprog.ID { return sha256.Sum256([]byte("loam cache 1 " + name)) }

// readElsewhere returns the content of a file that the directory lacks.
func (c *Cache) readElsewhere(name string) ([]byte, error) {
	if p := c.packOf(name); p != nil {
		data, err := p.Read(name)
		if err != nil {
			c.noteDamage(err)
		}
		return data, err
	}
	file, err := c.fetch(name)
	if err == nil && file == "" {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// file returns the name of a file of the cache, for a tool to read.
func (c *Cache) file(key, kind string) (string, error) {
	path, name := c.path(key, kind), fileName(key, kind)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	p := c.packOf(name)
	if p == nil {
		file, err := c.fetch(name)
		if err == nil && file == "" {
			err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return file, err
	}
	c.mu.Lock()
	file := c.found[name]
	c.mu.Unlock()
	if file != "" {
		return file, nil
	}
	data, err := c.readElsewhere(name)
	if err != nil {
		return "", err
	}
	if c.writable() == nil {
		return path, c.writeLocal(path, data)
	}
	if file, err = c.temp("." + kind); err != nil {
		return "", err
	}
	if err := os.WriteFile(file, data, 0o666); err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found[name] = file
	return file, nil
}

// fetchAll asks the program for several files at a time: it may be far away.
func (c *Cache) fetchAll(files []cacheFile) {
	if c.program == nil {
		return
	}
	var all sync.WaitGroup
	for _, f := range files {
		all.Go(func() { c.has(f.key, f.kind) })
	}
	all.Wait()
}

// store brings a file that is in the directory now to the program, in the background.
func (c *Cache) store(key, kind string) {
	if c.program == nil || !c.program.Knows("put") {
		return
	}
	c.stores.Go(func() {
		c.slots <- struct{}{}
		defer func() { <-c.slots }()
		data, err := os.ReadFile(c.path(key, kind))
		if err == nil {
			err = c.program.Put(actionID(fileName(key, kind)), sha256.Sum256(data), int64(len(data)), bytes.NewReader(data))
		}
		if err != nil {
			c.noteFault(err)
		}
	})
}

func (c *Cache) noteFault(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fault == nil {
		c.fault = err
	}
}

// closeElsewhere waits for what is on its way and ends the program. It returns what went wrong
// first.
func (c *Cache) closeElsewhere() error {
	for _, p := range c.packs {
		p.Close()
	}
	if c.program == nil {
		return nil
	}
	c.stores.Wait()
	if err := c.program.Close(); err != nil {
		c.noteFault(err)
	}
	if c.fault != nil && !strings.Contains(c.fault.Error(), "GOCACHEPROG") {
		return fmt.Errorf("GOCACHEPROG: %w", c.fault)
	}
	return c.fault
}

// A PackPlace is a pack, or a directory of packs, that builds may take files from.
type PackPlace struct {
	Name  string
	Asked bool // by the user, who wants to know if it is of no use
}

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
				b.cache.packs = append(b.cache.packs, p)
				continue
			}
			p.Close()
			unfit = append(unfit, name+" "+why)
		}
		switch {
		case !place.Asked || len(unfit) < len(files):
		case len(files) == 0:
			b.print.line("loam: LOAMPACK: no packs (*.pack) in " + place.Name)
		case len(files) == 1:
			b.print.line("loam: LOAMPACK: not used: " + unfit[0])
		default:
			b.print.line(fmt.Sprintf("loam: LOAMPACK: none of the %d packs in %s fits: %s", len(files), place.Name, unfit[0]))
		}
	}
	return nil
}

// packMade says what packs are for that this builder makes, and that it can use.
func (b *Builder) packMade(packages []string) *pack.Made {
	return &pack.Made{Compiler: b.CompilerID, Go: b.GoVersion, Level: target.Level(), Clang: b.clang.id, Packages: packages}
}

// PackName is the name of a pack of std for this builder.
func (b *Builder) PackName() string { return b.GoVersion + "-" + target.Level() + ".pack" }

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
	contents := map[string]cacheFile{}
	var roots []*unit
	for _, id := range ids {
		roots = append(roots, g.byID[id])
	}
	for _, n := range g.closure(roots...) {
		if n.pkg.ImportPath == "unsafe" {
			continue
		}
		for _, f := range append(n.rec.files(), cacheFile{n.key, "rec"}) {
			contents[fileName(f.key, f.kind)] = f
		}
	}
	tmp, err := g.b.cache.temp(".pack")
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
		data, err := g.b.cache.read(contents[name].key, contents[name].kind)
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
	return st.Size(), moveFile(tmp, file, 0o666)
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
				err = b.cache.write(key, kind, data)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}
