package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// What gc inlines decides which variables are its function's own (closures.go). gc counts the nodes
// of its tree: a call that stays costs 57 more, one of a parameter 17, one that is inlined what the
// called function costs. A declared function may cost 80, a literal twice as much, and one that is
// called at one place 800; in a function of 5,000 nodes a quarter.

const (
	maxNodes     = 80
	maxOnce      = 10 * maxNodes
	bigNodes     = 5000
	callNodes    = 57
	paramNodes   = 17
	literalNodes = 15
	never        = 1 << 30 // of what gc does not inline, whatever it costs
)

// stays reports whether the declaration says that calls stay calls.
func stays(d *ast.FuncDecl) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:noinline") || strings.HasPrefix(c.Text, "//go:uintptr") ||
			strings.HasPrefix(c.Text, "//go:cgo_unsafe_args")
	})
}

// counter counts the nodes that gc makes of a function.
type counter struct {
	p     declared
	info  *types.Info
	sig   *types.Signature // of the function
	root  ast.Node         // of the scan
	scan  *scan            // nil until it is asked for
	limit int
	n     int
	plain bool // nodes are counted, not what calls cost
}

// count returns how many nodes body has, or never if these are more than the limit.
func (c *counter) count(body *ast.BlockStmt) int {
	c.list(body.List)
	if c.n > c.limit {
		return never
	}
	return c.n
}

func (c *counter) list(list []ast.Stmt) {
	for _, s := range list {
		if c.n > c.limit {
			return
		}
		c.stmt(s)
	}
}

func (c *counter) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
	case *ast.BlockStmt:
		c.list(s.List)
	case *ast.ExprStmt:
		c.expr(s.X)
	case *ast.AssignStmt:
		c.n++
		for _, e := range s.Lhs {
			c.target(e, s.Tok)
		}
		c.values(s.Rhs, func(i int) types.Type { return c.info.TypeOf(s.Lhs[i]) })
	case *ast.IncDecStmt:
		c.n += 2
		c.expr(s.X)
	case *ast.DeclStmt:
		c.decl(s.Decl.(*ast.GenDecl))
	case *ast.ReturnStmt:
		c.n++
		c.values(s.Results, func(i int) types.Type { return c.sig.Results().At(i).Type() })
	case *ast.IfStmt:
		c.ifStmt(s)
	case *ast.ForStmt:
		c.n++
		c.stmt(s.Init)
		c.optional(s.Cond)
		c.stmt(s.Post)
		c.list(s.Body.List)
	case *ast.RangeStmt:
		c.n++
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if e != nil {
				c.target(e, s.Tok)
			}
		}
		c.expr(s.X)
		if _, ok := c.info.TypeOf(s.X).Underlying().(*types.Signature); ok {
			c.n += callNodes + literalNodes // the body is a literal
			return
		}
		c.list(s.Body.List)
	case *ast.SwitchStmt:
		c.n++
		c.stmt(s.Init)
		c.optional(s.Tag)
		c.list(s.Body.List)
	case *ast.TypeSwitchStmt:
		c.n += 2
		c.stmt(s.Init)
		switch a := s.Assign.(type) {
		case *ast.AssignStmt:
			c.expr(a.Rhs[0].(*ast.TypeAssertExpr).X)
			c.n += len(s.Body.List)
		case *ast.ExprStmt:
			c.expr(a.X.(*ast.TypeAssertExpr).X)
		}
		c.list(s.Body.List)
	case *ast.CaseClause:
		c.n++
		for _, e := range s.List {
			c.expr(e)
		}
		c.list(s.Body)
	case *ast.SelectStmt:
		c.n++
		c.list(s.Body.List)
	case *ast.CommClause:
		c.n++
		c.stmt(s.Comm)
		c.list(s.Body)
	case *ast.LabeledStmt:
		c.n++
		c.stmt(s.Stmt)
	case *ast.BranchStmt:
		if s.Tok != token.FALLTHROUGH {
			c.n++
		}
	case *ast.SendStmt:
		c.n++
		c.expr(s.Chan)
		c.expr(s.Value)
	case *ast.GoStmt:
		c.apart(s.Call)
	case *ast.DeferStmt:
		c.apart(s.Call)
	}
}

