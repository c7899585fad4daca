package driver

import (
	"go/version"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"loam/internal/cgo"
	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/pgo"
	"loam/internal/progress"
	"loam/internal/reach"
	"loam/internal/store"
	"loam/internal/timeline"
	"loam/internal/toolchain"
)

// A Builder builds packages and programs with one set of options.
type Builder struct {
	Options
	cache *store.Cache
	tools *toolchain.Toolchain
	print *progress.Printer
	lane  *timeline.Lane // of what is not done in the background
	base  string         // hash of everything that goes into every action's key

	mu       sync.Mutex
	profiles map[string]*pgo.Profile // that were read, by file
	reported map[string]bool         // texts, so that packages of several graphs are reported once
	lookups  map[lookupKey]*lookup   // of packages that were found
	facts    map[string]*reach.Facts // by key

	cKit  *cgo.Kit                    // nil until there is C
	cMade map[*load.Package]*cgo.Made // what packages with C became
}

// A lookup is what was found in the cache for a package of some graph. It holds in any other graph
// of the invocation in which the package's imports have the same records.
type lookup struct {
	action, sources, key string
	rec                  *record
	deps                 []*record
}

// lookupKey tells lookups apart.
type lookupKey struct {
	pkg     *load.Package
	profile string
}

// since reports whether the SDK is of that release or of a later one.
func (b *Builder) since(release string) bool { return version.Compare(b.Load.Release(), release) >= 0 }

// mapLayout is what the SDK says of maps.
func (b *Builder) mapLayout() lower.MapLayout {
	return lower.MapLayout{Strides: b.since("go1.27"), Split: b.Load.Experiment("mapsplitgroup")}
}

// diagnose passes on what is wrong with a package, once.
func (b *Builder) diagnose(id, text string) {
	b.mu.Lock()
	again := b.reported[text]
	b.reported[text] = true
	b.mu.Unlock()
	switch {
	case again:
	case b.Diagnose != nil:
		b.Diagnose(id, text)
	default:
		b.print.Line(text)
	}
}

// checkoutPath maps one of Loam's own files to the checkout of Loam in the working directory, if
// that is where the user is.
func (b *Builder) checkoutPath(name string) string {
	rel, ok := strings.CutPrefix(name, b.Load.Shadow.Root+"/")
	if !ok {
		return name
	}
	here := filepath.Join(b.WorkDir, rel)
	if _, err := os.Stat(here); err != nil {
		return name
	}
	return here
}

// cannotGoOn is an error that concerns all packages that still have to be compiled.
func (b *Builder) cannotGoOn() error {
	if err := b.tools.Broken(); err != nil {
		return err
	}
	if err := b.cache.Broken(); err != nil {
		b.tools.Break(err)
		return err
	}
	return b.cache.Writable()
}

// readProfile reads the profile in that file, once; there is none in "".
func (b *Builder) readProfile(name string) (*pgo.Profile, error) {
	if name == "" {
		return nil, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.profiles[name]; p != nil {
		return p, nil
	}
	p, err := pgo.Read(name)
	if err != nil {
		return nil, &load.Diagnostic{Text: err.Error()}
	}
	b.profiles[name] = p
	return p, nil
}

// Aside returns a writer to w that does not get in the way of the builder's progress line.
func (b *Builder) Aside(w io.Writer) io.Writer { return b.print.Aside(w) }

// Cache is where the builder keeps what it makes. Its users keep things there, too, under keys and
// kinds of their own.
func (b *Builder) Cache() *store.Cache { return b.cache }
