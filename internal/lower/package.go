// Package lower turns packages of the middle representation into LLVM modules.
//
// A Go package becomes one module. Each function is walked in dominator order; a
// value of a small type (up to four scalars) becomes an LLVM value, a bigger one an address
// of memory that nobody writes while the value lives (types.go, value.go). Constructs have
// a file each: memory.go, arith.go, convert.go, compare.go, iface.go, call.go, defer.go,
// channel.go, mapping.go, builtin.go, intrinsics.go; run-time checks are in trap.go. Type
// descriptors (typedesc.go and around it) and static data (constdata.go) are Go's own
// layouts, because upstream's reflect and maps are compiled unchanged. What is shared
// between packages (instances, wrappers, descriptors of unnamed types) is linkonce_odr under
// a canonical name. The conventions between compiled code and the run-time system are
// written down in docs/abi.md.
package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"sort"
	"strings"

	"loam/internal/amd64"
	"loam/internal/importpath"
	"loam/internal/ir"
	"loam/internal/linkname"
	"loam/internal/mid"
)

// Package lowers one package to LLVM assembly text. Errors are *Error joined, or a
// description of an unsupported construct.
func Package(in *Input) (out *Output, err error) {
	m := newModule(in)
	defer func() {
		if DebugPanics {
			return
		}
		if r := recover(); r != nil {
			err = Errors{*m.crash(token.NoPos, nil, r)}
		}
	}()
	m.collectLinknames()
	m.static, m.skip = m.staticInits()
	m.globals()
	hasInit := m.queuePackage()
	m.packageTypes()
	m.emitQueued()
	m.emitBorrowed()
	m.keepTypelinks()
	m.dbg.finish(m.fileName())
	if len(m.errs) > 0 {
		return nil, m.errs
	}
	asm, wrappers := m.asmWrappers()
	return &Output{IR: m.out, Asm: asm, AsmWrappers: wrappers, HasInit: hasInit, Linknames: m.ownLinks, Huge: m.hasHuge}, nil
}

// emitBorrowed emits the small functions of other packages that this one calls, and those
// that they call in turn, two levels deep; run-time packages have more layers.
func (m *module) emitBorrowed() {
	levels := 2
	if m.rt {
		levels = 4
	}
	for range levels {
		batch := m.borrowed
		m.borrowed = nil
		for _, f := range batch {
			m.define(m.funcSym(f), func() ir.Definition { return m.lowerFunc(f, m.funcSym(f)) })
		}
		m.emitQueued()
	}
}

// emitQueued emits the functions that are known to be used, and those that they use.
func (m *module) emitQueued() {
	for len(m.queue)+len(m.seconds) > 0 {
		if len(m.queue) > 0 {
			f := m.queue[0]
			m.queue = m.queue[1:]
			m.emitFunc(f)
			continue
		}
		f := m.seconds[0]
		m.seconds = m.seconds[1:]
		m.emitSecond(f)
	}
}

// crash is the error that says where in the program the compiler panicked with r. Inner functions
// and positions win.
func (m *module) crash(pos token.Pos, f *mid.Func, r any) *Error {
	if e, ok := r.(*Error); ok {
		return e
	}
	e := &Error{Pos: m.fset.Position(pos), Msg: fmt.Sprintf("internal compiler error: %v", r)}
	if f != nil {
		e.Msg += fmt.Sprintf(" (in %s)", f)
	}
	return e
}

// Verify has all code checked that is made (LOAMVERIFY=1).
var Verify = os.Getenv("LOAMVERIFY") != ""

// DebugPanics lets a panic of the compiler through, for its stack.
var DebugPanics = os.Getenv("LOAMPANIC") != ""

