package mid

import (
	"bytes"
	"fmt"
	"go/constant"
	"go/types"
	"strconv"
	"strings"
)

// Name is the constant with its type.
func (c *Const) Name() string {
	value := "zero"
	switch {
	case c.IsNil():
		value = "nil"
	case c.Value == nil:
	case c.Value.Kind() == constant.String:
		value = strconv.Quote(constant.StringVal(c.Value))
	default:
		value = c.Value.String()
	}
	return value + ":" + types.TypeString(c.typ, (*types.Package).Name)
}

// Text is f's code for people, with names of packages in place of their paths.
func (f *Func) Text() string {
	var w bytes.Buffer
	p := printer{w: &w}
	fmt.Fprintf(&w, "func %s(", f)
	for i, x := range f.Params {
		if i > 0 {
			w.WriteString(", ")
		}
		fmt.Fprintf(&w, "%s %s", x.name, p.typ(x.typ))
	}
	fmt.Fprintf(&w, ") %s\n", p.typ(f.Signature.Results()))
	for _, v := range f.FreeVars {
		fmt.Fprintf(&w, "  captures %s %s\n", v.name, p.typ(v.typ))
	}
	for _, b := range f.Body() {
		fmt.Fprintf(&w, "b%d:", b.Index)
		if len(b.Preds) > 0 {
			w.WriteString(" <-")
			for _, p := range b.Preds {
				fmt.Fprintf(&w, " b%d", p.Index)
			}
		}
		if b == f.recover {
			w.WriteString(" recovered")
		}
		if b.Role != Plain {
			w.WriteString(" " + b.Role.String())
		}
		w.WriteString("\n")
		for _, in := range b.Instrs {
			w.WriteString("  ")
			p.instr(in)
			w.WriteString("\n")
		}
	}
	return w.String()
}

// String says what the role is.
func (r Role) String() string {
	return [...]string{"plain", "range head", "logic end", "yield invalid", "loop busy"}[r]
}

// String says what is made.
func (m Made) String() string {
	return [...]string{"variable", "new", "literal", "slice literal", "slice made", "variadic"}[m]
}

type printer struct{ w *bytes.Buffer }

func (p *printer) typ(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }

func (p *printer) value(v Value) string {
	switch v := v.(type) {
	case nil:
		return "_"
	case *Func:
		return v.String()
	case *Global:
		return v.String()
	}
	return v.Name()
}

func (p *printer) values(list []Value) string {
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = p.value(v)
	}
	return strings.Join(names, ", ")
}

func (p *printer) call(c *CallCommon) string {
	callee := p.value(c.Value)
	if c.Method != nil {
		callee += "." + c.Method.Name()
	}
	return callee + "(" + p.values(c.Args) + ")"
}

func (p *printer) instr(in Instr) {
	if r, ok := in.(Register); ok {
		fmt.Fprintf(p.w, "%s %s = ", r.Name(), p.typ(r.Type()))
	}
	succ := func(i int) string {
		if b := in.Block(); b != nil && i < len(b.Succs) {
			return fmt.Sprintf("b%d", b.Succs[i].Index)
		}
		return "?"
	}
	comma := func(ok bool) string {
		if ok {
			return " commaok"
		}
		return ""
	}
	switch in := in.(type) {
	case *Alloc:
		where := "local"
		if in.Heap {
			where = "heap"
		}
		fmt.Fprintf(p.w, "alloc %s %s", where, in.Made)
		if in.Var != "" {
			p.w.WriteString(" " + in.Var)
		}
	case *Phi:
		p.w.WriteString("phi")
		for i, e := range in.Edges {
			fmt.Fprintf(p.w, " b%d:%s", in.block.Preds[i].Index, p.value(e))
		}
	case *Call:
		p.w.WriteString("call " + p.call(&in.Call))
	case *BinOp:
		fmt.Fprintf(p.w, "%s %s %s", p.value(in.X), in.Op, p.value(in.Y))
	case *UnOp:
		fmt.Fprintf(p.w, "%s%s%s", in.Op, p.value(in.X), comma(in.CommaOk))
	case *MakeClosure:
		fmt.Fprintf(p.w, "closure %s [%s]", in.Fn, p.values(in.Bindings))
	case *Slice:
		fmt.Fprintf(p.w, "slice %s[%s:%s:%s]", p.value(in.X), p.value(in.Low), p.value(in.High), p.value(in.Max))
	case *FieldAddr:
		fmt.Fprintf(p.w, "&%s.%d", p.value(in.X), in.Field)
	case *Field:
		fmt.Fprintf(p.w, "%s.%d", p.value(in.X), in.Field)
	case *IndexAddr:
		fmt.Fprintf(p.w, "&%s[%s]", p.value(in.X), p.value(in.Index))
	case *Index:
		fmt.Fprintf(p.w, "%s[%s]", p.value(in.X), p.value(in.Index))
	case *Lookup:
		fmt.Fprintf(p.w, "lookup %s[%s]%s", p.value(in.X), p.value(in.Index), comma(in.CommaOk))
	case *Select:
		p.w.WriteString("select")
		for _, s := range in.States {
			if s.Send != nil {
				fmt.Fprintf(p.w, " %s<-%s", p.value(s.Chan), p.value(s.Send))
			} else {
				fmt.Fprintf(p.w, " <-%s", p.value(s.Chan))
			}
		}
		if !in.Blocking {
			p.w.WriteString(" default")
		}
	case *TypeAssert:
		fmt.Fprintf(p.w, "assert %s.(%s)%s", p.value(in.X), p.typ(in.AssertedType), comma(in.CommaOk))
		if in.OfReceiver {
			p.w.WriteString(" receiver")
		}
	case *Extract:
		fmt.Fprintf(p.w, "extract %s %d", p.value(in.Tuple), in.Index)
	case *Jump:
		p.w.WriteString("jump " + succ(0))
	case *If:
		fmt.Fprintf(p.w, "if %s %s else %s", p.value(in.Cond), succ(0), succ(1))
	case *Go:
		p.w.WriteString("go " + p.call(&in.Call))
	case *Defer:
		p.w.WriteString("defer " + p.call(&in.Call))
		if in.DeferStack != nil {
			p.w.WriteString(" on " + p.value(in.DeferStack))
		}
	case *Store:
		fmt.Fprintf(p.w, "*%s = %s", p.value(in.Addr), p.value(in.Val))
	case *MapUpdate:
		fmt.Fprintf(p.w, "%s[%s] = %s", p.value(in.Map), p.value(in.Key), p.value(in.Value))
	default:
		var ops []Value
		for _, op := range in.Operands(nil) {
			ops = append(ops, *op)
		}
		p.w.WriteString(strings.TrimSpace(opcode(in) + " " + p.values(ops)))
	}
}

// opcode is the word for instructions that Text writes with their operands only.
func opcode(in Instr) string {
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", in), "*mid."))
}
