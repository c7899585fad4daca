package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"loam/internal/child"
)

// Tags are the build tags of every Loam build.
var Tags = []string{"loam"}

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

// A Package is the go command's description of one package of the build.
type Package struct {
	Dir          string
	ImportPath   string // unique in the build: "p [q.test]" for a variant compiled for a test
	Name         string
	ForTest      string
	Standard     bool
	DepOnly      bool   // not named on the command line
	Root         string // of the module, GOPATH or GOROOT
	Module       *Module
	Error        *PackageError // only with Config.Faulty
	GoFiles      []string      // made absolute by List
	SFiles       []string      // of std only those of packages with an asm rule
	HFiles       []string
	EmbedFiles   []string
	TestGoFiles  []string
	XTestGoFiles []string
	Imports      []string
	ImportMap    map[string]string

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
	// embedSources are the files that -overlay puts in the place of embedded ones, by their
	// absolute names.
	embedSources map[string]string
	// FuzzCounters asks for a counter at each branch, for fuzzing.
	FuzzCounters bool `json:"-"`

	DefaultGODEBUG string // of a main package: settings from go.mod and //go:debug lines

	GasFiles []string `json:"-"` // absolute
	// GasHeaders are the *.h files next to them, which they include.
	GasHeaders []string `json:"-"`
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

// defaultGo is the language version of modules whose go.mod does not say.
const defaultGo = "go1.16"

// ByFiles tells whether the package is files that were named one by one: nothing is left out of it.
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

// Config says how to ask the go command.
type Config struct {
	*SDK            // nil only where no go command is needed
	Shadow *Shadow  // of the SDK
	Dir    string   // where to run it; "" is the current directory
	Tags   []string // the user's, in addition to Tags
	Tests  bool     // include the packages' test variants and test mains
	Flags  []string // further flags for go list, such as -mod=mod
	// Overlay maps source files to those that are read instead (-overlay), by absolute name.
	Overlay  map[string]string
	TrimPath bool // users see import paths instead of directories
	Faulty   bool // list packages with errors too, each with its own
}

// Env is the environment in which the go command works for Loam. What it keeps is about the shadow
// GOROOT of this machine, which is not for a program that may serve many.
func (c *Config) Env() []string {
	env := os.Environ()
	return append(env, "GOROOT="+c.Shadow.Dir, "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64", "GOTOOLCHAIN=local", "GOCACHEPROG=")
}

const listFields = "-json=Dir,ImportPath,Name,ForTest,Standard,DepOnly,Root,Module,Error,GoFiles,SFiles,HFiles,EmbedFiles,TestGoFiles,XTestGoFiles,Imports,ImportMap,DefaultGODEBUG"

// ListError is what the go command has to say about a build that it cannot plan.
type ListError struct{ Message string }

func (e *ListError) Error() string { return e.Message }

// List returns the packages that match patterns and everything they import, dependencies
// first. Errors are the go command's own, with the shadow GOROOT's name replaced.
func List(c *Config, patterns ...string) ([]*Package, error) {
	list, warnings, err := Ask(c, patterns...)
	Warn(warnings)
	return list, err
}

// Warn prints what Ask returned as warnings.
func Warn(warnings string) {
	if warnings != "" {
		fmt.Fprintln(os.Stderr, warnings)
	}
}

// Ask is List but for warnings, such as of patterns that match nothing, which it returns.
func Ask(c *Config, patterns ...string) (list []*Package, warnings string, err error) {
	args := []string{"-deps", listFields}
	if c.Tests {
		args = append(args, "-test")
	}
	if c.Faulty {
		args = append(args, "-e")
	}
	cmd := c.command(args, patterns)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &newsFilter{rest: &stderr}
	err = child.Run(cmd)
	message := strings.TrimRight(strings.ReplaceAll(stderr.String(), c.Shadow.Dir, c.Shadow.GOROOT), "\n")
	if err != nil {
		if errors.Is(err, child.ErrEnding) {
			return nil, "", err
		}
		if text := c.buildFault(patterns); text != "" && !c.Tests && !c.Faulty {
			message = text
		}
		if message == "" {
			message = fmt.Sprintf("%s list: %v", c.Go, err)
		}
		return nil, "", &ListError{c.explainCgo(message)}
	}
	if !c.Faulty {
		warnings = message
	}
	for dec := json.NewDecoder(&stdout); ; {
		p := &Package{Release: c.Release()}
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, "", fmt.Errorf("reading go list's output: %v", err)
		}
		if p.Error != nil {
			p.Error.Err = c.explainCgo(strings.ReplaceAll(p.Error.Err, c.Shadow.Dir, c.Shadow.GOROOT))
		}
		for _, files := range [][]string{p.GoFiles, p.SFiles, p.HFiles, p.EmbedFiles} {
			for i, f := range files {
				if !filepath.IsAbs(f) {
					files[i] = filepath.Join(p.Dir, f)
				}
			}
		}
		c.applyOverlay(p)
		if p.Standard {
			p.GasFiles, _ = filepath.Glob(filepath.Join(p.Dir, "*.gas"))
			if len(p.GasFiles) > 0 {
				p.GasHeaders, _ = filepath.Glob(filepath.Join(p.Dir, "*.h"))
			}
		}
		list = append(list, p)
	}
	return list, warnings, nil
}

