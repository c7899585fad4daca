package plan

import "loam/internal/mid"

// Facts are what is known of the functions of a package besides their bodies.
type Facts struct {
	Pkg      *mid.Package
	Runtime  bool                        // it belongs to the run-time system
	User     bool                        // it is none of the standard library's
	Shared   func(f *mid.Func) bool      // f is part of each package that uses it
	Declared func(visit func(*mid.Func)) // visits what the source declares

	// What the compiler knows by a function's name. Collects: callers want to see dead objects dead.
	// Parks: it waits for another goroutine, or for the world. ParksBriefly: seldom for long.
	Collects, Parks, ParksBriefly func(f *mid.Func) bool
}

// Package is what the plans of a package's functions have in common: which of them wait, and which
// call a collector.
type Package struct {
	about Facts

	collecting map[*mid.Func]bool
	waiting    map[waitingKey]Wait
	goTargets  map[*mid.Func]bool               // what go statements start
	goLiterals map[*mid.Func]map[*mid.Func]bool // by function, what its go statements start
}

// NewPackage returns what is to be found of a package.
func NewPackage(about Facts) *Package {
	return &Package{about: about, collecting: map[*mid.Func]bool{}, waiting: map[waitingKey]Wait{}}
}
