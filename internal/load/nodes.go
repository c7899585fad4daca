package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"loam/internal/mid/syntax"
)

// commClause is for a case of a select statement that is not about a channel.
func commClause(n ast.Node, err types.Error, _ []string) token.Pos {
	if n, ok := n.(*ast.CommClause); ok && n.Comm != nil && n.Comm.Pos() == err.Pos {
		if x, ok := n.Comm.(*ast.ExprStmt); ok {
			return syntax.Place(x.X)
		}
	}
	return token.NoPos
}

// functionType is for a message that names a function's type: gc's begins behind the word func.
func functionType(err types.Error, files []*ast.File) (pos token.Pos) {
	if !strings.Contains(err.Msg, "func(") {
		return token.NoPos
	}
	literal := false
	visit(err.Pos, files, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FuncLit:
			literal = literal || n.Pos() == err.Pos
		case *ast.FuncType:
			if n.Func == err.Pos && !literal && strings.Contains(err.Msg, types.ExprString(n)) {
				pos = n.Params.Opening
			}
		}
	})
	return pos
}

// previousCase is for the first of two equal cases.
func previousCase(n ast.Node, err types.Error, _ []string) token.Pos {
	if n, ok := n.(*ast.CaseClause); ok {
		for _, x := range n.List {
			if x.Pos() == err.Pos {
				return syntax.Place(x)
			}
		}
	}
	return token.NoPos
}

var nthResult = regexp.MustCompile(`\b\d+(?:st|nd|rd|th) function result\b`)

// olderOperand is a message about an operand as compilers before Go 1.27 have it: it names the
// call and not which of its results it is, and has no words for an assignment of several values.
func olderOperand(err types.Error, files []*ast.File) string {
	msg := err.Msg
	if nthResult.MatchString(msg) {
		call := ""
		visit(err.Pos, files, func(n ast.Node) {
			if n, ok := n.(*ast.CallExpr); ok && n.Pos() == err.Pos && call == "" {
				call = types.ExprString(n)
			}
		})
		if call != "" {
			msg = nthResult.ReplaceAllLiteralString(msg, call)
		}
	}
	if before, ok := strings.CutSuffix(msg, " in multiple assignment"); ok {
		msg = before + " in assignment"
		visit(err.Pos, files, func(n ast.Node) {
			n2, ok := n.(*ast.AssignStmt)
			if !ok || len(n2.Lhs) != len(n2.Rhs) {
				return
			}
			for i, x := range n2.Rhs {
				if id, ok := n2.Lhs[i].(*ast.Ident); ok && id.Name == "_" && x.Pos() == err.Pos {
					msg = before + " in assignment to _ identifier"
				}
			}
		})
	}
	return msg
}
