package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// gc's type checker sees some faults at another place than go/types, and has other words for a few.
// What go/types says is looked up in the syntax, as for labels (labels.go).

// elsewhere are messages, and where gc sees what they are about: place is asked for each node that
// has the fault's position in it, and returns no position for one that is not meant.
var elsewhere = []struct {
	message *regexp.Regexp
	place   func(n ast.Node, err types.Error, m []string) token.Pos
}{
	{regexp.MustCompile(`^in call to (.+), (?:cannot infer |.* does not satisfy )|^\S.* does not satisfy `), openParenthesis},
	{regexp.MustCompile(`^implicit function instantiation requires `), instantiatedCall},
	{regexp.MustCompile(`^cannot index `), openBracket},
	{regexp.MustCompile(`^invalid operation: (?:not enough|too many) arguments for (.+) \(expected \d+, found \d+\)$`), builtinCall},
	{regexp.MustCompile(`^invalid operation: invalid use of \.\.\. with built-in (\w+)$`), spreadCall},
	{regexp.MustCompile(`^not enough arguments in call to `), lastArgument},
	{regexp.MustCompile(`^cannot use \.\.\. (?:in call to non-variadic |with \d+-valued )`), spreadStart},
	{regexp.MustCompile(`^select case must be send or receive`), commClause},
	{regexp.MustCompile(`^\tprevious case$`), previousCase},
	{regexp.MustCompile(`^missing argument in conversion to `), emptyConversion},
	{regexp.MustCompile(`^invalid use of \[\.\.\.\] array`), arrayBracket},
	{regexp.MustCompile(`^invalid operation: cannot send to `), sendStart},
	{regexp.MustCompile(`^invalid use of .+ \(built-in\) in selector expression$`), selectorDot},
	{regexp.MustCompile(`^operand for field selector (\w+) must be value of type `), selectorName},
	{regexp.MustCompile(`^method has (?:no receiver|multiple receivers)$`), methodsName},
}

// gcPosition is where gc sees a type error.
func gcPosition(err types.Error, files []*ast.File) token.Pos {
	for _, rule := range elsewhere {
		m := rule.message.FindStringSubmatch(err.Msg)
		if m == nil {
			continue
		}
		pos := err.Pos
		visit(err.Pos, files, func(n ast.Node) {
			if p := rule.place(n, err, m); p.IsValid() {
				pos = p // the innermost expression is the last
			}
		})
		return pos
	}
	if pos := functionType(err, files); pos.IsValid() {
		return pos
	}
	return slicedPosition(err, files)
}

// unnamed are messages about an expression that do not have it.
var unnamed = regexp.MustCompile(`^(?:non-boolean condition in |too many return values)`)

// slicedPosition is where gc sees a fault of an expression that begins with one that is sliced: gc
// takes the bracket for the beginning.
func slicedPosition(err types.Error, files []*ast.File) token.Pos {
	pos := err.Pos
	visit(err.Pos, files, func(n ast.Node) {
		n2, ok := n.(*ast.SliceExpr)
		if ok && pos == err.Pos && n2.Pos() == err.Pos && (strings.Contains(err.Msg, types.ExprString(n2)) || unnamed.MatchString(err.Msg)) {
			pos = n2.Lbrack
		}
	})
	return pos
}

// visit calls see for the nodes that pos is in, or ends.
func visit(pos token.Pos, files []*ast.File, see func(n ast.Node)) {
	for _, f := range files {
		if pos < f.FileStart || pos >= f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || pos > n.End() {
				return false
			}
			see(n)
			return true
		})
	}
}

// openParenthesis is for arguments whose type cannot be inferred or does not satisfy its
// constraint.
func openParenthesis(n ast.Node, err types.Error, m []string) token.Pos {
	if n, ok := n.(*ast.CallExpr); ok && n.Pos() == err.Pos && (m[1] == "" || types.ExprString(n.Fun) == m[1]) {
		return n.Lparen
	}
	return token.NoPos
}

func instantiatedCall(n ast.Node, err types.Error, _ []string) token.Pos {
	if n, ok := n.(*ast.CallExpr); ok && n.Lparen == err.Pos {
		return n.Pos()
	}
	return token.NoPos
}

