package fromssa

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"loam/internal/mid"
)

// body is the making of one function's body.
type body struct {
	p      *Program
	from   *ssa.Function
	f      *mid.Func
	values map[ssa.Value]mid.Value
	blocks []*mid.Block // nil where the code is dead
	live   []bool       // which are not; nil for all
	enters [][]int      // by block: which edges control comes by; nil if all are live
	scope  *types.Scope // of the declaration; nil if not asked for
}

// Body implements mid.Source.
func (p *Program) Body(f *mid.Func) {
	from := p.origins[f]
	delete(p.origins, f)
	n := 0
	for _, b := range from.Blocks {
		n += len(b.Instrs)
	}
	m := &body{p: p, from: from, f: f, values: make(map[ssa.Value]mid.Value, n), live: live(from)}
	for i, x := range from.Params {
		m.values[x] = f.Params[i]
	}
	for i, x := range from.FreeVars {
		m.values[x] = f.FreeVars[i]
	}
	m.blocks = make([]*mid.Block, len(from.Blocks))
	if m.live != nil {
		m.enters = make([][]int, len(from.Blocks))
	}
	for i, b := range from.Blocks {
		if m.live == nil || m.live[i] {
			if m.live != nil {
				m.enters[i] = entries(b, m.live)
			}
			role := roleOf(b)
			if role == mid.LogicEnd && m.live != nil && len(m.enters[i]) == 1 {
				role = mid.Plain // one operand is the value
			}
			m.blocks[i] = mid.NewBlock(role)
			f.Own(m.blocks[i])
		}
	}
	// First all instructions, then their operands: phis name what comes after them.
	for i, to := range m.blocks {
		if to != nil {
			m.shells(to, from.Blocks[i])
		}
	}
	for i, to := range m.blocks {
		if to != nil {
			m.fill(to, from.Blocks[i])
		}
	}
	var recover *mid.Block
	if from.Recover != nil {
		recover = m.blocks[from.Recover.Index]
	}
	if m.live != nil {
		m.fuse(recover)
	} else {
		f.SetBody(m.blocks, recover)
	}
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			if mc, ok := in.(*mid.MakeClosure); ok && mc.Fn.IsGenericValue() {
				f.Values = append(f.Values, mc.Pos())
			}
		}
	}
}

// roleOf classifies a block by go/ssa's name for it. No label of the source has these characters.
func roleOf(b *ssa.BasicBlock) mid.Role {
	switch b.Comment {
	case "rangeindex.loop":
		return mid.RangeHead
	case "binop.done":
		return mid.LogicEnd
	case "yield-invalid":
		return mid.YieldInvalid
	case "rangefunc.resume.busy":
		return mid.LoopBusy
	}
	return mid.Plain
}

// shells makes the instructions of a block, without operands.
func (m *body) shells(to *mid.Block, b *ssa.BasicBlock) {
	to.Instrs = make([]mid.Instr, 0, len(b.Instrs))
	for _, in := range b.Instrs {
		made := m.shell(in)
		if made == nil || m.only(in) != nil {
			continue
		}
		made.(interface{ SetPos(token.Pos) }).SetPos(posOf(in))
		to.Append(made)
		if v, ok := in.(ssa.Value); ok {
			r := made.(mid.Register)
			r.SetType(typeOf(v))
			m.values[v] = r
		}
	}
}

// posOf is where an instruction is in the source. Of a conversion to an array go/ssa says so for
// the load only, and not for the check of the length before it.
func posOf(in ssa.Instruction) token.Pos {
	if c, ok := in.(*ssa.SliceToArrayPointer); ok && !c.Pos().IsValid() {
		for _, ref := range *c.Referrers() {
			if load, ok := ref.(*ssa.UnOp); ok {
				return load.Pos()
			}
		}
	}
	return in.Pos()
}

// typeOf is the type of what an instruction makes. The state of a loop has one that go/ssa does not
// export.
func typeOf(v ssa.Value) types.Type {
	if _, ok := v.(*ssa.Range); ok {
		return mid.Iterator
	}
	return v.Type()
}

