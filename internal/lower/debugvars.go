package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"loam/internal/ir"
	"loam/internal/mid"
)

// variables describes one function's source variables to a debugger. Package debuginfo's full
// form is for packages that the driver asks it for; other functions have no variables.
//
// Most variables are values. The function's notes say where a variable gets which value. A variable
// without an address of its own then
// gets a slot in the frame that is only written: LLVM's optimiser promotes the slot away and
// keeps track of the values, without optimisation (-N) the slot stays and the debugger finds
// every variable in it. A variable with an address is described by that.
type variables struct {
	addr   map[mid.Value]*types.Var // the variables that allocations and captures are
	taken  map[*types.Var]bool      // they have an address, or their slot
	slots  map[*types.Var]ir.Value
	types  map[*types.Var]types.Type // of the slots
	held   map[*types.Var]mid.Value  // what the slot holds, in the current block
	scopes map[*types.Scope]ir.Meta
	top    *types.Scope // around the function
	from   token.Pos    // extent of the function's syntax
	to     token.Pos
	body   *ast.BlockStmt
	yields map[*mid.MakeClosure]ir.Value // slots of closures that are bodies of loops
}

func pointee(p mid.Value) types.Type { return under(p.Type()).(*types.Pointer).Elem() }

// findVariables prepares the description of b's variables; the results are those of the subprogram.
func (b *places) findVariables() {
	syntax := b.f.Syntax()
	if !b.m.dbg.describes(b.f) || syntax == nil {
		return
	}
	v := &variables{addr: map[mid.Value]*types.Var{}, taken: map[*types.Var]bool{},
		slots: map[*types.Var]ir.Value{}, types: map[*types.Var]types.Type{}, held: map[*types.Var]mid.Value{},
		scopes: map[*types.Scope]ir.Meta{},
		top:    outermostScope(b.f), from: syntax.Pos(), to: syntax.End()}
	switch s := syntax.(type) {
	case *ast.FuncDecl:
		v.body = s.Body
	case *ast.FuncLit:
		v.body = s.Body
	}
	b.f.AllNotes(func(n *mid.Note) {
		if n.IsAddr {
			switch n.X.(type) {
			case *mid.Alloc, *mid.FreeVar:
				v.addr[n.X], v.taken[n.Var] = n.Var, true
			}
		}
	})
	for _, p := range b.f.Params { // those with an address are copied first
		x := p.Object()
		if x == nil || v.taken[x] {
			continue
		}
		for _, r := range p.Referrers() {
			if s, ok := r.(*mid.Store); ok && s.Val == p {
				if a, ok := s.Addr.(*mid.Alloc); ok && a.Pos() == x.Pos() {
					v.addr[a], v.taken[x] = x, true
				}
			}
		}
	}
	b.vars = v
}

// scopeAt returns the debug scope of the innermost Go scope at pos that can hold variables.
func (b *places) scopeAt(pos token.Pos) ir.Meta {
	if b.site != nil {
		return b.m.dbg.inlinedScope(b.site.Fn)
	}
	if b.vars == nil {
		return b.scope
	}
	return b.scopeRef(b.m.scopes.innermost(b.vars.top, pos))
}

func (b *places) scopeRef(s *types.Scope) ir.Meta {
	v := b.vars
	if ref, ok := v.scopes[s]; ok {
		return ref
	}
	at := s
	for s != nil && s.Pos() >= v.from && s.End() <= v.to && s.Len() == 0 {
		s = s.Parent()
	}
	if s == nil || s.Pos() < v.from || s.End() > v.to || v.body != nil && s.Pos() == v.body.Pos() && s.End() == v.body.End() {
		v.scopes[at] = b.scope
		return b.scope
	}
	if ref, ok := v.scopes[s]; ok {
		v.scopes[at] = ref
		return ref
	}
	file, line := b.m.dbg.position(s.Pos())
	ref := b.m.dbg.block(b.scopeRef(s.Parent()), file, line, b.m.fset.Position(s.Pos()).Column)
	v.scopes[s], v.scopes[at] = ref, ref
	return ref
}

// declare says that variable x of type t, parameter number arg if not 0, is where expr says of ptr.
func (b *places) declare(x *types.Var, t types.Type, arg int, ptr ir.Value, expr string) {
	scope := b.scope
	if arg == 0 {
		scope = b.scopeRef(x.Parent())
	}
	file, line := b.m.dbg.position(x.Pos())
	ref := b.m.dbg.variable(x.Name(), arg, scope, file, b.shownLine(x, line), t)
	if arg != 0 {
		b.shown = append(b.shown, ref)
	}
	loc := b.m.out.Location(line, scope, 0)
	b.AtEntry(func() { b.Declare(ptr, ref, expr, loc) })
}

// shownLine is the line that debuggers are told x to be declared in. Delve shows variables from the
// line behind it on. What a function captures is there before: it has no line if the function
// begins in that line.
func (b *places) shownLine(x *types.Var, line int) int {
	if b.vars.from <= x.Pos() && x.Pos() < b.vars.to {
		return line
	}
	if _, begin := b.m.dbg.position(b.vars.from); begin == line {
		return 0
	}
	return line
}

