package load

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Names maps the files that the compiler reads to the names that compiled code has for them, and
// back to those that users see. Files of the shadow GOROOT have those of the installed one, but for
// Loam's own, which have a root of their own, replacements (-overlay) those of what they replace,
// the generated main of a test is _testmain.go, what cgo made is _cgo_gotypes.go, and with
// -trimpath names start with the import path and say nothing about the machine. Without it, what
// lies in GOROOT or in the module cache has a name that does not depend on where these are, so that
// compiled code can be used elsewhere (Roots).
type Names struct {
	shadow   *Shadow
	roots    Roots
	replaced map[string]string // replacement -> original
	trimmed  map[string]string // directory, as users see it -> import path with version
	dirs     map[string]string // the other way round
	changed  map[string]string // as users see it -> what a package's flags make of it
	known    map[string]string // the other way round
}

// Names returns the mapping for pkgs. flags says what a package's own flags change in the names of
// its sources.
func (c *Config) Names(pkgs []*Package, flags func(*Package) (source, assembly Rewrites)) *Names {
	n := &Names{shadow: c.Shadow, roots: c.Roots(), replaced: map[string]string{}, changed: map[string]string{}, known: map[string]string{}}
	for original, replacement := range c.Overlay {
		n.replaced[replacement] = original
	}
	for _, p := range pkgs {
		if p.Name != "main" || !strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		// The go command keeps a test's main function in its cache, under a name that says nothing.
		for _, name := range p.GoFiles {
			if filepath.Dir(name) != p.Dir {
				n.replaced[name] = "_testmain.go"
			}
		}
	}
	for _, p := range pkgs {
		source, assembly := flags(p)
		n.change(source, append([]string{p.Dir}, p.GoFiles...))
		n.change(assembly, p.SFiles)
		n.change(assembly, p.HFiles)
	}
	if c.TrimPath {
		n.trimmed, n.dirs = map[string]string{}, map[string]string{}
		for _, p := range pkgs {
			dir, to := n.untrimmed(p.Dir), p.Path()
			if m := p.Module; m != nil && m.Version != "" {
				to = m.Path + "@" + m.Version + strings.TrimPrefix(to, m.Path)
			} else if p.ByFiles() {
				to = "."
			}
			if n.trimmed[dir] == "" {
				n.trimmed[dir], n.dirs[to] = to, dir
			}
		}
	}
	return n
}

// NameC gives the files that cgo made of a package, which are in the cache, the names that gc's
// tracebacks have for them. Only the first has lines of its own: the others say which file of the
// package each line is from. By the first's name go/types knows types of C, which have no methods.
func (n *Names) NameC(files []string) {
	for i, name := range files {
		if n.replaced[name] = "_cgo_gotypes.go"; i > 0 {
			n.replaced[name] = "cgo1.go"
		}
	}
}

func (n *Names) change(by Rewrites, names []string) {
	if len(by) == 0 {
		return
	}
	for _, name := range names {
		name = n.untrimmed(name)
		if to, ok := by.apply(name); ok {
			n.changed[name], n.known[to] = to, name
		}
	}
}

func (n *Names) untrimmed(name string) string {
	if original := n.replaced[name]; original != "" {
		name = original
	}
	return n.shadow.UserPath(name)
}

// Show returns what compiled code calls a file or a package's directory.
func (n *Names) Show(name string) string {
	name = n.untrimmed(name)
	if to := n.changed[name]; to != "" {
		return to
	}
	if n.trimmed != nil {
		if own := n.roots.Symbolic(name); strings.HasPrefix(own, "/"+loamRoot+"/") {
			return own[1:]
		}
	}
	if to := n.trimmed[name]; to != "" {
		return to
	}
	if to := n.trimmed[filepath.Dir(name)]; to != "" {
		return to + "/" + filepath.Base(name)
	}
	return n.roots.Symbolic(name)
}

// Find is the way back to the machine's name, for messages of the compiler.
func (n *Names) Find(name string) string {
	if was := n.known[name]; was != "" {
		return was
	}
	if strings.HasPrefix(name, loamRoot+"/") {
		name = "/" + name
	}
	if dir := n.dirs[path.Dir(name)]; dir != "" {
		return filepath.Join(dir, path.Base(name))
	}
	return n.roots.Real(name)
}

// FindIn finds the names of files that are quoted in a text.
func (n *Names) FindIn(text string) string {
	for _, r := range n.roots {
		text = strings.ReplaceAll(text, r.symbol+"/", r.dir+"/")
	}
	return text
}

// Roots are the directories of a machine whose place compiled code does not know. It has symbols
// for them, which the link replaces (internal/debugnames).
type Roots []root

type root struct{ dir, symbol string }

// loamRoot is what compiled code calls the directory of Loam's own files.
const loamRoot = "$LOAMROOT"

// Roots returns those of Loam's own files, the installed GOROOT, which may lie in the module cache,
// and the module cache. Others of a checkout's files are no part of its root.
func (c *Config) Roots() Roots {
	var all Roots
	for _, tree := range []string{"rt", "overlay"} {
		all = append(all, root{filepath.Join(c.Shadow.Root, tree), path.Join("/", loamRoot, tree)})
	}
	all = append(all, root{c.Shadow.GOROOT, "/$GOROOT"})
	if c.SDK != nil && filepath.IsAbs(c.ModCache) {
		all = append(all, root{filepath.Clean(c.ModCache), "/$GOMODCACHE"})
	}
	return all
}

// Symbolic puts the symbol in the place of a root that name begins with.
func (all Roots) Symbolic(name string) string {
	for _, r := range all {
		if rel, ok := strings.CutPrefix(name, r.dir); ok && (rel == "" || rel[0] == '/') {
			return r.symbol + rel
		}
	}
	return name
}

// Real undoes what Symbolic does.
func (all Roots) Real(name string) string {
	for _, r := range all {
		if rel, ok := strings.CutPrefix(name, r.symbol); ok && (rel == "" || rel[0] == '/') {
			return r.dir + rel
		}
	}
	return name
}

// ReadOverlay reads the file of -overlay: which files stand for which. Names are relative to
// dir in the file, absolute in the result.
func ReadOverlay(name, dir string) (map[string]string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading overlay: %v", err)
	}
	var file struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("parsing overlay JSON: %v", err)
	}
	abs := func(name string) string {
		if name == "" || filepath.IsAbs(name) {
			return filepath.Clean(name)
		}
		return filepath.Join(dir, name)
	}
	overlay := map[string]string{}
	for original, replacement := range file.Replace {
		if replacement != "" { // a deleted file is not listed
			overlay[abs(original)] = abs(replacement)
		}
	}
	return overlay, nil
}

// applyOverlay replaces the package's files. Those of std are known to users by their names in the
// installed GOROOT.
func (c *Config) applyOverlay(p *Package) {
	if len(c.Overlay) == 0 {
		return
	}
	for _, files := range [][]string{p.GoFiles, p.SFiles, p.HFiles} {
		for i, name := range files {
			if replacement := c.Overlay[c.Shadow.UserPath(name)]; replacement != "" {
				files[i] = replacement
			}
		}
	}
	for _, name := range p.EmbedFiles {
		if replacement := c.Overlay[c.Shadow.UserPath(name)]; replacement != "" {
			if p.embedSources == nil {
				p.embedSources = map[string]string{}
			}
			p.embedSources[name] = replacement
		}
	}
}