// apart counts a go or defer statement. A function that has one is not inlined.
func (c *counter) apart(call *ast.CallExpr) {
	c.expr(call)
	if !c.plain {
		c.n = never
	}
}

// ifStmt counts a statement of which gc leaves out the branch that a constant forbids.
func (c *counter) ifStmt(s *ast.IfStmt) {
	c.stmt(s.Init)
	if v := c.info.Types[s.Cond].Value; v != nil {
		if constant.BoolVal(v) {
			c.list(s.Body.List)
		} else {
			c.stmt(s.Else)
		}
		return
	}
	c.n++
	c.expr(s.Cond)
	c.list(s.Body.List)
	c.stmt(s.Else)
}

func (c *counter) decl(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		s, ok := spec.(*ast.ValueSpec)
		if !ok || d.Tok != token.VAR {
			continue
		}
		c.n++
		if len(s.Values) == 0 {
			c.n += len(s.Names) - 1
		}
		for _, id := range s.Names {
			c.target(id, token.DEFINE)
		}
		c.values(s.Values, func(i int) types.Type { return c.info.TypeOf(s.Names[i]) })
	}
}

// target counts what is assigned to. A variable that is declared there has a declaration beside.
func (c *counter) target(e ast.Expr, tok token.Token) {
	if id, ok := e.(*ast.Ident); ok {
		c.n++
		if tok == token.DEFINE && id.Name != "_" && c.info.Defs[id] != nil {
			c.n += 2
		}
		return
	}
	c.expr(e)
}

func (c *counter) values(list []ast.Expr, typ func(int) types.Type) {
	for i, e := range list {
		c.expr(e)
		if _, tuple := c.info.TypeOf(e).(*types.Tuple); !tuple {
			c.becomes(e, typ(i))
		}
	}
}

// becomes counts the conversion of e to t, if that is an interface.
func (c *counter) becomes(e ast.Expr, t types.Type) {
	if from := c.info.TypeOf(e); t != nil && from != nil && types.IsInterface(t) && !types.IsInterface(from) && !c.info.Types[e].IsNil() {
		c.n++
	}
}

func (c *counter) optional(e ast.Expr) {
	if e != nil {
		c.expr(e)
	}
}

func (c *counter) expr(e ast.Expr) {
	e = ast.Unparen(e)
	tv := c.info.Types[e]
	if tv.IsType() {
		return
	}
	c.n++
	if tv.Value != nil {
		return
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		if !c.plain {
			c.n += literalNodes
		}
	case *ast.CompositeLit:
		c.composite(e)
	case *ast.SelectorExpr:
		c.selector(e)
	case *ast.IndexExpr:
		if tv := c.info.Types[e.Index]; tv.IsType() {
			return // an instance
		}
		c.expr(e.X)
		c.expr(e.Index)
	case *ast.SliceExpr:
		c.slice(e)
	case *ast.StarExpr:
		c.expr(e.X)
	case *ast.TypeAssertExpr:
		c.expr(e.X)
	case *ast.UnaryExpr:
		if sel, ok := ast.Unparen(e.X).(*ast.SelectorExpr); ok && e.Op == token.AND && c.atStart(sel) {
			c.n -= 2
		}
		c.expr(e.X)
	case *ast.BinaryExpr:
		if basic, ok := tv.Type.Underlying().(*types.Basic); ok && e.Op == token.ADD && basic.Info()&types.IsString != 0 {
			if x, ok := ast.Unparen(e.X).(*ast.BinaryExpr); ok && c.info.Types[x].Value == nil {
				c.n-- // one sum
			}
		}
		c.expr(e.X)
		c.expr(e.Y)
		c.becomes(e.X, c.info.TypeOf(e.Y))
		c.becomes(e.Y, c.info.TypeOf(e.X))
	case *ast.CallExpr:
		c.call(e)
	}
}

