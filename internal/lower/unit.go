package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"strings"

	"loam/internal/amd64"
	"loam/internal/importpath"
	"loam/internal/ir"
	"loam/internal/linkname"
	"loam/internal/mid"
)

// unit is the package that is lowered, and the module that is written of it.
type unit struct {
	in    *Input
	prog  *mid.Program
	pkg   *mid.Package
	sizes types.Sizes
	fset  *token.FileSet
	out   *ir.Module

	rt     bool // it belongs to the run-time system: rt rules and rt text section
	noHeap bool // rt/ package: allocation is an error

	links    map[string]string // local symbol -> symbol given by go:linkname
	ownLinks map[string]string // those of this package's own files
	extern   map[string]bool   // symbols of C's variables
	named    map[string]bool   // names in one-word go:linkname directives
	imports  map[*types.Package]bool
	errs     Errors
}

func newUnit(in *Input) *unit {
	path := in.Pkg.Pkg.Path()
	u := &unit{in: in, prog: in.Pkg.Prog, pkg: in.Pkg, sizes: in.Sizes, fset: in.Fset, out: ir.NewModule(),
		rt: IsRuntime(path), noHeap: hasNoHeap(path),
		links: map[string]string{}, named: map[string]bool{}, ownLinks: map[string]string{}, extern: map[string]bool{},
		imports: importSet(in.Pkg)}
	if !u.rt { // the run-time system's own section lies behind that of the wrappers
		u.out.LastSection = wrapSection
	}
	u.out.DSOLocal = in.Flags.Movable
	u.out.Path, u.out.Target, u.out.Groups = path, amd64.Module, attributeGroups
	return u
}

// define adds a definition once per symbol.
func (m *unit) define(sym string, make func() ir.Definition) {
	m.out.Define(m.ref(sym), func() ir.Definition {
		d := make()
		m.racePath(&d)
		return d
	})
}

// ref returns the address of a symbol.
func (m *unit) ref(sym string) ir.Value { return m.out.Ref(sym) }

// plain returns the address of what LLVM knows by that name, or only this module.
func (m *unit) plain(name string) ir.Value { return m.out.PlainRef(name) }

// errorf records a compile error at pos.
func (m *unit) errorf(pos token.Pos, format string, args ...any) {
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

// comdat returns the group of sections of the symbol's name.
func (m *unit) comdat(sym string) *ir.Comdat { return m.out.Comdat(m.ref(sym), false) }

// merged makes d what each module that needs it has: the linker keeps one.
func (m *unit) merged(sym string, d ir.Definition) ir.Definition {
	d.Linkage, d.Comdat = ir.LinkOnce, m.comdat(sym)
	return d
}

// sharedConst is a constant that only its contents tell from others.
func sharedConst(init ir.Value, align int64) ir.Definition {
	return ir.Definition{Linkage: ir.Private, UnnamedAddr: true, Const: true, Init: init, Align: align}
}

// rtFunc declares the run-time entry point runtime.name and returns its operand.
func (m *unit) rtFunc(name string) ir.Value {
	sym := "runtime." + name
	d, ok := rtDecls[name]
	if !ok {
		panic("lower: unknown run-time entry point " + name)
	}
	f := m.ref(sym)
	m.out.Declare(f, d)
	return f
}

// likely is the branch weight metadata for "the first way".
func (m *unit) likely() ir.Meta { return m.out.Tuple(`!"branch_weights", i32 2000, i32 1`) }

// crash is the error that says where in the program the compiler panicked with r. Inner functions
// and positions win.
func (m *unit) crash(pos token.Pos, f *mid.Func, r any) *Error {
	if e, ok := r.(*Error); ok {
		return e
	}
	e := &Error{Pos: m.fset.Position(pos), Msg: fmt.Sprintf("internal compiler error: %v", r)}
	if f != nil {
		e.Msg += fmt.Sprintf(" (in %s)", f)
	}
	return e
}

// fileName is the name of the package's first file, its path if it has none.
func (m *unit) fileName() string {
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
func (m *unit) collectLinknames() {
	for l, r := range m.in.ImportedLinknames {
		m.links[l] = r
	}
	path := importpath.Prefix(m.pkg.Pkg.Path())
	for _, f := range m.in.Files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				if sym, ok := strings.CutPrefix(c.Text, "//"+linkname.Extern); ok {
					m.extern[sym] = true
				}
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

// byAsm reports whether the package's Go assembly has the data of the variable of that name.
func (m *unit) byAsm(name string) bool { return m.in.Asm != nil && m.in.Asm.Variables[name] }

func importSet(pkg *mid.Package) map[*types.Package]bool {
	set := map[*types.Package]bool{}
	for _, p := range pkg.Pkg.Imports() {
		set[p] = true
	}
	return set
}

func (m *unit) memmove() ir.Value {
	return m.intrinsic("llvm.memmove.p0.p0.i64", ir.Void, memmoveParams...)
}

func (m *unit) memset() ir.Value {
	return m.intrinsic("llvm.memset.p0.i64", ir.Void, memsetParams...)
}

func (m *unit) isMaps() bool { return m.out.Path == MapsPath }

// Verify has all code checked that is made (LOAMVERIFY=1).
var Verify = os.Getenv("LOAMVERIFY") != ""

// DebugPanics lets a panic of the compiler through, for its stack.
var DebugPanics = os.Getenv("LOAMPANIC") != ""

// verify checks a function's code if that is asked for.
func (m *unit) verify(f *ir.Func, name string, params []ir.Parameter, ret *ir.Type) {
	if !Verify {
		return
	}
	if err := f.Verify(params, ret); err != nil {
		panic(fmt.Errorf("%s: %v", name, err))
	}
}
