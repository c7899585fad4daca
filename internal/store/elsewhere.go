package store

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"loam/internal/cacheprog"
	"loam/internal/pack"
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

// File is a File of the cache.
type File struct{ Key, Kind string }

// FileName is the name that a file of the cache has in its directory, and in packs.
func FileName(key, kind string) string { return key + "." + kind }

// StartProgram has the cache use the program of GOCACHEPROG, a command with its arguments.
func (c *Cache) StartProgram(words []string) (err error) {
	c.slots = make(chan struct{}, storesAtOnce)
	c.program, err = cacheprog.Start(words, os.Stderr)
	return err
}

// AddPack has the cache use a pack.
func (c *Cache) AddPack(p *pack.Pack) { c.packs = append(c.packs, p) }

// Broken is why the cache is of no use any more.
func (c *Cache) Broken() error {
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

// findElsewhere reports whether a file that the directory lacks can be had.
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

// File returns the name of a File of the cache, for a tool to read.
func (c *Cache) File(key, kind string) (string, error) {
	path, name := c.Path(key, kind), FileName(key, kind)
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
	if c.Writable() == nil {
		return path, c.writeLocal(path, data)
	}
	if file, err = c.Temp("." + kind); err != nil {
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

// FetchAll asks the program for several files at a time: it may be far away.
func (c *Cache) FetchAll(files []File) {
	if c.program == nil {
		return
	}
	var all sync.WaitGroup
	for _, f := range files {
		all.Go(func() { c.Has(f.Key, f.Kind) })
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
		data, err := os.ReadFile(c.Path(key, kind))
		if err == nil {
			err = c.program.Put(actionID(FileName(key, kind)), sha256.Sum256(data), int64(len(data)), bytes.NewReader(data))
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
func (c *Cache) Close() error {
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
