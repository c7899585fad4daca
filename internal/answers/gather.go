package answers

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"loam/internal/load"
)

// mostDirs is how many directories a pattern or an embedding package may have below it.
const mostDirs = 5000

// sdk gathers what decides which SDK the go command takes in the directory cwd, and what it says of
// its settings. It tells whether an answer can be kept.
func (f *facts) sdk(s *load.SDK, cwd string) bool {
	command, err := filepath.EvalSymlinks(s.Command)
	if err != nil || !filepath.IsAbs(s.Command) {
		return false
	}
	f.add(command, isUntouched)
	f.add(s.Go, isUntouched)
	f.addIf(filepath.Join(s.GOROOT, "VERSION"))
	f.addIf(filepath.Join(s.GOROOT, "go.env"))
	if file := SettingsFile(); file != "" {
		f.addIf(file)
	}
	f.modules(s, cwd)
	return !f.odd
}

// SettingsFile is what `go env -w` writes, "" if there is none, or it is not read.
func SettingsFile() string {
	switch file := os.Getenv("GOENV"); file {
	case "off":
		return ""
	case "":
		dir, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		return filepath.Join(dir, "go", "env")
	default:
		return file
	}
}

// modules gathers the files go.mod and go.work that count in the directory cwd, and those that
// would if they were there.
func (f *facts) modules(s *load.SDK, cwd string) {
	found := map[string]bool{}
	for dir := cwd; ; dir = filepath.Dir(dir) {
		for _, name := range []string{"go.mod", "go.work"} {
			if !found[name] {
				found[name] = f.addIf(filepath.Join(dir, name))
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for _, file := range []string{s.Mod, s.Work} {
		if file != "" && file != os.DevNull {
			f.add(file, hasContent)
		}
	}
}

// build gathers what decides which packages patterns mean, and what is in them. It tells whether an
// answer can be kept.
func (f *facts) build(c *load.Config, cwd string, patterns []string, pkgs []*load.Package) bool {
	if c.SDK.Mod == "" || strings.Contains(c.SDK.Flags, "-overlay") || strings.Contains(c.SDK.Flags, "-modfile") {
		return false
	}
	for _, flag := range c.Flags {
		if strings.HasPrefix(strings.TrimLeft(flag, "-"), "modfile") || strings.HasPrefix(strings.TrimLeft(flag, "-"), "overlay") {
			return false
		}
	}
	b := gathering{facts: f, c: c, local: map[string]string{}}
	if c.Dir != "" {
		if cwd = c.Dir; !filepath.IsAbs(cwd) {
			return false
		}
	}
	f.modules(c.SDK, cwd)
	if file := SettingsFile(); file != "" {
		f.addIf(file)
	}
	b.mainModules()
	for _, p := range patterns {
		b.pattern(cwd, p)
	}
	for _, p := range pkgs {
		b.pkg(p)
	}
	return !f.odd
}

// gathering is the state of build.
type gathering struct {
	*facts
	c     *load.Config
	local map[string]string // directories of the modules that are not downloaded, by path
}

// fixed reports whether nothing changes in a directory.
func (b *gathering) fixed(dir string) bool {
	return below(dir, b.c.Shadow.Dir) || below(dir, b.c.GOROOT) || below(dir, b.c.ModCache)
}

// mainModules gathers the files of the modules that are worked on: those that go.work uses, or the
// one of go.mod, and those that stand on this machine in the place of others.
func (b *gathering) mainModules() {
	if work := b.c.SDK.Work; work != "" {
		data, err := os.ReadFile(work)
		if err != nil {
			b.odd = true
			return
		}
		w, err := modfile.ParseWork(work, data, nil)
		if err != nil {
			b.odd = true
			return
		}
		dir := filepath.Dir(work)
		b.addIf(work + ".sum")
		b.addIf(filepath.Join(dir, "vendor", "modules.txt"))
		for _, use := range w.Use {
			b.module(absolute(dir, use.Path), mainModule)
		}
		for _, r := range w.Replace {
			b.replacement(dir, r)
		}
		return
	}
	if mod := b.c.SDK.Mod; mod != os.DevNull {
		b.module(filepath.Dir(mod), mainModule)
	}
}

// moduleRole is what a module is in a build.
type moduleRole int

const (
	mainModule moduleRole = iota
	replacement
)

// module gathers the files of the module in dir. Only a main module's replacements count.
func (b *gathering) module(dir string, role moduleRole) {
	if b.fixed(dir) || !b.addIf(filepath.Join(dir, "go.mod")) {
		return
	}
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		b.odd = true
		return
	}
	m, err := modfile.Parse("go.mod", data, nil)
	if err != nil || m.Module == nil {
		b.odd = true
		return
	}
	b.local[m.Module.Mod.Path] = dir
	if role != mainModule {
		return
	}
	b.addIf(filepath.Join(dir, "go.sum"))
	b.addIf(filepath.Join(dir, "vendor", "modules.txt"))
	for _, r := range m.Replace {
		b.replacement(dir, r)
	}
}

func (b *gathering) replacement(dir string, r *modfile.Replace) {
	if r.New.Version == "" {
		to := absolute(dir, r.New.Path)
		b.module(to, replacement)
		b.local[r.Old.Path] = to
	}
}

func absolute(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// pattern gathers the directories that a pattern may mean. One that is no file name and has a
// wildcard may mean any module's.
func (b *gathering) pattern(cwd, p string) {
	name := p
	isFile := filepath.IsAbs(p) || p == "." || p == ".." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") ||
		strings.HasSuffix(p, ".go")
	switch {
	case p == "all" || p == "work" || p == "tool" || strings.Contains(p, "@"), !isFile && strings.Contains(p, "..."):
		b.odd = true
		return
	case !isFile:
		return // the packages say where it is
	}
	dir := absolute(cwd, name)
	if before, _, wild := strings.Cut(name, "..."); wild {
		dir = absolute(cwd, before[:strings.LastIndexByte(before, '/')+1])
		b.tree(dir, hasNames)
		return
	}
	if strings.HasSuffix(p, ".go") {
		if !b.fixed(dir) {
			b.add(dir, hasHead)
		}
		return
	}
	if !b.fixed(dir) {
		b.addSources(dir)
	}
}

// tree gathers a directory and those below it.
func (b *gathering) tree(dir string, a aspect) {
	if b.fixed(dir) {
		return
	}
	n := 0
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !e.IsDir():
			return nil
		case name != dir && (a.ignores(e) || a == hasNames && (e.Name() == "testdata" || e.Name() == "vendor")):
			return filepath.SkipDir
		}
		if n++; n > mostDirs {
			b.odd = true
			return filepath.SkipAll
		}
		if b.add(name, a); a == hasNames {
			b.addSources(name)
		}
		return nil
	})
	b.odd = b.odd || err != nil
}

