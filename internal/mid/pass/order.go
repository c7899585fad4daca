package pass

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"loam/internal/layout"
	"loam/internal/mid"
)

// The order of evaluation within a statement. The language orders calls and receives, but leaves
// open whether `return x, x.mutate()` reads x before or after the call. go/ssa reads operands from
// left to right; gc makes the calls first and reads variables when it needs them, and programs have
// come to count on it (golang/go#77938). So here reads of variables, and what is computed from them
// without a side effect, move down behind the last call of their statement, or to their first use
// if that comes earlier; so do lookups in maps, and stores into the literal that the statement
// makes. Slicing, type assertions that load, and conversions of structs to interfaces are no such
// reads: gc makes them in their turn, and so they stay and hold what they use. So does the key of a
// lookup that takes the key's address. Where && or || divides the statement into several blocks,
// they first move to the block in which it goes on.
//
// The initialisers of package variables are such statements, too. But of a literal that is a
// variable's value, or an element of such a one that is no map, gc makes a statement for each
// element, so that stores into it stay, and what they store.

// delayReads reorders the instructions of the function.
func (w *function) delayReads() {
	if w.f.Syntax() == nil && !w.initialises() {
		return
	}
	var stmts *statements
	for _, blk := range w.f.DomPreorder() {
		if joinsOperands(blk) {
			if stmts == nil {
				stmts = newStatements(w)
			}
			stmts.carry(blk)
		}
	}
	for _, blk := range w.f.Body() {
		if lastOrdered(blk) < 0 {
			continue
		}
		if stmts == nil {
			stmts = newStatements(w)
		}
		stmts.delay(blk)
	}
}

// initialises tells whether the function evaluates the initialisers of the package's variables.
func (w *function) initialises() bool {
	return w.f == w.in.Pkg.Init
}

// joinsOperands tells whether blk is where && or || ends, as a value.
func joinsOperands(blk *mid.Block) bool { return blk.Role == mid.LogicEnd && blk.Idom() != nil }

// carry moves the reads before the operator that ends with blk to the head of blk, if nobody needs
// what they read before, and a call of the same statement comes in between.
func (s *statements) carry(blk *mid.Block) {
	from := blk.Idom()
	between := between(from, blk)
	var stay, moved []mid.Instr
	isMoved := map[mid.Instr]bool{}
	for i := len(from.Instrs) - 1; i >= 0; i-- {
		in := from.Instrs[i]
		var uses []mid.Instr
		if store, ok := in.(*mid.Store); ok {
			if lit := s.literal(store); lit != nil {
				uses = usesOf(lit)
			}
		} else if s.w.isRead(in) {
			uses = in.(mid.Value).Referrers()
		}
		at := s.of(sourcePos(in))
		if at == (span{}) || !usedFrom(blk, uses, isMoved) || !s.callBefore(uses, at, between, blk) && !movesFor(uses, isMoved) {
			stay = append(stay, in)
			continue
		}
		isMoved[in] = true
		moved = append(moved, in)
	}
	if len(moved) == 0 {
		return
	}
	slices.Reverse(stay)
	slices.Reverse(moved)
	from.SetInstrs(stay)
	phis := 0
	for _, ok := blk.Instrs[phis].(*mid.Phi); ok; _, ok = blk.Instrs[phis].(*mid.Phi) {
		phis++
	}
	blk.SetInstrs(slices.Insert(blk.Instrs, phis, moved...))
}

// between returns the blocks on the ways from one block to another that it dominates, both
// excepted.
func between(from, to *mid.Block) (list []*mid.Block) {
	seen := map[*mid.Block]bool{from: true, to: true}
	for work := slices.Clone(to.Preds); len(work) > 0; {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[blk] {
			seen[blk] = true
			list = append(list, blk)
			work = append(work, blk.Preds...)
		}
	}
	return list
}

// usedFrom tells whether all uses, of which there must be one, come after the head of blk, or are
// moved there.
func usedFrom(blk *mid.Block, uses []mid.Instr, moved map[mid.Instr]bool) bool {
	n := 0
	for _, u := range uses {
		switch u.(type) {
		case *mid.Phi:
			return false
		}
		if !moved[u] && !blk.Dominates(u.Block()) {
			return false
		}
		n++
	}
	return n > 0
}

// movesFor tells whether one of uses has been moved: then its operands go along.
func movesFor(uses []mid.Instr, moved map[mid.Instr]bool) bool {
	return slices.ContainsFunc(uses, func(u mid.Instr) bool { return moved[u] })
}

