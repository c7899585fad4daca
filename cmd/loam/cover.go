package main

import (
	"fmt"
	"strings"

	"loam/internal/cover"
	"loam/internal/load"
)

// coverPackages are what instrumented programs need.
var coverPackages = []string{"runtime/coverage", "internal/coverage/cfile", "sync/atomic"}

// coverTool returns the tool for these flags.
func (s *session) coverTool(f *coverFlags) *cover.Tool {
	return &cover.Tool{Go: s.load.Go, GOROOT: s.load.GOROOT, CacheDir: s.cache, Mode: string(f.coverMode),
		Show: func(name string) string { return s.load.Shadow.UserPath(name) }}
}

// instrumentProgram is for programs built with -cover: it replaces what is to be measured,
// which is the packages that match -coverpkg, or else those of the main module and those
// that were named.
func (s *session) instrumentProgram(f *coverFlags, pkgs []*load.Package) ([]*load.Package, error) {
	if !f.wantsCover() {
		return pkgs, nil
	}
	tool := s.coverTool(f)
	pkgs, err := s.with(pkgs, coverPackages...)
	if err != nil {
		return nil, err
	}
	below := runtimeClosure(pkgs, index(pkgs))
	matches := map[string]bool{}
	if f.coverPkg != "" {
		paths, err := load.Match(&s.load, strings.Split(f.coverPkg, ",")...)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			matches[path] = true
		}
	}
	var list []*load.Package
	for _, p := range pkgs {
		measured := matches[p.ImportPath]
		if f.coverPkg == "" {
			measured = !p.DepOnly || p.Module != nil && p.Module.Main
		}
		isMain := p.Name == "main" && !p.DepOnly
		if measured && !below[p.ImportPath] && !(f.coverMode == "atomic" && p.ImportPath == "sync/atomic") {
			if p, err = tool.Instrument(p); err != nil {
				return nil, fmt.Errorf("# %s\n%w", p.ImportPath, err)
			}
		}
		if isMain {
			if p, err = tool.AddTo(p, cover.Program()); err != nil {
				return nil, err
			}
		}
		list = append(list, p)
	}
	return ordered(list), nil
}
