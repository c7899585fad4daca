package driver

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"loam/internal/importpath"
	"loam/internal/load"
	"loam/internal/store"
)

// action returns the hash of all that the front half of the unit's action depends on, and that of
// the package's own files, which is part of it.
func (g *Graph) action(n *unit) (action, sources string, err error) {
	p := n.pkg
	h := store.NewHasher("sources")
	for i, files := range [][]string{p.GoFiles, p.SFiles, p.HFiles, p.GasFiles, p.GasHeaders, p.EmbedFiles} {
		h.Add("files", fmt.Sprint(len(files)))
		for _, name := range files {
			sum, err := g.b.cache.Hash(p, p.Source(name), i == 0)
			if err != nil {
				return "", "", err
			}
			h.Add(nameInPackage(p, name), string(sum[:]))
		}
	}
	sources = h.Sum()
	h = store.NewHasher("package")
	h.Add("base", g.b.base)
	flags := g.b.flagsOf(p)
	// What is compiled without errors does not depend on these.
	flags.AllErrors, flags.FullNames = false, false
	h.Add("flags", fmt.Sprintf("%+v", flags))
	if digest := g.profileDigest(n); digest != "" {
		h.Add("profile", digest)
	}
	h.Add("id", p.ImportPath)
	h.Add("name", p.Name)
	h.Add("dir", g.u.Show(p.Dir)) // positions name it
	h.Add("lang", g.u.LangOf(p))
	h.Add("counters", fmt.Sprint(p.Counters, p.FuzzCounters))
	h.Add("sources", sources)
	if words, trim := g.b.asmFlagsOf(p); words != nil || trim != "" {
		h.Add("asmflags", fmt.Sprintf("%q %q", words, trim))
	}
	for _, path := range sortedKeys(p.ImportMap) {
		h.Add("map "+path, p.ImportMap[path])
	}
	for _, d := range n.deps {
		h.Add("import "+d.pkg.ImportPath, d.rec.ExportHash)
	}
	for _, d := range g.lent(n) {
		h.Add("lent "+d.pkg.ImportPath, d.rec.Inline)
	}
	return h.Sum(), sources, nil
}

// recordKey is where the outcome of an action is kept, for packages that package machine compiles
// and for those that clang does.
func recordKey(action string, instant bool) string {
	h := store.NewHasher("record")
	h.Add("action", action)
	if instant {
		h.Add("instant", "")
	}
	return h.Sum()
}

// nameInPackage is the part of a file's name that the package's code may depend on: of an embedded
// file the path below the package's directory, of others the last element, because their directory
// can be a temporary one.
func nameInPackage(p *load.Package, name string) string {
	if slices.Contains(p.EmbedFiles, name) {
		return strings.TrimPrefix(name, p.Dir+string(filepath.Separator))
	}
	return filepath.Base(name)
}

// lent returns the packages whose small functions may become part of n's code: those that it
// imports, those that small functions of these call small functions of, and so on. Records say so,
// thus it is the same in every build.
func (g *Graph) lent(n *unit) []*unit {
	list := slices.Clone(n.deps)
	for i := 0; i < len(list); i++ {
		if list[i].rec == nil {
			continue
		}
		for _, d := range list[i].deps {
			if slices.Contains(list[i].rec.Lending.Borrows, d.pkg.ImportPath) && !slices.Contains(list, d) {
				list = append(list, d)
			}
		}
	}
	return list
}

// profileDigest is what the code of n may owe to the profile: what it says of the functions of the
// package, and of those whose code the package may have.
func (g *Graph) profileDigest(n *unit) string {
	if g.profile == nil {
		return ""
	}
	paths := []string{importpath.Prefix(load.TypePath(n.pkg))}
	for _, d := range g.lent(n) {
		paths = append(paths, importpath.Prefix(load.TypePath(d.pkg)))
	}
	return g.profile.Digest(paths)
}