// atStart reports whether e is the field of a variable that has its address.
func (c *counter) atStart(e *ast.SelectorExpr) bool {
	sel := c.info.Selections[e]
	if sel == nil || sel.Kind() != types.FieldVal || len(sel.Index()) != 1 || sel.Index()[0] != 0 {
		return false
	}
	_, ok := ast.Unparen(e.X).(*ast.Ident)
	return ok
}

func (c *counter) selector(e *ast.SelectorExpr) {
	sel := c.info.Selections[e]
	if sel == nil {
		return
	}
	switch sel.Kind() {
	case types.MethodExpr:
		c.n--
		return
	case types.MethodVal:
		c.n++
		if c.adapts(e) {
			c.n++
		}
	}
	c.n += len(sel.Index()) - 1
	c.expr(e.X)
}

func (c *counter) slice(e *ast.SliceExpr) {
	if mayBeArray(c.info.TypeOf(e.X)) {
		c.n++
	}
	c.expr(e.X)
	for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
		c.optional(i)
	}
	if e.Low != nil {
		if v := c.info.Types[e.Low].Value; v != nil && constant.Sign(v) == 0 {
			c.n--
		}
	}
}

func (c *counter) composite(e *ast.CompositeLit) {
	t := c.info.TypeOf(e)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
		c.n++
	}
	u := t.Underlying()
	if _, ok := u.(*types.Slice); ok && !c.plain {
		c.n++
	}
	for i, elt := range e.Elts {
		if c.n > c.limit {
			return
		}
		kv, keyed := elt.(*ast.KeyValueExpr)
		if keyed {
			elt = kv.Value
		}
		switch u := u.(type) {
		case *types.Struct:
			c.n++
			if keyed {
				c.becomes(elt, c.info.TypeOf(kv.Key))
			} else if i < u.NumFields() {
				c.becomes(elt, u.Field(i).Type())
			}
		case *types.Map:
			c.n++
			c.expr(kv.Key)
			c.becomes(kv.Key, u.Key())
			c.becomes(elt, u.Elem())
		default:
			if keyed {
				c.n += 2
			}
			c.becomes(elt, elemType(t))
		}
		c.expr(elt)
	}
}

