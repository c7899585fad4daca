package main

import (
	"os"
	"path/filepath"
	"slices"

	"loam/internal/driver"
	"loam/internal/load"
)

// profileOf is the file of the CPU profile by which the package p, named on the command line, and
// what it imports are compiled, as -pgo says; "" for none.
func profileOf(p *load.Package, pgo string) (string, error) {
	switch pgo {
	case "off":
		return "", nil
	case "auto":
		file := filepath.Join(p.Dir, "default.pgo")
		if _, err := os.Stat(file); p.Name != "main" || err != nil {
			return "", nil
		}
		return file, nil
	}
	return filepath.Abs(pgo)
}

// plan is packages that are compiled by one profile.
type plan struct {
	profile string
	named   []*load.Package // on the command line
	graph   *driver.Graph
}

// ids are the names of the packages in the graph.
func (p *plan) ids() (list []string) {
	for _, n := range p.named {
		list = append(list, n.ImportPath)
	}
	return list
}

// plans divides named by their profiles. What several import is compiled for each of them, as far
// as the profiles make a difference.
func (s *session) plans(pgo string, pkgs, named []*load.Package) ([]*plan, error) {
	var list []*plan
	for _, p := range named {
		profile, err := profileOf(p, pgo)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(list, func(l *plan) bool { return l.profile == profile })
		if i < 0 {
			i = len(list)
			list = append(list, &plan{profile: profile})
		}
		list[i].named = append(list[i].named, p)
	}
	byID := map[string]*load.Package{}
	for _, p := range pkgs {
		byID[p.ImportPath] = p
	}
	for _, l := range list {
		needed := pkgs
		if len(list) > 1 {
			needed = closure(pkgs, byID, append(l.ids(), "runtime")...)
		}
		var err error
		if l.graph, err = s.builder.NewGraph(needed, l.profile); err != nil {
			return nil, err
		}
	}
	return list, nil
}
