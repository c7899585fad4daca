// Package lower turns packages of the middle representation into LLVM modules.
//
// A Go package becomes one module. Each function is walked in dominator order; a value of a small
// type (up to four scalars) becomes an LLVM value, a bigger one an address of memory that nobody
// writes while the value lives (types.go, value.go). Type descriptors (typedesc.go and around it)
// and static data (constdata.go) are Go's own layouts, because upstream's reflect and maps are
// compiled unchanged. What is shared between packages (instances, wrappers, descriptors of unnamed
// types) is linkonce_odr under a canonical name. The conventions between compiled code and the
// run-time system are written down in docs/abi.md.
//
// What is known of the module is a ladder of structs, each of which embeds the one below it: unit,
// symbols, layouts, functions, data, module. So is what is known of the function that is being
// written: code, frames, places, checks, values, objects, calls, deferrals, branches, fn. A method
// belongs to the lowest part that has all that it needs, so its receiver says what it may touch.
// docs/architecture.md has the files of each part.
package lower

import (
	"go/token"
	"go/types"
	"sort"
	"strings"

	"loam/internal/ir"
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
	m.keepMethods()
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
		batch := m.used.borrowed
		m.used.borrowed = nil
		for _, f := range batch {
			m.define(m.funcSym(f), func() ir.Definition { return m.lowerFunc(f, m.funcSym(f)) })
		}
		m.emitQueued()
	}
}

// emitQueued emits the functions that are known to be used, and those that they use.
func (m *module) emitQueued() {
	for len(m.used.queue)+len(m.used.seconds) > 0 {
		if len(m.used.queue) > 0 {
			f := m.used.queue[0]
			m.used.queue = m.used.queue[1:]
			m.emitFunc(f)
			continue
		}
		f := m.used.seconds[0]
		m.used.seconds = m.used.seconds[1:]
		m.emitSecond(f)
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

// emptyInit reports whether a package initialiser does nothing once dependencies' ones are
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
