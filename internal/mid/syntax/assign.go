package syntax

import (
	"go/ast"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// put gives what e stands for the value x, in a statement at at. What is behind first computes x.
func (b *builder) put(e ast.Expr, x mid.Value, at token.Pos, first mid.Instr) {
	if isBlank(e) {
		return
	}
	e = ast.Unparen(e)
	switch e := e.(type) {
	case *ast.Ident:
		v := b.info.ObjectOf(e).(*types.Var)
		if !isPackageLevel(v) {
			b.putVar(b.variable(v), x, e.Pos())
			return
		}
	case *ast.IndexExpr:
		if m, ok := b.typeOf(e.X).Underlying().(*types.Map); ok {
			x = b.convert(x, m.Elem(), e.Lbrack)
			key := b.convert(b.expr(e.Index), m.Key(), e.Lbrack)
			b.emit(&mid.MapUpdate{Map: b.expr(e.X), Key: key, Value: x}, e.Lbrack)
			return
		}
	}
	value := b.last()
	p := b.addr(e)
	b.askedByTarget(first, value, p, place(e))
	if failsInCopy(b.p) && storesAtOnce(pointee(p)) && !b.checksIndex(e) {
		b.checkedAt(p, at)
		b.store(p, x, at)
		return
	}
	b.store(p, x, place(e))
}

// define declares the variable that id declares, and gives it the value of e, or zero without one.
// The statement is at at.
func (b *builder) define(id *ast.Ident, e ast.Expr, at token.Pos) {
	v, _ := b.info.Defs[id].(*types.Var)
	if v == nil || id.Name == "_" {
		if e != nil {
			b.discard(e, v)
		}
		return
	}
	if e == nil {
		l := b.declare(v)
		b.noteZero(l, id.Pos())
		return
	}
	t := b.typ(v.Type())
	b.orderAs(e, t)
	if how := b.scan.vars[v]; how&inMemory != 0 && how&taken == 0 && b.isNested(e, t) {
		l := b.declare(v)
		b.fill(l.addr, ast.Unparen(e).(*ast.CompositeLit), t)
		b.note(v, l.addr, true, id.Pos())
		return
	}
	x := b.convert(b.moved(e, t, at), t, place(e))
	b.putVar(b.declare(v), x, id.Pos())
}

// discard computes e for its effects; v is the variable _ that it is assigned to, nil for none.
func (b *builder) discard(e ast.Expr, v *types.Var) {
	if v != nil {
		b.orderAs(e, b.typ(v.Type()))
	} else {
		b.order(e)
	}
	b.expr(e)
}

// assign is the assignment of rhs to lhs at at.
func (b *builder) assign(lhs, rhs ast.Expr, at token.Pos) {
	if isBlank(lhs) {
		b.discard(rhs, nil)
		return
	}
	t := b.typeOf(lhs)
	x, _ := b.mapIndex(lhs)
	b.orderTarget(lhs)
	if x != nil && b.sameElement(x, rhs) {
		b.cheap(x.X)
		b.cheap(x.Index)
	}
	b.orderAs(rhs, t)
	if x == nil {
		b.safe(lhs)
	}
	b.put(lhs, b.convert(b.movedTo(lhs, rhs, t, at), t, place(rhs)), at, nil)
}

// assignOp is lhs op= rhs; without rhs one is added or taken away.
func (b *builder) assignOp(lhs, rhs ast.Expr, op token.Token, pos token.Pos) {
	t := b.typeOf(lhs)
	b.orderTarget(lhs)
	x, m := b.mapIndex(lhs)
	if rhs != nil {
		b.order(rhs)
		if m != nil && op != token.QUO && op != token.REM {
			b.cheap(rhs)
		}
	}
	right := func() mid.Value {
		if rhs == nil {
			return b.constant(intConst(1), t)
		}
		return b.expr(rhs)
	}
	if m != nil {
		b.safe(x.X)
		b.safe(x.Index)
		key := b.convert(b.expr(x.Index), m.Key(), x.Lbrack)
		made := b.expr(x.X)
		old := b.value(&mid.Lookup{X: made, Index: key}, m.Elem(), x.Lbrack)
		v := b.arith(op, old, right(), t, pos)
		b.emit(&mid.MapUpdate{Map: made, Key: key, Value: v}, x.Lbrack)
		return
	}
	if id, ok := ast.Unparen(lhs).(*ast.Ident); ok && !b.addressable(id) {
		b.put(id, b.arith(op, b.expr(id), right(), t, pos), pos, nil)
		return
	}
	b.safe(lhs)
	if rhs != nil {
		defer b.hoistAll(lhs, rhs)()
	}
	p := b.addr(lhs)
	at := place(lhs)
	if failsInCopy(b.p) && changesMemory(op, t) && !b.checksIndex(lhs) {
		at = pos
		b.checkedAt(p, at)
	}
	v := b.arith(op, b.load(p, at), right(), t, pos)
	b.store(p, v, at)
}

// pair is one of several assignments of a statement: of rhs, or of the value of a temporary.
type pair struct {
	lhs    ast.Expr   // nil for a result
	result *local     // nil for an expression
	define *types.Var // the variable that lhs declares
	typ    types.Type // nil for _
	rhs    ast.Expr
	value  mid.Value // if there is no rhs
}

// parallel makes assignments that gc makes one after the other, once they have been ordered. What
// an earlier one may change is computed first. The statement is at at.
func (b *builder) parallel(pairs []pair, at token.Pos) {
	e := effects{b: b}
	for i := range pairs {
		p := &pairs[i]
		if p.lhs != nil && p.define == nil && !isBlank(p.lhs) {
			e.saveTarget(p.lhs)
		}
		if p.rhs != nil && e.affect(p.rhs) && !b.isDone(p.rhs) {
			b.done[ast.Unparen(p.rhs)] = b.moved(p.rhs, p.typ, at)
		}
		e.assigned(p)
	}
	for i := range pairs {
		p := &pairs[i]
		var first mid.Instr
		if b.p.settings.NoOptimize {
			first = b.last() // gc keeps what it has computed in memory
		}
		if p.result != nil && p.rhs != nil && b.names(p.rhs, p.result) {
			continue
		}
		x := p.value
		if p.lhs != nil && p.define == nil && !isBlank(p.lhs) {
			if x, m := b.mapIndex(p.lhs); x == nil {
				b.safe(p.lhs)
			} else if p.rhs != nil && e.mayFail(p.rhs) {
				e.makeEntry(x, m)
			}
		}
		switch {
		case p.rhs == nil:
		case p.lhs != nil && p.define == nil:
			x = b.movedTo(p.lhs, p.rhs, p.typ, at)
		default:
			x = b.moved(p.rhs, p.typ, at)
		}
		pos := at
		if p.rhs != nil {
			pos = place(p.rhs)
		} else if p.lhs != nil {
			pos = place(p.lhs)
		}
		if p.typ != nil {
			x = b.convert(x, p.typ, pos)
		}
		switch {
		case p.result != nil:
			b.putVar(p.result, x, pos)
		case p.define != nil:
			b.putVar(b.declare(p.define), x, p.lhs.Pos())
		default:
			b.put(p.lhs, x, at, first)
		}
	}
}

// makeEntry stands where gc makes the entry of a map that is assigned to in a moment, before it
// computes the value: a map that is nil, and a key that has no hash, panic here.
func (e *effects) makeEntry(x *ast.IndexExpr, m *types.Map) {
	b := e.b
	in := b.expr(x.X)
	key := b.convert(b.expr(x.Index), m.Key(), x.Lbrack)
	none, some := b.newBlock(), b.newBlock()
	b.branch(b.compare(token.EQL, in, mid.NewConst(nil, in.Type()), x.Lbrack), none, some, x.Lbrack)
	b.enter(none)
	b.emit(&mid.MapUpdate{Map: in, Key: key, Value: zero(m.Elem())}, x.Lbrack)
	b.jump(some)
	b.enter(some)
	if hasInterface(m.Key()) {
		b.value(&mid.Lookup{X: in, Index: key}, m.Elem(), x.Lbrack)
	}
}

// mayFail reports whether x, once it has been ordered, may still panic.
func (e *effects) mayFail(x ast.Expr) bool {
	if e.b.isDone(x) || e.b.info.Types[x].Value != nil {
		return false
	}
	_, name := ast.Unparen(x).(*ast.Ident)
	return !name
}

// hasInterface reports whether values of type t may have no hash.
func hasInterface(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return hasInterface(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hasInterface(f.Type()) {
				return true
			}
		}
	}
	return false
}

