package lower

import (
	"go/types"
	"math"

	"loam/internal/escape"
	"loam/internal/ir"
	"loam/internal/mid"
)

// functions are the functions that the module has: its own, those that it calls, and those that it
// borrows.
type functions struct {
	*layouts
	dbg    *debugInfo
	scopes scopeTree
	strs   map[string]ir.Value // string constant -> private global
}

func newFunctions(l *layouts) *functions {
	return &functions{layouts: l, dbg: newDebugInfo(l, l.fileName()), strs: map[string]ir.Value{}}
}

// funcRef returns f's code as an operand and sees to its definition or declaration.
func (m *functions) funcRef(f *mid.Func) ir.Value {
	f = m.unthunk(f)
	sym := m.funcSym(f)
	if m.owns(f) {
		if !m.used.queued[f] {
			m.used.queued[f] = true
			m.used.queue = append(m.used.queue, f)
			if m.exportsSecond(f) {
				m.secondRef(f)
			}
		}
	} else {
		m.declareFunc(f, sym)
		if m.mayInline(f) && !m.used.queued[f] {
			m.used.queued[f] = true
			m.used.borrowed = append(m.used.borrowed, f)
		}
	}
	return m.ref(sym)
}

// maxCopied is how many instructions a function of another package has that LLVM gets a copy of.
// The inliner of internal/mid/pass has inlined what is small; of the rest, LLVM inlines what is
// hardly bigger. In the run-time system, which is compiled seldom, LLVM decides.
const maxCopied = 30

// mayInline reports whether to emit f, a function of another package, available_externally.
// Functions that make objects, or hold objects of their callees, are left out, as escape analysis
// has not seen them here. So are those that call what makes objects: where f is compiled that may
// have been inlined, and its objects are in frames.
func (m *functions) mayInline(f *mid.Func) bool {
	if !f.HasBody() || f.Pkg == nil || m.in.Flags.NoInline || !m.in.lends(f, m.imports, m.links, nil) {
		return false
	}
	if len(f.AnonFuncs()) > 0 || f.Recover() != nil {
		return false
	}
	left := maxCopied
	if IsRuntime(m.in.Pkg.Pkg.Path()) || m.directives(f).inline {
		left = math.MaxInt
	}
	for _, b := range f.Body() {
		if left -= len(b.Instrs); left < 0 {
			return false
		}
	}
	if makesObjects(f) {
		return false
	}
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			if call, ok := in.(*mid.Call); ok && !call.Call.IsInvoke() {
				if g := call.Call.StaticCallee(); g != nil && m.mayLook(g) && makesObjects(g) {
					return false
				}
			}
		}
	}
	if m.in.Escape != nil && m.in.Escape.HoldsMade(f) {
		return false
	}
	return !m.seesOwnFrame(f)
}

// mayLook reports whether g's body is known, however the packages that this one imports were read:
// those that lend it nothing may have been read from sources for another one.
func (m *functions) mayLook(g *mid.Func) bool {
	return g.HasBody() && (g.Pkg == nil || g.Pkg == m.pkg || m.in.Lent[g.Pkg.Pkg])
}

// makesObjects reports whether f makes objects in memory.
func makesObjects(f *mid.Func) bool {
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *mid.Alloc:
				if in.Heap {
					return true
				}
			case *mid.MakeInterface:
				if _, isConst := in.X.(*mid.Const); !isConst && !isDirectIface(in.X.Type()) {
					return true
				}
			case *mid.MakeSlice, *mid.MakeClosure, *mid.MakeMap, *mid.MakeChan, *mid.Range, *mid.Go, *mid.Defer, *mid.Select:
				return true
			}
		}
	}
	return false
}

// owns reports whether this module must define f when it uses it: functions of its own
// package with a body, and shared synthetic ones and instances, which every user defines.
func (m *functions) owns(f *mid.Func) bool {
	root := f
	for root.Parent() != nil {
		root = root.Parent()
	}
	if m.shared(root) {
		return true
	}
	return root.Pkg == m.pkg && f.HasBody()
}

// shared reports whether f is emitted linkonce by every module that uses it.
func (m *functions) shared(f *mid.Func) bool {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if f.Pkg == nil {
		return true
	}
	return len(f.TypeArgs()) > 0 || f.IsWrapper()
}

// declareFunc declares a function defined elsewhere.
func (m *functions) declareFunc(f *mid.Func, sym string) {
	if m.out.Defined(sym) {
		return
	}
	s := m.sigOf(f.Signature)
	group := ordinary
	// the child runs on its caller's frame before the parent does
	if sym == "syscall.rawVforkSyscall" {
		group = returnsTwice
	}
	m.out.Declare(m.ref(sym), entry(group, s.ret, m.llparams(s)...))
}

// seesOwnFrame reports whether f calls something that speaks of the frame it is in, which
// inlining would make another function's.
func (m *functions) seesOwnFrame(f *mid.Func) bool {
	for _, blk := range f.Body() {
		for _, in := range blk.Instrs {
			c, ok := in.(*mid.Call)
			if !ok {
				continue
			}
			if c.Call.Builtin() == mid.BuiltinRecover {
				return true
			}
			if g := c.Call.StaticCallee(); g != nil && !g.HasBody() && m.has(g, seesFrame) {
				return true
			}
		}
	}
	return false
}

// made returns the objects of f's second form, nil if there is none here.
func (m *functions) made(f *mid.Func) *escape.Frame {
	if m.in.Escape == nil {
		return nil
	}
	return m.in.Escape.Made(f)
}

// exportsSecond reports whether other packages may call f's second form: their summaries of
// exported functions mention it (escape.Facts.Exported).
func (m *functions) exportsSecond(f *mid.Func) bool {
	return m.made(f) != nil && !m.shared(f) && f.Object() != nil && f.Object().Exported() && m.pkg.Pkg.Name() != "main"
}

const secondSuffix = "·made"

func secondSym(sym string) string { return sym + secondSuffix }

// secondRef returns the code of f's second form as an operand.
func (m *functions) secondRef(f *mid.Func) ir.Value {
	f = m.unthunk(f)
	sym := secondSym(m.funcSym(f))
	if m.owns(f) {
		if !m.used.hasSecond[f] {
			m.used.hasSecond[f] = true
			m.used.seconds = append(m.used.seconds, f)
		}
	} else if !m.out.Defined(sym) {
		s := m.sigOf(f.Signature)
		m.out.Declare(m.ref(sym), entry(ordinary, s.ret, append(m.llparams(s), ir.Ptr)...))
	}
	return m.ref(sym)
}

// eachDeclared visits the functions and methods that the package's source declares.
func (m *functions) eachDeclared(visit func(f *mid.Func)) {
	for _, f := range m.pkg.Funcs {
		visit(f)
	}
	for _, t := range m.pkg.Types {
		if named, ok := types.Unalias(t.Type()).(*types.Named); ok && !types.IsInterface(named) {
			for i := range named.NumMethods() {
				if f := m.prog.FuncValue(named.Method(i)); f != nil {
					visit(f)
				}
			}
		}
	}
}

// foreignInit reports whether g is another package's initialiser.
func (m *functions) foreignInit(g *mid.Func) bool {
	return g.Kind == mid.PackageInit && g.Pkg != m.pkg
}
