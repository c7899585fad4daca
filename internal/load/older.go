package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"regexp"
)

// The type checker is of the newest release that Loam knows. This file says what the compiler of an
// older SDK says about what only a newer one takes, in the older one's words.

// olderThan reports whether the SDK is of an earlier release of Go.
func (e *Errors) olderThan(release string) bool {
	return e.Package.Release != "" && version.Compare(e.Package.Release, release) < 0
}

// genericMethods reports methods with type parameters, which are a fault of syntax before Go 1.27.
func (e *Errors) genericMethods(fset *token.FileSet, f *ast.File) {
	if !e.olderThan("go1.27") {
		return
	}
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv != nil && fd.Type.TypeParams != nil {
			e.Add(fset.Position(fd.Type.TypeParams.Opening), "syntax error: method must have no type parameters")
		}
	}
}

// promotedKey finds the message about a key of a struct literal that is no field of the struct
// itself.
var promotedKey = regexp.MustCompile(`^use of promoted field (?:.+\.)?(\S+) (in struct literal of type .+) requires go1\.27 or later$`)

// cycleOf finds what is said about types that refer to themselves.
var cycleOf = regexp.MustCompile(`^(invalid recursive type:? )?([^\s\[]+)(\[.*?\])?(?:( refers to )([^\s\[]+)(\[.*\])?)?$`)

// withoutArgs leaves out the type arguments in what is said about types that refer to themselves.
func withoutArgs(msg string) string {
	m := cycleOf.FindStringSubmatch(msg)
	if m == nil || m[1] == "" && m[4] == "" {
		return msg
	}
	return m[1] + m[2] + m[4] + m[5]
}

// olderWords is a message of the type checker as the SDK's compiler has it.
func (e *Errors) olderWords(msg string) string {
	if e.olderThan("go1.27") {
		msg = promotedKey.ReplaceAllString(msg, "unknown field $1 $2")
		msg = withoutArgs(msg)
	}
	return msg
}

// uninstantiated reports generic functions whose type arguments follow from where they are put in a
// literal, sent or converted: before Go 1.27 they follow from assignments, results and arguments
// only.
func (e *Errors) uninstantiated(fset *token.FileSet, f *ast.File, info *types.Info) {
	if !e.olderThan("go1.27") {
		return
	}
	check := func(x ast.Expr) {
		if pair, ok := x.(*ast.KeyValueExpr); ok {
			x = pair.Value
		}
		if isInferred(x, info) {
			e.Add(fset.Position(x.Pos()), "cannot use generic function "+types.ExprString(x)+" without instantiation")
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			for _, x := range n.Elts {
				check(x)
			}
		case *ast.SendStmt:
			check(n.Value)
		case *ast.CallExpr:
			if len(n.Args) == 1 && info.Types[n.Fun].IsType() {
				check(n.Args[0])
			}
		}
		return true
	})
}

// isInferred reports whether x is a generic function without type arguments. Where some are
// written, the others may follow from these.
func isInferred(x ast.Expr, info *types.Info) bool {
	id, _ := x.(*ast.Ident)
	if s, ok := x.(*ast.SelectorExpr); ok {
		id = s.Sel
	}
	if id == nil {
		return false
	}
	_, isFunc := info.Uses[id].(*types.Func)
	return isFunc && info.Instances[id].TypeArgs.Len() > 0
}
