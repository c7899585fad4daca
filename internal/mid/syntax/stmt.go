package syntax

import (
	"go/ast"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// targets are where break, continue and fallthrough go.
type targets struct {
	outer               *targets
	leave, again, falls *block
}

// label is what a label of the source names.
type label struct {
	target       *block // of goto
	leave, again *block
}

// stmts makes statements. What control does not get to is left out up to the last label.
func (b *builder) stmts(list []ast.Stmt) {
	last := -1
	for i, s := range list {
		if _, ok := s.(*ast.LabeledStmt); ok {
			last = i
		}
	}
	for i, s := range list {
		if b.cur != nil || i <= last {
			b.stmt(s, nil)
		}
	}
}

// stmt makes a statement. l is its label, nil for none.
func (b *builder) stmt(s ast.Stmt, l *label) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		b.exprStmt(s.X)
	case *ast.AssignStmt:
		b.assignStmt(s)
	case *ast.IncDecStmt:
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		b.assignOp(s.X, nil, op, s.TokPos)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				b.valueSpec(spec.(*ast.ValueSpec))
			}
		}
	case *ast.SendStmt:
		b.send(s)
	case *ast.GoStmt:
		in := &mid.Go{}
		b.setStmtCall(s.Call, &in.Call, s.Go)
		b.emit(in, s.Go)
	case *ast.DeferStmt:
		b.deferStmt(s)
	case *ast.ReturnStmt:
		b.returnStmt(s)
	case *ast.BranchStmt:
		b.branchStmt(s)
	case *ast.BlockStmt:
		b.stmts(s.List)
	case *ast.IfStmt:
		b.ifStmt(s)
	case *ast.ForStmt:
		b.forStmt(s, l)
	case *ast.RangeStmt:
		b.rangeStmt(s, l)
	case *ast.SwitchStmt:
		b.switchStmt(s, l)
	case *ast.TypeSwitchStmt:
		b.typeSwitch(s, l)
	case *ast.SelectStmt:
		b.selectStmt(s, l)
	case *ast.LabeledStmt:
		b.labeled(s)
	case *ast.EmptyStmt:
	default:
		panic(fault(b.p.Fset, s, "statement"))
	}
}

func (b *builder) exprStmt(e ast.Expr) {
	b.order(e)
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && b.isDone(call) {
		return
	}
	b.expr(e)
}

func (b *builder) send(s *ast.SendStmt) {
	elem := b.typeOf(s.Chan).Underlying().(*types.Chan).Elem()
	b.order(s.Chan)
	b.orderAs(s.Value, elem)
	if types.IsInterface(elem) && !types.IsInterface(b.typeOf(s.Value)) {
		b.copyAs(s.Value, elem)
	} else if e := ast.Unparen(s.Value); !b.isStatic(e) && !b.isDone(e) && !b.hasAddress(e) {
		b.done[e] = b.moved(e, elem, s.Arrow)
	}
	ch := b.expr(s.Chan)
	b.emit(&mid.Send{Chan: ch, X: b.convert(b.expr(s.Value), elem, place(s.Value))}, s.Arrow)
}

// setStmtCall computes what the call of a go or defer statement at at needs: what is called, and
// then the arguments.
func (b *builder) setStmtCall(e *ast.CallExpr, c *mid.CallCommon, at token.Pos) {
	if b.info.Types[e.Fun].IsType() {
		panic(fault(b.p.Fset, e, "call"))
	}
	selector, sel := b.methodOf(e)
	builtin := b.builtin(e)
	switch {
	case selector != nil:
		b.order(selector.X)
	case builtin == nil:
		b.order(e.Fun)
	}
	b.orderArgs(e)
	switch {
	case selector == nil && builtin == nil:
		b.copy(e.Fun)
	case selector != nil && types.IsInterface(recvType(sel.obj.(*types.Func))) && len(sel.index) == 1:
		b.copy(selector.X)
	}
	if builtin == nil {
		readMemory(b, e, selector, sel)
	}
	b.later = at
	b.setCall(e, c)
	b.later = token.NoPos
}

// maxByValue is the size up to which gc's function literals have copies of what they capture.
const maxByValue = 128

