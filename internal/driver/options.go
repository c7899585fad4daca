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
	Tier       Tier                            // of the packages that are being edited, "" as FullTier
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

// A Tier says which of the packages that are being edited are compiled quickly, or how else.
type Tier string

const (
	FullTier  Tier = "full"  // none
	QuickTier Tier = "quick" // all
	BigTier   Tier = "big"   // those that are big enough to be waited for
	// InstantTier: package machine compiles them, and all others that the cache does not have in full.
	InstantTier Tier = "instant"
)

// bigText is how many bytes of LLVM text the quick tier pays for: starting two more programs costs
// a twentieth of a second. What is smaller is compiled once for all tiers but QuickTier.
const bigText = 200 << 10

// quick reports whether a package with so many bytes of text is compiled quickly.
func (t Tier) quick(text int) bool { return t == QuickTier || t == BigTier && text >= bigText }

// ErrReported says that a build failed and that the reasons are on stderr already.
var ErrReported = errors.New("build failed")

// Wanted is what Compile is for.
type Wanted struct {
	Programs []string // ids of main packages, to be linked
	Packages []string // ids of others, to be compiled whole
	All      bool     // compile all that they import whole, too
}
