// Package fromssa makes the compiler's middle representation (mid) from go/ssa's.
//
// It is the only one that knows go/ssa's form, but for load, which makes its packages. What
// go/ssa tells by the names of blocks, variables and made functions is classified here. A form that
// is not known stops the compilation, with a position.
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

// Mode is how the driver has to build the go/ssa program. Initialisers are bare: the link decides
// the order of packages, so none calls another.
const Mode = ssa.InstantiateGenerics | ssa.BareInits

// Program is one compilation's view of a go/ssa program, all of whose packages that have bodies
// have been built. It reads them only, but for what go/ssa makes on demand, under locks of its own:
// many compilations may have views of the same program.
type Program struct {
	*mid.Program
	prog     *ssa.Program
	packages map[*types.Package]*mid.Package
	funcs    map[*ssa.Function]*mid.Func
	origins  map[*mid.Func]*ssa.Function // of those that wait for their bodies
	globals  map[*ssa.Global]*mid.Global
	uses     func(*types.Package, *types.Func)
}

// Package returns the view for the compilation of pkg.
func Package(pkg *ssa.Package) *mid.Package {
	return Watched(pkg, func(*types.Package, *types.Func) {})
}

// Watched is Package that tells uses of each function that the compilation looks at, with its
// package. Without a function, the compilation looks for declarations by their names, or at what
// the package does not declare. Of other packages nothing but exported types matters to it.
func Watched(pkg *ssa.Package, uses func(*types.Package, *types.Func)) *mid.Package {
	p := &Program{prog: pkg.Prog, uses: uses, packages: map[*types.Package]*mid.Package{}, funcs: map[*ssa.Function]*mid.Func{},
		origins: map[*mid.Func]*ssa.Function{}, globals: map[*ssa.Global]*mid.Global{}}
	p.Program = mid.NewProgram(pkg.Prog.Fset, p)
	return p.members(pkg)
}

// members fills in what a package declares.
func (p *Program) members(pkg *ssa.Package) *mid.Package {
	made := p.pkg(pkg)
	names := make([]string, 0, len(pkg.Members))
	for name := range pkg.Members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		switch m := pkg.Members[name].(type) {
		case *ssa.Function:
			made.Funcs = append(made.Funcs, p.fn(m))
		case *ssa.Global:
			made.Globals = append(made.Globals, p.global(m))
		case *ssa.Type:
			made.Types = append(made.Types, m.Object().(*types.TypeName))
		}
	}
	if init := pkg.Func("init"); init != nil {
		made.Init = p.fn(init)
	}
	return made
}

func (p *Program) pkg(pkg *ssa.Package) *mid.Package {
	if pkg == nil {
		return nil
	}
	made := p.packages[pkg.Pkg]
	if made == nil {
		made = &mid.Package{Prog: p.Program, Pkg: pkg.Pkg}
		p.packages[pkg.Pkg] = made
	}
	return made
}

// Package returns the package of that path with its members, nil if there is none.
func (p *Program) Package(path string) *mid.Package {
	pkg := p.prog.ImportedPackage(path)
	if pkg == nil {
		return nil
	}
	if made := p.packages[pkg.Pkg]; made != nil && made.Init != nil {
		return made
	}
	p.uses(pkg.Pkg, nil)
	return p.members(pkg)
}

// TypesOf implements mid.Source.
func (p *Program) TypesOf(path string) *types.Package {
	if pkg := p.prog.ImportedPackage(path); pkg != nil {
		p.uses(pkg.Pkg, nil)
		return pkg.Pkg
	}
	return nil
}

// FuncValue implements mid.Source.
func (p *Program) FuncValue(f *types.Func) *mid.Func { return p.fn(p.prog.FuncValue(f)) }

// MethodValue implements mid.Source.
func (p *Program) MethodValue(sel *types.Selection) *mid.Func { return p.fn(p.prog.MethodValue(sel)) }

func (p *Program) global(g *ssa.Global) *mid.Global {
	made := p.globals[g]
	if made == nil {
		object, _ := g.Object().(*types.Var)
		made = mid.NewGlobal(p.pkg(g.Pkg), g.Name(), object, g.Type(), g.Pos())
		p.globals[g] = made
	}
	return made
}

// fn returns the function that stands for f, nil if f is.
func (p *Program) fn(f *ssa.Function) *mid.Func {
	if f == nil {
		return nil
	}
	if made := p.funcs[f]; made != nil {
		return made
	}
	if f.Parent() != nil {
		p.fn(f.Parent()) // makes its literals, too
		if made := p.funcs[f]; made != nil {
			return made
		}
		panic(fmt.Sprintf("fromssa: %s is not among the literals of %s", f, f.Parent()))
	}
	return p.makeFunc(f, nil)
}

func (p *Program) makeFunc(f *ssa.Function, parent *mid.Func) *mid.Func {
	object, _ := f.Object().(*types.Func)
	info := mid.FuncInfo{Object: object, Syntax: f.Syntax(), Pos: f.Pos(), Parent: parent, TypeParams: f.TypeParams(), TypeArgs: f.TypeArgs()}
	made := mid.NewFunc(f.Name(), kindOf(f), p.Program, f.Signature, info, f.Blocks != nil)
	p.funcs[f] = made
	if made.Pkg = p.pkg(f.Pkg); made.Pkg != nil {
		p.uses(made.Pkg.Pkg, object)
	}
	if o := f.Origin(); o != nil && parent == nil {
		made.Of.Origin = p.fn(o)
	}
	if f.Blocks != nil {
		p.origins[made] = f
	}
	for _, x := range f.Params {
		object, _ := x.Object().(*types.Var)
		mid.NewParameter(made, x.Name(), object, x.Type())
	}
	for _, x := range f.FreeVars {
		mid.NewFreeVar(made, x.Name(), x.Type(), x.Pos())
	}
	for _, a := range literals(f) {
		made.AnonFuncs = append(made.AnonFuncs, p.makeFunc(a, made))
	}
	return made
}

// kindOf classifies f by what go/ssa says about functions that are not declared in the source.
func kindOf(f *ssa.Function) mid.Kind {
	switch s := f.Synthetic; {
	case s == "":
		return mid.Declared
	case s == "range-over-func yield":
		return mid.LoopBody
	case s == "package initializer":
		return mid.PackageInit
	case strings.HasPrefix(s, "from type information"):
		if f.Pkg == nil { // of the universe: error's method
			return mid.Wrapper
		}
		return mid.Imported
	case strings.HasPrefix(s, "instance of "):
		return mid.Instance
	case strings.HasPrefix(s, "wrapper for "):
		return mid.Wrapper
	case strings.HasPrefix(s, "thunk for "):
		return mid.Thunk
	case strings.HasPrefix(s, "bound method wrapper for "):
		return mid.Bound
	case strings.HasPrefix(s, "instantiation wrapper of "):
		return mid.ForwardsInst
	}
	panic(unknown(f.Prog, f.Pos(), "function made as "+f.Synthetic))
}

// unknown is what a compilation stops with.
func unknown(prog *ssa.Program, pos token.Pos, what string) error {
	return fmt.Errorf("%s: fromssa: no form for %s", prog.Fset.Position(pos), what)
}
