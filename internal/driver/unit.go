package driver

import (
	"sort"
	"strconv"
	"strings"
	"sync/atomic"

	"loam/internal/cgo"
	"loam/internal/importpath"
	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/store"
	"loam/internal/toolchain"
)

// unit is a package and the state of its action.
type unit struct {
	pkg  *load.Package
	deps []*unit

	profile string // the file of the graph's, "" without

	lends map[string][]string // see lent

	action string       // hash of what its front half depends on
	key    string       // of rec in the cache
	rec    *record      // what the action made; nil until done
	pieces []*piece     // what clang has not compiled of it
	asm    []byte       // assembly of its own
	gas    []byte       // and of the run-time system's kind (gasText)
	left   atomic.Int32 // parts of its back half that are still to be done
	// its front half is done; nothing waits for being asked for
	started, released bool
	failed            atomic.Bool // it or a dependency has errors, which are reported

	source int // bytes of its sources, for the account

	c *cgo.Made // what its C became; nil without
}

// begin has the unit, whose front half is done, wait for what it needs to be finished.
func (n *unit) begin(asm []byte) {
	n.asm, n.started = asm, true
	n.left.Store(int32(len(n.pieces)) + 1)
}

// lent returns the names of n's functions whose bodies others may need, each with the packages
// whose functions it calls.
func (n *unit) lent() map[string][]string {
	if n.lends == nil {
		n.lends = map[string][]string{}
		from := n.rec.Lending.From
		for _, word := range strings.Fields(n.rec.Lending.Lends) {
			name, numbers, _ := strings.Cut(word, ":")
			var list []string
			for number := range strings.SplitSeq(numbers, ",") {
				if at, err := strconv.Atoi(number); err == nil && at < len(from) {
					list = append(list, from[at])
				}
			}
			n.lends[name] = list
		}
	}
	return n.lends
}

// objects are the keys of the objects of n that are linked into a program.
func (n *unit) objects(linked map[*unit][]bool) (keys []string) {
	for c, needed := range linked[n] {
		if needed {
			keys = append(keys, n.rec.Objects[c])
		}
	}
	return append(keys, n.rec.Objects[n.rec.Chunks:]...)
}

// record is the outcome of a package's action, as the cache keeps it.
type record struct {
	Objects    []string // keys of object files, to be linked
	Chunks     int      // how many of them, from the first, are of LLVM text
	Huge       []bool   // of these: whether they have huge functions
	Reach      string   // key of what its definitions refer to
	Export     string   // key of the export data
	ExportHash string   // of all that importers depend on
	HasInit    bool
	Instant    bool   // compiled by package machine, as far as it can
	Generic    bool   // importers need bodies: they read the sources too
	Inline     string // hash of its small functions, which others may want; "" without
	Lending    lending
	Facts      string // key of the escape summaries, "" without
	Linknames  map[string]string
	Strings    []string // see stringVars
	Messages   []string // of -gcflags=-m

	missing []int // chunks of which the cache has the text
}

// files are the files of the cache that the record names. Instead of the object of a chunk there
// may be its text.
func (r *record) files() []store.File {
	list := []store.File{{Key: r.Export, Kind: "x"}, {Key: r.Reach, Kind: "reach"}}
	if r.Facts != "" {
		list = append(list, store.File{Key: r.Facts, Kind: "facts"})
	}
	for _, o := range r.Objects {
		list = append(list, store.File{Key: o, Kind: "o"})
	}
	return list
}

// unsafeRecord is of package unsafe, which has no files.
var unsafeRecord = &record{ExportHash: "unsafe"}

// A piece is a chunk of a package whose object the cache lacks.
type piece struct {
	chunk   int
	object  string            // its key
	recipe  *toolchain.Recipe // nil without
	instant bool              // package machine compiles it, if it can
	file    string            // of LLVM text
	size    int
}

// lending is what a record says of functions whose bodies other packages may need.
type lending struct {
	Lends   string   // their names, generic ones excepted, and numbers of packages in From (lent)
	From    []string // paths of types of packages whose functions they call, at any depth
	Borrows []string // import paths of dependencies that they call such functions of
}

// chunkText is the kind of files with the text of chunks, compressed, by the keys of their objects.
const chunkText = "ll"

// wholly reports whether all of the package is in each program that has it.
func wholly(n *unit) bool { return lower.IsRuntime(load.TypePath(n.pkg)) }

// initSymbol is the symbol of the package's initialiser.
func initSymbol(n *unit) string { return importpath.Prefix(load.TypePath(n.pkg)) + ".init" }

// sortedKeys returns m's keys in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
