package driver

import (
	"strings"

	"loam/internal/importpath"
	"loam/internal/load"
	"loam/internal/pgo"
	"loam/internal/store"
)

// stubs are the stubs of packages that the cache keeps (load.Stubs): each is named by the hash of
// the package's files, of what hot calls of the profile reach in the package, and of the compiler,
// which decides what others need of them.
type stubs struct {
	b       *Builder
	profile *pgo.Profile
}

func (s stubs) key(p *load.Package) (string, error) {
	h := store.NewHasher("stub")
	h.Add("compiler", s.b.CompilerID)
	h.Add("hot", strings.Join(s.profile.Reached(importpath.Prefix(load.TypePath(p))), " "))
	for _, name := range p.GoFiles {
		sum, err := s.b.cache.HashCode(p, name)
		if err != nil {
			return "", err
		}
		h.Add("file", string(sum[:]))
	}
	return h.Sum(), nil
}

func (s stubs) Load(p *load.Package) (data []byte, ok bool) {
	key, err := s.key(p)
	if err != nil || !s.b.cache.Has(key, "stub") {
		return nil, false
	}
	data, err = s.b.cache.Read(key, "stub")
	return data, err == nil
}

// Store keeps a stub. Where it cannot, it will be made again.
func (s stubs) Store(p *load.Package, data []byte) {
	if key, err := s.key(p); err == nil {
		s.b.cache.Write(key, "stub", data)
	}
}
