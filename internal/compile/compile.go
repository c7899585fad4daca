// Package compile takes one package from the type checker to LLVM. This page has the steps, in
// their order. Each is a package of its own, which the next one does not look into: what a step has
// found goes on as a value.
//
// Package build decides what is compiled, and from what; it knows units, keys and the cache, which
// no step does.
package compile

import (
	"go/ast"
	"go/types"

	"loam/internal/escape"
	"loam/internal/lower"
	"loam/internal/mid"
	"loam/internal/mid/pass"
	"loam/internal/mid/syntax"
	"loam/internal/pgo"
)

// Input is a package, and what is known of the rest of the build.
type Input struct {
	Code *syntax.Package // the sources, with their types
	// Looks is told of what is looked at of other packages (syntax.Settings).
	Looks func(*types.Package, *types.Func)
	Lower *lower.Input // what lowering gets, but for the functions and what escapes

	// Alone: no other compiler comes behind this one, so what that would inline is inlined here: in
	// the run-time system, too, and whatever asks for it.
	Alone bool

	Profile *pgo.Profile // by which the program is built; nil: none
	// Hot tells of functions that the profile says are worth more code.
	Hot func(path string, fd *ast.FuncDecl) bool
	// Summary returns what is known of other packages' functions; nil: nothing is in frames.
	Summary func(symbol string) *escape.Summary

	Dumped func(f *mid.Func) bool               // see pass.Input
	Dump   func(f *mid.Func, pass, text string) // likewise
	Begin  func(step string) (end func())       // is told when a step begins
}

// Output is the package, lowered, and what the steps have to say.
type Output struct {
	*lower.Output
	Passes    pass.Report   // what was inlined
	Escape    *escape.Facts // nil without
	Functions []*mid.Func   // that Escape is about
}

// Summaries are what packages that import this one know of its functions.
func (o *Output) Summaries() []byte {
	if o.Escape == nil {
		return nil
	}
	return escape.EncodeSummaries(o.Escape.Exported())
}

// steps are what makes code of a package.
var steps = []struct {
	name string
	when func(*work) bool // nil: always
	run  func(*work) error
}{
	// A body is made when it is first asked for, in Go's order of evaluation. It goes through the list
	// of package pass before anybody sees it.
	{"functions", nil, (*work).makeFunctions},
	// Calls are inlined across the package and what it imports, callees first.
	{"inline", (*work).inlines, (*work).inline},
	// It is decided what may live in frames. What holds of the functions goes to packages that import
	// this one.
	{"escape", (*work).analyses, (*work).analyse},
	// Each function is planned (package plan), and written.
	{"lower", nil, (*work).lower},
}

// Package compiles a package. An error is about the sources; what is wrong with a step is a panic.
func Package(in *Input) (*Output, error) {
	w := &work{in: in, out: &Output{}}
	for _, step := range steps {
		if step.when != nil && !step.when(w) {
			continue
		}
		end := in.Begin(step.name)
		if err := step.run(w); err != nil {
			return nil, err
		}
		end()
		for _, f := range w.checked {
			mid.Check(f, step.name)
		}
	}
	return w.out, nil
}

// work is what the steps hand on.
type work struct {
	in      *Input
	pkg     *mid.Package
	passes  *pass.Input
	checked []*mid.Func // functions whose bodies have been made
	out     *Output
}

func (w *work) makeFunctions() error {
	in := w.in.Lower
	unoptimized := in.Flags.NoOptimize
	w.pkg = syntax.NewPackage(w.in.Code, syntax.Settings{
		Uses: w.in.Looks, NoInline: in.Flags.NoInline || unoptimized, NoOptimize: unoptimized,
	})
	in.Pkg = w.pkg
	w.passes = &pass.Input{
		Pkg: w.pkg, Dumped: w.in.Dumped, Dump: w.in.Dump, Lent: in.Lent,
		Lends: in.Lender(w.in.Hot), Stays: lower.Stays, Expands: lower.Expands, Guide: in.Guide(w.in.Profile),
	}
	if w.in.Alone {
		w.passes.Asks = lower.Asks
	}
	pass.Install(w.passes)
	return nil
}

func (w *work) inlines() bool {
	flags := w.in.Lower.Flags
	return !flags.NoInline && !flags.NoOptimize && (w.in.Alone || !lower.IsRuntime(w.pkg.Pkg.Path()))
}

func (w *work) inline() error {
	w.checked = w.pkg.Functions()
	w.out.Passes = *pass.InlineCalls(w.passes, w.checked)
	return nil
}

func (w *work) analyses() bool { return w.in.Summary != nil }

func (w *work) analyse() error {
	w.checked = w.pkg.Functions()
	w.out.Functions = w.checked
	w.out.Escape = escape.Analyze(w.pkg, w.checked, w.in.Summary, w.in.Lower.Sizes)
	return nil
}

func (w *work) lower() (err error) {
	w.in.Lower.Escape = w.out.Escape
	w.out.Output, err = lower.Package(w.in.Lower)
	return err
}
