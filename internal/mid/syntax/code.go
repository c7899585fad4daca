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

// code is what is made of one function, in blocks: instructions and variables. It knows no syntax.
type code struct {
	p     *Program
	f     *mid.Func
	src   *Package
	info  *types.Info
	subst *subst
	scan  *scan

	around    *code  // of the function around a literal or the body of a loop
	cur       *block // nil where control does not get to
	blocks    []*block
	recovered *block
	forwarded map[mid.Value]mid.Value
	vars      map[*types.Var]*local
	free      []mid.Value // the variables around that FreeVars stand for
	pending   []*mid.Note // ahead of the next instruction
	notes     []*mid.Note
}

// newCode begins the first block of f.
func newCode(p *Program, f *mid.Func) *code {
	b := &code{p: p, f: f, vars: map[*types.Var]*local{}}
	b.cur = b.newBlock()
	b.cur.sealed = true
	return b
}

// current is the block that instructions go to.
func (b *code) current() *block {
	if b.cur == nil {
		b.cur = b.newBlock()
		b.cur.sealed = true
	}
	return b.cur
}

// emit adds an instruction.
func (b *code) emit(in mid.Instr, pos token.Pos) {
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
func (b *code) value(in mid.Register, t types.Type, pos token.Pos) mid.Value {
	in.SetType(t)
	b.emit(in, pos)
	return in
}

func (b *code) alloc(t types.Type, pos token.Pos, made mid.Made, name string, heap bool) *mid.Alloc {
	a := &mid.Alloc{Made: made, Var: name, Heap: heap}
	b.value(a, types.NewPointer(t), pos)
	return a
}

func (b *code) load(p mid.Value, pos token.Pos) mid.Value {
	return b.value(&mid.UnOp{Op: token.MUL, X: p}, pointee(p), pos)
}

func (b *code) store(p, x mid.Value, pos token.Pos) {
	b.emit(&mid.Store{Addr: p, Val: b.convert(x, pointee(p), pos)}, pos)
}

func (b *code) extract(tuple mid.Value, i int) mid.Value {
	return b.value(&mid.Extract{Tuple: tuple, Index: i}, tuple.Type().(*types.Tuple).At(i).Type(), b.posOf(tuple))
}

// posOf is where the instruction that makes x is.
func (b *code) posOf(x mid.Value) token.Pos {
	if in, ok := x.(mid.Instr); ok {
		return in.Pos()
	}
	return token.NoPos
}

// pointee is what p points to.
func pointee(p mid.Value) types.Type { return p.Type().Underlying().(*types.Pointer).Elem() }

// declare makes the variable v.
func (b *code) declare(v *types.Var) *local {
	how := b.scan.vars[v]
	l := &local{typ: b.typ(v.Type()), pos: v.Pos(), object: v, once: how&reset == 0}
	if how&(inMemory|taken) != 0 {
		l.addr = b.alloc(l.typ, v.Pos(), mid.Variable, v.Name(), how&taken != 0)
	}
	b.vars[v] = l
	return l
}

// variable returns the variable v, which a function around this one may have declared.
func (b *code) variable(v *types.Var) *local {
	if l := b.vars[v]; l != nil {
		return l
	}
	if b.around == nil {
		panic(fmt.Errorf("%s: syntax: no variable %s", b.p.Fset.Position(v.Pos()), v.Name()))
	}
	l := b.capture(b.around.variable(v))
	b.vars[v] = l
	return l
}

// capture makes a free variable that stands for a variable of the function around this one.
func (b *code) capture(of *local) *local {
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
	b.note(of.object, free, true, of.pos)
	return &local{typ: of.typ, pos: of.pos, addr: free, object: of.object}
}

// anonymous makes a function within the one that is built, which is built at once.
func (b *code) anonymous(kind mid.Kind, sig *types.Signature, syntax ast.Node, pos token.Pos) *mid.Func {
	info := mid.FuncInfo{Syntax: syntax, Pos: pos, Parent: b.f, TypeParams: b.f.Of.TypeParams, TypeArgs: b.f.Of.TypeArgs}
	f := b.p.newFunc("", kind, sig, info, true)
	f.Pkg = b.f.Pkg
	b.f.AddLiteral(f)
	return f
}

// typ returns the type that t is in the instance.
func (b *code) typ(t types.Type) types.Type { return b.subst.typ(t) }

// typeOf is the type of e.
func (b *code) typeOf(e ast.Expr) types.Type {
	t := b.info.TypeOf(e)
	if t == nil {
		panic(fault(b.p.Fset, e, "expression without a type"))
	}
	return b.typ(t)
}

// note tells debuggers that v has a value, or is at an address.
func (b *code) note(v *types.Var, x mid.Value, isAddr bool, pos token.Pos) {
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