func newModule(in *Input) *module {
	path := in.Pkg.Pkg.Path()
	m := &module{in: in, prog: in.Pkg.Prog, pkg: in.Pkg, sizes: in.Sizes, fset: in.Fset, out: ir.NewModule(),
		inlined: map[*mid.Func]ir.Meta{}, links: map[string]string{}, named: map[string]bool{}, ownLinks: map[string]string{}, queued: map[*mid.Func]bool{}, hasSecond: map[*mid.Func]bool{}, strs: map[string]ir.Value{}, literals: map[string]ir.Value{},
		syms: map[*mid.Func]string{}, traits: map[*mid.Func]trait{}, valueOf: map[*mid.Func]*mid.MakeClosure{}, collecting: map[*mid.Func]bool{}, captured: map[*mid.Func]bool{}, waiting: map[waitingKey]wait{}, typeInfo: map[types.Type]*typeInfo{},
		skip: map[mid.Instr]bool{}, static: map[*mid.Global]ir.Value{}, tt: newTypeTables()}
	m.rt = IsRuntime(path)
	m.noHeap = hasNoHeap(path)
	if !m.rt { // the run-time system's own section lies behind that of the wrappers
		m.out.LastSection = wrapSection
	}
	m.out.Path, m.out.Target, m.out.Groups = path, amd64.Module, attributeGroups
	m.imports = importSet(in.Pkg)
	m.dbg = newDebugInfo(m, m.fileName())
	m.memmove()
	m.memset()
	return m
}

// fileName is the name of the package's first file, its path if it has none.
func (m *module) fileName() string {
	if len(m.in.Files) == 0 {
		return m.in.Pkg.Pkg.Path()
	}
	name := m.in.Fset.Position(m.in.Files[0].Package).Filename
	if m.in.PosPath != nil {
		name = m.in.PosPath(name)
	}
	return name
}

// collectLinknames reads the go:linkname directives: those of the package's own files, and
// of the imported packages as the driver recorded them.
func (m *module) collectLinknames() {
	for l, r := range m.in.ImportedLinknames {
		m.links[l] = r
	}
	path := importpath.Prefix(m.pkg.Pkg.Path())
	for _, f := range m.in.Files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				w, ok := linkname.Parse(c.Text)
				if !ok {
					continue
				}
				if len(w) == 1 {
					m.named[w[0]] = true
				}
				if len(w) == 2 && w[1] != path+"."+w[0] {
					m.links[path+"."+w[0]] = w[1]
					m.ownLinks[path+"."+w[0]] = w[1]
				}
			}
		}
	}
}

// queuePackage queues every function that this package defines.
func (m *module) queuePackage() (hasInit bool) {
	type member struct {
		name string
		f    *mid.Func
		typ  *types.TypeName
	}
	var members []member
	for _, f := range m.pkg.Funcs {
		members = append(members, member{name: f.Name(), f: f})
	}
	for _, t := range m.pkg.Types {
		members = append(members, member{name: t.Name(), typ: t})
	}
	sort.SliceStable(members, func(i, j int) bool { return members[i].name < members[j].name })
	for _, mem := range members {
		f := mem.f
		switch {
		case f == nil:
			m.queueMethods(mem.typ.Type())
			continue
		case f.IsGeneric():
			continue
		case f == m.pkg.Init:
			if m.emptyInit(f) {
				continue
			}
			hasInit = true
		}
		m.funcRef(f)
		if !f.HasBody() {
			m.emitFunc(f)
		}
	}
	return hasInit
}

// eachDeclared visits the functions and methods that the package's source declares.
func (m *module) eachDeclared(visit func(f *mid.Func)) {
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

func (m *module) queueMethods(t types.Type) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.TypeParams().Len() > 0 || types.IsInterface(named) {
		return
	}
	for i := 0; i < named.NumMethods(); i++ {
		if f := m.prog.FuncValue(named.Method(i)); f != nil && f.TypeParams().Len() == 0 {
			m.funcRef(f)
			if !f.HasBody() {
				m.emitFunc(f)
			}
		}
	}
}

