package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

func (b *builder) switchStmt(s *ast.SwitchStmt, l *label) {
	if s.Init != nil {
		b.stmt(s.Init, nil)
	}
	var tag mid.Value
	if s.Tag != nil {
		b.order(s.Tag)
		tag = b.expr(s.Tag)
		if c, ok := tag.(*mid.Const); ok {
			tag = b.convert(c, types.Default(c.Type()), s.Tag.Pos())
		}
	}
	end := b.newBlock()
	if l != nil {
		l.leave = end
	}
	bodies := make([]*block, len(s.Body.List)+1)
	for i := range s.Body.List {
		bodies[i] = b.newBlock()
	}
	bodies[len(s.Body.List)] = end
	body := func(i int) {
		if b.cur != nil || len(bodies[i].b.Preds) > 0 {
			b.push(targets{leave: end, falls: bodies[i+1]})
			b.stmts(s.Body.List[i].(*ast.CaseClause).Body)
			b.pop()
			b.jump(end)
		}
	}
	byDefault := -1
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			byDefault = i
			continue
		}
		next := b.tests(tag, c, bodies[i])
		if i > 0 && byDefault == i-1 {
			b.open(bodies[i]) // the default clause may fall through to it
		} else {
			b.enter(bodies[i])
		}
		body(i)
		b.cur = next
	}
	if byDefault >= 0 {
		b.jump(bodies[byDefault])
		b.enter(bodies[byDefault])
		body(byDefault)
		b.seal(bodies[byDefault+1])
	} else {
		b.jump(end)
	}
	b.enter(end)
}

// tests goes to body if one of the expressions of a clause holds, which for gc are compared where
// the clause begins. It returns where it goes on if none does, nil if that cannot be.
func (b *builder) tests(tag mid.Value, clause *ast.CaseClause, body *block) *block {
	for _, e := range clause.List {
		if b.cur == nil {
			return nil
		}
		next := b.newBlock()
		if tag == nil && !types.IsInterface(b.typeOf(e)) {
			b.cond(e, body, next)
		} else {
			of := tag
			if of == nil {
				of = boolConst(true)
			}
			b.orderAs(e, of.Type())
			is := b.compare(token.EQL, of, b.expr(e), clause.Case)
			b.branch(is, body, next, e.Pos())
		}
		b.enter(next)
	}
	return b.cur
}

func (b *builder) typeSwitch(s *ast.TypeSwitchStmt, l *label) {
	if s.Init != nil {
		b.stmt(s.Init, nil)
	}
	var of ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		of = ast.Unparen(a.X).(*ast.TypeAssertExpr).X
	case *ast.AssignStmt:
		of = ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr).X
	}
	b.order(of)
	x := b.expr(of)
	end := b.newBlock()
	if l != nil {
		l.leave = end
	}
	body := func(c *ast.CaseClause, x mid.Value) {
		if b.cur == nil {
			return
		}
		if v, ok := b.info.Implicits[c].(*types.Var); ok {
			b.putVar(b.declare(v), x, v.Pos())
		}
		b.push(targets{leave: end})
		b.stmts(c.Body)
		b.pop()
		b.jump(end)
	}
	var byDefault *ast.CaseClause
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			byDefault = c
			continue
		}
		to := b.newBlock()
		var held mid.Value
		for _, e := range c.List {
			next := b.newBlock()
			var is mid.Value
			if b.info.Types[e].IsNil() {
				is = b.compare(token.EQL, x, mid.NewConst(nil, x.Type()), e.Pos())
				held = x
			} else {
				t := b.typeOf(e)
				both := tuple(t, tBool)
				tuple := b.value(&mid.TypeAssert{X: x, AssertedType: t, CommaOk: true}, both, c.Case)
				held = b.extract(tuple, 0)
				is = b.extract(tuple, 1)
			}
			b.branch(is, to, next, c.Case)
			b.enter(next)
		}
		if len(c.List) != 1 {
			held = x
		}
		next := b.cur
		b.enter(to)
		body(c, held)
		b.cur = next
	}
	if byDefault != nil {
		body(byDefault, x)
	} else {
		b.jump(end)
	}
	b.enter(end)
}

