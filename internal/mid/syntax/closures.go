package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A function literal that gc inlines wherever it is called is gone: what it captures is its
// function's own. That takes a literal that is only called, or the value of a variable that is
// never set again and only called, or an argument of an inlined function that only calls it; each
// of these calls is in the function that has the literal, or in one that gets inlined there.

// use is how an expression is used: what calls it, what it is an argument of, or which variable it
// is the only value of; none of them if it is used otherwise.
type use struct {
	call *ast.CallExpr
	arg  int        // in call; -1 if it is what is called
	to   *types.Var // that is declared with it
	fn   ast.Node   // the function where it is used
}

// role notes how gc may see through the use of e. It is asked for before e is looked at.
func (s *scan) role(e ast.Expr, u use) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := s.info.Uses[e].(*types.Var); !ok || !isFunc(v.Type()) {
			return
		}
		s.roles[e] = u
	case *ast.FuncLit:
		s.roles[e] = u
	default:
		return
	}
	if u.to != nil {
		s.first[u.to] = e
	}
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// roleOf notes the roles of n's expressions.
func (s *scan) roleOf(n, fn ast.Node) {
	s.gives(n)
	switch n := n.(type) {
	case *ast.GoStmt:
		s.apart[n.Call] = true
	case *ast.DeferStmt:
		s.apart[n.Call] = true
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
				s.returned[lit] = true
			}
		}
	case *ast.CallExpr:
		s.caller[n] = fn
		if s.apart[n] {
			return
		}
		s.role(n.Fun, use{call: n, arg: -1, fn: fn})
		for i, a := range n.Args {
			s.role(a, use{call: n, arg: i, fn: fn})
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE || len(n.Lhs) != len(n.Rhs) {
			return
		}
		for i, e := range n.Lhs {
			if v, ok := s.info.Defs[e.(*ast.Ident)].(*types.Var); ok {
				s.role(n.Rhs[i], use{to: v, fn: fn})
			}
		}
	case *ast.ValueSpec:
		if len(n.Names) != len(n.Values) {
			return
		}
		for i, id := range n.Names {
			if v, ok := s.info.Defs[id].(*types.Var); ok && id.Name != "_" {
				s.role(n.Values[i], use{to: v, fn: fn})
			}
		}
	}
}

// used notes that fn, where id stands, uses a local variable, of which owner is the function.
func (s *scan) used(id *ast.Ident, v *types.Var, fn, owner ast.Node) {
	if fn != owner {
		if list := s.captures[v]; len(list) == 0 || list[len(list)-1] != fn {
			s.captures[v] = append(list, fn)
		}
	}
	if isFunc(v.Type()) {
		u := s.roles[id]
		u.fn = fn
		s.uses[v] = append(s.uses[v], u)
	}
}

// shared reports whether v has an address to gc: something takes it, or a function captures it that
// stays.
func (s *scan) shared(v *types.Var) bool {
	if s.vars[v]&addressed != 0 || len(s.captures[v]) > 0 && s.copied(s.owner[v]) {
		return true
	}
	for _, fn := range s.captures[v] {
		if !s.joins(fn, s.owner[v]) {
			return true
		}
	}
	return false
}

// joins reports whether fn and the functions around it are inlined, up to outer.
func (s *scan) joins(fn, outer ast.Node) bool {
	for fn != nil && fn != outer {
		lit, ok := fn.(*ast.FuncLit)
		if !ok || !s.gone(lit) {
			return false
		}
		fn = s.around[fn]
	}
	return true
}

// isOwn reports whether v is a local variable to gc though it is declared as a parameter or result,
// because the function is inlined.
func (s *scan) isOwn(v *types.Var) bool {
	switch fn := s.owner[v].(type) {
	case *ast.FuncLit:
		return s.gone(fn) && !s.copied(s.around[fn])
	case *ast.FuncDecl:
		return s.goes(fn)
	}
	return false
}

