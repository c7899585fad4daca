package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// Input is one package to lower, with what the driver knows about the rest of the build.
type Input struct {
	Pkg   *mid.Package // its functions may be changed
	Info  *types.Info
	Files []*ast.File
	Fset  *token.FileSet
	Sizes types.Sizes

	// Lent are the packages whose small functions are at hand whenever the package is compiled.
	Lent map[*types.Package]bool

	Embeds  map[string][]EmbedFile   // by variable name: the files of its //go:embed patterns
	Escape  *escape.Facts            // nil without
	PosPath func(name string) string // maps file names (shadow GOROOT) to those that users see
	Asm     *AsmFuncs                // what Go assembly defines of the package, nil without

	// Describe tells whether debug information describes the types and variables of a package, not
	// only lines and functions. nil: none.
	Describe func(path string) bool

	// ImportedLinknames maps symbols that imported packages declare to the symbols that their
	// go:linkname directives give them. Directives of Files itself are Package's to collect.
	ImportedLinknames map[string]string

	// Counters starts the names of the variables that belong into the section loam_covctrs, "" if
	// there are none (internal/cover).
	Counters string

	Maps MapLayout
	// Go127 says that the SDK is of Go 1.27 or later, where function literals in the body of a
	// range-over-func loop are named after the loop, and names in //line directives are relative to
	// the directory of the file.
	Go127 bool
	Flags Flags
	User  bool // the package is none of the standard library's or of Loam's
}

// MapLayout says how internal/runtime/maps of the SDK wants maps described.
type MapLayout struct {
	Strides bool // descriptors say where keys and elements are, and how far apart: since Go 1.27
	Split   bool // groups have the keys first and then the elements: GOEXPERIMENT=mapsplitgroup
}

// Flags are the user's wishes that change code or messages.
type Flags struct {
	NoOptimize bool   // -gcflags=-N
	NoInline   bool   // -gcflags=-l
	NoChecks   bool   // -gcflags=-B: no checks of bounds
	Points     bool   // -sim: the scheduler is asked where goroutines can see each other (points.go)
	Race       bool   // -race, -sim.race: the detector of races is told what is accessed (race.go)
	Movable    bool   // -buildmode=pie: the program may lie anywhere, so no address has 32 bits
	Library    bool   // -buildmode=c-shared, c-archive: the thread block is somewhere else
	LinesOnly  bool   // -ldflags=-w: no types and variables in the debug information
	AllErrors  bool   // -gcflags=-e: no limit on how many errors are reported
	FullNames  bool   // -gcflags=-L: messages have the names of C as C has them
	Lang       string // -gcflags=-lang=go1.x: the language version of the user's packages
	Explain    int    // -gcflags=-m: how much to say about escape analysis
	Mid        string // -gcflags=-d=mid=FUNC: the function to print after each pass
	TrimPath   string // -gcflags=-trimpath: what is left out of the names of files (load.Rewrites)
	MidPage    string // LOAMMID=FUNC: likewise, for a page
}

// IsRuntime reports whether the package of that path belongs to the run-time system, whose code has
// rules of its own.
func IsRuntime(path string) bool {
	return path == "runtime" || strings.HasPrefix(path, "internal/rt/")
}

// rarePackages are the parts of the run-time system that few programs run, although all have them
// (simulated runs and their world, the search for goroutines that nobody can wake), or that run a
// few times a second: the pacer, the profiler.
var rarePackages = map[string]bool{"internal/rt/world": true, "internal/rt/disk": true, "internal/rt/cluster": true,
	"internal/rt/leak": true, "internal/rt/pacer": true, "internal/rt/cpuprof": true}

// rareFiles are those of other packages, by path: what a program does once, when it begins or ends,
// what it does a few times a second or a collection, the monitor, what LOAMDEBUG, GODEBUG and
// LOAMSIM ask for, panics, and reports that are asked for now and then.
var rareFiles = map[string][]string{
	"internal/rt/heap": {"checkcalls.go", "debug.go", "dump.go", "limit.go", "scavenge.go", "settings.go",
		"stats.go", "trace.go", "verify.go", "verifymarks.go"},
	"internal/rt/race": {"memory.go", "slot.go"},
	"internal/rt/sched": {"boot.go", "cgroup.go", "check.go", "deadlock.go", "deathbed.go", "debug.go", "monitor.go", "procs.go",
		"schedtrace.go", "sigqueue.go", "tracegen.go", "usageread.go"},
	"internal/rt/sim":        {"settings.go"},
	"internal/rt/simulation": {"end.go", "explain.go", "files.go", "serve.go", "simserver.go", "timeline.go"},
	"internal/rt/sys":        {"print.go", "simenv.go"},
	"runtime": {"ancestors.go", "bounds.go", "cgocheck.go", "contention.go", "cpuprofile.go", "ctraceback.go", "env.go", "errors.go", "fatal.go",
		"flight.go", "flightrules.go", "godebugstart.go", "heapdump.go", "leaks.go", "logicalpc.go", "loammetrics.go", "metrics.go",
		"print.go", "profile.go", "racereport.go", "roles.go", "runmain.go", "signals.go", "simplaces.go", "simtimeline.go",
		"traceback.go", "traceend.go", "tracefigures.go", "tracefile.go", "usage.go"},
}

// isRare reports whether the run-time system's code in that file of the package of that path is to
// be small rather than fast.
func isRare(path, file string) bool {
	return rarePackages[path] || slices.Contains(rareFiles[path], filepath.Base(file))
}

// EmbedFile is one file of a //go:embed variable. For embed.FS the list has the directories
// too, with a trailing slash and no data, and is in the order that embed.FS requires.
type EmbedFile struct {
	Name string // slash-separated, relative to the package directory
	Data []byte
	Hash [16]byte // first half of the data's SHA-256
}

// Output is the lowered package.
type Output struct {
	IR  *ir.Module
	Asm []byte // GNU assembly: what lies between the package and its Go assembly
	// AsmWrappers are the functions that Asm has code of, in order, by the symbol of the assembly
	// that each calls, or its own if it is for assembly to call.
	AsmWrappers []string
	HasInit     bool              // the module defines the package's initialiser
	Huge        bool              // has functions with "optnone" that want passes of their own
	Linknames   map[string]string // this package's renamed symbols: local -> remote
}

func isSync(p *types.Package) bool {
	return p != nil && (p.Path() == "sync" || p.Path() == "sync/atomic")
}

// MapsPath is the package that maps are made of.
const MapsPath = "internal/runtime/maps"

// AsmFuncs says which functions of a package Go assembly has (package goasm), and what assembly
// needs of the package.
type AsmFuncs struct {
	// Functions gives the stack that each needs below its arguments, in bytes.
	Functions map[string]int64
	// Registers are those that take their arguments in registers (ABIInternal).
	Registers map[string]bool
	// Changes gives the registers of Preserved, by bits, that each may change.
	Changes   map[string]int
	Preserved []string
	// Variables are defined by assembly, not by the package.
	Variables map[string]bool
	// Calls are the functions of the package that assembly calls.
	Calls []string
	// ABI0 gives the symbol of a function's ABI0 form, ABIInternal that of one in Registers.
	ABI0, ABIInternal func(symbol string) string
	// Bounds gives the labels before and behind the i-th of Output.AsmWrappers.
	Bounds func(i int) (begin, end string)
}

// hasNoHeap reports whether the package of that path must not allocate.
func hasNoHeap(path string) bool { return strings.HasPrefix(path, "internal/rt/") }