// effects is what assignments so far may have changed.
type effects struct {
	b      *builder
	vars   map[*types.Var]bool
	memory bool
	all    bool
}

// saveTarget computes the parts of a target that have been affected.
func (e *effects) saveTarget(lhs ast.Expr) {
	save := func(x ast.Expr) {
		if e.affect(x) {
			e.b.copy(x)
		}
	}
	for {
		switch x := ast.Unparen(lhs).(type) {
		case *ast.IndexExpr:
			if _, array := e.b.typeOf(x.X).Underlying().(*types.Array); array {
				save(x.Index)
				lhs = x.X
				continue
			}
			save(x.X)
			save(x.Index)
		case *ast.StarExpr:
			save(x.X)
		case *ast.SelectorExpr:
			if e.b.info.Selections[x] == nil {
				return
			}
			if !isPointer(e.b.typeOf(x.X)) {
				lhs = x.X
				continue
			}
			save(x.X)
		}
		return
	}
}

// assigned notes what p changes.
func (e *effects) assigned(p *pair) {
	var v *types.Var
	switch {
	case p.result != nil:
		if e.b.source.recovered != nil {
			e.all = true
			return
		}
		v = p.result.object
	case p.define != nil:
		v = p.define
	case isBlank(p.lhs):
		return
	default:
		v = e.b.outermost(p.lhs)
		if _, plain := ast.Unparen(p.lhs).(*ast.Ident); !plain && v == nil {
			e.memory = true
			return
		}
	}
	if v == nil {
		e.memory = true
		return
	}
	if v.Kind() == types.ResultVar && e.b.source.recovered != nil {
		e.all = true
		return
	}
	if isPackageLevel(v) || e.b.scan.shared(v) {
		e.memory = true
		return
	}
	if e.vars == nil {
		e.vars = map[*types.Var]bool{}
	}
	e.vars[v] = true
}