// describeParams describes the parameters and captured variables.
func (b *places) describeParams() {
	v := b.vars
	if b.f.Kind == mid.Bound && b.m.dbg.full {
		b.describeClosure(func(*mid.FreeVar) string { return ".this" }) // gc's name
	}
	if v == nil {
		return
	}
	for i, p := range b.f.Params {
		x := p.Object()
		if x == nil || x.Name() == "" || x.Name() == "_" || v.taken[x] {
			continue
		}
		v.taken[x] = true
		ti := b.m.info(p.Type())
		if ti.big {
			if b.m.in.Flags.NoOptimize { // a register's value is not followed
				b.describePlace(x, p, p.Type(), b.vals[p], true)
			} else {
				b.declare(x, p.Type(), i+1, b.vals[p], "")
			}
			continue
		}
		v.slots[x], v.types[x] = b.Alloca(ti.size, ti.align), p.Type()
		b.declare(x, p.Type(), i+1, v.slots[x], "")
		showSlot(b.code, v.slots[x], ti.size, p)
		b.enter(ti, b.vals[p], v.slots[x])
	}
	b.describeBody()
	for _, fv := range b.f.FreeVars {
		if x, ok := v.addr[fv]; ok && !b.describeCaptured(x, fv) {
			b.describePlace(x, fv, pointee(fv), b.vals[fv], true)
		}
	}
	b.describeClosure(func(fv *mid.FreeVar) string {
		if x, ok := v.addr[fv]; ok {
			return x.Name()
		}
		return ""
	})
}

// enter is store in the entry block.
func (b *places) enter(ti *typeInfo, val, p ir.Value) {
	switch {
	case ti.size == 0:
	case ti.ll == ir.I1:
		b.AtEntry(func() { b.Store(b.Cast(ir.ZExt, val, ir.I8), p, 1) })
	default:
		b.AtEntry(func() { b.Store(val, p, ti.align) })
	}
}

// describePlace describes a variable of type t that lives at the address p, lowered place, which is
// not a slot of the frame. atEntry: place is known in the entry block.
func (b *places) describePlace(x *types.Var, p mid.Value, t types.Type, place ir.Value, atEntry bool) {
	v := b.vars
	slot, ok := v.slots[x]
	if !ok {
		slot = b.Alloca(8, 8)
		v.slots[x] = slot
		b.declare(x, t, b.argNumber(x), slot, "DW_OP_deref")
	}
	showSlot(b.code, slot, 8, p)
	if atEntry {
		b.AtEntry(func() { b.Store(place, slot, 8) })
	} else {
		b.Store(place, slot, 8)
	}
}

func (b *places) argNumber(x *types.Var) int {
	for i, p := range b.f.Params {
		if p.Object() == x {
			return i + 1
		}
	}
	return 0
}

// describeAlloc describes the variable, if it is one, that the allocation made.
func (b *places) describeAlloc(in *mid.Alloc) {
	if b.vars == nil {
		return
	}
	x, ok := b.vars.addr[in]
	if !ok || x.Name() == "_" || b.Cur.Done {
		return
	}
	place := b.vals[in]
	if place.IsSlot() {
		if _, twice := b.vars.slots[x]; !twice {
			b.vars.slots[x] = place
			b.declare(x, pointee(in), b.argNumber(x), place, "")
		}
		return
	}
	b.describePlace(x, in, pointee(in), place, false)
}

// describeValues records the values that variables have from the instruction in on.
func (b *places) describeValues(in mid.Instr) {
	if b.vars == nil || b.Cur.Done {
		return
	}
	for _, ref := range b.f.Notes(in) {
		x := ref.Var
		if _, isParam := b.vars.slots[x]; ref.IsAddr || b.vars.taken[x] && !isParam || x.Name() == "_" || b.vars.held[x] == ref.X {
			continue
		}
		if b.isPlaced(x) {
			continue
		}
		ti := b.m.info(ref.X.Type())
		val, ok := b.known(ref.X)
		if !ok || ti.size == 0 || ti.big && !b.m.in.Flags.NoOptimize {
			continue
		}
		slot, ok := b.vars.slots[x]
		if ok && !types.Identical(b.vars.types[x], ref.X.Type()) {
			continue
		}
		if !ok {
			slot = b.Alloca(ti.size, ti.align)
			b.vars.slots[x], b.vars.types[x] = slot, ref.X.Type()
			b.declare(x, ref.X.Type(), 0, slot, "")
		}
		showSlot(b.code, slot, ti.size, ref.X)
		line, file, block, loc, site := b.line, b.file, b.block, b.Loc, b.site
		b.site, b.line = nil, 0
		b.setPos(ref.Pos) // the statement before in's
		b.store(ref.X.Type(), val, slot)
		b.line, b.file, b.block, b.Loc, b.site = line, file, block, loc, site
		b.vars.held[x] = ref.X
	}
}

// isPlaced reports whether x has an address of its own, so that values need not be followed.
func (b *places) isPlaced(x *types.Var) bool {
	for _, y := range b.vars.addr {
		if x == y {
			return true
		}
	}
	return false
}

// known returns the operand of a value if it is there without any code.
func (b *places) known(v mid.Value) (ir.Value, bool) {
	if s, ok := b.vals[v]; ok {
		return s, true
	}
	switch v := v.(type) {
	case *mid.Const:
		if b.m.isBig(v.Type()) {
			return ir.Value{}, false
		}
		return b.m.constant(v), true
	case *mid.Func:
		return b.m.funcValue(v), true
	case *mid.ChangeType:
		return b.known(v.X)
	}
	return ir.Value{}, false
}
