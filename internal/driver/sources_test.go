package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"loam/internal/compile"
	"loam/internal/load"
)

// TestFinal: a package is not looked at again for faults that are the same however its imports
// were read.
func TestFinal(t *testing.T) {
	faults := func(msg string, notes ...load.SourceError) error {
		return &load.Errors{List: []load.SourceError{{Msg: msg, Notes: notes}}}
	}
	if !isFinal(faults("undefined: x")) {
		t.Error("a fault of the package itself is not final")
	}
	for _, err := range []error{
		errSources, errors.New("internal compiler error"),
		faults("in call to p.F, cannot infer B (declared at ./p.go:2:11)"),
		faults("F already declared", load.SourceError{Msg: "other declaration of F"}),
	} {
		if isFinal(err) {
			t.Errorf("%v is final", err)
		}
	}
}

// reading is what a package is compiled with of the sources that the cache names for it.
type reading string

const (
	allBodies    reading = "all bodies"
	wantedBodies reading = "the bodies that it wants"
	namedBodies  reading = "the bodies that it names"
	nothing      reading = "export data only"
)

// TestSources compiles packages again, of whose imports only those are read from sources that the
// cache names: that gives what reading all gives. So it does if the cache names none, or it is seen
// that some are missing, and with only those bodies that the package wants. LOAM_TEST_ONLY is a
// prefix of the packages.
func TestSources(t *testing.T) {
	g, _ := frontOnly(t, "bufio", "encoding/base64", "maps")
	only := os.Getenv("LOAM_TEST_ONLY")
	var count, read, found, unnamed int
	for _, n := range g.units {
		if n.pkg.ImportPath == "unsafe" || !strings.HasPrefix(n.pkg.ImportPath, only) {
			continue
		}
		rec, err := json.Marshal(n.rec)
		if err != nil {
			t.Fatal(err)
		}
		again := func(how reading, front func(*unit, string) (*compile.Output, *record, error)) (same bool, err error) {
			saved := *n.rec
			n.rec, n.pieces = nil, nil
			clear(g.lenders)
			g.newUniverse()
			g.survey([]*unit{{pkg: n.pkg, deps: n.deps, profile: n.profile}})
			for _, d := range g.lent(n) {
				g.lenders[d] = true
			}
			g.chooseSources([]*unit{n})
			if !g.chooseOf(n) {
				return false, fmt.Errorf("the cache has no list")
			}
			switch how {
			case nothing:
				clear(g.sources.chosen)
			case namedBodies:
				clear(g.sources.unnamed[n])
			}
			g.sources.forAll = true // nothing more is chosen
			if (how == wantedBodies || how == namedBodies) && !g.limit(n) {
				return false, fmt.Errorf("a body is missing before the first is dropped")
			}
			count, read = count+len(g.closure(n))-1, read+len(g.sources.chosen)
			_, sources, err := g.action(n)
			if err != nil {
				return false, err
			}
			_, n.rec, err = front(n, sources)
			defer func() { n.rec = &saved }()
			if err != nil {
				return false, err
			}
			got, err := json.Marshal(n.rec)
			return string(got) == string(rec), err
		}
		for _, how := range []reading{allBodies, wantedBodies} {
			if same, err := again(how, g.translate); err != nil || !same {
				t.Errorf("%s with %s: same %v, %v", n.pkg.ImportPath, how, same, err)
			}
		}
		same, err := again(namedBodies, g.translate)
		if err == errSources {
			unnamed++
			if same, err = again(namedBodies, g.compile); g.sources.misses != 1 {
				t.Errorf("%s is compiled %d times again for a body that it does not name", n.pkg.ImportPath, g.sources.misses)
			}
		}
		if err != nil || !same {
			t.Errorf("%s with %s: same %v, %v", n.pkg.ImportPath, namedBodies, same, err)
		}
		switch same, err := again(nothing, g.translate); {
		case err != nil:
			if found++; found%8 > 0 {
				break
			}
			if same, err := again(nothing, g.compile); err != nil || !same {
				t.Errorf("%s after the first try: same %v, %v", n.pkg.ImportPath, same, err)
			} else if g.sources.misses > 2 { // what a generic function leads to is seen in its instances
				t.Errorf("%s misses more after what its functions lead to", n.pkg.ImportPath)
			}
		case !same:
			t.Errorf("%s without sources differs", n.pkg.ImportPath)
		}
	}
	if found == 0 || unnamed == 0 {
		t.Errorf("%d packages miss any sources, %d bodies that they do not name", found, unnamed)
	}
	t.Logf("of %d imports %d were read from sources; %d packages miss some without, %d look at more than they name", count,
		read, found, unnamed)
}

// TestLittleRead: what a package takes from sources is what it needs itself, as long as no other
// one has to be compiled that needs a package which was read from export data for the first.
func TestLittleRead(t *testing.T) {
	g, _ := frontOnly(t, "bufio", "encoding/base64")
	compile := func(paths ...string) (read map[string]bool) {
		for _, path := range paths {
			n := g.byID[path]
			n.rec, n.pieces = nil, nil
		}
		g.newUniverse()
		g.chooseSources(g.units)
		for _, path := range paths {
			n := g.byID[path]
			_, sources, err := g.action(n)
			if err != nil {
				t.Fatal(err)
			}
			if _, n.rec, err = g.compile(n, sources); err != nil {
				t.Fatal(err)
			}
		}
		read = map[string]bool{}
		for _, n := range g.units {
			if c := g.u.Get(n.pkg); c != nil && !c.Export && !c.Bodies {
				read[n.pkg.ImportPath] = true
			}
		}
		return read
	}
	alone, other, both := compile("encoding/base64"), compile("bufio"), compile("encoding/base64", "bufio")
	for path := range other {
		if !both[path] {
			t.Errorf("%s was not read from sources for both", path)
		}
	}
	if len(alone) == 0 || len(both) <= len(alone) {
		t.Errorf("from sources: %v for one, %v for both", alone, both)
	}
	for path := range alone {
		if path != "unsafe" && !slices.Contains(strings.Fields(kept(t, g, "encoding/base64")), path) {
			t.Errorf("%s was read from sources for nothing", path)
		}
	}
}

// kept is what the cache has of a package's sources.
func kept(t *testing.T, g *Graph, path string) string {
	list, err := g.b.cache.ReadIf(g.b.sourcesKey(g.byID[path]), "sources")
	if err != nil {
		t.Fatal(err)
	}
	return string(list)
}