// affect reports whether the value of x, as far as it has not been computed, may have changed.
func (e *effects) affect(x ast.Expr) bool {
	if e.all {
		return e.b.info.Types[ast.Unparen(x)].Value == nil && !e.b.isDone(x)
	}
	if !e.memory && len(e.vars) == 0 {
		return false
	}
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		expr, ok := n.(ast.Expr)
		if !ok || found {
			return false
		}
		tv := e.b.info.Types[expr]
		if tv.Value != nil || tv.IsType() || e.b.isDone(expr) {
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := e.b.info.ObjectOf(n).(*types.Var); ok && !v.IsField() {
				found = found || e.vars[v] || e.memory && (isPackageLevel(v) || e.b.scan.shared(v))
			}
		case *ast.SelectorExpr:
			if sel := e.b.info.Selections[n]; sel != nil {
				found = found || e.memory && (sel.Kind() == types.MethodVal || sel.Indirect() || isPointer(e.b.typeOf(n.X)))
				ast.Inspect(n.X, func(m ast.Node) bool {
					if y, ok := m.(ast.Expr); ok && !found {
						found = e.affect(y)
					}
					return false
				})
				return false
			}
		case *ast.ParenExpr, *ast.TypeAssertExpr, *ast.BasicLit, *ast.KeyValueExpr:
		case *ast.BinaryExpr:
			switch n.Op {
			case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
				found = found || e.memory
			case token.ADD:
				if basic, ok := e.b.typeOf(n).Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 {
					found = found || e.memory
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND || n.Op == token.NOT {
				found = found || e.memory
			}
		case *ast.CallExpr:
			if !e.b.info.Types[n.Fun].IsType() {
				found = found || e.memory
			}
		default:
			found = found || e.memory
		}
		return true
	})
	return found
}

