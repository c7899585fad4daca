package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"loam/internal/ir"
)

// variables describes one function's source variables to a debugger. Package debuginfo's full
// form is for packages that the driver asks it for; other functions have no variables.
//
// go/ssa has turned most variables into values. Its DebugRef instructions say where a variable
// gets which value; they are taken out of the blocks first, so that nothing else depends on
// them. A variable without an address of its own then
// gets a slot in the frame that is only written: LLVM's optimiser promotes the slot away and
// keeps track of the values, without optimisation (-N) the slot stays and the debugger finds
// every variable in it. A variable with an address is described by that.
type variables struct {
	refs   map[ssa.Instruction][]*ssa.DebugRef // what becomes true ahead of an instruction
	addr   map[ssa.Value]*types.Var            // the variables that allocations and captures are
	taken  map[*types.Var]bool                 // they have an address, or their slot
	slots  map[*types.Var]string
	types  map[*types.Var]types.Type // of the slots
	held   map[*types.Var]ssa.Value  // what the slot holds, in the current block
	scopes map[*types.Scope]string
	top    *types.Scope // around the function
	from   token.Pos    // extent of the function's syntax
	to     token.Pos
	body   *ast.BlockStmt
}

// describes tells whether the variables of f's package are wanted.
func (m *module) describes(f *ssa.Function) bool {
	if !m.dbg.full {
		return false
	}
	pkg := declaredPackage(f)
	return pkg != nil && (pkg == m.pkg || m.in.Describe(pkg.Pkg.Path()))
}

// declaredPackage is the package in whose sources f is, nil for functions that go/ssa made up.
func declaredPackage(f *ssa.Function) *ssa.Package {
	f = declaration(f)
	if isWrapper(f) {
		return nil
	}
	return f.Pkg
}

// takeDebugRefs removes the DebugRefs from f's blocks and returns those that speak of local
// variables by the instructions that follow them.
func takeDebugRefs(f *ssa.Function) map[ssa.Instruction][]*ssa.DebugRef {
	refs := map[ssa.Instruction][]*ssa.DebugRef{}
	described := map[ssa.Value]bool{}
	for _, blk := range f.Blocks {
		kept := blk.Instrs[:0]
		var pending []*ssa.DebugRef
		for _, in := range blk.Instrs {
			ref, ok := in.(*ssa.DebugRef)
			if !ok {
				if len(pending) > 0 {
					refs[in], pending = pending, nil
				}
				kept = append(kept, in)
				continue
			}
			described[ref.X] = true
			if v, ok := ref.Object().(*types.Var); ok && !v.IsField() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() {
				pending = append(pending, ref)
			}
		}
		clear(blk.Instrs[len(kept):])
		blk.Instrs = kept
	}
	for v := range described {
		if uses := v.Referrers(); uses != nil {
			*uses = slices.DeleteFunc(*uses, func(u ssa.Instruction) bool {
				ref, ok := u.(*ssa.DebugRef)
				return ok && ref.Parent() == f
			})
		}
	}
	return refs
}

// findVariables prepares the description of b's variables; the results are those of the subprogram.
func (b *fn) findVariables() {
	refs := takeDebugRefs(b.f)
	syntax := b.f.Syntax()
	if !b.m.describes(b.f) || syntax == nil {
		return
	}
	v := &variables{refs: refs, addr: map[ssa.Value]*types.Var{}, taken: map[*types.Var]bool{},
		slots: map[*types.Var]string{}, types: map[*types.Var]types.Type{}, held: map[*types.Var]ssa.Value{}, scopes: map[*types.Scope]string{},
		top: outermostScope(b.f), from: syntax.Pos(), to: syntax.End()}
	switch s := syntax.(type) {
	case *ast.FuncDecl:
		v.body = s.Body
	case *ast.FuncLit:
		v.body = s.Body
	}
	for _, list := range refs {
		for _, ref := range list {
			if x, ok := ref.Object().(*types.Var); ok && ref.IsAddr {
				switch ref.X.(type) {
				case *ssa.Alloc, *ssa.FreeVar:
					v.addr[ref.X], v.taken[x] = x, true
				}
			}
		}
	}
	for _, p := range b.f.Params { // those with an address are copied first
		x, ok := p.Object().(*types.Var)
		if !ok || v.taken[x] {
			continue
		}
		for _, r := range *p.Referrers() {
			if s, ok := r.(*ssa.Store); ok && s.Val == p {
				if a, ok := s.Addr.(*ssa.Alloc); ok && a.Pos() == x.Pos() {
					v.addr[a], v.taken[x] = x, true
				}
			}
		}
	}
	b.vars = v
}

