package main

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"loam"
	"loam/internal/load"
)

// packages returns all packages that what patterns name takes, and those that are named and have
// sources.
func (s *session) packages(f *coverFlags, patterns []string) (pkgs, named []*load.Package, err error) {
	if pkgs, err = s.list(patterns...); err != nil {
		return nil, nil, err
	}
	if pkgs, err = s.instrumentProgram(f, pkgs); err != nil {
		return nil, nil, err
	}
	named, err = withSources(requested(pkgs), patterns)
	return pkgs, named, err
}

// withSources leaves out packages that consist of tests only, which is an error if they were asked
// for by name.
func withSources(named []*load.Package, patterns []string) (list []*load.Package, err error) {
	wild := slices.ContainsFunc(patterns, func(p string) bool {
		return strings.Contains(p, "...") || slices.Contains([]string{"all", "std", "cmd", "work", "tool"}, p)
	})
	for _, p := range named {
		switch {
		case len(p.GoFiles)+len(p.CgoFiles) > 0:
			list = append(list, p)
		case !wild && !p.ByFiles(): // of test files alone go makes nothing, and says nothing
			return nil, &load.ListError{Message: fmt.Sprintf("%s: no non-test Go files in %s", p.ImportPath, p.Dir)}
		}
	}
	return list, nil
}

// requested returns the packages that were named on the command line.
func requested(pkgs []*load.Package) []*load.Package {
	var list []*load.Package
	for _, p := range pkgs {
		if !p.DepOnly {
			list = append(list, p)
		}
	}
	return list
}

// programName is the default name of a main package's program, as the go command chooses it.
func programName(p *load.Package, patterns []string) string {
	if p.ByFiles() {
		if len(patterns) > 0 && strings.HasSuffix(patterns[0], ".go") {
			return strings.TrimSuffix(filepath.Base(patterns[0]), ".go")
		}
		return "main"
	}
	name := path.Base(p.ImportPath)
	if dir := path.Dir(p.ImportPath); versionElement.MatchString(name) && name != "v0" && name != "v1" && dir != "." {
		name = path.Base(dir)
	}
	return name
}

var versionElement = regexp.MustCompile(`^v[0-9]+$`)

// closure returns those of pkgs that ids name, and what they import, in the order of pkgs.
func closure(pkgs []*load.Package, byID map[string]*load.Package, ids ...string) []*load.Package {
	wanted := map[*load.Package]bool{}
	var visit func(ids []string)
	visit = func(ids []string) {
		for _, id := range ids {
			if p := byID[id]; p != nil && !wanted[p] {
				wanted[p] = true
				visit(p.Imports)
			}
		}
	}
	visit(ids)
	var list []*load.Package
	for _, p := range pkgs {
		if wanted[p] {
			list = append(list, p)
		}
	}
	return list
}

func index(pkgs []*load.Package) map[string]*load.Package {
	m := map[string]*load.Package{}
	for _, p := range pkgs {
		m[p.ImportPath] = p
	}
	return m
}

// ordered returns list with dependencies first, which additional imports may have changed.
func ordered(list []*load.Package) []*load.Package {
	byID := index(list)
	done := map[*load.Package]bool{}
	var order []*load.Package
	var visit func(p *load.Package)
	visit = func(p *load.Package) {
		if p == nil || done[p] {
			return
		}
		done[p] = true
		for _, path := range p.Imports {
			visit(byID[path])
		}
		order = append(order, p)
	}
	for _, p := range list {
		visit(p)
	}
	return order
}

// runtimeClosure is the run-time system and what it imports: nothing there can count before
// the counters are registered.
func runtimeClosure(pkgs []*load.Package, byID map[string]*load.Package) map[string]bool {
	below := map[string]bool{"unsafe": true, "internal/coverage/rtcov": true}
	for _, p := range closure(pkgs, byID, "runtime") {
		below[p.ImportPath] = true
	}
	return below
}

// libraryPlaces are what names of the library's files begin with, if they are whole: those of the
// SDK, and Loam's own.
var libraryPlaces = sync.OnceValue(func() (places []string) {
	if s, err := findSDK(); err == nil {
		places = append(places, filepath.Join(s.load.GOROOT, "src")+"/", filepath.Join(s.cache, "goroot-"))
	}
	if root := loam.RuntimeSources().Root(); root != "" {
		places = append(places, filepath.Join(root, "rt")+"/", filepath.Join(root, "overlay")+"/")
	}
	return places
})