func openBracket(n ast.Node, err types.Error, _ []string) token.Pos {
	if n, ok := n.(*ast.IndexExpr); ok && n.Pos() == err.Pos && strings.HasPrefix(err.Msg, "cannot index "+types.ExprString(n.X)+" (") {
		return n.Lbrack
	}
	return token.NoPos
}

func builtinCall(n ast.Node, _ types.Error, m []string) token.Pos {
	if n, ok := n.(*ast.CallExpr); ok && types.ExprString(n) == m[1] {
		return n.Pos()
	}
	return token.NoPos
}

func spreadCall(n ast.Node, _ types.Error, m []string) token.Pos {
	n2, ok := n.(*ast.CallExpr)
	if !ok || !n2.Ellipsis.IsValid() {
		return token.NoPos
	}
	fun := ast.Unparen(n2.Fun)
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		fun = sel.Sel
	}
	if id, ok := fun.(*ast.Ident); ok && id.Name == m[1] {
		return n2.Pos()
	}
	return token.NoPos
}

func spreadStart(n ast.Node, err types.Error, _ []string) token.Pos {
	if n, ok := n.(*ast.CallExpr); ok && (n.Ellipsis == err.Pos ||
		len(n.Args) > 0 && n.Args[len(n.Args)-1].Pos() == err.Pos) && n.Ellipsis.IsValid() {
		return n.Pos()
	}
	return token.NoPos
}

func lastArgument(n ast.Node, err types.Error, _ []string) token.Pos {
	n2, ok := n.(*ast.CallExpr)
	switch {
	case !ok || n2.Rparen != err.Pos:
		return token.NoPos
	case len(n2.Args) == 0:
		return n2.Pos()
	}
	return n2.Args[len(n2.Args)-1].Pos()
}

func emptyConversion(n ast.Node, err types.Error, _ []string) token.Pos {
	if n, ok := n.(*ast.CallExpr); ok && n.Rparen == err.Pos {
		return n.Pos()
	}
	return token.NoPos
}

func arrayBracket(n ast.Node, err types.Error, _ []string) token.Pos {
	if n, ok := n.(*ast.ArrayType); ok && n.Len != nil && n.Len.Pos() == err.Pos {
		return n.Lbrack
	}
	return token.NoPos
}

func sendStart(n ast.Node, err types.Error, _ []string) token.Pos {
	if n, ok := n.(*ast.SendStmt); ok && n.Arrow == err.Pos {
		return n.Pos()
	}
	return token.NoPos
}

func selectorDot(n ast.Node, err types.Error, _ []string) token.Pos {
	if n, ok := n.(*ast.SelectorExpr); ok && n.Sel.Pos() == err.Pos {
		return n.X.End()
	}
	return token.NoPos
}

func selectorName(n ast.Node, err types.Error, m []string) token.Pos {
	if n, ok := n.(*ast.SelectorExpr); ok && n.Pos() == err.Pos && n.Sel.Name == m[1] {
		return n.Sel.Pos()
	}
	return token.NoPos
}

func methodsName(n ast.Node, err types.Error, _ []string) token.Pos {
	if n, ok := n.(*ast.FuncDecl); ok && n.Recv != nil && n.Recv.Pos() <= err.Pos && err.Pos <= n.Recv.End() {
		return n.Name.Pos()
	}
	return token.NoPos
}

var (
	fieldOperand = regexp.MustCompile(`^operand for field selector (\w+) must be value of type (.+)$`)
	funcLiteral  = regexp.MustCompile(`\((func\(.*?) literal\)`)
	hidingName   = regexp.MustCompile(`(\w+)/\* type parameter \*/`)
	extraInit    = regexp.MustCompile(`^extra init expr at (\S+:\d+:\d+)$`)
)

