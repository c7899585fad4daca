package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Switches of very many clauses are rewritten before go/ssa sees them.
//
// To go/ssa a switch is a chain of tests whose bodies all jump to the block behind it, which is
// therefore in the dominance frontier of each test, once for every body behind that test: go/ssa's
// lists have duplicates. 30,000 clauses take 9 GB. So
//
//	switch x { case A: a; case B: b; ...; default: d }
//
// becomes
//
//	switch tag := x; tag {
//	case A: a; ...
//	default: switch tag { case B: b; ...; default: d }; done = done
//	}
//
// in which the tests come in the same order, and a body jumps behind the switch of its part. The
// assignment keeps go/ssa from making one of these blocks; as nobody reads the variable, nothing is
// left of it once variables have become values.

// partClauses is how many clauses a part has, unless clauses that fall through make it longer;
// switches of up to twice as many stay.
const partClauses = 128

// splitSwitches rewrites the big switches of files, whose types are in info.
func splitSwitches(files []*ast.File, info *types.Info) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SwitchStmt); ok && len(s.Body.List) > 2*partClauses {
				splitSwitch(s, info)
			}
			return true
		})
	}
}

func splitSwitch(s *ast.SwitchStmt, info *types.Info) {
	parts, ok := switchParts(s.Body.List)
	if !ok {
		return
	}
	var before []ast.Stmt
	if s.Init != nil {
		before = append(before, s.Init)
	}
	tag := func() ast.Expr { return nil }
	if s.Tag != nil {
		v := types.NewVar(s.Tag.Pos(), nil, "tag", types.Default(info.TypeOf(s.Tag)))
		name := &ast.Ident{NamePos: s.Tag.Pos(), Name: v.Name()}
		info.Defs[name] = v
		before = append(before, &ast.AssignStmt{Lhs: []ast.Expr{name}, Tok: token.DEFINE, Rhs: []ast.Expr{s.Tag}})
		tag = func() ast.Expr { return use(v, info) }
	}
	done := types.NewVar(token.NoPos, nil, "done", types.Typ[types.Bool])
	name := &ast.Ident{Name: done.Name()}
	info.Defs[name] = done
	before = append(before, &ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{name}}}}})
	s.Init = &ast.BlockStmt{List: before} // scopes have been resolved
	for _, p := range parts[:len(parts)-1] {
		inner := &ast.SwitchStmt{Switch: s.Switch, Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
		rest := &ast.CaseClause{Body: []ast.Stmt{inner, &ast.AssignStmt{Lhs: []ast.Expr{use(done, info)}, Tok: token.ASSIGN, Rhs: []ast.Expr{use(done, info)}}}}
		s.Tag, s.Body.List = tag(), append(p, rest)
		s = inner
	}
	s.Tag, s.Body.List = tag(), parts[len(parts)-1]
}

// use is an expression that is the variable v. It has no position, so that it is in no statement.
func use(v *types.Var, info *types.Info) *ast.Ident {
	id := &ast.Ident{Name: v.Name()}
	info.Uses[id] = v
	info.Types[id] = types.TypeAndValue{Type: v.Type()}
	return id
}

// switchParts cuts clauses where none falls through into the next. The default clause, with those
// that fall through to it and that it falls through to, goes to the end, which changes the order of
// tests if there are such ones: not ok.
func switchParts(clauses []ast.Stmt) (parts [][]ast.Stmt, ok bool) {
	var part []ast.Stmt
	var last *ast.CaseClause // the default clause
	falls := false           // the clause before falls through
	for _, c := range clauses {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			if falls || fallsThrough(c) {
				return nil, false
			}
			last = c
			continue
		}
		if len(part) >= partClauses && !falls {
			parts, part = append(parts, slices.Clip(part)), nil
		}
		part = append(part, c)
		falls = fallsThrough(c)
	}
	if last != nil {
		part = append(part, last)
	}
	return append(parts, part), true
}

func fallsThrough(c *ast.CaseClause) bool {
	body := c.Body
	for len(body) > 0 {
		if _, empty := body[len(body)-1].(*ast.EmptyStmt); !empty {
			break
		}
		body = body[:len(body)-1]
	}
	if len(body) == 0 {
		return false
	}
	last := body[len(body)-1]
	for {
		l, ok := last.(*ast.LabeledStmt)
		if !ok {
			break
		}
		last = l.Stmt
	}
	b, ok := last.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}