// goes reports whether calls of fn are inlined: all that are seen of a literal, and those of a
// declared function that calls name.
func (s *scan) goes(fn ast.Node) bool {
	switch fn := fn.(type) {
	case *ast.FuncLit:
		return s.gone(fn)
	case *ast.FuncDecl:
		o, ok := s.info.Defs[fn.Name].(*types.Func)
		return ok && s.p.nodesOf(o) <= maxNodes
	}
	return false
}

// copied reports whether fn is a literal that stays in the copies of a function around it, which is
// inlined: in such a literal gc inlines nothing. Where copies are called they are inlined
// themselves, and then it is the function around that counts. One that is returned is taken to be
// called: a sequence is.
func (s *scan) copied(fn ast.Node) bool {
	for lit, ok := fn.(*ast.FuncLit); ok && s.gone(lit); lit, ok = fn.(*ast.FuncLit) {
		fn = s.around[lit]
	}
	if lit, ok := fn.(*ast.FuncLit); !ok || s.returned[lit] {
		return false
	}
	for fn = s.around[fn]; fn != nil; fn = s.around[fn] {
		if s.goes(fn) {
			return true
		}
	}
	return false
}

// gone reports whether all calls of a literal are inlined, and it is used for nothing else.
func (s *scan) gone(lit *ast.FuncLit) bool {
	if gone, ok := s.isGone[lit]; ok {
		return gone
	}
	s.isGone[lit] = false // while it is looked at
	calls, ok := s.sees(lit, s.roles[lit])
	ok = ok && s.fits(lit, calls)
	s.isGone[lit] = ok
	return ok
}

// fits reports whether a literal that is called at so many places is small enough.
func (s *scan) fits(lit *ast.FuncLit, calls int) bool {
	if !s.p.inlines() {
		return false
	}
	limit := 2 * maxNodes
	if s.isBig() {
		limit /= 4
	}
	if calls == 1 {
		limit = maxOnce
	}
	c := counter{p: s.p, info: s.info, sig: s.info.TypeOf(lit).(*types.Signature), root: s.root, scan: s, limit: limit}
	return c.count(lit.Body) != never
}

// sees reports whether gc sees which calls the use of a literal comes to, and how many these are.
func (s *scan) sees(lit *ast.FuncLit, u use) (calls int, ok bool) {
	switch {
	case u.to != nil:
		if s.vars[u.to]&(reset|addressed) != 0 {
			return 0, false
		}
		for _, u := range s.uses[u.to] {
			n, ok := s.sees(lit, u)
			if !ok {
				return 0, false
			}
			calls += n
		}
		return calls, true
	case u.call == nil || u.fn != nil && !s.joins(u.fn, s.around[lit]):
		return 0, false
	case u.arg < 0:
		return 1, true
	}
	return s.calls(u.call, u.arg)
}

// calls reports whether a call is of an inlined function that only calls argument i, and how often.
func (s *scan) calls(call *ast.CallExpr, i int) (int, bool) {
	id := calledName(ast.Unparen(call.Fun))
	if id == nil {
		return 0, false
	}
	o, ok := s.info.Uses[id].(*types.Func)
	if !ok || o.Signature().Variadic() && i >= o.Signature().Params().Len()-1 || !s.inlines(o) {
		return 0, false
	}
	o = o.Origin()
	inner, syntax := s.p.scanOf(o)
	if inner == nil || i >= o.Signature().Params().Len() {
		return 0, false
	}
	v := o.Signature().Params().At(i)
	if inner.vars[v]&(reset|addressed) != 0 {
		return 0, false
	}
	for _, u := range inner.uses[v] {
		if u.call == nil || u.arg >= 0 || u.fn != nil && u.fn != ast.Node(syntax) {
			return 0, false
		}
	}
	return len(inner.uses[v]), true
}

