package mid

import (
	"go/ast"
	"slices"
	"strings"
)

// Inline puts callee's code in place of call, which calls it with these captures. callee returns,
// and defers nothing. What debuggers were to be told of its variables is left out. The numbers and
// dominators of the function's blocks are right again when Settle is called, once behind all the
// calls that are inlined into it.
func Inline(call *Call, callee *Func, captures []Value) { inline(call, callee, callee, captures) }

// InlineSelf puts f's code, as it is, in place of calls in it that call f. The calls that come with
// that code stay calls. f has no literals.
func InlineSelf(f *Func, calls []*Call) {
	was := f.snapshot()
	for _, call := range calls {
		inline(call, f, was, nil)
	}
	f.Settle()
}

// Settle numbers f's blocks and finds their dominators.
func (f *Func) Settle() { f.SetBody(f.blocks, f.recover) }

// snapshot returns a function with the code that f has.
func (f *Func) snapshot() *Func {
	was := &Func{name: f.name, Kind: f.Kind, Pkg: f.Pkg, Prog: f.Prog, Signature: f.Signature, Of: f.Of}
	was.state = bodyMade
	c := newCopier(was, nil)
	for _, p := range f.Params {
		c.values[p] = NewParameter(was, p.name, p.object, p.typ)
	}
	was.blocks, _ = c.body(f.Body())
	return was
}

// inline puts code, which is callee's, in place of call.
func inline(call *Call, callee, code *Func, captures []Value) {
	f := call.Parent()
	c := newCopier(f, &Site{Fn: callee, Pos: call.Pos(), Outer: call.Site()})
	for i, p := range code.Params {
		c.values[p] = call.Call.Args[i]
	}
	for i, v := range code.FreeVars {
		c.values[v] = captures[i]
	}
	if len(code.Body()) == 1 {
		c.splice(call, code)
		return
	}
	head, tail := f.cut(call)
	copied, returns := c.body(code.Body())
	enter := &Jump{}
	enter.pos, enter.site = call.pos, call.site
	f.moveNotes(call, enter)
	head.Append(enter)
	link(head, copied[0])
	c.leave(call, returns, tail)
	dropUses(call)
	i := slices.Index(f.blocks, head)
	f.blocks = slices.Insert(f.blocks, i+1, append(copied, tail)...)
}

// splice puts the code of a function, which is one block, where call is in its block. Nothing is
// made anew for it, so that a function may have thousands of such calls.
func (c *copier) splice(call *Call, of *Func) {
	copied, returns := c.body(of.Body())
	code := copied[0].Instrs[:len(copied[0].Instrs)-1]
	b := call.block
	at := slices.Index(b.Instrs, Instr(call))
	if len(code) > 0 {
		c.f.moveNotes(call, code[0])
	} else {
		c.f.moveNotes(call, b.Instrs[at+1])
	}
	for _, in := range code {
		in.common().block = b
	}
	b.Instrs = slices.Replace(b.Instrs, at, at+1, code...)
	giveResults(call, returns[0].Results)
	dropUses(call)
}

// copier copies the body of one function into another.
type copier struct {
	f      *Func
	site   *Site
	sites  map[*Site]*Site // of code that had been inlined into the body before
	values map[Value]Value
	blocks map[*Block]*Block
}

// newCopier makes a copier into f of code that gets that site, nil if it is f's own.
func newCopier(f *Func, site *Site) *copier {
	return &copier{f: f, site: site, values: map[Value]Value{}, sites: map[*Site]*Site{}, blocks: map[*Block]*Block{}}
}

// body copies blocks. It also returns the copied blocks that returned, with what they did.
func (c *copier) body(blocks []*Block) (copied []*Block, returns []*Return) {
	for _, b := range blocks {
		to := &Block{Role: b.Role, parent: c.f}
		c.blocks[b] = to
		copied = append(copied, to)
		for _, in := range b.Instrs {
			made := in.copy()
			made.common().site = c.siteOf(in)
			to.Append(made)
			if r, ok := made.(Register); ok {
				r.reg().refs = nil
				c.values[in.(Value)] = made.(Value)
			}
		}
	}
	for _, b := range blocks {
		to := c.blocks[b]
		for _, s := range b.Succs {
			to.Succs = append(to.Succs, c.blocks[s])
		}
		for _, p := range b.Preds {
			to.Preds = append(to.Preds, c.blocks[p])
		}
		for _, in := range to.Instrs {
			var buf [8]*Value
			for _, op := range in.Operands(buf[:0]) {
				if v, ok := c.values[*op]; ok {
					*op = v
				}
			}
			if r, ok := in.(*Return); ok {
				returns = append(returns, r)
				continue
			}
			AddUses(in)
		}
	}
	return copied, returns
}

// siteOf is the site of the copy of in.
func (c *copier) siteOf(in Instr) *Site {
	s := in.Site()
	if s == nil {
		return c.site
	}
	return c.rebase(s)
}

// rebase is the site that s is once its function has been inlined.
func (c *copier) rebase(s *Site) *Site {
	if made := c.sites[s]; made != nil {
		return made
	}
	made := &Site{Fn: s.Fn, Pos: s.Pos, Outer: c.site}
	if s.Outer != nil {
		made.Outer = c.rebase(s.Outer)
	}
	c.sites[s] = made
	return made
}

// leave has the copied returns go on at tail, and gives the results to what used call.
func (c *copier) leave(call *Call, returns []*Return, tail *Block) {
	n := len(returns[0].Results)
	results := make([]Value, n)
	for i := range results {
		results[i] = returns[0].Results[i]
	}
	if len(returns) > 1 {
		phis := make([]Instr, n)
		for i := range phis {
			phi := &Phi{Edges: make([]Value, len(returns))}
			for k, r := range returns {
				phi.Edges[k] = r.Results[i]
			}
			phi.block, phi.site = tail, call.site
			phi.typ = call.Call.Signature().Results().At(i).Type()
			phi.number = c.f.numbers
			c.f.numbers++
			AddUses(phi)
			phis[i], results[i] = phi, phi
		}
		tail.Instrs = append(phis, tail.Instrs...)
	}
	for _, r := range returns {
		b := r.block
		exit := &Jump{}
		exit.pos, exit.site, exit.block = r.pos, r.site, b
		b.Instrs[len(b.Instrs)-1] = exit
		link(b, tail)
	}
	giveResults(call, results)
}

// Size is the number of f's instructions.
func (f *Func) Size() (n int) {
	for _, b := range f.Body() {
		n += len(b.Instrs)
	}
	return n
}

// HasDirective reports whether the declaration of f, or of the generic function it is an instance
// of, is marked with text.
func (f *Func) HasDirective(text string) bool {
	if o := f.Of.Origin; o != nil {
		f = o
	}
	d, ok := f.Of.Syntax.(*ast.FuncDecl)
	return ok && d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, text) })
}