// readMemory computes what reads memory of the arguments of a call that is made later, behind one,
// or a receiver, that is so big that gc keeps it in memory itself.
func readMemory(b *builder, e *ast.CallExpr, selector *ast.SelectorExpr, sel *selection) {
	changes := effects{b: b}
	isBig := func(t types.Type) bool { return b.p.universe.Sizes.Sizeof(t) > maxByValue }
	sig := b.typeOf(e.Fun).Underlying().(*types.Signature)
	if selector != nil {
		changes.memory = isBig(b.typ(recvType(sel.obj.(*types.Func))))
	}
	for i, a := range e.Args {
		if _, several := b.info.TypeOf(a).(*types.Tuple); several {
			return
		}
		if changes.affect(a) {
			b.copy(a)
		}
		if i < sig.Params().Len() && isBig(sig.Params().At(i).Type()) {
			changes.memory = true
		}
	}
}

func (b *builder) deferStmt(s *ast.DeferStmt) {
	in := &mid.Defer{}
	b.setStmtCall(s.Call, &in.Call, s.Defer)
	if b.loop != nil {
		stack := b.deferStack()
		in.DeferStack = b.load(stack.addr, s.Defer)
	}
	b.emit(in, s.Defer)
}

// deferStack is the variable that has the stack of deferred calls of the function of the source.
func (b *builder) deferStack() *local {
	if b.stack == nil {
		b.stack = b.capture(b.outer.deferStack())
	}
	return b.stack
}

// result is variable i of the results of the function of the source.
func (b *builder) result(i int) *local {
	if b.loop == nil {
		return b.results[i]
	}
	if b.results == nil {
		b.results = make([]*local, len(b.source.results))
	}
	if b.results[i] == nil {
		of := b.outer.result(i)
		if of.object != nil && of.object.Name() != "" && of.object.Name() != "_" {
			b.results[i] = b.variable(of.object)
		} else {
			b.results[i] = b.capture(of)
		}
	}
	return b.results[i]
}

func (b *builder) returnStmt(s *ast.ReturnStmt) {
	n := len(b.source.results)
	switch {
	case len(s.Results) == 0:
	case len(s.Results) == 1 && n > 1:
		tuple := b.tuple(s.Results[0])
		pairs := make([]pair, n)
		for i := range pairs {
			r := b.result(i)
			pairs[i] = pair{result: r, typ: r.typ, value: b.extract(tuple, i)}
		}
		b.parallel(pairs, s.Return)
	default:
		pairs := make([]pair, n)
		for i, e := range s.Results {
			r := b.result(i)
			pairs[i] = pair{result: r, typ: r.typ, rhs: e}
			b.orderAs(e, r.typ)
		}
		b.parallel(pairs, s.Return)
	}
	b.leave(s.Return)
}

// leave returns from the function of the source, whose results have been set.
func (b *builder) leave(pos token.Pos) {
	if b.loop != nil {
		b.exit(&exit{pos: pos, to: b.source})
		return
	}
	if b.recovered != nil {
		b.emit(&mid.RunDefers{}, pos)
	}
	values := b.resultValues(pos)
	b.emit(&mid.Return{Results: values}, pos)
	b.cur = nil
}

func (b *builder) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		b.stmt(s.Init, nil)
	}
	then, end := b.newBlock(), b.newBlock()
	other := end
	if s.Else != nil {
		other = b.newBlock()
	}
	b.cond(s.Cond, then, other)
	b.enter(then)
	if b.cur != nil {
		b.stmts(s.Body.List)
		b.jump(end)
	}
	if s.Else != nil {
		b.enter(other)
		if b.cur != nil {
			b.stmt(s.Else, nil)
			b.jump(end)
		}
	}
	b.enter(end)
}

// labelOf returns what a label names, in the builder of the function that declares it.
func (b *builder) labelOf(o *types.Label) *label {
	l := b.labels[o]
	if l == nil {
		l = &label{}
		if b.labels == nil {
			b.labels = map[*types.Label]*label{}
		}
		b.labels[o] = l
	}
	if l.target == nil && b.scan.gotos[o] {
		l.target = b.newBlock()
	}
	return l
}

