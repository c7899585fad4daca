package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
)

// traits say how a variable is used in the whole of the function that declares it, function
// literals and bodies of loops over functions included.
type traits uint8

const (
	inMemory  traits = 1 << iota // parts of it are accessed
	taken                        // its address is taken, or another function sees it
	addressed                    // its address is taken
	reset                        // it is set elsewhere than where it is declared
)

// declared is what a scan asks of the program's functions, instances among them.
type declared interface {
	// nodesOf is what a function costs where gc inlines it.
	nodesOf(o *types.Func) int
	// inlines reports whether gc inlines at all.
	inlines() bool
	// scanOf is the scan of a function that a call names, with its declaration; nil if the
	// compilation has no body of it.
	scanOf(o *types.Func) (*scan, *ast.FuncDecl)
}

// scan is what is known of a declared function, or of what initialises a variable, before its code
// is made.
type scan struct {
	p     declared
	info  *types.Info
	root  ast.Node
	vars  map[*types.Var]traits
	owner map[*types.Var]ast.Node // the function that declares it
	gotos map[types.Object]bool   // labels that goto names

	// Of declared functions and literals:
	defers map[ast.Node]bool     // they defer calls, in loops over functions perhaps
	lends  map[ast.Node]bool     // bodies of loops over functions defer calls for them
	leaves map[ast.Node]bool     // bodies of loops over functions return from them
	around map[ast.Node]ast.Node // the function around one

	// What gc inlines (closures.go):
	first    map[*types.Var]ast.Expr   // what variables that are functions are declared with
	given    map[*types.Var][]given    // what interfaces are
	captures map[*types.Var][]ast.Node // functions that see a variable of one around them
	roles    map[ast.Expr]use          // of literals, and of names of variables that are functions
	uses     map[*types.Var][]use      // of variables that are functions
	returned map[*ast.FuncLit]bool
	caller   map[*ast.CallExpr]ast.Node
	apart    map[*ast.CallExpr]bool // calls that are deferred, or a goroutine's
	isGone   map[*ast.FuncLit]bool
	size     int // nodes of the root to gc, and one; 0 if they have not been counted
}

// newScan looks at a function, or at an expression outside of all.
func newScan(p declared, info *types.Info, root ast.Node) *scan {
	s := &scan{
		p:      p,
		info:   info,
		root:   root,
		vars:   map[*types.Var]traits{},
		owner:  map[*types.Var]ast.Node{},
		gotos:  map[types.Object]bool{},
		defers: map[ast.Node]bool{},
		lends:  map[ast.Node]bool{},
		leaves: map[ast.Node]bool{},
		around: map[ast.Node]ast.Node{},

		first:    map[*types.Var]ast.Expr{},
		given:    map[*types.Var][]given{},
		captures: map[*types.Var][]ast.Node{},
		roles:    map[ast.Expr]use{},
		uses:     map[*types.Var][]use{},
		returned: map[*ast.FuncLit]bool{},
		caller:   map[*ast.CallExpr]ast.Node{},
		apart:    map[*ast.CallExpr]bool{},
		isGone:   map[*ast.FuncLit]bool{},
	}
	s.walk(root, root, root)
	return s
}

// walk looks at n. fn is the function that it is in, a literal or the body of a loop over a
// function, and source the literal or declaration.
func (s *scan) walk(n, fn, source ast.Node) {
	ast.Inspect(n, func(m ast.Node) bool {
		s.roleOf(m, fn)
		switch m := m.(type) {
		case *ast.FuncLit:
			if m == fn {
				return true
			}
			s.around[m] = fn
			s.walk(m, m, m)
			return false
		case *ast.RangeStmt:
			s.ranged(m, fn, source)
			return false
		case *ast.DeferStmt:
			s.defers[source] = true
			if fn != source {
				s.lends[source] = true
			}
		case *ast.BranchStmt:
			if m.Tok == token.GOTO {
				s.gotos[s.info.Uses[m.Label]] = true
			}
		case *ast.ReturnStmt:
			if fn != source {
				s.leaves[source] = true
			}
		default:
			s.node(m, fn)
		}
		return true
	})
}

