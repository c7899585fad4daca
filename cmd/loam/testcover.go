package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"loam/internal/cover"
	"loam/internal/load"
)

// coverPlan is what -cover asks for.
type coverPlan struct {
	tool     *cover.Tool
	patterns []string        // of -coverpkg
	selected []string        // paths that match them, among those that the tests use, in their order
	below    map[string]bool // packages that the run-time system needs; they are not measured
	metas    []metaFragment  // of the tested packages that match the patterns
}

// metaFragment is the description of a package for tests that do not use it.
type metaFragment struct{ path, file string }

// planCover decides what is measured. It adds what instrumented programs need to the packages.
func (t *testRun) planCover() (*coverPlan, error) {
	if t.coverProfile != "" {
		t.testFlags.cover = true
	}
	if !t.wantsCover() {
		return nil, nil
	}
	c := &coverPlan{tool: t.s.coverTool(&t.coverFlags)}
	var err error
	if t.pkgs, err = t.s.with(t.pkgs, coverPackages...); err != nil {
		return nil, err
	}
	byID := index(t.pkgs)
	c.below = runtimeClosure(t.pkgs, byID)
	for _, q := range t.tested {
		if q.setup == nil {
			roots := append([]string{q.pkg.ImportPath, q.pkg.ImportPath + ".test", "runtime"}, coverPackages...)
			q.pkgs = closure(t.pkgs, byID, roots...)
		}
	}
	if t.coverPkg != "" {
		c.patterns = strings.Split(t.coverPkg, ",")
		if err := t.selectPackages(c); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// selectPackages finds the packages that match -coverpkg.
func (t *testRun) selectPackages(c *coverPlan) error {
	used := map[string]bool{}
	for _, q := range t.tested {
		for _, p := range q.pkgs {
			used[p.Path()] = true
		}
	}
	matches := map[string]bool{}
	for _, pattern := range c.patterns {
		paths, err := load.Match(&t.s.load, pattern)
		if err != nil {
			return err
		}
		found := false
		for _, path := range paths {
			if used[path] {
				matches[path], found = true, true
			}
		}
		if !found {
			fmt.Fprintf(os.Stderr, "warning: no packages being tested depend on matches for pattern %s\n", pattern)
		}
	}
	for _, p := range t.pkgs {
		if matches[p.ImportPath] && !c.below[p.ImportPath] && len(p.GoFiles) > 0 && !(t.coverMode == "atomic" && p.ImportPath == "sync/atomic") {
			c.selected = append(c.selected, p.ImportPath)
		}
	}
	for _, q := range t.tested {
		if q.setup == nil && slices.Contains(c.selected, q.pkg.ImportPath) {
			file, err := c.tool.Meta(q.pkg)
			if err != nil {
				return err
			}
			if file != "" {
				c.metas = append(c.metas, metaFragment{q.pkg.ImportPath, file})
			}
		}
	}
	return nil
}

// measures reports whether package p is measured when q is tested.
func (c *coverPlan) measures(p *load.Package, q *testedPackage) bool {
	if c.below[p.Path()] || strings.HasSuffix(p.Path(), "_test") && p.ForTest != "" {
		return false
	}
	if c.patterns != nil {
		return slices.Contains(c.selected, p.Path())
	}
	return p.Path() == q.pkg.ImportPath
}

// instrument replaces the packages of q that are to be measured.
func (t *testRun) instrument(q *testedPackage) error {
	c := t.cover
	if c == nil || q.main == nil {
		return nil
	}
	of, selected := "", []string{q.pkg.ImportPath}
	if c.patterns != nil {
		of, selected = " in "+strings.Join(c.patterns, ", "), c.selected
	}
	var list []*load.Package
	for _, p := range q.pkgs {
		var err error
		switch {
		case p.ImportPath == q.main.ImportPath:
			p, err = c.tool.AddTo(p, c.tool.Test(of, selected))
		case c.measures(p, q):
			p, err = c.tool.Instrument(p)
		}
		if err != nil {
			return fmt.Errorf("# %s\n%w", p.ImportPath, err)
		}
		list = append(list, p)
	}
	q.pkgs = ordered(list)
	return nil
}

// identity is what a result depends on besides the binary.
func (c *coverPlan) identity() string { return fmt.Sprint(c.patterns, c.selected, c.metas) }

// prepareDir makes the directory where a test leaves its counters, with the descriptions of
// packages that it may not have itself.
func (c *coverPlan) prepareDir(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil || c.patterns == nil {
		return err
	}
	var list struct{ ImportPaths, MetaFileFragments []string }
	for _, m := range c.metas {
		list.ImportPaths = append(list.ImportPaths, m.path)
		list.MetaFileFragments = append(list.MetaFileFragments, m.file)
	}
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "metafiles.txt"), data, 0o666)
}

// reportUntested prints the coverage of a package without tests, and tells whether there is
// anything to cover.
func (r *oneRun) reportUntested(q *testedPackage) bool {
	c := r.cover
	if c.patterns != nil && !slices.Contains(c.selected, q.pkg.ImportPath) || c.below[q.pkg.ImportPath] {
		return false
	}
	meta, err := c.tool.Meta(q.pkg)
	if err != nil || meta == "" {
		return false
	}
	out, err := c.tool.Data("percent", "-i", filepath.Dir(meta))
	if err == nil {
		r.out.Write(out)
		if r.profile != nil {
			err = os.MkdirAll(q.dir, 0o777)
		}
	}
	if err == nil && r.profile != nil {
		if out, err = c.tool.Data("textfmt", "-i", filepath.Dir(meta), "-o", r.coverOutput()); err == nil {
			r.out.Write(out)
			r.profile.merge(r.coverOutput())
		}
	}
	if err != nil {
		r.fail(err, "%v\n", err)
	}
	return true
}

// mergedProfile is the file of -coverprofile, into which the profiles of all tests go.
type mergedProfile struct {
	mu     sync.Mutex
	f      *os.File
	header string
	err    error
}

// openProfile begins the file, so that an old one cannot be taken for a new one.
func (t *testRun) openProfile() error {
	if t.coverProfile == "" {
		return nil
	}
	name := t.coverProfile
	if !filepath.IsAbs(name) {
		name = filepath.Join(t.outputDir, name)
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	t.profile = &mergedProfile{f: f, header: fmt.Sprintf("mode: %s\n", t.coverMode)}
	_, err = f.WriteString(t.profile.header)
	return err
}

// merge adds the profile in a file, if the test has written one.
func (m *mergedProfile) merge(file string) {
	if m == nil {
		return
	}
	if data, err := os.ReadFile(file); err == nil {
		m.mergeText(data)
	}
}

func (m *mergedProfile) mergeText(text []byte) {
	if m == nil || len(text) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	lines, ok := strings.CutPrefix(string(text), m.header)
	if !ok {
		m.err = fmt.Errorf("a test wrote a coverage profile that does not start with %q", m.header)
		return
	}
	if _, err := m.f.WriteString(lines); err != nil && m.err == nil {
		m.err = err
	}
}

func (m *mergedProfile) close() error {
	if m == nil {
		return nil
	}
	if err := m.f.Close(); err != nil && m.err == nil {
		m.err = err
	}
	return m.err
}
