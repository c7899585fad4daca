package lower

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// The order of evaluation within a statement. The language orders calls and receives, but leaves open whether `return x,
// x.mutate()` reads x before or after the call. go/ssa reads operands from left to right; gc makes the calls
// first and reads variables when it needs them, and programs have come to count on it (golang/go#77938). So here reads of variables,
// and what is computed from them without a side effect, move down behind the last call of their statement, or to their
// first use if that comes earlier; so do stores into the literal that the statement makes. Slicing, type assertions, map
// lookups and conversions of structs to interfaces are no such reads: gc makes them in their turn, and so they stay and hold what they use.
// (Where a read and the call are in different blocks, because of && or ||, the read stays, too.)

// delayReads reorders the instructions of b.f.
func (b *fn) delayReads() {
	if b.f.Syntax() == nil {
		return
	}
	var stmts *statements
	for _, blk := range b.f.Blocks {
		if lastOrdered(blk) < 0 {
			continue
		}
		if stmts == nil {
			stmts = newStatements(b.f)
		}
		stmts.delay(blk)
	}
}

// lastOrdered returns the index of the last call or receive of blk that may follow a read, -1 if there is none.
func lastOrdered(blk *ssa.BasicBlock) int {
	for i := len(blk.Instrs) - 1; i > 0; i-- {
		if isOrdered(blk.Instrs[i]) {
			return i
		}
	}
	return -1
}

// isOrdered tells whether in is a call or receive, whose order the language fixes.
func isOrdered(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Call:
		_, builtin := in.Call.Value.(*ssa.Builtin)
		return !builtin
	case *ssa.UnOp:
		return in.Op == token.ARROW
	}
	return false
}

// isRead tells whether in reads a variable or computes something from what was read.
func isRead(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op != token.ARROW && !in.CommaOk
	case *ssa.BinOp, *ssa.FieldAddr, *ssa.Field, *ssa.IndexAddr, *ssa.Index, *ssa.ChangeType, *ssa.Convert:
		return true
	case *ssa.MakeInterface:
		switch u := under(in.X.Type()).(type) {
		case *types.Struct, *types.Array:
			return false
		case *types.Basic:
			return u.Info()&types.IsComplex == 0
		}
		return true
	}
	return false
}

// statements finds the statement that a position belongs to.
type statements struct {
	spans []span // sorted; they do not overlap
}

// span is the source of a statement, or of an expression in the head of one that holds others.
type span struct{ from, to token.Pos }

// newStatements collects the spans of f, function literals excepted: they are functions of their own.
func newStatements(f *ssa.Function) *statements {
	s := new(statements)
	add := func(n ast.Node) {
		if n != nil {
			s.spans = append(s.spans, span{n.Pos(), n.End()})
		}
	}
	root := f.Syntax()
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == root
		case *ast.IfStmt:
			add(n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				add(n.Cond)
			}
		case *ast.RangeStmt:
			add(n.X)
		case *ast.SwitchStmt:
			if n.Tag != nil {
				add(n.Tag)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				add(e)
			}
		case *ast.AssignStmt, *ast.ReturnStmt, *ast.ExprStmt, *ast.SendStmt, *ast.IncDecStmt, *ast.GoStmt, *ast.DeferStmt, *ast.ValueSpec:
			add(n)
		}
		return true
	})
	slices.SortFunc(s.spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return s
}

// of returns the span that pos is in, the zero span if there is none.
func (s *statements) of(pos token.Pos) span {
	i, exact := slices.BinarySearchFunc(s.spans, pos, func(a span, p token.Pos) int { return cmp.Compare(a.from, p) })
	if !exact {
		i--
	}
	if i < 0 || pos >= s.spans[i].to {
		return span{}
	}
	return s.spans[i]
}

// delay moves the reads of one block.
func (s *statements) delay(blk *ssa.BasicBlock) {
	last := map[span]ssa.Instruction{} // the last call of a statement, as far as seen
	for i := len(blk.Instrs) - 1; i >= 0; i-- {
		in := blk.Instrs[i]
		at := s.of(sourcePos(in))
		if at == (span{}) {
			continue
		}
		store, _ := in.(*ssa.Store)
		switch {
		case isOrdered(in):
			if last[at] == nil {
				last[at] = in
			}
		case last[at] == nil:
		case isRead(in):
			sink(blk.Instrs[i:], last[at], *in.(ssa.Value).Referrers())
		case store != nil:
			if lit := literalOf(store.Addr); lit != nil && s.of(lit.Pos()) == at {
				sink(blk.Instrs[i:], last[at], usesOf(lit))
			}
		}
	}
}

// sourcePos is in's position; go/ssa gives implicit conversions to interfaces none.
func sourcePos(in ssa.Instruction) token.Pos {
	if mi, ok := in.(*ssa.MakeInterface); ok && !mi.Pos().IsValid() {
		return mi.X.Pos()
	}
	return in.Pos()
}

// literalOf returns the variable that a composite literal is made in, given the address of a part; nil for other addresses.
func literalOf(part ssa.Value) *ssa.Alloc {
	var whole ssa.Value
	switch a := part.(type) {
	case *ssa.FieldAddr:
		whole = a.X
	case *ssa.IndexAddr:
		whole = a.X
	default:
		return nil
	}
	if lit, ok := whole.(*ssa.Alloc); ok {
		return lit
	}
	return literalOf(whole)
}

// usesOf returns the instructions that use lit other than to compute the address of a part.
func usesOf(lit *ssa.Alloc) (uses []ssa.Instruction) {
	for _, r := range *lit.Referrers() {
		switch r.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr:
		default:
			uses = append(uses, r)
		}
	}
	return uses
}

// sink moves the first of instrs down to before the first of uses, but not further than behind call, nor
// past reads and stores that are at that place already: they keep their order, and moving everything once more changes nothing (a function is
// lowered again in packages that inline it).
func sink(instrs []ssa.Instruction, call ssa.Instruction, uses []ssa.Instruction) {
	in := instrs[0]
	n := 1
	for n < len(instrs) && !slices.Contains(uses, instrs[n]) {
		n++
		if instrs[n-1] == call {
			break
		}
	}
	for n > 1 {
		if _, store := instrs[n-1].(*ssa.Store); !store && !isRead(instrs[n-1]) {
			break
		}
		n--
	}
	copy(instrs, instrs[1:n])
	instrs[n-1] = in
}