// shell makes an instruction without operands; nil for what speaks to debuggers only.
func (m *body) shell(in ssa.Instruction) mid.Instr {
	switch in := in.(type) {
	case *ssa.Alloc:
		made := &mid.Alloc{Heap: in.Heap, Made: m.madeBy(in)}
		if made.Made == mid.Variable {
			made.Var = in.Comment
		}
		return made
	case *ssa.Phi:
		return &mid.Phi{Index: in.Comment == "rangeindex" && !in.Pos().IsValid()}
	case *ssa.Call:
		return &mid.Call{}
	case *ssa.BinOp:
		return &mid.BinOp{Op: in.Op}
	case *ssa.UnOp:
		return &mid.UnOp{Op: in.Op, CommaOk: in.CommaOk}
	case *ssa.ChangeType:
		return &mid.ChangeType{}
	case *ssa.Convert:
		return &mid.Convert{}
	case *ssa.ChangeInterface:
		return &mid.ChangeInterface{}
	case *ssa.SliceToArrayPointer:
		return &mid.SliceToArrayPointer{}
	case *ssa.MakeInterface:
		return &mid.MakeInterface{}
	case *ssa.MakeClosure:
		return &mid.MakeClosure{}
	case *ssa.MakeMap:
		return &mid.MakeMap{}
	case *ssa.MakeChan:
		return &mid.MakeChan{}
	case *ssa.MakeSlice:
		return &mid.MakeSlice{}
	case *ssa.Slice:
		return &mid.Slice{}
	case *ssa.FieldAddr:
		return &mid.FieldAddr{Field: in.Field}
	case *ssa.Field:
		return &mid.Field{Field: in.Field}
	case *ssa.IndexAddr:
		return &mid.IndexAddr{}
	case *ssa.Index:
		return &mid.Index{}
	case *ssa.Lookup:
		return &mid.Lookup{CommaOk: in.CommaOk}
	case *ssa.Select:
		return &mid.Select{Blocking: in.Blocking}
	case *ssa.Range:
		return &mid.Range{}
	case *ssa.Next:
		return &mid.Next{IsString: in.IsString}
	case *ssa.TypeAssert:
		return &mid.TypeAssert{AssertedType: in.AssertedType, CommaOk: in.CommaOk}
	case *ssa.Extract:
		return &mid.Extract{Index: in.Index}
	case *ssa.Jump:
		return &mid.Jump{}
	case *ssa.If:
		if taken(in.Block()) >= 0 {
			return &mid.Jump{}
		}
		return &mid.If{}
	case *ssa.Return:
		return &mid.Return{}
	case *ssa.RunDefers:
		return &mid.RunDefers{}
	case *ssa.Panic:
		return &mid.Panic{}
	case *ssa.Go:
		return &mid.Go{}
	case *ssa.Defer:
		return &mid.Defer{}
	case *ssa.Send:
		return &mid.Send{}
	case *ssa.Store:
		return &mid.Store{}
	case *ssa.MapUpdate:
		return &mid.MapUpdate{}
	case *ssa.MultiConvert: // where a type parameter stood whose types convert in different ways
		return &mid.Convert{}
	case *ssa.DebugRef:
		return nil
	}
	panic(unknown(m.from.Prog, in.Pos(), fmt.Sprintf("instruction %s (%T)", in, in)))
}

// madeBy tells what in makes. go/ssa names variables like the source does, and what it makes
// itself by words that may be names, too: then the scope at its position tells.
func (m *body) madeBy(in *ssa.Alloc) mid.Made {
	var made mid.Made
	switch in.Comment {
	case "new":
		made = mid.New
	case "complit":
		made = mid.Literal
	case "slicelit":
		made = mid.SliceLiteral
	case "makeslice":
		made = mid.SliceMade
	case "varargs":
		made = mid.VariadicArgs
	default:
		return mid.Variable
	}
	if in.Pos().IsValid() && m.declares(in.Comment, in.Pos()) {
		return mid.Variable
	}
	return made
}