// callBefore tells whether a call of the statement at comes before all uses: in one of the blocks,
// or in blk.
func (s *statements) callBefore(uses []mid.Instr, at span, blocks []*mid.Block, blk *mid.Block) bool {
	isCall := func(in mid.Instr) bool { return isOrdered(in) && s.of(sourcePos(in)) == at }
	for _, b := range blocks {
		if slices.ContainsFunc(b.Instrs, isCall) {
			return true
		}
	}
	for _, in := range blk.Instrs {
		if slices.Contains(uses, in) {
			return false
		}
		if isCall(in) {
			return true
		}
	}
	return false
}

// lastOrdered returns the index of the last call or receive of blk that may follow a read, -1 if
// there is none.
func lastOrdered(blk *mid.Block) int {
	for i := len(blk.Instrs) - 1; i > 0; i-- {
		if isOrdered(blk.Instrs[i]) {
			return i
		}
	}
	return -1
}

// isOrdered tells whether in is a call or receive, whose order the language fixes.
func isOrdered(in mid.Instr) bool {
	switch in := in.(type) {
	case *mid.Call:
		_, builtin := in.Call.Value.(*mid.Builtin)
		return !builtin
	case *mid.UnOp:
		return in.Op == token.ARROW
	}
	return false
}

// isRead tells whether in reads a variable or computes something from what was read.
func (w *function) isRead(in mid.Instr) bool {
	switch in := in.(type) {
	case *mid.Lookup:
		return !in.CommaOk && !borrowsBytes(in.Index)
	case *mid.TypeAssert:
		return !in.CommaOk && layout.PointerShaped(in.AssertedType)
	case *mid.UnOp:
		return in.Op != token.ARROW && !in.CommaOk && !w.isHeldKey(in)
	case *mid.BinOp, *mid.FieldAddr, *mid.Field, *mid.IndexAddr, *mid.Index, *mid.ChangeType, *mid.ChangeInterface, *mid.Convert:
		return !w.isHeldKey(in.(mid.Value))
	case *mid.MakeInterface:
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

// isHeldKey tells whether v is a key of a lookup that takes its address.
func (w *function) isHeldKey(v mid.Value) bool {
	for _, u := range v.Referrers() {
		if l, ok := u.(*mid.Lookup); ok && l.Index == v {
			return layout.MapFormOf(under(l.X.Type()).(*types.Map), w.in.Sizes) == layout.MapGeneral
		}
	}
	return false
}

// borrowsBytes tells whether key is a string made of bytes only to look it up: nothing may change
// them before that.
func borrowsBytes(key mid.Value) bool {
	c, ok := key.(*mid.Convert)
	if !ok {
		return false
	}
	_, slice := under(c.X.Type()).(*types.Slice)
	return slice
}

// statements finds the statement that a position belongs to.
type statements struct {
	w     *function
	spans []span // sorted; they do not overlap

	divided map[*mid.Alloc]bool // see isDivided
}

// span is the source of a statement, or of an expression in the head of one that holds others.
type span struct{ from, to token.Pos }

// newStatements collects the spans of b.f, function literals excepted: they are functions of their
// own.
func newStatements(w *function) *statements {
	s := &statements{w: w}
	add := func(n ast.Node) {
		if n != nil {
			s.spans = append(s.spans, span{n.Pos(), n.End()})
		}
	}
	root := w.f.Syntax()
	if root == nil {
		for _, f := range w.in.Files {
			for _, d := range f.Decls {
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
					for _, spec := range g.Specs {
						add(spec)
					}
				}
			}
		}
		slices.SortFunc(s.spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
		return s
	}
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
func (s *statements) delay(blk *mid.Block) {
	last := map[span]mid.Instr{} // the last call of a statement, as far as seen
	for i := len(blk.Instrs) - 1; i >= 0; i-- {
		in := blk.Instrs[i]
		at := s.of(sourcePos(in))
		if at == (span{}) {
			continue
		}
		store, _ := in.(*mid.Store)
		switch {
		case isOrdered(in):
			if last[at] == nil {
				last[at] = in
			}
		case last[at] == nil:
		case s.w.isRead(in):
			if uses := in.(mid.Value).Referrers(); len(uses) > 0 || !s.isMeasured(in.Pos()) {
				s.sink(blk.Instrs[i:], last[at], uses)
			}
		case store != nil:
			if lit := s.literal(store); lit != nil {
				s.sink(blk.Instrs[i:], last[at], usesOf(lit))
			}
		}
	}
}

// isMeasured tells whether pos is in an operand of len or cap. If that is an array with a call in
// it, it is evaluated in its turn, though nothing uses it, as the length is a constant.
func (s *statements) isMeasured(pos token.Pos) (found bool) {
	root := s.w.f.Syntax()
	if root == nil {
		return false
	}
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || n.End() <= pos {
			return false
		}
		if c, ok := n.(*ast.CallExpr); ok && c.Lparen < pos {
			id, _ := c.Fun.(*ast.Ident)
			found = found || id != nil && (id.Name == "len" || id.Name == "cap")
		}
		return true
	})
	return found
}

// sourcePos is in's position; go/ssa gives implicit conversions to interfaces none.
func sourcePos(in mid.Instr) token.Pos {
	if mi, ok := in.(*mid.MakeInterface); ok && !mi.Pos().IsValid() {
		return mi.X.Pos()
	}
	return in.Pos()
}

// literal returns the variable that the literal is made in into which store stores, if the
// statement that it belongs to makes it and the store may move; otherwise nil.
func (s *statements) literal(store *mid.Store) *mid.Alloc {
	lit := mid.Base(store.Addr)
	if lit == nil || s.of(lit.Pos()) != s.of(sourcePos(store)) || s.w.initialises() && s.isDivided(lit) {
		return nil
	}
	return lit
}

// isDivided tells whether lit is made for a literal, in the initialiser of a package variable, of
// whose elements gc makes statements.
func (s *statements) isDivided(lit *mid.Alloc) bool {
	divided, known := s.divided[lit]
	if known {
		return divided
	}
	for _, f := range s.w.in.Files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Pos() <= lit.Pos() && lit.Pos() < g.End() {
				for _, spec := range g.Specs {
					for _, value := range spec.(*ast.ValueSpec).Values {
						divided = divided || s.holdsDivided(value, lit.Pos())
					}
				}
			}
		}
	}
	if s.divided == nil {
		s.divided = map[*mid.Alloc]bool{}
	}
	s.divided[lit] = divided
	return divided
}

