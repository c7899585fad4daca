package syntax

import (
	"go/ast"
	"go/token"
)

// Place is the place of a node in gc's tree: not where it begins, but the token that makes it what
// it is. Messages about types and lines of run-time panics name it.
func Place(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n.OpPos
	case *ast.CallExpr:
		return n.Lparen
	case *ast.CompositeLit:
		return n.Lbrace
	case *ast.FuncType:
		return n.Params.Opening
	case *ast.IndexExpr:
		return n.Lbrack
	case *ast.IndexListExpr:
		return n.Lbrack
	case *ast.SelectorExpr:
		return n.X.End()
	case *ast.SliceExpr:
		return n.Lbrack
	case *ast.TypeAssertExpr:
		return n.X.End()
	}
	return n.Pos()
}

// place is where gc computes the value of e: it makes nothing of parentheses, and the address of a
// literal when the literal is made.
func place(e ast.Expr) token.Pos {
	e = ast.Unparen(e)
	if x, ok := e.(*ast.UnaryExpr); ok && x.Op == token.AND {
		if lit, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok {
			return lit.Lbrace
		}
	}
	return Place(e)
}
