package load

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"loam/internal/scratch"
)

// shadowFormat is part of the shadow's key; raise it when the way it is laid out changes.
const shadowFormat = "shadow 5"

// RuntimePrefix is the import path below which rt/ is installed.
const RuntimePrefix = "internal/rt"

// A Shadow is a copy-by-links of the installed GOROOT with Loam's run-time system in place.
// It is immutable once made, so any number of builds share it.
type Shadow struct {
	Dir    string // the shadow GOROOT
	GOROOT string // the installed GOROOT
	Key    string // hash of everything that went into it
	Root   string // where users find Loam's own files, below rt/ and overlay/

	src fs.FS // of Loam's own files
}

// MakeShadow returns the shadow GOROOT for the run-time sources src, making it below
// cacheDir if it is not there yet. It is made under a temporary name and renamed, so that
// builds at the same time, or killed half-way, never see a part of it.
func MakeShadow(cacheDir string, sdk *SDK, src fs.FS) (*Shadow, error) {
	key, err := shadowKey(sdk, src)
	if err != nil {
		return nil, err
	}
	s := &Shadow{Dir: filepath.Join(cacheDir, "goroot-"+key[:20]), GOROOT: sdk.GOROOT, Key: key, src: src}
	if s.Root = filepath.Join(s.Dir, ownRoot); rooted(src) != "" {
		s.Root = rooted(src)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "src")); err == nil {
		// Its time says that it is in use; the cache drops those that are not.
		if st, err := os.Stat(s.Dir); err == nil && time.Since(st.ModTime()) > time.Hour {
			os.Chtimes(s.Dir, time.Now(), time.Now())
		}
		return s, nil
	}
	if err := os.MkdirAll(cacheDir, 0o777); err != nil {
		return nil, err
	}
	if err := scratch.Writable(cacheDir); err != nil {
		return nil, fmt.Errorf("cannot write to the cache %s (LOAMCACHE chooses another): %w", cacheDir, err)
	}
	temps, err := scratch.Dir(cacheDir)
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp(temps, "goroot-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	if err := os.Chmod(tmp, 0o777); err != nil {
		return nil, err
	}
	m := &shadowMaker{dir: tmp, goroot: sdk.GOROOT, goVersion: sdk.Version, release: sdk.Release(), src: src}
	if err := m.make(); err != nil {
		return nil, err
	}
	if err := os.Rename(tmp, s.Dir); err != nil {
		// Somebody else was faster; theirs has the same content.
		if _, statErr := os.Stat(filepath.Join(s.Dir, "src")); statErr == nil {
			return s, nil
		}
		return nil, err
	}
	return s, nil
}

// ownRoot is the directory in the shadow that has Loam's own files at their places in a checkout,
// for users that have none.
const ownRoot = "loam"

// rooted is the directory of sources that are in one, "" for others.
func rooted(src fs.FS) string {
	if in, ok := src.(interface{ Root() string }); ok {
		return in.Root()
	}
	return ""
}

// linkOwn makes ownRoot.
func (m *shadowMaker) linkOwn() error {
	dir := filepath.Join(m.dir, ownRoot)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	return errors.Join(os.Symlink("../src/"+RuntimePrefix, filepath.Join(dir, "rt")), os.Symlink("../src", filepath.Join(dir, "overlay")))
}