func (b *builder) labeled(s *ast.LabeledStmt) {
	o, _ := b.info.Defs[s.Label].(*types.Label)
	if o == nil {
		b.stmt(s.Stmt, nil)
		return
	}
	l := b.labelOf(o)
	if l.target != nil {
		b.jump(l.target)
		b.open(l.target)
	}
	if b.cur != nil {
		b.stmt(s.Stmt, l)
	}
}

// declares reports whether a label is in the code that b makes.
func (b *builder) declares(o *types.Label) bool {
	if b.loop == nil {
		return true
	}
	body := b.f.Syntax().(*ast.RangeStmt).Body
	return body.Pos() <= o.Pos() && o.Pos() < body.End()
}

func (b *builder) branchStmt(s *ast.BranchStmt) {
	at := b
	var to *block
	if s.Label != nil {
		o := b.info.Uses[s.Label].(*types.Label)
		if s.Tok == token.CONTINUE && b.continues(o) {
			to = b.loop.again
		} else {
			for at.loop != nil && !at.declares(o) {
				if at = at.outer; s.Tok == token.CONTINUE && at.continues(o) {
					to = at.loop.again
					break
				}
			}
		}
		if to == nil {
			l := at.labelOf(o)
			switch s.Tok {
			case token.BREAK:
				to = l.leave
			case token.CONTINUE:
				to = l.again
			case token.GOTO:
				to = l.target
			}
		}
	} else {
		for ; to == nil; at = at.outer {
			for t := at.targets; t != nil && to == nil; t = t.outer {
				switch s.Tok {
				case token.BREAK:
					to = t.leave
				case token.CONTINUE:
					to = t.again
				case token.FALLTHROUGH:
					to = t.falls
				}
			}
			if to != nil {
				break
			}
		}
	}
	if at == b {
		b.jump(to)
		return
	}
	b.exit(&exit{pos: s.Pos(), to: at, block: to})
}

func (b *builder) push(t targets) {
	t.outer = b.targets
	b.targets = &t
}

func (b *builder) pop() { b.targets = b.targets.outer }

func (b *builder) forStmt(s *ast.ForStmt, l *label) {
	if s.Init != nil {
		b.stmt(s.Init, nil)
	}
	loop, body, post, end := b.newBlock(), b.newBlock(), b.newBlock(), b.newBlock()
	turns := b.loopVars(s)
	b.jump(loop)
	b.open(loop)
	for _, t := range turns {
		t.v.addr = b.get(t.addr)
	}
	if s.Cond != nil {
		b.cond(s.Cond, body, end)
	} else {
		b.jump(body)
	}
	if l != nil {
		l.leave, l.again = end, post
	}
	b.enter(body)
	if b.cur != nil {
		b.push(targets{leave: end, again: post})
		b.stmts(s.Body.List)
		b.pop()
		b.jump(post)
	}
	b.enter(post)
	if b.cur != nil {
		b.nextTurn(turns, s.For)
		if s.Post != nil {
			b.stmt(s.Post, nil)
		}
		b.jump(loop)
	}
	b.seal(loop)
	b.enter(end)
}

// turn is a variable of a loop that is another one in each turn.
type turn struct {
	v    *local
	addr *local // has its address
}

// loopVars returns the variables of a loop that are new in each turn and that something may hold.
func (b *builder) loopVars(s *ast.ForStmt) (turns []turn) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || !b.perTurn {
		return nil
	}
	for _, e := range init.Lhs {
		v, _ := b.info.Defs[e.(*ast.Ident)].(*types.Var)
		if l := b.vars[v]; v != nil && l != nil && b.scan.vars[v]&taken != 0 {
			addr := &local{typ: l.addr.Type(), pos: v.Pos()}
			b.set(addr, l.addr)
			turns = append(turns, turn{l, addr})
		}
	}
	return turns
}

// nextTurn makes the variables of the next turn, with the values that they have.
func (b *builder) nextTurn(turns []turn, pos token.Pos) {
	for _, t := range turns {
		x := b.load(b.resolve(t.v.addr), pos)
		a := b.alloc(t.v.typ, t.v.pos, mid.Variable, t.v.object.Name(), true)
		b.store(a, x, pos)
		t.v.addr = a
		b.set(t.addr, a)
	}
}