// declares tells whether a variable of that name is declared at pos.
func (m *body) declares(name string, pos token.Pos) bool {
	if m.scope == nil {
		f := m.from
		for f.Parent() != nil {
			f = f.Parent()
		}
		if o := f.Origin(); o != nil {
			f = o
		}
		if o, ok := f.Object().(*types.Func); ok && o.Scope() != nil {
			m.scope = o.Scope()
		} else {
			m.scope = f.Pkg.Pkg.Scope() // a literal in an initialiser
		}
	}
	for s := m.scope.Innermost(pos); s != nil; s = s.Parent() {
		if x := s.Lookup(name); x != nil && x.Pos() == pos {
			return true
		}
	}
	return false
}

// fill gives the instructions of a block their operands, and the block its neighbours.
func (m *body) fill(to *mid.Block, b *ssa.BasicBlock) {
	always := taken(b)
	for i, s := range b.Succs {
		if always < 0 || i == always {
			to.Succs = append(to.Succs, m.blocks[s.Index])
		}
	}
	for i, p := range b.Preds {
		if m.live == nil || slices.Contains(m.enters[b.Index], i) {
			to.Preds = append(to.Preds, m.blocks[p.Index])
		}
	}
	next := 0
	var notes []*mid.Note
	for _, from := range b.Instrs {
		if m.only(from) != nil {
			continue
		}
		if ref, ok := from.(*ssa.DebugRef); ok {
			if n := m.note(ref); n != nil {
				notes = append(notes, n)
			}
			continue
		}
		in := to.Instrs[next]
		next++
		for _, n := range notes {
			m.f.AddNote(in, n)
		}
		notes = notes[:0]
		if phi, ok := in.(*mid.Phi); ok && m.live != nil {
			for _, i := range m.enters[b.Index] {
				phi.Edges = append(phi.Edges, m.value(from.(*ssa.Phi).Edges[i]))
			}
		} else {
			m.operands(in, from)
		}
		mid.AddUses(in)
	}
}

// note is what ref says of a local variable, nil if it speaks of something else.
func (m *body) note(ref *ssa.DebugRef) *mid.Note {
	v, ok := ref.Object().(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return nil
	}
	return &mid.Note{Var: v, X: m.value(ref.X), IsAddr: ref.IsAddr, Pos: ref.Pos()}
}