// holdsDivided tells whether e, the value of a package variable, is or has as an element the
// literal whose brace is at pos, with nothing but addresses and conversions in between.
func (s *statements) holdsDivided(e ast.Expr, pos token.Pos) bool {
	for pos >= e.Pos() && pos < e.End() {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.KeyValueExpr:
			e = x.Value
		case *ast.CallExpr:
			if len(x.Args) != 1 || !s.w.in.Info.Types[x.Fun].IsType() {
				return false
			}
			e = x.Args[0]
		case *ast.CompositeLit:
			if x.Lbrace == pos {
				return true
			}
			if _, isMap := under(s.w.in.Info.TypeOf(x)).(*types.Map); isMap {
				return false
			}
			i, _ := slices.BinarySearchFunc(x.Elts, pos, func(elt ast.Expr, pos token.Pos) int {
				if elt.End() <= pos {
					return -1
				}
				return 1
			})
			if i == len(x.Elts) {
				return false
			}
			e = x.Elts[i]
		default:
			return false
		}
	}
	return false
}

// usesOf returns the instructions that use lit other than to compute the address of a part, and
// those that use such an address other than to store there.
func usesOf(lit *mid.Alloc) (uses []mid.Instr) {
	work := []mid.Register{lit}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, r := range v.Referrers() {
			switch r := r.(type) {
			case *mid.FieldAddr:
				work = append(work, r)
			case *mid.IndexAddr:
				work = append(work, r)
			case *mid.Store:
				if v == mid.Register(lit) || r.Val == mid.Value(v) {
					uses = append(uses, r)
				}
			default:
				uses = append(uses, r)
			}
		}
	}
	return uses
}

// sink moves the first of instrs down to before the first of uses, but not further than behind
// call, nor past reads and stores that are at that place already: they keep their order.
func (s *statements) sink(instrs []mid.Instr, call mid.Instr, uses []mid.Instr) {
	in := instrs[0]
	n := 1
	for n < len(instrs) && !slices.Contains(uses, instrs[n]) {
		n++
		if instrs[n-1] == call {
			break
		}
	}
	for n > 1 {
		if _, store := instrs[n-1].(*mid.Store); !store && !s.w.isRead(instrs[n-1]) {
			break
		}
		n--
	}
	copy(instrs, instrs[1:n])
	instrs[n-1] = in
}
