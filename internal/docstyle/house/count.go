package main

import (
	"fmt"
	"go/types"
)

// The goals: what a package may have without being listed in limits.txt.
const (
	mostFiles   = 8  // of a circle
	mostFields  = 20 // of a struct
	mostMethods = 60 // of a type
)

// counts are what is counted of a package.
type counts struct {
	folder                 string
	circle                 int // files of the biggest circle, 1 if there is none
	fields, methods        int // of the types that have the most
	fieldType, methodsType string
}

func (c counts) String() string {
	return fmt.Sprintf("%-28s circle %d, fields %d (%s), methods %d (%s)", c.folder, c.circle, c.fields, c.fieldType, c.methods, c.methodsType)
}

func (c counts) exceeds() bool {
	return c.circle > mostFiles || c.fields > mostFields || c.methods > mostMethods
}

func (p *sources) count() counts {
	c := counts{folder: p.folder, circle: max(1, len(p.biggestCircle()))}
	scope := p.types.Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		named, ok := t.Type().(*types.Named)
		if !ok {
			continue
		}
		if s, ok := named.Underlying().(*types.Struct); ok && s.NumFields() > c.fields {
			c.fields, c.fieldType = s.NumFields(), name
		}
		if n := named.NumMethods(); n > c.methods {
			c.methods, c.methodsType = n, name
		}
	}
	return c
}

// biggestCircle returns the files of the biggest set in which each file reaches all others, in
// order; nil if no two files reach each other.
func (p *sources) biggestCircle() (circle []string) {
	reach := map[string]map[string]bool{}
	for _, f := range p.files {
		seen := map[string]bool{}
		var visit func(string)
		visit = func(from string) {
			for to := range p.uses[from] {
				if !seen[to] {
					seen[to] = true
					visit(to)
				}
			}
		}
		visit(f)
		reach[f] = seen
	}
	for _, f := range p.files {
		var members []string
		for _, g := range p.files {
			if reach[f][g] && reach[g][f] {
				members = append(members, g)
			}
		}
		if len(members) > len(circle) {
			circle = members
		}
	}
	return circle
}
