package escape

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"loam/internal/mid"
)

// Message is one line of what -gcflags=-m asks for. Why is not empty for what goes to the heap, and
// WhyPos is where that happens, if known: -m=2 tells.
type Message struct {
	Pos    token.Pos
	Text   string
	Why    string
	WhyPos token.Pos
}

// Messages describes, in gc's words as far as they fit, where each object lives and what
// happens to each parameter of fns, sorted by position. What was inlined is where the call was.
func (f *Facts) Messages(fns []*mid.Func) []Message {
	var list []Message
	sources := map[*mid.Func]map[token.Pos]ast.Expr{}
	for _, fn := range fns {
		if fn.Kind != mid.Declared && fn.Parent() == nil && fn.Object() == nil {
			continue
		}
		list = append(list, f.inputMessages(fn)...)
		for _, b := range fn.Body() {
			for _, instr := range b.Instrs {
				v, ok := instr.(mid.Value)
				if !ok {
					continue
				}
				if _, ok := f.objects[v]; !ok {
					continue
				}
				from := fn
				if s := instr.Site(); s != nil {
					from = s.Fn
				}
				if sources[from] == nil {
					sources[from] = sourceOf(from)
				}
				m := f.objectMessage(v, from, sources[from])
				if m.Text == "" {
					continue
				}
				for s := instr.Site(); s != nil; s = s.Outer {
					m.Pos = s.Pos
				}
				list = append(list, m)
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Pos < list[j].Pos })
	return list
}

// Position is where v's object is made in the source: its own position or that of the
// first instruction after it that has one.
func Position(v mid.Value) token.Pos {
	if array, ok := v.(*mid.Alloc); ok {
		if at := variadicCall(array); at.IsValid() {
			return at
		}
	}
	if v.Pos().IsValid() {
		return v.Pos()
	}
	instr, ok := v.(mid.Instr)
	if !ok {
		return token.NoPos
	}
	switch v := v.(type) {
	case *mid.MakeClosure:
		if fn := v.Fn; fn.Parent() != nil {
			return fn.Pos()
		}
	case *mid.MakeInterface:
		if x, ok := v.X.(mid.Instr); ok && x.Block() == v.Block() && x.Pos().IsValid() {
			if _, phi := x.(*mid.Phi); !phi {
				return positionIn(x, v.Site())
			}
		}
	}
	found := false
	for _, i := range instr.Block().Instrs {
		found = found || i == instr
		if found && i.Pos().IsValid() {
			return i.Pos()
		}
	}
	return instr.Parent().Pos()
}

// variadicCall is where the call is that array is made for, if it is one of variadic arguments.
func variadicCall(array *mid.Alloc) token.Pos {
	if array.Made != mid.VariadicArgs {
		return token.NoPos
	}
	for _, r := range array.Referrers() {
		slice, ok := r.(*mid.Slice)
		if !ok {
			continue
		}
		for _, r := range slice.Referrers() {
			if call, ok := r.(*mid.Call); ok { // or in what is called, if that is inlined
				return positionIn(call, array.Site())
			}
		}
	}
	return token.NoPos
}

// positionIn is where in is for code that is inlined at site, or not inlined if that is nil: the
// call that in has come by, if there is one.
func positionIn(in mid.Instr, site *mid.Site) token.Pos {
	at := in.Pos()
	for s := in.Site(); s != nil && s != site; s = s.Outer {
		at = s.Pos
	}
	return at
}

// objectMessage describes v's object by its source, in function from, or by its type where that is
// not known, or names types without their package.
func (f *Facts) objectMessage(v mid.Value, from *mid.Func, source map[token.Pos]ast.Expr) (m Message) {
	m.Pos = Position(v)
	if d := f.objects[v]; !f.OnStack(v) {
		m.Why, m.WhyPos = whyText[d.why], d.pos
	}
	name, foreign := "", false
	switch x := v.(type) {
	case *mid.Call:
		return Message{} // what its callee makes
	case *mid.Alloc:
		elem := x.Type().Underlying().(*types.Pointer).Elem()
		foreign = from.Pkg != nil && from.Pkg != f.pkg && (x.Made == mid.New || x.Made == mid.Literal)
		switch x.Made {
		case mid.New:
			name = "new(" + f.typeName(elem) + ")"
		case mid.Literal:
			name = "&" + f.typeName(elem) + "{...}"
		case mid.SliceLiteral:
			name = "[]" + f.typeName(elem.Underlying().(*types.Array).Elem()) + "{...}"
		case mid.SliceMade:
			name = "make([]" + f.typeName(elem.Underlying().(*types.Array).Elem()) + ", ...)"
		case mid.VariadicArgs:
			name = "... argument"
		default:
			if f.OnStack(v) {
				return Message{}
			}
			m.Text = "moved to heap: " + x.Var
			return m
		}
	case *mid.MakeClosure:
		name = "func literal"
		if fn := x.Fn; fn.Parent() == nil {
			name = "method value"
		}
	case *mid.MakeSlice:
		name = "make(" + f.typeName(x.Type()) + ", ...)"
	case *mid.MakeMap:
		name = "make(" + f.typeName(x.Type()) + ")"
	case *mid.Convert:
		name = f.typeName(x.Type()) + "(...)"
	case *mid.MakeInterface:
		name = "value of type " + f.typeName(x.X.Type())
	case *mid.BinOp:
		name = "sum of strings"
	}
	if name != "... argument" && name != "func literal" && !foreign {
		if e := source[m.Pos]; e != nil {
			name, m.Pos = describe(e, m.Pos)
		}
	}
	m.Text = name + " escapes to heap"
	if f.OnStack(v) {
		m.Text = name + " does not escape"
	}
	return m
}

// sourceOf finds the expressions of fn by the positions of their values.
func sourceOf(fn *mid.Func) map[token.Pos]ast.Expr {
	found := map[token.Pos]ast.Expr{}
	if fn.Syntax() == nil {
		return found
	}
	addressed := map[ast.Expr]ast.Expr{} // &T{}, by T{}
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.Ident:
			if found[e.Pos()] == nil {
				found[e.Pos()] = e
			}
		case *ast.SelectorExpr:
			found[e.X.End()] = e
		case *ast.CallExpr:
			found[e.Lparen] = e
		case *ast.BinaryExpr:
			found[e.OpPos] = e
		case *ast.UnaryExpr:
			if e.Op == token.AND {
				addressed[ast.Unparen(e.X)] = e
			}
		case *ast.CompositeLit:
			found[e.Lbrace] = e
			if a := addressed[e]; a != nil {
				found[e.Lbrace] = a
			}
		case *ast.IndexExpr:
			found[e.Lbrack] = e
		}
		return true
	})
	return found
}

