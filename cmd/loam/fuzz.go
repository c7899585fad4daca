package main

import (
	"strings"

	"loam/internal/load"
)

// unguided are packages whose branches tell nothing about an input: testing and internal/fuzz
// use them beside it.
var unguided = map[string]bool{"context": true, "internal/fuzz": true, "internal/godebug": true, "internal/sync": true, "reflect": true,
	"runtime": true, "sync": true, "sync/atomic": true, "syscall": true, "testing": true, "time": true}

// guideFuzzing asks for counters at the branches of the packages that fuzzing is to explore:
// those outside of the standard library, and what of the library they import themselves. The
// go command takes all that is linked; here that would compile most of the library a second
// time, for branches that are far from what is tested.
func (t *testRun) guideFuzzing() {
	byID := index(t.pkgs)
	below := runtimeClosure(t.pkgs, byID)
	chosen := map[string]bool{}
	choose := func(p *load.Package) {
		if p != nil && !unguided[p.Path()] && !below[p.ImportPath] {
			chosen[p.ImportPath] = true
		}
	}
	for _, p := range t.pkgs {
		if p.Standard || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		choose(p)
		for _, path := range p.Imports {
			choose(byID[path])
		}
	}
	for _, q := range t.tested {
		for i, p := range q.pkgs {
			if chosen[p.ImportPath] {
				guided := *p
				guided.FuzzCounters = true
				q.pkgs[i] = &guided
			}
		}
	}
}