// pkg gathers what decides what is in a package.
func (b *gathering) pkg(p *load.Package) {
	if p.Error != nil || p.Module == nil && !p.Standard && p.Path() != "command-line-arguments" {
		b.odd = true // of no module: GOPATH mode
		return
	}
	if m := p.Module; m != nil {
		if m.Replace != nil && m.Replace.Dir != "" {
			m = m.Replace
		}
		if m.Dir != "" {
			b.add(m.Dir, isThere)
		}
		b.elsewhere(p)
	}
	if p.Dir == "" || b.fixed(p.Dir) {
		return
	}
	b.addSources(p.Dir)
	if len(p.EmbedFiles) > 0 {
		b.tree(p.Dir, allNames)
	}
	root := p.Root
	if p.Module != nil && p.Module.Dir != "" {
		root = p.Module.Dir
	}
	// A go.mod between the module and the package would part them.
	for dir := filepath.Dir(p.Dir); root != "" && below(dir, root); dir = filepath.Dir(dir) {
		b.add(dir, hasNames)
	}
}

// elsewhere gathers that a package is not in a directory of another module which is worked on: it
// would be ambiguous.
func (b *gathering) elsewhere(p *load.Package) {
	for path, dir := range b.local {
		rest, ok := strings.CutPrefix(p.Path(), path+"/")
		if !ok && p.Path() != path {
			continue
		}
		if candidate := filepath.Join(dir, rest); candidate != p.Dir && !below(p.Dir, dir) {
			if st, err := os.Lstat(candidate); err != nil {
				b.add(candidate, isMissing)
			} else if st.IsDir() {
				b.addSources(candidate)
			}
		}
	}
}
