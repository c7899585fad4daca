package build

import (
	"go/ast"
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

// hot tells whether the profile calls fd hot, which is declared in the package of that path.
func (g *Graph) hot(path string, fd *ast.FuncDecl) bool {
	return g.profile.HotCallee(pgo.Name(importpath.Prefix(path), fd))
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

// profileSetting is what a program says of the profile that it was built by.
func (b *Builder) profileSetting(file string) string {
	if b.Load.TrimPath {
		return filepath.Base(file)
	}
	return file
}
