package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

func (b *builder) rangeStmt(s *ast.RangeStmt, l *label) {
	if s.Tok == token.DEFINE && !b.perTurn {
		b.declareRanged(s)
	}
	if b.isEvaluated(s) {
		b.order(s.X)
	}
	r := ranged{b: b, s: s, head: b.newBlock(), end: b.newBlock()}
	if l != nil {
		l.leave, l.again = r.end, r.head
	}
	switch t := b.typeOf(s.X).Underlying().(type) {
	case *types.Slice, *types.Array, *types.Pointer:
		r.indexed(t)
	case *types.Chan:
		r.channel()
	case *types.Map:
		r.iterated(t.Key(), t.Elem(), false)
	case *types.Basic:
		if t.Info()&types.IsString != 0 {
			r.iterated(tInt, types.Typ[types.Rune], true)
		} else {
			r.integer()
		}
	case *types.Signature:
		b.rangeFunc(s, l)
	default:
		panic(fault(b.p.Fset, s, "loop over "+t.String()))
	}
}

// ranged is a loop over something that is no function.
type ranged struct {
	b         *builder
	s         *ast.RangeStmt
	head, end *block
}

func isWanted(e ast.Expr) bool { return e != nil && !isBlank(e) }

// declareRanged declares the variables of a loop that are the same in each turn.
func (b *builder) declareRanged(s *ast.RangeStmt) {
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if isWanted(e) {
			b.declare(b.info.Defs[e.(*ast.Ident)].(*types.Var))
		}
	}
}

// body makes a turn, which begins by assigning key and value, and goes on at the head.
func (r *ranged) body(key, value mid.Value) {
	b := r.b
	b.assignRanged(r.s, key, value)
	b.push(targets{leave: r.end, again: r.head})
	b.stmts(r.s.Body.List)
	b.pop()
	b.jump(r.head)
}

// assignRanged gives key and value of a turn to what is on the left.
func (b *builder) assignRanged(s *ast.RangeStmt, key, value mid.Value) {
	var pairs []pair
	for i, e := range []ast.Expr{s.Key, s.Value} {
		x := []mid.Value{key, value}[i]
		if !isWanted(e) || x == nil {
			continue
		}
		if s.Tok != token.DEFINE {
			b.orderTarget(e)
			pairs = append(pairs, pair{lhs: e, typ: b.typeOf(e), value: x})
			continue
		}
		v := b.info.Defs[e.(*ast.Ident)].(*types.Var)
		x = b.convert(x, b.typ(v.Type()), e.Pos())
		if b.perTurn {
			b.declare(v)
		}
		b.putVar(b.vars[v], x, e.Pos())
	}
	b.parallel(pairs, s.TokPos)
}

// indexed is a loop over a slice, an array or a pointer to one. Without a value the array is not
// evaluated, but for the calls in it.
func (r *ranged) indexed(t types.Type) {
	b, s := r.b, r.s
	array, _ := t.(*types.Array)
	if p, ok := t.(*types.Pointer); ok {
		array = p.Elem().Underlying().(*types.Array)
	}
	var x, length mid.Value
	if b.isEvaluated(s) {
		x = b.expr(s.X)
	}
	if array != nil {
		length = intConst(array.Len())
	} else {
		sig := types.NewSignatureType(nil, nil, nil, tuple(x.Type()), tuple(tInt), false)
		call := &mid.Call{Call: mid.CallCommon{Value: mid.NewBuiltin(mid.BuiltinLen, sig), Args: []mid.Value{x}}}
		length = b.value(call, tInt, s.For)
	}
	index := &local{typ: tInt}
	b.set(index, intConst(-1))
	body := b.newBlock()
	r.head.b.Role = mid.RangeHead
	b.jump(r.head)
	b.open(r.head)
	i := b.get(index)
	i.(*mid.Phi).Index = true
	next := b.value(&mid.BinOp{Op: token.ADD, X: i, Y: intConst(1)}, tInt, s.For)
	b.set(index, next)
	b.branch(b.compare(token.LSS, next, length, s.For), body, r.end, s.For)
	b.enter(body)
	var value mid.Value
	if isWanted(s.Value) {
		pos := place(s.X)
		if a, ok := t.(*types.Array); ok {
			value = b.value(&mid.Index{X: x, Index: next}, a.Elem(), pos)
		} else {
			elem := elemType(t)
			if elem == nil {
				elem = array.Elem()
			}
			value = b.load(b.value(&mid.IndexAddr{X: x, Index: next}, types.NewPointer(elem), pos), pos)
		}
	}
	r.body(next, value)
	b.seal(r.head)
	b.enter(r.end)
}

// integer is a loop over a number.
func (r *ranged) integer() {
	b, s := r.b, r.s
	x := b.expr(s.X)
	if c, ok := x.(*mid.Const); ok {
		x = b.convert(c, types.Default(c.Type()), s.X.Pos())
	}
	t := x.Type()
	count := &local{typ: t}
	b.set(count, zero(t))
	body := b.newBlock()
	if c, ok := x.(*mid.Const); ok && constant.Sign(c.Value) > 0 {
		b.jump(body)
	} else {
		b.branch(b.compare(token.LSS, zero(t), x, s.For), body, r.end, s.For)
	}
	b.open(body)
	var key mid.Value
	if isWanted(s.Key) {
		key = b.get(count)
	}
	r.body(key, nil)
	b.enter(r.head)
	if b.cur != nil {
		next := b.value(&mid.BinOp{Op: token.ADD, X: b.get(count), Y: mid.NewConst(constant.MakeInt64(1), t)}, t, s.For)
		b.set(count, next)
		b.branch(b.compare(token.LSS, next, x, s.For), body, r.end, s.For)
	}
	b.seal(body)
	b.enter(r.end)
}

// iterated is a loop over a map or a string.
func (r *ranged) iterated(key, elem types.Type, isString bool) {
	b, s := r.b, r.s
	iter := b.value(&mid.Range{X: b.expr(s.X)}, mid.Iterator, s.For)
	b.jump(r.head)
	b.open(r.head)
	if !isWanted(s.Key) {
		key = types.Typ[types.Invalid]
	}
	if !isWanted(s.Value) {
		elem = types.Typ[types.Invalid]
	}
	t := tuple(tBool, key, elem)
	next := b.value(&mid.Next{Iter: iter, IsString: isString}, t, s.For)
	body := b.newBlock()
	b.branch(b.extract(next, 0), body, r.end, s.For)
	b.enter(body)
	var k, v mid.Value
	if isWanted(s.Key) {
		k = b.extract(next, 1)
	}
	if isWanted(s.Value) {
		v = b.extract(next, 2)
	}
	r.body(k, v)
	b.seal(r.head)
	b.enter(r.end)
}

// channel is a loop that receives.
func (r *ranged) channel() {
	b, s := r.b, r.s
	x := b.expr(s.X)
	b.jump(r.head)
	b.open(r.head)
	elem := x.Type().Underlying().(*types.Chan).Elem()
	t := tuple(elem, tBool)
	recv := b.value(&mid.UnOp{Op: token.ARROW, X: x, CommaOk: true}, t, s.For)
	body := b.newBlock()
	b.branch(b.extract(recv, 1), body, r.end, s.For)
	b.enter(body)
	var k mid.Value
	if isWanted(s.Key) {
		k = b.extract(recv, 0)
	}
	r.body(k, nil)
	b.seal(r.head)
	b.enter(r.end)
}
