package syntax

import (
	"go/ast"
	"go/types"
)

// What scans ask of the program's other functions (declared).

// nodesOf is what o costs where it is inlined.
func (p *Program) nodesOf(o *types.Func) int {
	if !p.inlines() {
		return never
	}
	o = o.Origin()
	if n, ok := p.nodes[o]; ok {
		return n
	}
	p.nodes[o] = never // while it is counted, which calls of itself come to
	if s, d := p.declOf(o); d != nil && d.syntax.Body != nil && !stays(d.syntax) {
		c := counter{p: p, info: s.info, sig: o.Signature(), root: d.syntax, limit: maxNodes}
		p.nodes[o] = c.count(d.syntax.Body)
	}
	return p.nodes[o]
}

func (p *Program) inlines() bool { return !p.settings.NoInline }

// declOf returns the declaration of o, if the compilation has it.
func (p *Program) declOf(o *types.Func) (*Package, *decl) {
	if o.Pkg() == nil {
		return nil, nil
	}
	s := p.universe.byTypes[o.Pkg()]
	if s == nil || s.info == nil {
		return nil, nil
	}
	p.uses(s.Types, o)
	return s, s.decls[o]
}

// scanOf is the scan of a declared function that a call names.
func (p *Program) scanOf(o *types.Func) (*scan, *ast.FuncDecl) {
	s, d := p.declOf(o)
	if d == nil || d.syntax.Body == nil {
		return nil, nil
	}
	made := p.scans[o]
	if made == nil {
		made = newScan(p, s.info, d.syntax)
		p.scans[o] = made
	}
	return made, d.syntax
}