// buildFault is what go build says of patterns that cannot be built, "" if it can plan a build. go
// list leaves out some of it.
func (c *Config) buildFault(patterns []string) string {
	list := c.command(nil, patterns)
	args := append([]string{"build", "-n", "-o", os.DevNull}, list.Args[2:]...)
	cmd := exec.Command(c.Go, args...)
	cmd.Dir, cmd.Env = list.Dir, list.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := child.Run(cmd); err == nil {
		return ""
	}
	return strings.TrimRight(strings.ReplaceAll(stderr.String(), c.Shadow.Dir, c.Shadow.GOROOT), "\n")
}

// command is go list with args for patterns.
func (c *Config) command(args, patterns []string) *exec.Cmd {
	args = append([]string{"list", "-tags=" + strings.Join(append(append([]string{}, Tags...), c.Tags...), ",")}, args...)
	args = append(append(args, c.Flags...), "--")
	cmd := exec.Command(c.Go, append(args, patterns...)...)
	cmd.Dir = c.Dir
	cmd.Env = c.Env()
	return cmd
}

// Match returns the import paths of the packages that match patterns, in the order in which
// the go command reports on them: List's is that of dependencies.
func Match(c *Config, patterns ...string) ([]string, error) {
	cmd := c.command([]string{"-e", "-find", "-f={{.ImportPath}}"}, patterns)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := child.Output(cmd)
	if err != nil {
		if stderr.Len() > 0 {
			err = &ListError{strings.TrimRight(stderr.String(), "\n")}
		}
		return nil, err
	}
	return strings.Fields(string(out)), nil
}

// newsFilter passes on at once what the go command says while it works, that it downloads a module,
// and keeps the rest.
type newsFilter struct {
	rest *bytes.Buffer
	line []byte // begun
}

func (f *newsFilter) Write(text []byte) (int, error) {
	for _, c := range text {
		if f.line = append(f.line, c); c != '\n' {
			continue
		}
		if bytes.HasPrefix(f.line, []byte("go: downloading ")) {
			os.Stderr.Write(f.line)
		} else {
			f.rest.Write(f.line)
		}
		f.line = f.line[:0]
	}
	return len(text), nil
}

// CacheDir is the directory for everything that Loam keeps between builds.
func CacheDir() (string, error) {
	if dir := os.Getenv("LOAMCACHE"); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("LOAMCACHE=%s is not an absolute path", dir)
		}
		return filepath.Clean(dir), nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache directory: %v (set LOAMCACHE)", err)
	}
	return filepath.Join(dir, "loam"), nil
}
