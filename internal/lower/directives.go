package lower

import (
	"go/ast"
	"strings"

	"loam/internal/mid"
)

// directives of a function declaration that matter here.
type directives struct {
	noinline bool
	norace   bool
	inline   bool // run-time packages: into every caller
	clear    bool // likewise: its frame is cleared when it is entered
}

// directives returns the directives of f's declaration.
func (m *symbols) directives(f *mid.Func) directives {
	var d directives
	if o := f.Origin(); o != nil {
		f = o
	}
	if decl, ok := f.Syntax().(*ast.FuncDecl); ok && decl.Doc != nil {
		for _, c := range decl.Doc.List {
			switch {
			case strings.HasPrefix(c.Text, "//go:noinline"):
				d.noinline = true
			case strings.HasPrefix(c.Text, "//go:norace"):
				d.norace = true
			case m.rt && c.Text == "//loam:clear":
				d.clear = true
			}
		}
	}
	d.inline = Asks(f)
	return d
}

// Asks reports whether f asks to be inlined into every caller.
func Asks(f *mid.Func) bool {
	if o := f.Origin(); o != nil {
		f = o
	}
	return f.Pkg != nil && mayAsk(f.Pkg) && f.HasDirective("//loam:inline")
}

// mayAsk reports whether functions of p may ask to be inlined: those of the run-time system, and
// those of maps, whose accesses are what compiled code calls.
func mayAsk(p *mid.Package) bool {
	return IsRuntime(p.Pkg.Path()) || p.Pkg.Path() == MapsPath
}