// gcWords is what gc says instead of a message of go/types.
func gcWords(err types.Error, files []*ast.File) string {
	msg := err.Msg
	switch {
	case msg == "use of .(type) outside type switch":
		return "invalid syntax tree: " + msg
	case strings.Contains(msg, "/* type parameter */"):
		return hidingName.ReplaceAllStringFunc(msg, func(s string) string { return hidingText(s, err, files) })
	case strings.Contains(msg, " literal)"):
		return literalTexts(msg, err.Pos, files)
	}
	if m := fieldOperand.FindStringSubmatch(msg); m != nil {
		visit(err.Pos, files, func(n ast.Node) {
			if n, ok := n.(*ast.SelectorExpr); ok && n.Pos() == err.Pos && n.Sel.Name == m[1] {
				msg = types.ExprString(n) + " undefined (type " + m[2] + " has no method " + m[1] + ")"
			}
		})
	}
	if m := extraInit.FindStringSubmatch(msg); m != nil {
		msg = "extra init expr at " + inheritedValue(err, m[1], files)
	}
	return msg
}

// hidingText is how gc writes the type parameter with a predeclared name that go/types writes as s.
func hidingText(s string, err types.Error, files []*ast.File) string {
	name := hidingName.FindStringSubmatch(s)[1]
	made := s
	see := func(id *ast.Ident) {
		if id.Name == name {
			made = fmt.Sprintf("%s /* with %s declared at %v */", name, name, err.Fset.Position(id.Pos()))
		}
	}
	visit(err.Pos, files, func(n ast.Node) {
		var lists []*ast.FieldList
		switch n := n.(type) {
		case *ast.TypeSpec:
			lists = append(lists, n.TypeParams)
		case *ast.FuncDecl:
			receiverParams(n, see)
			lists = append(lists, n.Type.TypeParams)
		}
		for _, list := range lists {
			if list == nil {
				continue
			}
			for _, field := range list.List {
				for _, id := range field.Names {
					see(id)
				}
			}
		}
	})
	return made
}

// receiverParams calls see for the names that a method gives the type parameters of its receiver.
func receiverParams(fd *ast.FuncDecl, see func(id *ast.Ident)) {
	if fd.Recv == nil {
		return
	}
	ast.Inspect(fd.Recv, func(n ast.Node) bool {
		var params []ast.Expr
		switch n := n.(type) {
		case *ast.IndexExpr:
			params = []ast.Expr{n.Index}
		case *ast.IndexListExpr:
			params = n.Indices
		}
		for _, x := range params {
			if id, ok := x.(*ast.Ident); ok {
				see(id)
			}
		}
		return true
	})
}

// literalTexts writes the function literals in msg as gc does. go/types writes them by their types.
func literalTexts(msg string, pos token.Pos, files []*ast.File) string {
	literals := map[string][]*ast.FuncLit{} // of the innermost statement or declaration at pos
	visit(pos, files, func(n ast.Node) {
		switch n.(type) {
		case *ast.BlockStmt:
			return
		case ast.Stmt, *ast.ValueSpec:
		default:
			return
		}
		clear(literals)
		ast.Inspect(n, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok {
				text := types.ExprString(lit)
				literals[text] = append(literals[text], lit)
			}
			return true
		})
	})
	for text, list := range literals {
		// Without one for each the message is about those that come first from its place on.
		if n := strings.Count(msg, text); n < len(list) {
			literals[text] = slices.DeleteFunc(list, func(lit *ast.FuncLit) bool { return lit.Pos() < pos && lit.End() <= pos })
		}
	}
	return funcLiteral.ReplaceAllStringFunc(msg, func(s string) string {
		list := literals[s]
		if len(list) == 0 {
			return s
		}
		lit := list[0]
		if len(list) > 1 {
			literals[s] = list[1:]
		}
		if len(lit.Body.List) > 0 {
			return types.ExprString(lit.Type) + " {…}"
		}
		return types.ExprString(lit.Type) + " {}"
	})
}

// inheritedValue is where the value is that a constant declaration has too much. It stands in the
// declaration at the place at, from which the values are taken over.
func inheritedValue(err types.Error, at string, files []*ast.File) string {
	names := 0
	visit(err.Pos, files, func(n ast.Node) {
		if n, ok := n.(*ast.ValueSpec); ok {
			names = len(n.Names)
		}
	})
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if n, ok := n.(*ast.ValueSpec); ok && names > 0 && len(n.Values) > names && err.Fset.Position(n.Pos()).String() == at {
				at = err.Fset.Position(n.Values[names].Pos()).String()
				return false
			}
			return true
		})
	}
	return at
}