// shadowKey hashes what the shadow is made from. Upstream's files are named by GOROOT and
// its version, not read: an SDK is not edited in place.
func shadowKey(sdk *SDK, src fs.FS) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n", shadowFormat, sdk.GOROOT, sdk.Version)
	for _, root := range []string{"rt", "overlay"} {
		err := fs.WalkDir(src, root, func(p string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || d.IsDir() {
				return err
			}
			if strings.HasSuffix(p, "_test.go") || strings.HasSuffix(p, ".md") {
				return nil
			}
			data, err := fs.ReadFile(src, p)
			if err != nil {
				return err
			}
			fmt.Fprintf(h, "%s %d\n", p, len(data))
			h.Write(data)
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

type shadowMaker struct {
	dir, goroot        string
	goVersion, release string
	src                fs.FS
	rules              *overlayRules
	symlinks           bool // hard links do not work here
}

func (m *shadowMaker) make() error {
	rules, err := readOverlayRules(m.src, m.release)
	if err != nil {
		return err
	}
	m.rules = rules
	// Hard links need the same file system and, where the kernel protects them, our own files.
	probe := filepath.Join(m.dir, "VERSION")
	if err := os.Link(filepath.Join(m.goroot, "VERSION"), probe); err != nil {
		m.symlinks = true
	} else if err := os.Remove(probe); err != nil {
		return err
	}
	entries, err := os.ReadDir(m.goroot)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == "src" {
			continue
		}
		if err := os.Symlink(filepath.Join(m.goroot, e.Name()), filepath.Join(m.dir, e.Name())); err != nil {
			return err
		}
	}
	if err := m.linkTree(); err != nil {
		return err
	}
	if err := m.installRuntime(); err != nil {
		return err
	}
	if err := m.installOverlay(); err != nil {
		return err
	}
	return m.linkOwn()
}

// linkTree fills src with upstream's packages, several directories at a time: the kernel makes
// the directories and links of a tree as fast as it is asked. Of several errors it returns the one
// of the first directory.
func (m *shadowMaker) linkTree() error {
	type dir struct {
		rel      string
		copyData bool
	}
	var mu sync.Mutex
	var pending sync.WaitGroup
	errs := map[string]error{}
	turns := make(chan struct{}, runtime.NumCPU())
	var link func(d dir)
	link = func(d dir) {
		turns <- struct{}{}
		below, copyData, err := m.linkDir(d.rel, d.copyData)
		<-turns
		if err != nil {
			mu.Lock()
			defer mu.Unlock()
			errs[d.rel] = err
			return
		}
		for _, name := range below {
			pending.Go(func() { link(dir{filepath.Join(d.rel, name), copyData}) })
		}
	}
	pending.Go(func() { link(dir{}) })
	pending.Wait()
	if len(errs) > 0 {
		return errs[slices.Min(slices.Collect(maps.Keys(errs)))]
	}
	return nil
}

// linkDir makes the directory src/rel real and links its files. Directories are real because
// the go command's pattern walk does not follow links. Files are hard links where the file
// system allows, which is fast, and symbolic links otherwise; then, with copyData set, files
// that are not Go sources are copied: go:embed refuses symbolic links. It returns the directories
// in rel that are still to be made, and whether data is copied in them.
func (m *shadowMaker) linkDir(rel string, copyData bool) (below []string, copyBelow bool, err error) {
	from := filepath.Join(m.goroot, "src", rel)
	to := filepath.Join(m.dir, "src", rel)
	if err := os.MkdirAll(to, 0o777); err != nil {
		return nil, false, err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return nil, false, err
	}
	rule := m.rules.packages[filepath.ToSlash(rel)]
	if copyData, err = m.embeds(from, entries, rule, copyData); err != nil {
		return nil, false, err
	}
	// Programs in testdata are what users write: they keep their assembly.
	program := strings.Contains(filepath.ToSlash(rel)+"/", "/testdata/")
	for _, e := range entries {
		name := e.Name()
		switch {
		case e.IsDir() && rel == "" && name == "cmd":
			// No rule reaches into cmd, and no pattern but "cmd" walks it.
			err = os.Symlink(filepath.Join(from, name), filepath.Join(to, name))
		case e.IsDir():
			below = append(below, name)
		case rule != nil && isSource(name) && (rule.replace || rule.dropped(name)):
		case strings.HasSuffix(name, ".s") && (rule == nil || !rule.asm) && !program:
		default:
			err = m.installUpstream(rule, rel, name, copyData && !strings.HasSuffix(name, ".go"))
		}
		if err != nil {
			return nil, false, err
		}
	}
	return below, copyData, nil
}

// isSource reports whether a file is one that rules are about.
func isSource(name string) bool {
	return slices.Contains([]string{".go", ".s", ".h", ".c", ".S"}, filepath.Ext(name))
}

// embeds reports whether data has to be copied in a directory with those entries, and below: where
// links are symbolic and a Go file has a go:embed line, or where that is so above.
func (m *shadowMaker) embeds(from string, entries []os.DirEntry, rule *packageRule, above bool) (bool, error) {
	for _, e := range entries {
		name := e.Name()
		if above || !m.symlinks {
			break
		}
		if e.IsDir() || !strings.HasSuffix(name, ".go") || rule != nil && (rule.replace || rule.dropped(name)) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return false, err
		}
		above = bytes.Contains(text, []byte("\n//go:embed "))
	}
	return above, nil
}

// installUpstream puts one upstream file in place: linked, copied, or edited by the rules.
func (m *shadowMaker) installUpstream(rule *packageRule, rel, name string, copyIt bool) error {
	from := filepath.Join(m.goroot, "src", rel, name)
	to := filepath.Join(m.dir, "src", rel, name)
	edited := false
	if rule != nil {
		for _, p := range rule.patches {
			edited = edited || p.file == name
		}
	}
	if !edited && !m.symlinks {
		return os.Link(from, to)
	}
	if !edited && !copyIt {
		return os.Symlink(from, to)
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if edited {
		if text, _, err = rule.apply(filepath.ToSlash(rel), name, text, m.goVersion); err != nil {
			return err
		}
	}
	return os.WriteFile(to, text, 0o666)
}

func (m *shadowMaker) installRuntime() error {
	pkgs, err := runtimePackages(m.src)
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		if err := m.installOurs(path.Join("rt", p), path.Join(RuntimePrefix, p)); err != nil {
			return err
		}
	}
	return nil
}

func (m *shadowMaker) installOverlay() error {
	pkgs, err := packagesBelow(m.src, "overlay")
	if err != nil {
		return err
	}
	have := map[string]bool{}
	for _, p := range pkgs {
		have[p] = true
		rule := m.rules.packages[p]
		if rule == nil || !(rule.replace || rule.merge) {
			if m.rules.elsewhere[p] {
				continue
			}
			return fmt.Errorf("overlay/%s has no replace or merge rule in overlay/overlay.txt", p)
		}
		if err := m.installOurs(path.Join("overlay", p), p); err != nil {
			return err
		}
	}
	var names []string
	for p := range m.rules.packages {
		names = append(names, p)
	}
	sort.Strings(names)
	for _, p := range names {
		rule := m.rules.packages[p]
		if rule.replace && !have[p] {
			return fmt.Errorf("overlay/overlay.txt replaces %s, but overlay/%s has no Go files", p, p)
		}
		for _, edit := range rule.patches {
			if _, err := os.Stat(filepath.Join(m.goroot, "src", p, edit.file)); err != nil {
				return fmt.Errorf("Go version not supported (%s): %s/%s, named in overlay/overlay.txt:%d, does not exist",
					m.goVersion, p, edit.file, edit.line)
			}
		}
	}
	return nil
}

// installOurs writes our files of dir as the std package pkg; they win over upstream's.
func (m *shadowMaker) installOurs(dir, pkg string) error {
	files, err := ourFiles(m.src, dir)
	if err != nil {
		return err
	}
	to := filepath.Join(m.dir, "src", filepath.FromSlash(pkg))
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for name, text := range files {
		file := filepath.Join(to, name)
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// UserPath maps a file name inside the shadow GOROOT to one that a user can open: the file of
// the installed GOROOT, whose lines are the same, or of Loam's own files the one at Root.
func (s *Shadow) UserPath(name string) string {
	rel, ok := strings.CutPrefix(name, s.Dir+string(filepath.Separator))
	if !ok {
		return name
	}
	if own := s.own(rel); own != "" {
		return filepath.Join(s.Root, own)
	}
	return filepath.Join(s.GOROOT, rel)
}

// own is the place in a checkout of a file of the shadow that is Loam's, "" if it is the SDK's.
func (s *Shadow) own(rel string) string {
	in, inSrc := strings.CutPrefix(filepath.ToSlash(rel), "src/")
	if !inSrc || s.src == nil {
		return ""
	}
	own := path.Join("overlay", in)
	if below, ok := strings.CutPrefix(in, RuntimePrefix+"/"); ok {
		own = path.Join("rt", below)
	}
	if st, err := fs.Stat(s.src, own); err != nil || st.IsDir() {
		return ""
	}
	return own
}