// operands gives in the operands of from.
func (m *body) operands(in mid.Instr, from ssa.Instruction) {
	switch in := in.(type) {
	case *mid.Phi:
		in.Edges = m.list(from.(*ssa.Phi).Edges)
	case *mid.Call:
		m.call(&in.Call, &from.(*ssa.Call).Call)
	case *mid.Go:
		m.call(&in.Call, &from.(*ssa.Go).Call)
	case *mid.Defer:
		from := from.(*ssa.Defer)
		m.call(&in.Call, &from.Call)
		in.DeferStack = m.value(from.DeferStack)
	case *mid.Return:
		in.Results = m.list(from.(*ssa.Return).Results)
	case *mid.MakeClosure:
		from := from.(*ssa.MakeClosure)
		in.Fn, in.Bindings = m.p.fn(from.Fn.(*ssa.Function)), m.list(from.Bindings)
	case *mid.Select:
		for _, s := range from.(*ssa.Select).States {
			in.States = append(in.States, &mid.SelectState{Dir: s.Dir, Chan: m.value(s.Chan), Send: m.value(s.Send), Pos: s.Pos})
		}
	case *mid.BinOp:
		from := from.(*ssa.BinOp)
		in.X, in.Y = m.value(from.X), m.value(from.Y)
	case *mid.UnOp:
		from := from.(*ssa.UnOp)
		in.X = m.value(from.X)
	case *mid.ChangeType:
		from := from.(*ssa.ChangeType)
		in.X = m.value(from.X)
	case *mid.Convert:
		if multi, ok := from.(*ssa.MultiConvert); ok {
			in.X = m.value(multi.X)
		} else {
			in.X = m.value(from.(*ssa.Convert).X)
		}
	case *mid.ChangeInterface:
		from := from.(*ssa.ChangeInterface)
		in.X = m.value(from.X)
	case *mid.SliceToArrayPointer:
		from := from.(*ssa.SliceToArrayPointer)
		in.X = m.value(from.X)
	case *mid.MakeInterface:
		from := from.(*ssa.MakeInterface)
		in.X = m.value(from.X)
	case *mid.MakeMap:
		from := from.(*ssa.MakeMap)
		in.Reserve = m.value(from.Reserve)
	case *mid.MakeChan:
		from := from.(*ssa.MakeChan)
		in.Size = m.value(from.Size)
	case *mid.MakeSlice:
		from := from.(*ssa.MakeSlice)
		in.Len, in.Cap = m.value(from.Len), m.value(from.Cap)
	case *mid.Slice:
		from := from.(*ssa.Slice)
		in.X, in.Low, in.High, in.Max = m.value(from.X), m.value(from.Low), m.value(from.High), m.value(from.Max)
	case *mid.FieldAddr:
		from := from.(*ssa.FieldAddr)
		in.X = m.value(from.X)
	case *mid.Field:
		from := from.(*ssa.Field)
		in.X = m.value(from.X)
	case *mid.IndexAddr:
		from := from.(*ssa.IndexAddr)
		in.X, in.Index = m.value(from.X), m.value(from.Index)
	case *mid.Index:
		from := from.(*ssa.Index)
		in.X, in.Index = m.value(from.X), m.value(from.Index)
	case *mid.Lookup:
		from := from.(*ssa.Lookup)
		in.X, in.Index = m.value(from.X), m.value(from.Index)
	case *mid.Range:
		from := from.(*ssa.Range)
		in.X = m.value(from.X)
	case *mid.Next:
		from := from.(*ssa.Next)
		in.Iter = m.value(from.Iter)
	case *mid.TypeAssert:
		from := from.(*ssa.TypeAssert)
		in.X = m.value(from.X)
	case *mid.Extract:
		from := from.(*ssa.Extract)
		in.Tuple = m.value(from.Tuple)
	case *mid.If:
		from := from.(*ssa.If)
		in.Cond = m.value(from.Cond)
	case *mid.Panic:
		from := from.(*ssa.Panic)
		in.X = m.value(from.X)
	case *mid.Send:
		from := from.(*ssa.Send)
		in.Chan, in.X = m.value(from.Chan), m.value(from.X)
	case *mid.Store:
		from := from.(*ssa.Store)
		in.Addr, in.Val = m.value(from.Addr), m.value(from.Val)
	case *mid.MapUpdate:
		from := from.(*ssa.MapUpdate)
		in.Map, in.Key, in.Value = m.value(from.Map), m.value(from.Key), m.value(from.Value)
	}
}

func (m *body) call(to *mid.CallCommon, from *ssa.CallCommon) {
	to.Value, to.Method, to.Args = m.value(from.Value), from.Method, m.list(from.Args)
	to.SetPos(from.Pos())
}

func (m *body) list(from []ssa.Value) []mid.Value {
	if from == nil {
		return nil
	}
	list := make([]mid.Value, len(from))
	for i, v := range from {
		list[i] = m.value(v)
	}
	return list
}

// only is what in is, if that is a phi of whose edges one is live; else nil.
func (m *body) only(in ssa.Instruction) ssa.Value {
	phi, ok := in.(*ssa.Phi)
	if !ok || m.live == nil || len(phi.Edges) == 1 {
		return nil
	}
	if list := m.enters[phi.Block().Index]; len(list) == 1 {
		return phi.Edges[list[0]]
	}
	return nil
}

// value returns what stands for v, nil if v is.
func (m *body) value(v ssa.Value) mid.Value {
	if v == nil {
		return nil
	}
	if made, ok := m.values[v]; ok {
		return made
	}
	if phi, ok := v.(*ssa.Phi); ok {
		if x := m.only(phi); x != nil {
			return m.value(x)
		}
	}
	var made mid.Value
	switch v := v.(type) {
	case *ssa.Function:
		return m.p.fn(v)
	case *ssa.Global:
		return m.p.global(v)
	case *ssa.Const:
		made = mid.NewConst(v.Value, v.Type())
	case *ssa.Builtin:
		made = mid.NewBuiltin(strings.TrimPrefix(v.Name(), "ssa:"), v.Type())
	default:
		panic(unknown(m.from.Prog, v.Pos(), fmt.Sprintf("operand %s (%T)", v, v)))
	}
	m.values[v] = made
	return made
}
