// Package methodexpr rewrites method expressions of generic methods before go/ssa sees them.
//
//	T.Method[A]
//
// becomes what gc makes of it,
//
//	func(recv T, x X, y Y) R { return recv.Method[A](x, y) }
//
// so that function literals have gc's numbers, a nil *T fails as a dereference of it does, and the
// type of the receiver may depend on type parameters, of which go/ssa's thunks make types without
// the method's own.
package methodexpr

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
)

// Rewrite replaces the method expressions of generic methods in files, whose types are in info.
func Rewrite(files []*ast.File, info *types.Info) {
	found := false
	for _, sel := range info.Selections {
		if isGeneric(sel) {
			found = true
			break
		}
	}
	if !found {
		return
	}
	replaced := map[ast.Expr]ast.Expr{}
	for _, f := range files {
		astutil.Apply(f, func(c *astutil.Cursor) bool {
			e, ok := c.Node().(ast.Expr)
			if !ok {
				return true
			}
			selector := selectorOf(e)
			if selector == nil || !isGeneric(info.Selections[selector]) {
				return true
			}
			replaced[e] = literal(selector, info)
			c.Replace(replaced[e])
			return false
		}, nil)
	}
	for _, init := range info.InitOrder {
		if lit := replaced[init.Rhs]; lit != nil {
			init.Rhs = lit
		}
	}
}

// Is tells whether n is a function literal that stands for a method expression.
func Is(n ast.Node) bool {
	lit, ok := n.(*ast.FuncLit)
	return ok && !lit.Body.Lbrace.IsValid()
}

func isGeneric(sel *types.Selection) bool {
	if sel == nil || sel.Kind() != types.MethodExpr {
		return false
	}
	return sel.Obj().(*types.Func).Signature().TypeParams().Len() > 0
}

// selectorOf returns the selector expression that e is or instantiates, nil for other expressions.
func selectorOf(e ast.Expr) *ast.SelectorExpr {
	switch x := e.(type) {
	case *ast.IndexExpr:
		e = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		e = ast.Unparen(x.X)
	}
	selector, _ := e.(*ast.SelectorExpr)
	return selector
}

// literal makes the function literal that stands for an instance of what selector names. Its braces
// have no position: that is how Is knows it.
func literal(selector *ast.SelectorExpr, info *types.Info) ast.Expr {
	at := selector.Pos()
	sig := signature(selector, info)
	params := make([]*types.Var, sig.Params().Len())
	fields := &ast.FieldList{Opening: at, Closing: at}
	for i := range params {
		p := sig.Params().At(i)
		params[i] = types.NewParam(at, p.Pkg(), fmt.Sprintf("p%d", i), p.Type())
		name := &ast.Ident{NamePos: at, Name: params[i].Name()}
		info.Defs[name] = params[i]
		fields.List = append(fields.List, &ast.Field{Names: []*ast.Ident{name}, Type: &ast.Ident{NamePos: at, Name: "_"}})
	}
	results := make([]*types.Var, sig.Results().Len())
	resultFields := &ast.FieldList{}
	for i := range results {
		r := sig.Results().At(i)
		results[i] = types.NewParam(at, r.Pkg(), "", r.Type())
		resultFields.List = append(resultFields.List, &ast.Field{Type: &ast.Ident{NamePos: at, Name: "_"}})
	}
	resultTuple := types.NewTuple(results...)
	full := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), resultTuple, sig.Variadic())

	call := methodCall(selector, params, resultTuple, sig.Variadic(), info)
	var stmt ast.Stmt = &ast.ExprStmt{X: call}
	if len(results) > 0 {
		stmt = &ast.ReturnStmt{Return: at, Results: []ast.Expr{call}}
	}
	lit := &ast.FuncLit{
		Type: &ast.FuncType{Func: at, Params: fields, Results: resultFields},
		Body: &ast.BlockStmt{List: []ast.Stmt{stmt}},
	}
	info.Types[lit] = types.TypeAndValue{Type: full}
	info.Types[lit.Type] = types.TypeAndValue{Type: full}
	return lit
}

// signature is the type of the instance of what selector names. go/types does not note it for all
// expressions whose type arguments follow from where they are assigned.
func signature(selector *ast.SelectorExpr, info *types.Info) *types.Signature {
	list := info.Instances[selector.Sel].TypeArgs
	targs := make([]types.Type, list.Len())
	for i := range targs {
		targs[i] = list.At(i)
	}
	sig, err := types.Instantiate(nil, info.Selections[selector].Type(), targs, false)
	if err != nil {
		panic(fmt.Sprintf("methodexpr: %s: %v", types.ExprString(selector), err))
	}
	return sig.(*types.Signature)
}

// methodCall makes the call of the method that selector names with params, the first being the
// receiver.
func methodCall(selector *ast.SelectorExpr, params []*types.Var, results *types.Tuple, variadic bool, info *types.Info) *ast.CallExpr {
	at := selector.Pos()
	args := make([]ast.Expr, len(params))
	for i, p := range params {
		id := &ast.Ident{NamePos: at, Name: p.Name()}
		info.Uses[id] = p
		info.Types[id] = types.TypeAndValue{Type: p.Type()}
		args[i] = id
	}
	// with the instance that is noted for Sel
	method := &ast.SelectorExpr{X: args[0], Sel: selector.Sel}
	old := info.Selections[selector]
	info.Selections[method] = types.NewMethodSet(params[0].Type()).Lookup(old.Obj().Pkg(), old.Obj().Name())
	info.Types[method] = types.TypeAndValue{Type: types.NewSignatureType(nil, nil, nil, types.NewTuple(params[1:]...), results, variadic)}
	call := &ast.CallExpr{Fun: method, Lparen: at, Args: args[1:], Rparen: at}
	if variadic {
		call.Ellipsis = at
	}
	var t types.Type = results
	if results.Len() == 1 {
		t = results.At(0).Type()
	}
	info.Types[call] = types.TypeAndValue{Type: t}
	return call
}
