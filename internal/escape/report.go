package escape

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"

	"golang.org/x/tools/go/ssa"
)

// Message is one line of what -gcflags=-m asks for.
type Message struct {
	Pos  token.Pos
	Text string
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
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				v, ok := instr.(ssa.Value)
				if !ok {
					continue
				}
				if _, ok := f.objects[v]; !ok {
					continue
				}
				if text := f.objectMessage(v); text != "" {
					list = append(list, Message{Position(v), text})
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

func (f *Facts) objectMessage(v ssa.Value) string {
	name := ""
	switch x := v.(type) {
	case *ssa.Call:
		return "" // what its callee makes
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
				return ""
			}
			return "moved to heap: " + x.Comment
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
	if f.OnStack(v) {
		return name + " does not escape"
	}
	return name + " " + f.Explain(v)
}

func (f *Facts) typeName(t types.Type) string {
	return types.TypeString(t, types.RelativeTo(f.pkg.Pkg))
}

// inputMessages describes the parameters of fn that can hold pointers.
func (f *Facts) inputMessages(fn *ssa.Function) []Message {
	s := f.summaries[fn]
	if s == nil || fn.Synthetic != "" {
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
			list = append(list, Message{p.Pos(), fmt.Sprintf(format, args...)})
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
