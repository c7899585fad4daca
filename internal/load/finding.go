package load

import (
	"go/ast"
	"go/token"
	"strings"
)

// finding tells in which order gc finds faults: it checks what a package declares, then the bodies
// of its functions, the body of a literal behind the statement that it is in, and looks at last
// which imports are not used. At the end of a function it looks which variables are not.
type finding struct {
	files map[string]*ast.File
	fset  *token.FileSet
}

func newFinding(fset *token.FileSet, files []*ast.File) *finding {
	f := &finding{map[string]*ast.File{}, fset}
	for _, file := range files {
		f.files[fset.Position(file.Package).Filename] = file
	}
	return f
}

// turn is when gc finds se, as numbers: the first one that differs decides.
func (f *finding) turn(se SourceError) (turn []int) {
	const declaring, inBodies, importing = 0, 1, 2
	pos := se.Pos.Offset
	file := f.files[se.Pos.Filename]
	if file != nil {
		pos += f.fset.File(file.Package).Base()
	}
	switch {
	case strings.Contains(se.Msg, " imported and not used") || strings.Contains(se.Msg, " imported as "):
		return []int{importing, pos}
	case file == nil:
		return []int{declaring, pos}
	}
	turn = []int{inBodies}
	var inner *ast.BlockStmt
	var statements []ast.Stmt // around the place
	enter := func(body *ast.BlockStmt) {
		switch {
		case inner == nil:
			turn = append(turn, int(body.Lbrace))
		case len(statements) > 0:
			turn = append(turn, int(statements[len(statements)-1].End()))
		}
		inner, statements = body, nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || int(n.Pos()) > pos || pos >= int(n.End()) {
			return n == ast.Node(file)
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil && int(n.Body.Lbrace) < pos {
				enter(n.Body)
			}
		case *ast.FuncLit:
			if int(n.Body.Lbrace) < pos {
				enter(n.Body)
			}
		case *ast.BlockStmt:
		case ast.Stmt:
			statements = append(statements, n)
		}
		return true
	})
	switch {
	case inner == nil:
		return []int{declaring, pos}
	case isUnused(se.Msg):
		return append(turn, int(inner.Rbrace), pos)
	}
	return append(turn, pos)
}