func (b *builder) selectStmt(s *ast.SelectStmt, l *label) {
	end := b.newBlock()
	if l != nil {
		l.leave = end
	}
	body := func(c *ast.CommClause) {
		b.push(targets{leave: end})
		b.stmts(c.Body)
		b.pop()
		b.jump(end)
	}
	if len(s.Body.List) == 1 {
		if c := s.Body.List[0].(*ast.CommClause); c.Comm != nil {
			b.onlyCase(c.Comm)
			body(c)
			b.enter(end)
			return
		}
	}
	in := &mid.Select{Blocking: true}
	results := []*types.Var{types.NewParam(token.NoPos, nil, "", tInt), types.NewParam(token.NoPos, nil, "", tBool)}
	for _, c := range s.Body.List {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case nil:
			in.Blocking = false
		case *ast.SendStmt:
			elem := b.typeOf(comm.Chan).Underlying().(*types.Chan).Elem()
			b.order(comm.Chan)
			ch := b.expr(comm.Chan)
			b.orderAs(comm.Value, elem)
			x := b.convert(b.expr(comm.Value), elem, place(comm.Value))
			in.States = append(in.States, &mid.SelectState{Dir: types.SendOnly, Chan: ch, Send: x, Pos: comm.Arrow})
		default:
			recv := received(comm)
			b.order(recv.X)
			ch := b.expr(recv.X)
			in.States = append(in.States, &mid.SelectState{Dir: types.RecvOnly, Chan: ch, Pos: recv.OpPos})
			results = append(results, types.NewParam(token.NoPos, nil, "", ch.Type().Underlying().(*types.Chan).Elem()))
		}
	}
	pos := s.Select
	if len(in.States) == 1 { // what gc tries by itself
		pos = in.States[0].Pos
	}
	sel := b.value(in, types.NewTuple(results...), pos)
	index := b.extract(sel, 0)
	var byDefault *ast.CommClause
	state, got := 0, 2
	for _, c := range s.Body.List {
		c := c.(*ast.CommClause)
		if c.Comm == nil {
			byDefault = c
			continue
		}
		to, next := b.newBlock(), b.newBlock()
		is := b.compare(token.EQL, index, intConst(int64(state)), s.Select)
		b.branch(is, to, next, s.Select)
		b.enter(to)
		state++
		if _, send := c.Comm.(*ast.SendStmt); !send {
			if a, ok := c.Comm.(*ast.AssignStmt); ok {
				b.takeReceived(a, sel, got)
			}
			got++
		}
		body(c)
		b.enter(next)
	}
	if byDefault != nil {
		body(byDefault)
	} else {
		text := mid.NewConst(constant.MakeString("blocking select matched no case"), types.Typ[types.String])
		b.emit(&mid.Panic{X: b.convert(text, tAny, s.Select)}, s.Select)
		b.cur = nil
	}
	b.enter(end)
}

// received is the receive of a case of a select statement.
func received(comm ast.Stmt) *ast.UnaryExpr {
	switch comm := comm.(type) {
	case *ast.ExprStmt:
		return ast.Unparen(comm.X).(*ast.UnaryExpr)
	case *ast.AssignStmt:
		return ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr)
	}
	return nil
}

// takeReceived assigns what a select statement has received.
func (b *builder) takeReceived(a *ast.AssignStmt, sel mid.Value, got int) {
	values := []mid.Value{nil, nil}
	if !isBlank(a.Lhs[0]) {
		values[0] = b.extract(sel, got)
	}
	if len(a.Lhs) == 2 && !isBlank(a.Lhs[1]) {
		values[1] = b.extract(sel, 1)
	}
	b.assignValues(a.Lhs, a.Tok, values)
}

// assignValues assigns values that are known, of which nil ones are left out.
func (b *builder) assignValues(lhs []ast.Expr, tok token.Token, values []mid.Value) {
	for i, e := range lhs {
		x := values[i]
		if x == nil {
			continue
		}
		if b.defines(e, tok) {
			v := b.info.Defs[e.(*ast.Ident)].(*types.Var)
			x = b.convert(x, b.typ(v.Type()), e.Pos())
			b.putVar(b.declare(v), x, e.Pos())
			continue
		}
		b.orderTarget(e)
		b.put(e, b.convert(x, b.typeOf(e), place(e)), place(e), nil)
	}
}

// onlyCase makes the communication of a select statement that has no other: what is received is
// there before it is looked where it goes.
func (b *builder) onlyCase(comm ast.Stmt) {
	a, ok := comm.(*ast.AssignStmt)
	if !ok {
		if send, ok := comm.(*ast.SendStmt); ok {
			b.order(send.Chan)
			b.copy(send.Chan)
		}
		b.stmt(comm, nil)
		return
	}
	recv := received(comm)
	values := make([]mid.Value, 2)
	if len(a.Lhs) == 2 {
		tuple := b.tuple(recv)
		values[0], values[1] = b.extract(tuple, 0), b.extract(tuple, 1)
	} else {
		b.order(recv)
		values[0] = b.expr(recv)
	}
	for i, e := range a.Lhs {
		if isBlank(e) {
			values[i] = nil
		}
	}
	b.assignValues(a.Lhs, a.Tok, values)
}
