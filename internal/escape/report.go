package escape

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"loam/internal/methodexpr"
)

// Message is one line of what -gcflags=-m asks for. Why is not empty for what goes to the heap, and WhyPos is where
// that happens, if known: -m=2 tells.
type Message struct {
	Pos    token.Pos
	Text   string
	Why    string
	WhyPos token.Pos
}

// Messages describes, in gc's words as far as they fit, where each object lives and what
// happens to each parameter of fns, sorted by position.
func (f *Facts) Messages(fns []*ssa.Function) []Message {
	var list []Message
	for _, fn := range fns {
		if fn.Synthetic != "" && fn.Parent() == nil && fn.Object() == nil {
			continue
		}
		list = append(list, f.inputMessages(fn)...)
		source := sourceOf(fn)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				v, ok := instr.(ssa.Value)
				if !ok {
					continue
				}
				if _, ok := f.objects[v]; !ok {
					continue
				}
				if m := f.objectMessage(v, source); m.Text != "" {
					list = append(list, m)
				}
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Pos < list[j].Pos })
	return list
}

// Position is where v's object is made in the source: its own position or that of the
// first instruction after it that has one.
func Position(v ssa.Value) token.Pos {
	if v.Pos().IsValid() {
		return v.Pos()
	}
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return token.NoPos
	}
	switch v := v.(type) {
	case *ssa.MakeClosure:
		if fn := v.Fn.(*ssa.Function); fn.Parent() != nil {
			return fn.Pos()
		}
	case *ssa.MakeInterface:
		if x, ok := v.X.(ssa.Instruction); ok && x.Block() == v.Block() && x.Pos().IsValid() {
			if _, phi := x.(*ssa.Phi); !phi {
				return x.Pos()
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

// objectMessage describes v's object by its source, or by its type where that is not known.
func (f *Facts) objectMessage(v ssa.Value, source map[token.Pos]ast.Expr) (m Message) {
	m.Pos = Position(v)
	if d := f.objects[v]; !f.OnStack(v) {
		m.Why, m.WhyPos = whyText[d.why], d.pos
	}
	name := ""
	switch x := v.(type) {
	case *ssa.Call:
		return Message{} // what its callee makes
	case *ssa.Alloc:
		elem := x.Type().Underlying().(*types.Pointer).Elem()
		switch x.Comment {
		case "new":
			name = "new(" + f.typeName(elem) + ")"
		case "complit":
			name = "&" + f.typeName(elem) + "{...}"
		case "slicelit":
			name = "[]" + f.typeName(elem.Underlying().(*types.Array).Elem()) + "{...}"
		case "makeslice":
			name = "make([]" + f.typeName(elem.Underlying().(*types.Array).Elem()) + ", ...)"
		case "varargs":
			name = "... argument"
		default:
			if f.OnStack(v) {
				return Message{}
			}
			m.Text = "moved to heap: " + x.Comment
			return m
		}
	case *ssa.MakeClosure:
		name = "func literal"
		if fn := x.Fn.(*ssa.Function); fn.Parent() == nil {
			name = "method value"
		}
	case *ssa.MakeSlice:
		name = "make(" + f.typeName(x.Type()) + ", ...)"
	case *ssa.MakeMap:
		name = "make(" + f.typeName(x.Type()) + ")"
	case *ssa.Convert:
		name = f.typeName(x.Type()) + "(...)"
	case *ssa.MakeInterface:
		name = "value of type " + f.typeName(x.X.Type())
	case *ssa.BinOp:
		name = "sum of strings"
	}
	if name != "... argument" && name != "func literal" {
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

// sourceOf finds the expressions of fn by the positions that go/ssa gives their values.
func sourceOf(fn *ssa.Function) map[token.Pos]ast.Expr {
	found := map[token.Pos]ast.Expr{}
	if fn.Syntax() == nil {
		return found
	}
	addressed := map[ast.Expr]ast.Expr{} // &T{}, by T{}
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.Ident:
			if found[e.Pos()] == nil { // x.f has f's position
				found[e.Pos()] = e
			}
		case *ast.SelectorExpr:
			found[e.Sel.Pos()] = e
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
	return types.TypeString(t, types.RelativeTo(f.pkg.Pkg))
}

// inputMessages describes the parameters of fn that can hold pointers.
func (f *Facts) inputMessages(fn *ssa.Function) []Message {
	s := f.summaries[fn]
	if s == nil || fn.Synthetic != "" || methodexpr.Is(fn.Syntax()) {
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