// outermostScope returns the scope of the declaration that f is in. Looking in a package's scope takes time for each of its functions.
func outermostScope(f *ssa.Function) *types.Scope {
	f = declaration(f)
	if declared, ok := f.Object().(*types.Func); ok && declared.Scope() != nil {
		return declared.Scope()
	}
	return f.Pkg.Pkg.Scope() // a literal in an initialiser
}

// scopeAt returns the debug scope of the innermost Go scope at pos that can hold variables.
func (b *fn) scopeAt(pos token.Pos) string {
	if b.vars == nil {
		return b.scope
	}
	return b.scopeRef(b.vars.top.Innermost(pos))
}

func (b *fn) scopeRef(s *types.Scope) string {
	v := b.vars
	for s != nil && s.Pos() >= v.from && s.End() <= v.to && s.Len() == 0 {
		s = s.Parent()
	}
	if s == nil || s.Pos() < v.from || s.End() > v.to || v.body != nil && s.Pos() == v.body.Pos() && s.End() == v.body.End() {
		return b.scope
	}
	if ref, ok := v.scopes[s]; ok {
		return ref
	}
	file, line := b.m.dbg.position(s.Pos())
	ref := b.m.dbg.block(b.scopeRef(s.Parent()), file, line, b.m.fset.Position(s.Pos()).Column)
	v.scopes[s] = ref
	return ref
}

// declare says that variable x of type t, parameter number arg if not 0, is where expr says of ptr.
func (b *fn) declare(x *types.Var, t types.Type, arg int, ptr, expr string) {
	scope := b.scope
	if arg == 0 {
		scope = b.scopeRef(x.Parent())
	}
	file, line := b.m.dbg.position(x.Pos())
	ref := b.m.dbg.variable(x.Name(), arg, scope, file, line, t)
	if arg != 0 {
		b.shown = append(b.shown, ref)
	}
	loc := b.m.out.Meta(fmt.Sprintf("!DILocation(line: %d, scope: %s)", line, scope))
	b.Entry("#dbg_declare(ptr %s, %s, !DIExpression(%s), %s)", ptr, ref, expr, loc)
}

// describeParams describes the parameters and captured variables.
func (b *fn) describeParams() {
	v := b.vars
	if v == nil {
		return
	}
	for i, p := range b.f.Params {
		x, ok := p.Object().(*types.Var)
		if !ok || x.Name() == "" || x.Name() == "_" || v.taken[x] {
			continue
		}
		v.taken[x] = true
		ti := b.m.info(p.Type())
		if ti.big {
			b.declare(x, p.Type(), i+1, b.vals[p], "")
			continue
		}
		v.slots[x], v.types[x] = b.Alloca(ti.size, ti.align), p.Type()
		b.declare(x, p.Type(), i+1, v.slots[x], "")
		b.enter(ti, b.vals[p], v.slots[x])
	}
	for _, fv := range b.f.FreeVars {
		if x, ok := v.addr[fv]; ok {
			b.describePlace(x, under(fv.Type()).(*types.Pointer).Elem(), b.vals[fv], true)
		}
	}
}

// enter is store in the entry block.
func (b *fn) enter(ti *typeInfo, val, p string) {
	switch {
	case ti.size == 0:
	case ti.ll == "i1":
		z := "%dbg." + b.Fresh()
		b.Entry("%s = zext i1 %s to i8", z, val)
		b.Entry("store i8 %s, ptr %s, align 1", z, p)
	default:
		b.Entry("store %s %s, ptr %s, align %d", ti.ll, val, p, ti.align)
	}
}

