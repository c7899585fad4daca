package driver

import (
	"errors"
	"io"

	"loam/internal/link"
	"loam/internal/load"
	"loam/internal/lower"
	"loam/internal/timeline"
)

// Options is what one invocation of loam asks for.
type Options struct {
	Load       load.Config
	GoVersion  string                          // of the installed SDK, such as "go1.26.8"
	CompilerID string                          // changes when the compiler does
	Flags      func(*load.Package) lower.Flags // of the compiler, for a package
	Tier       Tier                            // "" as FullTier
	NoEscape   bool                            // every object goes to the heap: for finding bugs
	Parallel   int                             // clang runs at a time; 0 means one a CPU
	Verbose    bool                            // name packages as they are compiled
	Commands   bool                            // print the commands that are run
	// further flags of the assembler for a package, and what names of its .s files are to lack
	AsmFlags func(*load.Package) (words []string, trimPath string)
	// print the commands of clang and the linker and do not run them
	DryRun   bool
	KeepWork bool // keep intermediate files, and say where
	Progress bool // stderr is a terminal: show a progress line
	Linking  link.Options
	Elsewhere
	// take nothing from the cache but what this invocation made
	Rebuild  bool
	Timeline *timeline.Log         // records what takes how long; nil if nobody asks
	Diagnose func(id, text string) // gets what is wrong with a package; nil prints it
	Stderr   io.Writer
	WorkDir  string // the user's working directory, for short file names
}

// Elsewhere is where files of the cache may be besides its directory, and how large that becomes.
type Elsewhere struct {
	Packs     []PackPlace
	CacheProg []string // the command of GOCACHEPROG, nil without
	CacheSize int64    // bytes that the directory has at most; 0: any
}

// A PackPlace is a pack, or a directory of packs, that builds may take files from.
type PackPlace struct {
	Name  string
	Asked bool // by the user, who wants to know if it is of no use
}

// A Tier says which packages are compiled by package machine, at once, and not by clang. The
// run-time system never is.
type Tier string

const (
	FullTier Tier = "full" // none
	// NowTier: those that the cache does not have optimised. Of packages that are being edited what
	// was made at once is taken again before what is optimised, so that a test's program stays the
	// same when another command has optimised its package.
	NowTier Tier = "now"
	// InstantTier: all that are being edited, and of the others those that the cache does not have
	// optimised.
	InstantTier Tier = "instant"
)

// ErrReported says that a build failed and that the reasons are on stderr already.
var ErrReported = errors.New("build failed")

// Wanted is what Compile is for.
type Wanted struct {
	Programs []string // ids of main packages, to be linked
	Packages []string // ids of others, to be compiled whole
	All      bool     // compile all that they import whole, too
}
