package escape

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"loam/internal/mid"
	"loam/internal/mid/shape"
)

// Analyze analyses fns, all functions with a body that the module of package pkg will
// contain: declared ones, function literals, wrappers, instances. imported returns the
// summary of a function of another package by its Symbol, nil if it is not known. sizes
// are the target's. Different packages may be analysed at the same time.
func Analyze(pkg *mid.Package, fns []*mid.Func, imported func(sym string) *Summary, sizes types.Sizes) *Facts {
	f := &Facts{
		pkg:       pkg,
		fset:      pkg.Prog.Fset,
		imported:  imported,
		objects:   map[mid.Value]verdict{},
		summaries: make(map[*mid.Func]*Summary, len(fns)),
		frames:    map[*mid.Func]*Frame{},
		calls:     map[*mid.Call]int64{},
		hidden:    map[mid.Value]bool{},
	}
	path := pkg.Pkg.Path()
	f.forced = strings.HasPrefix(path, "internal/rt/") || strings.HasPrefix(path, "loam/rt/")
	an := &analyzer{
		facts:    f,
		imported: imported,
		sizes:    sizes,
		index:    make(map[*mid.Func]int32, len(fns)),
		ptrs:     map[types.Type]bool{},
		dynamic:  map[result]types.Type{},
		cyclic:   map[*mid.Func]bool{},
		unknown:  map[*mid.Func]*Summary{},
	}
	an.solver.graph = &graph{an: an, nodes: map[mid.Value]int32{}, texts: map[*mid.BinOp]bool{}, objAt: map[mid.Value]int32{}}
	an.solver.root = map[int32]why{}
	for _, fn := range fns {
		if _, dup := an.index[fn]; !dup && fn.HasBody() {
			an.index[fn] = int32(len(an.fns))
			an.fns = append(an.fns, fn)
		}
	}
	an.run()
	return f
}

// Exported returns the summaries that other packages can use, by Symbol.
func (f *Facts) Exported() map[string]*Summary {
	m := map[string]*Summary{}
	for fn, s := range f.summaries {
		if s == nil || fn.Pkg != f.pkg {
			continue
		}
		sym := Symbol(fn)
		if sym == "" {
			continue
		}
		if s.made != nil && !f.exportsMade(fn) {
			plain := *s
			plain.made = nil
			s = &plain
		}
		m[sym] = s
	}
	return m
}

// exportsMade reports whether the package has fn's second form for others. They call unexported
// functions only from instances and inlined bodies, and those of a main package only from its
// external tests.
func (f *Facts) exportsMade(fn *mid.Func) bool {
	return fn.Object().Exported() && f.pkg.Pkg.Name() != "main"
}

// Explain says in a few words where v's object lives and why.
func (f *Facts) Explain(v mid.Value) string {
	d, ok := f.objects[v]
	switch {
	case !ok:
		return ""
	case d.why == whyNone || f.OnStack(v):
		return "does not escape"
	case d.pos.IsValid():
		p := f.fset.Position(d.pos)
		return fmt.Sprintf("escapes to heap: %s (line %d)", whyText[d.why], p.Line)
	}
	return "escapes to heap: " + whyText[d.why]
}

// run analyses all functions, callees first.
func (an *analyzer) run() {
	for _, fn := range an.facts.pkg.Funcs {
		if !fn.HasBody() && fn.Syntax() != nil {
			if s := an.bodyless(fn); s != nil {
				an.facts.summaries[fn] = s
			}
		}
	}
	calls := make([][]int32, len(an.fns))
	for i, fn := range an.fns {
		calls[i] = an.callees(fn)
	}
	callees := func(v int32) []int32 { return calls[v] }
	shape.Components(len(calls), callees, func(members []int32) {
		slices.Reverse(members) // callees have been found after their callers: begin with them
		an.component(members, calls)
	})
}

// callees lists the functions among ours whose summaries fn's analysis asks for.
func (an *analyzer) callees(fn *mid.Func) []int32 {
	var list []int32
	add := func(f *mid.Func) {
		if i, ok := an.index[f]; ok {
			list = append(list, i)
		}
	}
	g := an.solver.graph
	g.fn = fn
	common := func(c *mid.CallCommon) {
		if c.IsInvoke() {
			if f, _, _ := g.devirtualize(c); f != nil {
				add(f)
			}
		} else if f := c.StaticCallee(); f != nil {
			add(f)
		}
	}
	var buf [8]*mid.Value
	for _, b := range fn.Body() {
		for _, instr := range b.Instrs {
			switch i := instr.(type) {
			case *mid.Call:
				common(&i.Call)
			case *mid.Defer:
				common(&i.Call)
			case *mid.MakeClosure:
				add(i.Fn)
			}
			for _, op := range instr.Operands(buf[:0]) {
				if f, ok := (*op).(*mid.Func); ok && f.Parent() != nil { // see funcFrom
					add(f)
				}
			}
		}
	}
	return list
}

// component analyses functions that call each other until their summaries stand still.
func (an *analyzer) component(comp []int32, calls [][]int32) {
	if len(comp) == 1 {
		i := comp[0]
		self := false
		for _, c := range calls[i] {
			self = self || c == i
		}
		an.cyclic[an.fns[i]] = self
		for an.analyze(an.fns[i]) && self {
		}
		return
	}
	callers := map[int32][]int32{}
	dirty := map[int32]bool{}
	for _, i := range comp {
		dirty[i] = true
		an.cyclic[an.fns[i]] = true
	}
	for _, i := range comp {
		for _, c := range calls[i] {
			if dirty[c] {
				callers[c] = append(callers[c], i)
			}
		}
	}
	for again := true; again; {
		again = false
		for _, i := range comp {
			if !dirty[i] {
				continue
			}
			dirty[i] = false
			if an.analyze(an.fns[i]) {
				for _, c := range callers[i] {
					dirty[c] = true
				}
			}
		}
		for _, i := range comp {
			again = again || dirty[i]
		}
	}
}

// analyze analyses one function with what is known about its callees, and reports whether
// its summary has grown.
func (an *analyzer) analyze(fn *mid.Func) bool {
	g := an.solver.graph
	old := an.facts.summaries[fn]
	g.build(fn)
	s := an.solver.solve(an.facts)
	if old == nil {
		old = newSummary(s.nin, s.nres)
	}
	s.dynamic = an.dynamicNames(fn)
	s.funcs = an.funcResults(fn)
	if sp, ok := an.special(fn); ok {
		an.facts.summaries[fn] = sp
		return false
	}
	an.escapingUintptrs(fn, s)
	grown := false
	for i := range s.flow {
		if o := old.flow[i]; o != none && (s.flow[i] == none || s.flow[i] > o) {
			s.flow[i] = o // never shrink, so that the iteration ends
		}
		grown = grown || s.flow[i] != old.flow[i]
	}
	grown = s.hideToo(old) || grown
	an.facts.summaries[fn] = s
	return grown
}
