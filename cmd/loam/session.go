package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"loam"
	"loam/internal/answers"
	"loam/internal/driver"
	"loam/internal/ending"
	"loam/internal/link"
	"loam/internal/load"
	"loam/internal/scratch"
	"loam/internal/timeline"
)

// compilerID identifies the compiler's sources. The Makefile sets it, so that a change of the
// run-time system alone does not recompile the world; otherwise the executable itself counts.
var compilerID string

// session is what every verb that builds needs: the SDK, the shadow GOROOT, a builder.
type session struct {
	load    load.Config
	cache   string
	cwd     string
	answers *answers.Keeper // of what the go command says
	builder *driver.Builder

	timeline *timeline.Log  // nil if nobody asks
	lane     *timeline.Lane // of what this package does
	stats    bool           // print the timeline as a table
	trace    *os.File       // write it there, nil for nowhere

	dryRun     bool // -n
	installing bool // packages without a program are no mistake

	toolFlags []*packageFlags
}

// newSession finds SDK, cache and tools, and checks them.
func newSession(f *buildFlags) (*session, error) {
	ending.BySignals()
	if err := f.parallel.check(); err != nil {
		return nil, err
	}
	if err := checkSettings(); err != nil {
		return nil, err
	}
	s, err := findSDK()
	if err != nil {
		return nil, err
	}
	s.installing, s.dryRun = f.installing, f.dryRun
	if s.cwd, s.load.Dir = f.dir, f.dir; f.dir == "" {
		if s.cwd, err = os.Getwd(); err != nil {
			return nil, err
		}
	}
	if err := s.record(&f.telling); err != nil {
		return nil, err
	}
	f.asmflags.dir, f.gcflags.dir = s.cwd, s.cwd
	s.toolFlags = []*packageFlags{&f.asmflags, &f.gcflags}
	if err := checkTarget(); err != nil {
		return nil, err
	}
	if level := goSetting("GOAMD64"); level != "" {
		// what go env -w says counts for the code as it does for the choice of files
		os.Setenv("GOAMD64", level)
	}
	if f.tags != "" {
		s.load.Tags = f.tagList()
	}
	f.race = f.race || f.threadRace
	if f.race {
		if f.coverMode != "" && f.coverMode != "atomic" {
			return nil, fmt.Errorf("-covermode must be \"atomic\", not %q, when -race is enabled", f.coverMode)
		}
		f.threads = true
		s.load.Tags = append(s.load.Tags, "race") // std tells the detector what synchronises
		f.list = append(f.list, "-race=false")    // to the go command, GOFLAGS means gc's detector
	}
	if f.mode().Movable() {
		s.load.Tags = append(s.load.Tags, "loam_movable") // rt/sys/movable.go
	}
	if f.mode().Library() {
		if !f.library {
			return nil, &refusal{"-buildmode=" + f.buildmode, "only build and install make libraries"}
		}
		s.load.Tags = append(s.load.Tags, "loam_library") // rt/sys/library.go
	}
	// go list would name what each profile concerns; Loam decides that by itself (profile.go).
	s.load.Flags, s.load.TrimPath = append(slices.Clone(f.list), "-pgo=off"), f.trimpath
	s.load.Cgo = cgoMode()
	if f.points {
		s.load.Cgo = load.CgoOff // a simulated run has one thread
	}
	if f.overlay != "" {
		if s.load.Overlay, err = load.ReadOverlay(f.overlay, s.cwd); err != nil {
			return nil, err
		}
		s.load.Flags = append(s.load.Flags, "-overlay="+f.overlay)
	}
	id, err := compilerIdentity()
	if err != nil {
		return nil, err
	}
	program, err := splitQuoted(goSetting("GOCACHEPROG"))
	if err != nil {
		return nil, fmt.Errorf("GOCACHEPROG: %v", err)
	}
	tier, err := f.tier()
	if err != nil {
		return nil, err
	}
	noSymbols, noDebug := f.ldflags.drops(f.fleeting)
	size, _ := cacheSize(os.Getenv("LOAMCACHESIZE")) // checkSettings has looked at it
	s.builder, err = driver.New(driver.Options{
		Load: s.load, GoVersion: s.load.Version, CompilerID: id, Flags: f.compilerFlags,
		Parallel: f.parallel.n, Verbose: f.verbose, Commands: f.commands, DryRun: f.dryRun, AsmFlags: f.assemblerFlags, KeepWork: f.work,
		Progress: isTerminal(os.Stderr), WorkDir: s.cwd, Tier: tier, NoEscape: os.Getenv("LOAMESCAPE") == "off",
		Rebuild: f.rebuild, Timeline: s.timeline, Diagnose: f.diagnose,
		Linking: link.Options{
			Mode: f.mode(), Settings: f.settings(), DropSymbols: noSymbols, DropDebug: noDebug, LinkVars: f.ldflags.vars,
			External: f.ldflags.external, IDs: f.ldflags.ids,
		},
		Elsewhere: driver.Elsewhere{Packs: packPlaces(), CacheProg: program, CacheSize: size},
	}, s.cache)
	if err != nil {
		return nil, err
	}
	defer s.lane.Begin("", "shadow GOROOT").End()
	if s.load.Shadow, err = load.MakeShadow(s.cache, s.load.SDK, loam.RuntimeSources()); err != nil {
		return nil, err
	}
	// In the SDK's own sources the packages are those of the shadow.
	src := filepath.Join(s.load.GOROOT, "src")
	if rel, err := filepath.Rel(src, s.cwd); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
		s.load.Dir = filepath.Join(s.load.Shadow.Dir, "src", rel)
	}
	s.builder.Load = s.load
	return s, nil
}

