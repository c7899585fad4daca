package escape

import (
	"go/ast"
	"strings"

	"loam/internal/linkname"
	"loam/internal/mid"
)

// summary returns what is known about fn now, nil for nothing.
func (an *analyzer) summary(fn *mid.Func) *Summary {
	if s, ok := an.facts.summaries[fn]; ok {
		return s
	}
	if s, ok := an.unknown[fn]; ok {
		return s
	}
	s, ok := an.special(fn)
	switch {
	case ok:
	default:
		if _, ours := an.index[fn]; ours {
			// Not analysed yet: in a cycle, where we start with "nothing escapes".
			s = newSummary(inputs(fn), fn.Signature.Results().Len())
			an.facts.summaries[fn] = s
			return s
		}
		if an.imported != nil {
			if sym := Symbol(fn); sym != "" {
				s = an.imported(sym)
			}
		}
		if s == nil && !fn.HasBody() {
			s = an.bodyless(fn)
		}
	}
	an.unknown[fn] = s
	return s
}

// bodyless gives the summary of a function that Go code declares without a body.
func (an *analyzer) bodyless(fn *mid.Func) *Summary {
	nin, nres := inputs(fn), fn.Signature.Results().Len()
	s := newSummary(nin, nres)
	if fn.Pkg != nil {
		switch fn.Pkg.Pkg.Path() {
		case "sync/atomic", "internal/runtime/atomic":
			return an.atomic(fn, s)
		case "internal/rt/sys", "loam/rt/sys":
			// Expanded by the compiler, or assembly of ours which keeps nothing.
			return an.noescape(fn, s)
		}
	}
	if d, ok := fn.Syntax().(*ast.FuncDecl); ok && hasDirective(d, "//go:noescape") {
		symbol := pulled(d)
		if s.nin == 2 && symbol == "runtime.atomicwb" {
			s.lower(1, 0, 0) // which is called because the pointer is stored, by code that does not say so
		}
		if s.nin == 1 && symbol == "runtime.noescape" {
			s.hidden = []int8{0}
		}
		an.kept(s, symbol)
		return s // as gc takes it: results hold no arguments either
	}
	return nil
}

// kept adds to s, of a function that is said to keep no argument, what the function of that symbol,
// which it is another name for, keeps of what the arguments point to. Modules call
// reflect.mapassign noescape: true of the address of the key, and not of the key. gc takes it for
// both, but has less in frames: what another function made and returned is on its heap.
func (an *analyzer) kept(s *Summary, symbol string) {
	if symbol == "" || an.imported == nil {
		return
	}
	target := an.imported(symbol)
	if target == nil {
		return
	}
	for i := range s.nin {
		if h := target.heap(i); h != none {
			s.lower(i, 0, max(h, 1))
		}
	}
}

// noescape: nothing is kept, any argument may be part of any result.
func (an *analyzer) noescape(fn *mid.Func, s *Summary) *Summary {
	res := fn.Signature.Results()
	for j := range res.Len() {
		if an.pointers(res.At(j).Type()) {
			for i := range s.nin {
				s.lower(i, 1+j, 0)
			}
		}
	}
	return s
}

// atomic: the first parameter is an address, which is not kept; the others are stored
// there. A result is the word at that address.
func (an *analyzer) atomic(fn *mid.Func, s *Summary) *Summary {
	params := fn.Signature.Params()
	for i := 1; i < params.Len(); i++ {
		if an.pointers(params.At(i).Type()) {
			s.lower(i, 0, 0)
		}
	}
	for j := range s.nres {
		if s.nin > 0 && an.pointers(fn.Signature.Results().At(j).Type()) {
			s.lower(0, 1+j, 1)
		}
	}
	return s
}

// special gives the summary of functions that we know better than their bodies tell.
func (an *analyzer) special(fn *mid.Func) (s *Summary, ok bool) {
	switch specialName(fn) {
	case "internal/abi.EscapeNonString":
		if len(fn.TypeArgs()) != 1 {
			break
		}
		s := newSummary(1, 0)
		if an.nonStringPointers(fn.TypeArgs()[0]) {
			s.lower(0, 0, 0)
		}
		return s, true
	case "internal/poll.ignoringEINTRIO":
		// It passes its last argument to the function that it gets, so the argument would escape,
		// and with it the buffer of each os.File.Read and Write. But the functions are system
		// calls, which keep nothing.
		return newSummary(3, 2), true
	case "runtime.KeepAlive":
		return newSummary(1, 0), true
	case "runtime.SetFinalizer", "runtime.AddCleanup":
		// They keep the object's address where no one sees a pointer.
		return nil, true
	}
	return nil, false
}

// specialName is the name with its path of a function that we know better than its body tells, ""
// for others.
func specialName(fn *mid.Func) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil || fn.Signature.Recv() != nil || fn.Parent() != nil {
		return ""
	}
	switch name := fn.Pkg.Pkg.Path() + "." + fn.Name(); name {
	case "internal/abi.EscapeNonString", "internal/poll.ignoringEINTRIO", "runtime.KeepAlive", "runtime.SetFinalizer", "runtime.AddCleanup":
		return name
	}
	return ""
}

// IsSpecial reports whether the analysis knows fn better than its body tells.
func IsSpecial(fn *mid.Func) bool { return specialName(fn) != "" }

func hasDirective(d *ast.FuncDecl, directive string) bool {
	if d == nil || d.Doc == nil {
		return false
	}
	for _, c := range d.Doc.List {
		if c.Text == directive || strings.HasPrefix(c.Text, directive+" ") {
			return true
		}
	}
	return false
}

// pulled is the symbol of another package that a directive above the function gives it, "" without.
func pulled(d *ast.FuncDecl) string {
	for _, c := range d.Doc.List {
		if words, ok := linkname.Parse(c.Text); ok && len(words) == 2 && words[0] == d.Name.Name {
			return words[1]
		}
	}
	return ""
}

// inputs counts parameters (with receiver) and captured variables.
func inputs(fn *mid.Func) int {
	if fn.HasBody() {
		return len(fn.Params) + len(fn.FreeVars)
	}
	n := fn.Signature.Params().Len()
	if fn.Signature.Recv() != nil {
		n++
	}
	return n
}