// isBig reports whether the function that is scanned has so many nodes that gc inlines less there.
// All initialisers of a package are one function.
func (s *scan) isBig() bool {
	if s.size == 0 {
		c := counter{p: s.p, info: s.info, root: s.root, scan: s, limit: bigNodes, plain: true}
		if d, ok := s.root.(*ast.FuncDecl); ok && d.Body != nil {
			c.sig = s.info.Defs[d.Name].(*types.Func).Signature()
			c.list(d.Body.List)
		} else if !ok {
			for _, in := range s.info.InitOrder {
				c.n += 1 + len(in.Lhs)
				c.expr(in.Rhs)
			}
		}
		s.size = c.n + 1
	}
	return s.size > bigNodes
}

// inlines reports whether calls of o are inlined in the function that is scanned.
func (s *scan) inlines(o *types.Func) bool {
	n := s.p.nodesOf(o)
	return n <= maxNodes/4 || n <= maxNodes && !s.isBig()
}

// inlined reports whether gc inlines a call.
func (s *scan) inlined(call *ast.CallExpr) bool {
	if s.apart[call] || s.copied(s.caller[call]) {
		return false
	}
	if lit := s.literalOf(call.Fun); lit != nil {
		return s.gone(lit) || s.fits(lit, 2) && s.joins(s.roles[ast.Unparen(call.Fun)].fn, s.around[lit])
	}
	o := s.declared(call)
	return o != nil && s.inlines(o)
}

// declared is the declared function or method that a call is of, nil if it is of something else.
func (s *scan) declared(call *ast.CallExpr) *types.Func {
	if id := calledName(ast.Unparen(call.Fun)); id != nil {
		o, _ := s.info.Uses[id].(*types.Func)
		return o
	}
	return nil
}

// constant reports whether e is a call of an inlined function that always returns the same
// constant, which gc takes for the call's value where that becomes an interface.
func (s *scan) constant(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || s.info.Types[call.Fun].IsType() || !s.inlined(call) {
		return false
	}
	if lit := s.literalOf(call.Fun); lit != nil {
		return s.returnsConstant(lit)
	}
	o := s.declared(call).Origin()
	inner, d := s.p.scanOf(o)
	found := onlyResult(d.Type, d.Body)
	if found == nil || inner.info.Types[found].Value != nil || inner.constant(found) {
		return found != nil
	}
	// What it returns may be that of an argument.
	called, ok := ast.Unparen(found).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, _ := ast.Unparen(called.Fun).(*ast.Ident)
	for i, v := range slices.Collect(o.Signature().Params().Variables()) {
		if id != nil && inner.info.Uses[id] == v && i < len(call.Args) && inner.vars[v]&(reset|addressed) == 0 {
			lit := s.literalOf(call.Args[i])
			return lit != nil && s.returnsConstant(lit)
		}
	}
	return false
}

func (s *scan) returnsConstant(lit *ast.FuncLit) bool {
	found := onlyResult(lit.Type, lit.Body)
	return found != nil && (s.info.Types[found].Value != nil || s.constant(found))
}

// literalOf is the literal that fun stands for, nil if that is not known.
func (s *scan) literalOf(fun ast.Expr) *ast.FuncLit {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.FuncLit:
		return fun
	case *ast.Ident:
		if v, ok := s.info.Uses[fun].(*types.Var); ok && s.vars[v]&reset == 0 && s.first[v] != nil {
			return s.literalOf(s.first[v])
		}
	}
	return nil
}

// onlyResult is what a function returns, if there is one return, with one value without a name.
func onlyResult(t *ast.FuncType, body *ast.BlockStmt) (found ast.Expr) {
	if t.Results == nil || len(t.Results.List) != 1 {
		return nil
	}
	if names := t.Results.List[0].Names; len(names) > 0 && names[0].Name != "_" {
		return nil
	}
	n := 0
	ast.Inspect(body, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			n++
			if len(m.Results) == 1 {
				found = m.Results[0]
			}
		}
		return true
	})
	if n != 1 {
		return nil
	}
	return found
}