// record begins the record of what the build does, if f asks for it.
func (s *session) record(f *telling) (err error) {
	if f.debugTrace != "" {
		if s.trace, err = os.Create(f.debugTrace); err != nil {
			return fmt.Errorf("-debug-trace: %w", err)
		}
	}
	if s.stats = f.stats; s.stats || s.trace != nil {
		s.timeline = timeline.New()
		s.lane = s.timeline.Lane()
	}
	return nil
}

// close ends the builder and tells what it did.
func (s *session) close() {
	s.builder.Close()
	if s.stats {
		s.timeline.WriteTable(os.Stderr)
	}
	if s.trace != nil {
		if err := errors.Join(s.timeline.WriteTrace(s.trace), s.trace.Close()); err != nil {
			status(fmt.Errorf("-debug-trace: %w", err))
		}
	}
}

// tempDir makes a directory for a program that is to be run.
func (s *session) tempDir() (string, error) {
	dir, err := scratch.Dir(s.cache)
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(dir, "run-")
}

// findSDK finds the Go SDK and the cache directory.
func findSDK() (*session, error) {
	s := new(session)
	var noCache, err error
	s.cache, noCache = load.CacheDir()
	s.answers = answers.NewKeeper(s.cache)
	if s.load.SDK, err = s.answers.FindSDK(); err != nil {
		return nil, err
	}
	if err := loam.CheckRoot(); err != nil {
		return nil, err
	}
	return s, noCache
}

// checkTarget refuses the platforms that Loam has no run-time system for.
func checkTarget() error {
	for name, only := range map[string]string{"GOOS": "linux", "GOARCH": "amd64"} {
		if v := goSetting(name); v != "" && v != only {
			return fmt.Errorf("loam compiles for linux/amd64 only, not for %s=%s", name, v)
		}
	}
	return nil
}

func compilerIdentity() (string, error) {
	if compilerID != "" {
		return compilerID, nil
	}
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(exe)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// list asks for the packages of patterns and adds package runtime, on which every program
// depends whether it says so or not.
func (s *session) list(patterns ...string) ([]*load.Package, error) {
	defer s.lane.Begin("", "list").End()
	pkgs, _, err := s.answers.List(&s.load, answers.AnyOrder, patterns...)
	if err != nil {
		return nil, err
	}
	return s.with(pkgs, "runtime")
}

// listTests is list with the packages' tests. If the go command finds fault with some of
// them, the packages say so, and the others can be tested all the same. If there may be several,
// rank says in which order the user expects them, otherwise it is nil.
func (s *session) listTests(patterns []string) (pkgs []*load.Package, rank map[string]int, err error) {
	defer s.lane.Begin("", "list").End()
	c := s.load
	c.Tests = true
	ordered := answers.Order(len(patterns) > 1 ||
		slices.ContainsFunc(patterns, func(p string) bool { return strings.Contains(p, "...") || !strings.ContainsAny(p, "./") }))
	pkgs, order, err := s.answers.List(&c, ordered, patterns...)
	var fault *load.ListError
	if errors.As(err, &fault) {
		c.Faulty = true
		pkgs, order, err = s.answers.List(&c, ordered, patterns...)
		if err == nil && !slices.ContainsFunc(pkgs, func(p *load.Package) bool { return p.Error != nil }) {
			return nil, nil, fault // nothing that belongs to a package
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if ordered {
		rank = map[string]int{}
		for i, path := range order {
			rank[path] = i
		}
	}
	pkgs, err = s.with(pkgs, "runtime")
	return pkgs, rank, err
}

// with returns pkgs and those of paths that are missing, with what they import.
func (s *session) with(pkgs []*load.Package, paths ...string) ([]*load.Package, error) {
	for _, flags := range s.toolFlags {
		if err := flags.fault(pkgs); err != nil {
			return nil, err
		}
	}
	paths = slices.Clone(paths)
	for _, p := range pkgs {
		paths = slices.DeleteFunc(paths, func(path string) bool { return path == p.ImportPath })
	}
	if len(paths) == 0 {
		return pkgs, nil
	}
	rt, _, err := s.answers.List(&s.load, answers.AnyOrder, paths...)
	if err != nil {
		return nil, err
	}
	have := map[string]*load.Package{}
	for _, p := range rt {
		p.DepOnly = true
		have[p.ImportPath] = p
	}
	for _, p := range pkgs {
		if q := have[p.ImportPath]; q != nil {
			q.DepOnly = p.DepOnly // named by the user though the runtime needs it too
		} else {
			rt = append(rt, p)
		}
	}
	return rt, nil
}