// emptyInit tells whether a package initialiser does nothing once dependencies' ones are
// called by the driver's list.
func (m *module) emptyInit(f *mid.Func) bool {
	for _, b := range f.Body() {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *mid.Call:
				if g := in.Call.StaticCallee(); g != nil && m.foreignInit(g) {
					continue
				}
				return false
			case *mid.Store:
				if !m.skip[in] {
					return false
				}
			case *mid.If, *mid.Jump, *mid.Return:
			default:
				if !m.skip[in] {
					return false
				}
			}
		}
	}
	return true
}

// foreignInit tells whether g is another package's initialiser.
func (m *module) foreignInit(g *mid.Func) bool {
	return g.Kind == mid.PackageInit && g.Pkg != m.pkg
}

// globals defines the package's variables.
func (m *module) globals() {
	for _, g := range m.pkg.Globals {
		if g.Name() == "_" {
			continue
		}
		sym := m.globalSym(g)
		if !m.definesLinked(g) {
			continue
		}
		m.define(sym, func() ir.Definition { return m.globalDef(g, sym) })
	}
}

// definesLinked tells whether this module defines g: not if a go:linkname directive makes
// it another package's variable.
func (m *module) definesLinked(g *mid.Global) bool {
	own := plainGlobalSym(g)
	_, linked := m.links[own]
	return g.Pkg == m.pkg && !m.byAsm(own) && (!linked || m.initialised(g))
}

// byAsm tells whether the package's Go assembly has the data of the variable of that name.
func (m *module) byAsm(name string) bool { return m.in.Asm != nil && m.in.Asm.Variables[name] }

// initialised tells whether g has an initialiser in the source.
func (m *module) initialised(g *mid.Global) bool {
	if m.in.Info == nil {
		return false
	}
	for _, i := range m.in.Info.InitOrder {
		for _, v := range i.Lhs {
			if v == g.Object() {
				return true
			}
		}
	}
	return false
}

func (m *module) globalDef(g *mid.Global, sym string) ir.Definition {
	t := under(g.Type()).(*types.Pointer).Elem()
	ti := m.info(t)
	if init, ok := m.static[g]; ok {
		d := ir.Definition{Init: init, Align: max(ti.align, 1)}
		if !ti.ptrs {
			m.noptr(m.ref(sym), &d, noptrData)
		}
		d.Dbg = m.dbg.global(g, sym)
		return d
	}
	size := max(ti.size, 1)
	d := ir.Definition{Init: ir.Zero(ir.Array(size, ir.I8)), Align: ti.align}
	if !ti.ptrs {
		m.noptr(m.ref(sym), &d, noptrBSS)
	}
	if c := m.in.Counters; c != "" && strings.HasPrefix(g.Name(), c) {
		d.Section, d.Comdat = "loam_covctrs", nil
	}
	if size >= 16 {
		d.Align = 16
	}
	if m.named[g.Name()] && !m.initialised(g) {
		d.Linkage = ir.Weak // another package may push its definition
	}
	d.Dbg = m.dbg.global(g, sym)
	return d
}

// mayAsk tells whether functions of p may ask to be inlined: those of the run-time system, and
// those of maps, whose accesses are what compiled code calls.
func mayAsk(p *mid.Package) bool {
	return IsRuntime(p.Pkg.Path()) || p.Pkg.Path() == MapsPath
}

// directives returns the directives of f's declaration.
func (m *module) directives(f *mid.Func) directives {
	var d directives
	if o := f.Origin(); o != nil {
		f = o
	}
	if decl, ok := f.Syntax().(*ast.FuncDecl); ok && decl.Doc != nil {
		for _, c := range decl.Doc.List {
			switch {
			case strings.HasPrefix(c.Text, "//go:noinline"):
				d.noinline = true
			case strings.HasPrefix(c.Text, "//go:norace"):
				d.norace = true
			case c.Text == "//loam:inline" && mayAsk(f.Pkg):
				d.inline = true
			case m.rt && c.Text == "//loam:clear":
				d.clear = true
			}
		}
	}
	return d
}
