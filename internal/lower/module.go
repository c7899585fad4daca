package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"strings"

	"loam/internal/importpath"
	"loam/internal/inline"
	"loam/internal/ir"
	"loam/internal/mid"
)

// module is the lowering of one package into one LLVM module.
type module struct {
	in    *Input
	prog  *mid.Program
	pkg   *mid.Package
	sizes types.Sizes
	fset  *token.FileSet
	out   *ir.Module

	// package belongs to the run-time system: rt rules and rt text section
	rt         bool
	hasHuge    bool              // see Output.Huge
	noHeap     bool              // rt/ package: allocation is an error
	links      map[string]string // local symbol -> symbol given by go:linkname
	ownLinks   map[string]string // those of this package's own files
	borrowed   []*mid.Func       // small functions of imported packages, to be inlined
	imports    map[*types.Package]bool
	traits     map[*mid.Func]trait              // see has
	collecting map[*mid.Func]bool               // see exact.go
	captured   map[*mid.Func]bool               // see captures.go
	goTargets  map[*mid.Func]bool               // see waiting.go
	goLiterals map[*mid.Func]map[*mid.Func]bool // by function, what its go statements start
	scopes     scopeTree
	waiting    map[waitingKey]wait // likewise
	named      map[string]bool     // names in one-word go:linkname directives
	queue      []*mid.Func
	queued     map[*mid.Func]bool
	seconds    []*mid.Func // queue of second forms (secondform.go)
	hasSecond  map[*mid.Func]bool
	bodyless   []*mid.Func         // of this package, other than intrinsics
	strs       map[string]ir.Value // string constant -> private global
	literals   map[string]ir.Value // contents of literals in functions -> private global
	static     map[*mid.Global]ir.Value
	skip       map[mid.Instr]bool
	dbg        *debugInfo
	inlined    map[*mid.Func]ir.Meta // see inlinedScope
	syms       map[*mid.Func]string
	// values of generic methods, by what they call (funcname.go)
	valueOf map[*mid.Func]*mid.MakeClosure

	typeInfo map[types.Type]*typeInfo
	tt       typeTables // names and descriptors of types (typename.go)

	staticVals map[mid.Value]ir.Value // constant operands of skipped instructions (constdata.go)
	statics    int                    // static allocations so far
	caches     int                    // itab caches so far (iface.go)
	errs       Errors
}

// define adds a definition once per symbol.
func (m *module) define(sym string, make func() ir.Definition) { m.out.Define(m.ref(sym), make) }

// ref returns the address of a symbol.
func (m *module) ref(sym string) ir.Value { return m.out.Ref(sym) }

// plain returns the address of what LLVM knows by that name, or only this module.
func (m *module) plain(name string) ir.Value { return m.out.PlainRef(name) }

// errorf records a compile error at pos.
func (m *module) errorf(pos token.Pos, format string, args ...any) {
	m.errs = append(m.errs, Error{Pos: m.fset.Position(pos), Msg: fmt.Sprintf(format, args...)})
}

// Errors are what is wrong with a package that only lowering finds.
type Errors []Error

// Error is a compile error with its position.
type Error struct {
	Pos token.Position
	Msg string
}

func (e Errors) Error() string {
	var b strings.Builder
	for i, x := range e {
		if i > 0 {
			b.WriteByte('\n')
		}
		if x.Pos.IsValid() {
			fmt.Fprintf(&b, "%s: ", x.Pos)
		}
		b.WriteString(x.Msg)
	}
	return b.String()
}

// stringData returns the operand of a private constant that holds s's bytes.
func (m *module) stringData(s string) ir.Value {
	if s == "" {
		return ir.Null
	}
	if g, ok := m.strs[s]; ok {
		return g
	}
	g := m.out.PlainNumberedRef("str.", len(m.strs))
	m.strs[s] = g
	m.out.Define(g, func() ir.Definition { return sharedConst(ir.BytesConst(s), 1) })
	return g
}

// stringConst returns a constant operand of Go type string.
func (m *module) stringConst(s string) ir.Value {
	if s == "" {
		return ir.Zero(llString)
	}
	return ir.Aggregate(llString, m.stringData(s), ir.Int(ir.I64, len(s)))
}