// describe is e in gc's words, and the position that gc gives it.
func describe(e ast.Expr, at token.Pos) (string, token.Pos) {
	text := strings.ReplaceAll(types.ExprString(e), "{…}", "{...}")
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return text, e.Pos()
	case *ast.CallExpr:
		if t, ok := e.Fun.(*ast.ArrayType); ok && len(e.Args) == 1 { // a conversion
			return "(" + types.ExprString(t) + ")(" + types.ExprString(e.Args[0]) + ")", e.Args[0].Pos()
		}
		if t, ok := e.Fun.(*ast.Ident); ok && t.Name == "string" && len(e.Args) == 1 {
			return text, e.Args[0].Pos()
		}
	}
	return text, at
}

func (f *Facts) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == f.pkg.Pkg {
			return ""
		}
		return p.Name()
	})
}

// inputMessages describes the parameters of fn that can hold pointers.
func (f *Facts) inputMessages(fn *mid.Func) []Message {
	s := f.summaries[fn]
	if s == nil || fn.Kind != mid.Declared || fn.IsMethodExpr() {
		return nil
	}
	if _, ok := fn.Syntax().(*ast.FuncDecl); !ok && fn.Parent() == nil {
		return nil
	}
	an := &analyzer{ptrs: map[types.Type]bool{}}
	var list []Message
	for i, p := range fn.Params {
		if p.Name() == "" || p.Name() == "_" || !an.pointers(p.Type()) {
			continue
		}
		add := func(format string, args ...any) {
			list = append(list, Message{Pos: p.Pos(), Text: fmt.Sprintf(format, args...)})
		}
		quiet := true
		switch h := s.Heap(i); {
		case h == 0:
			add("leaking param: %s", p.Name())
			quiet = false
		case h > 0:
			add("leaking param content: %s", p.Name())
			quiet = false
		}
		for j := range s.nres {
			if d := s.Result(i, j); d >= 0 {
				name := fn.Signature.Results().At(j).Name()
				if name == "" || name == "_" {
					name = fmt.Sprintf("~r%d", j)
				}
				add("leaking param: %s to result %s level=%d", p.Name(), name, d)
				quiet = false
			}
		}
		if quiet {
			add("%s does not escape", p.Name())
		}
	}
	return list
}
