// Package inline decides which functions other packages may inline.
//
// The inliner (internal/mid/pass) takes their bodies like those of the package that it works on, at
// any depth: those of imported packages, and those that these call. What it leaves calls, and is
// short, a package emits a second time as available_externally, bodies that LLVM may inline but
// never emits: to LLVM a package is a module, so by itself it inlines nothing across packages.
//
// The choice is made on the syntax, so that it is the same whether the package is compiled or only
// read for the sake of another one, which keeps the bodies of these functions and drops the rest.
// Functions that hot calls of a profile reach may be bigger.
package inline

import (
	"go/ast"
	"go/token"
	"strings"

	"loam/internal/linkname"
)

// maxNodes bounds the size of a body, in syntax nodes. The inliner decides again, with a finer
// measure; this only bounds what it gets to see.
const maxNodes = 120

// maxMarkedNodes is that of functions marked //loam:inline, and maxHotNodes of those which
// a profile calls hot.
const (
	maxMarkedNodes = 320
	maxHotNodes    = 2000
)

// maxClauses is how many clauses a switch may have. The loader splits big ones, and would change
// their size.
const maxClauses = 128

// Candidate reports whether other packages may inline the declared function, which a profile may
// call hot.
func Candidate(fd *ast.FuncDecl, hot bool) bool {
	if fd.Body == nil || fd.Type.TypeParams != nil ||
		fd.Recv == nil && (fd.Name.Name == "init" || fd.Name.Name == "main" || fd.Name.Name == "_") {
		return false
	}
	limit := maxNodes
	if hot {
		limit = maxHotNodes
	}
	if fd.Doc != nil {
		for _, c := range fd.Doc.List {
			if strings.HasPrefix(c.Text, "//go:noinline") {
				return false
			}
			if w, ok := linkname.Parse(c.Text); ok && len(w) > 1 { // one word only lets others pull it
				return false
			}
			if c.Text == "//loam:inline" {
				limit = max(limit, maxMarkedNodes)
			}
		}
	}
	ok, n := true, 0
	ast.Inspect(fd.Body, func(node ast.Node) bool {
		switch node := node.(type) {
		case nil:
			return false
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt:
			ok = false
		case *ast.SwitchStmt:
			ok = ok && len(node.Body.List) <= maxClauses
		case *ast.LabeledStmt, *ast.TypeSwitchStmt:
			ok = ok && hot
		case *ast.GenDecl:
			ok = ok && node.Tok != token.TYPE
		case *ast.CallExpr:
			if id, isIdent := node.Fun.(*ast.Ident); isIdent && id.Name == "recover" {
				ok = false
			}
		}
		n++
		ok = ok && n <= limit
		return ok
	})
	return ok
}