// call counts a call, whose own node has been counted.
func (c *counter) call(e *ast.CallExpr) {
	fun := ast.Unparen(e.Fun)
	if c.info.Types[fun].IsType() {
		if from, to := c.info.TypeOf(e.Args[0]), c.info.TypeOf(e); isFree(from, to) {
			c.n--
		}
		c.expr(e.Args[0])
		return
	}
	if id := calledName(fun); id != nil {
		if o, ok := c.info.Uses[id].(*types.Builtin); ok {
			c.builtin(e, o)
			return
		}
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok && c.info.Selections[sel] != nil && c.info.Selections[sel].Kind() == types.MethodVal {
		c.receiver(sel)
	} else {
		c.expr(fun)
	}
	c.n += c.calling(e)
	c.args(e)
}

// receiver counts what a method is called on, and ODOTINTER for one of an interface.
func (c *counter) receiver(e *ast.SelectorExpr) {
	sel := c.info.Selections[e]
	m := sel.Obj().(*types.Func)
	c.n += len(sel.Index()) - 1
	if types.IsInterface(m.Signature().Recv().Type()) {
		c.n++
	} else if c.adapts(e) {
		c.n++
	}
	c.expr(e.X)
}

// adapts reports whether the address of what e selects a method of is the receiver, or what it
// points to is.
func (c *counter) adapts(e *ast.SelectorExpr) bool {
	sel := c.info.Selections[e]
	recv := sel.Obj().(*types.Func).Signature().Recv().Type()
	return !types.IsInterface(recv) && len(sel.Index()) == 1 && isPointer(recv) != isPointer(c.info.TypeOf(e.X))
}

func (c *counter) args(e *ast.CallExpr) {
	sig, _ := c.info.TypeOf(e.Fun).Underlying().(*types.Signature)
	for i, a := range e.Args {
		c.expr(a)
		if sig == nil {
			continue
		}
		n := sig.Params().Len()
		switch {
		case sig.Variadic() && !e.Ellipsis.IsValid() && i >= n-1:
			c.becomes(a, sig.Params().At(n-1).Type().(*types.Slice).Elem())
		case i < n:
			c.becomes(a, sig.Params().At(i).Type())
		}
	}
	if sig != nil && sig.Variadic() && !e.Ellipsis.IsValid() {
		c.n++
		if len(e.Args) >= sig.Params().Len() && !c.plain {
			c.n++
		}
	}
}

// builtin counts the call of a built-in function.
func (c *counter) builtin(e *ast.CallExpr, o *types.Builtin) {
	switch o {
	case builtinRecover:
		if !c.plain {
			c.n = never
		}
	case builtinPanic:
		c.n++
	}
	for _, a := range e.Args {
		c.expr(a)
	}
}

// calling is what a call costs beside its nodes: the function that is inlined, or what a call is.
func (c *counter) calling(e *ast.CallExpr) int {
	if c.plain {
		return 0
	}
	if lit, ok := ast.Unparen(e.Fun).(*ast.FuncLit); ok {
		return c.literal(lit)
	}
	fun := ast.Unparen(e.Fun)
	id := calledName(fun)
	if id == nil {
		return callNodes
	}
	switch o := c.info.Uses[id].(type) {
	case *types.Func:
		if recv := o.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			return callNodes
		}
		if n := c.p.nodesOf(o); n <= maxNodes {
			return n
		}
	case *types.Var:
		if o.IsField() || isPackageLevel(o) {
			return callNodes
		}
		if o.Kind() != types.LocalVar {
			return paramNodes
		}
		if c.scan == nil {
			c.scan = newScan(c.p, c.info, c.root)
		}
		if lit := c.scan.literalOf(fun); lit != nil {
			return c.literal(lit)
		}
	}
	return callNodes
}

// literal is what a call of a function literal costs.
func (c *counter) literal(lit *ast.FuncLit) int {
	inner := counter{p: c.p, info: c.info, sig: c.info.TypeOf(lit).(*types.Signature), root: c.root, scan: c.scan, limit: 2 * maxNodes}
	if n := inner.count(lit.Body); n != never {
		return n
	}
	return callNodes
}

// calledName is the identifier that says what is called, nil if none does.
func calledName(fun ast.Expr) *ast.Ident {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	case *ast.IndexExpr:
		return calledName(ast.Unparen(fun.X))
	case *ast.IndexListExpr:
		return calledName(ast.Unparen(fun.X))
	}
	return nil
}

// isFree reports whether nothing is done to convert a value.
func isFree(from, to types.Type) bool {
	if types.IsInterface(to) {
		return types.IsInterface(from) && types.Identical(from.Underlying(), to.Underlying())
	}
	u, v := from.Underlying(), to.Underlying()
	if types.Identical(u, v) {
		return true
	}
	if from, ok := u.(*types.Basic); ok {
		if to, ok := v.(*types.Basic); ok && inMachine(from.Kind()) == inMachine(to.Kind()) {
			return true
		}
	}
	isAddress := func(t types.Type) bool {
		basic, ok := t.(*types.Basic)
		return ok && (basic.Kind() == types.UnsafePointer || basic.Kind() == types.Uintptr) || isPointer(t)
	}
	return isAddress(u) && isAddress(v)
}

// inMachine is the type that gc's machine has for a basic type.
func inMachine(k types.BasicKind) types.BasicKind {
	switch k {
	case types.Int:
		return types.Int64
	case types.Uint, types.Uintptr:
		return types.Uint64
	}
	return k
}
