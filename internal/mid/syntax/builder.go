package syntax

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"loam/internal/mid"
)

// builder makes the body of one function.
type builder struct {
	p     *Program
	f     *mid.Func
	src   *Package
	info  *types.Info
	subst *subst
	scan  *scan

	perTurn bool     // loops have variables of their own in each turn
	outer   *builder // of the function around a literal or the body of a loop
	source  *builder // of the declaration or literal that it is the code of, or of a part
	loop    *loopBody

	cur       *block // nil where control does not get to
	blocks    []*block
	recovered *block
	forwarded map[mid.Value]mid.Value
	vars      map[*types.Var]*local
	free      []mid.Value // the variables of outer that FreeVars stand for
	results   []*local
	stack     *local // of calls that bodies of loops defer, if there are some
	done      map[ast.Expr]mid.Value
	pending   []*mid.Note // ahead of the next instruction
	notes     []*mid.Note
	targets   *targets
	labels    map[*types.Label]*label
	exits     []*exit   // what bodies of loops in the function leave it for
	uniq      *int      // exits of the source function
	divided   bool      // elements of literals are statements
	later     token.Pos // of the go or defer statement whose call is being prepared
}

// newBuilder makes a builder of f that begins its first block.
func newBuilder(p *Program, f *mid.Func) *builder {
	b := &builder{p: p, f: f, vars: map[*types.Var]*local{}, done: map[ast.Expr]mid.Value{}, uniq: new(int)}
	b.source = b
	b.cur = b.newBlock()
	b.cur.sealed = true
	return b
}

// buildFunc makes the body of a declared function.
func buildFunc(p *Program, s *Package, f *mid.Func, d *decl, sub *subst) {
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
	call := &mid.Call{Call: mid.CallCommon{Value: mid.NewBuiltin(mid.BuiltinDeferStack, types.NewSignatureType(nil, nil, nil, nil, results, false))}}
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
		if l.addr == nil {
			b.set(l, zero(l.typ))
		}
		b.results = append(b.results, l)
	}
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

// current is the block that instructions go to.
func (b *builder) current() *block {
	if b.cur == nil {
		b.cur = b.newBlock()
		b.cur.sealed = true
	}
	return b.cur
}

// emit adds an instruction.
func (b *builder) emit(in mid.Instr, pos token.Pos) {
	at := b.current()
	in.(interface{ SetPos(token.Pos) }).SetPos(pos)
	if b.forwarded != nil {
		var buf [8]*mid.Value
		for _, op := range in.Operands(buf[:0]) {
			if *op != nil {
				*op = b.resolve(*op)
			}
		}
	}
	at.b.Append(in)
	mid.AddUses(in)
	for _, n := range b.pending {
		b.f.AddNote(in, n)
	}
	b.pending = b.pending[:0]
}

// value adds an instruction with a result.
func (b *builder) value(in mid.Register, t types.Type, pos token.Pos) mid.Value {
	in.SetType(t)
	b.emit(in, pos)
	return in
}

func (b *builder) alloc(t types.Type, pos token.Pos, made mid.Made, name string, heap bool) *mid.Alloc {
	a := &mid.Alloc{Made: made, Var: name, Heap: heap}
	b.value(a, types.NewPointer(t), pos)
	return a
}

func (b *builder) load(p mid.Value, pos token.Pos) mid.Value {
	return b.value(&mid.UnOp{Op: token.MUL, X: p}, pointee(p), pos)
}

func (b *builder) store(p, x mid.Value, pos token.Pos) {
	b.emit(&mid.Store{Addr: p, Val: b.convert(x, pointee(p), pos)}, pos)
}

func (b *builder) extract(tuple mid.Value, i int) mid.Value {
	return b.value(&mid.Extract{Tuple: tuple, Index: i}, tuple.Type().(*types.Tuple).At(i).Type(), b.posOf(tuple))
}

// posOf is where the instruction that makes x is.
func (b *builder) posOf(x mid.Value) token.Pos {
	if in, ok := x.(mid.Instr); ok {
		return in.Pos()
	}
	return token.NoPos
}

// pointee is what p points to.
func pointee(p mid.Value) types.Type { return p.Type().Underlying().(*types.Pointer).Elem() }

// declare makes the variable v.
func (b *builder) declare(v *types.Var) *local {
	how := b.scan.vars[v]
	l := &local{typ: b.typ(v.Type()), pos: v.Pos(), object: v, once: how&reset == 0}
	if how&(inMemory|taken) != 0 {
		l.addr = b.alloc(l.typ, v.Pos(), mid.Variable, v.Name(), how&taken != 0)
	}
	b.vars[v] = l
	return l
}

// variable returns the variable v, which a function around this one may have declared.
func (b *builder) variable(v *types.Var) *local {
	if l := b.vars[v]; l != nil {
		return l
	}
	if b.outer == nil {
		panic(fmt.Errorf("%s: syntax: no variable %s", b.p.Fset.Position(v.Pos()), v.Name()))
	}
	l := b.capture(b.outer.variable(v))
	b.vars[v] = l
	return l
}

// capture makes a free variable that stands for a variable of the function around this one.
func (b *builder) capture(of *local) *local {
	if of.addr == nil {
		panic(fmt.Errorf("%s: syntax: a captured variable is in no memory", b.p.Fset.Position(of.pos)))
	}
	name := ""
	if of.object != nil {
		name = of.object.Name()
	} else if a, ok := of.addr.(*mid.Alloc); ok {
		name = a.Var
	} else {
		name = of.addr.Name()
	}
	free := mid.NewFreeVar(b.f, name, of.addr.Type(), of.pos)
	b.free = append(b.free, of.addr)
	return &local{typ: of.typ, pos: of.pos, addr: free, object: of.object}
}

// typ returns the type that t is in the instance.
func (b *builder) typ(t types.Type) types.Type { return b.subst.typ(t) }

// typeOf is the type of e.
func (b *builder) typeOf(e ast.Expr) types.Type {
	t := b.info.TypeOf(e)
	if t == nil {
		panic(fault(b.p.Fset, e, "expression without a type"))
	}
	return b.typ(t)
}

// note tells debuggers that v has a value, or is at an address.
func (b *builder) note(v *types.Var, x mid.Value, isAddr bool, pos token.Pos) {
	if b.src == nil || !b.src.Notes || v == nil || v.Name() == "_" || v.Name() == "" {
		return
	}
	n := &mid.Note{Var: v, X: x, IsAddr: isAddr, Pos: pos}
	b.pending = append(b.pending, n)
	b.notes = append(b.notes, n)
}

var (
	tBool = types.Typ[types.Bool]
	tInt  = types.Typ[types.Int]
	tAny  = types.Universe.Lookup("any").Type().Underlying()
)

func intConst(n int64) *mid.Const { return mid.NewConst(constant.MakeInt64(n), tInt) }

func boolConst(x bool) *mid.Const { return mid.NewConst(constant.MakeBool(x), tBool) }

func initName(n int) string { return "init#" + strconv.Itoa(n) }

// tuple is the type of results of these types.
func tuple(list ...types.Type) *types.Tuple {
	vars := make([]*types.Var, len(list))
	for i, t := range list {
		vars[i] = types.NewParam(token.NoPos, nil, "", t)
	}
	return types.NewTuple(vars...)
}
