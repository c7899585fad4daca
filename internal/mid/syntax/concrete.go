package syntax

import (
	"go/ast"
	"go/types"
)

// gc knows which type is in an interface of its function's own if values of one type are all that
// it is given. A call of a method is one of that type's method then, and the value, unless it is
// a pointer, is taken out of the interface in its turn.

// give notes that e, on the left of an assignment, is given rhs; nil for what is not known.
func (s *scan) give(e, rhs ast.Expr) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return
	}
	if v, ok := s.info.ObjectOf(id).(*types.Var); ok && !v.IsField() && v.Kind() == types.LocalVar && types.IsInterface(v.Type()) {
		s.given[v] = append(s.given[v], rhs)
	}
}

// gives notes what the variables on the left of a statement are given.
func (s *scan) gives(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, e := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) {
				s.give(e, n.Rhs[i])
			} else {
				s.give(e, nil)
			}
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			switch len(n.Values) {
			case 0:
			case len(n.Names):
				s.give(id, n.Values[i])
			default:
				s.give(id, nil)
			}
		}
	case *ast.TypeSwitchStmt:
		a, ok := n.Assign.(*ast.AssignStmt)
		if !ok {
			return
		}
		for _, c := range n.Body.List {
			if v, ok := s.info.Implicits[c].(*types.Var); ok && types.IsInterface(v.Type()) {
				s.given[v] = append(s.given[v], a.Rhs[0].(*ast.TypeAssertExpr).X)
			}
		}
	}
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
			x, nothing := s.concreteType(g, seen)
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
