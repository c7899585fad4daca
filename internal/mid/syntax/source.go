package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
)

// Universe is the syntax of packages whose types are in one universe, each with what go/types says
// of it. It is not for concurrent use.
type Universe struct {
	Fset  *token.FileSet
	Sizes types.Sizes

	// FailsInCopy says that to gc a nil pointer fails where something is copied from it or stored
	// through it, and not where it is written: before Go 1.27.
	FailsInCopy bool

	context *types.Context // of instances
	byTypes map[*types.Package]*Package
	byPath  map[string]*Package
}

// NewUniverse returns a universe without packages.
func NewUniverse(fset *token.FileSet, sizes types.Sizes) *Universe {
	u := &Universe{Fset: fset, Sizes: sizes, context: types.NewContext()}
	u.byTypes, u.byPath = map[*types.Package]*Package{}, map[string]*Package{}
	return u
}

// Package is the syntax of a package.
type Package struct {
	Types *types.Package
	Notes bool // debuggers are told of variables

	universe *Universe
	info     *types.Info // nil if there is no syntax
	files    []*ast.File
	decls    map[*types.Func]*decl
	inits    []*types.Func // the functions init
	whole    bool          // with what initialises variables
}

// decl is the declaration of a function.
type decl struct {
	syntax  *ast.FuncDecl
	name    string
	perTurn bool // loops have variables of their own in each turn
}

// Add enters a package. Without files there are only types. A package that is not whole has the
// bodies of some functions, and no initialisers.
func (u *Universe) Add(pkg *types.Package, files []*ast.File, info *types.Info, whole bool) *Package {
	p := &Package{Types: pkg, universe: u, info: info, files: files, decls: map[*types.Func]*decl{}, whole: whole && len(files) > 0}
	for _, f := range files {
		perTurn := hasPerTurn(info, f)
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			object, ok := info.Defs[fd.Name].(*types.Func)
			if !ok {
				continue
			}
			made := &decl{syntax: fd, name: object.Name(), perTurn: perTurn}
			if fd.Recv == nil && fd.Name.Name == "init" {
				p.inits = append(p.inits, object)
				made.name = initName(len(p.inits))
			}
			p.decls[object] = made
		}
	}
	u.byTypes[pkg] = p
	u.byPath[pkg.Path()] = p
	return p
}

// hasPerTurn reports whether the variables of a loop in f are new in each turn, as since Go 1.22.
func hasPerTurn(info *types.Info, f *ast.File) bool {
	v := info.FileVersions[f]
	return !version.IsValid(v) || version.Compare(version.Lang(v), "go1.22") >= 0
}

// fileAt returns the file that pos is in.
func (p *Package) fileAt(pos token.Pos) *ast.File {
	for _, f := range p.files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return f
		}
	}
	return nil
}

// Forget drops what is only there to compile the package itself.
func (p *Package) Forget() { p.files, p.inits, p.whole = nil, nil, false }
