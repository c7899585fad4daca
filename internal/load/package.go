package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Module is what the build needs to know about the module of a package.
type Module struct {
	Path      string
	Version   string
	Main      bool
	GoVersion string
	Sum       string
	Dir       string
	Replace   *Module
}

// PackageError is what the go command has against a package.
type PackageError struct {
	ImportStack []string
	Pos         string
	Err         string

	files []string // what is said of the places of imports, by index in ImportStack
}

// Error is the text with what the go command prints around it: the place, or else the way from a
// named package to the one at fault.
func (e *PackageError) Error() string {
	if e.Pos != "" || len(e.ImportStack) == 0 {
		return strings.TrimPrefix(e.Pos+": "+e.Err, ": ")
	}
	way := slices.Clone(e.ImportStack)
	for i, file := range e.files {
		way[i] += file
	}
	return "package " + strings.Join(way, "\n\timports ") + ": " + e.Err
}

// NameFiles adds to each import of the way to the package at fault the file that it is in; pkgs are
// the packages on the way.
func (e *PackageError) NameFiles(pkgs []*Package) {
	e.files = make([]string, len(e.ImportStack))
	for i := 1; i < len(e.ImportStack); i++ {
		importer := slices.IndexFunc(pkgs, func(p *Package) bool { return p.ImportPath == e.ImportStack[i-1] })
		if importer < 0 {
			continue
		}
		for _, name := range pkgs[importer].GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err == nil && slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool {
				path, _ := strconv.Unquote(s.Path.Value)
				return path == e.ImportStack[i]
			}) {
				e.files[i] = " from " + filepath.Base(name)
				break
			}
		}
	}
}

// CSources is what belongs to a package with C; without cgo there is only what is left out.
type CSources struct {
	// by name only: those that build constraints leave out
	IgnoredGoFiles []string
	// made absolute by List
	CgoFiles, CFiles, CXXFiles, SysoFiles []string
	// by name only: what Loam does not know
	MFiles, FFiles, SwigFiles, SwigCXXFiles []string

	CgoCFLAGS, CgoCPPFLAGS, CgoCXXFLAGS, CgoLDFLAGS, CgoPkgConfig []string
}

// A Package is the go command's description of one package of the build.
type Package struct {
	Dir        string
	ImportPath string // unique in the build: "p [q.test]" for a variant compiled for a test
	Name       string
	ForTest    string
	Standard   bool
	DepOnly    bool   // not named on the command line
	Root       string // of the module, GOPATH or GOROOT
	Module     *Module
	Error      *PackageError // only with Config.Faulty
	Files
	Imports   []string
	ImportMap map[string]string
	CSources

	// Stamp is what the program says about the commit it is made from, StampVersion the version
	// of its module that goes with it ("" if unknown).
	Stamp        [][2]string `json:"-"`
	StampVersion string      `json:"-"`

	// Tells is what a program says of its build in place of what it is, as test programs of Go 1.26
	// do. nil for all others.
	Tells *Told `json:"-"`

	// Release is the SDK's release of Go, such as "go1.27": the language of packages that belong to
	// no module.
	Release string `json:"-"`

	// Counters starts the names of variables that count what runs (internal/cover), "" if there
	// are none. The linker lays them side by side.
	Counters string `json:"-"`
	// FuzzCounters asks for a counter at each branch, for fuzzing.
	FuzzCounters bool `json:"-"`

	DefaultGODEBUG string // of a main package: settings from go.mod and //go:debug lines
}

// Files are those of a package.
type Files struct {
	GoFiles      []string // made absolute by List
	SFiles       []string // of std only those of packages with an asm rule
	HFiles       []string
	EmbedFiles   []string
	TestGoFiles  []string
	XTestGoFiles []string

	GasFiles []string `json:"-"` // absolute
	// GasHeaders are the *.h files next to them, which they include.
	GasHeaders []string `json:"-"`

	// embedSources are the files that -overlay puts in the place of embedded ones, by their
	// absolute names.
	embedSources map[string]string
}

// Told is the path and the modules that a program tells of.
type Told struct {
	Path    string
	Modules []*Module
}

// Path is the import path without a test variant's suffix: the path that types and symbols
// carry.
func (p *Package) Path() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return path
}

// ByFiles reports whether the package is files that were named one by one: nothing is left out of
// it.
func (p *Package) ByFiles() bool { return p.ImportPath == "command-line-arguments" }

// GoVersion is the language version of the package's files.
func (p *Package) GoVersion() string {
	switch {
	case p.Module == nil || p.Standard:
		return p.Release
	case p.Module.GoVersion == "":
		return defaultGo
	}
	return "go" + p.Module.GoVersion
}

// Source is the file that is read for one of the package's files: embedded ones keep the names that
// their variables know when they are replaced.
func (p *Package) Source(name string) string {
	if replacement := p.embedSources[name]; replacement != "" {
		return replacement
	}
	return name
}

// defaultGo is the language version of modules whose go.mod does not say.
const defaultGo = "go1.16"

// TypePath is the path that the package's types carry: "main" for a program's main package,
// the import path otherwise (a main package under test included).
func TypePath(p *Package) string {
	if p.Name == "main" && p.ForTest == "" {
		return "main"
	}
	return p.Path()
}
