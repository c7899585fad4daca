package syntax

import (
	"go/ast"
	"go/types"
)

// gc knows which type is in an interface of its function's own if values of one type are all that
// it is given. A call of a method is one of that type's method then, and the value, unless it is
// a pointer, is taken out of the interface in its turn.

// given is what a variable is given: the value of an expression, or a value of which only the type
// is known. Of other values neither is.
type given struct {
	expr ast.Expr
	typ  types.Type
}

// give notes that e, on the left of an assignment, is given g.
func (s *scan) give(e ast.Expr, g given) {
	if e == nil {
		return
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return
	}
	if v, ok := s.info.ObjectOf(id).(*types.Var); ok && !v.IsField() && v.Kind() == types.LocalVar && types.IsInterface(v.Type()) {
		s.given[v] = append(s.given[v], g)
	}
}

// giveList notes that each of lhs is given one of rhs, or a component of the only one.
func (s *scan) giveList(lhs, rhs []ast.Expr) {
	if len(lhs) == len(rhs) {
		for i, e := range lhs {
			s.give(e, given{expr: rhs[i]})
		}
		return
	}
	if len(rhs) != 1 {
		return
	}
	only := ast.Unparen(rhs[0])
	if a, ok := only.(*ast.TypeAssertExpr); ok {
		if t := s.info.TypeOf(a.Type); types.IsInterface(t) {
			s.give(lhs[0], given{expr: a.X})
		} else {
			s.give(lhs[0], given{typ: t})
		}
		return
	}
	results, _ := s.info.TypeOf(only).(*types.Tuple)
	for i, e := range lhs {
		var g given
		if results != nil && i < results.Len() {
			g.typ = results.At(i).Type()
		}
		s.give(e, g)
	}
}

// gives notes what the variables on the left of a statement are given.
func (s *scan) gives(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		s.giveList(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		lhs := make([]ast.Expr, len(n.Names))
		for i, id := range n.Names {
			lhs[i] = id
		}
		s.giveList(lhs, n.Values)
	case *ast.TypeSwitchStmt:
		a, ok := n.Assign.(*ast.AssignStmt)
		if !ok {
			return
		}
		for _, c := range n.Body.List {
			if v, ok := s.info.Implicits[c].(*types.Var); ok && types.IsInterface(v.Type()) {
				s.given[v] = append(s.given[v], given{expr: a.Rhs[0].(*ast.TypeAssertExpr).X})
			}
		}
	}
}

// givesRange notes what the variables of a loop are given.
func (s *scan) givesRange(n *ast.RangeStmt) {
	var key, value given
	t := types.Unalias(s.info.TypeOf(n.X)).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	switch t := t.(type) {
	case *types.Array:
		value.typ = t.Elem()
	case *types.Slice:
		value.typ = t.Elem()
	case *types.Chan:
		key.typ = t.Elem()
	case *types.Map:
		key.typ, value.typ = t.Key(), t.Elem()
	case *types.Signature:
		if yield, ok := t.Params().At(0).Type().Underlying().(*types.Signature); ok {
			params := yield.Params()
			if params.Len() > 0 {
				key.typ = params.At(0).Type()
			}
			if params.Len() > 1 {
				value.typ = params.At(1).Type()
			}
		}
	}
	s.give(n.Key, key)
	s.give(n.Value, value)
}

// concrete returns the type of the value in e, an interface; nil if it is not known.
func (s *scan) concrete(e ast.Expr) types.Type {
	t, _ := s.concreteType(e, map[*types.Var]bool{})
	return t
}

// concreteType also tells whether e is given nothing but nil and what has been seen.
func (s *scan) concreteType(e ast.Expr, seen map[*types.Var]bool) (t types.Type, nothing bool) {
	if e == nil {
		return nil, false
	}
	e = ast.Unparen(e)
	tv := s.info.Types[e]
	if tv.IsNil() {
		return nil, true
	}
	if t := s.info.TypeOf(e); t == nil || !types.IsInterface(t) {
		return t, false
	}
	switch e := e.(type) {
	case *ast.TypeAssertExpr:
		return s.concreteType(e.X, seen)
	case *ast.CallExpr:
		if s.info.Types[e.Fun].IsType() {
			return s.concreteType(e.Args[0], seen)
		}
	case *ast.Ident:
		v, ok := s.info.ObjectOf(e).(*types.Var)
		if !ok || v.Kind() != types.LocalVar || s.vars[v]&addressed != 0 {
			return nil, false
		}
		if seen[v] {
			return nil, true
		}
		seen[v] = true
		for _, g := range s.given[v] {
			x, nothing := g.typ, false
			if x == nil {
				x, nothing = s.concreteType(g.expr, seen)
			} else if types.IsInterface(x) {
				return nil, false
			}
			if nothing {
				continue
			}
			if x == nil || t != nil && !types.Identical(t, x) {
				return nil, false
			}
			t = x
		}
		return t, t == nil
	}
	return nil, false
}
