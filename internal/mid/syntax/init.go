package syntax

import (
	"go/ast"
	"go/token"
	"go/types"

	"loam/internal/mid"
)

// initialiser makes the function that evaluates the initialisers of a package's variables, in the
// order that go/types has found, and then calls the functions init.
func (fromSyntax) initialiser(p *Program, s *Package, f *mid.Func) {
	b := newBuilder(p, f)
	b.src, b.info = s, s.info
	perTurn := map[*ast.File]bool{}
	for _, file := range s.files {
		perTurn[file] = hasPerTurn(s.info, file)
	}
	for _, in := range s.info.InitOrder {
		from := len(f.AnonFuncs())
		b.scan = newScan(p, s.info, in.Rhs)
		b.perTurn = perTurn[s.fileAt(in.Rhs.Pos())]
		if len(in.Lhs) == 1 {
			b.initialise(in.Lhs[0], in.Rhs)
		} else {
			tuple := b.tuple(in.Rhs)
			for i, v := range in.Lhs {
				if v.Name() != "_" {
					b.store(p.global(v), b.extract(tuple, i), v.Pos())
				}
			}
		}
		f.NameLiterals(from)
	}
	for _, o := range s.inits {
		call := &mid.Call{Call: mid.CallCommon{Value: p.declared(o)}}
		b.value(call, types.NewTuple(), token.NoPos)
	}
	b.emit(&mid.Return{}, token.NoPos)
	b.cur = nil
	b.finish()
}

// initialise evaluates the initialiser of a variable. Of a literal each element is a statement.
func (b *builder) initialise(v *types.Var, e ast.Expr) {
	if v.Name() == "_" {
		b.discard(e, v)
		return
	}
	g := b.p.global(v)
	b.divided = true
	defer func() { b.divided = false }()
	b.initialiseAt(g, e, v.Type(), v.Pos())
}

// initialiseAt gives the memory at p, which nothing has looked at, the value of e.
func (b *builder) initialiseAt(p mid.Value, e ast.Expr, t types.Type, pos token.Pos) {
	if b.isNested(e, t) {
		b.fill(p, ast.Unparen(e).(*ast.CompositeLit), t)
		return
	}
	b.store(p, b.convert(b.divide(e, t), t, place(e)), pos)
}