// ranged looks at a loop, whose body may be a function.
func (s *scan) ranged(m *ast.RangeStmt, fn, source ast.Node) {
	s.walk(m.X, fn, source)
	s.givesRange(m)
	inner := fn
	if _, ok := s.info.TypeOf(m.X).Underlying().(*types.Signature); ok || hasCore[*types.Signature](s.info.TypeOf(m.X)) {
		inner = m
		s.around[m] = fn
	}
	for _, e := range []ast.Expr{m.Key, m.Value} {
		if e == nil {
			continue
		}
		s.walk(e, inner, source)
		if m.Tok == token.ASSIGN {
			s.assigned(e)
		}
	}
	for _, stmt := range m.Body.List {
		s.walk(stmt, inner, source)
	}
}

// hasCore reports whether all types of a type parameter have an underlying type of that kind.
func hasCore[T types.Type](t types.Type) bool {
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return false
	}
	return allTerms(p.Constraint(), func(t types.Type) bool { _, ok := t.Underlying().(T); return ok })
}

// allTerms reports whether a constraint lists types, and all are as is says.
func allTerms(t types.Type, is func(types.Type) bool) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return is(t)
	}
	for i := range iface.NumEmbeddeds() {
		switch e := types.Unalias(iface.EmbeddedType(i)).(type) {
		case *types.Union:
			all := e.Len() > 0
			for k := range e.Len() {
				all = all && allTerms(e.Term(k).Type(), is)
			}
			if all {
				return true
			}
		default:
			if allTerms(e, is) {
				return true
			}
		}
	}
	return false
}

// node looks at what is neither a function nor a loop over something.
func (s *scan) node(n, fn ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		if v, ok := s.info.Defs[n].(*types.Var); ok {
			s.owner[v] = fn
		} else if v, ok := s.info.Uses[n].(*types.Var); ok && !v.IsField() {
			if owner, known := s.owner[v]; known {
				if owner != fn {
					s.vars[v] |= taken
				}
				s.used(n, v, fn, owner)
			}
		}
	case *ast.CaseClause:
		if v, ok := s.info.Implicits[n].(*types.Var); ok {
			s.owner[v] = fn
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			s.base(n.X, taken|addressed)
		}
	case *ast.SliceExpr:
		if mayBeArray(s.info.TypeOf(n.X)) {
			s.base(n.X, taken|addressed)
		}
	case *ast.IndexExpr:
		if t := s.info.TypeOf(n.X); t != nil && mayBeArray(t) {
			s.base(n.X, inMemory)
		}
	case *ast.SelectorExpr:
		s.selector(n)
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			if id, ok := e.(*ast.Ident); ok && n.Tok == token.DEFINE && s.info.Defs[id] != nil {
				continue
			}
			s.assigned(e)
		}
	case *ast.IncDecStmt:
		s.assigned(n.X)
	}
}

// selector looks at x.f and x.m.
func (s *scan) selector(n *ast.SelectorExpr) {
	sel := s.info.Selections[n]
	if sel == nil || sel.Kind() == types.MethodExpr || isPointer(s.info.TypeOf(n.X)) {
		return
	}
	switch sel.Kind() {
	case types.FieldVal:
		s.base(n.X, inMemory)
	case types.MethodVal:
		recv := sel.Obj().(*types.Func).Signature().Recv()
		if recv != nil && isPointer(recv.Type()) && !sel.Indirect() {
			s.base(n.X, taken|addressed)
		} else if len(sel.Index()) > 1 {
			s.base(n.X, inMemory)
		}
	}
}

// mayBeArray reports whether a value of type t is an array, in some instance at least.
func mayBeArray(t types.Type) bool {
	isArray := func(t types.Type) bool {
		_, ok := t.Underlying().(*types.Array)
		return ok
	}
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return !allTerms(p.Constraint(), func(t types.Type) bool { return !isArray(t) })
	}
	return isArray(t)
}

// base notes that the variable of which e is a part, if it is one, is used in that way.
func (s *scan) base(e ast.Expr, how traits) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.Ident:
			if v, ok := s.info.ObjectOf(x).(*types.Var); ok && (!isPointer(v.Type()) || how&taken != 0) {
				s.vars[v] |= how
			}
			return
		case *ast.SelectorExpr:
			sel := s.info.Selections[x]
			if sel == nil || sel.Kind() != types.FieldVal || isPointer(s.info.TypeOf(x.X)) {
				return
			}
			e = x.X
		case *ast.IndexExpr:
			t := s.info.TypeOf(x.X)
			if t == nil || !mayBeArray(t) {
				return
			}
			e = x.X
		default:
			return
		}
	}
}

// assigned notes that e is set.
func (s *scan) assigned(e ast.Expr) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if v, ok := s.info.ObjectOf(id).(*types.Var); ok {
			s.vars[v] |= reset
		}
	}
}
