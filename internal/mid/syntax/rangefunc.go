package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// The body of a loop over a function is a function that the iterator calls. A variable has the
// loop's state. The body may be called while that is ready. It is busy while the body runs, and
// stays so if the body panics. When the iterator has returned, the loop is done, or goes on at the
// exit that the body left it by, whose number the state is.
const (
	stateReady = 0
	stateBusy  = -1
	stateDone  = -2
)

// loopBody is what the builder of such a function knows besides.
type loopBody struct {
	label *types.Label // of the loop
	state *local
	again *block // ends the call
}

// exit is a way out of the body of a loop over a function.
type exit struct {
	id    int
	pos   token.Pos
	to    *builder // of the function where control goes on
	block *block   // there; nil to return
}

// exit leaves the body of the loop.
func (b *builder) exit(e *exit) {
	if b.cur == nil {
		return
	}
	*b.uniq++
	e.id = *b.uniq
	b.exits = append(b.exits, e)
	b.leaveBody(e, e.pos)
}

// leaveBody ends a call of the body at pos, so that the loop goes on at e.
func (b *builder) leaveBody(e *exit, pos token.Pos) {
	b.store(b.loop.state.addr, intConst(int64(e.id)), pos)
	b.emit(&mid.Return{Results: []mid.Value{boolConst(false)}}, pos)
	b.cur = nil
}

// continues reports whether b makes the body of the loop that has the label.
func (b *builder) continues(o *types.Label) bool { return b.loop != nil && b.loop.label == o }

func (b *builder) rangeFunc(s *ast.RangeStmt, l *label) {
	x := b.expr(s.X)
	end := b.newBlock()
	var name *types.Label
	if l != nil {
		l.leave = end
		for o, of := range b.labels {
			if of == l {
				name = o
			}
		}
	}
	state := &local{typ: tInt, addr: b.alloc(tInt, token.NoPos, mid.Variable, "state", true)}
	sig := x.Type().Underlying().(*types.Signature)
	yield := sig.Params().At(0).Type().Underlying().(*types.Signature)

	f := b.anonymous(mid.LoopBody, yield, s, s.Range)
	addParams(f, yield)
	body := newBuilder(b.p, f)
	body.inherit(b)
	body.source, body.uniq = b.source, b.uniq
	b.push(targets{leave: end})
	body.buildLoopBody(s, state, name)
	b.pop()

	made := b.value(&mid.MakeClosure{Fn: f, Bindings: body.free}, yield, s.Pos())
	call := &mid.Call{Call: mid.CallCommon{Value: x, Args: []mid.Value{made}}}
	call.Call.SetPos(s.Pos())
	b.value(call, sig.Results(), s.Pos())
	b.resume(s, state, body.exits, end)
	b.enter(end)
}

// resume goes on after the iterator has returned. Its code belongs to the line where the loop ends,
// as with gc: a debugger that steps sees that line once.
func (b *builder) resume(s *ast.RangeStmt, state *local, exits []*exit, end *block) {
	brace := s.Body.End() - 1
	at := b.load(b.resolve(state.addr), brace)
	busy, next := b.newBlock(), b.newBlock()
	busy.b.Role = mid.LoopBusy
	b.branch(b.compare(token.EQL, at, intConst(stateBusy), brace), busy, next, brace)
	b.enter(busy)
	b.fail("iterator call did not preserve panic", brace)
	b.enter(next)
	ready, next := b.newBlock(), b.newBlock()
	b.branch(b.compare(token.EQL, at, intConst(stateReady), brace), ready, next, brace)
	b.enter(ready)
	b.store(b.resolve(state.addr), intConst(stateDone), brace)
	b.jump(end)
	b.enter(next)
	for _, e := range exits {
		here, other := b.newBlock(), b.newBlock()
		b.branch(b.compare(token.EQL, at, intConst(int64(e.id)), brace), here, other, brace)
		b.enter(here)
		switch {
		case e.to != b:
			b.exits = append(b.exits, e)
			b.leaveBody(e, brace)
		case e.block == nil:
			b.leave(brace)
		default:
			b.jump(e.block)
		}
		b.enter(other)
	}
	b.jump(end)
}

// fail panics with a text, in place of which users see what the run-time system says.
func (b *builder) fail(text string, pos token.Pos) {
	x := mid.NewConst(constant.MakeString(text), types.Typ[types.String])
	b.emit(&mid.Panic{X: b.convert(x, tAny, pos)}, pos)
	b.cur = nil
}

// buildLoopBody makes the function that the iterator calls.
func (b *builder) buildLoopBody(s *ast.RangeStmt, state *local, name *types.Label) {
	b.loop = &loopBody{label: name}
	b.loop.state = b.capture(state)
	again := b.newBlock()
	b.loop.again = again

	at := b.load(b.loop.state.addr, s.Pos())
	run, invalid := b.newBlock(), b.newBlock()
	invalid.b.Role = mid.YieldInvalid
	b.branch(b.compare(token.EQL, at, intConst(stateReady), s.Pos()), run, invalid, s.Pos())
	b.enter(invalid)
	b.fail("yield function called after range loop exit", s.Pos())
	b.enter(run)
	b.store(b.loop.state.addr, intConst(stateBusy), s.Pos())
	var key, value mid.Value
	if len(b.f.Params) > 0 {
		key = b.f.Params[0]
	}
	if len(b.f.Params) > 1 {
		value = b.f.Params[1]
	}
	if s.Tok == token.DEFINE && !b.perTurn {
		b.declareRanged(s)
	}
	b.assignRanged(s, key, value)
	b.push(targets{again: again})
	b.stmts(s.Body.List)
	b.pop()
	b.jump(again)
	b.enter(again)
	if b.cur != nil {
		b.store(b.loop.state.addr, intConst(stateReady), s.Body.Rbrace)
		b.emit(&mid.Return{Results: []mid.Value{boolConst(true)}}, s.Body.Rbrace)
		b.cur = nil
	}
	b.finish()
}