// assignStmt is an assignment, or a declaration by :=.
func (b *builder) assignStmt(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		b.assignOp(s.Lhs[0], s.Rhs[0], s.Tok+token.ADD-token.ADD_ASSIGN, s.TokPos)
		return
	}
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		if id, ok := s.Lhs[0].(*ast.Ident); ok && s.Tok == token.DEFINE && b.info.Defs[id] != nil {
			b.define(id, s.Rhs[0], s.TokPos)
			return
		}
		b.assign(s.Lhs[0], s.Rhs[0], s.TokPos)
		return
	}
	for _, e := range s.Lhs {
		if !b.defines(e, s.Tok) {
			b.orderTarget(e)
		}
	}
	b.assignList(s.Lhs, s.Rhs, s.Tok, s.TokPos)
}

// assignList assigns several values, or the components of one, to what has been ordered, at at.
func (b *builder) assignList(lhs, rhs []ast.Expr, tok token.Token, at token.Pos) {
	pairs := make([]pair, len(lhs))
	for i, e := range lhs {
		p := &pairs[i]
		p.lhs = e
		if b.defines(e, tok) && !isBlank(e) {
			p.define = b.info.Defs[e.(*ast.Ident)].(*types.Var)
			p.typ = b.typ(p.define.Type())
		} else if !isBlank(e) {
			p.typ = b.typeOf(e)
		}
	}
	if len(lhs) == len(rhs) {
		for i, e := range rhs {
			pairs[i].rhs = e
			b.orderAs(e, pairs[i].typ)
		}
		b.parallel(pairs, at)
		return
	}
	tuple := b.tuple(rhs[0])
	for i := range pairs {
		if !isBlank(pairs[i].lhs) {
			pairs[i].value = b.extract(tuple, i)
		}
	}
	kept := pairs[:0]
	for _, p := range pairs {
		if !isBlank(p.lhs) {
			kept = append(kept, p)
		}
	}
	b.parallel(kept, at)
}

// tuple computes an expression with several results: a call, or one that also says whether it had
// a value.
func (b *builder) tuple(e ast.Expr) mid.Value {
	e = ast.Unparen(e)
	switch e := e.(type) {
	case *ast.CallExpr:
		b.order(e)
		return b.expr(e)
	case *ast.IndexExpr:
		m := b.typeOf(e.X).Underlying().(*types.Map)
		b.order(e.X)
		b.orderAs(e.Index, m.Key())
		b.orderKey(e.Index, m)
		x := b.expr(e.X)
		key := b.convert(b.expr(e.Index), m.Key(), e.Lbrack)
		return b.value(&mid.Lookup{X: x, Index: key, CommaOk: true}, tuple(m.Elem(), tBool), e.Lbrack)
	case *ast.TypeAssertExpr:
		b.order(e.X)
		x := b.expr(e.X)
		t := b.typeOf(e.Type)
		return b.value(&mid.TypeAssert{X: x, AssertedType: t, CommaOk: true}, tuple(t, tBool), e.X.End())
	case *ast.UnaryExpr:
		b.order(e.X)
		x := b.expr(e.X)
		return b.value(&mid.UnOp{Op: token.ARROW, X: x, CommaOk: true}, tuple(x.Type().Underlying().(*types.Chan).Elem(), tBool), e.OpPos)
	}
	panic(fault(b.p.Fset, e, "expression with several results"))
}

// valueSpec declares local variables.
func (b *builder) valueSpec(s *ast.ValueSpec) {
	switch {
	case len(s.Values) == 0:
		for _, id := range s.Names {
			b.define(id, nil, id.Pos())
		}
	case len(s.Values) == 1 && len(s.Names) == 1:
		b.define(s.Names[0], s.Values[0], s.Names[0].Pos())
	default:
		lhs := make([]ast.Expr, len(s.Names))
		for i, id := range s.Names {
			lhs[i] = id
		}
		b.assignList(lhs, s.Values, token.DEFINE, lhs[0].Pos())
	}
}