// funcRef returns f's code as an operand and sees to its definition or declaration.
func (m *module) funcRef(f *mid.Func) ir.Value {
	f = m.unthunk(f)
	sym := m.funcSym(f)
	if m.owns(f) {
		if !m.queued[f] {
			m.queued[f] = true
			m.queue = append(m.queue, f)
			if m.exportsSecond(f) {
				m.secondRef(f)
			}
		}
	} else {
		m.declareFunc(f, sym)
		if m.mayInline(f) && !m.queued[f] {
			m.queued[f] = true
			m.borrowed = append(m.borrowed, f)
		}
	}
	return m.ref(sym)
}

// maxCopied is how many instructions a function of another package has that LLVM gets a copy of.
// The inliner of internal/mid/pass has inlined what is small; of the rest, LLVM inlines what is
// hardly bigger. It leaves the run-time system alone, so there LLVM decides.
const maxCopied = 30

// mayInline tells whether to emit f, a function of another package, available_externally. Functions
// that make objects, or hold objects of their callees, are left out, as escape analysis has not
// seen them here. So are those that call what makes objects: where f is compiled that may have been
// inlined, and its objects are in frames.
func (m *module) mayInline(f *mid.Func) bool {
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
				if g := call.Call.StaticCallee(); g != nil && g.HasBody() && makesObjects(g) {
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

// makesObjects tells whether f makes objects in memory.
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

// Lender returns what tells whether the package may have the code of f, another package's function,
// in its own. The run-time system's stay in its own text section: only its packages inline them,
// except for those of rt/hash, which only compute. Packages without a heap take none of other
// packages, which are compiled with barriers.
//
// Of what hot tells, bigger functions count.
func (in *Input) Lender(hot func(path string, fd *ast.FuncDecl) bool) func(f *mid.Func) bool {
	return func(f *mid.Func) bool {
		if in.Flags.Points && f.Object() != nil && isSync(f.Object().Pkg()) {
			return false // the question is asked where it is called
		}
		return f.HasBody() && f.Pkg != nil && in.lends(f, in.Lent, in.ImportedLinknames, hot) && len(f.AnonFuncs()) == 0
	}
}

// lends tells whether f is a small function, of one of the given packages, that the package may
// have.
func (in *Input) lends(f *mid.Func, from map[*types.Package]bool, links map[string]string, hot func(path string, fd *ast.FuncDecl) bool) bool {
	path, to := f.Pkg.Pkg.Path(), in.Pkg.Pkg.Path()
	if IsRuntime(path) && !IsRuntime(to) && path != "internal/rt/hash" || !IsRuntime(path) && hasNoHeap(to) || !from[f.Pkg.Pkg] {
		return false
	}
	fd, ok := f.Syntax().(*ast.FuncDecl)
	return ok && inline.Candidate(fd, hot != nil && hot(path, fd)) && links[importpath.Prefix(path)+"."+f.Name()] == ""
}

// hasNoHeap tells whether the package of that path must not allocate.
func hasNoHeap(path string) bool { return strings.HasPrefix(path, "internal/rt/") }

func importSet(pkg *mid.Package) map[*types.Package]bool {
	set := map[*types.Package]bool{}
	for _, p := range pkg.Pkg.Imports() {
		set[p] = true
	}
	return set
}

// owns tells whether this module must define f when it uses it: functions of its own
// package with a body, and shared synthetic ones and instances, which every user defines.
func (m *module) owns(f *mid.Func) bool {
	root := f
	for root.Parent() != nil {
		root = root.Parent()
	}
	if m.shared(root) {
		return true
	}
	return root.Pkg == m.pkg && f.HasBody()
}

// shared tells whether f is emitted linkonce by every module that uses it.
func (m *module) shared(f *mid.Func) bool {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if f.Pkg == nil {
		return true
	}
	return len(f.TypeArgs()) > 0 || isWrapper(f)
}

// delegates tells whether f calls a method and does nothing else: a wrapper, or a function
// literal that stands for a method expression.
func delegates(f *mid.Func) bool { return isWrapper(f) || f.IsMethodExpr() }

// isWrapper tells whether f was made to delegate to a method.
func isWrapper(f *mid.Func) bool {
	return f.Kind == mid.Wrapper || f.Kind == mid.Thunk || f.Kind == mid.Bound
}

// declareFunc declares a function defined elsewhere.
func (m *module) declareFunc(f *mid.Func, sym string) {
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

// funcValue returns the operand of a func value for f without captures: the address of a
// constant closure object {code}.
func (m *module) funcValue(f *mid.Func) ir.Value {
	f = m.unthunk(f)
	code := m.funcRef(f)
	base := m.funcSym(f)
	if !takesContext(f) && (f.HasBody() || f.Pkg != m.pkg) {
		// (Assembly is its own code: run-time code takes its address to hand to the kernel.)
		code = m.forwarder(f, code)
	}
	if m.has(f, registers) {
		sym := base + "·registers"
		code = m.ref(sym)
		m.out.Declare(code, entry(0, ir.Void))
	}
	sym := base + "·f"
	m.define(sym, func() ir.Definition {
		return m.merged(sym, ir.Definition{Hidden: true, Const: true, Init: ir.Aggregate(ir.Struct(ir.Ptr), code), Align: 8})
	})
	return m.ref(sym)
}

// forwarderSuffix ends a forwarder's name in the debug information. The run-time system takes it
// off, and leaves out the forwarder that was inlined where the function value is called, which
// would look like a second frame of the function.
const forwarderSuffix = "-v"

// forwarder defines the code that a func value of a declared function points to: it takes
// the closure context, which f does not, and jumps to f. It is a tail call, so it leaves no frame.
func (m *module) forwarder(f *mid.Func, code ir.Value) ir.Value {
	sym := m.funcSym(f) + "·v"
	m.define(sym, func() ir.Definition {
		sig := m.sigOf(f.Signature)
		var params []ir.Parameter
		var args []ir.Value
		for i, t := range m.llparams(sig) {
			p := ir.ParamValue(i, t)
			params, args = append(params, ir.Parameter{Value: p}), append(args, p)
		}
		scope, line := m.dbg.subprogram(m.displayName(f)+forwarderSuffix, funcPos(f), isNullary(f))
		b := m.out.NewBareFunc()
		b.Loc = m.dbg.location(line, scope, 0)
		call := &ir.CallInfo{Tail: true, NoInline: true}
		if sig.ret == ir.Void {
			b.CallWithAt(call, ir.Void, code, args...)
			b.Ret(ir.Value{})
		} else {
			r := ir.NamedValue("r", sig.ret)
			b.Define(r, func() { b.CallWithAt(call, sig.ret, code, args...) })
			b.Ret(r)
		}
		d := m.merged(sym, ir.Definition{Hidden: true, Section: wrapSection, Dbg: scope,
			Func: &ir.FuncDef{Ret: sig.ret, Params: append(params, contextOf), Group: forwards, Forwards: true, Body: b}})
		m.dbg.place(d.Func, scope, line)
		return d
	})
	return m.ref(sym)
}

// comdat returns the group of sections of the symbol's name.
func (m *module) comdat(sym string) *ir.Comdat { return m.out.Comdat(m.ref(sym), false) }

// merged makes d what each module that needs it has: the linker keeps one.
func (m *module) merged(sym string, d ir.Definition) ir.Definition {
	d.Linkage, d.Comdat = ir.LinkOnce, m.comdat(sym)
	return d
}

// sharedConst is a constant that only its contents tell from others.
func sharedConst(init ir.Value, align int64) ir.Definition {
	return ir.Definition{Linkage: ir.Private, UnnamedAddr: true, Const: true, Init: init, Align: align}
}

// rtFunc declares the run-time entry point runtime.name and returns its operand.
func (m *module) rtFunc(name string) ir.Value {
	sym := "runtime." + name
	d, ok := rtDecls[name]
	if !ok {
		panic("lower: unknown run-time entry point " + name)
	}
	f := m.ref(sym)
	m.out.Declare(f, d)
	return f
}