// describePlace describes a variable that lives at the address place, which is not a slot of the
// frame. atEntry: place is known in the entry block.
func (b *fn) describePlace(x *types.Var, t types.Type, place string, atEntry bool) {
	v := b.vars
	slot, ok := v.slots[x]
	if !ok {
		slot = b.Alloca(8, 8)
		v.slots[x] = slot
		b.declare(x, t, b.argNumber(x), slot, "DW_OP_deref")
	}
	if atEntry {
		b.Entry("store ptr %s, ptr %s, align 8", place, slot)
	} else {
		b.Do("store ptr %s, ptr %s, align 8", place, slot)
	}
}

func (b *fn) argNumber(x *types.Var) int {
	for i, p := range b.f.Params {
		if p.Object() == types.Object(x) {
			return i + 1
		}
	}
	return 0
}

// describeAlloc describes the variable, if it is one, that the allocation made.
func (b *fn) describeAlloc(in *ssa.Alloc) {
	if b.vars == nil {
		return
	}
	x, ok := b.vars.addr[in]
	if !ok || x.Name() == "_" || b.Cur.Done {
		return
	}
	t := under(in.Type()).(*types.Pointer).Elem()
	place := b.vals[in]
	if strings.HasPrefix(place, "%slot.") {
		if _, twice := b.vars.slots[x]; !twice {
			b.vars.slots[x] = place
			b.declare(x, t, b.argNumber(x), place, "")
		}
		return
	}
	b.describePlace(x, t, place, false)
}

// describeValues records the values that variables have from the instruction in on.
func (b *fn) describeValues(in ssa.Instruction) {
	if b.vars == nil || b.Cur.Done {
		return
	}
	for _, ref := range b.vars.refs[in] {
		x := ref.Object().(*types.Var)
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
		line, file, block, dbg := b.line, b.file, b.block, b.Dbg
		b.setPos(ref.Pos()) // the statement before in's
		b.store(ref.X.Type(), val, slot)
		b.line, b.file, b.block, b.Dbg = line, file, block, dbg
		b.vars.held[x] = ref.X
	}
}

// isPlaced tells whether x has an address of its own, so that values need not be followed.
func (b *fn) isPlaced(x *types.Var) bool {
	for _, y := range b.vars.addr {
		if x == y {
			return true
		}
	}
	return false
}

// known returns the operand of a value if it is there without any code.
func (b *fn) known(v ssa.Value) (string, bool) {
	if s, ok := b.vals[v]; ok {
		return s, !b.elide[v]
	}
	switch v := v.(type) {
	case *ssa.Const:
		if b.m.isBig(v.Type()) {
			return "", false
		}
		return b.m.constant(v), true
	case *ssa.ChangeType:
		return b.known(v.X)
	}
	return "", false
}

// block makes a lexical block.
func (d *debugInfo) block(parent, file string, line, column int) string {
	ref := d.m.out.DistinctMeta(fmt.Sprintf("distinct !DILexicalBlock(scope: %s, file: %s, line: %d, column: %d)", parent, d.file(file), line, column))
	d.home[ref] = file
	return ref
}

// variable makes the description of a local variable.
func (d *debugInfo) variable(name string, arg int, scope, file string, line int, t types.Type) string {
	number := ""
	if arg > 0 {
		number = fmt.Sprintf("arg: %d, ", arg)
	}
	return d.m.out.Meta(fmt.Sprintf("!DILocalVariable(name: \"%s\", %sscope: %s, file: %s, line: %d, type: %s)", ir.Escape(name), number, scope, d.file(file), line, d.typ(t)))
}

// global returns the `, !dbg !N` suffix of a package variable's definition.
func (d *debugInfo) global(g *ssa.Global, name string) string {
	if !d.full || !g.Pos().IsValid() {
		return ""
	}
	file, line := d.position(g.Pos())
	t := under(g.Type()).(*types.Pointer).Elem()
	v := d.m.out.DistinctMeta(fmt.Sprintf("distinct !DIGlobalVariable(name: \"%s\", scope: %s, file: %s, line: %d, type: %s, isLocal: false, isDefinition: true)",
		ir.Escape(name), d.cu, d.file(file), line, d.typ(t)))
	e := d.m.out.Meta(fmt.Sprintf("!DIGlobalVariableExpression(var: %s, expr: !DIExpression())", v))
	d.globals = append(d.globals, e)
	return ", !dbg " + e
}
