// Package pass changes functions of the middle representation, so that what follows them finds the
// program as gc would compile it.
//
// A function goes through all passes when its body is first asked for, in the order of the list
// below. Nobody sees it in between.
package pass

import (
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// passes is the order of the passes.
var passes = []struct {
	name string
	run  func(*function)
}{
	{"returned", (*function).returnValues},
}

// Input is what the passes know of the package that is compiled, besides its functions.
type Input struct {
	Pkg *mid.Package

	// Dump is given the text of each function that Dumped holds for, before all passes (pass "") and
	// after each.
	Dumped func(f *mid.Func) bool // nil: none
	Dump   func(f *mid.Func, pass, text string)

	// Lends tells of functions of other packages whose code may be inlined, that is at hand whenever
	// the package is compiled; nil: none.
	Lends func(f *mid.Func) bool
	// Lent are the packages of these functions.
	Lent map[*types.Package]bool
	// Stays tells of functions whose calls the lowering has a form of its own for; nil: none.
	Stays func(f *mid.Func) bool
	// Asks tells of functions that are to be inlined into all callers, however big they are; nil:
	// none.
	Asks func(f *mid.Func) bool
	// Expands tells of functions whose calls are instructions of the machine; nil: none.
	Expands func(f *mid.Func) bool
	// Guide is the profile that the program is built by; nil: none.
	Guide *Guide
}

// Report is what InlineCalls did.
type Report struct {
	// Borrows are, of the functions of the package that others may have, those that they call and
	// whose code may be inlined, of this package or another: who has the first may have those too.
	Borrows   map[*mid.Func][]*mid.Func
	Inlinable []*mid.Func // the functions that are small
	Inlined   []Inlined   // calls that code has taken the place of, in order
	Guessed   []Guess     // calls that guess their callee
	Direct    []Direct    // calls through interfaces that became direct
}

// Inlined is a call that code has taken the place of.
type Inlined struct {
	Pos    token.Pos // of the call, or of the one by whose inlining it came
	Callee *mid.Func
}

// Install has the bodies of all functions go through the passes.
func Install(in *Input) {
	in.Pkg.Prog.Prepare = func(f *mid.Func) { run(in, f) }
}

func run(in *Input, f *mid.Func) {
	if inGeneric(f) {
		return // its types have no sizes; it is only looked at, not compiled
	}
	dumped := in.Dumped != nil && in.Dumped(f)
	if dumped {
		in.Dump(f, "", f.Text())
	}
	work := &function{f: f, in: in}
	for _, p := range passes {
		p.run(work)
		mid.Check(f, p.name)
		if dumped {
			in.Dump(f, p.name, f.Text())
		}
	}
}

// inGeneric reports whether f is a generic function or a literal in one, not an instance.
func inGeneric(f *mid.Func) bool { return declared(f).IsGeneric() }

// function is what the passes share while they work on one function.
type function struct {
	f  *mid.Func
	in *Input
}

func under(t types.Type) types.Type { return types.Unalias(t).Underlying() }

// elem is what p, a pointer, points to.
func elem(p mid.Value) types.Type { return under(p.Type()).(*types.Pointer).Elem() }
