package build

import (
	"path/filepath"

	"loam/internal/importpath"
	"loam/internal/load"
	"loam/internal/pgo"
)

// readProfile reads the profile in that file, once; there is none in "".
func (b *Builder) readProfile(name string) (*pgo.Profile, error) {
	if name == "" {
		return nil, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.profiles[name]; p != nil {
		return p, nil
	}
	p, err := pgo.Read(name)
	if err != nil {
		return nil, &Diagnostic{err.Error()}
	}
	b.profiles[name] = p
	return p, nil
}

// profileDigest is what the code of n may owe to the profile: what it says of the functions of the
// package, and of those whose code the package may have, which are of the packages that it imports.
func (g *Graph) profileDigest(n *unit) string {
	if g.profile == nil {
		return ""
	}
	paths := []string{importpath.Prefix(load.TypePath(n.pkg))}
	for _, d := range n.deps {
		paths = append(paths, importpath.Prefix(load.TypePath(d.pkg)))
	}
	return g.profile.Digest(paths)
}

// profileSetting is what a program says of the profile that it was built by.
func (b *Builder) profileSetting(file string) string {
	if b.Load.TrimPath {
		return filepath.Base(file)
	}
	return file
}
