package syntax

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"loam/internal/mid"
)

// NewPackage returns p as the compilation of p sees it.
func NewPackage(p *Package, settings Settings) *mid.Package {
	prog := &Program{
		universe:  p.universe,
		settings:  settings,
		bodies:    fromSyntax{},
		packages:  map[*Package]*mid.Package{},
		funcs:     map[*types.Func]*mid.Func{},
		globals:   map[*types.Var]*mid.Global{},
		instances: map[instanceKey][]*mid.Func{},
		bounds:    map[*types.Func]*mid.Func{},
		hasher:    typeutil.MakeHasher(),
		makes:     map[*mid.Func]func(*mid.Func){},
		subst:     map[*mid.Func]*subst{},
		nodes:     map[*types.Func]int{},
		scans:     map[*types.Func]*scan{},
	}
	prog.methods.SetHasher(prog.hasher)
	prog.thunks.SetHasher(prog.hasher)
	prog.Program = mid.NewProgram(p.universe.Fset, prog)
	return prog.members(p)
}

// fromSyntax makes bodies from the syntax (bodies).
type fromSyntax struct{}

// builder makes the body of one function.
type builder struct {
	*values
	perTurn bool     // loops have variables of their own in each turn
	outer   *builder // of the function around a literal or the body of a loop
	source  *builder // of the declaration or literal that it is the code of, or of a part
	loop    *loopBody

	results []*local
	stack   *local // of calls that bodies of loops defer, if there are some
	targets *targets
	labels  map[*types.Label]*label
	exits   []*exit // what bodies of loops in the function leave it for
	uniq    *int    // exits of the source function
}

// newBuilder makes a builder of f.
func newBuilder(p *Program, f *mid.Func) *builder {
	b := &builder{values: newValues(newOperands(newCode(p, f))), uniq: new(int)}
	b.source, b.literals = b, b
	return b
}

// function makes the body of a declared function.
func (fromSyntax) function(p *Program, s *Package, f *mid.Func, d *decl, sub *subst) {
	b := newBuilder(p, f)
	b.src, b.info, b.subst, b.perTurn = s, s.info, sub, d.perTurn
	b.scan = newScan(p, s.info, d.syntax)
	sig := s.info.Defs[d.syntax.Name].(*types.Func).Signature()
	b.body(sig, d.syntax, d.syntax.Body)
	f.NameLiterals(0)
}

// body makes the code of a declaration or literal. sig is its type in the source.
func (b *builder) body(sig *types.Signature, syntax ast.Node, body *ast.BlockStmt) {
	b.params()
	var how traits
	if b.scan.defers[syntax] {
		how |= inMemory
	}
	if b.scan.leaves[syntax] {
		how |= taken | addressed
	}
	b.resultVars(sig, how)
	if b.scan.lends[syntax] {
		b.makeStack()
	}
	if b.scan.defers[syntax] {
		b.recovery()
	}
	b.stmts(body.List)
	if b.cur != nil {
		b.leave(body.Rbrace)
	}
	b.finish()
}

// params declares the parameters.
func (b *builder) params() {
	for _, p := range b.f.Params {
		v := p.Object()
		if v.Name() == "" || v.Name() == "_" {
			continue
		}
		l := b.declare(v)
		if l.addr != nil {
			b.store(l.addr, p, token.NoPos)
		} else {
			b.set(l, p)
		}
	}
}

// makeStack makes the variable with the stack of deferred calls that bodies of loops push on.
func (b *builder) makeStack() {
	t := types.Typ[types.UnsafePointer]
	results := tuple(t)
	call := &mid.Call{Call: mid.CallCommon{Value: mid.NewBuiltin(mid.BuiltinDeferStack,
		types.NewSignatureType(nil, nil, nil, nil, results, false))}}
	x := b.value(call, t, token.NoPos)
	b.stack = &local{typ: t, addr: b.alloc(t, token.NoPos, mid.Variable, "deferstack", true)}
	b.store(b.stack.addr, x, token.NoPos)
}

// resultVars declares the results, in memory if deferred calls or bodies of loops may see them.
func (b *builder) resultVars(sig *types.Signature, how traits) {
	for v := range sig.Results().Variables() {
		var l *local
		if v.Name() != "" && v.Name() != "_" {
			b.scan.vars[v] |= how | reset
			l = b.declare(v)
		} else {
			l = &local{typ: b.typ(v.Type()), pos: v.Pos(), object: v}
			if how != 0 {
				l.addr = b.alloc(l.typ, v.Pos(), mid.Variable, v.Name(), how&taken != 0)
			}
		}
		b.noteZero(l, v.Pos())
		b.results = append(b.results, l)
	}
}

// noteZero gives a variable that has been declared its zero value, if it is not in memory, which
// has that already.
func (b *builder) noteZero(l *local, pos token.Pos) {
	if l.addr != nil {
		b.note(l.object, l.addr, true, pos)
		return
	}
	x := zero(l.typ)
	b.set(l, x)
	b.note(l.object, x, false, pos)
}

// recovery makes the block where a call goes on that recovered from a panic.
func (b *builder) recovery() {
	saved := b.cur
	b.recovered = b.newBlock()
	b.recovered.sealed = true
	b.cur = b.recovered
	b.emit(&mid.Return{Results: b.resultValues(token.NoPos)}, token.NoPos)
	b.cur = saved
}

func (b *builder) resultValues(pos token.Pos) []mid.Value {
	var list []mid.Value
	for _, l := range b.results {
		if l.addr != nil {
			list = append(list, b.load(l.addr, pos))
		} else {
			list = append(list, b.get(l))
		}
	}
	return list
}

// literal is a function literal.
func (b *builder) literal(e *ast.FuncLit) mid.Value {
	sig := b.info.TypeOf(e).(*types.Signature)
	f := b.anonymous(mid.Declared, b.typ(sig).(*types.Signature), e, e.Type.Func)
	addParams(f, sig)
	lit := newBuilder(b.p, f)
	lit.inherit(b)
	lit.uniq = new(int)
	lit.body(sig, e, e.Body)
	if len(f.FreeVars) == 0 {
		return f
	}
	in := &mid.MakeClosure{Fn: f, Bindings: lit.free}
	return b.value(in, b.typeOf(e), e.Type.Func)
}

// inherit takes over what a function in another has from that.
func (b *builder) inherit(outer *builder) {
	b.outer, b.around = outer, outer.code
	b.src, b.info, b.subst, b.scan = outer.src, outer.info, outer.subst, outer.scan
	b.perTurn = outer.perTurn
}
